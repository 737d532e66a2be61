"""Table logs as files: reading, creating, and resuming."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from croupier.acts import Command
from croupier.files.errors import FileError
from croupier.files.lines import check_text_file, line_blocks
from croupier.law.folders import with_folder
from croupier.records.carried import Carried, carried_over, under_rules, under_way
from croupier.records.chain import Link, decode_entry, read_log_header
from croupier.records.entry import EntryHead, LoggedEntry, entry_head, sha256, stamp_of, unseal
from croupier.records.header import LogError, LogHeader, last_day, name_of_day, new_header
from croupier.records.recorder import Recorder
from croupier.records.stores import places
from croupier.records.stores.snapshot import Snapshot, read_snapshot
from croupier.records.stores.stream import StoreError, Stream
from croupier.rules import TableRules
from croupier.table.machine.core import Events
from croupier.table.machine.position import Position, Proposal, advanced, at_moment
from croupier.table.machine.session import Answered, Clock, Listener, TableSession

_UNNAMED: Final = "table 1"
_NO_KEY: Final = b',"key":null,"corrects":'
"""Bytes after the actors in an entry without a key; they cannot occur in a string."""


class LogLines:
    """The lines of a log, decompressed; ``torn`` is the number of an incomplete last one.

    Iterating raises ``LogError`` for another file, or a changed copy of a log. It begins after
    ``line`` lines, which have ``offset`` bytes.
    """

    def __init__(
        self, path: Path, table: str | None = None, line: int = 0, offset: int = 0
    ) -> None:
        self.path: Final = path
        self.table: Final = table
        self.torn: int | None = None
        self._begin: Final = line, offset

    def __iter__(self) -> Iterator[bytes]:
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterable[bytes]]:
        path, number = self.path, self._begin[0]
        with _log_errors():
            places.check_table(path, self.table)
            if places.is_store(path):
                for line in places.record_lines(path, self.table, number):
                    number += 1
                    yield (line,)
            else:
                check_text_file(path)
                for number, lines in line_blocks(path, *self._begin):
                    if number == 1:
                        _check_copy(path, lines[0])
                    if lines[0].endswith(b"\n"):
                        yield lines
                    elif number == 1:
                        raise LogError(f"{path}:1: the log is truncated in its header")
                    else:
                        self.torn = number
        if number == 0:
            raise LogError(f"{path}: the log is empty")


@contextmanager
def _log_errors() -> Iterator[None]:
    try:
        yield
    except (StoreError, FileError) as error:
        raise LogError(str(error)) from error


def _check_copy(path: Path, line: bytes) -> None:
    faults = {
        "begins with a byte order mark (BOM)": line.startswith(codecs.BOM_UTF8),
        "has CRLF line endings": line.endswith(b"\r\n"),
    }
    for fault, is_fault in faults.items():
        if is_fault:
            raise LogError(
                f"{path}:1: this copy of a log {fault}; a log is hashed byte for byte: copy it"
                " unchanged, in binary mode, or remove what was added"
            )


def begin_log(  # noqa: PLR0913  (what a log is begun with)
    path: Path,
    rules: TableRules,
    *,
    shuffle: str,
    table: str | None = None,
    reads: Iterable[Path] = (),
    replace: bool = False,
    continues: Carried | None = None,
    with_law: bool = False,
) -> tuple[Recorder, Stream]:
    """Create the log of a table and write its header. Raises ``LogError``.

    In a store, ``table`` names the record. A file is replaced only with ``replace``, those in
    ``reads`` never.
    """
    if path.suffix == ".gz":
        raise LogError(
            f"{path}: a log is written uncompressed: name it without .gz and compress it afterward"
        )
    with _log_errors():
        places.check_table(path, table)
        name = table or rules.submission.layout.table or _UNNAMED
        if continues is not None and places.is_store(path) and path.exists():
            name = name_of_day(name, last_day(name, places.names_in(path)) + 1)
        header = new_header(rules, shuffle, continues=continues, with_law=with_law)
        stream = places.create_stream(path, name, reads=reads, replace=replace)
        return Recorder.begin(stream, header), stream


class Resumed(Struct):
    """The end of a record; ``seal`` is the header's."""

    header: LogHeader
    seal: str
    position: Position
    head: str
    snapshot: Snapshot | None = None
    closed: bool = False

    def recorder(self, stream: Stream) -> Recorder:
        return Recorder(stream, self.header, self.seal, self.position.sequence, self.head)

    def session(self, recorder: Recorder, clock: Clock, *listeners: Listener) -> TableSession:
        return TableSession(
            self.header.rules,
            *listeners,
            record=recorder,
            clock=clock,
            position=self.position,
            answered=self.answered(recorder),
        )

    def answered(self, recorder: Recorder) -> Answered:
        return _Answered(recorder.stream, recorder.count)


