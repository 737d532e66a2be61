"""Log entries as steps from one table position to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.records.header import LogHeader
from croupier.records.log import Resumed, begun, follow_line
from croupier.table.machine.position import Proposal


def followed_lines(path: Path, lines: Iterable[bytes]) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return the header of a log and a lazy iterator of its entries as steps.

    Checks only the chain; ``verify`` checks the rules. A torn last line is left out. Messages name
    ``path``. Raises ``LogError``.
    """
    lines = iter(lines)
    found = begun(path, next(lines))
    return found.header, _steps(path, lines, found)


def _steps(path: Path, lines: Iterator[bytes], found: Resumed) -> Iterator[Proposal]:
    for number, line in enumerate(lines, start=2):
        step = follow_line(f"{path}:{number}", found, line)
        if step is not None:
            yield step
