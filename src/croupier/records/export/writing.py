"""Exports: rows of logs, read in processes and written to a folder or a database file."""

from __future__ import annotations

import csv
import pickle
import shutil
import signal
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from importlib import import_module
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Any, Final, NamedTuple

from croupier.files.text import safe_cell
from croupier.records.export.tables import FORMAT, TABLES, LogTables, Row
from croupier.records.header import LogError
from croupier.records.log import IMPOSSIBLE, unbookable
from croupier.records.reader import LogReader

_ENTRIES: Final = 2000
"""Entries whose rows are in memory at a time."""


class ExportJob(NamedTuple):
    logs: Sequence[tuple[Path, str | None]]
    tables: Sequence[str]
    form: str


def read_rows(job: ExportJob, processes: int, folder: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield rows by table with the number of their log; processes keep theirs in the folder.

    Raises ``LogError``.
    """
    processes = min(processes, len(job.logs))
    if processes < 2:
        for number, log in enumerate(job.logs):
            yield from ((number, numbered_rows) for numbered_rows in _rows(log, job))
        return
    workers: list[tuple[Process, Connection]] = []
    try:
        for process_number in range(processes):
            here, there = Pipe()
            part = job._replace(logs=job.logs[process_number::processes])
            place = folder / f"rows-{process_number}"
            process = Process(target=_keep, args=(here, there, part, place), daemon=True)
            process.start()
            there.close()
            workers.append((process, here))
        for number, (path, _) in enumerate(job.logs):
            here = workers[number % processes][1]
            try:
                kept = here.recv()
            except (EOFError, ConnectionResetError) as error:
                raise LogError(f"{path}: the process that read it has died") from error
            if isinstance(kept, Exception):
                raise kept
            yield from ((number, numbered_rows) for numbered_rows in _kept(kept))
            with suppress(BrokenPipeError):  # A process whose logs are all read has ended.
                here.send(None)
    finally:
        for process, here in workers:
            here.close()
            # An inherited handler can lose SIGTERM; the process would wait forever.
            process.kill()
            process.join()


def _keep(other: Connection, here: Connection, job: ExportJob, place: Path) -> None:
    """Keep the rows of each log in a file, of at most two logs ahead, and tell where."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    other.close()
    with suppress(BrokenPipeError, EOFError):
        try:
            for number, log in enumerate(job.logs):
                if number > 1:
                    here.recv()
                path = place.with_name(f"{place.name}-{number}")
                with path.open("xb") as file:
                    for rows in _rows(log, job):
                        pickle.dump(rows, file, pickle.HIGHEST_PROTOCOL)
                here.send(path)
        except (LogError, OSError, RuntimeError) as error:
            here.send(error)


def _kept(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file, suppress(EOFError):
        while True:
            yield pickle.load(file)  # noqa: S301  (this program wrote it)
    path.unlink()


def _rows(log: tuple[Path, str | None], job: ExportJob) -> Iterator[dict[str, Any]]:
    reader = LogReader(*log, is_scanned=False)
    tables = LogTables(reader.header, job.tables)
    for number, (line, entry) in enumerate(reader.entries(), start=1):
        try:
            tables.follow(entry)
        except IMPOSSIBLE as error:
            raise unbookable(log[0], line, error) from error
        if number % _ENTRIES == 0:
            yield _prepared(tables, log[0], job.form)
    yield _prepared(tables, log[0], job.form)


def _prepared(tables: LogTables, log: Path, form: str) -> dict[str, Any]:
    try:
        return {name: prepared(name, columns, form) for name, columns in tables.take().items()}
    except OverflowError as error:
        raise LogError(
            f"{log}: it has a number of more than 64 bits, which {form} does not hold"
        ) from error


FORMS: Final = ("parquet", "csv", "sqlite", "duckdb")
"""Formats by suffix; Parquet and CSV are also those of a folder."""

_GROUP: Final = 50_000


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary place, which replaces ``path`` when complete."""
    parent = path.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".croupier-export-", dir=parent))
    try:
        yield folder / "export"
        if path.is_dir():
            shutil.rmtree(path)
        (folder / "export").replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ExportError(RuntimeError):
    """A format whose package is not installed."""


def prepared(table: str, columns: Sequence[Sequence[Any]], form: str) -> Any:
    """Return rows as a format's writer takes them. Raises ``ExportError``."""
    if form == "csv":
        columns = [
            [str(cell).lower() for cell in column] if info.unit == "flag" else column
            for info, column in zip(TABLES[table], columns, strict=True)
        ]
    if form not in {"parquet", "duckdb"}:
        return [*zip(*columns, strict=True)]
    arrow = _package("pyarrow", "parquet")
    schema = _schema(table)
    arrays = []
    for column, field in zip(columns, schema, strict=True):
        first = next(iter(column), None)
        if arrow.types.is_timestamp(field.type):
            # Arrow reads times from text a hundred times faster than from objects.
            arrays.append(arrow.array(column, arrow.string()).cast(field.type))
        elif first is not None and first is column[-1] and column.count(first) == len(column):
            arrays.append(arrow.repeat(arrow.scalar(first, field.type), len(column)))
        else:
            arrays.append(arrow.array(column, field.type))
    return arrow.Table.from_arrays(arrays, schema=schema)


class ExportInProgress:
    def __init__(self, sinks: Mapping[str, CsvTable | ParquetTable | DatabaseTable]) -> None:
        self._sinks = sinks
        self.counts = dict.fromkeys(sinks, 0)

    def add(self, rows: Mapping[str, Any]) -> None:
        for table, sink in self._sinks.items():
            if count := len(rows[table]):
                self.counts[table] += count
                sink.write(rows[table])


def files(folder: Path, tables: Sequence[str], form: str) -> dict[str, Path]:
    return {name: folder / f"{name}.{form}" for name in tables}


@contextmanager
def export_to_files(paths: Mapping[str, Path], form: str) -> Iterator[ExportInProgress]:
    """Export to Parquet or CSV. Raises ``ExportError``."""
    kind = ParquetTable if form == "parquet" else CsvTable
    with ExitStack() as stack:
        yield ExportInProgress({
            name: stack.enter_context(closing(kind(path, name))) for name, path in paths.items()
        })  # fmt: skip


@contextmanager
def export_to_database(path: Path, tables: Sequence[str], form: str) -> Iterator[ExportInProgress]:
    """Export to a new SQLite or DuckDB file. Raises ``ExportError``."""
    module: Any = sqlite3 if form == "sqlite" else _package("duckdb", "duckdb")
    with closing(module.connect(str(path))) as database:
        database.execute("create table export (format integer not null)")
        database.execute("insert into export values (?)", [FORMAT])
        yield ExportInProgress({name: DatabaseTable(database, name, form) for name in tables})
        database.commit()


def _package(module: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise ExportError(
            f"this format requires {module.partition('.')[0]}: pip install 'croupier[{extra}]'"
        ) from error


class CsvTable:
    """A CSV file with a header; null is empty, true and false are words, no cell is a formula."""

    def __init__(self, path: Path, table: str) -> None:
        self._file: IO[str] = path.open("x", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(column.name for column in TABLES[table])

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.writerows([*map(safe_cell, row)] for row in rows)

    def close(self) -> None:
        self._file.close()


@cache
def _schema(table: str) -> Any:
    arrow = _package("pyarrow", "parquet")
    units = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "flag": arrow.bool_(),
        "time": arrow.timestamp("ms", "UTC"),
        "date": arrow.date32(),
    }
    fields = [
        arrow.field(one.name, units[one.unit], metadata={"says": one.says}) for one in TABLES[table]
    ]
    return arrow.schema(fields, metadata={"croupier.export": str(FORMAT)})


class ParquetTable:
    """A Parquet file; text is dictionary-encoded, times are UTC with milliseconds."""

    def __init__(self, path: Path, table: str) -> None:
        self._arrow = _package("pyarrow", "parquet")
        parquet = _package("pyarrow.parquet", "parquet")
        texts = [column.name for column in TABLES[table] if column.unit == "text"]
        self._writer = parquet.ParquetWriter(
            path, _schema(table), compression="zstd", use_dictionary=texts
        )
        self._waiting: list[Any] = []

    def write(self, rows: Any) -> None:
        """Write row groups of one size, whatever the parts in which rows come."""
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= _GROUP:
            table = self._arrow.concat_tables(self._waiting)
            length = len(table) // _GROUP * _GROUP
            self._writer.write_table(table.slice(0, length), _GROUP)
            self._waiting = [table.slice(length)]

    def close(self) -> None:
        if sum(map(len, self._waiting)):
            self._writer.write_table(self._arrow.concat_tables(self._waiting), _GROUP)
        self._writer.close()


COLUMN_TYPES: Final = {
    "sqlite": {"text": "text", "integer": "integer", "flag": "integer", "time": "text",
               "date": "text"},
    "duckdb": {"text": "varchar", "integer": "bigint", "flag": "boolean", "time": "timestamptz",
               "date": "date"},
    "postgresql": {"text": "text", "integer": "bigint", "flag": "boolean", "time": "timestamptz",
                   "date": "date"},
}  # fmt: skip
"""Types of columns in a database, by unit; in SQLite, times and dates are text."""


def sqlite_rows(table: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield rows with dates as text: the date adapter of sqlite3 is deprecated."""
    days = {index for index, column in enumerate(TABLES[table]) if column.unit == "date"}
    for row in rows:
        yield tuple(
            str(cell) if at in days and cell is not None else cell for at, cell in enumerate(row)
        )


class DatabaseTable:
    def __init__(self, database: Any, table: str, form: str) -> None:
        types = COLUMN_TYPES[form]
        columns = ", ".join(f'"{column.name}" {types[column.unit]}' for column in TABLES[table])
        database.execute(f'create table "{table}" ({columns})')
        marks = ", ".join("?" for _ in TABLES[table])
        source = f"values ({marks})" if form == "sqlite" else "from rows"
        self._insert = f'insert into "{table}" {source}'
        self._database = database
        self._table = table
        self._plain = form == "sqlite"

    def write(self, rows: Any) -> None:
        if self._plain:
            self._database.executemany(self._insert, sqlite_rows(self._table, rows))
        else:
            self._database.register("rows", rows)
            self._database.execute(self._insert)
