"""Making of the index of a log, while its chain is checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from croupier import acts
from croupier.records.chain import Link
from croupier.records.entry import LoggedEntry, moment
from croupier.records.explanation import QUESTIONS, ends_round
from croupier.records.export.tables import LogTables
from croupier.records.header import LogError, LogHeader
from croupier.records.indexing import LogIndex, Mark, keep_index, state_of
from croupier.records.log import IMPOSSIBLE, stepped
from croupier.records.stores.snapshot import snapshot
from croupier.records.view.projection import results_after
from croupier.table.machine.position import Position

if TYPE_CHECKING:
    from croupier.records.view.documents import ResultSeen

APART: Final = 1000
"""Entries after which the next shoe gets a mark."""
_FURTHEST: Final = 5000
"""Entries after which the next end of a round gets one, with the rounds of its shoe."""


class IndexBuilder:
    def __init__(
        self, path: Path, header: LogHeader, seal: str, base: tuple[LogIndex, Any] | None = None
    ) -> None:
        self._path: Final = path
        self._tables = LogTables(header, ())
        self._position: Position | None = header.opening
        self._results: list[ResultSeen] = []
        self._in_question: list[int] = []
        if base is None:
            start = Link.after(header.opening, seal)
            start_mark = Mark(0, 0, start.sequence, seal, start.at, b"", [], self._tables.state)
            self.index, self._digest = LogIndex(seal, [], marks=[start_mark]), hashlib.sha256()
        else:
            self.index, self._digest = base
            mark = self.index.marks[-1]
            mark.numbers, mark.ends, mark.in_question = [], [], []
            self._position = mark.opening(seal, header)
            self._results = mark.results
            self._tables = LogTables(header, (), mark.tables)
        self.index.state, self.index.made_at = state_of(path), moment(datetime.now(UTC))
        self._line, self._offset = self.index.marks[-1].line, self.index.marks[-1].offset
        self._ended: tuple[Mark, Position, Any] | None = None

    def counted(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        for line in lines:
            self._digest.update(line)
            self._offset += len(line)
            self._line += 1
            yield line

    def note(self, entry: LoggedEntry | None, link: Link) -> None:
        """Follow an entry; a log with an entry that cannot happen gets no index."""
        if entry is None or self._position is None:
            return
        loads = any(isinstance(event, acts.ShoeLoaded) for event in entry.events)
        count = self._ended and self._ended[0].sequence - self.index.marks[-1].sequence
        if count and count >= (APART if loads else _FURTHEST):
            self._mark(keeps_settled=not loads)
        try:
            step = stepped(str(self._path), self._position, entry)
            self._results = results_after(self._results, step)
        except (LogError, *IMPOSSIBLE):
            self._position = None
            return
        self._tables.follow(entry)
        self._in_question += [
            self._tables.round_of(event) for event in entry.events if isinstance(event, QUESTIONS)
        ]
        # Rounds of shoes before this one are for deciding corrections alone.
        house = replace(step.after.house, earlier=())
        self._position = replace(step.after, house=house)
        if any(map(ends_round, entry.events)):
            mark = self.index.marks[-1]
            mark.numbers.append(self._tables.state.round)
            mark.ends.append(entry.at)
            mark.in_question += self._in_question
            self._in_question = []
            place = Mark(
                self._line, self._offset, link.sequence, link.seal, link.at, b"",
                self._results, self._tables.state,
            )  # fmt: skip
            self._ended = place, self._position, self._digest.copy()

    def _mark(self, *, keeps_settled: bool) -> None:
        if self._ended is None:
            return
        mark, position, digest = self._ended
        if not keeps_settled:
            position = replace(position, house=replace(position.house, settled={}))
        mark.position = snapshot(self.index.header, position, mark.seal)
        self.index.marks.append(mark)
        self.index.prefix = digest.hexdigest()
        self._ended = None

    def end(self, link: Link, torn_line: int | None) -> LogIndex | None:
        """Return the index, which is written if possible."""
        self.index.end, self.index.torn = link, torn_line
        self.index.marks[-1].in_question += self._in_question
        if self._position is None or not self.index.prefix:
            return None
        keep_index(self._path, self.index)
        return self.index
