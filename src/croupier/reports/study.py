"""Studies as pages, documents, and workbooks: tables, each with a chart of one of its columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from croupier.reports.charts import FONT, Bar, bars, chart_alt_text
from croupier.reports.figures import Sheet, dollars, percent, visible
from croupier.reports.page import html_page
from croupier.reports.pdf import FONT as PDF_FONT
from croupier.reports.pdf import pdf_document
from croupier.reports.view import Grid
from croupier.reports.xlsx import Page, workbook

STUDY_FORMS: Final = ("html", "pdf", "xlsx")
"""The formats of a study that are written to a file."""

_WIDTHS: Final = {"text": 30.0, "percent": 14.0, "number": 14.0, "count": 14.0, "dollars": 14.0}
_MOST_BARS: Final = 40


class StudyTable(NamedTuple):
    """A table of a study: its columns, each with its form, and the column that is drawn, if any.

    A form is ``text``, ``percent`` (of a fraction of 1), ``number``, ``count``, or ``dollars``.
    """

    title: str
    says: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[Any]]
    drawn: int | None = None


class StudyReport(NamedTuple):
    """A study: what it is called, its document, some facts, and its tables."""

    title: str
    document: Sheet
    facts: Sequence[tuple[str, str]]
    tables: Sequence[StudyTable]


def written_study(report: StudyReport, form: str) -> bytes:
    """Return a study in one of ``STUDY_FORMS``, as the bytes of its file.

    Raises ``MissingExtraError`` if its package is not installed.
    """
    return _FORMS[form](report)


def _html(report: StudyReport) -> bytes:
    return html_page("study.html.j2", lambda: {"study": _view(report, FONT)}).encode()


def _pdf(report: StudyReport) -> bytes:
    return pdf_document("study.typ", lambda: _view(report, PDF_FONT))


def _xlsx(report: StudyReport) -> bytes:
    pages = [
        Page(
            table.title,
            [(head, form, _WIDTHS[form]) for head, form in table.columns],
            [[_plain(value) for value in row] for row in table.rows],
            table.drawn,
        )
        for table in report.tables
    ]
    facts = Page(
        "Provenance", [("Name", "text", 24.0), ("Value", "wrapped", 100.0)], _facts(report)
    )
    return workbook(report.title, *pages, facts)


_FORMS: Final[Mapping[str, Callable[[StudyReport], bytes]]] = MappingProxyType(
    {"html": _html, "pdf": _pdf, "xlsx": _xlsx}
)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _shown(value: Any, form: str) -> str:
    """Return a value of a table as text, by its form.

    >>> _shown(Fraction(1, 80), "percent"), _shown(1234, "count"), _shown(None, "number")
    ('1.2500%', '1,234', '')
    """
    if value is None:
        return ""
    if form == "percent":
        return percent(Fraction(value))
    if form == "dollars":
        return dollars(round(value * 100))
    if form == "count":
        return f"{value:,}"
    return visible(value) if form == "text" else f"{float(value):.4f}"


def _facts(report: StudyReport) -> list[tuple[str, str]]:
    document = report.document
    return [
        *report.facts,
        ("Law", f"{document['law_title']} ({document['law']})"),
        ("In force from", document["in_force_from"]),
        ("Submission", document["title"]),
        ("Rules SHA-256", document["rules_hash"]),
        ("Law SHA-256", document["law_hash"]),
        ("Program", f"{document['program']} {document['version']}"),
        ("Reproduce with", document["reproduce"]),
    ]


def _view(report: StudyReport, font: str) -> dict[str, Any]:
    document = report.document
    return {
        "title": visible(report.title),
        "law": visible(document["law"]),
        "law_title": visible(document["law_title"]),
        "in_force_from": visible(document["in_force_from"]),
        "rules_short": visible(document["rules_hash"])[:16],
        "warnings": [visible(one) for one in document["warnings"]],
        "facts": [[name, [visible(value)]] for name, value in _facts(report)],
        "tables": [_table(table, number, font) for number, table in enumerate(report.tables, 1)],
    }


def _table(table: StudyTable, number: int, font: str) -> dict[str, Any]:
    forms = [form for _, form in table.columns]
    rows = tuple(
        tuple(_shown(value, form) for value, form in zip(row, forms, strict=True))
        for row in table.rows
    )
    heads = tuple(head for head, _ in table.columns)
    words = tuple(at for at, form in enumerate(forms) if form == "text")
    drawn = _bars(table, rows)
    return {
        "title": table.title,
        "says": table.says,
        "table": Grid(heads, rows, words or (0,)).data(),
        "caption": "" if table.drawn is None else heads[table.drawn],
        "chart": bars(f"chart-{number}", table.title, drawn, font=font) if drawn else "",
        "told": chart_alt_text(drawn),
    }


def _bars(table: StudyTable, rows: Sequence[Sequence[str]]) -> list[Bar]:
    if table.drawn is None or len(rows) > _MOST_BARS:
        return []
    return [
        Bar(shown[0], Fraction(row[table.drawn]), shown[table.drawn])
        for row, shown in zip(table.rows, rows, strict=True)
        if row[table.drawn] is not None
    ]
