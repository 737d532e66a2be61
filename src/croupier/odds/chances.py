"""What every wager of a table is worth from the middle of a round, and the document of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.baccarat.coup import Facts, any_suit, written
from croupier.cards import Card, Rank
from croupier.documents import provenance
from croupier.odds.census import Census
from croupier.odds.par import census_of
from croupier.odds.sheet import WagerSheet, fraction, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import RoundOdds

__all__ = ["chances", "chances_data"]


def chances(
    rules: TableRules, shoe: ShoeComposition, seen: Iterable[Card | Rank]
) -> tuple[WagerSheet, ...]:
    """Weigh every wager on offer after the cards seen of a round.

    ``shoe`` is what it was before the round; where ranks were seen alone, it must be told by rank.
    Raises ``ShoeError`` where it does not hold the cards, or does not tell suits that a wager
    needs, and ``CoupError`` for a card too many.
    """
    cards = tuple(map(any_suit, seen))
    censuses: dict[tuple[str, ...], Census[Facts]] = {}
    sheets = []
    for wager, offer in rules.offers.items():
        asks = offer.wager.asks
        if asks not in censuses:
            censuses[asks] = census_of(shoe, rules, asks, cards)
        sheets.append(wager_sheet(rules, wager, censuses[asks], meters=rules.meter_seeds))
    return tuple(sheets)


def chances_data(
    rules: TableRules,
    shoe: ShoeComposition,
    seen: Iterable[Card | Rank],
    sheets: Iterable[WagerSheet],
    reproduce: str = "",
) -> RoundOdds:
    """Return the document of wagers that ``chances`` weighed."""
    return {
        "format": "croupier-odds/1",
        **provenance(rules, reproduce),
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "seen": [written([card]) for card in seen],
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
