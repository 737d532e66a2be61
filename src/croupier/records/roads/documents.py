"""JSON documents of roads."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import Count, Keywords


class Cell(TypedDict):
    """A cell of a road; row and column count from 0."""

    row: Count
    column: Count


class ResultShown(Cell):
    """A round on a road."""

    winner: Annotated[str, Keywords(enum=["player", "banker", "tie"])]
    natural: bool
    player_pair: bool
    banker_pair: bool
    round: Count | None
    corrected: bool


class BigRoadCell(ResultShown):
    """A cell of the big road."""

    streak: Count
    depth: Count
    ties: Count


class DerivedCell(Cell):
    """A cell of a derived road."""

    mark: Literal["red", "blue"]
    of: Count


class RoadsShown(TypedDict):
    """The roads of a shoe."""

    bead_plate: list[ResultShown]
    leading_ties: Count
    big_road: list[BigRoadCell]
    big_eye_boy: list[DerivedCell]
    small_road: list[DerivedCell]
    cockroach_pig: list[DerivedCell]
