"""Records of many tables in one SQLite file: WAL, full synchronization, group commit.

SQLite before 3.51.3 can lose a write-ahead log that two connections reset at once, so only one
connection checkpoints, and a second process is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, Final, Self, TypeAlias

import msgspec

from croupier.records.stores.answered_keys import AnsweredKeys
from croupier.records.stores.sqlite_files import OpenFiles, lock_store
from croupier.records.stores.sqlite_reading import PAGE
from croupier.records.stores.sqlite_schema import STEPS, VERSION
from croupier.records.stores.store import (
    Answer,
    Append,
    FencedError,
    FullError,
    KeyTakenError,
    Learned,
    Lease,
    LostError,
    RefusalKept,
    StoredStream,
    units_of,
    with_its_unit,
)
from croupier.records.stores.store_schema import FORGOTTEN
from croupier.records.stores.stream import PositionError, StoreError

_OF_STREAM: Final = ("refusal", "answer", "lease", "snapshot", "line")
_Row: TypeAlias = tuple[object, ...]
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

    is_shared: Final = False

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._counts: dict[str, tuple[int, int]] = {}
        self._read_lock: Final = Lock()
        self._rows_to_checkpoint = 0
        self._answered: Final = AnsweredKeys(
            lambda at: self._rows("select grant_name, key from answer where stream = ?", at)
        )
        self._files: OpenFiles | None = None
        """``None`` until the store is open."""
        try:
            # SQLite also resolves symbolic links, and puts its log next to the real file.
            self.real_path: Final = Path(os.path.realpath(path))
            self._lock: int | None = lock_store(self.real_path)
        except OSError as error:
            raise StoreError(f"{path}: it cannot be opened: {error.strerror}") from error
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
            more = "".join(STEPS[version:])
            self.connection.executescript(f"begin; {more} pragma user_version = {VERSION}; commit;")
        with suppress(sqlite3.OperationalError):  # A full store is opened without it.
            run(FORGOTTEN)
        self._count_again()

    def _count_again(self) -> None:
        rows = self.connection.execute(
            "select name, id, (select coalesce(max(number) + 1, 0) from line"
            " where stream = stream.id) from stream"
        )
        self._counts = {name: (stream, count) for name, stream, count in rows}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._counts, key=lambda name: self._counts[name][0]))

    def create(self, name: str) -> StoredStream:
        if name in self._counts:
            raise StoreError(
                f"{self.path}: a record with that name exists: {name}; --table gives another name"
            )
        try:
            with self._writing():
                made = self.connection.execute("insert into stream (name) values (?)", (name,))
        except sqlite3.Error as error:
            raise self._unwritable(error) from error
        self._counts[name] = (made.lastrowid or 0, 0)
        return StoredStream(self, name)

    def open(self, name: str) -> StoredStream:
        if name not in self._counts:
            held = ", ".join(self.names) or "none"
            raise StoreError(f"{self.path}: no record is named {name}; it contains {held}")
        return StoredStream(self, name)

    def count(self, name: str) -> int:
        return self._counts[name][1]

    # --- writing ---

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        failed: dict[str, StoreError] = {}
        counts: dict[str, tuple[int, int]] = {}

        def write() -> None:
            if self._add_all(appends, counts):
                return
            counts.clear()
            for unit in units_of(appends):
                failed.update(self._add_unit(unit, counts, failed))

        try:
            self._transaction(write)
        finally:
            self._answered.add(
                (self._counts[one.name][0], answer[:2]) for one in appends for answer in one.answers
            )
        self._counts |= counts
        return failed

    def _add_all(self, appends: Sequence[Append], counts: dict[str, tuple[int, int]]) -> bool:
        """Return whether all appends were written, by few statements.

        Each releases the GIL and waits for it again, which took longer per row than the rows.
        """
        run = self.connection.execute
        lines: list[_Row] = []
        answers: list[_Row] = []
        refused: list[_Row] = []
        epochs: dict[int, int] = {}
        for one in appends:
            stream, count = counts.get(one.name) or self._counts[one.name]
            if one.expected != count or epochs.setdefault(stream, one.epoch) != one.epoch:
                return False
            lines += [(stream, count + at, one.epoch, line) for at, line in enumerate(one.lines)]
            answers += [(stream, *answer) for answer in one.answers]
            refused += [(stream, *refusal) for refusal in one.refused]
            counts[one.name] = (stream, count + len(one.lines))
        owned = {stream: epoch for stream, epoch in epochs.items() if epoch}
        if owned and run(_OWNED, (msgspec.json.encode(owned).decode(),)).fetchone()[0] < len(owned):
            return False
        run("savepoint all_at_once")
        try:
            self._insert("line", lines)
            self._insert("answer", answers)
            self._insert("refusal", refused)
            self._rows_to_checkpoint += len(lines) + len(answers) + len(refused)
        except sqlite3.IntegrityError:
            run("rollback to all_at_once")
            return False
        return True

    def _insert(self, table: str, rows: Sequence[_Row]) -> None:
        """Insert rows in batches of powers of two, so that few statements are compiled."""
        at = 0
        while at < len(rows):
            number = min(_MOST_ROWS, 1 << (len(rows) - at).bit_length() - 1)
            values = [value for row in rows[at : at + number] for value in row]
            self.connection.execute(_inserts(table, len(rows[at]), number), values)
            at += number

    def _add_unit(
        self,
        unit: Sequence[Append],
        counts: dict[str, tuple[int, int]],
        failed: Mapping[str, StoreError],
    ) -> Mapping[str, StoreError]:
        run = self.connection.execute
        before = {one.name: counts.get(one.name) or self._counts[one.name] for one in unit}
        after = dict(before)
        name = unit[0].name
        run("savepoint one")
        try:
            for name in (one.name for one in unit):
                if name in failed:
                    raise failed[name]
            for one in unit:
                name = one.name
                stream, count = after[name]
                self._add(one, stream, count)
                after[name] = (stream, count + len(one.lines))
        except StoreError as error:
            run("rollback to one")
            return with_its_unit(unit, name, error)
        else:
            counts.update(after)
            return {}
        finally:
            run("release one")

    def _add(self, one: Append, stream: int, count: int) -> None:
        run, run_many = self.connection.execute, self.connection.executemany
        if one.expected != count:
            raise PositionError(f"{self.path}, {one.name}", one.expected, count)
        if one.epoch:
            found = run("select epoch from lease where stream = ?", (stream,)).fetchone()
            if found is None or found[0] != one.epoch:
                raise FencedError(f"{self.path}, {one.name}: another process owns this table now")
        lines = [(stream, count + at, one.epoch, line) for at, line in enumerate(one.lines)]
        run_many("insert into line values (?, ?, ?, ?)", lines)
        if one.answers:
            try:
                rows = [(stream, *answer) for answer in one.answers]
                run_many("insert into answer values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            except sqlite3.IntegrityError as error:
                raise KeyTakenError(f"{one.name}: a key was used before") from error
        if one.refused:
            refused = [(stream, *refusal) for refusal in one.refused]
            run_many("insert into refusal values (?, ?, ?, ?, ?)", refused)

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
        """See ``Store``. Call it from the writing thread."""
        if self._files is not None:
            self._files.check()

    def _transaction(self, write: Callable[[], object]) -> None:
        run = self.connection.execute
        try:
            with self._writing():
                run("begin immediate")
                write()
                run("commit")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                run("rollback")
            # The outcome may be unknown, so count what is there.
            with suppress(sqlite3.Error):
                self._count_again()
            raise self._unwritable(error) from error

    def discard(self, name: str) -> None:
        stream, _ = self._counts[name]

        def write() -> None:
            for table in _OF_STREAM:
                self.connection.execute(f"delete from {table} where stream = ?", (stream,))  # noqa: S608  (our names)
            self.connection.execute("delete from stream where id = ?", (stream,))

        self._transaction(write)
        del self._counts[name]

    def keep(self, name: str, snapshot: bytes | None) -> None:
        stream, _ = self._counts[name]
        with suppress(sqlite3.Error, LostError), self._writing():
            if snapshot is None:
                self.connection.execute("delete from snapshot where stream = ?", (stream,))
            else:
                self.connection.execute(
                    "insert or replace into snapshot values (?, ?)", (stream, snapshot)
                )

    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        stream, _ = self._counts[name]
        now = self.now()
        held = self.lease(name)
        if free and held is not None and held.until > now and held.owner != owner:
            return 0

        def write() -> None:
            self.connection.execute(
                "insert into lease values (?, ?, ?, 1, ?) on conflict (stream) do update"
                " set owner = excluded.owner, address = excluded.address, epoch = epoch + 1,"
                " until = excluded.until",
                (stream, owner, address, now + int(seconds * 1000)),
            )

        self._transaction(write)
        taken = self.lease(name)
        return 0 if taken is None else taken.epoch

    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        until = self.now() + int(seconds * 1000)
        self._transaction(
            lambda: self.connection.execute(
                "update lease set until = ? where owner = ?", (until, owner)
            )
        )
        return dict(
            self._rows(
                "select name, epoch from lease join stream on stream.id = lease.stream"
                " where owner = ?",
                owner,
            )
        )

    def now(self) -> int:
        return int(time() * 1000)

    def put(self, kind: str, name: str, content: bytes | None) -> bool:
        was_there = self.document(kind, name) is not None

        def write() -> None:
            run = self.connection.execute
            if content is None:
                run("delete from document where kind = ? and name = ?", (kind, name))
                return
            run(
                "insert into document (kind, name, content) values (?, ?, ?)"
                " on conflict (kind, name) do update set content = excluded.content",
                (kind, name, content),
            )

        self._transaction(write)
        return was_there

    def learn(self, rows: Sequence[Learned], *, instead: tuple[str, str] | None = None) -> None:
        def write() -> None:
            if instead is not None:
                self.connection.execute("delete from learned where pit = ? and person = ?", instead)
            self.connection.executemany(
                "insert or replace into learned (pit, person, law, clause, box, due)"
                " values (?, ?, ?, ?, ?, ?)",
                rows,
            )

        self._transaction(write)

    def forget(self, before: int) -> None:
        def write() -> None:
            run = self.connection.execute
            run("delete from answer where not kept and at < ?", (before,))
            run("delete from refusal where at < ?", (before,))

        self._transaction(write)

    # --- reading ---

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            with self._read_lock:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: it cannot be read: {error}") from error

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Generator[bytes]:
        stream, count = self._counts[name]
        end = count if last is None else min(count, last + 1)
        for begin in range(first, end, PAGE):
            found = self._rows(
                "select content from line where stream = ? and number >= ? and number < ?"
                " order by number",
                *(stream, begin, min(begin + PAGE, end)),
            )
            for (line,) in found:
                yield line

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        stream = self._counts[name][0]
        if not self._answered.may_have(stream, (grant, key)):
            return None
        # A repeated answer acknowledges again, so the store must still be the same.
        if self._files is not None:
            self._files.check(by_writer=False)
        found = self._rows(
            "select grant_name, key, digest, status, body, at, kept from answer"
            " where stream = ? and grant_name = ? and key = ?",
            *(stream, grant, key),
        )
        return Answer(*found[0]) if found else None

    def refused(self, name: str, most: int = 100) -> tuple[RefusalKept, ...]:
        found = self._rows(
            "select at, grant_name, code, command from refusal where stream = ?"
            " order by at desc, rowid desc limit ?",
            *(self._counts[name][0], most),
        )
        return tuple(RefusalKept(*row) for row in found)

    def snapshot(self, name: str) -> bytes | None:
        found = self._rows("select content from snapshot where stream = ?", self._counts[name][0])
        return found[0][0] if found else None

    def lease(self, name: str) -> Lease | None:
        found = self._rows(
            "select owner, address, epoch, until from lease where stream = ?",
            self._counts[name][0],
        )
        return Lease(*found[0]) if found else None

    def document(self, kind: str, name: str) -> bytes | None:
        found = self._rows("select content from document where kind = ? and name = ?", kind, name)
        return found[0][0] if found else None

    def documents(self, kind: str) -> Mapping[str, bytes]:
        return dict(
            self._rows("select name, content from document where kind = ? order by id", kind)
        )

    def learned(self, pit: str, person: str | None = None) -> tuple[Learned, ...]:
        found = self._rows(
            "select pit, person, law, clause, box, due from learned"
            " where pit = ? and person = coalesce(?, person) order by person, law, clause",
            *(pit, person),
        )
        return tuple(Learned(*row) for row in found)

    # --- the end ---

    def _unwritable(self, error: sqlite3.Error) -> StoreError:
        full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
        kind = FullError if full else StoreError
        return kind(f"{self.path}: it cannot be written: {error}")

    def close(self) -> None:
        for name in ("_reader", "connection"):
            if hasattr(self, name):
                with suppress(sqlite3.Error):
                    getattr(self, name).close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
