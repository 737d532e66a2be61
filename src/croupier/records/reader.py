"""Reader of table logs for display, which checks the chain first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, TypedDict

import msgspec
from msgspec.structs import replace

from croupier.records.chain import AFTER_CLOSE, Link, LoggedEntry, read_log_header
from croupier.records.codec import decode_command, from_json, read_events
from croupier.records.entry import moment, unseal
from croupier.records.header import LogError, LogHeader, header_of
from croupier.records.log import LogLines, stepped
from croupier.records.names import Names
from croupier.rules.documents import Count, Hash, Positive, Word
from croupier.table.machine.core import Events
from croupier.table.machine.position import Proposal


class ChainFault(TypedDict):
    """A line that does not fit the chain."""

    line: Positive
    message: Word


class EntryInChain(TypedDict):
    """An entry, and the seal of its line or of the last line."""

    entry: Count
    sha256: Hash


class ChainOfLog(TypedDict):
    """Whether the lines of a log are as they were sealed."""

    chain: Annotated[
        Literal["intact", "broken"],
        "Whether each line fits its seal and the line before; a log that was sealed again does.",
    ]
    faults: Annotated[list[ChainFault], "Each line that was changed, and how."]
    open: Annotated[bool, "Whether the log has no last line."]
    torn_line: Annotated[Positive | None, "The number of a last line that breaks off."]
    head: EntryInChain


class ChangedLogError(LogError):
    """Raised for a line that was changed since it was sealed, or since the chain was checked."""


class LogReader:
    """A table log with every fault of its chain. Raises ``LogError`` for an unreadable header.

    Without ``scanned`` the chain is checked only as entries are read, and ``ChangedLogError`` is
    raised at its first fault. Entries are shown with the ``names`` of patrons.
    """

    def __init__(
        self,
        path: Path,
        table: str | None = None,
        *,
        scanned: bool = True,
        names: Names | None = None,
    ) -> None:
        self.path: Final = path
        self._names: Final = names
        self._lines: Final = LogLines(path, table)
        lines = iter(self._lines)
        self.header: LogHeader
        self.header, self._seal, fault = read_log_header(path, first := next(lines))
        if names is not None and (shown := names.shown(first)) != first:
            self.header = header_of(path, (unseal(shown) or (shown,))[0])
        self._link = self._begin()
        self._faults: Final = {} if fault is None else {1: fault}
        self._last = 1
        if not scanned:
            self._last = sys.maxsize
            if fault is not None:
                raise ChangedLogError(f"{path}:1: {fault}")
            return
        for number, _, found in self._followed(self._link, lines):
            self._last = number
            if found is not None:
                self._faults[number] = found

    def _begin(self) -> Link:
        at = self.header.opening.at
        return Link(self.header.before, self._seal, "" if at is None else moment(at))

    @property
    def is_broken(self) -> bool:
        """Whether a line was changed, dropped, added, or moved since it was sealed."""
        return bool(self._faults)

    @property
    def is_open(self) -> bool:
        """Whether the log has no last line."""
        return not self._link.closed

    @property
    def torn(self) -> int | None:
        """Number of a torn last line, which is left out."""
        return self._lines.torn

    def data(self) -> ChainOfLog:
        """Return the state of the chain for a document."""
        return {
            "chain": "broken" if self._faults else "intact",
            "faults": [{"line": one, "message": text} for one, text in self._faults.items()],
            "open": self.is_open,
            "torn_line": self.torn,
            "head": {"entry": self._link.sequence, "sha256": self._link.seal},
        }

    def entries(self) -> Iterator[tuple[int, LoggedEntry]]:
        """Yield readable entries with their line numbers.

        Raises ``LogError`` if the log has changed.
        """
        lines = iter(self._lines)
        _, seal, _ = read_log_header(self.path, next(lines))
        if seal != self._seal:
            raise ChangedLogError(f"{self.path}: the log was changed while it was read")
        for number, entry, fault in self._followed(self._begin(), lines):
            if number > self._last:
                return
            if fault is not None and number not in self._faults:
                raise ChangedLogError(f"{self.path}:{number}: {fault}")
            if entry is not None:
                yield number, entry if self._names is None else _named(entry, self._names)

    def events(self) -> Iterator[Events]:
        """Yield the events of each readable entry."""
        return (entry.events for _, entry in self.entries())

    def steps(self) -> Iterator[tuple[LoggedEntry, Proposal]]:
        """Yield each entry with its step between positions. Raises ``LogError``."""
        position = self.header.opening
        for number, entry in self.entries():
            if position.sequence != entry.head.seq - 1:
                position = replace(position, sequence=entry.head.seq - 1)
            step = stepped(f"{self.path}:{number}", position, entry)
            position = step.after
            yield entry, step

    def _followed(
        self, link: Link, lines: Iterator[bytes]
    ) -> Iterator[tuple[int, LoggedEntry | None, str | None]]:
        number = 1
        try:
            for number, line in enumerate(lines, start=2):
                closed = link.closed
                entry, fault = link.follow(line)
                yield number, entry, fault
                if closed:
                    return
        except LogError as error:
            place = f"{self.path}:{number + 1}: "
            yield number + 1, None, str(error).removeprefix(place)
        if link.closed and self.torn is not None:
            yield self.torn, None, AFTER_CLOSE


def _named(entry: LoggedEntry, names: Names) -> LoggedEntry:
    head = entry.head
    shown = [names.shown(bytes(one)) for one in (head.command, head.events)]
    by = [replace(one, person=names.name_of(one.person)) for one in head.by]
    if by == head.by and shown == [head.command, head.events]:
        return entry
    command, events = map(msgspec.Raw, shown)
    head = replace(head, command=command, events=events, by=by)
    return LoggedEntry(head, decode_command(from_json(command)), read_events(events))
