"""Results of rounds, and the marked cells of roads."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import Hand, is_natural

ROWS: Final = 6
"""Rows of every road."""

DERIVED: Final[Mapping[str, int]] = MappingProxyType(
    {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
)
"""The derived roads, with the number of big road columns that each looks back."""


class Result(NamedTuple):
    """The result of one round; ``winner`` is ``None`` for a tie."""

    winner: Hand | None
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    round: int | None = None
    corrected: bool = False

    @classmethod
    def of(cls, facts: Facts, number: int | None = None, *, corrected: bool = False) -> Result:
        """Return the result of a finished round.

        >>> result = Result.of(Facts(9, 4, 2, 2, player_pair=True))
        >>> result.winner, result.natural, result.player_pair, result.banker_pair
        (<Hand.PLAYER: 'player'>, True, True, False)
        """
        natural = is_natural(facts.player_count, facts.player_cards) or is_natural(
            facts.banker_count, facts.banker_cards
        )
        pairs = facts.player_pair, facts.banker_pair
        return cls(facts.winner, natural, *pairs, number, corrected)


class RoadMark(Enum):
    """A mark of a derived road: a pattern of the big road, not a winner."""

    RED = "red"
    BLUE = "blue"

    __hash__ = object.__hash__


class RoadPlace(NamedTuple):
    """A cell position, counted from 0."""

    row: int
    column: int


class Bead(Struct, frozen=True):
    """A cell of the bead plate: one per round, ties included."""

    place: RoadPlace
    result: Result


class Big(Struct, frozen=True):
    """A cell of the big road: a win and the ties after it."""

    place: RoadPlace
    result: Result
    streak: int
    depth: int
    ties: int = 0


class Derived(Struct, frozen=True):
    place: RoadPlace
    mark: RoadMark
    of: int
    """Index of the big road cell that led to this mark, from 0."""


class Roads(Struct, frozen=True):
    bead_plate: tuple[Bead, ...]
    big_road: tuple[Big, ...]
    derived: Mapping[str, tuple[Derived, ...]]
    """Cells of the roads in ``DERIVED``."""

    leading_ties: int = 0
    """Ties before the first win; shown in the first cell, ahead of its own."""

    @property
    def rounds(self) -> int:
        return len(self.bead_plate)
