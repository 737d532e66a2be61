"""A report as PDF on A4 or Letter, set by Typst with its embedded fonts: identical everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Final

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view

FONT: Final = "Libertinus Serif"
"""The charts' font, which is embedded in Typst."""

_WIDTH: Final = 330
"""The charts' width in their own units: half a page, with letters as large as in tables."""

_PAPERS: Final = {"a4": "a4", "letter": "us-letter"}
_STANDARD: Final = "ua-1"
"""PDF/UA: tagged, for screen readers."""


def pdf_sheet(sheet: Sheet, paper: str = "a4") -> bytes:
    """Return the sheet as a PDF, identical everywhere if Typst's embedded fonts have its letters.

    Other letters come from the machine's fonts, and the document is then not marked as PDF/UA.
    Raises ``MissingExtraError`` if Typst is not installed.
    """
    return pdf_document("sheet.typ", lambda: view(sheet, FONT, _WIDTH), paper)


def pdf_document(template: str, given: Callable[[], Mapping[str, Any]], paper: str = "a4") -> bytes:
    """Return a PDF from one of the templates in this package.

    ``given`` returns the template's data; it is called after the import succeeds. ``paper`` is
    ``a4`` or ``letter``.
    """
    typst = extra("pdf")
    beside = files("croupier.reports")
    # One source: a template given as bytes cannot include other files.
    source = b"\n".join((beside / name).read_bytes() for name in ("house.typ", template))
    # The report is passed as data, not as source, so its text is never parsed as markup.
    inputs = {"given": json.dumps(given()), "paper": _PAPERS[paper]}
    options: dict[str, Any] = {"format": "pdf", "sys_inputs": inputs}
    document: bytes
    try:
        document = typst.compile(
            source, ignore_system_fonts=True, pdf_standards=[_STANDARD], **options
        )
    except typst.TypstError:
        document = typst.compile(source, **options)
    return document
