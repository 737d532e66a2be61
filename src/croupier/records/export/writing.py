"""Writers of exported tables to a folder or a database file."""

from __future__ import annotations

import csv
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Any, Final, Protocol

from croupier.records.export.tables import FORMAT, TABLES, Column, Row

FORMS: Final = ("parquet", "csv", "sqlite", "duckdb")
"""Formats by suffix; Parquet and CSV are also those of a folder."""

_BATCH: Final = 50_000
"""Rows of a table in memory before they are written."""


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a temporary place for an export, which replaces ``out`` when complete."""
    parent = out.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".croupier-export-", dir=parent))
    try:
        yield folder / "export"
        if out.is_dir():
            shutil.rmtree(out)
        (folder / "export").replace(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ExportError(RuntimeError):
    """Raised if a format requires a package that is not installed."""


class TableSink(Protocol):
    """A place for the rows of one table."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write some rows."""

    def close(self) -> None:
        """Finish the table."""


class ExportInProgress:
    """An export in progress: rows go to the sink of their table in batches."""

    def __init__(self, sinks: Mapping[str, TableSink]) -> None:
        self._sinks = sinks
        self._waiting: dict[str, list[Row]] = {name: [] for name in sinks}
        self.counts = dict.fromkeys(sinks, 0)
        """Rows by table."""

    def add(self, table: str, row: Row) -> None:
        """Add a row."""
        waiting = self._waiting[table]
        waiting.append(row)
        if len(waiting) == _BATCH:
            self._flush(table)

    def close(self) -> None:
        """Write the remaining rows and finish every table."""
        for table, sink in self._sinks.items():
            self._flush(table)
            sink.close()

    def _flush(self, table: str) -> None:
        self.counts[table] += len(self._waiting[table])
        self._sinks[table].write(self._waiting[table])
        self._waiting[table].clear()


def files(folder: Path, tables: Sequence[str], form: str) -> dict[str, Path]:
    """Return the file of each table in a folder."""
    return {name: folder / f"{name}.{form}" for name in tables}


def export_to_files(paths: Mapping[str, Path], form: str) -> ExportInProgress:
    """Begin an export to Parquet or CSV files. Raises ``ExportError``."""
    make = ParquetTable if form == "parquet" else CsvTable
    return ExportInProgress({name: make(path, TABLES[name]) for name, path in paths.items()})


def export_to_database(path: Path, tables: Sequence[str], form: str) -> ExportInProgress:
    """Begin an export to a new SQLite or DuckDB file. Raises ``ExportError``."""
    if form == "sqlite":
        database: Any = sqlite3.connect(path)
    else:
        database = _package("duckdb", "duckdb").connect(str(path))
    database.execute("create table export (format integer not null)")
    database.execute("insert into export values (?)", [FORMAT])
    last = tables[-1]
    return ExportInProgress({
        name: DatabaseTable(database, name, form, closes=name == last) for name in tables
    })  # fmt: skip


def _package(module: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise ExportError(
            f"this format requires {module.partition('.')[0]}: pip install 'croupier[{extra}]'"
        ) from error


class CsvTable:
    """A CSV file with a header; null is empty, true and false are words."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file: IO[str] = path.open("x", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(column.name for column in columns)
        self._flags = [at for at, column in enumerate(columns) if column.unit == "flag"]

    def write(self, rows: Sequence[Row]) -> None:
        """Write some rows."""
        if not self._flags:
            self._writer.writerows(rows)
            return
        for row in rows:
            cells = list(row)
            for at in self._flags:
                cells[at] = "true" if cells[at] else "false"
            self._writer.writerow(cells)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ParquetTable:
    """A Parquet file; text is dictionary-encoded, times are UTC with milliseconds."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._arrow = _package("pyarrow", "parquet")
        parquet = _package("pyarrow.parquet", "parquet")
        units = {
            "text": self._arrow.string(),
            "integer": self._arrow.int64(),
            "flag": self._arrow.bool_(),
            "time": self._arrow.timestamp("ms", "UTC"),
            "date": self._arrow.date32(),
        }
        self._schema = self._arrow.schema(
            [
                self._arrow.field(one.name, units[one.unit], metadata={"says": one.says})
                for one in columns
            ],
            metadata={"croupier.export": str(FORMAT)},
        )
        self._times = [at for at, column in enumerate(columns) if column.unit == "time"]
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, rows: Sequence[Row]) -> None:
        """Write some rows as one row group."""
        if not rows:
            return
        columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
        for at in self._times:
            columns[at] = [None if one is None else _time(one) for one in columns[at]]
        arrays = [
            self._arrow.array(column, field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


class DatabaseTable:
    """A table of a SQLite or DuckDB file; in SQLite, times and dates are text."""

    _TYPES: Final = {
        "sqlite": {"text": "text", "integer": "integer", "flag": "integer", "time": "text",
                   "date": "text"},
        "duckdb": {"text": "varchar", "integer": "bigint", "flag": "boolean",
                   "time": "timestamptz", "date": "date"},
    }  # fmt: skip

    def __init__(self, database: Any, table: str, form: str, *, closes: bool) -> None:
        types = self._TYPES[form]
        columns = ", ".join(f'"{one.name}" {types[one.unit]}' for one in TABLES[table])
        database.execute(f'create table "{table}" ({columns})')
        marks = ", ".join("?" for _ in TABLES[table])
        self._insert = f'insert into "{table}" values ({marks})'  # noqa: S608  (names of our own)
        self._database = database
        self._plain = form == "sqlite"
        self._days = [at for at, one in enumerate(TABLES[table]) if one.unit == "date"]
        self._closes = closes

    def write(self, rows: Sequence[Row]) -> None:
        """Insert some rows."""
        if not rows:
            return
        if self._plain:
            # The date adapter of sqlite3 is deprecated.
            rows = [
                tuple(
                    str(one) if at in self._days and one is not None else one
                    for at, one in enumerate(row)
                )
                for row in rows
            ]
        self._database.executemany(self._insert, rows)

    def close(self) -> None:
        """Commit, and close the file after the last table."""
        if self._closes:
            self._database.commit()
            self._database.close()
