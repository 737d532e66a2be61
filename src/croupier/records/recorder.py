"""The record of a table in use: every proposal becomes a sealed entry before it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from croupier.records.entry import last_body, seal, sealed_entry
from croupier.records.header import LogHeader, header_body
from croupier.records.snapshot import is_due, snapshot
from croupier.records.stream import StoreError, Stream
from croupier.table.machine.position import Position, Proposal

SNAPSHOT_EVERY: Final = 1000
"""Entries between two snapshots, at least: as many are followed again when a record is opened."""


class Recorder:
    """Writes the proposals of a ``TableSession`` to a stream; its ``record``.

    Make it with ``begin`` for a new stream, or go on after what ``resume`` has read. If the stream
    fails, nothing has changed here either.

    >>> from croupier.records.clock import SteppedClock
    >>> from croupier.records.header import new_header
    >>> from croupier.records.stream import MemoryStream
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier import acts
    >>> from croupier.table.machine.session import TableSession
    >>> from datetime import date
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> stream = MemoryStream("table 7")
    >>> recorder = Recorder.begin(stream, new_header(rules, "by hand"))
    >>> session = TableSession(rules, record=recorder, clock=SteppedClock())
    >>> session.execute(acts.OpenTable(5_000_000, "Lee", "Ray", date(2011, 2, 22)))[0].dealer
    'Lee'
    >>> stream.count, recorder.sequence, len(recorder.head)
    (2, 1, 64)
    """

    def __init__(
        self, stream: Stream, opening: LogHeader, header: str, sequence: int, head: str
    ) -> None:
        self.stream: Final = stream
        self.opening: Final = opening.stream
        """What the header names this table and this opening: its ``stream``."""
        self.header: Final = header
        """The seal of the header."""
        self.before: Final = opening.before
        """How many entries came before, in the logs that this one continues."""
        self.every = SNAPSHOT_EVERY
        self.dealer: Callable[[Position], object] = lambda _: True
        """What a dealer needs to go on from a position; nothing true where that is no moment."""
        self.snapped = sequence
        """The entry that the last snapshot follows, or that this began with."""
        self._snapshot_size = 0
        self._position: Position | None = None
        self.sequence = sequence
        """The number of the last durable entry."""
        self.head = head
        """The seal of the last durable line: whoever keeps it can hold the log to it."""

    @classmethod
    def begin(cls, stream: Stream, header: LogHeader) -> Recorder:
        """Write the header of a new stream. Raises ``StoreError`` if that cannot be done."""
        line, head = seal(header_body(header))
        stream.append(0, [line])
        return cls(stream, header, head, header.before, head)

    def __call__(self, proposals: Sequence[Proposal]) -> None:
        """Make proposals durable, all or none. Raises ``StoreError`` if that cannot be done."""
        lines, head = [], self.head
        for proposal in proposals:
            line, head = sealed_entry(head, proposal)
            lines.append(line)
        if proposals and proposals[0].after.sequence != self.sequence + 1:
            raise StoreError(
                f"{self.stream.name}: entry {proposals[0].after.sequence} cannot follow entry"
                f" {self.sequence}"
            )
        self.stream.append(self.count + 1, lines)
        self.sequence += len(lines)
        self.head = head
        if proposals:
            self._position = proposals[-1].after
            if is_due(self.sequence - self.snapped, self.every, self._snapshot_size):
                self._snap()

    @property
    def count(self) -> int:
        """How many entries of this log are durable."""
        return self.sequence - self.before

    def _snap(self) -> None:
        """Keep a snapshot of where the record stands, if the dealer could go on from here."""
        if self._position is not None and (dealer := self.dealer(self._position)):
            line = snapshot(self.header, self._position, self.head, dealer)
            self.stream.keep(line)
            self.snapped, self._snapshot_size = self.sequence, len(line)

    def finish(self) -> str:
        """Write the last line, after which nothing follows, and return its seal."""
        line, head = seal(last_body(self.sequence, self.head))
        self.stream.append(self.count + 1, [line])
        self.head = head
        self._position = None
        self.stream.keep(None)
        return head

    def close(self) -> None:
        """Let go of the stream; one that is long enough has a snapshot of its end then."""
        if self.count >= self.every:
            self._snap()
        self.stream.close()
