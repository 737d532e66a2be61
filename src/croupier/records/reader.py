"""Reader of table logs for display, which checks the chain first, and replay by entry."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.records.chain import AFTER_CLOSE, Link, decode_entry, read_log_header
from croupier.records.entry import LoggedEntry, body_of, entry_body, entry_head, stamp_of
from croupier.records.explanation import LoggedRound, ends_round, round_in_question
from croupier.records.export.tables import TablesState
from croupier.records.header import LogError, LogHeader, header_of
from croupier.records.indexing import LogIndex, Mark, Wanted, is_long, kept_index
from croupier.records.log import LogLines, stepped
from croupier.records.names import Names
from croupier.rules.documents import Count, Hash, Positive, Word
from croupier.table.machine.core import Events
from croupier.table.machine.position import Position, Proposal
from croupier.table.people.offices import Actor

_BLOCK: Final = 64
"""Lines that are checked together; more are slower, as their bytes exceed the processor's cache."""


class ChainFault(TypedDict):
    """A line that does not fit the chain."""

    line: Positive
    message: Word


class EntryInChain(TypedDict):
    """An entry, and the seal of its line or of the last line."""

    entry: Count
    sha256: Hash


class IndexedPart(TypedDict):
    """What was read of a log with an index."""

    made_at: Annotated[Word, "When the chain of the whole log was checked, and the index made."]
    first: Annotated[Count, "The first entry read and checked now."]
    last: Annotated[Count, "The last one."]


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
    index: Annotated[
        IndexedPart | None,
        "What was read, if an index gave the place; the chain of the rest is that of its making.",
    ]


class ChangedLogError(LogError):
    """A line changed since it was sealed, or since the chain was checked."""


def no_round(log: LogReader, number: int, last_number: int) -> LogError:
    last_number = last_number if log.index is None else log.index.last_round
    return LogError(
        f"{log.place}: there is no round {number}; the last one recorded is round {last_number}"
    )


class LogPart(NamedTuple):
    log: LogReader
    opening: Position
    entries: Callable[[], Iterator[tuple[int, LoggedEntry]]]
    results: Sequence[Any] = ()
    tables: TablesState | None = None

    def steps(self) -> Iterator[tuple[LoggedEntry, Proposal]]:
        """Yield entries with their steps. Raises ``LogError``."""
        position = self.opening
        for number, entry in self.entries():
            if position.sequence != entry.seq - 1:
                position = replace(position, sequence=entry.seq - 1)
            step = stepped(f"{self.log.place}:{number}", position, entry)
            position = step.after
            yield entry, step


