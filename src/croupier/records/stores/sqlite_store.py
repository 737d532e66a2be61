"""Records of many tables in one SQLite file: WAL, full synchronization, group commit.

SQLite before 3.51.3 can lose a write-ahead log that two connections reset at once, so only one
connection checkpoints, and a second process is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, Final, TypeAlias

import msgspec

from croupier.records.stores import store
from croupier.records.stores.sqlite_files import OpenFiles, lock_store
from croupier.records.stores.sqlite_reading import STEPS, VERSION
from croupier.records.stores.stream import PositionError, StoreError

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
_OWNED: Final = (
    "select count(*) from json_each(?) as said join lease"
    " on lease.stream = cast(said.key as integer) and lease.epoch = said.value"
)
"""Query of the number of streams with the stated epoch."""


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
        errors: dict[str, StoreError] = {}
        counts: dict[str, int] = {}
        try:
            with self._transaction():
                if not self._add_all(appends, counts):
                    counts.clear()
                    for unit in store.units_of(appends):
                        errors |= self._add_unit(unit, counts, errors)
        finally:
            self._answered.add(
                (self._ids[item.name], answer[:2]) for item in appends for answer in item.answers
            )
        self._counts |= counts
        return errors

    def _add_all(self, appends: Sequence[store.Append], counts: dict[str, int]) -> bool:
        """Return whether all appends were written, by few statements.

        Each releases the GIL and waits for it again, which took longer per row than the rows.
        """
        run = self.connection.execute
        rows: store.Rows = defaultdict(list)
        epochs: dict[int, int] = {}
        for item in appends:
            stream, count = self._ids[item.name], counts.get(item.name, self._counts[item.name])
            if item.expected != count or epochs.setdefault(stream, item.epoch) != item.epoch:
                return False
            store.add_rows(rows, item, stream, count)
            counts[item.name] = count + len(item.lines)
        owned = {stream: epoch for stream, epoch in epochs.items() if epoch}
        if owned and run(_OWNED, (msgspec.json.encode(owned).decode(),)).fetchone()[0] < len(owned):
            return False
        run("savepoint all_at_once")
        try:
            for table, table_rows in rows.items():
                self._insert(table, table_rows)
            self._rows_to_checkpoint += sum(map(len, rows.values()))
        except sqlite3.IntegrityError:
            run("rollback to all_at_once")
            return False
        return True

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert in batches of powers of two, so that few statements are compiled."""
        place = 0
        while place < len(rows):
            number = min(_MOST_ROWS, 1 << (len(rows) - place).bit_length() - 1)
            values = [value for row in rows[place : place + number] for value in row]
            self.connection.execute(_inserts(table, len(rows[place]), number), values)
            place += number

    def _add_unit(
        self, unit: Sequence[store.Append], counts: dict[str, int], errors: Mapping[str, StoreError]
    ) -> Mapping[str, StoreError]:
        run = self.connection.execute
        new_counts = {item.name: counts.get(item.name, self._counts[item.name]) for item in unit}
        name = unit[0].name
        run("savepoint one")
        try:
            for name in (item.name for item in unit):
                if name in errors:
                    raise errors[name]
            for item in unit:
                name = item.name
                self._add(item, self._ids[name], new_counts[name])
                new_counts[name] += len(item.lines)
        except StoreError as error:
            run("rollback to one")
            return store.with_its_unit(unit, name, error)
        else:
            counts.update(new_counts)
            return {}
        finally:
            run("release one")

    def _add(self, item: store.Append, stream: int, count: int) -> None:
        if item.expected != count:
            raise PositionError(f"{self.path}, {item.name}", item.expected, count)
        if item.epoch:
            query = "select epoch from lease where stream = ?"
            if self.connection.execute(query, (stream,)).fetchone() != (item.epoch,):
                raise store.FencedError(
                    f"{self.path}, {item.name}: another process owns this table now"
                )
        rows: store.Rows = defaultdict(list)
        store.add_rows(rows, item, stream, count)
        self._insert("line", rows["line"])
        try:
            self._insert("answer", rows["answer"])
        except sqlite3.IntegrityError as error:
            raise store.KeyTakenError(f"{item.name}: a key was used before") from error
        self._insert("refusal", rows["refusal"])

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
        run = self.connection.execute
        try:
            with self._writing():
                run("begin immediate")
                yield self.connection
                run("commit")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                run("rollback")
            # The outcome may be unknown, so count what is there.
            with suppress(sqlite3.Error):
                self._count_again()
            raise self._unwritable(error) from error

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

    def _unwritable(self, error: sqlite3.Error) -> StoreError:
        is_full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
        kind = store.FullError if is_full else StoreError
        return kind(f"{self.path}: it cannot be written: {error}")

    def close(self) -> None:
        for name in ("_reader", "connection"):
            if hasattr(self, name):
                with suppress(sqlite3.Error):
                    getattr(self, name).close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
