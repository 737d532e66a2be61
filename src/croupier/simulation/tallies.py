"""The tally of a block: rounds by cell, Royal 9 hands, and lengths of shoes."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from msgspec import Struct, field

from croupier.odds.arrays import Integers
from croupier.simulation.plan import Plan

WHOLE: Final = 2**63 - 1
"""Selects all rounds of a block."""


class TallyResult(Struct, frozen=True):
    """Tallied rounds.

    ``cells`` counts rounds by ``croupier.simulation.cells.facts_of``, ``royals`` by ``royals_of``
    (empty if not needed). ``lengths`` counts completed shoes by number of rounds. ``hits`` counts
    the lines of each wager on cards in turn.
    """

    shoes: int
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return int(self.cells.sum())

    def plus(self, other: TallyResult) -> TallyResult:
        """Return the sum of two tallies."""
        return TallyResult(
            self.shoes + other.shoes,
            self.cells + other.cells,
            self.royals + other.royals,
            self.lengths + other.lengths,
            self.hits + other.hits,
        )


class TallyBuffers(NamedTuple):
    """The arrays that an engine fills, for kernels."""

    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers

    @classmethod
    def of(cls, plan: Plan) -> TallyBuffers:
        """Return zeroed arrays for a plan."""
        return cls(
            np.zeros(plan.cells, dtype=np.int64),
            np.zeros(plan.royal_cells, dtype=np.int64),
            np.zeros(plan.shoe.cards // 4 + 2, dtype=np.int64),
            np.zeros(plan.hits, dtype=np.int64),
        )

    def played(self, shoes: int) -> TallyResult:
        """Return the tally."""
        return TallyResult(shoes, self.cells, self.royals, self.lengths, self.hits)


class Engine(Protocol):
    """An engine that plays the blocks of a simulation. A block's result is reproducible."""

    @property
    def name(self) -> str:
        """The engine's name: ``scalar`` or ``lanes``."""

    def play(self, block: int, most: int) -> TallyResult:
        """Play a block, or its first ``most`` rounds."""
