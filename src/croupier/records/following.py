"""Follows a log entry by entry, as steps from one position of the table to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.records.header import LogHeader
from croupier.records.log import Resumed, begun, follow_line
from croupier.table.machine.position import Proposal


def followed_lines(path: Path, lines: Iterable[bytes]) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return the header of a log and, as they are asked for, its entries as steps.

    Seals, chain, and order are checked; whether the rules make these events of these commands is
    for ``verify`` to say. A last line that breaks off is left out. Messages name ``path``. Raises
    ``LogError`` for a line that cannot be followed.
    """
    lines = iter(lines)
    found = begun(path, next(lines))
    return found.header, _steps(path, lines, found)


def _steps(path: Path, lines: Iterator[bytes], found: Resumed) -> Iterator[Proposal]:
    for number, line in enumerate(lines, start=2):
        step = follow_line(f"{path}:{number}", found, line)
        if step is not None:
            yield step
