"""A counting study: seeded shoes are dealt, and the bets of a count are evaluated.

Bets are credited with exact advantages, which vary less than results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, lcm, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.baccarat.cards import DECK_SIZE, Rank
from croupier.baccarat.coup import CARD_VALUE, POINT_VALUE, Facts, first_two
from croupier.odds.arrays import Bytes, Floats, Integers, ShoeProcedureArrays
from croupier.odds.card_wagers import CardWager, card_wager_of, line_facts, lines_of_coups
from croupier.odds.census import ROYAL_HANDS
from croupier.odds.counting import CountingError, Tags, on_cards
from croupier.odds.dealing import RANKS, States, deal, gather, shuffle
from croupier.odds.kernel import MOST_KERNEL_CARDS, Kernel
from croupier.odds.rounds import ShoeProcedure, shoe_procedure
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition
from croupier.odds.threads import in_turn
from croupier.rules import TableRules

# --- the advantage or the results of a wager in many rounds ---------------------------------------


_ROWS: Final = 512
"""Shoes per batch; their ways fit in a cache."""

_DOUBTFUL: Final = 1e-9
"""Advantages closer to zero are recomputed in integers to get the sign right."""

_BY_VALUE: Final[Integers] = np.array(
    [[POINT_VALUE[rank] == value for value in range(10)] for rank in Rank], dtype=np.int64
)


_VALUES: Final[Integers] = np.array(CARD_VALUE, dtype=np.int64)


class PairsAndCountsError(CountingError):
    """No kernel calculates a wager's advantage, because it depends on both."""


class AdvantageEvaluator:
    """Evaluates one wager of a table, not on suits, for shoes given by rank.

    Raises ``KeyError`` for a wager not on offer, and ``PairsAndCountsError``.
    """

    def __init__(self, rules: TableRules, wager: str) -> None:
        asks = rules.offers[wager].wager.asks
        self._kernel = Kernel(rules.tableau)
        nets = {
            facts: _net(rules, wager, facts)
            for facts in _classes(self._kernel.facts, pairs="pairs" in asks)
        }
        self._by_pairs = "pairs" in asks
        if self._by_pairs:
            classes = _pair_nets(wager, nets)
        else:
            classes = [nets[facts] for facts in self._kernel.facts]
        self._nets = tuple(dict.fromkeys(classes))
        self._groups: Integers = np.array([self._nets.index(net) for net in classes])

    def advantages(self, shoes: Integers) -> Floats:
        sums = np.empty((len(shoes), len(self._nets)), dtype=np.int64)
        if self._by_pairs:
            gather(_pair_ways(shoes), self._groups, sums)
        else:
            by_value = shoes @ _BY_VALUE
            ways = np.empty((min(_ROWS, len(shoes)), len(self._groups)), dtype=np.int64)
            for first in range(0, len(shoes), _ROWS):
                part = by_value[first : first + _ROWS]
                self._kernel.many(part, ways[: len(part)])
                gather(ways[: len(part)], self._groups, sums[first : first + _ROWS])
        nets = np.array([float(net) for net in self._nets])
        found: Floats = (sums * nets).sum(axis=1) / sums.sum(axis=1)
        for row in np.flatnonzero(np.abs(found) < _DOUBTFUL):
            found[row] = float(self._exact(sums[row].tolist()))
        return found

    def _exact(self, sums: list[int]) -> Fraction:
        total = sum((n * net for n, net in zip(sums, self._nets, strict=True)), Fraction())
        return total / sum(sums)


def _net(rules: TableRules, wager: str, facts: Facts) -> Fraction:
    return wager_sheet(rules, wager, {facts: 1}, meters=rules.meter_seeds).expectation


def _classes(counts: Iterable[Facts], *, pairs: bool) -> Iterable[Facts]:
    flags = (False, True) if pairs else (False,)
    for facts in counts:
        for own in flags:
            for other in flags:
                yield Facts(*facts[:4], own, other)


def _pair_nets(wager: str, nets: Mapping[Facts, Fraction]) -> list[Fraction]:
    found: list[Fraction] = []
    for pairs in ((True, True), (True, False), (False, True), (False, False)):
        values = {net for facts, net in nets.items() if facts[4:6] == pairs}
        if len(values) > 1:
            raise PairsAndCountsError(
                f"{wager} depends on pairs and on counts: no kernel calculates both at once"
            )
        found += values
    return found


