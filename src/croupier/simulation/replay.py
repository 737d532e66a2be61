"""The cards dealt by the lanes, as whole shoes, to verify them with the scalar engine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from croupier.odds.arrays import Bytes
from croupier.simulation.lane_kernel import (
    BURNED,
    LAST,
    MORE,
    NUMBERS,
    RESTS,
    ROUNDS,
    SUITS,
    WIDTH,
    Shorts,
)
from croupier.simulation.lanes import LaneEngine
from croupier.simulation.plan import Plan
from croupier.simulation.tallies import TallyResult

_NINE, _JACK = 8, 10
_TENS = 9
"""The first kind that is worth 0."""


def dealt_shoes(engine: LaneEngine, block: int, shoes: int) -> tuple[TallyResult, Bytes]:
    """Deal the first shoes of each lane of a block; also return the shoes, a row each.

    Unknown details are filled in. Raises ``ValueError`` for a card that is not in the shoe.
    """
    plan = engine.plan
    played, lane_rows = engine.replay(block, shoes)
    rows = [
        _in_order(plan, rounds)
        for lane in range(WIDTH)
        for rounds in _shoes(plan, lane_rows[:, :, lane])
    ]
    return played, np.array(rows, dtype=np.uint8)


def _shoes(plan: Plan, steps: Shorts) -> Iterator[Shorts]:
    steps = steps[steps[:, RESTS] == 0]
    if plan.course.single:
        yield from steps[:, None]
        return
    # A shoe begins with round 1, directly after the last shoe.
    yield from np.split(steps, np.flatnonzero(steps[:, ROUNDS] == 1)[1:])


def _in_order(plan: Plan, rounds: Shorts) -> list[int]:
    places: list[tuple[int, int] | None] = []
    """Kind and suit (negative if unknown) of each card, or ``None`` for a hidden card."""
    if plan.course.burns:
        kind = int(rounds[0, BURNED])
        places += [(kind, -1), *[None] * min(kind + 1, 10)]
    for row in rounds:
        places += _coup(plan, [int(number) for number in row])
    kinds = _Pool(plan)
    cards = [kinds.take(*place) if place and place[1] >= 0 else -1 for place in places]
    for at, place in enumerate(places):
        if place and cards[at] < 0:
            cards[at] = kinds.take(*place)
    rest = kinds.rest()
    dealt = [next(rest) if card < 0 else card for card in cards]
    return [*dealt, *rest]


def _coup(plan: Plan, row: list[int]) -> list[tuple[int, int]]:
    last = 9 if plan.level == "counts" else 12
    drawn = 4 + row[MORE] + row[LAST]
    cards = [(last - row[NUMBERS + draw], -1) for draw in range(drawn)]
    if plan.level == "royals":
        for hand in range(2):
            pair = (cards[hand][0], cards[hand + 2][0])
            if min(pair) == _NINE and max(pair) >= _JACK:
                for draw in (hand, hand + 2):
                    kind = cards[draw][0]
                    cards[draw] = (kind, row[SUITS + 2 * hand + (kind != _NINE)])
    return cards


class _Pool:
    def __init__(self, plan: Plan) -> None:
        self._tens = plan.level == "counts"
        self._left = list(plan.cards)

    def take(self, kind: int, suit: int) -> int:
        for card in self._left:
            rank = min(card % 13, _TENS) if self._tens else card % 13
            if rank == kind and suit in {-1, card // 13}:
                self._left.remove(card)
                return card
        raise ValueError(f"a card of kind {kind} and suit {suit} was dealt but is not in the shoe")

    def rest(self) -> Iterator[int]:
        return iter(self._left)
