"""One round as somebody else has recorded it: cards, result, wagers, and what went amiss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from croupier.baccarat.hand import CARD_VALUE, POINT_VALUE, Hand
from croupier.cards import Card, Rank, Shown

__all__ = [
    "MARKS", "IrregularityMark", "RoundRecord", "RowResult", "Shown", "Unreadable", "WagerRecord",
    "shown_text", "shown_value",
]  # fmt: skip

MARKS: Final[Mapping[str, bool]] = {
    "void": False,
    "simulated": False,
    "free-hand": False,
    "cutting-card": False,
    "reshuffled": False,
    "next-shoe": False,
    "drawn-in-error": True,
    "disclosed": True,
    "face-up": True,
}
"""What a round may be marked with, and whether the mark names a card."""


def shown_text(card: Shown) -> str:
    """Write a card as a record shows it: ``9h``, ``9``, or ``?`` for one that lies face down.

    >>> shown_text(Rank.NINE), shown_text(Card.of("9h")), shown_text(None)
    ('9', '9h', '?')
    """
    if card is None:
        return "?"
    return card.notation if isinstance(card, Card) else card.value


def shown_value(card: Card | Rank) -> int:
    """Return what a card is worth, 0 to 9."""
    return CARD_VALUE[card.index] if isinstance(card, Card) else POINT_VALUE[card]


class IrregularityMark(Struct, frozen=True):
    """An irregularity that the record marks: its kind, one of ``MARKS``, and the card of it."""

    kind: str
    card: Card | Rank | None = None

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind}={shown_text(self.card)}"


class WagerRecord(Struct, frozen=True):
    """One wager of one seat as it was recorded; amounts in cents, ``None`` where none is told.

    ``net_cents`` is the bettor's net result, after vigorish (minus the stake if it lost).
    ``paid_cents`` is what was paid on it, the stake that came back not included. ``added_cents`` is
    what of a House Money payout was added to this wager before a third card. ``broken`` names
    amounts that are no whole number of cents, as they are told; they stand here rounded down.
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


class RowResult(NamedTuple):
    """The result of a round as one row tells it; ``None`` for what it does not tell."""

    winner: str | None
    player_total: int | None
    banker_total: int | None


class RoundRecord(Struct, frozen=True):
    """One round of somebody else's record.

    ``line`` is where it stands in the file: the number of its (first) line or row, from one.
    ``player`` and ``banker`` are the cards of each hand in the order dealt to it. ``burned`` are
    cards that left the shoe between the round before and this one and belong to no hand: of the
    first round of a shoe, its burn. ``winner`` is one of ``WINNERS``. ``meters`` is what
    progressive meters showed when awards were paid, in cents. Whatever is not told is empty or
    ``None``.
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
    """The seat whose wagers the row tells, where a row is of one seat."""
    of_wager: bool = False
    """Whether the row tells one wager of the round, as each of its rows does."""
    others: tuple[RowResult, ...] = ()
    """What other rows of the round tell of its result that is not what is told before."""
    again: tuple[tuple[int | None, str], ...] = ()
    """The seats, or wagers of seats, that rows of the round tell more than once."""
    is_doubled: bool = False
    """Whether the rows tell all of the round more than once."""

    @property
    def is_part(self) -> bool:
        """Whether rows that follow it may tell more of the same round."""
        return self.seat is not None or self.of_wager

    def hand(self, hand: Hand) -> tuple[Shown, ...]:
        """Return the cards of one hand."""
        return self.player if hand is Hand.PLAYER else self.banker

    def total(self, hand: Hand) -> int | None:
        """Return the Point Count that the record tells of one hand."""
        return self.player_total if hand is Hand.PLAYER else self.banker_total

    def marked(self, kind: str) -> bool:
        """Return whether the round is marked so."""
        return any(mark.kind == kind for mark in self.marks)


class Unreadable(Struct, frozen=True):
    """A line that is no record of a round: where it stands, and what is wrong with it.

    ``shoe`` and ``round`` are empty where not even they could be read.
    """

    line: int
    message: str
    shoe: str = ""
    round: str = ""
