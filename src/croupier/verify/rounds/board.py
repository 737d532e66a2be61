"""The roads of the shoes that are judged, as many as a report shows: those that diverge first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from croupier.roads import Result, RoadKeeper, road_data
from croupier.verify.rounds.findings import JudgedRound, plain_name

__all__ = ["LONGEST", "Board"]

LONGEST: Final = 240
"""Rounds that the roads of one shoe show; no shoe dealt holds as many."""


@dataclass(slots=True)
class _ShoeOnBoard:
    """One shoe: its results as the book has them, and the rounds that something was found in."""

    place: int
    name: str
    results: list[Result] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    rounds: int = 0
    without_result: int = 0
    divergences: int = 0

    def add(self, judged: JudgedRound) -> None:
        self.rounds += 1
        self.divergences += len(judged.divergences)
        if judged.facts is None:
            self.without_result += 1
            return
        if len(self.results) == LONGEST:
            return
        number = plain_name(judged.record.round)
        # A round that has no number is told by its place in the shoe.
        number = number if isinstance(number, int) else self.rounds
        self.results.append(Result.of(judged.facts, number))
        if judged.divergences:
            self.found.append(number)

    def as_data(self) -> dict[str, Any]:
        keeper = RoadKeeper()
        for result in self.results:
            keeper.add(result)
        return {
            "shoe": plain_name(self.name),
            "rounds": self.rounds,
            "rounds_shown": len(self.results),
            "rounds_without_result": self.without_result,
            "divergences": self.divergences,
            "found": sorted(set(self.found)),
            "roads": road_data(keeper.roads),
        }


class Board:
    """Keeps the roads of no more than ``most`` shoes, in bounded memory however long the file is.

    Shoes in which something was found come before clean ones. A shoe is a run of rounds that tell
    the same shoe.
    """

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._diverging: list[_ShoeOnBoard] = []
        self._clean: list[_ShoeOnBoard] = []
        self._now: _ShoeOnBoard | None = None
        self._seen = 0
        self._seen_diverging = 0

    def add(self, judged: JudgedRound) -> None:
        """Take up one more round, in the order of the file."""
        name = judged.record.shoe
        if self._now is None or self._now.name != name:
            self._put_aside()
            self._now = _ShoeOnBoard(self._seen, name)
            self._seen += 1
        self._now.add(judged)

    def _put_aside(self) -> None:
        if self._now is None:
            return
        shelf = self._diverging if self._now.divergences else self._clean
        self._seen_diverging += bool(self._now.divergences)
        if len(shelf) < self._most:
            shelf.append(self._now)
        self._now = None

    def _shown(self) -> Iterator[_ShoeOnBoard]:
        self._put_aside()
        clean = self._clean[: self._most - len(self._diverging)]
        yield from sorted((*self._diverging, *clean), key=lambda shoe: shoe.place)

    def as_data(self) -> dict[str, Any]:
        """Return the shoes that are shown, in the order of the file, and how many are left out."""
        shown = list(self._shown())
        diverging = sum(shoe.divergences > 0 for shoe in shown)
        return {
            "shown": [shoe.as_data() for shoe in shown],
            "left_out": {
                "diverging": self._seen_diverging - diverging,
                "clean": self._seen - self._seen_diverging - (len(shown) - diverging),
            },
        }