def _pair_ways(shoes: Integers) -> Integers:
    cards = shoes.sum(axis=1)
    pairs = shoes * (shoes - 1)
    singles = pairs.sum(axis=1)
    fours = pairs * (shoes - 2) * (shoes - 3)
    both_ways = singles**2 - (pairs**2).sum(axis=1) + fours.sum(axis=1)
    own = singles * (cards - 2) * (cards - 3) - both_ways
    total = cards * (cards - 1) * (cards - 2) * (cards - 3)
    ways: Integers = np.stack([both_ways, own, own, total - both_ways - 2 * own], axis=1)
    return ways


class ResultEvaluator:
    """Settles one wager for complete rounds, given by card.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for one that cannot be
    counted.
    """

    def __init__(self, rules: TableRules, wager: str, shoe: ShoeComposition) -> None:
        if shoe.suited is None:
            raise CountingError(f"{wager} depends on cards: give the shoe by card or by decks")
        offered = rules.offers[wager].wager
        if "royals" in offered.asks:
            self._lookup, facts = _royals(wager)
        else:
            try:
                self._lookup = card_wager_of(offered)
            except ValueError as error:
                raise CountingError(str(error)) from error
            facts, _ = line_facts(rules, shoe, self._lookup)
        self._nets = np.array([float(_net(rules, wager, fact)) for fact in facts])

    def results(self, cards: npt.NDArray[np.uint8], drawing: ShoeProcedureArrays) -> Floats:
        """Net result of a unit in rounds, each given by six cards in order."""
        values = _VALUES[cards]
        player = (values[:, 0] + values[:, 2]) % 10
        banker = (values[:, 1] + values[:, 3]) % 10
        open_ = (player < 8) & (banker < 8)
        own = open_ & (drawing.takes[np.minimum(player, 7)] != 0)
        third = np.where(own, values[:, 4], 10)
        other = open_ & (drawing.draws[third, np.minimum(banker, 7)] != 0)
        lines = lines_of_coups(self._lookup, cards, own.astype(np.int64), other.astype(np.int64))
        found: Floats = self._nets[lines]
        return found


def _royals(wager: str) -> tuple[CardWager, tuple[Facts, ...]]:
    names = ("", *ROYAL_HANDS)
    of_two = [
        names.index(first_two(one, other)[1]) for one, other in product(range(DECK_SIZE), repeat=2)
    ]
    # A third card changes nothing.
    hand = np.concatenate([of_two, np.repeat(of_two, DECK_SIZE)]).astype(np.uint16)
    pairs = list(product(names, repeat=2))
    facts = tuple(
        Facts(0, 0, 2, 2, player_royal=player, banker_royal=banker) for player, banker in pairs
    )
    line = np.arange(len(pairs), dtype=np.uint16).reshape(len(names), len(names))
    lines = tuple(f"{player}, {banker}" for player, banker in pairs)
    return CardWager(wager, lines, np.stack([hand, hand]), line), facts


# --- the study ------------------------------------------------------------------------------------


BLOCK: Final = 32
"""Shoes per block, each with its own seed, so threads do not affect results."""

_MOST_SHOES: Final = 10**8
_FINEST: Final = 10**6
_BINS: Final = 100
"""Number of steps from 0, either way, up to which true counts are distinguished."""

_SIDE: Final = 2 * _BINS + 1


class Threshold(Struct, frozen=True):
    """The result of betting a unit from a true count on, with the standard error of ``units``."""

    count: Fraction
    bets: int
    units: float
    error: float | None

    @property
    def advantage(self) -> float:
        return self.units / self.bets if self.bets else 0.0


class Bin(Struct, frozen=True):
    """The rounds with a true count from ``count`` to less than a step more."""

    count: Fraction
    rounds: int
    units: float

    @property
    def advantage(self) -> float:
        return self.units / self.rounds if self.rounds else 0.0


class Study(Struct, frozen=True, dict=True):
    """The results of a count, in expected units won by one-unit bets."""

    wager: str
    tags: Tags
    shoe: ShoeComposition
    cards_behind: int
    seed: int
    shoes: int
    rounds: int
    step: Fraction
    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]
    """From the lowest observed true count to the highest."""
    perfect: Threshold | None
    """Betting whenever the exact advantage is positive; ``None`` if bets are credited by result."""
    correlation: float | None
    """Between true count and exact advantage, over all rounds."""
    worth: float | None
    """Least-squares slope of the advantage in the true count."""

    @cached_property
    def best(self) -> Threshold | None:
        found = max(self.thresholds, key=lambda threshold: threshold.units)
        return found if found.units > 0 else None

    @property
    def efficiency(self) -> float | None:
        """The count's win relative to perfect play; ``None`` if that wins nothing."""
        if self.perfect is None or self.perfect.units <= 0:
            return None
        return 0.0 if self.best is None else self.best.units / self.perfect.units

    def per_100_shoes(self, amount: float) -> float:
        return 100 * amount / self.shoes


