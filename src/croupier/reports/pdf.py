"""A report as PDF on A4, set by Typst with its own fonts: every machine makes the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Final

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view

__all__ = ["FONT", "pdf_document", "pdf_sheet"]

FONT: Final = "Libertinus Serif"
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
    return pdf_document("sheet.typ", lambda: view(sheet, FONT, _WIDTH))


def pdf_document(template: str, given: Callable[[], Mapping[str, Any]]) -> bytes:
    """Return a PDF of one of the templates beside this module, as ``pdf_sheet`` does.

    ``given`` makes what the template is given, once it is known that there is what it is made with.
    """
    typst = extra("typst", "pdf")
    beside = files("croupier.reports")
    # One source: a template that is given as bytes finds no other file.
    source = b"\n".join((beside / name).read_bytes() for name in ("house.typ", template))
    # What is told goes in as data and not as source: no text in it can be read as markup.
    options: dict[str, Any] = {"format": "pdf", "sys_inputs": {"given": json.dumps(given())}}
    document: bytes
    try:
        document = typst.compile(
            source, ignore_system_fonts=True, pdf_standards=[_STANDARD], **options
        )
    except typst.TypstError:
        document = typst.compile(source, **options)
    return document
