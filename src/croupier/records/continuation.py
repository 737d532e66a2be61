"""Goes on with a record that a seeded dealer began: what is dealt again must be what it holds."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from croupier.records.entry import sealed_entry
from croupier.records.header import LogError
from croupier.records.recorder import Recorder
from croupier.records.snapshot import Snapshot
from croupier.table.machine.position import Proposal


class Continuation:
    """The ``record`` of a table that is dealt again from its start or a snapshot, and then goes on.

    Entries that the stream holds already are compared, byte for byte; those after them are
    recorded. Raises ``LogError`` at the first that differs.
    """

    def __init__(self, recorder: Recorder, snapshot: Snapshot | None = None) -> None:
        before = 0 if snapshot is None else snapshot.position.sequence - recorder.before
        self._recorder: Final = recorder
        self._recorded: Final[Generator[bytes]] = recorder.stream.lines(before + 1)
        self._previous = recorder.header if snapshot is None else snapshot.head
        self._left = recorder.count - before

    def __call__(self, proposals: Sequence[Proposal]) -> None:
        """Compare proposals with the record, as far as it goes, and record the others."""
        again = proposals[: self._left]
        for proposal in again:
            line, self._previous = sealed_entry(self._previous, proposal)
            if line != next(self._recorded):
                raise LogError(
                    f"{self._recorder.stream.name}: entry {proposal.after.sequence} differs from "
                    "what these options deal: resume with the options that the log was begun "
                    "with"
                )
        self._left -= len(again)
        if not self._left:
            self._recorded.close()
        if fresh := proposals[len(again) :]:
            self._recorder(fresh)
