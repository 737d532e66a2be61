"""Workbooks as a spreadsheet program calculates them, and cells changed before it does.

LibreOffice keeps the values that are stored with formulas unless it is set to calculate always, so
it runs with a profile of its own.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from python_calamine import CalamineWorkbook

Cells = Mapping[str, Sequence[Sequence[Any]]]
"""The cells of each page, row by row from the first."""

_ALWAYS: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>{mode}</value></prop>
</item>
</oor:items>
"""
_FORMULA: Final = re.compile(r'(<c [^>]*?)( t="str")?(>\s*<f>[^<]*</f><v>)[^<]*(</v>)')
WRONG: Final = "12345.678"
"""A value that no formula of a sheet has."""


def calculated(
    books: Mapping[str, bytes], folder: Path, *, always: bool = True
) -> dict[str, Cells]:
    """Return the cells of workbooks by name, after LibreOffice has loaded and saved them.

    Unless ``always``, it keeps stored values as it does by default.
    """
    if shutil.which("soffice") is None:
        pytest.skip("soffice calculates workbooks, and is not there")
    profile, given, made = (folder / name for name in ("profile", "given", "made"))
    for one in (profile / "user", given, made):
        one.mkdir(parents=True)
    settings = _ALWAYS.format(mode=0 if always else 1)
    (profile / "user" / "registrymodifications.xcu").write_text(settings, encoding="utf-8")
    for name, content in books.items():
        (given / f"{name}.xlsx").write_bytes(content)
    subprocess.run(  # noqa: S603  (our own words)
        [  # noqa: S607
            "soffice",
            "--headless",
            f"-env:UserInstallation=file://{profile}",
            "--convert-to",
            "xlsx:Calc MS Excel 2007 XML",
            "--outdir",
            str(made),
            *(str(given / f"{name}.xlsx") for name in books),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return {name: cells_of(made / f"{name}.xlsx") for name in books}


def cells_of(path: Path) -> Cells:
    """Return the cells of a workbook as they are stored."""
    book = CalamineWorkbook.from_path(str(path))
    return {
        name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        for name in book.sheet_names
    }


def _rewritten(content: bytes, rewrite: Callable[[str, str], str]) -> bytes:
    """Return a workbook with the XML of each page rewritten, given its number."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                raw = rewrite(name, raw.decode()).encode()
            new.writestr(name, raw)
    return made.getvalue()


def spoiled(content: bytes) -> bytes:
    """Return a workbook whose formulas all have the same wrong value."""
    return _rewritten(content, lambda _, text: _FORMULA.sub(rf"\1\g<3>{WRONG}\4", text))


def changed(content: bytes, page: int, cells: Iterable[tuple[str, str]]) -> bytes:
    """Return a workbook with numbers changed on one page, counted from 1, and nothing else."""

    def rewrite(name: str, text: str) -> str:
        if not name.endswith(f"sheet{page}.xml"):
            return text
        for address, number in cells:
            text, found = re.subn(rf'(<c r="{address}"[^>]*><v>)[^<]*', rf"\g<1>{number}", text)
            assert found == 1, f"there is no number at {address}"
        return text

    return _rewritten(content, rewrite)


def saved_as_workbook(pages: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Return a workbook of plain cells, as a vendor would send it."""
    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        for name, rows in pages.items():
            page = book.add_worksheet(name)
            for number, row in enumerate(rows):
                page.write_row(number, 0, row)
    return made.getvalue()
