"""Sums of sessions: distributions of results, and the system's theoretical expectation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import numpy as np
from msgspec import Struct, field

from croupier.odds.arrays import Integers
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.kernels import LONGEST_RUN
from croupier.simulation.sessions.play import SessionBatch, SessionPlan


class Histogram:
    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, values: Iterable[int]) -> None:
        self.counts.update(values)

    @property
    def number(self) -> int:
        return self.counts.total()

    @property
    def sum(self) -> int:
        return sum(value * number for value, number in self.counts.items())

    @property
    def mean(self) -> float:
        return self.sum / self.number if self.number else 0.0

    @property
    def standard_deviation(self) -> float:
        number, total = self.number, self.sum
        if number < 2:
            return 0.0
        squares = sum(value * value * times for value, times in self.counts.items())
        return sqrt(Fraction(squares * number - total * total, number * (number - 1)))

    @property
    def error(self) -> float:
        return self.standard_deviation / sqrt(self.number) if self.number else 0.0

    def quantile(self, share: float) -> int:
        """Smallest value that at least this share does not exceed."""
        left = share * self.number
        value = 0
        for value in sorted(self.counts):
            left -= self.counts[value]
            if left <= 0:
                break
        return value

    @property
    def least(self) -> int:
        return min(self.counts, default=0)

    @property
    def most(self) -> int:
        return max(self.counts, default=0)


class Share(Struct, frozen=True):
    number: int
    of: int

    @property
    def share(self) -> float:
        return self.number / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's 99% interval.

        >>> [round(bound, 4) for bound in Share(50, 1000).bounds]
        [0.035, 0.0709]
        """
        if not self.of:
            return 0.0, 1.0
        deviations = NormalDist().inv_cdf(0.995)
        square = deviations**2 / self.of
        middle = self.share + square / 2
        spread = deviations * sqrt(self.share * (1 - self.share) / self.of + square / self.of / 4)
        low, high = (middle - spread) / (1 + square), (middle + spread) / (1 + square)
        return max(low, 0.0), min(high, 1.0)


class Results(Struct):
    session: SessionPlan
    sessions: int = 0
    nets: Histogram = field(default_factory=Histogram)
    rounds: Histogram = field(default_factory=Histogram)
    drawdowns: Histogram = field(default_factory=Histogram)
    greatest: Histogram = field(default_factory=Histogram)
    losing_runs: Histogram = field(default_factory=Histogram)
    shoe_rounds: Histogram = field(default_factory=Histogram)
    shoe_nets: Histogram = field(default_factory=Histogram)
    shoe_results: tuple[Histogram, Histogram, Histogram] = field(
        default_factory=lambda: (Histogram(), Histogram(), Histogram())
    )
    endings: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    turnover: Integers | None = None
    results: Integers = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    whole_runs: Integers = field(default_factory=lambda: np.zeros((2, LONGEST_RUN), dtype=np.int64))
    cut_runs: Integers = field(default_factory=lambda: np.zeros((2, LONGEST_RUN), dtype=np.int64))
    _differences: float = 0.0
    _squares: float = 0.0

    def add(self, batch: SessionBatch) -> None:
        rows = batch.marks
        self.sessions += len(rows)
        nets = rows[:, at.BANKROLL] - self.session.bankroll_cents
        self.nets.add(nets.tolist())
        for spread, mark in (
            (self.rounds, at.ROUNDS),
            (self.drawdowns, at.DRAWDOWN),
            (self.greatest, at.GREATEST),
            (self.losing_runs, at.LONGEST_LOSING),
        ):
            spread.add(rows[:, mark].tolist())
        self.endings.update(at.ENDINGS[ending] for ending in rows[:, at.ENDING].tolist())
        for mark in (at.ROUNDS, at.BETS, at.WON, at.LOST, at.STAKED, at.FITTED):
            self.sums[at.MARKS[mark]] += sum(rows[:, mark].tolist())
        differences = nets - batch.expected
        self._differences += float(differences.sum())
        self._squares += float((differences**2).sum())
        self.turnover = batch.turnover + (0 if self.turnover is None else self.turnover)
        self.results += batch.results
        self.whole_runs += batch.whole_runs
        self.cut_runs += batch.cut_runs
        for brought in batch.shoe_nets:
            self.shoe_nets.add(brought.tolist())
        for shoes in batch.shoe_results:
            self.shoe_rounds.add(shoes.sum(axis=1).tolist())
            for spread, column in zip(self.shoe_results, shoes.T, strict=True):
                spread.add(column.tolist())

    @property
    def expected(self) -> Fraction:
        """Exact expected net result of all stakes from a fresh shoe, in cents."""
        if self.turnover is None:
            return Fraction()
        return sum(
            (
                int(times) * cents
                for row, expectations in zip(
                    self.turnover.tolist(), self.session.table.expectations, strict=True
                )
                for times, cents in zip(row, expectations, strict=False)
            ),
            Fraction(),
        )

    @property
    def difference(self) -> tuple[float, float]:
        """Mean excess of a session over its expectation, in cents, and its standard error."""
        number = self.sessions
        if number < 2:
            return self._differences, 0.0
        mean = self._differences / number
        variance = max(self._squares - number * mean**2, 0.0) / (number - 1)
        return mean, sqrt(variance / number)

    def ended(self, ending: str) -> Share:
        return Share(self.endings[ending], self.sessions)

    def streaks(self, hand: int) -> tuple[dict[int, int], dict[int, int]]:
        whole, cut = (
            {length: n for length, n in enumerate(runs.tolist(), start=1) if n}
            for runs in (self.whole_runs[hand], self.cut_runs[hand])
        )
        return whole, cut