def shuffled(
    shoe: ShoeComposition, seed: int, block: int, shoes: int = BLOCK, *, suits: bool = False
) -> Bytes:
    """Shuffled shoes of a block, a row each: ranks 0 to 12, or with ``suits`` cards."""
    sequence = np.random.SeedSequence([seed, block])
    state: States = sequence.generate_state(1, np.uint64).astype(np.uint64)
    counts = (shoe.suited or ()) if suits else shoe.ranks
    sorted_shoe = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
    found: Bytes = np.tile(sorted_shoe, (shoes, 1))
    shuffle(state, found)
    return found


def study(  # noqa: PLR0913  (what there is to study)
    rules: TableRules,
    wager: str,
    tags: Tags,
    *,
    shoe: ShoeComposition | None = None,
    cards_behind: int | None = None,
    shoes: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Study:
    """Play shoes of a table, and evaluate a count; ``progress`` receives the shoes played.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for invalid numbers, or a
    table or wager that cannot be counted.
    """
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe) if shoe is None else shoe
    threads = (os.cpu_count() or 1) if threads is None else threads
    _check(shoe, shoes, seed, threads)
    player = _Player(rules, wager, tags, shoe, shoe_procedure(rules, shoe, cards_behind), seed)
    tally = _Tally()
    blocks = ceil(shoes / BLOCK)
    sizes = (min(BLOCK, shoes - BLOCK * block) for block in range(blocks))
    for block in in_turn(lambda block: player.play(*block), enumerate(sizes), min(threads, blocks)):
        tally.add(block)
        progress(tally.shoes)
    return player.study(tally)


def _check(shoe: ShoeComposition, shoes: int, seed: int, threads: int) -> None:
    errors = []
    if not 1 <= shoes <= _MOST_SHOES:
        errors.append(f"{shoes} shoes: the number must be from 1 to {_MOST_SHOES:,}")
    if seed < 0:
        errors.append(f"seed {seed}: the seed must be zero or greater")
    if threads < 1:
        errors.append(f"{threads} threads: the minimum is 1")
    if not LEAST_CARDS <= shoe.cards <= MOST_KERNEL_CARDS:
        errors.append(f"{shoe.cards} cards: a shoe must have {LEAST_CARDS} to {MOST_KERNEL_CARDS}")
    if errors:
        raise CountingError(*errors)


class _Played(Struct, frozen=True):
    shoes: int
    rounds: Integers
    units: Floats
    perfect_bets: int
    perfect_units: float
    moments: Floats
    """Sums of true counts, advantages, both squares, and products."""


class _Tally:
    """Sums of blocks, always in the same order, because floats are not associative."""

    def __init__(self) -> None:
        self.blocks = self.shoes = self.square_shoes = self.perfect_bets = 0
        self.rounds: Integers = np.zeros(_SIDE, dtype=np.int64)
        self.units: Floats = np.zeros(_SIDE)
        self.moments: Floats = np.zeros(5)
        # By threshold, then for perfect play: units, their squares, units times shoes.
        self.won: Floats = np.zeros((3, _SIDE + 1))

    def add(self, block: _Played) -> None:
        self.blocks += 1
        self.shoes += block.shoes
        self.square_shoes += block.shoes**2
        self.rounds += block.rounds
        self.units += block.units
        self.perfect_bets += block.perfect_bets
        self.moments += block.moments
        won = np.append(np.cumsum(block.units[::-1])[::-1], block.perfect_units)
        self.won += np.stack([won, won**2, won * block.shoes])

    def errors(self) -> list[float | None]:
        if self.blocks < 2:
            return [None] * (_SIDE + 1)
        units, squares, products = self.won
        mean = units / self.shoes
        spread = squares - 2 * mean * products + mean**2 * self.square_shoes
        correction = self.blocks / (self.blocks - 1)
        return [sqrt(max(one, 0.0) * correction) for one in spread.tolist()]


def _evaluator(
    rules: TableRules, wager: str, shoe: ShoeComposition
) -> AdvantageEvaluator | ResultEvaluator:
    if not on_cards(rules.offers[wager].wager.asks):
        with suppress(PairsAndCountsError):
            return AdvantageEvaluator(rules, wager)
    return ResultEvaluator(rules, wager, shoe)


