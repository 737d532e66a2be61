"""Continuation of a record by a seeded dealer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from croupier.records.entry import sealed_entry
from croupier.records.header import LogError
from croupier.records.recorder import Recorder
from croupier.records.stores.snapshot import Snapshot
from croupier.table.machine.position import Proposal


class Continuation:
    """The ``record`` of a table dealt again. Raises ``LogError`` at the first difference."""

    def __init__(self, recorder: Recorder, snapshot: Snapshot | None = None) -> None:
        before = 0 if snapshot is None else snapshot.position.sequence - recorder.before
        self._recorder: Final = recorder
        self._recorded: Final[Generator[bytes]] = recorder.stream.lines(before + 1)
        self._previous = recorder.header if snapshot is None else snapshot.head
        self._left = recorder.count - before

    def __call__(self, proposals: Sequence[Proposal]) -> None:
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
