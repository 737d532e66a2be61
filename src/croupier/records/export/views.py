"""SQL views of the records of a store, with the tables of an export.

The rows behind them are a copy made of sealed lines, kept apart from the record: in ``STORE.views``
next to a file, or in a schema of their own in a database. Nothing but the views reads them.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from croupier.files.write import LockedError, locked
from croupier.records.chain import Link, read_log_header
from croupier.records.entry import moment, sha256, unseal
from croupier.records.export.tables import FORMAT, TABLES, LogTables, TablesState
from croupier.records.export.writing import COLUMN_TYPES, sqlite_rows
from croupier.records.header import LogError, LogHeader, stream_in
from croupier.records.log import IMPOSSIBLE, unbookable
from croupier.records.pit_log import is_pit_header
from croupier.records.stores.places import is_database, names_in, record_lines
from croupier.records.stores.postgres_reading import PostgresReader
from croupier.records.stores.stream import StoreError

SCHEMA: Final = "croupier_views"
_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_NO_NUL: Final = (
    "a text of this entry has the character NUL, which PostgreSQL cannot store: use the files of "
    "croupier export for this record"
)
_LINES: Final = 2000
"""Lines whose rows are written in one transaction."""
_PROGRESS: Final = "record, stream, lines, entries, sha256, recorded_at, refreshed_at, fault"
_NAMES: Final = {"progress", "export", "records", *TABLES, *(f"{table}_rows" for table in TABLES)}


class ViewsOf(NamedTuple):
    """A record's extent in the views; ``fault`` is why its rows end before its lines do."""

    record: str
    entries: int
    fault: str | None
    is_new: bool
    """Whether its rows were made anew, or are more than before."""


class _Progress(Struct):
    header: str
    lines: int
    link: Link
    tables: TablesState


_Lines = Callable[[str, int], Iterator[bytes]]


@contextmanager
def views_of(
    place: str, *, anew: bool = False, reader: str | None = None
) -> Iterator[Generator[ViewsOf]]:
    """Open a store's views for one refreshing; a role ``reader`` may read them alone."""
    if is_database(place):
        with closing(PostgresReader(place)) as store:
            store.open_to_read()
            with store.writing_views() as connection:
                yield _refresh(
                    store.names, store.lines, _DatabaseRows(connection, anew=anew, reader=reader)
                )
        return
    path = Path(place)
    names = names_in(path)
    target = Path(f"{place}.views")
    try:
        lock = locked(Path(f"{target}.lock"))
    except (LockedError, OSError) as error:
        raise StoreError(f"{target}: another command refreshes it, or it cannot be") from error
    try:
        if target.is_symlink():
            raise StoreError(f"{target}: a link to another file: remove the link")
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            rows = _FileRows(target, connection, anew=anew)
            # Short reads: a long one would keep the service from checkpointing.
            yield _refresh(names, partial(record_lines, path), rows)
    except sqlite3.Error as error:
        raise StoreError(f"{target}: {error}: remove it, and make it again") from error
    finally:
        os.close(lock)


def _refresh(
    names: Sequence[str], lines_of: _Lines, rows: _FileRows | _DatabaseRows
) -> Generator[ViewsOf]:
    progress = rows.progress()
    for old_name in sorted(progress.keys() - {*names}):
        rows.remove(old_name)
    streams: dict[str, str] = {}
    for name in names:
        line = next(lines_of(name, 0), b"")
        if not line or is_pit_header(line):
            continue
        if (first_name := streams.setdefault(stream_in(line), name)) != name and stream_in(line):
            rows.remove(name)
            yield ViewsOf(name, 0, f"the record is that of {first_name} again", is_new=False)
        else:
            yield _follow(lines_of, rows, name, line, progress.get(name))


