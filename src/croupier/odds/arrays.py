"""Array types of kernels, and a shoe procedure with its drawing table as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.baccarat.coup import NO_THIRD_CARD, Tableau

if TYPE_CHECKING:
    from croupier.odds.rounds import ShoeProcedure

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


class ShoeProcedureArrays(NamedTuple):
    """A shoe procedure for kernels, and the drawing table as in ``drawing_arrays``.

    ``single`` is a continuous device: every round is dealt from the whole shoe.
    """

    single: int
    burns: int
    burned: int
    burn_shown: int
    cards_behind: int
    last_hands: int
    ends_at_first: int
    takes: Integers
    draws: Integers

    @classmethod
    def of(cls, course: ShoeProcedure | None, tableau: Tableau) -> ShoeProcedureArrays:
        steps = [0] * 6 if course is None else map(int, course)
        return cls._make((int(course is None), *steps, *drawing_arrays(tableau)))
