"""The figures of a simulation: each bet's mean with its error, and the census test.

Both are corrected for dependence within a shoe by design effects (Rao and Scott).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, fsum, sqrt
from operator import mul
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.odds.arrays import Floats, Integers
from croupier.odds.tails import chi_square_quantile, chi_square_tail, errors_around
from croupier.simulation.bets import Bet, TallySection
from croupier.simulation.plan import Plan, TallyResult
from croupier.simulation.shoes import tallied_shoes

ERRORS: Final = errors_around(0.01)
"""Half the width of a 99% interval, in standard errors."""

_LEAST_EXPECTED: Final = 5
_BOUND: Final = 0.0005
"""Tail probability on either side of the statistic's 99.9% range."""


class Estimate(Struct, frozen=True):
    """A bet's mean net; its error is by the exact variance: a sample misses large awards."""

    bet: Bet
    mean: Fraction
    error: float
    design_effect: float

    @property
    def reach(self) -> float:
        """Half the width of the 99% interval."""
        return ERRORS * self.error

    @property
    def z(self) -> float | None:
        return float(self.mean - self.bet.expectation) / self.error if self.error else None


def estimate(bet: Bet, played: TallyResult, effect: float = 1.0) -> Estimate:
    counts = bet.counts(played)
    won = sum(number * net for number, net in zip(counts, bet.nets, strict=True))
    rounds = played.rounds
    error = sqrt(bet.variance / rounds * Fraction(effect))
    return Estimate(bet, Fraction(won, rounds * bet.unit), error, effect)


def rounds_for(bet: Bet, within: Fraction, effect: float = 1.0) -> int:
    """Return the rounds at which the 99% interval has this half-width."""
    return max(1, ceil(bet.variance * Fraction(effect) * Fraction(ERRORS) ** 2 / within**2))


class Agreement(Struct, frozen=True):
    """A census against the exact distribution of a first round; ``pooled`` cells are rare."""

    cells: int
    pooled: int
    chi_square: float
    design_effect: float
    impossible: tuple[Facts, ...]

    @property
    def degrees(self) -> int:
        return self.cells - 1

    @property
    def corrected(self) -> float:
        """The statistic divided by the mean design effect of its cells. Report this one."""
        return self.chi_square / self.design_effect

    @property
    def bounds(self) -> tuple[float, float]:
        """The 99.9% range of the corrected statistic."""
        low, high = (chi_square_quantile(one, self.degrees) for one in (1 - _BOUND, _BOUND))
        return low, high

    @property
    def p(self) -> float:
        return 0.0 if self.impossible else chi_square_tail(self.corrected, self.degrees)


def agreement(
    part: TallySection, counts: Integers, spread: ClusterVariance | None = None
) -> Agreement | None:
    """Compare the counts of a section with its exact distribution; ``None`` for too few rounds."""
    found: list[int] = counts.tolist()
    rounds = sum(found)
    impossible = tuple(
        facts
        for facts, ways, number in zip(part.facts, part.ways, found, strict=True)
        if number and not ways
    )
    chances = [ways / part.total for ways in part.ways]
    groups = _groups(chances, rounds)
    if len(groups) < 2:
        return None
    expected = [fsum(chances[at] for at in group) * rounds for group in groups]
    observed = [sum(found[at] for at in group) for group in groups]
    statistic = fsum((n - due) ** 2 / due for n, due in zip(observed, expected, strict=True))
    effect = 1.0 if spread is None else _mean_effect(spread, chances)
    pooled = sum(len(group) for group in groups if len(group) > 1)
    return Agreement(len(groups), pooled, statistic, effect, impossible)


def _groups(chances: Sequence[float], rounds: int) -> list[list[int]]:
    order = sorted((at for at, chance in enumerate(chances) if chance), key=chances.__getitem__)
    groups: list[list[int]] = [[]]
    due = 0.0
    for at in order:
        if due >= _LEAST_EXPECTED:
            groups.append([])
            due = 0.0
        groups[-1].append(at)
        due += chances[at] * rounds
    if due < _LEAST_EXPECTED and len(groups) > 1:
        last_group = groups.pop()
        groups[-1] += last_group
    return groups


def _mean_effect(spread: ClusterVariance, chances: Sequence[float]) -> float:
    found = zip(spread.clustered.tolist(), spread.independent.tolist(), chances, strict=True)
    cells = [(between, within, chance) for between, within, chance in found if chance]
    clustered = fsum(between / chance for between, _, chance in cells)
    independent = fsum(within / chance for _, within, chance in cells)
    return clustered / independent if independent else 1.0


