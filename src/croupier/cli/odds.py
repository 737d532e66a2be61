"""``croupier odds``: the exact mid-round odds of every wager."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.baccarat.coup import Coup, CoupError
from croupier.baccarat.hand import Hand
from croupier.cards import DECK, Card, Rank, Shown, parse_shown
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
from croupier.documents import provenance
from croupier.law.resolve import AsOf
from croupier.odds.par import census_of, fraction
from croupier.odds.sheet import WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import RoundOdds

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
    seen = _in_order(rules, *told)
    try:
        sheets = _sheets(rules, shoe, seen)
    except (ShoeError, CoupError) as error:
        fail(str(error))
    if output_format == "json":
        print_json(_as_data(rules, shoe, seen, sheets))
        return
    headline(f"Odds after {_written(seen) or 'no cards'}")
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


def _cards(text: str, option: str) -> tuple[Shown, ...]:
    """Read the cards of a hand."""
    try:
        cards = parse_shown(text)
    except ValueError as error:
        fail(f"{option}: {error}")
    if None in cards:
        fail(f"{option} {text}: a card that is face down was not seen")
    return cards


def _in_order(
    rules: TableRules, player: Iterable[Shown], banker: Iterable[Shown]
) -> tuple[Card | Rank, ...]:
    """Return the cards in the order dealt, following the third-card rules."""
    coup = Coup(rules.tableau)
    hands = {
        hand: [card for card in cards if card is not None]
        for hand, cards in ((Hand.PLAYER, player), (Hand.BANKER, banker))
    }
    seen: list[Card | Rank] = []
    while any(hands.values()):
        due = coup.due
        if due is None or not hands[due]:
            held = " and ".join(
                f"{hand.value} {_written(left)}" for hand, left in hands.items() if left
            )
            whose = "no hand" if due is None else f"the {due.title}"
            fail(f"the next card goes to {whose}, but {held} is left over")
        card = hands[due].pop(0)
        seen.append(card)
        coup = coup.with_card(_any_suit(card))
    return tuple(seen)


def _any_suit(card: Card | Rank) -> Card:
    """Return a card, or of a rank told alone its first card."""
    return card if isinstance(card, Card) else next(one for one in DECK if one.rank is card)


def _written(cards: Iterable[Card | Rank]) -> str:
    return " ".join(card.value if isinstance(card, Rank) else str(card) for card in cards)


def _sheets(
    rules: TableRules, shoe: ShoeComposition, seen: Iterable[Card | Rank]
) -> list[WagerSheet]:
    cards = tuple(map(_any_suit, seen))
    censuses: dict[tuple[str, ...], Any] = {}
    sheets = []
    for wager, offer in rules.offers.items():
        asks = offer.wager.asks
        if asks not in censuses:
            censuses[asks] = census_of(shoe, rules, asks, cards)
        sheets.append(wager_sheet(rules, wager, censuses[asks], meters=rules.meter_seeds))
    return sheets


def _as_data(
    rules: TableRules,
    shoe: ShoeComposition,
    seen: Iterable[Card | Rank],
    sheets: Iterable[WagerSheet],
) -> RoundOdds:
    return {
        "format": "croupier-odds/1",
        **provenance(rules, command_line()),
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "seen": [_written([card]) for card in seen],
        "wagers": [
            {
                "id": sheet.wager,
                "total_ways": str(sheet.total),
                "lines": [
                    {
                        "outcome": line.outcome,
                        "ways": str(line.ways),
                        "probability": fraction(Fraction(line.ways, sheet.total)),
                        "pays": line.pays,
                    }
                    for line in sheet.lines
                ],
                "expectation": fraction(sheet.expectation),
                "expectation_percent": float(sheet.expectation * 100),
            }
            for sheet in sheets
        ],
    }
