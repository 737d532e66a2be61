"""Builds the five roads of a shoe, as in trade practice; no regulation prescribes them.

On the **big road**, each streak goes down a column; a tie is counted at the win before it. A streak
without a free cell below turns right (dragon tail). A **derived road** compares each win with the
big road one, two, or three columns back, with streaks at full length.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from croupier.baccarat.hand import Hand
from croupier.records.roads.model import (
    DERIVED,
    ROWS,
    Bead,
    Big,
    Derived,
    Result,
    RoadMark,
    RoadPlace,
    Roads,
)


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
        below = RoadPlace(row + 1, column)
        # A tail stays in its row after it turns; otherwise it is hard to follow.
        if self._turned or row + 1 == ROWS or below in self._taken:
            self._turned = True
            return self._take(RoadPlace(row, column + 1))
        return self._take(below)

    def _take(self, place: RoadPlace) -> RoadPlace:
        self._taken.add(place)
        self._last = place
        return place


class _DerivedKeeper:
    def __init__(self, back: int) -> None:
        self._back: Final = back
        self._layout = _Layout()
        self.cells: list[Derived] = []

    def add(self, streaks: list[int], number: int) -> None:
        mark = self.mark(streaks)
        if mark is None:
            return
        same = bool(self.cells) and self.cells[-1].mark is mark
        place = self._layout.go_on() if same else self._layout.begin()
        self.cells.append(Derived(place, mark, number))

    def mark(self, streaks: list[int]) -> RoadMark | None:
        last, depth = len(streaks) - 1, streaks[-1] - 1
        if depth == 0:
            # A new column is red if the two columns compared had equally many wins.
            if last < self._back + 1:
                return None
            same = streaks[last - 1] == streaks[last - 1 - self._back]
        else:
            # Further down: blue if the column looked at has just ended, red if it continues next to
            # this win or ended earlier.
            if last < self._back:
                return None
            same = streaks[last - self._back] != depth
        return RoadMark.RED if same else RoadMark.BLUE


class RoadBuilder:
    """Builds the roads of a shoe, result by result.

    >>> from croupier.baccarat.hand import Hand
    >>> keeper = RoadBuilder()
    >>> for winner in (Hand.BANKER, Hand.BANKER, None, Hand.PLAYER):
    ...     keeper.add(Result(winner))
    >>> [(cell.place.row, cell.place.column, cell.ties) for cell in keeper.roads.big_road]
    [(0, 0, 0), (1, 0, 1), (0, 1, 0)]
    """

    def __init__(self) -> None:
        self._beads: list[Bead] = []
        self._big: list[Big] = []
        self._leading_ties = 0
        self._layout = _Layout()
        self._streaks: list[int] = []
        self._derived = {name: _DerivedKeeper(back) for name, back in DERIVED.items()}

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
        """Return the mark that each hand's next win would add to each derived road.

        >>> from croupier.baccarat.hand import Hand
        >>> keeper = RoadBuilder()
        >>> for winner in (Hand.BANKER, Hand.PLAYER, Hand.BANKER):
        ...     keeper.add(Result(winner))
        >>> marks = keeper.next_marks()["big_eye_boy"]
        >>> marks[Hand.PLAYER].value, marks[Hand.BANKER].value
        ('red', 'blue')
        """
        last = self._big[-1].result.winner if self._big else None
        marks: dict[str, dict[Hand, RoadMark | None]] = {name: {} for name in self._derived}
        for hand in Hand:
            streaks = [*self._streaks, 1]
            if hand is last:
                streaks = [*self._streaks[:-1], self._streaks[-1] + 1]
            for name, road in self._derived.items():
                marks[name][hand] = road.mark(streaks)
        return marks

    @property
    def roads(self) -> Roads:
        derived = {name: tuple(road.cells) for name, road in self._derived.items()}
        return Roads(
            tuple(self._beads), tuple(self._big), MappingProxyType(derived), self._leading_ties
        )


def roads_of(results: Iterable[Result]) -> Roads:
    """Return the roads of a shoe from its results in order.

    >>> from croupier.baccarat.hand import Hand
    >>> roads = roads_of(Result(winner) for winner in [Hand.BANKER, Hand.PLAYER] * 3)
    >>> [cell.mark.value for cell in roads.derived["big_eye_boy"]]
    ['red', 'red', 'red', 'red']
    """
    keeper = RoadBuilder()
    for result in results:
        keeper.add(result)
    return keeper.roads
