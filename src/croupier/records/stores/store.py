"""Stores: records of many tables, and a service's other data, in a database.

An append states its owner's epoch, so a relieved owner can write nothing more. Small data, such as
grants, are *documents*. What every store does by the same SQL is here, ``?`` standing for a value.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self

from croupier.records.stores.stream import PositionError, StoreError

COPIED: Final = ("store", "copied")
"""Kind and name of the document that marks a copy; a copy's grants are void once it is served."""
LEARNED: Final = """
create table learned (
  pit text not null,
  person text not null,
  law text not null,
  clause text not null,
  box integer not null,
  due text not null,
  primary key (pit, person, law, clause)
)"""
"""Table of learned clauses by pit and person; each store adds its ending."""
FORGOTTEN: Final = "create index if not exists answer_forgotten on answer (at) where not kept"
"""Index of the answers that are removed in time; without it each removal reads all answers.

Every layout with answers may have it: it is made when a service opens a store.
"""
_PAGE: Final = 500
"""Lines read at a time: a long read would block checkpoints of SQLite's write-ahead log."""
_OF_STREAM: Final = ("refusal", "answer", "lease", "snapshot", "line")

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of the tables' columns."""


class FullError(StoreError):
    """No space is left."""


class FencedError(StoreError):
    """An append by a former owner of the stream."""


class UnreachableError(StoreError):
    """The store does not answer."""


class LostError(UnreachableError):
    """The store was removed, replaced, or truncated; reopen it to store more."""


class InDoubtError(UnreachableError):
    """The store went away during a write of unknown outcome."""


class KeyTakenError(StoreError):
    """An idempotency key that already has an answer."""


class Answer(NamedTuple):
    """``at`` is in milliseconds since 1970; ``forget`` removes answers not ``kept``."""

    grant: str
    key: str
    digest: bytes
    status: int
    body: bytes
    at: int
    kept: bool = True


class RefusalKept(NamedTuple):
    """A refusal, for surveillance and the floor; ``at`` as in ``Answer``."""

    at: int
    grant: str
    code: str
    command: str


class Learned(NamedTuple):
    """A person's progress with a clause; ``due`` is an ISO 8601 date."""

    pit: str
    person: str
    law: str
    clause: str
    box: int
    due: str


class Append(NamedTuple):
    """Lines for a stream after ``expected`` ones; those of one ``unit``, if not 0, all or none."""

    name: str
    expected: int
    lines: Sequence[bytes]
    epoch: int = 0
    answers: Sequence[Answer] = ()
    refused: Sequence[RefusalKept] = ()
    unit: int = 0


def units_of(appends: Iterable[Append]) -> list[list[Append]]:
    units: dict[object, list[Append]] = {}
    for append in appends:
        units.setdefault(append.unit or (append.name,), []).append(append)
    return [*units.values()]


class Lease(NamedTuple):
    """Owner of a stream until a time in milliseconds; every take-over increments ``epoch``."""

    owner: str
    address: str
    epoch: int
    until: int


def add_rows(rows: Rows, append: Append, stream: int, count: int) -> None:
    lines = enumerate(append.lines, count)
    rows["line"] += [(stream, number, append.epoch, line) for number, line in lines]
    rows["answer"] += [(stream, *answer) for answer in append.answers]
    rows["refusal"] += [(stream, *refusal) for refusal in append.refused]


def _columns_in(steps: str) -> Mapping[str, list[str]]:
    """Return the columns of tables by the statements that create them."""
    found = {}
    for table, text in re.findall(r"create table (\w+) \(([^;]*)\)[^;)]*;", steps):
        firsts = [part.split()[0] for part in re.sub(r"\([^()]*\)", "", text).split(",")]
        found[table] = [one for one in firsts if one not in {"constraint", "primary", "unique"}]
    return found


