"""One external round as recorded: cards, result, wagers, and irregularities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from croupier.baccarat.cards import Card, Rank, Shown
from croupier.baccarat.coup import CARD_VALUE, POINT_VALUE, Hand

__all__ = [
    "MARKS", "IrregularityMark", "RoundRecord", "RowResult", "Shown", "Unreadable", "WagerRecord",
    "shown_count", "shown_text", "shown_value",
]  # fmt: skip

MARKS: Final[Mapping[str, bool]] = {
    "void": False,
    "replaced": False,
    "simulated": False,
    "free-hand": False,
    "cutting-card": False,
    "reshuffled": False,
    "next-shoe": False,
    "drawn-in-error": True,
    "disclosed": True,
    "face-up": True,
}
"""Marks of a round, and whether each names a card."""


def shown_text(card: Shown) -> str:
    """Return a card as in a record: ``9h``, ``9``, or ``?`` if it is face down."""
    if card is None:
        return "?"
    return card.notation if isinstance(card, Card) else card.value


def shown_value(card: Card | Rank) -> int:
    return CARD_VALUE[card.index] if isinstance(card, Card) else POINT_VALUE[card]


def shown_count(cards: Iterable[Shown]) -> int:
    return sum(shown_value(card) for card in cards if card is not None) % 10


class IrregularityMark(Struct, frozen=True):
    kind: str
    card: Card | Rank | None = None

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind}={shown_text(self.card)}"


class WagerRecord(Struct, frozen=True):
    """One wager of one seat as recorded, in cents.

    ``net_cents`` is after vigorish unless ``is_gross``, ``paid_cents`` without the stake;
    ``added_cents`` is the part of a House Money payout added before a third card. ``broken`` has
    amounts that are not integer cents.
    """

    seat: int | None
    wager: str
    stake_cents: int
    net_cents: int | None = None
    paid_cents: int | None = None
    vigorish_cents: int | None = None
    coupon_cents: int = 0
    added_cents: int = 0
    broken: Mapping[str, str] = field(default_factory=dict)
    deducted: bool | None = None
    """Whether vigorish is deducted from ``paid_cents``; ``None`` if that is not known."""
    is_gross: bool = False
    """Whether ``net_cents`` is before vigorish, which is collected apart and not recorded."""
    slot: int = 0
    """One more than the number of its columns, if they are numbered in a row and name the wager."""

    @property
    def apart_cents(self) -> int:
        """The recorded vigorish that the payment does not have deducted."""
        return 0 if self.deducted else self.vigorish_cents or 0


class RowResult(NamedTuple):
    """A round's result in one row; ``None`` if not recorded."""

    winner: str | None
    player_total: int | None
    banker_total: int | None


class RoundRecord(Struct, frozen=True):
    """One external round; fields not recorded are empty or ``None``.

    ``burned`` are cards that left the shoe since the previous round and belong to no hand.
    ``meters`` are in cents when awards were paid.
    """

    line: int
    shoe: str
    round: str
    player: tuple[Shown, ...]
    banker: tuple[Shown, ...]
    winner: str | None = None
    player_total: int | None = None
    banker_total: int | None = None
    wagers: tuple[WagerRecord, ...] = ()
    burned: tuple[Shown, ...] | None = None
    marks: tuple[IrregularityMark, ...] = ()
    meters: Mapping[str, int] = field(default_factory=dict)
    seat: int | None = None
    """The seat of the row's wagers, if rows are by seat."""
    of_wager: bool = False
    """Whether each row of the round is one wager."""
    others: tuple[RowResult, ...] = ()
    """Differing results in other rows of the round."""
    again: tuple[tuple[int | None, str], ...] = ()
    """Seats, or wagers of seats, recorded more than once in the round."""
    is_doubled: bool = False
    """Whether all rows of the round are recorded more than once."""
    sheet: str = ""
    """The sheet, if rounds are on several; it is in front of the shoe, if that has a name."""

    @property
    def source(self) -> str:
        """The name of the shoe, or of the sheet if the shoe has none."""
        return self.shoe or self.sheet

    @property
    def is_part(self) -> bool:
        """Whether the following rows may belong to the same round."""
        return self.seat is not None or self.of_wager

    def hand(self, hand: Hand) -> tuple[Shown, ...]:
        return self.player if hand is Hand.PLAYER else self.banker

    def total(self, hand: Hand) -> int | None:
        return self.player_total if hand is Hand.PLAYER else self.banker_total

    def marked(self, kind: str) -> bool:
        return any(mark.kind == kind for mark in self.marks)


class Unreadable(Struct, frozen=True):
    line: int
    message: str
    shoe: str = ""
    round: str = ""