def _follow(
    lines_of: _Lines, rows: _FileRows | _DatabaseRows, name: str, top: bytes, saved: str | None
) -> ViewsOf:
    try:
        header, seal, fault = read_log_header(name, top)
    except LogError as error:
        rows.remove(name)
        return ViewsOf(name, 0, str(error), is_new=False)
    fault = fault or rows.fault_of(top)
    continuation = None if saved is None else _continuation(lines_of, name, header, seal, saved)
    is_new = continuation is None
    if continuation is None:
        rows.remove(name)
        link = Link.after(header.opening, seal)
        continuation = _Progress(seal, 1, link, TablesState()), LogTables(header)
    progress, tables = continuation
    link = progress.link

    def write() -> None:
        progress.tables = tables.state
        try:
            columns = tables.take()
        except OverflowError as error:
            raise StoreError(f"{name}: it has a number of more than 64 bits") from error
        rows_by_table = {table: zip(*columns[table], strict=True) for table in TABLES}
        time = moment(datetime.now(UTC))
        state = msgspec.json.encode(progress).decode()
        row = (
            name, header.stream, progress.lines, link.sequence - header.before, link.seal,
            link.at or None, time, fault, state,
        )  # fmt: skip
        rows.add(name, rows_by_table, row)

    lines = iter(()) if fault else lines_of(name, progress.lines)
    for line in lines:
        # What follows a changed line is not to be believed either.
        old_link = msgspec.structs.replace(link)
        entry, entry_fault = link.follow(line)
        entry_fault = entry_fault or rows.fault_of(line)
        if entry_fault is not None:
            fault, progress.link = f"line {progress.lines + 1}: {entry_fault}", old_link
            link = old_link
            break
        is_new, progress.lines = True, progress.lines + 1
        if entry is not None:
            try:
                tables.follow(entry)
            except IMPOSSIBLE as error:
                rows.remove(name)
                return ViewsOf(name, 0, str(unbookable(name, progress.lines, error)), is_new=False)
        if progress.lines % _LINES == 0:
            write()
    write()
    return ViewsOf(name, link.sequence - header.before, fault, is_new)


def _continuation(
    lines_of: _Lines, name: str, header: LogHeader, seal: str, progress_text: str
) -> tuple[_Progress, LogTables] | None:
    """Resume a record's rows if the last line followed is still there."""
    with suppress(msgspec.DecodeError, ValueError):
        state = msgspec.json.decode(progress_text, type=_Progress)
        unsealed = unseal(next(lines_of(name, state.lines - 1), b""))
        if state.header == seal and unsealed is not None and sha256(unsealed[0]) == state.link.seal:
            return state, LogTables(header, state=state.tables)
    return None


def _statements(kind: str, owns: str) -> Iterator[str]:
    types = COLUMN_TYPES[kind]
    yield (
        f"create table {owns}progress (record text primary key, stream text not null,"
        f" lines {types['integer']} not null, entries {types['integer']} not null,"
        f" sha256 text not null, recorded_at {types['time']},"
        f" refreshed_at {types['time']} not null, fault text, state text not null)"
    )
    yield f"create table {owns}export as select {FORMAT} as format"
    delay = (
        ", (select max(number) + 1 - progress.lines from line join stream on stream.id ="
        " line.stream where name = progress.record) as behind"
    )
    more_columns = delay if kind == "postgresql" else ""
    yield f"create view {owns}records as select {_PROGRESS}{more_columns} from {owns}progress"  # noqa: S608  (our names)
    for table, columns in TABLES.items():
        definitions = ", ".join(f'"{column.name}" {types[column.unit]}' for column in columns)
        names = ", ".join(f'"{column.name}"' for column in columns)
        yield f"create table {owns}{table}_rows (record text not null, {definitions})"
        yield f"create index {table}_of_record on {owns}{table}_rows (record)"
        yield f"create view {owns}{table} as select {names} from {owns}{table}_rows"  # noqa: S608


def _check_format(place: str, found: tuple[int]) -> None:
    if found != (FORMAT,):
        raise StoreError(f"{place}: views of format {found[0]}, not {FORMAT}: add --anew")