class SqlReader:
    _newest = "rowid"
    """The column by which a later refusal of the same time comes first."""
    _lacking = ""
    _steps: Sequence[str] = ()
    _columns = ""
    """Query of the columns of a table, in order."""
    has_service = True
    """Whether it has what a service adds to lines: epochs, leases, answers, and documents."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self._ids: dict[str, int] = {}

    def _rows(self, query: str, *values: object) -> list[Any]:
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, ...]:
        """Stream names in order of creation."""
        return tuple(self._ids)

    def _id(self, name: str) -> int:
        if name not in self._ids and name not in self.names:
            names = ", ".join(self._ids) or "none"
            raise StoreError(f"{self.path}: no record is named {name}; it contains {names}")
        return self._ids[name]

    def lacking(self) -> list[str]:
        """Name what no longer keeps lines from being changed, deleted, or stored twice."""
        names = [name for (name,) in self._rows(self._lacking)]
        for table, columns in _columns_in("".join(self._steps)).items():
            found = [column for (column,) in self._rows(self._columns, table)]
            if found and found != columns:
                names.append(f"columns of table {table}")
        return names

    def count(self, name: str) -> int:
        query = "select coalesce(max(number) + 1, 0) from line where stream = ?"
        return int(self._rows(query, self._id(name))[0][0])

    def lines(self, name: str, start: int = 0, end_line: int | None = None) -> Generator[bytes]:
        for (line,) in self._pages("content", name, start, end_line):
            if not isinstance(line, bytes):
                raise StoreError(f"{self.path}: {name}: its lines are not stored as bytes")
            yield line

    def written(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield lines with the epochs of their owners; a line without an owner has 0."""
        return self._pages("epoch, content", name)

    def _pages(
        self, columns: str, name: str, start: int = 0, end_line: int | None = None
    ) -> Iterator[Any]:
        stream = self._id(name)
        query = (
            f"select {columns} from line where stream = ? and number >= ? and number < ?"  # noqa: S608  (our names)
            " order by number"
        )
        while end_line is None or start <= end_line:
            end = start + _PAGE if end_line is None else min(end_line + 1, start + _PAGE)
            rows = self._rows(query, stream, start, end)
            yield from rows
            start += len(rows)
            if start < end:
                return

    def look_again(self) -> None:
        """Read what is stored now, where what is read is that of one instant."""

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        rows = self._rows(
            "select grant_name, key, digest, status, body, at, kept from answer"
            " where stream = ? and grant_name = ? and key = ?",
            *(self._id(name), grant, key),
        )
        return Answer(*rows[0]) if rows else None

    def answered(self, name: str) -> set[str]:
        """Return the keys of answers that are kept as long as the record."""
        query = "select key from answer where stream = ? and kept"
        return {key for (key,) in self._rows(query, self._id(name))}

    def refused(self, name: str, limit: int = 100) -> tuple[RefusalKept, ...]:
        """Return a table's latest refusals, newest first."""
        rows = self._rows(
            "select at, grant_name, code, command from refusal where stream = ?"  # noqa: S608  (our names)
            f" order by at desc, {self._newest} desc limit ?",
            *(self._id(name), limit),
        )
        return tuple(starmap(RefusalKept, rows))

    def snapshot(self, name: str) -> bytes | None:
        rows = self._rows("select content from snapshot where stream = ?", self._id(name))
        return rows[0][0] if rows else None

    def lease(self, name: str) -> Lease | None:
        """Return the lease of a stream, if it ever had an owner."""
        rows = self._rows(
            "select owner, address, epoch, until from lease where stream = ? and epoch > 0",
            self._id(name),
        )
        return Lease(*rows[0]) if rows else None

    def document(self, kind: str, name: str) -> bytes | None:
        rows = self._rows("select content from document where kind = ? and name = ?", kind, name)
        return rows[0][0] if rows else None

    def documents(self, kind: str) -> Mapping[str, bytes]:
        """Return the documents of a kind by name, oldest first."""
        query = "select name, content from document where kind = ? order by id"
        return dict(self._rows(query, kind))

    def learned(self, pit: str, person: str | None = None) -> tuple[Learned, ...]:
        query = "select pit, person, law, clause, box, due from learned where pit = ?"
        if person is None:
            rows = self._rows(query, pit)
        else:
            rows = self._rows(f"{query} and person = ?", pit, person)
        return tuple(sorted(starmap(Learned, rows)))


class Cursor(Protocol):
    def execute(self, query: str, values: Sequence[object] = (), /) -> Any: ...

    def executemany(self, query: str, rows: Sequence[Sequence[object]], /) -> Any: ...


