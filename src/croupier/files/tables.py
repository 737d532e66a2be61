"""Small tables from delimited text or a page of a workbook."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.files.errors import FileError
from croupier.files.text import decoded, read_bytes
from croupier.files.workbooks import check_parts

MAX_EXACT: Final = 1 << 53
"""The largest exact integer in a workbook, whose numbers are doubles."""

_STARTS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_MAX_EXPANDED: Final = 64 << 20
_MAX_ROWS: Final = 10_000
_DELIMITERS: Final = ",;\t|"

Cell = str | int | float
"""Text or a workbook's number, as an integer if exact."""


class SentTable(NamedTuple):
    page: str | None
    rows: Sequence[tuple[int, Sequence[Cell]]]
    delimiter: str = ""


def read_tables(path: Path, encoding: str | None = None) -> list[SentTable]:
    """Read a text file's table, or a workbook's pages. Raises ``FileError``."""
    return tables_of(read_bytes(path), path, encoding)


def tables_of(raw: bytes, path: Path, encoding: str | None = None) -> list[SentTable]:
    if is_workbook(raw):
        return list(_pages(raw, path))
    text = decoded(raw, path, encoding)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        rows = _bounded(path, csv.reader(io.StringIO(text, None), delimiter=delimiter))
    except csv.Error as error:
        raise FileError(f"{path}: not a table: {error}") from error
    return [SentTable(None, rows, delimiter)]


def is_workbook(raw: bytes) -> bool:
    return raw.startswith(_STARTS)


def _bounded(path: Path, rows: Iterable[Sequence[Cell]]) -> list[tuple[int, Sequence[Cell]]]:
    found = []
    for line, row in enumerate(rows, 1):
        if line > _MAX_ROWS:
            raise FileError(f"{path}: more than {_MAX_ROWS:,} rows, the limit for such a table")
        found.append((line, row))
    return found


def _pages(raw: bytes, path: Path) -> Iterator[SentTable]:
    check_parts(io.BytesIO(raw), path, _MAX_EXPANDED)
    try:
        calamine = import_module("python_calamine")
    except ModuleNotFoundError as error:
        if error.name != "python_calamine":
            raise
        raise FileError(
            f"{path}: a workbook requires python-calamine, which is in the extra "
            "croupier[vendors]: pip install 'croupier[vendors]', or save the file as CSV"
        ) from error
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw))
        for name in book.sheet_names:
            rows = book.get_sheet_by_name(name).to_python(
                skip_empty_area=False, nrows=_MAX_ROWS + 1
            )
            yield SentTable(name, _bounded(path, ([_cell(cell) for cell in row] for row in rows)))
    except (calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path}: not a workbook that can be read: {error}") from error


def _cell(value: Any) -> Cell:
    """Odds such as 8:1, which become times of day in a workbook, are text."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if abs(value) <= MAX_EXACT and value == int(value):
        return int(value)
    return float(value)
