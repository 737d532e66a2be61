"""Log entries as steps between table positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.records.header import LogHeader
from croupier.records.log import Resumed, begun, follow_line
from croupier.table.machine.position import Proposal


def followed_lines(path: Path, lines: Iterable[bytes]) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return a log's header and its entries as steps, lazily. Raises ``LogError``.

    Checks only the chain, without a torn last line.
    """
    lines = iter(lines)
    found = begun(path, next(lines))
    return found.header, _steps(path, lines, found)


def _steps(path: Path, lines: Iterator[bytes], found: Resumed) -> Iterator[Proposal]:
    for number, line in enumerate(lines, start=2):
        step = follow_line(f"{path}:{number}", found, line)
        if step is not None:
            yield step