class LogReader:
    """A table log with every fault of its chain. Raises ``LogError`` for an unreadable header.

    Without ``is_scanned`` the chain is checked only as entries are read, and ``ChangedLogError`` is
    raised at its first fault. Entries are shown with the ``names`` of patrons. Of a long log,
    ``parts`` gives those with ``wanted_rounds``; the rest of an indexed one is not read. With
    names the whole log is read, so that no index has a name.
    """

    def __init__(
        self,
        path: Path,
        table: str | None = None,
        *,
        is_scanned: bool = True,
        names: Names | None = None,
        wanted_rounds: Wanted | None = None,
    ) -> None:
        self.path: Final = path
        self.place: Final = str(path) if table is None else f"{path}: {table}"
        self._table: Final = table
        self._names: Final = names
        self._spans: list[tuple[Mark, Mark | None]] | None = None
        self.index: LogIndex | None = None
        self._part: IndexedPart | None = None
        self._lines: Final = LogLines(path, table)
        lines = iter(self._lines)
        self.header: LogHeader
        self.header, self._seal, fault = read_log_header(self.place, first_line := next(lines))
        if names is not None and (shown_line := names.shown(first_line)) != first_line:
            self.header = header_of(self.place, body_of(shown_line))
        self._link = Link.after(self.header.opening, self._seal)
        self._faults: Final = {} if fault is None else {1: fault}
        self._last = 1
        has_index = wanted_rounds is not None and names is None and fault is None and is_long(path)
        if has_index and wanted_rounds is not None and self._opens_part(wanted_rounds):
            return
        if not is_scanned:
            self._last = sys.maxsize
            if fault is not None:
                raise ChangedLogError(f"{self.place}:1: {fault}")
            return
        for number, _, found_fault in self._followed(self._link, lines):
            self._last = number
            if found_fault is not None:
                self._faults[number] = found_fault

    def _opens_part(self, wanted_rounds: Wanted) -> bool:
        """Open the wanted parts by an index; only an unbroken log has one."""
        stored_index = kept_index(self.path, self._table, self._seal)
        if stored_index is not None and stored_index[1] is None:
            index: LogIndex | None = stored_index[0]
        else:
            index = self._made(stored_index)
            stored_index = None if index is None or stored_index is None else stored_index
        if index is None:
            return False
        spans = [*index.spans(wanted_rounds)]
        if stored_index is not None:
            if not all(self._is_unchanged(index, *span) for span in spans):
                return False
            links = [index.end if next_mark is None else next_mark.link for _, next_mark in spans]
            self._part = {
                "made_at": index.made_at,
                "first": spans[0][0].sequence + 1 if spans else 0,
                "last": links[-1].sequence if spans else 0,
            }
        self.index, self._spans, self._link = index, spans, index.end
        self._lines.torn = index.torn
        self._last = sys.maxsize
        return True

    def _made(self, base: tuple[LogIndex, Any] | None) -> LogIndex | None:
        from croupier.records.index_building import IndexBuilder  # noqa: PLC0415  (of few logs)

        builder = IndexBuilder(self.path, self.header, self._seal, base)
        mark = builder.index.marks[-1]
        source = LogLines(self.path, self._table, mark.line, mark.offset)
        lines, link = builder.counted(iter(source)), mark.link
        if not mark.line:
            next(lines)
        for _, entry, fault in self._followed(link, lines, size=1):
            if fault is not None:
                return None
            builder.note(entry, link)
        return None if link.closed and source.torn else builder.end(link, source.torn)

    def _is_unchanged(self, index: LogIndex, mark: Mark, next_mark: Mark | None) -> bool:
        link, end = mark.link, index.end if next_mark is None else next_mark.link
        faults = [fault for _, _, fault in self._followed(link, self._between(mark, next_mark))]
        return not any(faults) and (link.sequence, link.seal) == (end.sequence, end.seal)

    def _between(self, mark: Mark, next_mark: Mark | None) -> Iterator[bytes]:
        source = LogLines(self.path, self._table, mark.line, mark.offset)
        start = int(not mark.line)  # The header.
        return islice(source, start, None if next_mark is None else next_mark.line - mark.line)

    def parts(self) -> Iterator[LogPart]:
        if self._spans is None:
            yield LogPart(self, self.header.opening, self.entries)
            return
        for mark, next_mark in self._spans:
            position = mark.opening(self._seal, self.header)
            entries = partial(self._entries_between, mark, next_mark)
            yield LogPart(self, position, entries, mark.results, mark.tables)

    def _entries_between(
        self, mark: Mark, next_mark: Mark | None
    ) -> Iterator[tuple[int, LoggedEntry]]:
        return self._read(mark.link, self._between(mark, next_mark), max(mark.line, 1))

    @property
    def is_broken(self) -> bool:
        return bool(self._faults)

    @property
    def is_open(self) -> bool:
        return not self._link.closed

    @property
    def torn(self) -> int | None:
        """The number of a torn last line."""
        return self._lines.torn

    def data(self) -> ChainOfLog:
        return {
            "chain": "broken" if self._faults else "intact",
            "faults": [{"line": number, "message": text} for number, text in self._faults.items()],
            "open": self.is_open,
            "torn_line": self.torn,
            "head": {"entry": self._link.sequence, "sha256": self._link.seal},
            "index": self._part,
        }

    def entries(self) -> Iterator[tuple[int, LoggedEntry]]:
        """Yield entries with line numbers. Raises ``LogError`` if the log has changed."""
        lines = iter(self._lines)
        _, seal, _ = read_log_header(self.place, next(lines))
        if seal != self._seal:
            raise ChangedLogError(f"{self.place}: the log was changed while it was read")
        yield from self._read(Link.after(self.header.opening, self._seal), lines)

    def _read(
        self, link: Link, lines: Iterator[bytes], last_line: int = 1
    ) -> Iterator[tuple[int, LoggedEntry]]:
        for number, entry, fault in self._followed(link, lines, last_line):
            if number > self._last:
                return
            if fault is not None and number not in self._faults:
                raise ChangedLogError(f"{self.place}:{number}: {fault}")
            if entry is not None:
                yield number, entry if self._names is None else _named(entry, self._names)

    def events(self) -> Iterator[Events]:
        return (entry.events for _, entry in self.entries())

    def steps(self) -> Iterator[tuple[LoggedEntry, Proposal]]:
        """Yield entries with their steps. Raises ``LogError``."""
        return LogPart(self, self.header.opening, self.entries).steps()

    def _followed(
        self, link: Link, lines: Iterator[bytes], last_line: int = 1, size: int = _BLOCK
    ) -> Iterator[tuple[int, LoggedEntry | None, str | None]]:
        """Follow lines in blocks of a size, after each of which ``link`` is at its end."""
        number = last_line
        try:
            for block in _blocks(lines, size):
                entries = link.follow_lines(block)
                for entry in entries:
                    number += 1
                    yield number, entry, None
                for line in block[len(entries) :]:
                    number, is_closed = number + 1, link.closed
                    yield number, *link.follow(line)
                    if is_closed:
                        return
        except LogError as error:
            place = f"{self.path}:{number + 1}: "
            yield number + 1, None, str(error).removeprefix(place)
        if link.closed and self.torn is not None:
            yield self.torn, None, AFTER_CLOSE


