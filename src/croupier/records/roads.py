"""The five roads of a shoe, as in trade practice: no regulation prescribes them.

On the **big road**, each streak goes down a column; a tie is counted at the win before it. A streak
without a free cell below turns right (dragon tail). A **derived road** compares each win with the
big road one, two, or three columns back, with streaks at full length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple, TypedDict, cast

from msgspec import Struct
from msgspec.structs import replace

from croupier.baccarat.coup import Facts, Hand, is_natural, winner_name
from croupier.rules.documents import Count, Keywords

ROWS: Final = 6

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
    def of(cls, facts: Facts, number: int | None = None, *, is_corrected: bool = False) -> Result:
        natural = is_natural(facts.player_count, facts.player_cards) or is_natural(
            facts.banker_count, facts.banker_cards
        )
        pairs = facts.player_pair, facts.banker_pair
        return cls(facts.winner, natural, *pairs, number, is_corrected)


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
    """One per round, ties included."""

    place: RoadPlace
    result: Result


class Big(Struct, frozen=True):
    """A win and the ties after it."""

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

    leading_ties: int = 0
    """Ties before the first win; shown in the first cell, ahead of its own."""


class _Layout:
    def __init__(self) -> None:
        self._taken: set[RoadPlace] = set()
        self._start = -1
        self._last = RoadPlace(0, -1)
        self._turned = False

    def begin(self) -> RoadPlace:
        column = self._start + 1
        while RoadPlace(0, column) in self._taken:
            column += 1
        self._start, self._turned = column, False
        return self._take(RoadPlace(0, column))

    def go_on(self) -> RoadPlace:
        row, column = self._last
        lower_place = RoadPlace(row + 1, column)
        # A tail stays in its row after it turns; otherwise it is hard to follow.
        if self._turned or row + 1 == ROWS or lower_place in self._taken:
            self._turned = True
            return self._take(RoadPlace(row, column + 1))
        return self._take(lower_place)

    def _take(self, place: RoadPlace) -> RoadPlace:
        self._taken.add(place)
        self._last = place
        return place


class _DerivedKeeper:
    def __init__(self, distance: int) -> None:
        self._back: Final = distance
        self._layout = _Layout()
        self.cells: list[Derived] = []

    def add(self, streaks: list[int], number: int) -> None:
        mark = self.mark(streaks)
        if mark is None:
            return
        is_same = bool(self.cells) and self.cells[-1].mark is mark
        place = self._layout.go_on() if is_same else self._layout.begin()
        self.cells.append(Derived(place, mark, number))

    def mark(self, streaks: list[int]) -> RoadMark | None:
        column, depth = len(streaks) - 1, streaks[-1] - 1
        if depth == 0:
            # A new column is red if the two columns compared had equally many wins.
            if column < self._back + 1:
                return None
            is_same = streaks[column - 1] == streaks[column - 1 - self._back]
        else:
            # Further down: blue if the column looked at has just ended, red if it continues next to
            # this win or ended earlier.
            if column < self._back:
                return None
            is_same = streaks[column - self._back] != depth
        return RoadMark.RED if is_same else RoadMark.BLUE


class RoadBuilder:
    def __init__(self) -> None:
        self._beads: list[Bead] = []
        self._big: list[Big] = []
        self._leading_ties = 0
        self._layout = _Layout()
        self._streaks: list[int] = []
        self._derived = {name: _DerivedKeeper(distance) for name, distance in DERIVED.items()}

    def add(self, result: Result) -> None:
        column, row = divmod(len(self._beads), ROWS)
        self._beads.append(Bead(RoadPlace(row, column), result))
        if result.winner is not None:
            self._win(result)
        elif self._big:
            self._big[-1] = replace(self._big[-1], ties=self._big[-1].ties + 1)
        else:
            self._leading_ties += 1

    def _win(self, result: Result) -> None:
        if self._big and self._big[-1].result.winner is result.winner:
            self._streaks[-1] += 1
            place = self._layout.go_on()
        else:
            self._streaks.append(1)
            place = self._layout.begin()
        streak = len(self._streaks) - 1
        number = len(self._big)
        self._big.append(Big(place, result, streak, self._streaks[-1] - 1))
        for road in self._derived.values():
            road.add(self._streaks, number)

    def next_marks(self) -> dict[str, dict[Hand, RoadMark | None]]:
        """Return what each hand's next win would add to each derived road."""
        winner = self._big[-1].result.winner if self._big else None
        marks: dict[str, dict[Hand, RoadMark | None]] = {name: {} for name in self._derived}
        for hand in Hand:
            streaks = [*self._streaks, 1]
            if hand is winner:
                streaks = [*self._streaks[:-1], self._streaks[-1] + 1]
            for name, road in self._derived.items():
                marks[name][hand] = road.mark(streaks)
        return marks

    @property
    def roads(self) -> Roads:
        by_name = {name: tuple(road.cells) for name, road in self._derived.items()}
        return Roads(
            tuple(self._beads), tuple(self._big), MappingProxyType(by_name), self._leading_ties
        )


def roads_of(results: Iterable[Result]) -> Roads:
    keeper = RoadBuilder()
    for result in results:
        keeper.add(result)
    return keeper.roads


# --- as a document ---


class RoadCell(TypedDict):
    """A cell of a road; row and column count from 0."""

    row: Count
    column: Count


class ResultShown(RoadCell):
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


class DerivedCell(RoadCell):
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


def road_data(roads: Roads) -> RoadsShown:
    return {
        "bead_plate": [_result(bead.place, bead.result) for bead in roads.bead_plate],
        "leading_ties": roads.leading_ties,
        "big_road": [
            {
                **_result(cell.place, cell.result),
                "streak": cell.streak,
                "depth": cell.depth,
                "ties": cell.ties,
            }
            for cell in roads.big_road
        ],
        "big_eye_boy": _derived(roads, "big_eye_boy"),
        "small_road": _derived(roads, "small_road"),
        "cockroach_pig": _derived(roads, "cockroach_pig"),
    }


def _derived(roads: Roads, name: str) -> list[DerivedCell]:
    return [
        {"row": cell.place.row, "column": cell.place.column, "mark": cell.mark.value, "of": cell.of}
        for cell in roads.derived[name]
    ]


def _result(place: RoadPlace, result: Result) -> ResultShown:
    # The fields of a result are those of its document, in the same order.
    data = {**place._asdict(), **result._asdict(), "winner": winner_name(result.winner)}
    return cast("ResultShown", data)
