"""Recorders of a table in use, or dealt again: proposals are durable before they are accepted."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final

from croupier.records.entry import last_body, seal, sealed_entry
from croupier.records.header import LogError, LogHeader, header_body
from croupier.records.stores.snapshot import Snapshot, is_due, snapshot
from croupier.records.stores.stream import StoreError, Stream
from croupier.table.machine.position import Position, Proposal

SNAPSHOT_EVERY: Final = 1000
"""Minimum entries between snapshots, which opening a record must follow again."""


class Recorder:
    """The ``record`` of a ``TableSession``. If its stream fails, it does not change."""

    def __init__(
        self, stream: Stream, opening: LogHeader, header: str, sequence: int, head: str
    ) -> None:
        self.stream: Final = stream
        self.opening: Final = opening.stream
        """The header's ``stream``, unique to this table and opening."""
        self.header: Final = header
        """The seal of the header."""
        self.before: Final = opening.before
        """Number of entries in the logs that this one continues."""
        self.every = SNAPSHOT_EVERY
        self.dealer: Callable[[Position], object] = lambda _: True
        """Returns the dealer's state for continuing from a position; falsy if it has none there."""
        self.snapped = sequence
        """The entry that the last snapshot follows, or the first entry known."""
        self._snapshot_size = 0
        self._position: Position | None = None
        self.sequence = sequence
        """The number of the last durable entry."""
        self.head = head
        """The seal of the last durable line.

        A saved copy of it exposes later changes to the log.
        """

    @classmethod
    def begin(cls, stream: Stream, header: LogHeader) -> Recorder:
        """Write the header, or close the stream. Raises ``StoreError``."""
        line, head = seal(header_body(header))
        try:
            stream.append(0, [line])
        except BaseException:
            stream.close()
            raise
        return cls(stream, header, head, header.before, head)

    def __call__(self, proposals: Sequence[Proposal]) -> None:
        """Make proposals durable, all or none. Raises ``StoreError``."""
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
        """Entries of this log."""
        return self.sequence - self.before

    def _snap(self) -> None:
        if self._position is not None and (dealer := self.dealer(self._position)):
            line = snapshot(self.header, self._position, self.head, dealer)
            self.stream.keep(line)
            self.snapped, self._snapshot_size = self.sequence, len(line)

    def finish(self) -> str:
        line, head = seal(last_body(self.sequence, self.head))
        self.stream.append(self.count + 1, [line])
        self.head = head
        self._position = None
        self.stream.keep(None)
        return head

    def close(self) -> None:
        """Close the stream; save a snapshot of a long one."""
        if self.count >= self.every:
            self._snap()
        self.stream.close()


class Continuation:
    """The ``record`` of a table dealt again. Raises ``LogError`` at the first difference."""

    def __init__(self, recorder: Recorder, snapshot: Snapshot | None = None) -> None:
        entry_count = 0 if snapshot is None else snapshot.position.sequence - recorder.before
        self._recorder: Final = recorder
        self._recorded: Final[Generator[bytes]] = recorder.stream.lines(entry_count + 1)
        self._previous = recorder.header if snapshot is None else snapshot.head
        self._left = recorder.count - entry_count

    def __call__(self, proposals: Sequence[Proposal]) -> None:
        repeats = proposals[: self._left]
        for proposal in repeats:
            line, self._previous = sealed_entry(self._previous, proposal)
            if line != next(self._recorded):
                raise LogError(
                    f"{self._recorder.stream.name}: entry {proposal.after.sequence} differs from "
                    "what these options deal: resume with the options that the log was begun "
                    "with"
                )
        self._left -= len(repeats)
        if not self._left:
            self._recorded.close()
        if additions := proposals[len(repeats) :]:
            self._recorder(additions)
