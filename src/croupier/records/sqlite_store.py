"""Records of many tables in one SQLite file: write-ahead log, full synchronization, group commit.

One connection writes. SQLite before 3.51.3 can lose a write-ahead log that two connections of
different processes reset at once, so the store belongs to one process: a second one is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from croupier.files.lock import LockedError, lock
from croupier.records.stream import PositionError, StoreError

__all__ = ["Append", "SQLiteStore", "SQLiteStream"]

_VERSION: Final = 2
_SCHEMA: Final = """
create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null,
  content blob not null,
  primary key (stream, number)
) strict, without rowid;
create table snapshot (
  stream integer primary key references stream (id),
  content blob not null
) strict;
"""


class Append(NamedTuple):
    """Lines to be added to one stream, after as many lines as ``expected``."""

    name: str
    expected: int
    lines: Sequence[bytes]


class SQLiteStore:
    """The records of many tables in one file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with SQLiteStore(Path(folder) / "pit.sqlite") as pit:
    ...         stream = pit.create("table 7")
    ...         stream.append(0, [b"header", b"entry"])
    ...         pit.names, list(pit.open("table 7").lines())
    (('table 7',), [b'header', b'entry'])
    """

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._counts: dict[str, tuple[int, int]] = {}
        try:
            self._lock: int | None = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o666)
            lock(self._lock)
        except LockedError as error:
            raise StoreError(f"{path}: another process has this store open") from error
        except OSError as error:
            raise StoreError(f"{path}: it cannot be opened: {error.strerror}") from error
        try:
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (sqlite3.Error, StoreError) as error:
            self.close()
            raise StoreError(f"{path}: it cannot be opened: {error}") from error

    def _prepare(self) -> None:
        run = self.connection.execute
        run("pragma journal_mode = wal")
        run("pragma synchronous = full")
        run("pragma foreign_keys = on")
        version = run("pragma user_version").fetchone()[0]
        if version == 0:
            self.connection.executescript(
                f"begin; {_SCHEMA} pragma user_version = {_VERSION}; commit;"
            )
        elif version != _VERSION:
            raise StoreError(f"its layout is {version}, but this program reads {_VERSION}")
        rows = run(
            "select name, id, (select coalesce(max(number) + 1, 0) from line"
            " where stream = stream.id) from stream"
        )
        self._counts = {name: (stream, count) for name, stream, count in rows}

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every stream, in the order of their creation."""
        return tuple(sorted(self._counts, key=lambda name: self._counts[name][0]))

    def create(self, name: str) -> SQLiteStream:
        """Create the record of a table. Raises ``StoreError`` if there is one of that name."""
        if name in self._counts:
            raise StoreError(
                f"{self.path}: a record with that name exists: {name}; --table gives another name"
            )
        try:
            made = self.connection.execute("insert into stream (name) values (?)", (name,))
        except sqlite3.Error as error:
            raise self._unwritable(error) from error
        self._counts[name] = (made.lastrowid or 0, 0)
        return SQLiteStream(self, name)

    def open(self, name: str) -> SQLiteStream:
        """Open the record of a table. Raises ``StoreError`` if there is none of that name."""
        if name not in self._counts:
            held = ", ".join(self.names) or "none"
            raise StoreError(f"{self.path}: no record is named {name}; it contains {held}")
        return SQLiteStream(self, name)

    def count(self, name: str) -> int:
        """Return how many lines of a stream are durable."""
        return self._counts[name][1]

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        """Make the lines of several tables durable in one transaction, each table's all or none.

        Returns what went wrong, by table; the others are durable. Raises ``StoreError`` if the
        transaction fails, and with it all of them.
        """
        failed: dict[str, StoreError] = {}
        counts: dict[str, tuple[int, int]] = {}
        run = self.connection.execute
        try:
            run("begin immediate")
            for one in appends:
                stream, count = counts.get(one.name) or self._counts[one.name]
                if one.expected != count:
                    failed[one.name] = PositionError(
                        f"{self.path}, {one.name}", one.expected, count
                    )
                    continue
                rows = [(stream, count + place, line) for place, line in enumerate(one.lines)]
                self.connection.executemany("insert into line values (?, ?, ?)", rows)
                counts[one.name] = (stream, count + len(rows))
            run("commit")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                run("rollback")
            raise self._unwritable(error) from error
        self._counts |= counts
        return failed

    def lines(self, name: str, first: int = 0) -> Generator[bytes]:
        """Yield every durable line of a stream from number ``first`` on, in order."""
        stream, count = self._counts[name]
        found = self.connection.execute(
            "select content from line where stream = ? and number >= ? and number < ?"
            " order by number",
            (stream, first, count),
        )
        for (line,) in found:
            yield line

    def snapshot(self, name: str) -> bytes | None:
        """Return the snapshot of a stream, if there is one."""
        stream, _ = self._counts[name]
        found = self.connection.execute("select content from snapshot where stream = ?", (stream,))
        row: tuple[bytes] | None = found.fetchone()
        return None if row is None else row[0]

    def keep(self, name: str, snapshot: bytes | None) -> None:
        """Keep a snapshot of a stream, or none; one that cannot be written is not kept."""
        stream, _ = self._counts[name]
        with suppress(sqlite3.Error):
            if snapshot is None:
                self.connection.execute("delete from snapshot where stream = ?", (stream,))
            else:
                self.connection.execute(
                    "insert or replace into snapshot values (?, ?)", (stream, snapshot)
                )

    def discard(self, name: str) -> None:
        """Remove a stream that has no entry. Raises ``StoreError`` if that cannot be written."""
        stream, _ = self._counts.pop(name)
        run = self.connection.execute
        try:
            run("begin immediate")
            for table, key in (("snapshot", "stream"), ("line", "stream"), ("stream", "id")):
                run(f"delete from {table} where {key} = ?", (stream,))  # noqa: S608  (our names)
            run("commit")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                run("rollback")
            raise self._unwritable(error) from error

    def _unwritable(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self.path}: it cannot be written: {error}")

    def close(self) -> None:
        """Close the store; another process may open it then."""
        if hasattr(self, "connection"):
            with suppress(sqlite3.Error):
                self.connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SQLiteStream:
    """The record of one table in a store; with ``owns`` the store is closed with it."""

    def __init__(self, store: SQLiteStore, name: str, *, owns: bool = False) -> None:
        self.store: Final = store
        self.name: Final = name
        self._owns: Final = owns

    @property
    def count(self) -> int:
        """How many lines are durable."""
        return self.store.count(self.name)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Make lines durable, all or none. Raises ``StoreError``."""
        failed = self.store.commit([Append(self.name, expected, lines)])
        if self.name in failed:
            raise failed[self.name]

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every durable line from number ``first`` on, in order."""
        return self.store.lines(self.name, first)

    def snapshot(self) -> bytes | None:
        """Return the snapshot kept last, if there is one."""
        return self.store.snapshot(self.name)

    def keep(self, snapshot: bytes | None) -> None:
        """Keep a snapshot in place of the one before; or none."""
        self.store.keep(self.name, snapshot)

    def discard(self) -> None:
        """Remove the record from the store, and close."""
        self.store.discard(self.name)
        self.close()

    def close(self) -> None:
        """Close the store if it was opened for this table; else do nothing, as others use it."""
        if self._owns:
            self.store.close()