class Length(Struct, frozen=True):
    shoes: int
    mean: float
    error: float
    deviation: float
    least: int
    most: int


def length(played: TallyResult) -> Length | None:
    numbers: list[int] = played.lengths.tolist()
    shoes = sum(numbers)
    if not shoes:
        return None
    sizes = [rounds for rounds, number in enumerate(numbers) if number]
    mean = Fraction(sum(at * number for at, number in enumerate(numbers)), shoes)
    square = Fraction(sum(at * at * number for at, number in enumerate(numbers)), shoes) - mean**2
    deviation = sqrt(square)
    return Length(shoes, float(mean), deviation / sqrt(shoes), deviation, sizes[0], sizes[-1])


SHOES: Final = 4096

_SAFE: Final = 2**50


class ClusterVariance(NamedTuple):
    """Variances of one round by cell: with shoes as clusters, and as if independent."""

    clustered: Floats
    independent: Floats


class DesignEffects(NamedTuple):
    shoes: int
    bets: tuple[float, ...]
    cells: ClusterVariance
    royals: ClusterVariance


class _Sums:
    def __init__(self, cells: int, bets: Sequence[Bet]) -> None:
        self._bets = bets
        # A shoe has fewer than a thousand rounds, so its sums fit in 64 bits.
        largest = max((abs(net) for bet in bets for net in bet.nets), default=0)
        kind = np.int64 if largest < _SAFE else object
        nets = np.array([bet.nets for bet in bets], dtype=kind)
        self._nets = nets.reshape(len(bets), cells).T
        self._rounds = self._square_rounds = 0
        self._of_bets = [[0, 0, 0] for _ in bets]
        self._totals, self._squares, self._products = np.zeros((3, cells), dtype=np.int64)

    def add(self, counts: Integers) -> None:
        rounds = counts.sum(axis=1)
        self._rounds += int(rounds.sum())
        self._square_rounds += int((rounds**2).sum())
        self._totals += counts.sum(axis=0)
        self._squares += np.einsum("ij,ij->j", counts, counts)
        self._products += rounds @ counts
        lengths: list[int] = rounds.tolist()
        for sums, won in zip(self._of_bets, (counts @ self._nets).T.tolist(), strict=True):
            sums[0] += sum(won)
            sums[1] += sum(map(mul, won, won))
            sums[2] += sum(map(mul, won, lengths))

    def of_bets(self) -> list[float]:
        totals: list[int] = self._totals.tolist()
        effects = []
        for bet, (won, squares, products) in zip(self._bets, self._of_bets, strict=True):
            mean = Fraction(won, self._rounds)
            square = sum(n * net * net for n, net in zip(totals, bet.nets, strict=True))
            within = Fraction(square, self._rounds) - mean**2
            spread = squares - 2 * mean * products + mean**2 * self._square_rounds
            effects.append(float(spread / self._rounds / within) if within else 1.0)
        return effects

    def of_cells(self) -> ClusterVariance:
        chances = self._totals / max(self._rounds, 1)
        spread = self._squares - 2 * chances * self._products + chances**2 * self._square_rounds
        return ClusterVariance(spread / max(self._rounds, 1), chances * (1 - chances))


def effects_of(
    plan: Plan, bets: Sequence[Bet], seed: int, shoes: int = SHOES
) -> DesignEffects | None:
    if plan.course.single:
        return None
    of_cards = {bet.id: bet.hits for bet in bets if bet.hits is not None}
    groups = [
        [at for at, bet in enumerate(bets) if bet.royal is royal and bet.hits is None]
        for royal in (False, True)
    ]
    groups += [[at for at, bet in enumerate(bets) if bet.id == name] for name in of_cards]
    sizes = [plan.cells, plan.royal_cells, *(card.stop - card.start for card in of_cards.values())]
    cells, royals, *lines = (
        _Sums(size, [bets[at] for at in group]) for size, group in zip(sizes, groups, strict=True)
    )
    for dealt in tallied_shoes(plan, seed, shoes):
        cells.add(dealt.cells)
        royals.add(dealt.royals)
        for sums, place in zip(lines, of_cards.values(), strict=True):
            sums.add(dealt.hits[:, place])
    sums_of_bets = [bet for sums in (cells, royals, *lines) for bet in sums.of_bets()]
    found = dict(zip([at for group in groups for at in group], sums_of_bets, strict=True))
    of_bets = tuple(found[at] for at in range(len(bets)))
    return DesignEffects(shoes, of_bets, cells.of_cells(), royals.of_cells())
