"""The lane engine: 64 shoes dealt in parallel, the fastest way to fill a tally."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Integers
from croupier.simulation.plan import WHOLE, Plan, TallyBuffers, TallyResult
from croupier.simulation.streams import next_numbers, stream_states

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
            tally = few_rounds(self.plan, self.seed, block, most)
            if tally is not None:
                return tally
        shoes = SINGLE_SHOES if self.plan.course.single else SHOES
        return self._played(block, shoes, most, None)

    def replay(self, block: int, shoes: int) -> tuple[TallyResult, Shorts]:
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
        workspace = room._replace(cells=np.zeros(kernel.REST + 1, dtype=np.int64))
        finished = int(kernel.play(lanes, self._game, workspace, most, rows))
        room.cells[:] = workspace.cells[: len(room.cells)]
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
            course.burned,
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
            ended = np.flatnonzero(ends)
            tallied = ended[ended < active]
            np.add.at(room.lengths, self.rounds[tallied], 1)
            finished += len(tallied)
            self._reload(ended)
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
            while len(rejected := np.flatnonzero((products & _WORD) < (_WORD + 1) % cards)):
                products[rejected] = self._next(lanes[rejected]) * cards
            numbers = products >> 32
        is_above = numbers < self.whole
        self.sums[:, lanes] = self.whole - is_above
        burned = (10 if course.burns else course.burned) - is_above[:_VALUES].sum(axis=0)
        self.unseen[lanes] = cards - course.burns
        self.behind[lanes] = course.cards_behind + burned
        self.out[lanes] = _LEAST + burned
        self.hands[lanes] = _NOT_CALLED
        self.rounds[lanes] = 0

    def _cards(self) -> Integers:
        pairs = [self._next(_EVERY) for _ in range(3)]
        numbers = np.stack([half for pair in pairs for half in (pair & _HALF, pair >> 16)])
        unseen = self.unseen - np.arange(6)[:, None]
        doubtful = (numbers * unseen & _HALF) < unseen
        for lane in np.flatnonzero(doubtful.any(axis=0)):
            for draw in np.flatnonzero(doubtful[:, lane]):
                cards = int(unseen[draw, lane])
                while int(numbers[draw, lane]) * cards & _HALF < (_HALF + 1) % cards:
                    numbers[draw, lane] = self._next(np.array([lane]))[0] >> 16
        found: Integers = numbers * unseen >> 16
        return found

    def _taken(self, cards: Integers, drawn: Flags = _YES) -> Flags:
        is_above: Flags = cards < self.sums
        self.sums -= is_above & drawn
        return is_above

    def _step(self) -> tuple[Integers, Flags]:
        *four, fifth, sixth = self._cards()
        one, two, three, last = (self._taken(cards) for cards in four)
        player, banker = (
            (20 - first[:_VALUES].sum(axis=0) - second[:_VALUES].sum(axis=0)) % 10
            for first, second in ((one, three), (two, last))
        )
        is_open = (player < 8) & (banker < 8)
        counts = np.where(is_open, player, 0), np.where(is_open, banker, 0)
        # The fifth card is Player's, or Banker's if Player stays.
        player_draws = is_open & self.takes[counts[0]]
        has_fifth = player_draws | is_open & self.draws[10, counts[1]]
        count = self._taken(fifth, has_fifth)[:_VALUES].sum(axis=0)
        draws = player_draws & self.draws[9 - count, counts[1]]
        further = self._taken(sixth, draws)[:_VALUES].sum(axis=0)
        other = np.where(player_draws, draws, has_fifth)
        player = np.where(player_draws, player - count, player) % 10
        banker = np.where(other, banker - np.where(player_draws, further, count), banker) % 10
        cells = player * 40 + banker * 4 + player_draws * 2 + other
        if self.plan.level != "counts":
            player_pair, banker_pair = (one.sum(0) == three.sum(0)), (two.sum(0) == last.sum(0))
            cells = cells * 4 + player_pair * 2 + banker_pair
        return cells, self._after(self.unseen - 4 - has_fifth - draws)

    def _after(self, left: Integers) -> Flags:
        course = self.plan.course
        at_first = 0 if course.ends_at_first else course.last_hands
        hands_given = np.where(self.unseen <= self.behind, at_first, course.last_hands)
        called = np.where(left < self.behind, hands_given, _NOT_CALLED)
        self.hands = np.where(self.hands == _NOT_CALLED, called, self.hands - 1)
        self.unseen, self.rounds = left, self.rounds + 1
        ends: Flags = (self.hands == 0) | (left < self.out)
        return ends
