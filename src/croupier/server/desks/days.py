"""A table's records by gaming day, with entries numbered across days, and its past positions."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Generator, Sequence
from typing import Final, NamedTuple

from croupier.records.chain import decode_entry
from croupier.records.codec import from_json
from croupier.records.entry import entry_head
from croupier.records.header import LogError, LogHeader, day_of, name_of_day
from croupier.records.log import begun, replayed
from croupier.records.stores.store import Store
from croupier.table.machine.position import Position, Proposal


class TableDay(NamedTuple):
    """One gaming day's record, after the entry ``before``."""

    record: str
    stream: str
    before: int


class Days:
    def __init__(self, store: Store, record: str) -> None:
        self._store: Final = store
        self.table, number = day_of(record)
        self.all: Final = [self._read(name_of_day(self.table, day)) for day in range(1, number)]
        self._openings: Final[dict[int, Position]] = {}

    def _read(self, record: str) -> TableDay:
        header = from_json(next(self._store.lines(record, 0, 0)))
        return TableDay(record, header["stream"], header.get("continues", {}).get("entry", 0))

    def begin(self, record: str, header: LogHeader) -> None:
        self.all.append(TableDay(record, header.stream, header.before))
        self._openings[header.before] = header.opening

    @property
    def next(self) -> str:
        return name_of_day(self.table, len(self.all) + 1)

    def of(self, sequence: int) -> int:
        """Day of an entry, counted from 1."""
        return sum(day.before < sequence for day in self.all) or 1

    def last(self, day: int, durable: int) -> int:
        return self.all[day].before if day < len(self.all) else durable

    def last_line(self, day: int, durable: int, *, finished: bool = False) -> int:
        """Return a day's last line, up to a durable entry; a finished record has one more."""
        ended = finished or day < len(self.all)
        return self.last(day, durable) - self.all[day - 1].before + ended

    def opening(self, sequence: int) -> Position | None:
        """Position at the start of a day begun right after an entry."""
        found = self._openings.get(sequence)
        if found is None:
            for day in self.all:
                if day.before == sequence:
                    header = next(self._store.lines(day.record, 0, 0))
                    found = self._openings[sequence] = begun(day.record, header).header.opening
        return found

    def lines(self, first: int, last: int) -> Generator[bytes]:
        ends = [day.before for day in self.all[1:]] + [last]
        for day, end in zip(self.all, ends, strict=True):
            begin, upto = max(first, day.before + 1), min(last, end)
            if begin <= upto:
                yield from self._store.lines(day.record, begin - day.before, upto - day.before)


_EVERY: Final = 500
"""Entries between two positions kept in memory."""
_LATELY: Final = 16
_STEP: Final = 8
"""Every eighth position of the last 128 entries is kept, as a start for recent rounds."""


class Past:
    def __init__(self, days: Days) -> None:
        self._days: Final = days
        self._places = [0]
        if (opening := days.opening(0)) is None:
            raise LogError(f"{days.table}: it has no record")
        self._positions = [opening]
        self._following: Final = asyncio.Lock()
        self._lately: Final[deque[Position]] = deque(maxlen=_LATELY)

    def hear(self, entries: Sequence[Proposal]) -> None:
        self._lately.extend(entry.after for entry in entries if entry.after.sequence % _STEP == 0)
        self.keep(entries[-1].after)

    def _before(self, first: int) -> Position:
        last = self._lately
        if last and last[0].sequence < first:
            # A line that could not be followed leaves a gap, so entries are searched by number.
            return next(position for position in reversed(last) if position.sequence < first)
        return self._positions[bisect_right(self._places, first - 1) - 1]

    def keep(self, position: Position) -> None:
        """Keep a durable position, unless one nearby is kept."""
        at = bisect_right(self._places, position.sequence)
        if position.sequence - self._places[at - 1] >= _EVERY:
            self._places.insert(at, position.sequence)
            self._positions.insert(at, position)

    async def entries(self, first: int, last: int) -> list[Proposal]:
        async with self._following:
            return await asyncio.to_thread(self._followed, self._before(first), first, last)

    def _followed(self, position: Position, first: int, last: int) -> list[Proposal]:
        found = []
        for line in self._days.lines(position.sequence + 1, last):
            head = entry_head(line)
            if head is None:
                break
            # A day begins with the state carried over.
            entry = replayed(self._days.opening(position.sequence) or position, decode_entry(head))
            position = entry.after
            self.keep(position)
            if position.sequence >= first:
                found.append(entry)
        return found
