"""Records of many tables in one SQLite file: WAL, full synchronization, group commit.

SQLite before 3.51.3 can lose a write-ahead log that two connections reset at once, so only one
connection checkpoints, and a second process is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, Final, TypeAlias

import msgspec

from croupier.records.stores import store
from croupier.records.stores.sqlite_reading import STEPS, VERSION, OpenFiles, lock_store
from croupier.records.stores.stream import StoreError

_BYTES: Final = 1 << 15

_MOST_STREAMS: Final = 1024
"""Maximum number of streams cached (32 MiB). A table gets a new stream each gaming day."""

Key: TypeAlias = tuple[str, str]
"""A grant and an idempotency key."""


class AnsweredKeys:
    """Bloom filters of answered keys, 32 KiB each: of 20,000, 1 in 13 new ones seems known."""

    def __init__(self, keys_of: Callable[[int], Iterable[Key]]) -> None:
        self._look_up: Final = keys_of
        self._streams: Final[dict[int, bytearray]] = {}
        self._adding: Final = Lock()

    def add(self, keys: Iterable[tuple[int, Key]]) -> None:
        """Add durable keys: a concurrent ``look_up`` does not see them."""
        with self._adding:
            for stream, key in keys:
                if (bits := self._streams.get(stream)) is not None:
                    _add(bits, key)

    def may_have(self, stream: int, key: Key) -> bool:
        bits = self._streams.get(stream)
        if bits is None:
            with self._adding:
                bits = bytearray(_BYTES)
                for stored_key in self._look_up(stream):
                    _add(bits, stored_key)
                if len(self._streams) >= _MOST_STREAMS:
                    # The next use of the stream looks it up again.
                    del self._streams[next(iter(self._streams))]
                self._streams[stream] = bits
        hash_ = hash(key)
        return bool(bits[(hash_ >> 3) % _BYTES] & 1 << (hash_ & 7))


def _add(bits: bytearray, key: Key) -> None:
    hash_ = hash(key)
    bits[(hash_ >> 3) % _BYTES] |= 1 << (hash_ & 7)


_MOST_ROWS: Final = 64
_CHECKPOINT_ROWS: Final = 500
"""Rows before a checkpoint: about the 1,000 pages of SQLite's default."""
_EPOCHS: Final = "select stream, epoch from lease where stream in (select value from json_each(?))"