def _blocks(lines: Iterator[bytes], size: int) -> Iterator[list[bytes]]:
    block: list[bytes] = []
    try:
        for line in lines:
            block.append(line)
            if len(block) == size:
                yield block
                block = []
    except LogError:
        yield block
        raise
    yield block


def _named(entry: LoggedEntry, names: Names) -> LoggedEntry:
    place = entry.seq, entry.prev
    body = entry_body(place, entry.at, stamp_of(entry), entry.command, entry.events)
    head = None if (named_body := names.shown(body)) == body else entry_head(named_body)
    return entry if head is None else decode_entry(head)


class ReplayedEntry(Struct, frozen=True):
    sequence: int
    at: str
    by: tuple[Actor, ...]
    events: tuple[acts.Event, ...]
    before: Position
    after: Position


class ReplayedRound(Struct, frozen=True):
    """A round's entries, including those since the previous round, and ``later`` ones about it."""

    number: int
    entries: tuple[ReplayedEntry, ...]
    later: tuple[ReplayedEntry, ...] = ()

    @property
    def logged(self) -> LoggedRound:
        events = tuple(event for entry in self.entries for event in entry.events)
        return LoggedRound(self.number, events, self.entries[-1].before.rules)

    @property
    def corrections(self) -> list[acts.SettlementCorrected]:
        """The corrections of its settlement."""
        events = (event for entry in (*self.entries, *self.later) for event in entry.events)
        return [event for event in events if isinstance(event, acts.SettlementCorrected)]

    def corrected_cents(self, seat: int) -> int:
        """Return the change of a seat's net result by corrections, after vigorish."""
        differences = (one for event in self.corrections for one in event.differences)
        return sum(one.net_cents for one in differences if one.seat == seat)

    @property
    def decided(self) -> ReplayedEntry:
        """The entry that decides the round, before anything is collected."""
        for place, entry in enumerate(self.entries):
            if any(isinstance(event, _SETTLES) for event in entry.events):
                return self.entries[max(place - 1, 0)]
        return self.entries[-1]


_SETTLES = (acts.LosingWagersCollected, acts.StakesReleased, acts.RoundVoided, acts.LayoutCleared)


def replayed_round(log: LogReader, number: int, last: int | None = None) -> ReplayedRound:
    """Replay a round by its number, or by its last entry. Raises ``LogError``."""
    found: list[ReplayedRound] = []
    disputes: dict[int, int] = {}
    last_number = 0
    for part in log.parts():
        last_number = _replay(part, number, found, disputes) or last_number
    if last is not None:
        found = [round_ for round_ in found if round_.entries[-1].sequence == last]
    if not found:
        raise no_round(log, number, last_number)
    if len(found) > 1:
        times = ", ".join(round_.entries[-1].at for round_ in found)
        raise LogError(
            f"{log.place}: {len(found)} openings of the table have a round {number}, which ended"
            f" at {times}: choose one with --time"
        )
    return found[0]


def _replay(
    part: LogPart, number: int, found: list[ReplayedRound], disputes: dict[int, int]
) -> int:
    """Add the rounds of a number, and later entries to those found; return the last number."""
    entries: list[ReplayedEntry] = []
    round_number, last_number, ended = 0, 0, part.opening.sequence
    for logged_entry, step in part.steps():
        entry = ReplayedEntry(
            logged_entry.seq, logged_entry.at, step.stamp.by, step.events, step.before, step.after
        )
        settled = round_in_question(entry.events, disputes)
        if settled is not None and settled <= ended:
            for place, it in enumerate(found):
                if it.entries[0].sequence <= settled <= it.entries[-1].sequence:
                    found[place] = replace(it, later=(*it.later, entry))
            continue
        if any(isinstance(event, (acts.ShoeLoaded, acts.TableOpened)) for event in entry.events):
            entries.clear()
        entries.append(entry)
        for event in entry.events:
            if isinstance(event, acts.NoMoreBetsCalled):
                round_number = event.round
        if any(map(ends_round, entry.events)):
            if round_number == number:
                found.append(ReplayedRound(number, tuple(entries)))
            last_number, ended = round_number, entry.sequence
            entries.clear()
    return last_number
