"""Online backup of a store as one SQLite file, never with the vault's key, and restore."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from croupier.files.write import WriteError, sync_folder
from croupier.records.header import day_of
from croupier.records.stores.places import is_database
from croupier.records.stores.postgres_reading import PostgresReader
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_reading import FileReader, check_layout, reading
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import COPIED, SqlReader
from croupier.records.stores.stream import StoreError
from croupier.records.stores.vault import (
    PROBED,
    SEALED,
    SEALED_KIND,
    VaultError,
    sealed_in,
    vault_beside,
    write_sealed,
)

_TABLES: Final[Mapping[str, str]] = {
    "stream": "id, name",
    "line": "stream, number, epoch, content",
    "answer": "stream, grant_name, key, digest, status, body, at, kept",
    "refusal": "stream, at, grant_name, code, command",
    "lease": "stream, owner, address, epoch, until",
    "document": "id, kind, name, content",
    "learned": "pit, person, law, clause, box, due",
}
"""Tables copied between a database and a file. Snapshots are made anew."""
_KEEP: Final = "insert or ignore into document (kind, name, content) values (?, ?, ?)"
_COMMITMENT: Final = re.compile(rb'"device":"%s([0-9a-f]{64})"' % SEALED.encode())
_ORDER: Final = {"line": " order by stream, number", "document": " order by id"}


class Copied(NamedTuple):
    """Entries and sealed secrets; ``lacking`` names tables without theirs."""

    entries: int
    secrets: int
    lacking: tuple[str, ...]
    vault: Path | None = None


def back_up(place: str, target: Path) -> Copied:
    """Copy a store in use into a new file. Raises ``StoreError``."""
    vault: Path | None = None
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
            # A secret enters the vault before the entry that commits to it enters the store.
            vault = vault_beside(Path(place))
            if secrets := [(SEALED_KIND, *secret) for secret in _sealed_in(vault).items()]:
                with _writing(draft) as connection:
                    connection.executemany(_KEEP, secrets)
        _mark(draft)
        totals = _found(draft, _checked(draft))
        return totals._replace(vault=vault) if vault is not None and vault.exists() else totals


def restore(copy: Path, place: str) -> Copied:
    """Restore a copy into an empty place; its grants become void. Raises ``StoreError``."""
    entries = _checked(copy)
    if not is_database(place):
        with _new(Path(place)) as draft, reading(copy) as source:
            _copy(source, draft)
            _mark(draft)
            totals = _found(draft, _checked(draft))
            vault = _move_secrets(draft, vault_beside(Path(place)))
            return totals._replace(vault=vault)
    with PostgresStore(place) as store, _laid_out(copy) as source:
        if store.names:
            raise StoreError(f"{store.path}: it has records: restore into an empty database")
        store.fill({
            table: (columns, source.execute(f"select {columns} from {table}"))  # noqa: S608  (our own names)
            for table, columns in _TABLES.items()
        })  # fmt: skip
        return _found(copy, entries)


@contextmanager
def _writing(draft: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(draft)) as connection, connection:
        yield connection


def _has_documents(connection: sqlite3.Connection) -> bool:
    query = "select 1 from sqlite_master where type = 'table' and name = 'document'"
    return connection.execute(query).fetchone() is not None


def _mark(draft: Path) -> None:
    with _writing(draft) as connection:
        if _has_documents(connection):
            connection.execute(_KEEP, (*COPIED, b""))


def _sealed_in(vault: Path) -> dict[str, bytes]:
    try:
        return sealed_in(vault)
    except VaultError as error:
        raise StoreError(str(error)) from error


def _secrets(connection: sqlite3.Connection) -> dict[str, bytes]:
    if not _has_documents(connection):
        return {}
    query = "select name, content from document where kind = ?"
    return dict(connection.execute(query, (SEALED_KIND,)))


def _move_secrets(draft: Path, vault: Path) -> Path | None:
    with _writing(draft) as connection:
        secrets = _secrets(connection)
        if not secrets or PROBED in secrets:
            return None
        connection.execute("delete from document where kind = ?", (SEALED_KIND,))
    if not vault.exists():
        write_sealed(vault, secrets)
    elif missing_count := len(secrets.keys() - _sealed_in(vault).keys()):
        raise StoreError(f"{vault}: it lacks secrets of the copy ({missing_count}): move it away")
    return vault


def _found(path: Path, entries: int) -> Copied:
    with reading(path) as source:
        secrets = _secrets(source).keys() - {PROBED}
        tables: dict[str, None] = {}
        lines = source.execute(
            "select name, content from line join stream on stream.id = line.stream"
            " where instr(content, ?) order by stream.id, number",
            (SEALED.encode(),),
        )
        for name, line in lines:
            if not secrets.issuperset(seal.decode() for seal in _COMMITMENT.findall(line)):
                tables[day_of(name)[0]] = None
        return Copied(entries, len(secrets), (*tables,))


@contextmanager
def records_of(place: str) -> Iterator[SqlReader]:
    """Open a store in use. Raises ``StoreError``."""
    if is_database(place):
        with _database(place) as store:
            yield store
        return
    path = Path(place)
    _checked(path)
    with reading(path) as source:
        # One instant for all records.
        source.execute("begin")
        yield FileReader(path, source)


@contextmanager
def _database(place: str) -> Iterator[PostgresReader]:
    with closing(PostgresReader(place)) as store:
        store.open_to_read()
        yield store


@contextmanager
def _laid_out(copy: Path) -> Iterator[sqlite3.Connection]:
    with TemporaryDirectory() as folder:
        draft = Path(folder) / copy.name
        with reading(copy) as source:
            check_layout(copy, source)
            _copy(source, draft)
        SQLiteStore(draft).close()
        _mark(draft)
        with reading(draft) as connection:
            yield connection


def _copy(source: sqlite3.Connection, draft: Path) -> None:
    with closing(sqlite3.connect(draft)) as target:
        source.backup(target, pages=-1)
        target.execute("pragma journal_mode = delete")


def _checked(path: Path) -> int:
    with reading(path) as source:
        check_layout(path, source)
        results = [result for (result,) in source.execute("pragma quick_check")]
        if results != ["ok"]:
            raise StoreError(f"{path}: it is damaged: {results[0]}")
        row: tuple[Any] = source.execute("select count(*) from line where number > 0").fetchone()
        return int(row[0])


@contextmanager
def _new(target: Path) -> Iterator[Path]:
    for end in ("", "-wal", "-shm"):
        # SQLite would take the write-ahead log of a lost store for that of the new one.
        if (path := Path(f"{target}{end}")).exists():
            raise StoreError(f"{path}: it exists, and is not replaced: give another name")
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield draft
        handle = os.open(draft, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        # Do not replace a file of that name created meanwhile.
        os.link(draft, target)
        sync_folder(target.absolute().parent)
    except (OSError, sqlite3.Error, WriteError) as error:
        raise StoreError(f"{target}: it cannot be written: {error}") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
            with suppress(OSError):
                Path(f"{draft}{suffix}").unlink()
