"""Statistics of recorded rounds: runs, and adjusted tests."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import TYPE_CHECKING, Final

from croupier.baccarat.coup import Facts, Hand

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

INTERVAL: Final = 1.959963984540054
"""Standard deviations on each side for a 95% interval of a normal distribution."""

_MOST_OPEN: Final = 64


def holm(values: Sequence[float]) -> list[float]:
    """P-values adjusted for multiple tests by Holm's method.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, least = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = least
    return adjusted


class _Sequence:
    __slots__ = ("counts", "last", "runs")

    def __init__(self) -> None:
        self.counts = [0, 0]
        self.runs = 0
        self.last: Hand | None = None


class Runs:
    """Counts of Player and Banker runs by shoe (Wald-Wolfowitz)."""

    def __init__(self) -> None:
        self.runs = 0
        self._expected = self._variance = 0.0
        self._open: dict[str, _Sequence] = {}

    def add(self, shoe: str, facts: Facts) -> None:
        winner = facts.winner
        if winner is None:
            return
        found = self._open.get(shoe)
        if found is None:
            if len(self._open) >= _MOST_OPEN:
                self._close(next(iter(self._open)))
            found = self._open[shoe] = _Sequence()
        found.counts[winner is Hand.BANKER] += 1
        found.runs += winner is not found.last
        found.last = winner

    def _close(self, shoe: str) -> None:
        found = self._open.pop(shoe)
        one, other = found.counts
        number = one + other
        if not one or not other:
            return  # One run, whatever the order: it says nothing.
        product = 2 * one * other
        self.runs += found.runs
        self._expected += product / number + 1
        self._variance += product * (product - number) / (number * number * (number - 1))

    def as_data(self) -> documents.CensusRuns | None:
        """Return the test; ``None`` without results of both hands."""
        for shoe in list(self._open):
            self._close(shoe)
        if not self._variance:
            return None
        z = (self.runs - self._expected) / sqrt(self._variance)
        p = erfc(abs(z) / sqrt(2))
        return {
            "runs": self.runs,
            "expected": self._expected,
            "z": z,
            "p": p,
            "adjusted_p": p,
        }


def adjust(census: documents.Census) -> documents.Census:
    tests: list[documents.AdjustedTest] = [
        test for test in (census["chi_square"], census["runs"]) if test is not None
    ]
    tests += [wager for wager in census["wagers"] if wager["p"] is not None]
    values = [test["p"] for test in tests if test["p"] is not None]
    for test, value in zip(tests, holm(values), strict=True):
        test["adjusted_p"] = value
    census["tests"] = len(tests)
    return census
