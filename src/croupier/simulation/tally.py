"""What comes of the blocks of a simulation, added up with all that errors are worked out from.

Rounds of one shoe hang together, and blocks do not: so blocks are the clusters. Sums are of whole
numbers, and the same on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.odds.compiled import Integers
from croupier.simulation.bets import Bet
from croupier.simulation.played import Played

__all__ = ["Clusters", "Counts", "Tally"]

_SAFE = 2**31
"""Nets below it times the rounds of a block stay within 64 bits."""


class Clusters:
    """Some counts or sums of each block: their totals, squares, and products with its rounds."""

    def __init__(self, size: int) -> None:
        self.totals: list[int] = [0] * size
        self.squares: list[int] = [0] * size
        self.products: list[int] = [0] * size

    def add(self, values: Sequence[int], rounds: int) -> None:
        """Add those of one block."""
        for at, value in enumerate(values):
            if value:
                self.totals[at] += value
                self.squares[at] += value * value
                self.products[at] += value * rounds


class Counts:
    """The same of the counts of many cells at once, which 64 bits hold."""

    def __init__(self, size: int) -> None:
        self.totals: Integers = np.zeros(size, dtype=np.int64)
        self.squares: Integers = np.zeros(size, dtype=np.int64)
        self.products: Integers = np.zeros(size, dtype=np.int64)

    def add(self, values: Integers, rounds: int) -> None:
        """Add those of one block."""
        self.totals += values
        self.squares += values * values
        self.products += values * rounds


class _Group:
    """The bets on one part of the tally, whose sums are taken together."""

    def __init__(self, places: Sequence[int], bets: Sequence[Bet]) -> None:
        self.places = places
        rows = [bets[place].nets for place in places]
        most = max((abs(net) for row in rows for net in row), default=0)
        self._nets = np.array(rows, dtype=np.int64 if most < _SAFE else object)

    def sums(self, counts: Integers) -> list[int]:
        """Return what each bet brought, in its own units."""
        return [int(one) for one in self._nets @ counts]


class Tally:
    """Blocks added up, in their order."""

    def __init__(self, bets: Sequence[Bet], cells: int, royal_cells: int) -> None:
        self.bets = tuple(bets)
        self.blocks = self.shoes = self.rounds = self.square_rounds = 0
        self.cells = Counts(cells)
        self.royals = Counts(royal_cells)
        self.won = Clusters(len(self.bets))
        self.lengths: Integers = np.zeros(0, dtype=np.int64)
        self._groups = [
            (royal, _Group([at for at, bet in enumerate(bets) if bet.royal is royal], bets))
            for royal in (False, True)
            if any(bet.royal is royal for bet in bets)
        ]

    def add(self, played: Played) -> None:
        """Add a block."""
        rounds = played.rounds
        self.blocks += 1
        self.shoes += played.shoes
        self.rounds += rounds
        self.square_rounds += rounds * rounds
        self.lengths = played.lengths + (self.lengths if len(self.lengths) else 0)
        self.cells.add(played.cells, rounds)
        self.royals.add(played.royals, rounds)
        won = [0] * len(self.bets)
        for royal, group in self._groups:
            sums = group.sums(played.royals if royal else played.cells)
            for place, one in zip(group.places, sums, strict=True):
                won[place] = one
        self.won.add(won, rounds)

    def place(self, bet: str) -> int:
        """Return where a bet stands. Raises ``KeyError`` for one that is not there."""
        for at, one in enumerate(self.bets):
            if one.id == bet:
                return at
        raise KeyError(bet)
