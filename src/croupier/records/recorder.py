"""The record of a table in use: every proposal becomes a sealed entry before it is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.records.entry import last_body, seal, sealed_entry
from croupier.records.header import LogHeader, header_body
from croupier.records.stream import StoreError, Stream
from croupier.table.position import Proposal

__all__ = ["Recorder"]


class Recorder:
    """Writes the proposals of a ``TableSession`` to a stream; its ``record``.

    Make it with ``begin`` for a new stream, or go on after what ``resume`` has read. If the stream
    fails, nothing has changed here either.

    >>> from croupier.records.clock import SteppedClock
    >>> from croupier.records.header import new_header
    >>> from croupier.records.stream import MemoryStream
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table import commands
    >>> from croupier.table.session import TableSession
    >>> from datetime import date
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> stream = MemoryStream("table 7")
    >>> recorder = Recorder.begin(stream, new_header(rules, "by hand"))
    >>> session = TableSession(rules, record=recorder, clock=SteppedClock())
    >>> session.execute(commands.OpenTable(5_000_000, "Lee", "Ray", "2011-02-22"))[0].dealer
    'Lee'
    >>> stream.count, recorder.sequence, len(recorder.head)
    (2, 1, 64)
    """

    def __init__(self, stream: Stream, sequence: int, head: str) -> None:
        self.stream: Final = stream
        self.sequence = sequence
        """How many entries are durable."""
        self.head = head
        """The seal of the last durable line: whoever keeps it can hold the log to it."""

    @classmethod
    def begin(cls, stream: Stream, header: LogHeader) -> Recorder:
        """Write the header of a new stream. Raises ``StoreError`` if that cannot be done."""
        line, head = seal(header_body(header))
        stream.append(0, [line])
        return cls(stream, 0, head)

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
        self.stream.append(self.sequence + 1, lines)
        self.sequence += len(lines)
        self.head = head

    def finish(self) -> str:
        """Write the last line, after which nothing follows, and return its seal."""
        line, head = seal(last_body(self.sequence, self.head))
        self.stream.append(self.sequence + 1, [line])
        self.head = head
        return head