class _Player:
    def __init__(  # noqa: PLR0913, PLR0917  (what there is to play)
        self,
        rules: TableRules,
        wager: str,
        tags: Tags,
        shoe: ShoeComposition,
        course: ShoeProcedure,
        seed: int,
    ) -> None:
        self._wager, self._tags, self._shoe, self._seed = wager, tags, shoe, seed
        self._judge = _evaluator(rules, wager, shoe)
        self._by_results = isinstance(self._judge, ResultEvaluator)
        self._course = course
        self._rules = ShoeProcedureArrays.of(course, rules.tableau)
        self._counts: Integers = np.array(shoe.ranks, dtype=np.int64)
        self._fine = lcm(*(tag.denominator for tag in tags))
        if self._fine > _FINEST:
            raise CountingError(
                "tags have too many decimal places for exact sums: round them to six places"
            )
        self._whole: Integers = np.array([int(tag * self._fine) for tag in tags], dtype=np.int64)
        self.step = _step(tags)

    def play(self, block: int, shoes: int) -> _Played:
        cards = shuffled(self._shoe, self._seed, block, shoes, suits=self._by_results)
        counts_at_start = np.empty((shoes * (cards.shape[1] // 4 + 1), RANKS), dtype=np.int64)
        start_places = np.empty(len(counts_at_start), dtype=np.int64)
        ranks = cards % np.uint8(RANKS) if self._by_results else cards
        rounds = deal(ranks, self._counts, self._rules, counts_at_start, start_places)
        counts_at_start, start_places = counts_at_start[:rounds], start_places[:rounds]
        if isinstance(self._judge, ResultEvaluator):
            first_cards = cards.ravel()[start_places[:, None] + np.arange(LEAST_CARDS)]
            advantages = self._judge.results(first_cards, self._rules)
        else:
            advantages = self._judge.advantages(counts_at_start)
        # The running count, the unseen cards, and thus the true count, in integers.
        running_counts = (self._counts - counts_at_start) @ self._whole
        unseen = counts_at_start.sum(axis=1)
        numerators, denominators = running_counts * DECK_SIZE, unseen * self._fine
        step = self.step
        bins = numerators * step.denominator // (denominators * step.numerator)
        bins = np.clip(bins, -_BINS, _BINS) + _BINS
        true_counts = numerators / denominators
        good = advantages > 0
        moments = [true_counts, advantages, true_counts**2, advantages**2, true_counts * advantages]
        return _Played(
            shoes,
            np.bincount(bins, minlength=_SIDE),
            np.bincount(bins, advantages, _SIDE).astype(np.float64),
            int(good.sum()),
            float(advantages[good].sum()),
            np.array([moment.sum() for moment in moments]),
        )

    def study(self, tally: _Tally) -> Study:
        errors, units = tally.errors(), tally.won[0].tolist()
        rounds: list[int] = tally.rounds.tolist()
        bets = np.cumsum(tally.rounds[::-1])[::-1].tolist()
        bins_seen = np.flatnonzero(tally.rounds)
        places = range(int(bins_seen[0]), int(bins_seen[-1]) + 1)
        counts = [(place - _BINS) * self.step for place in places]
        sums = tally.units.tolist()
        likeness, worth = _regression(sum(rounds), tally.moments.tolist())
        return Study(
            self._wager,
            self._tags,
            self._shoe,
            self._course.cards_behind,
            self._seed,
            tally.shoes,
            sum(rounds),
            self.step,
            tuple(Bin(counts[n], rounds[at], sums[at]) for n, at in enumerate(places)),
            tuple(
                Threshold(counts[n], bets[at], units[at], errors[at]) for n, at in enumerate(places)
            ),
            # Perfect play by results would require foresight.
            None
            if self._by_results
            else Threshold(Fraction(), tally.perfect_bets, units[-1], errors[-1]),
            None if self._by_results else likeness,
            worth,
        )


def _regression(rounds: int, moments: list[float]) -> tuple[float | None, float | None]:
    true, advantage, true_square, advantage_square, product = (one / rounds for one in moments)
    spread = true_square - true**2
    advantage_variance = advantage_square - advantage**2
    joint = product - true * advantage
    # A residue of rounding is not variance.
    if spread <= 1e-12 * true_square or advantage_variance <= 1e-12 * advantage_square:
        return None, None
    return joint / sqrt(spread * advantage_variance), joint / spread


def _step(tags: Tags) -> Fraction:
    """Step between true counts, about half the size of a common tag.

    >>> from croupier.odds.counting import parse_tags
    >>> str(_step(parse_tags("4=-1,5=-1,6=-1,7=-1,8=2,9=2")))
    '1/2'
    """
    square = sum((tag**2 for tag in tags), Fraction()) / RANKS
    powers = (Fraction(10) ** power for power in range(2, -7, -1))
    steps = (part * power for power in powers for part in (5, 2, 1))
    return next((step for step in steps if 2 * step**2 <= square), Fraction(1, 10**6))
