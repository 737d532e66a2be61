"""What came of a block: rounds by cell, Royal 9 hands, and how long the shoes were."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from msgspec import Struct, field

from croupier.odds.arrays import Integers
from croupier.simulation.plan import Plan

WHOLE: Final = 2**63 - 1
"""As many rounds as a block has."""


class TallyResult(Struct, frozen=True):
    """Rounds that were played, added up.

    ``cells`` counts coups by the facts of ``croupier.simulation.cells.facts_of``, ``royals`` by
    those of ``royals_of`` (empty where nobody asks); ``lengths`` counts the shoes that came to
    their end by how many rounds they had. ``hits`` counts the lines of wagers on cards, those of
    one wager after those of another.
    """

    shoes: int
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return int(self.cells.sum())

    def plus(self, other: TallyResult) -> TallyResult:
        """Return both together."""
        return TallyResult(
            self.shoes + other.shoes,
            self.cells + other.cells,
            self.royals + other.royals,
            self.lengths + other.lengths,
            self.hits + other.hits,
        )


class TallyBuffers(NamedTuple):
    """The arrays that an engine fills, as kernels take them."""

    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers

    @classmethod
    def of(cls, plan: Plan) -> TallyBuffers:
        """Return empty room for a plan."""
        return cls(
            np.zeros(plan.cells, dtype=np.int64),
            np.zeros(plan.royal_cells, dtype=np.int64),
            np.zeros(plan.shoe.cards // 4 + 2, dtype=np.int64),
            np.zeros(plan.hits, dtype=np.int64),
        )

    def played(self, shoes: int) -> TallyResult:
        """Return what was filled in."""
        return TallyResult(shoes, self.cells, self.royals, self.lengths, self.hits)


class Engine(Protocol):
    """What plays the blocks of a simulation. A block is the same whoever plays it, and wherever."""

    @property
    def name(self) -> str:
        """The engine's name: ``scalar`` or ``lanes``."""

    def play(self, block: int, most: int) -> TallyResult:
        """Play a block from its beginning to its end, or the first ``most`` of its rounds."""
