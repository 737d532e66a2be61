"""Records of a table in a store, one for each gaming day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Protocol


class StoredRecords(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    def count(self, name: str) -> int: ...

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Iterator[bytes]: ...


_DAY: Final = re.compile(r"(.*)/([1-9][0-9]{0,8})", re.DOTALL)


def name_of_day(table: str, day: int) -> str:
    """Return the record name of a gaming day, counted from 1."""
    return table if day == 1 else f"{table}/{day}"


def day_of(name: str) -> tuple[str, int]:
    """Return the table and the gaming day number of a record.

    >>> day_of("MB-101"), day_of("MB-101/2")
    (('MB-101', 1), ('MB-101', 2))
    """
    found = _DAY.fullmatch(name)
    return (name, 1) if found is None else (found[1], int(found[2]))


def last_day(table: str, names: Iterable[str]) -> int:
    """Return a table's last gaming day; 0 without a record."""
    return max((day for one, day in map(day_of, names) if one == table), default=0)


def newest_days(names: Iterable[str]) -> list[str]:
    """Return each table's record of its last gaming day."""
    found: dict[str, int] = {}
    for table, day in map(day_of, names):
        found[table] = max(day, found.get(table, 0))
    return [name_of_day(table, day) for table, day in found.items()]
