"""The figures of a simulation: each bet's mean with its error, and the census against the law.

Rounds of a shoe hang together a little. So the spread of a mean is taken between blocks of shoes,
which do not, and told beside that of independent rounds: their ratio is the design effect. The
statistic of the census is divided by its own mean design effect and read off the F law, as Rao and
Scott do. A continuous device deals rounds that are independent, and there both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, inf, sqrt
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.simulation.bets import Bet, Part
from croupier.simulation.tails import f_tail, quantile, student_quantile
from croupier.simulation.tally import Counts, Tally

__all__ = [
    "LEAST_BLOCKS",
    "Agreement",
    "Estimate",
    "Length",
    "agreement",
    "estimate",
    "estimates",
    "length",
]

LEAST_BLOCKS: Final = 30
"""From fewer blocks no spread between blocks is told: rounds are then taken as independent."""

OUTSIDE: Final = 0.01
"""What an interval leaves out, on both sides together."""

_LEAST_EXPECTED: Final = 5
_BOUND: Final = 0.0005
"""What either bound of the statistic leaves out: 99.9% lie between them."""


@dataclass(frozen=True)
class Estimate:
    """What a bet brought in the mean, of a unit staked.

    ``design_effect`` is by how much the variance of the mean is greater than that of as many
    independent rounds; ``None`` where there are too few blocks to tell. The error is that of the
    bet's exact variance under it: the variance of a sample knows nothing of awards that it missed.
    """

    bet: Bet
    mean: Fraction
    error: float
    design_effect: float | None
    reach: float
    """Half the width of the 99% interval."""

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies from that of the exact law."""
        off = float(self.mean - self.bet.expectation)
        return off / self.error if self.error else None


def estimates(tally: Tally, *, independent: bool) -> tuple[Estimate, ...]:
    """Return the estimate of every bet. ``independent`` tells that the rounds are."""
    return tuple(estimate(tally, at, independent=independent) for at in range(len(tally.bets)))


def estimate(tally: Tally, at: int, *, independent: bool) -> Estimate:
    """Return the estimate of the bet that stands there."""
    bet = tally.bets[at]
    rounds = tally.rounds
    won, squares, products = (
        one[at] for one in (tally.won.totals, tally.won.squares, tally.won.products)
    )
    mean = Fraction(won, rounds * bet.unit)
    effect: float | None = 1.0 if independent else None
    degrees = inf
    if not independent and tally.blocks >= LEAST_BLOCKS:
        between = _between(tally, won, squares, products)
        part = tally.royals.totals if bet.royal else tally.cells.totals
        square = sum(n * net * net for n, net in zip(part.tolist(), bet.nets, strict=True) if n)
        within = Fraction(square, rounds) - Fraction(won, rounds) ** 2
        effect = float(between / within) if within else 1.0
        degrees = tally.blocks - 1
    error = sqrt(bet.variance * Fraction(1.0 if effect is None else effect) / rounds)
    return Estimate(bet, mean, error, effect, error * student_quantile(OUTSIDE, degrees))


def _between(tally: Tally, won: int, squares: int, products: int) -> Fraction:
    """Return the variance of one round that the spread between blocks amounts to."""
    mean = Fraction(won, tally.rounds)
    spread = squares - 2 * mean * products + mean**2 * tally.square_rounds
    return spread * Fraction(tally.blocks, tally.blocks - 1) / tally.rounds


@dataclass(frozen=True)
class Agreement:
    """A whole census held against the exact law of a first round.

    ``chi_square`` is Pearson's statistic; ``corrected`` the same over the mean design effect of its
    cells, where that is known. Cells of which fewer than five are expected are taken together, as
    one of ``cells``. ``impossible`` are coups that the law cannot give.
    """

    cells: int
    pooled: int
    chi_square: float
    design_effect: float | None
    degrees: int
    degrees_below: float
    impossible: tuple[Facts, ...]

    @property
    def corrected(self) -> float:
        """The statistic that is read."""
        return self.chi_square / (self.design_effect or 1.0)

    def _tail(self, value: float) -> float:
        return f_tail(value / self.degrees, self.degrees, self.degrees_below)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what the statistic lies 999 times in 1,000."""
        low, high = (quantile(self._tail, chance) for chance in (1 - _BOUND, _BOUND))
        return low, high

    @property
    def p(self) -> float:
        """How likely chance alone is to take the statistic as far as here, or farther."""
        return 0.0 if self.impossible else self._tail(self.corrected)


def agreement(tally: Tally, part: Part, counts: Counts, *, independent: bool) -> Agreement | None:
    """Hold the counts of a part of a tally against its law.

    Returns ``None`` where there are too few rounds to fill two cells.
    """
    found: list[int] = counts.totals.tolist()
    impossible = tuple(
        facts
        for facts, ways, number in zip(part.facts, part.ways, found, strict=True)
        if number and not ways
    )
    chances = [ways / part.total for ways in part.ways]
    alone, rest = _pooled(chances, tally.rounds)
    cells = len(alone) + bool(rest)
    if cells < 2:
        return None
    groups = [[at] for at in alone] + ([rest] if rest else [])
    expected = [fsum(chances[at] for at in group) * tally.rounds for group in groups]
    came = [sum(found[at] for at in group) for group in groups]
    statistic = fsum((n - due) ** 2 / due for n, due in zip(came, expected, strict=True))
    degrees = cells - 1
    effect: float | None = 1.0 if independent else None
    below = inf
    if not independent and tally.blocks > 1:
        effect = _mean_effect(tally, counts, chances, alone)
        below = float(degrees * (tally.blocks - 1))
    return Agreement(cells, len(rest), statistic, effect, degrees, below, impossible)


def _pooled(chances: Sequence[float], rounds: int) -> tuple[list[int], list[int]]:
    """Return the cells that stand alone, and those that are taken together."""
    order = sorted((at for at, chance in enumerate(chances) if chance), key=chances.__getitem__)
    expected = [chances[at] * rounds for at in order]
    number, together = 0, 0.0
    while number < len(order) and min(expected[number], together or inf) < _LEAST_EXPECTED:
        together += expected[number]
        number += 1
    return sorted(order[number:]), order[:number]


def _mean_effect(
    tally: Tally, counts: Counts, chances: Sequence[float], alone: Sequence[int]
) -> float:
    """Return the mean design effect of the cells that stand alone, weighed as the statistic does.

    It is taken about the means of this simulation, so that a census of another law gains nothing
    from how far it is from this one.
    """
    if not alone:
        return 1.0
    spread = []
    for at in alone:
        between = _between(
            tally, int(counts.totals[at]), int(counts.squares[at]), int(counts.products[at])
        )
        spread.append(float(between) / chances[at])
    return fsum(spread) / fsum(1 - chances[at] for at in alone)


@dataclass(frozen=True)
class Length:
    """How many rounds the shoes had that came to their end."""

    shoes: int
    mean: float
    error: float
    deviation: float
    least: int
    most: int


def length(tally: Tally) -> Length | None:
    """Return how long the shoes were; ``None`` where none came to its end."""
    numbers: list[int] = tally.lengths.tolist()
    shoes = sum(numbers)
    if not shoes:
        return None
    came = [rounds for rounds, number in enumerate(numbers) if number]
    mean = Fraction(sum(at * number for at, number in enumerate(numbers)), shoes)
    square = Fraction(sum(at * at * number for at, number in enumerate(numbers)), shoes) - mean**2
    deviation = sqrt(square)
    return Length(shoes, float(mean), deviation / sqrt(shoes), deviation, came[0], came[-1])
