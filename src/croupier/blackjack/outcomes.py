"""What a round of blackjack gives from outside: how each hand of each patron ended, and no cards.

Wagers that are decided by the hands of a round need no more than this, so the rounds may come from
a table, a recording or the reference game alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from msgspec import Struct


class HandOutcome(Enum):
    """How one hand ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    UNFINISHED = "unfinished"
    """The patron left it, or refused to go on."""

    # Members are singletons: identity is a sound hash, and Enum's own costs a Python call.
    __hash__ = object.__hash__


class SeatOutcome(Struct, frozen=True):
    """How the hands of one seat ended: one hand, or several where the patron split.

    >>> SeatOutcome(3, (HandOutcome.WIN, HandOutcome.PUSH)).count(HandOutcome.WIN)
    1
    """

    seat: int
    hands: tuple[HandOutcome, ...]

    @property
    def is_split(self) -> bool:
        """Whether the patron split a pair."""
        return len(self.hands) > 1

    def count(self, outcome: HandOutcome) -> int:
        """Return how many of the hands ended so."""
        return self.hands.count(outcome)


class RoundOutcome(Struct, frozen=True):
    """How one round ended for every seat that had a blackjack wager."""

    seats: tuple[SeatOutcome, ...]
    dealer_natural: bool = False


_BEATEN_BY_NOBODY: Final = "no hand wins against a dealer's natural"


def outcome_errors(outcome: RoundOutcome) -> Iterator[str]:
    """Yield everything that no round of blackjack can have given.

    >>> list(outcome_errors(RoundOutcome((SeatOutcome(1, ()),))))
    ['seat 1 has no hand']
    """
    told: set[int] = set()
    for one in outcome.seats:
        if one.seat in told:
            yield f"seat {one.seat} is recorded twice"
        told.add(one.seat)
        if not one.hands:
            yield f"seat {one.seat} has no hand"
        if outcome.dealer_natural and HandOutcome.WIN in one.hands:
            yield f"seat {one.seat}: {_BEATEN_BY_NOBODY}"
