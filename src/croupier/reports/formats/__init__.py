"""Renderers of trees as text, HTML, PDF, workbooks, and CSV."""

from __future__ import annotations

from croupier.reports.formats.tables import with_annex
from croupier.reports.tree import Tree


def written(tree: Tree, form: str, paper: str = "a4") -> bytes:
    """Raise ``KeyError`` for an unknown format, ``MissingExtraError`` without its package."""
    match form:
        case "text":
            from croupier.reports.formats.text import text  # noqa: PLC0415  (if asked for)

            return text(tree).encode()
        case "csv":
            from croupier.reports.formats.text import csv  # noqa: PLC0415

            return csv(tree).encode()
        case "html":
            from croupier.reports.formats.html import html  # noqa: PLC0415

            return html(with_annex(tree), paper).encode()
        case "pdf":
            from croupier.reports.formats.typst import pdf  # noqa: PLC0415

            return pdf(with_annex(tree), paper)
        case "xlsx":
            from croupier.reports.formats.xlsx import xlsx  # noqa: PLC0415

            return xlsx(tree, paper)
    raise KeyError(form)
