"""The layout of a table as a document, in the order of its picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypedDict, TypeVar

from croupier.baccarat.cards import faces
from croupier.law.usage import money
from croupier.law.values import Odds, percent
from croupier.rules import Award, Offer, TableRules
from croupier.rules.documents import Positive, Provenance, Word, provenance
from croupier.table.people.seating import counterclockwise_from_dealer


class AreaOnLayout(TypedDict):
    """An area for a wager, repeated at each seat."""

    wager: Word
    title: Word
    pays: Word
    main: bool
    chairs: Mapping[str, str]


class LayoutShown(Provenance):
    """A layout, as ``croupier layout`` shows it."""

    format: Literal["croupier-layout/1"]
    title: str
    pit: str
    table: str
    numbering: Literal["counterclockwise", "clockwise"]
    seats: list[Positive]
    areas: list[AreaOnLayout]
    marker_spaces: bool
    sign: str


T = TypeVar("T")

_ON_THE_WINNER: Final = 3
"""Number of wagers on every layout, before optional ones."""


def layout_of(rules: TableRules, reproduce: str) -> LayoutShown:
    """Lay a table out in the patrons' view, from left to right."""
    layout = rules.submission.layout
    return {
        **provenance(rules, reproduce),
        "format": "croupier-layout/1",
        "title": rules.submission.title,
        "pit": layout.pit,
        "table": layout.table,
        "numbering": "clockwise" if layout.numbering == "clockwise" else "counterclockwise",
        "seats": list(counterclockwise_from_dealer(layout)),
        "areas": [
            _area(offer, rules, is_main=number < _ON_THE_WINNER)
            for number, offer in enumerate(rules.offers.values())
        ],
        "marker_spaces": rules.vigorish.deferred,
        "sign": "; ".join(
            f"{offer.wager.title} pushes on {line.replace('_', ' ')}"
            for offer in rules.offers.values()
            for line, odds in offer.pays.items()
            if odds is None
        ),
    }


def _area(offer: Offer, rules: TableRules, *, is_main: bool) -> AreaOnLayout:
    rate = rules.vigorish.win_rate if offer.wager.bears_vigorish else None
    suffix = "" if rate is None else f" less {percent(rate)}"
    return {
        "wager": offer.wager.id,
        "title": offer.wager.title,
        "pays": _payouts_text(offer) + suffix,
        "main": is_main,
        "chairs": {str(seat): faces(cards.split()) for seat, cards in offer.chairs.items()},
    }


def _payouts_text(offer: Offer) -> str:
    odds = sorted({odds.ratio: str(odds) for odds in _payouts(offer, Odds)}.items(), reverse=True)
    awards = sorted({award.cents for award in _payouts(offer, Award) if award.meter is None})
    if odds:
        (_, highest), (_, lowest) = odds[0], odds[-1]
        return highest if highest == lowest else f"{highest} to {lowest}"
    most_paid = money(awards[-1], short=True) if awards else "pay table"
    return "progressive" if offer.meters else f"up to {most_paid}"


def _payouts(offer: Offer, kind: type[T]) -> list[T]:
    return [payout for payout in offer.pays.values() if isinstance(payout, kind)]
