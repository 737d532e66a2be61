"""The lane engine: sixty-four shoes dealt side by side, which fills a tally at the highest speed.

Each lane is one shoe after another, dealt from a stream of its own; ``lane_kernel`` tells how. The
rounds of a block go step by step: in a step each lane deals a round, the first lane first, unless
it has dealt all of its shoes. The first rounds of a block are those of this order.
"""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from croupier.simulation.few_rounds import WIDTH, few_rounds
from croupier.simulation.plan import Plan
from croupier.simulation.streams import stream_states
from croupier.simulation.tallies import WHOLE, TallyBuffers, TallyResult

if TYPE_CHECKING:  # Imports numba, which takes longer than a few rounds.
    from croupier.simulation.lane_kernel import LaneParams, Shorts

_KERNEL: Final = "croupier.simulation.lane_kernel"

SHOES: Final = 512
"""Shoes of a lane in a block."""

SINGLE_SHOES: Final = 40_000
"""As many where a shoe is one round."""

_NINE, _JACK, _KING = 8, 10, 12


class LaneEngine:
    """Deals blocks of shoes side by side. Safe to ask from several threads at a time."""

    name: Final = "lanes"

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.seed = seed

    def play(self, block: int, most: int) -> TallyResult:
        """Play a block, or the first ``most`` of its rounds."""
        if _KERNEL not in sys.modules:
            played = few_rounds(self.plan, self.seed, block, most)
            if played is not None:
                return played
        shoes = SINGLE_SHOES if self.plan.course.single else SHOES
        return self._played(block, shoes, most, None)

    def replay(self, block: int, shoes: int) -> tuple[TallyResult, Shorts]:
        """Deal the first shoes of each lane, and tell the lanes' rows after each step."""
        from croupier.simulation.lane_kernel import REST, RESTS, ROWS  # noqa: PLC0415  (as above)

        steps = shoes * (1 if self.plan.course.single else self.plan.shoe.cards // 4 + 1)
        told = np.zeros((steps, ROWS, WIDTH), dtype=np.uint16)
        told[:, RESTS] = REST
        return self._played(block, shoes, WHOLE, told), told

    def _played(self, block: int, shoes: int, most: int, told: Any) -> TallyResult:
        from croupier.simulation.lane_kernel import (  # noqa: PLC0415  (as above)
            REST,
            ROWS,
            Lanes,
            column,
            play,
        )

        room = TallyBuffers.of(self.plan)
        lanes = Lanes(
            np.empty((4, WIDTH), dtype=np.uint32),
            np.zeros((ROWS, WIDTH), dtype=np.uint16),
            np.full(WIDTH, shoes, dtype=np.int64),
            np.zeros((WIDTH, 4, 4), dtype=np.uint16),
            np.zeros(2, dtype=np.int64),
        )
        for lane, state in enumerate(stream_states(self.seed, WIDTH * block, WIDTH)):
            lanes.states[:, column(lane)] = state
        single = self.plan.course.single
        most = min(most, WIDTH * shoes) if single else most
        # A lane that rests counts as well: into a cell that is then cut off.
        wide = room._replace(cells=np.zeros(REST + 1, dtype=np.int64))
        finished = int(play(lanes, self._game, wide, most, told))
        room.cells[:] = wide.cells[: len(room.cells)]
        if single:
            finished = room.lengths[1] = int(room.cells.sum())
        # The kernel counts hands of a nine and a face card. All others are no such hand.
        room.royals[:1] = room.cells.sum() - room.royals.sum()
        return room.played(finished)

    @cached_property
    def _game(self) -> LaneParams:
        """What is dealt, as the kernel takes it."""
        from croupier.simulation.lane_kernel import LaneParams  # noqa: PLC0415  (as above)

        course, ranks, level = self.plan.course, self.plan.shoe.ranks, self.plan.level
        kinds = (*ranks[:9], sum(ranks[9:])) if level == "counts" else ranks
        bits = [_bits(row) for row in course.draws]
        # Player's third card is told by its kind: ace to nine, and then all that are worth 0.
        by_kind = [*bits[1:10], bits[0]]
        suits = np.zeros((4, 4), dtype=np.uint16)
        if level == "royals":
            suited = np.array(self.plan.shoe.suits_for("Royal 9")).reshape(4, 13)
            suits[0], suits[1:] = suited[:, _NINE], suited[:, _JACK : _KING + 1].T
        return LaneParams(
            None if level == "counts" else 1,
            1 if level == "royals" else None,
            1 if course.single else None,
            np.cumsum(kinds)[:-1].astype(np.uint16),
            suits,
            self.plan.shoe.cards,
            course.burns,
            course.cards_behind,
            course.last_hands,
            0 if course.ends_at_first else course.last_hands,
            _bits(course.takes),
            bits[10],
            bits[0],
            np.array([by_kind[kind] ^ by_kind[kind + 1] for kind in range(9)], dtype=np.uint16),
        )


def _bits(flags: Any) -> int:
    """Return flags as the bits of a number, the first lowest."""
    return sum(int(flag) << place for place, flag in enumerate(flags))