@cache
def _inserts(table: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"insert into {table} values {', '.join([row] * rows)}"  # noqa: S608  (our names)


class SQLiteStore(store.Store):
    is_shared = False
    path: Path

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._counts: dict[str, int] = {}
        self._read_lock: Final = Lock()
        self._rows_to_checkpoint = 0
        self._answered: Final = AnsweredKeys(
            lambda stream: self._rows("select grant_name, key from answer where stream = ?", stream)
        )
        self._files: OpenFiles | None = None
        try:
            # SQLite also resolves symbolic links, and puts its log next to the real file.
            self.real_path: Final = Path(os.path.realpath(path))
            self._lock: int | None = lock_store(self.real_path)
        except (OSError, ValueError) as error:  # No path has a zero byte.
            reason = getattr(error, "strerror", None) or error
            raise StoreError(f"{path}: it cannot be opened: {reason}") from error
        try:
            self.connection = self._connected()
            self._prepare()
            self._reader = self._connected()
            self._reader.execute("pragma query_only = on")
            self._reader.execute("pragma wal_autocheckpoint = 0")
            self._files = OpenFiles(self.real_path)
        except (sqlite3.Error, StoreError, OSError) as error:
            self.close()
            raise StoreError(f"{path}: it cannot be opened: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.real_path, isolation_level=None, check_same_thread=False)

    def _prepare(self) -> None:
        run = self.connection.execute
        run("pragma journal_mode = wal")
        # A shrinking log was truncated by another program.
        run("pragma journal_size_limit = -1")
        run("pragma wal_autocheckpoint = 0")
        run("pragma synchronous = full")
        run("pragma foreign_keys = on")
        version = run("pragma user_version").fetchone()[0]
        if version > VERSION:
            raise StoreError(f"its layout is {version}, but this program reads {VERSION}")
        if version < VERSION:
            sql = "".join(STEPS[version:])
            self.connection.executescript(f"begin; {sql} pragma user_version = {VERSION}; commit;")
        with suppress(sqlite3.OperationalError):  # A full store is opened without it.
            run(store.FORGOTTEN)
        self._count_again()

    def _count_again(self) -> None:
        rows = self.connection.execute(
            "select name, id, (select coalesce(max(number) + 1, 0) from line"
            " where stream = stream.id) from stream order by id"
        ).fetchall()
        self._ids = {name: stream for name, stream, _ in rows}
        self._counts = {name: count for name, _, count in rows}

    def create(self, name: str) -> store.StoredStream:
        if name in self._ids:
            raise StoreError(
                f"{self.path}: a record with that name exists: {name}; give the table another name"
            )
        with self._transaction() as connection:
            cursor = connection.execute("insert into stream (name) values (?)", (name,))
        self._ids[name], self._counts[name] = cursor.lastrowid or 0, 0
        return store.StoredStream(self, name)

    def count(self, name: str) -> int:
        return self._counts[name]

    # --- writing ---

    def commit(self, appends: Sequence[store.Append]) -> Mapping[str, StoreError]:
        names = {item.name for item in appends} & self._ids.keys()
        streams = {name: [self._ids[name], 0, self._counts[name]] for name in names}
        try:
            with self._transaction() as connection:
                if any(item.epoch for item in appends):
                    ids = msgspec.json.encode([stream for stream, *_ in streams.values()]).decode()
                    epochs = dict(connection.execute(_EPOCHS, (ids,)).fetchall())
                    for fields in streams.values():
                        fields[1] = epochs.get(fields[0], 0)
                rows, errors = self._gathered(appends, streams)
                # Few statements: each releases the GIL and waits for it again.
                try:
                    for table, table_rows in rows.items():
                        self._insert(table, table_rows)
                except sqlite3.IntegrityError as error:
                    raise store.KeyTakenError(f"{self.path}: a key was used before") from error
                self._rows_to_checkpoint += sum(map(len, rows.values()))
        except store.KeyTakenError as error:
            if len(store.units_of(appends)) == 1:
                return {append.name: error for append in appends}
            return self._one_by_one(appends)
        finally:
            self._answered.add(
                (streams[item.name][0], answer[:2])
                for item in appends
                for answer in item.answers
                if item.name in streams
            )
        self._counts |= {name: count for name, (_, _, count) in streams.items()}
        return errors

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert in batches of powers of two, so that few statements are compiled."""
        place = 0
        while place < len(rows):
            number = min(_MOST_ROWS, 1 << (len(rows) - place).bit_length() - 1)
            values = [value for row in rows[place : place + number] for value in row]
            self.connection.execute(_inserts(table, len(rows[place]), number), values)
            place += number

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self.check()
        yield
        self.check()
        self._rows_to_checkpoint += 1
        if self._rows_to_checkpoint >= _CHECKPOINT_ROWS:
            self._checkpoint()

    def _checkpoint(self) -> None:
        # SQLite's automatic checkpoints are part of a commit, and could not be distinguished from
        # another program's writes.
        self._rows_to_checkpoint = 0
        with suppress(sqlite3.Error):  # What is in the log is durable.
            self.connection.execute("pragma wal_checkpoint(passive)")
        if self._files is not None:
            self._files.checkpointed()

    def check(self) -> None:
        if self._files is not None:
            self._files.check()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        run, is_sent = self.connection.execute, False
        try:
            with self._writing():
                run("begin immediate")
                yield self.connection
                is_sent = True
                run("commit")
        except BaseException as error:
            with suppress(sqlite3.Error):
                run("rollback")
            # The outcome may be unknown, so count what is there.
            with suppress(sqlite3.Error):
                self._count_again()
            if isinstance(error, sqlite3.Error):
                raise self._unwritable(error, is_sent=is_sent) from error
            raise

    def discard(self, name: str) -> None:
        super().discard(name)
        del self._counts[name]

    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        now, lease = self.now(), self.lease(name)
        if free and lease is not None and lease.until > now and lease.owner != owner:
            return 0
        with self._transaction() as connection:
            connection.execute(
                "insert into lease values (?, ?, ?, 1, ?) on conflict (stream) do update"
                " set owner = excluded.owner, address = excluded.address, epoch = epoch + 1,"
                " until = excluded.until",
                (self._ids[name], owner, address, now + int(seconds * 1000)),
            )
        new_lease = self.lease(name)
        return 0 if new_lease is None else new_lease.epoch

    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        end_time = self.now() + int(seconds * 1000)
        with self._transaction() as connection:
            connection.execute("update lease set until = ? where owner = ?", (end_time, owner))
        return dict(
            self._rows(
                "select name, epoch from lease join stream on stream.id = lease.stream"
                " where owner = ?",
                owner,
            )
        )

    def now(self) -> int:
        return int(time() * 1000)

    # --- reading ---

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            with self._read_lock:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: it cannot be read: {error}") from error

    def lines(self, name: str, start: int = 0, end_line: int | None = None) -> Generator[bytes]:
        end = self._counts[name] - 1
        yield from super().lines(name, start, end if end_line is None else min(end, end_line))

    def answer(self, name: str, grant: str, key: str) -> store.Answer | None:
        if not self._answered.may_have(self._ids[name], (grant, key)):
            return None
        # A repeated answer acknowledges again, so the store must still be the same.
        if self._files is not None:
            self._files.check(by_writer=False)
        return super().answer(name, grant, key)

    # --- the end ---

    def _unwritable(self, error: Exception, *, is_sent: bool) -> StoreError:
        is_full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
        # A commit that was written but not synchronized is there after a crash, if none follows it.
        kind = store.FullError if is_full else store.UnreachableError if is_sent else StoreError
        return kind(f"{self.path}: it cannot be written: {error}")

    def close(self) -> None:
        for name in ("_reader", "connection"):
            if hasattr(self, name):
                with suppress(sqlite3.Error):
                    getattr(self, name).close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
