"""``croupier odds``: the exact mid-round odds of every wager."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.baccarat.coup import Coup, CoupError
from croupier.cards import Card
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
from croupier.law.resolve import AsOf, instruments
from croupier.odds.par import census_of, fraction
from croupier.odds.sheet import WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import RoundOdds

__all__ = ["odds"]


def _first_law() -> str:
    """Return the regulation used if no table is given: the first included.

    All regulations that can be dealt have the same drawing rules and the Player, Banker and Tie
    wagers.
    """
    return next(law.id for law in instruments() if "third.banker" in law.rules and not law.partial)


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

    The shoe is given as it was before the round; the cards seen are removed from it. Without a
    submission or a regulation, the default elections of the first included regulation are used, and
    the output names it.
    """
    if submission is None and law_id is None:
        law_id, as_of = _first_law(), "latest"
    rules = rules_named(submission, law_id, as_of, None)
    shoe = shoe_named(rules, decks, shoe_text)
    seen = _in_order(rules, _cards(player, "--player"), _cards(banker, "--banker"))
    try:
        sheets = _sheets(rules, shoe, seen)
    except (ShoeError, CoupError) as error:
        fail(str(error))
    if output_format == "json":
        print_json(_as_data(rules, shoe, seen, sheets))
        return
    headline(f"Odds after {' '.join(map(str, seen)) or 'no cardsss'}")
    print_rules(rules)
    blank()
    table = plain_table("Wager", "wins", "void", "loses", "EV per unit")
    for sheet in sheets:
        loses = 1 - sheet.hit_frequency - sheet.push_frequency
        shares = (sheet.hit_frequency, sheet.push_frequency, loses)
        brings = f"{float(sheet.expectation):+.6f}"
        table.add_row(sheet.wager.replace("_", " "), *map(_percent, shares), brings)
    print_table(table)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f}%"


def _cards(text: str, option: str) -> list[Card]:
    """Read cards separated by commas or spaces."""
    try:
        return [Card.of(one) for one in text.replace(",", " ").split()]
    except ValueError as error:
        fail(f"{option}: {error}")


def _in_order(rules: TableRules, player: list[Card], banker: list[Card]) -> tuple[Card, ...]:
    """Return the cards in the order dealt, following the third-card rules."""
    coup = Coup(rules.tableau)
    hands = {"player": list(player), "banker": list(banker)}
    seen = []
    while any(hands.values()):
        due = coup.due
        if due is None or not hands[due.value]:
            held = " and ".join(
                f"{name} {' '.join(map(str, left))}" for name, left in hands.items() if left
            )
            whose = "no hand" if due is None else f"the {due.title}"
            fail(f"the next card goes to {whose}, but {held} is left over")
        card = hands[due.value].pop(0)
        seen.append(card)
        coup = coup.with_card(card)
    return tuple(seen)


def _sheets(rules: TableRules, shoe: ShoeComposition, seen: tuple[Card, ...]) -> list[WagerSheet]:
    censuses: dict[tuple[str, ...], Any] = {}
    sheets = []
    for wager, offer in rules.offers.items():
        asks = offer.wager.asks
        if asks not in censuses:
            censuses[asks] = census_of(shoe, rules, asks, seen)
        sheets.append(wager_sheet(rules, wager, censuses[asks], meters=rules.meter_seeds))
    return sheets


def _as_data(
    rules: TableRules, shoe: ShoeComposition, seen: tuple[Card, ...], sheets: Iterable[WagerSheet]
) -> RoundOdds:
    return {
        "format": "croupier-odds/1",
        **provenance(rules, command_line()),
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "seen": [str(card) for card in seen],
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
