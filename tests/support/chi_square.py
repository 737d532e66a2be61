"""How far counts lie from what was expected, as the number of standard deviations of a normal."""

from collections.abc import Iterable
from math import sqrt


def deviation(counted: Iterable[float], expected: Iterable[float]) -> float:
    """Return the chi-square of counts, brought to a standard normal by Wilson and Hilferty."""
    pairs = list(zip(counted, expected, strict=True))
    total = sum((one - other) ** 2 / other for one, other in pairs)
    freedom = len(pairs) - 1
    part = 2 / (9 * freedom)
    found: float = ((total / freedom) ** (1 / 3) - (1 - part)) / sqrt(part)
    return found