class Store(SqlReader, ABC):
    """The records of many tables. Raises ``StoreError``.

    ``commit``, ``keep``, ``create``, ``discard``, ``take``, ``renew``, ``put``, ``learn``, and
    ``forget`` write: call them from one thread at a time. Other methods may be called from any.
    """

    is_shared: bool
    """Whether other processes may also write to it."""

    @abstractmethod
    def create(self, name: str) -> StoredStream: ...

    def open(self, name: str) -> StoredStream:
        self._id(name)
        return StoredStream(self, name)

    @abstractmethod
    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        """Make appends durable, each unit's all or none; return errors by stream.

        Raises ``StoreError``, or ``InDoubtError`` if the outcome of the transaction is unknown.
        """

    def _one_by_one(self, appends: Sequence[Append]) -> dict[str, StoreError]:
        """Commit each unit by itself; one that fails takes nothing of the others with it."""
        failed: dict[str, StoreError] = {}
        for unit in units_of(appends):
            try:
                failed |= self.commit(unit)
            except StoreError as error:
                failed |= {append.name: error for append in unit}
        return failed

    def _gathered(
        self, appends: Sequence[Append], streams: Mapping[str, list[int]]
    ) -> tuple[Rows, dict[str, StoreError]]:
        """Rows of the units that may be stored, and the errors of the others."""
        errors: dict[str, StoreError] = {}
        rows: Rows = defaultdict(list)
        for unit in units_of(appends):
            counts = {item.name: streams[item.name][2] for item in unit if item.name in streams}
            if failure := next(self._wrong(unit, streams, counts, errors), None):
                name, error = failure
                with_it = StoreError(f"{name}, with which it is stored, could not be: {error}")
                errors |= dict.fromkeys((item.name for item in unit), with_it) | {name: error}
                continue
            for item in unit:
                stream, _, count = streams[item.name]
                streams[item.name][2] = count + len(item.lines)
                add_rows(rows, item, stream, count)
        return rows, errors

    def _wrong(
        self,
        unit: Sequence[Append],
        streams: Mapping[str, Sequence[int]],
        counts: dict[str, int],
        errors: Mapping[str, StoreError],
    ) -> Iterator[tuple[str, StoreError]]:
        for append in unit:
            place = f"{self.path}, {append.name}"
            if append.name in errors:
                yield append.name, errors[append.name]
            elif append.name not in streams:
                yield append.name, StoreError(f"{self.path}: no record is named {append.name}")
            elif append.epoch and append.epoch != streams[append.name][1]:
                yield (
                    append.name,
                    FencedError(f"{place}: another process owns this table now"),
                )
            elif append.expected != counts[append.name]:
                yield append.name, PositionError(place, append.expected, counts[append.name])
            else:
                counts[append.name] += len(append.lines)

    @abstractmethod
    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        """Take a stream; if ``free``, only an unowned one or the owner's. Return its epoch or 0."""

    @abstractmethod
    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        """Renew an owner's leases, and return the epochs by stream."""

    @abstractmethod
    def now(self) -> int:
        """Return the store's clock for leases, in milliseconds since 1970."""

    @abstractmethod
    def check(self) -> None:
        """Raise ``LostError`` if the store is not the one opened.

        Raises ``UnreachableError`` if it does not answer. Call it from the writing thread.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the store."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Cursor]: ...

    def _announce(self, cursor: Cursor, news: str) -> None:
        """Tell other processes, within the transaction, what was written."""

    def discard(self, name: str) -> None:
        """Remove a stream without entries."""
        stream = self._id(name)
        with self._transaction() as cursor:
            for table in _OF_STREAM:
                cursor.execute(f"delete from {table} where stream = ?", (stream,))  # noqa: S608  (our names)
            cursor.execute("delete from stream where id = ?", (stream,))
        del self._ids[name]

    def keep(self, name: str, snapshot: bytes | None) -> None:
        """Save or remove a snapshot of a stream. Failures are ignored."""
        with suppress(StoreError):
            stream = self._id(name)
            with self._transaction() as cursor:
                if snapshot is None:
                    cursor.execute("delete from snapshot where stream = ?", (stream,))
                else:
                    cursor.execute(
                        "insert into snapshot values (?, ?) on conflict (stream)"
                        " do update set content = excluded.content",
                        (stream, snapshot),
                    )

    def put(self, kind: str, name: str, content: bytes | None) -> bool:
        """Save or remove a document; return whether it existed."""
        with self._transaction() as cursor:
            if content is None:
                query = "delete from document where kind = ? and name = ?"
                was_there = bool(cursor.execute(query, (kind, name)).rowcount)
            else:
                inserted_count = cursor.execute(
                    "insert into document (kind, name, content) values (?, ?, ?)"
                    " on conflict (kind, name) do nothing",
                    (kind, name, content),
                ).rowcount
                was_there = not inserted_count
                if was_there:
                    query = "update document set content = ? where kind = ? and name = ?"
                    cursor.execute(query, (content, kind, name))
            self._announce(cursor, f"document {kind} {name}")
        return was_there

    def learn(self, rows: Sequence[Learned], *, instead: tuple[str, str] | None = None) -> None:
        """Save learned clauses, ``instead`` of all others of a pit and a person if named."""
        with self._transaction() as cursor:
            if instead is not None:
                cursor.execute("delete from learned where pit = ? and person = ?", instead)
            cursor.executemany(
                "insert into learned (pit, person, law, clause, box, due)"
                " values (?, ?, ?, ?, ?, ?) on conflict (pit, person, law, clause)"
                " do update set box = excluded.box, due = excluded.due",
                rows,
            )

    def forget(self, time: int) -> None:
        """Remove refusals from before a time in milliseconds."""
        with self._transaction() as cursor:
            cursor.execute("delete from answer where not kept and at < ?", (time,))
            cursor.execute("delete from refusal where at < ?", (time,))


class StoredStream:
    """A record of a store, which it closes if it ``owns`` it."""

    def __init__(self, store: Store, name: str, *, owns: bool = False) -> None:
        self.store: Final = store
        self.name: Final = name
        self._owns: Final = owns

    @property
    def count(self) -> int:
        return self.store.count(self.name)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        failures = self.store.commit([Append(self.name, expected, lines)])
        if self.name in failures:
            raise failures[self.name]

    def lines(self, start: int = 0) -> Generator[bytes]:
        return self.store.lines(self.name, start)

    def snapshot(self) -> bytes | None:
        return self.store.snapshot(self.name)

    def keep(self, snapshot: bytes | None) -> None:
        self.store.keep(self.name, snapshot)

    def discard(self) -> None:
        try:
            self.store.discard(self.name)
        finally:
            self.close()

    def close(self) -> None:
        if self._owns:
            self.store.close()
