"""Copies a store while it is in use, and brings a copy back.

A copy is one SQLite file, whatever it is a copy of: the state of one instant, with every entry,
answer, refusal, and document. It is written beside its name, checked, and named once it is whole.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from croupier.files.write import sync_folder
from croupier.records.days import StoredRecords
from croupier.records.places import is_database
from croupier.records.postgres_reading import PostgresReader
from croupier.records.postgres_store import PostgresStore
from croupier.records.sqlite_reading import check_layout, reading
from croupier.records.sqlite_schema import VERSION
from croupier.records.sqlite_store import SQLiteStore
from croupier.records.stream import StoreError

_TABLES: Final[Mapping[str, str]] = {
    "stream": "id, name",
    "line": "stream, number, epoch, content",
    "answer": "stream, grant_name, key, digest, status, body, at, kept",
    "refusal": "stream, at, grant_name, code, command",
    "lease": "stream, owner, address, epoch, until",
    "document": "id, kind, name, content",
    "learned": "pit, person, law, clause, box, due",
}
"""What is copied between a database and a file; snapshots are made anew."""
_ORDER: Final = {"line": " order by stream, number", "document": " order by id"}


def back_up(place: str, target: Path) -> int:
    """Copy a store, which may be in use, into a new file; return how many entries that holds.

    Raises ``StoreError`` if it cannot be read, or the file exists or cannot be written.
    """
    with _new(target) as draft:
        if is_database(place):
            with closing(SQLiteStore(draft)) as copy, _database(place) as store:
                run = copy.connection.execute
                run("begin")
                with store.at_one_instant() as rows:
                    for table, columns in _TABLES.items():
                        if not [*rows(f"select 1 where to_regclass('{table}') is not null")]:
                            continue  # Its layout is an older one.
                        marks = ", ".join("?" for _ in columns.split(","))
                        query = f"select {columns} from {table}{_ORDER.get(table, '')}"  # noqa: S608  (our own names)
                        copy.connection.executemany(
                            f"insert into {table} ({columns}) values ({marks})",  # noqa: S608
                            rows(query),
                        )
                run("commit")
            Path(f"{draft}.lock").unlink()
        else:
            with reading(Path(place)) as source:
                _copy(source, draft)
        return _checked(draft)


def restore(copy: Path, place: str) -> int:
    """Bring a copy back into an empty database, or a new file; return how many entries it holds.

    Raises ``StoreError`` if it is no copy, damaged, or there are records in that place.
    """
    entries = _checked(copy)
    if not is_database(place):
        with _new(Path(place)) as draft, reading(copy) as source:
            _copy(source, draft)
            return _checked(draft)
    with PostgresStore(place) as store, _laid_out(copy) as source:
        if store.names:
            raise StoreError(f"{store.path}: it has records: restore into an empty database")
        store.fill({
            table: (columns, source.execute(f"select {columns} from {table}"))  # noqa: S608  (our own names)
            for table, columns in _TABLES.items()
        })  # fmt: skip
        return entries


@contextmanager
def records_of(place: str) -> Iterator[StoredRecords]:
    """Read the records of a store, which may be in use.

    Raises ``StoreError`` if it cannot be read, or SQLite finds the file damaged.
    """
    if is_database(place):
        with _database(place) as store:
            yield StoredRecords(store.names, store.lines)
        return
    path = Path(place)
    _checked(path)
    with reading(path) as source:
        # One instant for all records.
        source.execute("begin")
        ids: dict[str, int] = dict(source.execute("select name, id from stream order by id"))

        def lines(name: str) -> Iterator[bytes]:
            query = "select content from line where stream = ? order by number"
            return (line for (line,) in source.execute(query, (ids[name],)))

        yield StoredRecords((*ids,), lines)


@contextmanager
def _database(place: str) -> Iterator[PostgresReader]:
    """Read a database that services may use, whatever its layout."""
    with closing(PostgresReader(place)) as store:
        store.open_to_read()
        yield store


@contextmanager
def _laid_out(copy: Path) -> Iterator[sqlite3.Connection]:
    """Read a copy in the layout of this program; one of an older layout is laid out in a draft."""
    with reading(copy) as source, TemporaryDirectory() as folder:
        if check_layout(copy, source) == VERSION:
            yield source
            return
        draft = Path(folder) / copy.name
        _copy(source, draft)
        SQLiteStore(draft).close()
        with reading(draft) as further:
            yield further


def _copy(source: sqlite3.Connection, draft: Path) -> None:
    """Copy a store in one step, so that it is the state of one instant."""
    with closing(sqlite3.connect(draft)) as target:
        source.backup(target, pages=-1)
        target.execute("pragma journal_mode = delete")


def _checked(path: Path) -> int:
    """Return how many entries a store in a file has. Raises ``StoreError`` if it is damaged."""
    with reading(path) as source:
        check_layout(path, source)
        found = [one for (one,) in source.execute("pragma quick_check")]
        if found != ["ok"]:
            raise StoreError(f"{path}: it is damaged: {found[0]}")
        row: tuple[Any] = source.execute("select count(*) from line where number > 0").fetchone()
        return int(row[0])


@contextmanager
def _new(target: Path) -> Iterator[Path]:
    """Write a new file beside its name; it has its name once it is whole and on disk."""
    if target.exists():
        raise StoreError(f"{target}: it exists, and is not replaced: give another name")
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield draft
        handle = os.open(draft, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        # A name that appeared meanwhile is not replaced either.
        os.link(draft, target)
        sync_folder(target.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{target}: it cannot be written: {error}") from error
    finally:
        for more in ("", "-wal", "-shm", "-journal", ".lock"):
            with suppress(OSError):
                Path(f"{draft}{more}").unlink()
