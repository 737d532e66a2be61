"""Results of a round of blackjack from any source, without cards."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from msgspec import Struct


class HandOutcome(Enum):
    """The outcome of one hand."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    UNFINISHED = "unfinished"
    """The patron left, or refused to continue."""

    # Sound, because members are singletons, and faster than Enum's hash.
    __hash__ = object.__hash__


class SeatOutcome(Struct, frozen=True):
    """The outcomes of one seat's hands: several after a split.

    >>> SeatOutcome(3, (HandOutcome.WIN, HandOutcome.PUSH)).count(HandOutcome.WIN)
    1
    """

    seat: int
    hands: tuple[HandOutcome, ...]

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1

    def count(self, outcome: HandOutcome) -> int:
        return self.hands.count(outcome)


class RoundOutcome(Struct, frozen=True):
    """The outcome of one round for every seat with a blackjack wager."""

    seats: tuple[SeatOutcome, ...]
    dealer_natural: bool = False


_BEATEN_BY_NOBODY: Final = "no hand wins against a dealer's natural"


def outcome_errors(outcome: RoundOutcome) -> Iterator[str]:
    """Yield every impossibility.

    >>> list(outcome_errors(RoundOutcome((SeatOutcome(1, ()),))))
    ['seat 1 has no hand']
    """
    seen: set[int] = set()
    for seat in outcome.seats:
        if seat.seat in seen:
            yield f"seat {seat.seat} is recorded twice"
        seen.add(seat.seat)
        if not seat.hands:
            yield f"seat {seat.seat} has no hand"
        if outcome.dealer_natural and HandOutcome.WIN in seat.hands:
            yield f"seat {seat.seat}: {_BEATEN_BY_NOBODY}"
