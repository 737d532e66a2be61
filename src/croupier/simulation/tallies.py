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
    """Tallied rounds; ``lengths`` counts completed shoes by number of rounds."""

    shoes: int
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def rounds(self) -> int:
        return int(self.cells.sum())

    def plus(self, other: TallyResult) -> TallyResult:
        return TallyResult(
            self.shoes + other.shoes,
            self.cells + other.cells,
            self.royals + other.royals,
            self.lengths + other.lengths,
            self.hits + other.hits,
        )


class TallyBuffers(NamedTuple):
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers

    @classmethod
    def of(cls, plan: Plan) -> TallyBuffers:
        return cls(
            np.zeros(plan.cells, dtype=np.int64),
            np.zeros(plan.royal_cells, dtype=np.int64),
            np.zeros(plan.shoe.cards // 4 + 2, dtype=np.int64),
            np.zeros(plan.hits, dtype=np.int64),
        )

    def played(self, shoes: int) -> TallyResult:
        return TallyResult(shoes, self.cells, self.royals, self.lengths, self.hits)


class Engine(Protocol):
    @property
    def name(self) -> str: ...

    def play(self, block: int, most: int) -> TallyResult:
        """Play a block, or its first ``most`` rounds."""
