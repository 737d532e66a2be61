"""Chi-square tails and confidence intervals."""

from __future__ import annotations

from math import exp, isinf, lgamma, log
from statistics import NormalDist
from typing import Final

_TINY: Final = 1e-300
_MOST_STEPS: Final = 100_000


def errors_around(tail: float) -> float:
    """Two-sided normal quantile, in standard errors.

    >>> round(errors_around(0.01), 4)
    2.5758
    """
    return -NormalDist().inv_cdf(tail / 2)


def chi_square_tail(value: float, degrees: int) -> float:
    """Probability that chi-square is at least a value.

    >>> round(chi_square_tail(3.841459, 1), 4), round(chi_square_tail(18.307, 10), 4)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    if isinf(value):
        return 0.0
    shape, at = degrees / 2, value / 2
    scale = exp(-at + shape * log(at) - lgamma(shape))
    if at < shape + 1:
        return max(0.0, 1 - _series(shape, at) * scale)
    return _fraction(shape, at) * scale


def _series(shape: float, at: float) -> float:
    term = total = 1 / shape
    for step in range(1, _MOST_STEPS):
        term *= at / (shape + step)
        total += term
        if term < total * 1e-16:
            break
    return total


def _fraction(shape: float, at: float) -> float:
    lower = at + 1 - shape
    ratio, inverse = 1 / _TINY, 1 / lower
    value = inverse
    for step in range(1, _MOST_STEPS):
        weight = -step * (step - shape)
        lower += 2
        inverse = 1 / _nonzero(weight * inverse + lower)
        ratio = _nonzero(lower + weight / ratio)
        value *= (change := inverse * ratio)
        if abs(change - 1) < 1e-15:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def chi_square_quantile(chance: float, degrees: int) -> float:
    """Value that chi-square reaches with a probability.

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
