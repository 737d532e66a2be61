"""Rows of workbooks and delimited text; workbooks are read by python-calamine (an extra)."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from croupier.files.errors import FileError
from croupier.files.text import decoded, read_bytes

MAX_WORKBOOK_BYTES: Final = 256 << 20

_MAX_EXPANDED: Final = 2 << 30
_MAX_PARTS: Final = 10_000
_MAX_RATIO: Final = 100
"""How far a large part may expand: sheets are a tenth of their XML, a bomb is a thousandth."""
_LARGE: Final = 64 << 20
_MAX_CELLS: Final = 1 << 26
_CHUNK: Final = 1 << 20
_OVERLAP: Final = 64
_FAR_COLUMN: Final = re.compile(rb"""\br\s*=\s*["']([A-Za-z]{2,})[0-9]""")
_FAR_ROW: Final = re.compile(rb"""\br\s*=\s*["'][A-Za-z]*([0-9]{6,20})""")
_NEAR: Final = (26, 99_999)
"""The column and row up to which the references of cells are not looked at."""
_ZIP: Final = b"PK\x03\x04"
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError)
"""Raised for archives, and parts, that are damaged, encrypted, or truncated."""
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKS: Final = ("[Content_Types].xml", "xl/", "content.xml")
_EXACT: Final = 2**53
"""Spreadsheet numbers are doubles, which are inexact from here on."""


def is_workbook(path: Path) -> bool:
    """Detect XLSX, XLSB, XLS, and ODS. Raises ``OSError``."""
    with path.open("rb") as file:
        start = file.read(len(_OLD))
    if start == _OLD:
        return True
    if not start.startswith(_ZIP):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith(_MARKS) for name in archive.namelist()[:_MAX_PARTS])
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def sheet_rows(path: Path, name: str | None = None) -> Iterator[list[str]]:
    """Read a sheet, or the only one, as text. Raises ``FileError``."""
    with _open_book(path) as book:
        for row in _sheet(book, name).iter_rows():
            yield [_text(cell) for cell in row]


def sheets_of(path: Path) -> list[str]:
    """Name the sheets that have cells. Raises ``FileError``."""
    with _open_book(path) as book:
        return [name for name in book.sheet_names if book.get_sheet_by_name(name).height]


@contextmanager
def _open_book(path: Path) -> Iterator[Any]:
    if path.stat().st_size > MAX_WORKBOOK_BYTES:
        raise FileError(f"{path}: larger than {MAX_WORKBOOK_BYTES >> 20} MiB: save it as CSV")
    check_parts(path, path, _MAX_EXPANDED)
    try:
        calamine = import_module("python_calamine")
    except ImportError as error:
        raise FileError(
            "spreadsheets require python-calamine, which is in an extra: pip install "
            "'croupier[vendors]'"
        ) from error
    try:
        yield calamine.CalamineWorkbook.from_path(os.fspath(path))
    except FileError:
        raise
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise FileError(f"the spreadsheet cannot be read: {error}") from error


def check_parts(source: Path | IO[bytes], path: Path, limit: int) -> None:
    """Raise ``FileError`` if an archive, or the rectangle of a sheet's cells, is too large."""
    if not zipfile.is_zipfile(source):
        return
    try:
        with zipfile.ZipFile(source) as archive:
            _check_archive(archive, path, limit)
    except FileError:
        raise
    except _DAMAGED as error:
        raise FileError(f"{path}: the spreadsheet cannot be read: {error}") from error


def _check_archive(archive: zipfile.ZipFile, path: Path, limit: int) -> None:
    parts = archive.infolist()
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > limit:
        raise FileError(f"{path}: expands to more than {limit >> 20:,} MiB")
    for part in parts:
        if part.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise FileError(f"{path}: {part.filename} is not compressed as in a spreadsheet")
        if part.file_size > max(_LARGE, _MAX_RATIO * part.compress_size):
            raise FileError(f"{path}: {part.filename} expands more than {_MAX_RATIO} times")
        if part.filename.startswith("xl/worksheets/") and _cells(archive, part) > _MAX_CELLS:
            raise FileError(
                f"{path}: {part.filename} has a cell too far from the others: the maximum is "
                f"{_MAX_CELLS:,} cells; delete what is far out, or save it as CSV"
            )


def _cells(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> int:
    """Count a sheet's cells at most, by references of cells and rows."""
    columns, rows = set[bytes](), set[bytes]()
    with archive.open(part) as file:
        tail = b""
        while chunk := file.read(_CHUNK):
            text = tail + chunk
            columns.update(_FAR_COLUMN.findall(text))
            rows.update(_FAR_ROW.findall(text))
            tail = text[-_OVERLAP:]
    least_columns, least_rows = _NEAR
    last_column = max((_number(name) for name in columns), default=0)
    return max(last_column, least_columns) * max(least_rows, *map(int, rows), 0)


def _number(column: bytes) -> int:
    number = 0
    for letter in column.upper()[:8]:
        number = number * 26 + letter - 64
    return number


def _sheet(book: Any, name: str | None) -> Any:
    names: list[str] = book.sheet_names
    if name is not None:
        if name not in names:
            raise FileError(f"there is no sheet {name!r}; the sheets are: {', '.join(names)}")
        return book.get_sheet_by_name(name)
    sheets = [sheet for sheet in names if book.get_sheet_by_name(sheet).height]
    if not sheets:
        raise FileError("the file is empty")
    if len(sheets) > 1:
        raise FileError(
            f"several sheets have cells, {', '.join(sheets)}: name one in a mapping, as [file] "
            f'sheet = "{sheets[-1]}", or use the mapping that croupier map proposes'
        )
    return book.get_sheet_by_name(sheets[0])


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, int | float):
        if abs(cell) >= _EXACT:
            return f"inexact {cell!r}"
        return str(int(cell)) if cell == int(cell) else repr(cell)
    return str(cell)


_MAX_TABLE_EXPANDED: Final = 64 << 20
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
    if raw.startswith((_ZIP, _OLD)):
        return list(_pages(raw, path))
    text = decoded(raw, path, encoding)
    line = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=line.count)
    try:
        rows = _bounded(path, csv.reader(io.StringIO(text, None), delimiter=delimiter))
    except csv.Error as error:
        raise FileError(f"{path}: not a table: {error}") from error
    return [SentTable(None, rows, delimiter)]


def _bounded(path: Path, rows: Iterable[Sequence[Cell]]) -> list[tuple[int, Sequence[Cell]]]:
    numbered_rows = []
    for line, row in enumerate(rows, 1):
        if line > _MAX_ROWS:
            raise FileError(f"{path}: more than {_MAX_ROWS:,} rows, the limit for such a table")
        numbered_rows.append((line, row))
    return numbered_rows


def _pages(raw: bytes, path: Path) -> Iterator[SentTable]:
    check_parts(io.BytesIO(raw), path, _MAX_TABLE_EXPANDED)
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
    if abs(value) <= _EXACT and value == int(value):
        return int(value)
    return float(value)
