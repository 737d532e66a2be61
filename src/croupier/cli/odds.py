"""``croupier odds``: the exact mid-round odds of every wager."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from croupier.baccarat.coup import CoupError, in_dealing_order, written
from croupier.baccarat.hand import Hand
from croupier.cards import Card, Rank, parse_shown
from croupier.cli.output import (
    blank,
    command_line,
    fail,
    format_option,
    headline,
    plain_table,
    print_json,
    print_table,
)
from croupier.cli.par import rules_named, rules_options, shoe_named
from croupier.cli.rules import print_rules
from croupier.law.resolve import AsOf
from croupier.odds.chances import chances, chances_data
from croupier.odds.shoe import ShoeComposition, ShoeError

__all__ = ["odds"]


@click.command()
@rules_options
@click.option("--player", default="", metavar="CARDS", help="Player's Hand so far, such as 9h,2c.")
@click.option("--banker", default="", metavar="CARDS", help="Banker's Hand so far, such as Kd,4s.")
@format_option
def odds(  # noqa: PLR0913  (each is an option of the command)
    submission: Path | None,
    law_id: str | None,
    as_of: AsOf | None,
    decks: int | None,
    shoe_text: str | None,
    *,
    player: str,
    banker: str,
    output_format: str,
) -> None:
    """Calculate the exact odds of every wager after zero to five cards of a round.

    The shoe is given as it was before the round; the cards seen are removed from it. A card may be
    written as a rank only if no wager of the table depends on suits.
    """
    rules = rules_named(submission, law_id, as_of, None)
    shoe = shoe_named(rules, decks, shoe_text)
    told = _cards(player, "--player"), _cards(banker, "--banker")
    if any(isinstance(card, Rank) for hand in told for card in hand):
        # If no suits are needed, a card of any suit represents its rank.
        shoe = ShoeComposition(shoe.ranks)
    try:
        seen = in_dealing_order(rules.tableau, dict(zip(Hand, told, strict=True)))
        sheets = chances(rules, shoe, seen)
    except (ShoeError, CoupError) as error:
        fail(str(error))
    if output_format == "json":
        print_json(chances_data(rules, shoe, seen, sheets, command_line()))
        return
    headline(f"Odds after {written(seen) or 'no cards'}")
    print_rules(rules)
    blank()
    table = plain_table("Wager", "wins", "void", "loses", "EV per unit")
    for sheet in sheets:
        loses = 1 - sheet.hit_frequency - sheet.push_frequency
        shares = (sheet.hit_frequency, sheet.push_frequency, loses)
        brings = f"{float(sheet.expectation):+.6f}"
        table.add_row(rules.wagers[sheet.wager].title, *map(_percent, shares), brings)
    print_table(table)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f}%"


def _cards(text: str, option: str) -> tuple[Card | Rank, ...]:
    """Read the cards of a hand."""
    try:
        cards = parse_shown(text)
    except ValueError as error:
        fail(f"{option}: {error}")
    seen = tuple(card for card in cards if card is not None)
    if len(seen) < len(cards):
        fail(f"{option} {text}: a card that is face down was not seen")
    return seen
