"""A table's records by gaming day, with entries numbered across days."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

from croupier.records.codec import from_json
from croupier.records.days import day_of, name_of_day
from croupier.records.header import LogHeader
from croupier.records.log import begun
from croupier.records.stores.store import Store
from croupier.table.machine.position import Position


class TableDay(NamedTuple):
    """One gaming day's record, after the entry ``before``."""

    record: str
    stream: str
    before: int


class Days:
    def __init__(self, store: Store, record: str) -> None:
        self._store: Final = store
        self.table, number = day_of(record)
        self.all: Final[list[TableDay]] = []
        self._openings: Final[dict[int, Position]] = {}
        for day in range(1, number):
            self.all.append(self._read(name_of_day(self.table, day)))

    def _read(self, record: str) -> TableDay:
        header = from_json(next(self._store.lines(record, 0, 0)))
        return TableDay(record, header["stream"], header.get("continues", {}).get("entry", 0))

    def begin(self, record: str, header: LogHeader) -> None:
        self.all.append(TableDay(record, header.stream, header.before))
        self._openings[header.before] = header.opening

    @property
    def next(self) -> str:
        """The name of the next day's record."""
        return name_of_day(self.table, len(self.all) + 1)

    def of(self, sequence: int) -> int:
        """Return the day of an entry, counted from 1."""
        return sum(day.before < sequence for day in self.all) or 1

    def last(self, day: int, durable: int) -> int:
        """Return a day's last entry, at most ``durable``."""
        return self.all[day].before if day < len(self.all) else durable

    def last_line(self, day: int, durable: int, *, finished: bool = False) -> int:
        """Return a day's last line, up to a durable entry; a finished record has one more."""
        ended = finished or day < len(self.all)
        return self.last(day, durable) - self.all[day - 1].before + ended

    def opening(self, sequence: int) -> Position | None:
        """Return the position at the start of a day begun right after an entry."""
        found = self._openings.get(sequence)
        if found is None:
            for day in self.all:
                if day.before == sequence:
                    first = next(self._store.lines(day.record, 0, 0))
                    found = self._openings[sequence] = begun(day.record, first).header.opening
        return found

    def lines(self, first: int, last: int) -> Generator[bytes]:
        ends = [day.before for day in self.all[1:]] + [last]
        for day, end in zip(self.all, ends, strict=True):
            begin, upto = max(first, day.before + 1), min(last, end)
            if begin <= upto:
                yield from self._store.lines(day.record, begin - day.before, upto - day.before)