class _Answered:
    def __init__(self, stream: Stream, entries: int) -> None:
        self._stream: Final = stream
        self._entries: Final = entries
        self._keys: set[str] | None = None

    def __call__(self, key: str) -> tuple[Command, Events] | None:
        if self._keys is None:
            self._keys = {head.key for head in self._keyed() if head.key is not None}
        if key not in self._keys:
            return None
        entry = decode_entry(next(head for head in self._keyed() if head.key == key))
        return entry.command, entry.events

    def _keyed(self) -> Iterator[EntryHead]:
        for line in islice(self._stream.lines(1), self._entries):
            if _NO_KEY not in line:
                head = entry_head(line)
                if head is not None:
                    yield head


def resume(stream: Stream, *, is_whole: bool = False) -> Resumed:
    """Follow a record, from its last snapshot unless ``is_whole``. Raises ``LogError``."""
    name = stream.name
    header_line = next(stream.lines(), None)
    if header_line is None:
        raise LogError(f"{name}: the log is empty")
    state = begun(name, header_line)
    header, saved = state.header, None if is_whole else stream.snapshot()
    snapshot = None if saved is None else read_snapshot(saved, state.seal, header.rules)
    if snapshot is not None and _fits(stream, snapshot, header.before):
        state.snapshot, state.position, state.head = snapshot, snapshot.position, snapshot.head
    start = state.position.sequence - header.before + 1
    for number, line in enumerate(stream.lines(start), start=start + 1):
        follow_line(f"{name}:{number}", state, line)
    return state


def begun(name: Path | str, line: bytes) -> Resumed:
    """Start at a header. Raises ``LogError``."""
    header, digest, fault = read_log_header(name, line)
    if fault is not None:
        raise LogError(f"{name}:1: {fault}")
    if header.is_from_log:
        raise LogError(
            f"{name}:1: nothing goes on under a law that only this log has: name the folder of "
            f"{header.rules.law.id} {with_folder()}"
        )
    return Resumed(header, digest, header.opening, digest)


def _fits(stream: Stream, snapshot: Snapshot, first_entry: int) -> bool:
    number = snapshot.position.sequence - first_entry
    line = next(stream.lines(number), b"") if number > 0 else b""
    unsealed = unseal(line)
    if unsealed is None or unsealed[1] != snapshot.head or sha256(unsealed[0]) != unsealed[1]:
        return False
    head = entry_head(unsealed[0])
    return head is not None and head.seq == snapshot.position.sequence


def follow_line(place: str, resumed: Resumed, line: bytes) -> Proposal | None:
    """Advance; return the entry unless the line closes the log. Raises ``LogError``."""
    link = Link.after(resumed.position, resumed.head)
    link.closed = resumed.closed
    entry, fault = link.follow(line)
    if fault is not None:
        raise LogError(f"{place}: {fault}")
    resumed.head, resumed.closed = link.seal, link.closed
    if entry is None:
        return None
    step = stepped(place, resumed.position, entry)
    resumed.position = step.after
    return step


def stepped(place: str, position: Position, entry: LoggedEntry) -> Proposal:
    """Apply an entry without deciding it again. Raises ``LogError``."""
    try:
        return replayed(position, entry)
    except IMPOSSIBLE as error:
        name = type(entry.command).__name__
        raise LogError(
            f"{place}: the events recorded for {name} cannot happen here ({error!r}); run"
            " `croupier verify` to locate the error"
        ) from error


