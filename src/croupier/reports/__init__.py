"""PAR sheets and audits as files and on a terminal, from their plain data.

The same data give the same bytes. Each format imports its packages only when used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from croupier.reports.audit_text import text_audit
from croupier.reports.audit_view import audit_view
from croupier.reports.charts import FONT as CHART_FONT
from croupier.reports.csv_form import csv_sheet
from croupier.reports.dossier_view import dossier_view
from croupier.reports.figures import MissingExtraError, Sheet
from croupier.reports.page import html_page, html_sheet
from croupier.reports.par_xlsx import xlsx_sheet
from croupier.reports.pdf import FONT, pdf_document, pdf_sheet
from croupier.reports.text import text_sheet

__all__ = [
    "AUDIT_FORMS", "DOSSIER_FORMS", "FORMS", "PAPERS", "ROUND_FORMS", "MissingExtraError",
    "written", "written_audit", "written_dossier", "written_round",
]  # fmt: skip


def _json(data: Sheet) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


PAPERS: Final = ("a4", "letter")
"""The papers on which a PDF or a workbook prints."""

FORMS: Final[Mapping[str, Callable[[Sheet, str], bytes]]] = MappingProxyType(
    {
        "text": lambda sheet, _: text_sheet(sheet).encode(),
        "json": lambda sheet, _: _json(sheet),
        "csv": lambda sheet, _: csv_sheet(sheet).encode(),
        "html": lambda sheet, _: html_sheet(sheet).encode(),
        "xlsx": xlsx_sheet,
        "pdf": pdf_sheet,
    }
)
"""The formats of a sheet, each with its writer."""

AUDIT_FORMS: Final[Mapping[str, Callable[[Sheet, str], bytes]]] = MappingProxyType(
    {
        "text": lambda audit, _: text_audit(audit).encode(),
        "json": lambda audit, _: _json(audit),
        "html": lambda audit, _: html_page(
            "audit.html.j2", lambda: {"audit": audit_view(audit)}
        ).encode(),
        "pdf": lambda audit, paper: pdf_document(
            "audit.typ", lambda: audit_view(audit, FONT), paper
        ),
    }
)
"""The formats of an audit, each with its writer."""


DOSSIER_FORMS: Final[Mapping[str, Callable[[Sheet, str], bytes]]] = MappingProxyType(
    {
        "json": lambda dossier, _: _json(dossier),
        "html": lambda dossier, paper: html_page(
            "dossier.html.j2", lambda: {"dossier": dossier_view(dossier, paper)}
        ).encode(),
        "pdf": lambda dossier, paper: pdf_document(
            "dossier.typ", lambda: dossier_view(dossier, paper, FONT), paper
        ),
    }
)
"""The formats of a dossier, each with its writer."""


def _round_view(report: Sheet, paper: str, font: str = CHART_FONT) -> dict[str, Any]:
    """Return the report of a round for a template; what draws a layout is loaded for it alone."""
    from croupier.reports.round_view import round_view  # noqa: PLC0415

    return round_view(report, paper, font)


ROUND_FORMS: Final[Mapping[str, Callable[[Sheet, str], bytes]]] = MappingProxyType(
    {
        "json": lambda report, _: _json(report),
        "html": lambda report, paper: html_page(
            "round.html.j2", lambda: {"report": _round_view(report, paper)}
        ).encode(),
        "pdf": lambda report, paper: pdf_document(
            "round.typ", lambda: _round_view(report, paper, FONT), paper
        ),
    }
)
"""The formats of the report of a round, each with its writer."""


def written(sheet: Sheet, form: str, paper: str = "a4") -> bytes:
    """Return a sheet in one of the formats, as the bytes of its file.

    Raises ``KeyError`` for an unknown format, and ``MissingExtraError`` if its package is not
    installed.
    """
    return FORMS[form](sheet, paper)


def written_audit(audit: Sheet, form: str, paper: str = "a4") -> bytes:
    """Return an audit in one of the formats, as the bytes of its file."""
    return AUDIT_FORMS[form](audit, paper)


def written_dossier(dossier: Sheet, form: str, paper: str = "a4") -> bytes:
    """Return a dossier in one of the formats, as the bytes of its file."""
    return DOSSIER_FORMS[form](dossier, paper)


def written_round(report: Sheet, form: str, paper: str = "a4") -> bytes:
    """Return the report of a round in one of the formats, as the bytes of its file."""
    return ROUND_FORMS[form](report, paper)
