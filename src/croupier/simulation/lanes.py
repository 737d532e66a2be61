"""The lane engine: 64 shoes dealt in parallel, the fastest way to fill a tally."""

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
"""Shoes per lane in a block."""

SINGLE_SHOES: Final = 40_000
"""Shoes per lane in a block if a shoe is one round."""

_NINE, _JACK, _KING = 8, 10, 12


class LaneEngine:
    """Deals blocks of shoes in parallel lanes. Thread-safe."""

    name: Final = "lanes"

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.seed = seed

    def play(self, block: int, most: int) -> TallyResult:
        if _KERNEL not in sys.modules:
            played = few_rounds(self.plan, self.seed, block, most)
            if played is not None:
                return played
        shoes = SINGLE_SHOES if self.plan.course.single else SHOES
        return self._played(block, shoes, most, None)

    def replay(self, block: int, shoes: int) -> tuple[TallyResult, Shorts]:
        """Deal the first shoes of each lane; also return the lanes' rows after each step."""
        from croupier.simulation import lane_kernel as kernel  # noqa: PLC0415  (as above)

        steps = shoes * (1 if self.plan.course.single else self.plan.shoe.cards // 4 + 1)
        rows = np.zeros((steps, kernel.ROWS, WIDTH), dtype=np.uint16)
        rows[:, kernel.RESTS] = kernel.REST
        return self._played(block, shoes, WHOLE, rows), rows

    def _played(self, block: int, shoes: int, most: int, rows: Any) -> TallyResult:
        from croupier.simulation import lane_kernel as kernel  # noqa: PLC0415  (as above)

        room = TallyBuffers.of(self.plan)
        lanes = kernel.Lanes(
            np.empty((4, WIDTH), dtype=np.uint32),
            np.zeros((kernel.ROWS, WIDTH), dtype=np.uint16),
            np.full(WIDTH, shoes, dtype=np.int64),
            np.zeros((WIDTH, 4, 4), dtype=np.uint16),
            np.zeros(2, dtype=np.int64),
        )
        for lane, state in enumerate(stream_states(self.seed, WIDTH * block, WIDTH)):
            lanes.states[:, kernel.column(lane)] = state
        single = self.plan.course.single
        most = min(most, WIDTH * shoes) if single else most
        # Finished lanes are counted in a cell that is then removed.
        wide = room._replace(cells=np.zeros(kernel.REST + 1, dtype=np.int64))
        finished = int(kernel.play(lanes, self._game, wide, most, rows))
        room.cells[:] = wide.cells[: len(room.cells)]
        if single:
            finished = room.lengths[1] = int(room.cells.sum())
        # The kernel counts only hands of a nine and a face card.
        room.royals[:1] = room.cells.sum() - room.royals.sum()
        return room.played(finished)

    @cached_property
    def _game(self) -> LaneParams:
        from croupier.simulation.lane_kernel import LaneParams  # noqa: PLC0415  (as above)

        course, ranks, level = self.plan.course, self.plan.shoe.ranks, self.plan.level
        kinds = (*ranks[:9], sum(ranks[9:])) if level == "counts" else ranks
        bits = [_bits(row) for row in course.draws]
        # By kind of Player's third card: ace to nine, then those worth 0.
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
    return sum(int(flag) << place for place, flag in enumerate(flags))
