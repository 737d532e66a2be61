"""The roads of shoes in a report, divergent ones first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from croupier.baccarat.coup import Facts
from croupier.records.roads import Result, road_data, roads_of
from croupier.verify.rounds.findings import RoundDivergence, VerifiedRound, plain_name

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

LONGEST: Final = 240
"""Maximum number of rounds in the roads of a shoe."""

_MOST_OPEN: Final = 64
"""Maximum number of interleaved shoes, as of several tables."""


class _ShoeOnBoard(Struct):
    place: int
    name: str
    results: list[Result] = field(default_factory=list)
    found: set[int] = field(default_factory=set)
    last: int = 0
    rounds: int = 0
    without_result: int = 0
    divergences: int = 0

    def add(
        self, facts: Facts | None, number: int, divergences: int = 0, *, is_corrected: bool = False
    ) -> None:
        self.rounds += 1
        self.last = number
        self.divergences += divergences
        if facts is None:
            self.without_result += 1
        elif len(self.results) < LONGEST:
            self.results.append(Result.of(facts, number, is_corrected=is_corrected))
            if divergences:
                self.found.add(number)

    def as_data(self) -> documents.BoardShoe:
        return {
            "shoe": plain_name(self.name),
            "rounds": self.rounds,
            "rounds_shown": len(self.results),
            "rounds_without_result": self.without_result,
            "divergences": self.divergences,
            "found": sorted(self.found),
            "roads": road_data(roads_of(self.results)),
        }


class Board:
    """Roads of at most ``limit`` shoes, in bounded memory; those with findings come first."""

    def __init__(self, limit: int) -> None:
        self._most: Final = limit
        self._open: OrderedDict[str, _ShoeOnBoard] = OrderedDict()
        self._diverging: list[_ShoeOnBoard] = []
        self._clean: list[_ShoeOnBoard] = []
        self._seen = 0
        self._seen_diverging = 0

    def add(self, verified: VerifiedRound) -> None:
        number = plain_name(verified.record.round)
        given = number if isinstance(number, int) else None
        shoe = self._shoe(verified.record.shoe, given)
        # A round without a number is identified by its position in the shoe.
        shoe.add(
            verified.facts, shoe.rounds + 1 if given is None else given, len(verified.divergences),
            is_corrected=verified.is_corrected,
        )  # fmt: skip

    def known(self, name: str, first: int, rounds: Sequence[Facts]) -> None:
        shoe = self._shoe(name, first)
        for number, facts in enumerate(rounds, start=first):
            shoe.add(facts, number)

    def _shoe(self, name: str, number: int | None) -> _ShoeOnBoard:
        shoe = self._open.get(name)
        if shoe is not None and number is not None and number <= 1 and number < shoe.last:
            self._put_aside(name)
            shoe = None
        if shoe is None:
            shoe = self._open[name] = _ShoeOnBoard(self._seen, name)
            self._seen += 1
            if len(self._open) > _MOST_OPEN:
                self._put_aside(next(iter(self._open)))
        self._open.move_to_end(name)
        return shoe

    def late(self, divergence: RoundDivergence) -> None:
        shoe = self._open.get(divergence.shoe)
        if shoe is None:
            shoe = next((one for one in reversed(self._clean) if one.name == divergence.shoe), None)
            if shoe is not None:
                self._clean.remove(shoe)
                self._shelve(shoe, diverges=True)
        if shoe is not None:
            shoe.divergences += 1

    def _put_aside(self, name: str) -> None:
        shoe = self._open.pop(name)
        self._shelve(shoe, diverges=shoe.divergences > 0)

    def _shelve(self, shoe: _ShoeOnBoard, *, diverges: bool) -> None:
        shelf = self._diverging if diverges else self._clean
        self._seen_diverging += diverges
        if len(shelf) < self._most:
            shelf.append(shoe)

    def as_data(self) -> documents.Board:
        for name in list(self._open):
            self._put_aside(name)
        place = attrgetter("place")
        conforming = sorted(self._clean, key=place)[: self._most - len(self._diverging)]
        shoes = sorted((*self._diverging, *conforming), key=place)
        diverging_count = sum(shoe.divergences > 0 for shoe in shoes)
        return {
            "shown": [shoe.as_data() for shoe in shoes],
            "left_out": {
                "diverging": self._seen_diverging - diverging_count,
                "clean": self._seen - self._seen_diverging - (len(shoes) - diverging_count),
            },
        }
