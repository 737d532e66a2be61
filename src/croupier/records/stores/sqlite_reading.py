"""Reads of a SQLite store in use, without writing, locking, or checkpointing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from croupier.records.stores.sqlite_schema import VERSION
from croupier.records.stores.store import SqlReader
from croupier.records.stores.stream import StoreError


class FileReader(SqlReader):
    """Reads by a connection; in a transaction, the records of one instant."""

    def __init__(self, path: Path, source: sqlite3.Connection) -> None:
        super().__init__(path)
        self._source: Final = source
        self._ids = dict(source.execute("select name, id from stream order by id"))

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._source.execute(query, values).fetchall()


@contextmanager
def reading(path: Path, *, idle: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a store in use, or ``idle`` without new files. Raises ``StoreError``."""
    if not path.is_file() or not path.stat().st_size:
        raise StoreError(f"{path}: there is no store of that name")
    try:
        # Checkpoints are for the process that owns the store.
        connection = sqlite3.connect(
            f"file:{_quoted(path)}?mode=ro&immutable={idle:d}", uri=True, isolation_level=None
        )
        with closing(connection):
            connection.execute("pragma busy_timeout = 5000")
            yield connection
    except sqlite3.Error as error:
        raise StoreError(f"{path}: it cannot be read: {error}") from error


def _quoted(path: Path) -> str:
    place = str(Path(os.fspath(path)).absolute())
    return place.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def check_layout(path: Path, source: sqlite3.Connection) -> int:
    """Return a store's layout. Raises ``StoreError``."""
    version: int = source.execute("pragma user_version").fetchone()[0]
    if not 0 < version <= VERSION:
        raise StoreError(f"{path}: its layout is {version}, but this program reads {VERSION}")
    return version


def names_in(path: Path) -> tuple[str, ...]:
    with reading(path) as source:
        check_layout(path, source)
        return FileReader(path, source).names


def record_named(path: Path | str, names: tuple[str, ...], table: str | None) -> str:
    """Return the named record, or the only one. Raises ``StoreError``."""
    if table in names or (table is None and len(names) == 1):
        return table or names[0]
    held = ", ".join(names) or "none"
    raise StoreError(
        f"{path}: name one of its records with --table; it holds {held}"
        if table is None
        else f"{path}: no record is named {table}; it holds {held}"
    )


def record_lines(path: Path, table: str | None, first: int = 0) -> Generator[bytes]:
    """Yield lines from number ``first`` on. Raises ``StoreError``."""
    with reading(path) as source:
        check_layout(path, source)
        records = FileReader(path, source)
        name = record_named(path, records.names, table)
        yield from records.lines(name, first, records.count(name) - 1)
