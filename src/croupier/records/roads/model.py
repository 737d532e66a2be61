"""What the roads are made of: the results that go in, and the marked cells that come out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import Hand, is_natural

ROWS: Final = 6
"""Every road is six rows high."""

DERIVED: Final[Mapping[str, int]] = MappingProxyType(
    {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
)
"""The derived roads, each with how many columns of the big road it looks back."""


class Result(NamedTuple):
    """The result of one round: the hand that won, ``None`` for a tie, and what else is marked.

    ``natural`` tells that either hand had one. ``round`` is the round's number, where it has one.
    """

    winner: Hand | None
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    round: int | None = None

    @classmethod
    def of(cls, facts: Facts, number: int | None = None) -> Result:
        """Return the result of a finished coup.

        >>> result = Result.of(Facts(9, 4, 2, 2, player_pair=True))
        >>> result.winner, result.natural, result.player_pair, result.banker_pair
        (<Hand.PLAYER: 'player'>, True, True, False)
        """
        natural = is_natural(facts.player_count, facts.player_cards) or is_natural(
            facts.banker_count, facts.banker_cards
        )
        return cls(facts.winner, natural, facts.player_pair, facts.banker_pair, number)


class RoadMark(Enum):
    """A mark of a derived road. It says whether the big road repeats itself, not who won."""

    RED = "red"
    BLUE = "blue"

    __hash__ = object.__hash__


class RoadPlace(NamedTuple):
    """A cell of a road; both counted from 0, rows from the top."""

    row: int
    column: int


class Bead(Struct, frozen=True):
    """A cell of the bead plate: one for each round, ties too."""

    place: RoadPlace
    result: Result


class Big(Struct, frozen=True):
    """A cell of the big road: a round that a hand won, and how many ties followed it.

    ``streak`` is the streak that it belongs to, counted from 0: the column that it would stand in
    if the board had rows enough. ``depth`` is its place in that streak, from 0.
    """

    place: RoadPlace
    result: Result
    streak: int
    depth: int
    ties: int = 0


class Derived(Struct, frozen=True):
    """A cell of a derived road, and which cell of the big road brought it about."""

    place: RoadPlace
    mark: RoadMark
    of: int
    """The number of the cell of the big road, from 0."""


class Roads(Struct, frozen=True):
    """The roads of one shoe, each with its cells in the order in which they were marked."""

    bead_plate: tuple[Bead, ...]
    big_road: tuple[Big, ...]
    derived: Mapping[str, tuple[Derived, ...]]
    """The cells of the three roads of ``DERIVED``."""

    leading_ties: int = 0
    """Ties before either hand has won: they stand in the first cell, before its own."""

    @property
    def rounds(self) -> int:
        """How many rounds are on the roads."""
        return len(self.bead_plate)
