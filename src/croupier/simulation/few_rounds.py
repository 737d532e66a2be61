"""The first rounds of a block of lanes, without a compiler.

They equal those of ``lane_kernel``, which is a hundred times as fast but takes longer to load.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Integers
from croupier.simulation.plan import Plan
from croupier.simulation.streams import next_numbers, stream_states
from croupier.simulation.tallies import TallyBuffers, TallyResult

WIDTH: Final = 64

FEW: Final = 50_000
"""Maximum number of rounds; beyond it, loading a kernel is faster."""

_VALUES: Final = 9
"""Number of sums that determine a card's value, before those that determine its rank."""
_HALF, _WORD = 2**16 - 1, 2**32 - 1
_LEAST: Final = 6
_NOT_CALLED: Final = -1
_EVERY: Final = np.arange(WIDTH)

Lanes: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]

_YES: Final[Flags] = np.ones(WIDTH, dtype=np.bool_)


def few_rounds(plan: Plan, seed: int, block: int, most: int) -> TallyResult | None:
    """Deal the first rounds of a block; ``None`` if the kernel is needed."""
    if most > FEW or plan.course.single or plan.level == "royals":
        return None
    return _Lanes(plan, seed, block).dealt(most)


class _Lanes:
    def __init__(self, plan: Plan, seed: int, block: int) -> None:
        self.plan, course = plan, plan.course
        ranks = plan.shoe.ranks
        kinds = (*ranks[:9], sum(ranks[9:])) if plan.level == "counts" else ranks
        self.whole: Integers = np.cumsum(kinds)[:-1].astype(np.int64)[:, None]
        self.takes = course.takes.astype(bool)
        # Kinds of Player's third card: ace to nine, then those worth 0; the last row is for a
        # Player who stays.
        self.draws = course.draws[[*range(1, 10), 0, 10]].astype(bool)
        self.streams = stream_states(seed, WIDTH * block, WIDTH).astype(np.uint32).T
        self.sums = np.zeros((len(self.whole), WIDTH), dtype=np.int64)
        self.unseen, self.behind, self.out, self.hands, self.rounds = np.zeros(
            (5, WIDTH), dtype=np.int64
        )
        self._reload(_EVERY)

    def dealt(self, most: int) -> TallyResult:
        room, finished = TallyBuffers.of(self.plan), 0
        for left in range(most, 0, -WIDTH):
            active = min(left, WIDTH)
            cells, ends = self._step()
            np.add.at(room.cells, cells[:active], 1)
            over = np.flatnonzero(ends)
            counted = over[over < active]
            np.add.at(room.lengths, self.rounds[counted], 1)
            finished += len(counted)
            self._reload(over)
        return room.played(finished)

    def _next(self, lanes: Lanes) -> Integers:
        return next_numbers(self.streams, lanes)

    def _reload(self, lanes: Lanes) -> None:
        if not len(lanes):
            return
        cards, course = self.plan.shoe.cards, self.plan.course
        numbers = np.full(len(lanes), cards)
        if course.burns:
            products = self._next(lanes) * cards
            while len(again := np.flatnonzero((products & _WORD) < (_WORD + 1) % cards)):
                products[again] = self._next(lanes[again]) * cards
            numbers = products >> 32
        above = numbers < self.whole
        self.sums[:, lanes] = self.whole - above
        burned = (10 if course.burns else 0) - above[:_VALUES].sum(axis=0)
        self.unseen[lanes] = cards - course.burns
        self.behind[lanes] = course.cards_behind + burned
        self.out[lanes] = _LEAST + burned
        self.hands[lanes] = _NOT_CALLED
        self.rounds[lanes] = 0

    def _cards(self) -> Integers:
        pairs = [self._next(_EVERY) for _ in range(3)]
        numbers = np.stack([half for pair in pairs for half in (pair & _HALF, pair >> 16)])
        left = self.unseen - np.arange(6)[:, None]
        doubtful = (numbers * left & _HALF) < left
        for lane in np.flatnonzero(doubtful.any(axis=0)):
            for draw in np.flatnonzero(doubtful[:, lane]):
                cards = int(left[draw, lane])
                while int(numbers[draw, lane]) * cards & _HALF < (_HALF + 1) % cards:
                    numbers[draw, lane] = self._next(np.array([lane]))[0] >> 16
        found: Integers = numbers * left >> 16
        return found

    def _taken(self, cards: Integers, drawn: Flags = _YES) -> Flags:
        above: Flags = cards < self.sums
        self.sums -= above & drawn
        return above

    def _step(self) -> tuple[Integers, Flags]:
        *four, fifth, sixth = self._cards()
        one, two, three, last = (self._taken(cards) for cards in four)
        player, banker = (
            (20 - first[:_VALUES].sum(axis=0) - second[:_VALUES].sum(axis=0)) % 10
            for first, second in ((one, three), (two, last))
        )
        lives = (player < 8) & (banker < 8)
        counts = np.where(lives, player, 0), np.where(lives, banker, 0)
        # The fifth card is Player's, or Banker's if Player stays.
        takes = lives & self.takes[counts[0]]
        more = takes | lives & self.draws[10, counts[1]]
        above = self._taken(fifth, more)[:_VALUES].sum(axis=0)
        draws = takes & self.draws[9 - above, counts[1]]
        further = self._taken(sixth, draws)[:_VALUES].sum(axis=0)
        other = np.where(takes, draws, more)
        player = np.where(takes, player - above, player) % 10
        banker = np.where(other, banker - np.where(takes, further, above), banker) % 10
        cells = player * 40 + banker * 4 + takes * 2 + other
        if self.plan.level != "counts":
            own, others = (one.sum(0) == three.sum(0)), (two.sum(0) == last.sum(0))
            cells = cells * 4 + own * 2 + others
        return cells, self._after(self.unseen - 4 - more - draws)

    def _after(self, left: Integers) -> Flags:
        course = self.plan.course
        at_first = 0 if course.ends_at_first else course.last_hands
        given = np.where(self.unseen <= self.behind, at_first, course.last_hands)
        called = np.where(left < self.behind, given, _NOT_CALLED)
        self.hands = np.where(self.hands == _NOT_CALLED, called, self.hands - 1)
        self.unseen, self.rounds = left, self.rounds + 1
        ends: Flags = (self.hands == 0) | (left < self.out)
        return ends
