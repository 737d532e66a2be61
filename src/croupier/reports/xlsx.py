"""A sheet as a workbook: figures as numbers, next to their exact values as text."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from croupier.frozen import frozen
from croupier.reports.figures import Sheet, exact, extra, grouped, outcome_title, visible
from croupier.reports.view import CONTRIBUTION, provenance

__all__ = ["Page", "workbook", "xlsx_sheet"]

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The workbook's fixed creation date: the same sheet gives the same file on any day."""

_LONGEST_PROPERTY: Final = 255

_FORMATS: Final[Mapping[str, Mapping[str, Any]]] = {
    "text": {"valign": "top"},
    "wrapped": {"valign": "top", "text_wrap": True},
    "exact": {"valign": "top", "align": "right", "font_color": "#55616d"},
    "percent": {"valign": "top", "num_format": "0.0000%"},
    "number": {"valign": "top", "num_format": "0.000000"},
    "count": {"valign": "top", "num_format": "0"},
    "dollars": {"valign": "top", "num_format": '"$"#,##0.00'},
    "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "head right": {
        "bold": True,
        "bottom": 1,
        "text_wrap": True,
        "valign": "bottom",
        "align": "right",
    },
    "title": {"bold": True, "font_size": 14},
    "bold": {"bold": True, "valign": "top"},
    "warning": {"bold": True, "font_color": "#8a3b00", "text_wrap": True, "valign": "top"},
}

_WORDS: Final = {"text", "wrapped"}


@frozen
class _Column:
    """A column: its header, the format of its cells, and its width in characters."""

    head: str
    form: str
    width: float


_SUMMARY: Final = (
    _Column("Wager", "text", 26),
    _Column("House edge", "percent", 11),
    _Column("House edge, exactly", "exact", 40),
    _Column("RTP", "percent", 11),
    _Column("Edge per resolved bet", "percent", 11),
    _Column("Share of resolved bets", "percent", 11),
    _Column("Hit frequency", "percent", 11),
    _Column("Push frequency", "percent", 11),
    _Column("Std. dev.", "number", 11),
    _Column("Volatility index", "number", 11),
    _Column("Min bet", "dollars", 12),
    _Column("Max bet", "dollars", 12),
    _Column("Max win", "dollars", 14),
    _Column("Vigorish", "text", 12),
    _Column("Clauses", "wrapped", 44),
    _Column("Readings", "wrapped", 16),
)

_LINES: Final = (
    _Column("Wager", "text", 26),
    _Column("Outcome", "text", 22),
    # Numbers in a spreadsheet hold fewer than sixteen digits.
    _Column("Ways", "exact", 24),
    _Column("Probability", "percent", 12),
    _Column("Probability, exactly", "exact", 40),
    _Column("Pays", "exact", 10),
    _Column("Contribution", "percent", 12),
    _Column("Contribution, exactly", "exact", 40),
)

_ROUNDING: Final = (
    _Column("Wager", "text", 26),
    _Column("Stake", "dollars", 12),
    _Column("Vigorish", "dollars", 12),
    _Column("House edge", "percent", 12),
    _Column("House edge, exactly", "exact", 44),
    _Column("Above exact", "percent", 12),
)


def xlsx_sheet(sheet: Sheet) -> bytes:
    """Return the sheet as a workbook of five sheets.

    Raises ``MissingExtraError`` if XlsxWriter is not installed.
    """
    xlsxwriter = extra("xlsxwriter", "xlsx")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties(
            {
                "title": f"PAR sheet: {visible(sheet['title'])}"[:_LONGEST_PROPERTY],
                "author": "croupier",
                "created": _MADE,
            }
        )
        forms = {name: book.add_format(dict(form)) for name, form in _FORMATS.items()}
        writer = _Writer(book, forms)
        writer.table("Summary", _SUMMARY, [_summary_row(one) for one in sheet["wagers"]])
        writer.table("Lines", _LINES, _line_rows(sheet), filtered=True)
        # A page with nothing on it would ask its reader what is missing.
        if rounding := _rounding_rows(sheet):
            writer.table("Rounding", _ROUNDING, rounding)
        if sheet["packages"]:
            _packages(writer, sheet)
        _provenance(writer, sheet)
    return file.getvalue()


class Page(NamedTuple):
    """A table for a page of a workbook: its columns as header, format and width, and its rows."""

    name: str
    columns: Sequence[tuple[str, str, float]]
    rows: Sequence[Sequence[object]]


def workbook(title: str, *pages: Page) -> bytes:
    """Return a workbook of plain tables. Raises ``MissingExtraError`` without XlsxWriter."""
    xlsxwriter = extra("xlsxwriter", "xlsx")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties(
            {"title": visible(title)[:_LONGEST_PROPERTY], "author": "croupier", "created": _MADE}
        )
        forms = {name: book.add_format(dict(form)) for name, form in _FORMATS.items()}
        writer = _Writer(book, forms)
        for page in pages:
            writer.table(page.name, [_Column(*column) for column in page.columns], page.rows)
    return file.getvalue()


