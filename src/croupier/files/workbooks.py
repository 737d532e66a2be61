"""Rows of a spreadsheet as text, by python-calamine (an extra)."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from croupier.files.errors import FileError

MAX_WORKBOOK_BYTES: Final = 256 << 20
"""The largest spreadsheet, which is held in memory."""

_MAX_EXPANDED: Final = 2 << 30
_MAX_PARTS: Final = 10_000
_ZIP: Final = b"PK\x03\x04"
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKS: Final = ("[Content_Types].xml", "xl/", "content.xml")
_EXACT: Final = 2**53
"""Spreadsheet numbers are doubles, which are inexact from here on."""


def is_workbook(path: Path) -> bool:
    """Return whether a file is a spreadsheet: XLSX, XLSB, XLS, or ODS. Raises ``OSError``."""
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
    """Yield a sheet's rows as text, by default those of the only sheet.

    Raises ``FileError``.
    """
    with _opened(path) as book:
        for row in _sheet(book, name).iter_rows():
            yield [_text(cell) for cell in row]


def sheets_of(path: Path) -> list[str]:
    """Return the names of the sheets that have cells. Raises ``FileError``."""
    with _opened(path) as book:
        return [name for name in book.sheet_names if book.get_sheet_by_name(name).height]


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    _check_size(path)
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


def _check_size(path: Path) -> None:
    if path.stat().st_size > MAX_WORKBOOK_BYTES:
        raise FileError(f"{path}: larger than {MAX_WORKBOOK_BYTES >> 20} MiB: save it as CSV")
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_EXPANDED:
            raise FileError(f"{path}: expands to more than {_MAX_EXPANDED >> 30} GiB")


def _sheet(book: Any, name: str | None) -> Any:
    names: list[str] = book.sheet_names
    if name is not None:
        if name not in names:
            raise FileError(f"there is no sheet {name!r}; the sheets are: {', '.join(names)}")
        return book.get_sheet_by_name(name)
    filled = [one for one in names if book.get_sheet_by_name(one).height]
    if not filled:
        raise FileError("the file is empty")
    if len(filled) > 1:
        raise FileError(
            f"several sheets have cells, {', '.join(filled)}: name one in a mapping, as [file] "
            f'sheet = "{filled[-1]}", or use the mapping that croupier map proposes'
        )
    return book.get_sheet_by_name(filled[0])


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, int | float):
        if abs(cell) >= _EXACT:
            return f"inexact {cell!r}"
        return str(int(cell)) if cell == int(cell) else repr(cell)
    return str(cell)
