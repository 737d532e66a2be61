"""How many cases a test tries: every one in the whole check, or enough, and a spread of them otherwise.

A test stays a test either way: each runs with cases from the first to the last of its kind. What
decides is ``CROUPIER_CHECK=whole``, which ``.ci/run`` sets; ``CROUPIER_CHECK=most`` tries many more
random cases where a few hundred take minutes, for a night.
"""

import os
from collections.abc import Iterable
from typing import Final, TypeVar

Case = TypeVar("Case")

MOST: Final = os.environ.get("CROUPIER_CHECK") == "most"
WHOLE: Final = MOST or os.environ.get("CROUPIER_CHECK") == "whole"


def volume(whole: int, usual: int, *, most: int = 0) -> int:
    """Return how many examples, rounds, or kills to try."""
    return most if MOST and most else whole if WHOLE else usual


def spread(cases: Iterable[Case], usual: int, whole: int | None = None) -> list[Case]:
    """Return all cases, or so many of them as are usual, or are enough, as far apart as they can be."""
    held = list(cases)
    many = len(held) if MOST else (whole or len(held)) if WHOLE else usual
    return held if len(held) <= many else apart(held, many)


def apart(cases: list[Case], count: int) -> list[Case]:
    """Return some of the cases, the first and the last among them."""
    if count == 1:
        return [cases[0]]
    return [cases[round(at * (len(cases) - 1) / (count - 1))] for at in range(count)]
