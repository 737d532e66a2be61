"""The tails that a report of chance needs: of chi-square, of F and of Student's t.

Plain continued fractions, so that no library of statistics has to be there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, inf, isinf, lgamma, log, log1p
from typing import Final

__all__ = ["chi_square_tail", "f_tail", "quantile", "student_quantile"]

_TINY: Final = 1e-300
_SMALL: Final = 1e-16
_MOST_STEPS: Final = 100_000

LARGE: Final = 1e7
"""From so many degrees of freedom below the line on, F is chi-square over its degrees."""


def chi_square_tail(value: float, degrees: float) -> float:
    """Return how likely chi-square is to reach a value.

    >>> round(chi_square_tail(18.307, 10), 4)
    0.05
    """
    if value <= 0:
        return 1.0
    if isinf(value):
        return 0.0
    half, x = degrees / 2, value / 2
    front = exp(half * log(x) - x - lgamma(half))
    if x < half + 1:
        return 1 - front * _series(half, x)
    return front / _fraction(lambda n: (-n * (n - half), x - half + 2 * n + 1), x - half + 1)


def _series(half: float, x: float) -> float:
    term = total = 1 / half
    for step in range(1, _MOST_STEPS):
        term *= x / (half + step)
        total += term
        if term < total * _SMALL:
            break
    return total


def _fraction(part: Callable[[int], tuple[float, float]], first: float) -> float:
    """Return ``first + a1/(b1 + a2/(b2 + ...))`` by Lentz's method; ``part`` tells ``a, b``."""
    value = ratio = first or _TINY
    other = 0.0
    for step in range(1, _MOST_STEPS):
        over, under = part(step)
        other = 1 / (under + over * other or _TINY)
        ratio = under + over / ratio or _TINY
        value *= ratio * other
        if abs(ratio * other - 1) < _SMALL * 10:
            break
    return value


def f_tail(value: float, above: float, below: float) -> float:
    """Return how likely F is to reach a value, with its degrees of freedom above and below.

    >>> round(f_tail(4.9646, 1, 10), 4)
    0.05
    """
    if value <= 0:
        return 1.0
    if isinf(value):
        return 0.0
    if below >= LARGE:
        return chi_square_tail(value * above, above)
    return _beta(below / (below + above * value), below / 2, above / 2)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a

    def part(step: int) -> tuple[float, float]:
        n, odd = divmod(step, 2)
        if odd:
            return -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1)), 1.0
        return n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)), 1.0

    return front / _fraction(part, 1.0)


def quantile(tail: Callable[[float], float], chance: float) -> float:
    """Return the value, nought or more, that is reached with a chance: the inverse of a tail.

    >>> round(quantile(lambda value: chi_square_tail(value, 10), 0.05), 3)
    18.307
    """
    low, high = 0.0, 1.0
    while tail(high) > chance:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if tail(middle) > chance else (low, middle)
    return high


@cache
def student_quantile(both: float, degrees: float = inf) -> float:
    """Return how many standard errors around a mean leave out a chance on both sides together.

    >>> round(student_quantile(0.01), 4), round(student_quantile(0.01, 29), 4)
    (2.5758, 2.7564)
    """
    return quantile(lambda value: f_tail(value * value, 1, degrees), both)
