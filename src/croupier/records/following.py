"""Follows a log entry by entry, as steps from one position of the table to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.records.header import LogError, LogHeader, header_of
from croupier.records.log import LogLines, Resumed, follow_line, unsealed_line
from croupier.table.position import Proposal, opening_position

__all__ = ["followed_lines", "followed_log"]


def followed_log(path: Path, table: str | None = None) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return the header of a log and, as they are asked for, its entries as steps.

    Seals, chain, and order are checked; whether the rules make these events of these commands is
    for ``verify`` to say. A last line that breaks off is left out. Raises ``LogError`` for a line
    that cannot be followed.
    """
    return followed_lines(path, LogLines(path, table))


def followed_lines(path: Path, lines: Iterable[bytes]) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return what ``followed_log`` does, of lines not in a file; messages name ``path``."""
    lines = iter(lines)
    body, digest = unsealed_line(f"{path}:1", next(lines))
    header = header_of(path, body)
    found = Resumed(header, digest, opening_position(header.rules), digest)
    return header, _steps(path, lines, found)


def _steps(path: Path, lines: Iterator[bytes], found: Resumed) -> Iterator[Proposal]:
    for number, line in enumerate(lines, start=2):
        place = f"{path}:{number}"
        body, digest = unsealed_line(place, line)
        if found.closed:
            raise LogError(f"{place}: there are lines after the one that closes the log")
        step = follow_line(place, found, body)
        found.head = digest
        if step is not None:
            yield step
