"""Chi-square tails and confidence intervals."""

from __future__ import annotations

from math import exp, isinf, lgamma, log
from statistics import NormalDist
from typing import Final

_TINY: Final = 1e-300
_SMALL: Final = 1e-15
_MOST_STEPS: Final = 100_000


def errors_around(outside: float) -> float:
    """Return the two-sided normal quantile, in standard errors.

    >>> round(errors_around(0.01), 4)
    2.5758
    """
    return -NormalDist().inv_cdf(outside / 2)


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability that chi-square is at least a value.

    >>> round(chi_square_tail(18.307, 10), 4)
    0.05
    """
    if value <= 0:
        return 1.0
    if isinf(value):
        return 0.0
    half, x = degrees / 2, value / 2
    front = exp(half * log(x) - x - lgamma(half))
    return 1 - front * _series(half, x) if x < half + 1 else front * _fraction(half, x)


def _series(half: float, x: float) -> float:
    term = total = 1 / half
    for step in range(1, _MOST_STEPS):
        term *= x / (half + step)
        total += term
        if term < total * _SMALL:
            break
    return total


def _fraction(half: float, x: float) -> float:
    under = x + 1 - half
    ratio, other = 1 / _TINY, 1 / under
    value = other
    for step in range(1, _MOST_STEPS):
        over = -step * (step - half)
        under += 2
        other = 1 / (over * other + under or _TINY)
        ratio = under + over / ratio or _TINY
        value *= ratio * other
        if abs(ratio * other - 1) < _SMALL:
            break
    return value


def chi_square_quantile(chance: float, degrees: int) -> float:
    """Return the value that chi-square reaches with a probability.

    >>> round(chi_square_quantile(0.05, 10), 3)
    18.307
    """
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees) > chance:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees) > chance else (low, middle)
    return high
