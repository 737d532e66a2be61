"""Places of logs: files, or stores of many records, by their names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from croupier.files.arguments import checks_types
from croupier.files.errors import by_caller
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.sqlite_reading import names_in, record_lines, record_named
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Store, StoredStream
from croupier.records.stores.stream import StoreError, Stream

__all__ = [
    "check_table", "create_stream", "is_database", "is_store", "names_in", "open_store",
    "open_stream", "record_lines", "record_named",
]  # fmt: skip

_STORE: Final = ".sqlite"


def is_store(path: Path) -> bool:
    return path.suffix == _STORE


def check_table(path: Path, table: str | None) -> None:
    """Raise ``StoreError`` for the name of a table that its place cannot have."""
    if table is not None and not is_store(path):
        option = by_caller("--table", "table")
        raise StoreError(f"{path}: only a .sqlite store has tables to name: leave out {option}")


def is_database(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


@checks_types
def open_store(place: str | os.PathLike[str]) -> Store:
    """Open or create a ``.sqlite`` or PostgreSQL store. Raises ``StoreError``."""
    if isinstance(place, str) and is_database(place):
        from croupier.records.stores.postgres_store import PostgresStore  # noqa: PLC0415  (an extra)

        return PostgresStore(place)
    path = Path(place)
    path.absolute().parent.mkdir(parents=True, exist_ok=True)
    return SQLiteStore(path)


def create_stream(
    path: Path, table: str, *, reads: Iterable[Path] = (), replace: bool = False
) -> Stream:
    """Create a record, as ``FileStream.create`` does. Raises ``StoreError``."""
    if not is_store(path):
        return FileStream.create(path, reads=reads, replace=replace)
    path.absolute().parent.mkdir(parents=True, exist_ok=True)
    store = SQLiteStore(path)
    try:
        store.create(table)
    except StoreError:
        store.close()
        raise
    return StoredStream(store, table, owns=True)


def open_stream(path: Path, table: str | None) -> Stream:
    """Open a record: of a store that named, or the only one. Raises ``StoreError``."""
    check_table(path, table)
    if not is_store(path):
        return FileStream.open(path)
    if not path.is_file() or not path.stat().st_size:
        raise StoreError(f"{path}: there is no store of that name")
    store = SQLiteStore(path)
    try:
        return StoredStream(store, record_named(path, store.names, table), owns=True)
    except StoreError:
        store.close()
        raise