class _FileRows:
    @staticmethod
    def fault_of(_line: bytes) -> str | None:
        return None

    def __init__(self, path: Path, connection: sqlite3.Connection, *, anew: bool) -> None:
        self._run: Final = connection.execute
        self._run_many: Final = connection.executemany
        self._run("pragma synchronous = normal")
        query = "select type, name from sqlite_master where type in ('table', 'view')"
        if names := {name for _, name in self._run(query)} - _NAMES:
            raise StoreError(f"{path}: another database, which has {min(names)}: move it away")
        if anew:
            with self._writing():
                for kind, name in self._run(query).fetchall():
                    self._run(f'drop {kind} "{name}"')
        if not self._run("select 1 from sqlite_master").fetchone():
            with self._writing():
                for statement in _statements("sqlite", ""):
                    self._run(statement)
        _check_format(str(path), self._run("select format from export").fetchone())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._run("begin immediate")
        try:
            yield
        except BaseException:
            self._run("rollback")
            raise
        self._run("commit")

    def progress(self) -> Mapping[str, str]:
        return dict(self._run("select record, state from progress"))

    def remove(self, record: str) -> None:
        with self._writing():
            for table in ("progress", *(f"{table}_rows" for table in TABLES)):
                self._run(f"delete from {table} where record = ?", (record,))  # noqa: S608  (our names)

    def add(
        self, record: str, rows: Mapping[str, Iterable[Sequence[Any]]], progress: Sequence[Any]
    ) -> None:
        with self._writing():
            for table, columns in TABLES.items():
                marks = ", ".join("?" * (1 + len(columns)))
                self._run_many(
                    f"insert into {table}_rows values ({marks})",  # noqa: S608  (our names)
                    ((record, *row) for row in sqlite_rows(table, rows[table])),
                )
            self._run(
                "insert or replace into progress values (?, ?, ?, ?, ?, ?, ?, ?, ?)", progress
            )


class _DatabaseRows:
    @staticmethod
    def fault_of(line: bytes) -> str | None:
        return _NO_NUL if _NUL.search(line) else None

    def __init__(self, connection: Any, *, anew: bool, reader: str | None) -> None:
        self._connection: Final = connection
        self._run: Final = connection.execute
        with connection.transaction():
            if anew:
                self._run(f"drop schema if exists {SCHEMA} cascade")
            if self._run(f"select to_regclass('{SCHEMA}.progress')").fetchone() == (None,):
                self._run(f"create schema {SCHEMA}")
                for statement in _statements("postgresql", f"{SCHEMA}."):
                    self._run(statement)
            _check_format(SCHEMA, self._run(f"select format from {SCHEMA}.export").fetchone())  # noqa: S608  (our name)
            if reader is not None:
                self._grant(reader)

    def _grant(self, reader: str) -> None:
        from psycopg.sql import SQL, Identifier  # noqa: PLC0415  (an extra)

        right = self._run(
            "select one.relname from pg_class one join pg_class line on line.oid = 'line'::regclass"
            " and (one.relnamespace, one.relowner) = (line.relnamespace, line.relowner)"
            " where one.relkind = 'r' and has_table_privilege(%s, one.oid, %s)"
            " order by one.relname",
            (reader, "select, insert, update, delete, truncate, references, trigger"),
        ).fetchone()
        if right is not None:
            raise StoreError(
                f"--reader {reader}: this role has rights to the table {right[0]} of the store"
            )
        role, tables = Identifier(reader), ", ".join(f"{SCHEMA}.{table}" for table in TABLES)
        self._run(SQL(f"grant usage on schema {SCHEMA} to {{}}").format(role))
        self._run(SQL(f"grant select on {tables}, {SCHEMA}.records to {{}}").format(role))

    def progress(self) -> Mapping[str, str]:
        return dict(self._run(f"select record, state from {SCHEMA}.progress").fetchall())  # noqa: S608

    def remove(self, record: str) -> None:
        with self._connection.transaction():
            for table in ("progress", *(f"{table}_rows" for table in TABLES)):
                self._run(f"delete from {SCHEMA}.{table} where record = %s", (record,))  # noqa: S608  (our names)

    def add(
        self, record: str, rows: Mapping[str, Iterable[Sequence[Any]]], progress: Sequence[Any]
    ) -> None:
        with self._connection.transaction(), self._connection.cursor() as cursor:
            for table in TABLES:
                with cursor.copy(f"copy {SCHEMA}.{table}_rows from stdin") as copy:
                    for row in rows[table]:
                        copy.write_row((record, *row))
            self._run(f"delete from {SCHEMA}.progress where record = %s", (record,))  # noqa: S608
            self._run(
                f"insert into {SCHEMA}.progress values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",  # noqa: S608
                progress,
            )
