"""The records of a table in a store that holds several: one for each gaming day, by its number.

The first has the name of the table, each later one its number behind that: ``MB-101/2``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple


class StoredRecords(NamedTuple):
    """The records of a store: their names in the order of their creation, and what reads one."""

    names: tuple[str, ...]
    lines: Callable[[str], Iterator[bytes]]


_DAY: Final = re.compile(r"(.*)/([1-9][0-9]{0,8})", re.DOTALL)


def name_of_day(table: str, day: int) -> str:
    """Return the name of the record of a table's gaming day, counted from 1.

    >>> name_of_day("MB-101", 1), name_of_day("MB-101", 2)
    ('MB-101', 'MB-101/2')
    """
    return table if day == 1 else f"{table}/{day}"


def day_of(name: str) -> tuple[str, int]:
    """Return the table of a record, and which of its gaming days it holds.

    >>> day_of("MB-101"), day_of("MB-101/2")
    (('MB-101', 1), ('MB-101', 2))
    """
    found = _DAY.fullmatch(name)
    return (name, 1) if found is None else (found[1], int(found[2]))


def last_day(table: str, names: Iterable[str]) -> int:
    """Return the number of a table's last gaming day among records; 0 if it has none."""
    return max((day for one, day in map(day_of, names) if one == table), default=0)


def newest_days(names: Iterable[str]) -> list[str]:
    """Return of each table the record of its last gaming day.

    >>> newest_days(["pit:1", "MB-101", "MB-102", "MB-101/2"])
    ['pit:1', 'MB-101/2', 'MB-102']
    """
    found: dict[str, int] = {}
    for table, day in map(day_of, names):
        found[table] = max(day, found.get(table, 0))
    return [name_of_day(table, day) for table, day in found.items()]
