"""Array types of kernels, and a drawing table as arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.baccarat.coup import NO_THIRD_CARD, Tableau

Bytes: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


def drawing_arrays(tableau: Tableau) -> tuple[Integers, Integers]:
    """Whether Player draws, by two-card count 0 to 7, and whether Banker draws.

    The latter is by Player's third card (last row: none) and Banker's two-card count.
    """
    counts = range(8)
    takes = [tableau.player_draws_third(count, 0) for count in counts]
    draws = [
        [tableau.banker_draws_third(0, count, third) for count in counts]
        for third in range(NO_THIRD_CARD + 1)
    ]
    return np.array(takes, dtype=np.int64), np.array(draws, dtype=np.int64)
