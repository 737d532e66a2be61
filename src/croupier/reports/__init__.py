"""PAR sheets as files and on a terminal: from the plain data of a sheet, whoever made them.

The same data give the same bytes. Each form imports what it is made with when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from croupier.reports.csv_form import csv_sheet
from croupier.reports.figures import MissingExtraError, Sheet
from croupier.reports.page import html_sheet
from croupier.reports.pdf import pdf_sheet
from croupier.reports.text import text_sheet
from croupier.reports.xlsx import xlsx_sheet

__all__ = ["FORMS", "MissingExtraError", "written"]

FORMS: Final[Mapping[str, Callable[[Sheet], bytes]]] = MappingProxyType(
    {
        "text": lambda sheet: text_sheet(sheet).encode(),
        "json": lambda sheet: (json.dumps(sheet, indent=2, ensure_ascii=False) + "\n").encode(),
        "csv": lambda sheet: csv_sheet(sheet).encode(),
        "html": lambda sheet: html_sheet(sheet).encode(),
        "xlsx": xlsx_sheet,
        "pdf": pdf_sheet,
    }
)
"""The forms of a sheet, each with what writes it."""


def written(sheet: Sheet, form: str) -> bytes:
    """Return a sheet in one of the forms, as the bytes of its file.

    Raises ``KeyError`` for a form that is not known, and ``MissingExtraError`` where the form is
    made with a package that is not installed.
    """
    return FORMS[form](sheet)
