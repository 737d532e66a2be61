"""The kernel: a fast census of point totals, exact for shoes of up to sixteen decks."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from croupier.baccarat.coup import NO_THIRD_CARD, Facts, Tableau
from croupier.odds.arrays import Integers, drawing_arrays
from croupier.odds.lanes import LANES, count_many
from croupier.odds.shoe import LEAST_CARDS, ShoeError

MOST_KERNEL_CARDS: Final = 16 * 52
"""Maximum number of cards for which the kernel's integers are proven not to overflow."""

_NO_SHOE: Final = (
    f"a shoe must have {LEAST_CARDS} to {MOST_KERNEL_CARDS} cards, and no negative counts"
)

CELLS: Final = tuple(
    Facts(player_count, banker_count, player_cards, banker_cards)
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
    for player_count in range(10)
    for banker_count in range(10)
)
"""Every class of facts; its index is its *cell*. Most are reachable under some tableau."""


class Kernel:
    """The compiled census under one tableau; ``facts`` are its reachable classes."""

    def __init__(self, tableau: Tableau) -> None:
        self.tableau = tableau
        reachable = _reachable(tableau)
        cells = [cell for cell, facts in enumerate(CELLS) if facts in reachable]
        self.tables: tuple[Integers, Integers, Integers] = (
            *drawing_arrays(tableau),
            np.array(cells, dtype=np.int64),
        )
        """The drawing rules and the cells of ``facts``, as ``lanes`` reads them."""
        self.facts = tuple(facts for facts in CELLS if facts in reachable)

    def many(self, by_value: npt.ArrayLike, ways: Integers | None = None) -> Integers:
        """Count a row for each shoe of 6 to 832 cards, without the GIL. Raises ``ShoeError``."""
        values = _whole(by_value)
        if len(values):
            cards = values.sum(axis=1)
            # The sum of numbers this large may have overflowed.
            if values.min() < 0 or values.max() > MOST_KERNEL_CARDS:
                raise ShoeError(_NO_SHOE)
            if cards.min() < LEAST_CARDS or cards.max() > MOST_KERNEL_CARDS:
                raise ShoeError(_NO_SHOE)
        shape = (len(values), len(self.facts))
        if ways is None:
            ways = np.empty(shape, dtype=np.int64)
        elif ways.shape != shape or ways.dtype != np.int64:
            raise ValueError(f"ways must be {shape} 64-bit integers")
        takes, draws, cells = self.tables
        count_many(values, (takes, draws), cells, ways, LANES)
        return ways


def _whole(by_value: npt.ArrayLike) -> Integers:
    try:
        counts = np.asarray(by_value)
    except ValueError:
        counts = np.empty(0)
    if counts.ndim != 2 or counts.shape[-1] != 10 or counts.dtype.kind not in "iu":
        raise ShoeError("write ten integer counts per shoe, one for each value")
    return np.ascontiguousarray(counts, dtype=np.int64)


def _reachable(tableau: Tableau) -> frozenset[Facts]:
    reached: set[Facts] = set()
    for player in range(10):
        for banker in range(10):
            draws = tableau.player_draws_third(player, banker)
            for third in range(10) if draws else (None,):
                column = NO_THIRD_CARD if third is None else third
                player_count = player if third is None else (player + third) % 10
                cards = 2 if third is None else 3
                if tableau.banker_draws_third(player, banker, column):
                    reached.update(Facts(player_count, other, cards, 3) for other in range(10))
                else:
                    reached.add(Facts(player_count, banker, cards, 2))
    return frozenset(reached)