class _Writer:
    """A writer of cells into the sheets of a workbook, by format."""

    def __init__(self, book: Any, forms: Mapping[str, Any]) -> None:
        self._book = book
        self._forms = forms

    def page(self, name: str) -> Any:
        """Add a sheet that prints on A4, one page wide and as long as needed."""
        page = self._book.add_worksheet(name)
        page.set_paper(9)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        page.set_footer("&L&A&RPage &P of &N")
        return page

    def cell(self, page: Any, row: int, column: int, value: object, form: str) -> None:
        """Write a cell: a number as a number, text as text, None as an empty cell.

        Text never becomes a formula or a link.
        """
        if value is None:
            page.write_blank(row, column, None, self._forms[form])
        elif isinstance(value, str):
            page.write_string(row, column, visible(value), self._forms[form])
        else:
            page.write_number(row, column, value, self._forms[form])

    def table(
        self,
        name: str,
        columns: Sequence[_Column],
        rows: Sequence[Sequence[object]],
        *,
        filtered: bool = False,
    ) -> None:
        """Add a sheet with one table, with its header and first column frozen."""
        page = self.page(name)
        for at, column in enumerate(columns):
            page.set_column(at, at, column.width)
            head = "head" if column.form in _WORDS else "head right"
            self.cell(page, 0, at, column.head, head)
        for number, row in enumerate(rows, 1):
            for at, (column, value) in enumerate(zip(columns, row, strict=True)):
                self.cell(page, number, at, value, column.form)
        page.freeze_panes(1, 1)
        page.repeat_rows(0)
        if filtered and rows:
            page.autofilter(0, 0, len(rows), len(columns) - 1)
        if rows:
            # Counts and fractions are text on purpose: suppress the green corner.
            page.ignore_errors({"number_stored_as_text": f"A1:Z{len(rows) + 1}"})


def _summary_row(wager: Mapping[str, Any]) -> tuple[object, ...]:
    return (
        wager["title"],
        _number(wager["house_edge"]),
        wager["house_edge"],
        _number(wager["return_to_player"]),
        _number(wager["edge_per_resolved"]),
        _number(wager["resolved_frequency"]),
        _number(wager["hit_frequency"]),
        _number(wager["push_frequency"]),
        wager["standard_deviation"],
        wager["volatility_index"],
        _dollars(wager["min_cents"]),
        _dollars(wager["max_cents"]),
        _dollars(wager["max_win_cents"]),
        wager["scheme"],
        ", ".join(wager["cites"]),
        ", ".join(wager["interpretations"]),
    )


def _line_rows(sheet: Sheet) -> list[tuple[object, ...]]:
    return [
        (
            wager["title"],
            outcome_title(line["outcome"]),
            grouped(line["ways"]),
            _number(line["probability"]),
            line["probability"],
            line["pays"],
            _number(line["contribution"]),
            line["contribution"],
        )
        for wager in sheet["wagers"]
        for line in wager["lines"]
    ]


def _rounding_rows(sheet: Sheet) -> list[tuple[object, ...]]:
    return [
        (
            wager["title"],
            _dollars(one["stake_cents"]),
            _dollars(one["vigorish_cents"]),
            _number(one["house_edge"]),
            one["house_edge"],
            float(exact(one["house_edge"]) - exact(wager["house_edge"])),
        )
        for wager in sheet["wagers"]
        for one in wager["rounding"]
    ]


def _packages(writer: _Writer, sheet: Sheet) -> None:
    """Write the packages one below another, each with its own columns."""
    page = writer.page("Packages")
    page.set_column(0, 0, 44)
    page.set_column(1, 25, 20)
    row = 0
    for package in sheet["packages"]:
        writer.cell(page, row, 0, package["title"], "title")
        page.merge_range(row + 1, 0, row + 1, 5, "", None)
        writer.cell(page, row + 1, 0, package["says"], "wrapped")
        page.set_row(row + 1, 15 * (2 + len(package["says"]) // 120))
        columns = package["columns"]
        heads = [package["of"]]
        for column in columns:
            heads += [column["title"], f"{column['title']}, exactly"]
        for at, head in enumerate(heads):
            writer.cell(page, row + 2, at, head, "head right" if at else "head")
        row += 3
        for cells in package["rows"]:
            writer.cell(page, row, 0, cells["title"], "text")
            for at, column in enumerate(columns):
                _package_cell(writer, page, (row, 1 + 2 * at), column, cells["figures"])
            row += 1
        cites, readings = (", ".join(package[key]) for key in ("cites", "interpretations"))
        writer.cell(
            page, row, 0, f"Clauses: {cites or 'none'}. Readings: {readings or 'none'}.", "text"
        )
        row += 3


def _package_cell(
    writer: _Writer,
    page: Any,
    at: tuple[int, int],
    column: Mapping[str, Any],
    figures: Mapping[str, str | None],
) -> None:
    """Write a figure of a package as a number, and its exact value in the cell after it."""
    if column["id"] not in figures:
        return
    text = figures[column["id"]]
    if text is None:
        writer.cell(page, *at, "never", "exact")
        return
    unit, number = column["unit"], _number(text)
    if unit == "square_cents":
        number = number**0.5
    if unit in {"cents", "square_cents"}:
        writer.cell(page, *at, number / 100, "dollars")
    else:
        writer.cell(page, *at, number, "number" if unit == "count" else "percent")
    writer.cell(page, at[0], at[1] + 1, text, "exact")


def _provenance(writer: _Writer, sheet: Sheet) -> None:
    page = writer.page("Provenance")
    page.set_column(0, 0, 20)
    page.set_column(1, 1, 90)
    readings = ", ".join(f"{name} ({one})" for name, one in sheet["readings"].items())
    facts = [*provenance(sheet), ("Readings", readings or "none"), ("Figures", CONTRIBUTION)]
    for row, (name, value) in enumerate(facts):
        writer.cell(page, row, 0, name, "bold")
        told = value if isinstance(value, str) else ", ".join(value)
        writer.cell(page, row, 1, told, "wrapped")
    for row, warning in enumerate(sheet["warnings"], len(facts)):
        writer.cell(page, row, 0, "WARNING", "warning")
        writer.cell(page, row, 1, warning, "warning")


def _number(text: str) -> float:
    return float(exact(text))


def _dollars(cents: int | None) -> float | None:
    return None if cents is None else cents / 100
