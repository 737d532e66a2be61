"""A sheet as PDF on A4, set by Typst with its own fonts: every machine makes the same."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view

__all__ = ["pdf_sheet"]

_TEMPLATE: Final = "sheet.typ"

_FONT: Final = "Libertinus Serif"
"""The charts' font, which Typst brings along."""

_WIDTH: Final = 330
"""The charts' width in their own units: half a page, with letters as large as the tables'."""

_STANDARD: Final = "ua-1"
"""PDF/UA: tagged, so that the tables and charts can be read aloud."""


def pdf_sheet(sheet: Sheet) -> bytes:
    """Return the sheet as a PDF: the same one everywhere, where Typst's own fonts have its letters.

    Letters that they do not have come from the fonts of the machine, and the document no longer
    says that it is PDF/UA. Raises ``MissingExtraError`` where Typst is not installed.
    """
    typst = extra("typst", "pdf")
    template = (files("croupier.reports") / _TEMPLATE).read_bytes()
    # The sheet goes in as data and not as source: no text in it can be read as markup.
    given: dict[str, Any] = {
        "format": "pdf",
        "sys_inputs": {"sheet": json.dumps(view(sheet, _FONT, _WIDTH))},
    }
    document: bytes
    try:
        document = typst.compile(
            template, ignore_system_fonts=True, pdf_standards=[_STANDARD], **given
        )
    except typst.TypstError:
        document = typst.compile(template, **given)
    return document