IMPOSSIBLE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
"""Exceptions raised by undecided events that refer to missing parts of a table."""


def unbookable(place: Path | str, line: int, error: Exception) -> LogError:
    return LogError(
        f"{place}:{line}: the amounts of this entry cannot be booked: {error}; run"
        " `croupier verify` to locate the error"
    )


def replayed(position: Position, entry: LoggedEntry) -> Proposal:
    """Apply an entry undecided. Raises ``ValueError``."""
    stamp = stamp_of(entry)
    time = datetime.fromisoformat(entry.at)
    if time.tzinfo is None:
        raise ValueError(f"{entry.at!r} is not a time in UTC")
    new_position = at_moment(position, time)
    next_position = advanced(new_position, entry.command, entry.events, stamp.by)
    return Proposal(position, entry.command, entry.events, next_position, stamp)


def ended_log(path: Path, table: str | None = None) -> Resumed:
    """Follow a log by its events, without a lock. Raises ``LogError``."""
    return ended_lines(path, LogLines(path, table))


def ended_lines(path: Path, lines: Iterable[bytes]) -> Resumed:
    lines = iter(lines)
    resumed = begun(path, next(lines, b""))
    for number, line in enumerate(lines, start=2):
        follow_line(f"{path}:{number}", resumed, line)
    return resumed


def carried_from(resumed: Resumed) -> Carried:
    """Return what a log carries over. Raises ``ValueError``."""
    if not resumed.closed:
        raise ValueError(
            "the log is still open, or was truncated: it has no last line, so nothing continues it"
        )
    if reason := under_way(resumed.position):
        raise ValueError(f"nothing continues the log: {reason}")
    return carried_over(resumed.header.stream, resumed.head, resumed.position)


def continued_record(path: Path, table: str | None, rules: TableRules) -> str | None:
    """Name a store's continued record. Raises ``LogError``."""
    with _log_errors():
        places.check_table(path, table)
        if not places.is_store(path):
            return None
        names = places.names_in(path)
    name = table or rules.submission.layout.table or _UNNAMED
    return name_of_day(name, last_day(name, names)) if name in names else table


def continued_log(path: Path, table: str | None, rules: TableRules) -> Carried:
    """Return what a log carries over into ``rules``. Raises ``LogError``."""
    try:
        carry = carried_from(ended_log(path, table))
    except LogError:
        raise
    except ValueError as error:
        raise LogError(f"{path}: {error}") from error
    try:
        return under_rules(carry, rules)
    except ValueError as error:
        raise LogError(
            f"{path}: this log ended under different rules: continue it with the submission and"
            f" the custom wagers that its table has by then ({error})"
        ) from error


def resume_log(path: Path, table: str | None = None) -> tuple[Resumed, Stream]:
    """Open a log, without a torn last line. Raises ``LogError``."""
    with _log_errors():
        stream = places.open_stream(path, table)
    return resume_stream(stream), stream


def resume_stream(stream: Stream, *, is_whole: bool = False) -> Resumed:
    """Follow an open record, or close its stream. Raises ``LogError``."""
    try:
        resumed = resume(stream, is_whole=is_whole)
    except BaseException:
        stream.close()
        raise
    if resumed.closed:
        stream.close()
        raise LogError(f"{stream.name}: the log is closed: its last line is written")
    return resumed


def followed_lines(path: Path, lines: Iterable[bytes]) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return a header and lazy steps; only the chain is checked. Raises ``LogError``."""
    lines = iter(lines)
    resumed = begun(path, next(lines))
    steps = (
        follow_line(f"{path}:{number}", resumed, line) for number, line in enumerate(lines, start=2)
    )
    return resumed.header, (step for step in steps if step is not None)


@contextmanager
def possible(claim: str) -> Iterator[None]:
    """Raise ``LogError`` for events that cannot have happened."""
    try:
        yield
    except LogError:
        raise
    except IMPOSSIBLE as error:
        raise LogError(f"{claim} ({error!r}); run `croupier verify` to locate the error") from error
