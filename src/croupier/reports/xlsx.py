"""Workbooks: cells, tables, and formulas with their values, safe whatever the texts say."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import Any, Final, NamedTuple

from croupier.reports.figures import extra, visible

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The workbook's fixed creation date: the same sheet gives the same file on any day."""

_LONGEST_PROPERTY: Final = 255
_PAPERS: Final = {"a4": 9, "letter": 1}

_INPUT: Final = {"font_color": "#155a96", "bg_color": "#fdf7e3"}
_FORMATS: Final[Mapping[str, Mapping[str, Any]]] = {
    "text": {"valign": "top"},
    "wrapped": {"valign": "top", "text_wrap": True},
    "beside": {"valign": "top", "align": "left", "indent": 2},
    "exact": {"valign": "top", "align": "right", "font_color": "#55616d"},
    "percent": {"valign": "top", "num_format": "0.0000%"},
    "fine percent": {"valign": "top", "num_format": "0.00000000%"},
    "number": {"valign": "top", "num_format": "0.000000"},
    "difference": {"valign": "top", "num_format": "0.0E+00;-0.0E+00;0"},
    "count": {"valign": "top", "num_format": "0"},
    "dollars": {"valign": "top", "num_format": '"$"#,##0.00'},
    # The two parts of a count are next to each other and read as one number.
    "billions": {"valign": "top", "num_format": "#,##0", **_INPUT},
    "remainder": {
        "valign": "top",
        "num_format": '","000","000","000',
        "align": "left",
        **_INPUT,
    },
    "input": {"valign": "top", "num_format": "General", **_INPUT},
    "total percent": {"bold": True, "top": 1, "num_format": "0.00000000%"},
    "total billions": {"bold": True, "top": 1, "num_format": "#,##0"},
    "total remainder": {
        "bold": True,
        "top": 1,
        "num_format": '","000","000","000',
        "align": "left",
    },
    "total": {"bold": True, "top": 1},
    "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "head right": {
        "bold": True,
        "bottom": 1,
        "text_wrap": True,
        "valign": "bottom",
        "align": "right",
    },
    "head beside": {
        "bold": True,
        "bottom": 1,
        "text_wrap": True,
        "valign": "bottom",
        "align": "left",
        "indent": 2,
    },
    "title": {"bold": True, "font_size": 14},
    "bold": {"bold": True, "valign": "top"},
    "warning": {"bold": True, "font_color": "#8a3b00", "text_wrap": True, "valign": "top"},
}

_HEADS: Final = {
    **dict.fromkeys(("text", "wrapped", "remainder"), "head"),
    "beside": "head beside",
}
_LINE_HEIGHT: Final = 15
_LONGEST_NAME: Final = 24
"""Of a page, with room for a word after it: spreadsheets allow 31 characters."""
_CHART_HEIGHT: Final = 110
_BARS_HEIGHT: Final = 520
_BAR_HEIGHT: Final = 26
_SERIES: Final = ("#155a96", "#8fa3b5", "#c9d1d8")
"""Colors that differ in lightness, too: a workbook may be printed in gray."""


class Column(NamedTuple):
    """A column: its header, the format of its cells, and its width in characters."""

    head: str
    form: str
    width: float


class Formula(NamedTuple):
    """A formula, and its value for programs that do not calculate."""

    text: str
    value: float | str


class Page(NamedTuple):
    """A table for a page of a workbook: its columns as header, format and width, and its rows.

    ``drawn`` is the column whose numbers are drawn as bars on a page after it, if any.
    """

    name: str
    columns: Sequence[tuple[str, str, float]]
    rows: Sequence[Sequence[object]]
    drawn: int | None = None


class BarChart(NamedTuple):
    """Bars of some columns of a page, a group for each of its rows: they follow the cells.

    Rows and columns count from 0; ``names`` is the column that names the rows. ``series`` are
    columns with their names, side by side or, where it is ``stacked``, on each other.
    """

    title: str
    page: str
    rows: tuple[int, int]
    names: int
    series: Sequence[tuple[str, int]]
    form: str = "0.0%"
    stacked: bool = False


def made_book(write: Callable[[CellWriter], None], paper: str = "a4") -> bytes:
    """Return a workbook. Raises ``MissingExtraError`` if XlsxWriter is not installed."""
    xlsxwriter = extra("xlsx")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        write(CellWriter(book, _PAPERS[paper]))
    return file.getvalue()


def workbook(title: str, *pages: Page) -> bytes:
    """Return a workbook of plain tables. Raises ``MissingExtraError`` without XlsxWriter."""

    def write(writer: CellWriter) -> None:
        writer.entitle(title)
        for page in pages:
            writer.table(page.name, [Column(*column) for column in page.columns], page.rows)
            if page.drawn is not None and page.rows:
                head, form, _ = page.columns[page.drawn]
                rows, series = (1, len(page.rows)), [(head, page.drawn)]
                number = _FORMATS[form]["num_format"]
                # A chart below its table would be cut where the page ends.
                alone = writer.page(f"{page.name[:_LONGEST_NAME]} chart")
                writer.bars(alone, (0, 0), BarChart(head, page.name, rows, 0, series, number))

    return made_book(write)


class CellWriter:
    """A writer of cells into the sheets of a workbook, by format."""

    def __init__(self, book: Any, paper: int) -> None:
        self._book = book
        self._paper = paper
        self._forms = {name: book.add_format(dict(form)) for name, form in _FORMATS.items()}

    def entitle(self, title: str) -> None:
        """Give the workbook its title; its date is fixed."""
        self._book.set_properties(
            {"title": visible(title)[:_LONGEST_PROPERTY], "author": "croupier", "created": _MADE}
        )

    def page(self, name: str) -> Any:
        """Add a sheet that prints one page wide and as long as needed."""
        page = self._book.add_worksheet(name)
        page.set_paper(self._paper)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        page.set_footer("&L&A&RPage &P of &N")
        return page

    def cell(self, page: Any, row: int, column: int, value: object, form: str) -> None:
        """Write a cell: a number as a number, text as text, None as an empty cell.

        Text never becomes a formula or a link; only a ``Formula`` is one.
        """
        if value is None:
            page.write_blank(row, column, None, self._forms[form])
        elif isinstance(value, Formula):
            page.write_formula(row, column, value.text, self._forms[form], value.value)
        elif isinstance(value, str):
            page.write_string(row, column, visible(value), self._forms[form])
        else:
            page.write_number(row, column, value, self._forms[form])

    def heads(self, page: Any, columns: Sequence[Column], row: int = 0) -> None:
        """Write the header of a table, which stays in sight and is printed on every page."""
        for at, column in enumerate(columns):
            page.set_column(at, at, column.width)
            head = _HEADS.get(column.form, "head right")
            self.cell(page, row, at, column.head, head)
        lines = max(ceil((len(column.head) + 3) / column.width) for column in columns)
        page.set_row(row, _LINE_HEIGHT * lines)
        page.freeze_panes(row + 1, 1)
        page.repeat_rows(row)

    def rows(
        self,
        page: Any,
        columns: Sequence[Column],
        rows: Sequence[Sequence[object]],
        start: int = 1,
    ) -> None:
        """Write the rows of a table, each cell in the format of its column."""
        for number, row in enumerate(rows, start):
            for at, (column, value) in enumerate(zip(columns, row, strict=True)):
                self.cell(page, number, at, value, column.form)
        if rows:
            # Fractions are text on purpose: suppress the green corner.
            page.ignore_errors({"number_stored_as_text": f"A1:Z{len(rows) + start}"})

    def bars(self, page: Any, at: tuple[int, int], chart: BarChart) -> None:
        """Draw a bar chart whose upper left corner is in a cell, by its row and column."""
        first, last = chart.rows
        kind = {"type": "bar", **({"subtype": "stacked"} if chart.stacked else {})}
        drawn = self._book.add_chart(kind)
        for number, (name, column) in enumerate(chart.series):
            drawn.add_series(
                {
                    "name": visible(name),
                    "categories": [chart.page, first, chart.names, last, chart.names],
                    "values": [chart.page, first, column, last, column],
                    "fill": {"color": _SERIES[number]},
                    "gap": 60,
                }
            )
        drawn.set_title({"name": visible(chart.title), "name_font": {"size": 12}})
        # The first row is at the top, as in the table.
        drawn.set_y_axis(
            {"reverse": True, "label_position": "low", "major_gridlines": {"visible": False}}
        )
        faint = {"visible": True, "line": {"color": "#d9dee3"}}
        drawn.set_x_axis({"num_format": chart.form, "major_gridlines": faint})
        drawn.set_legend({"position": "bottom"} if len(chart.series) > 1 else {"none": True})
        high = min(_BARS_HEIGHT, _BAR_HEIGHT * (last - first + 1))
        drawn.set_size({"width": 900, "height": _CHART_HEIGHT + high})
        said = f"Bar chart: {chart.title}"
        page.insert_chart(*at, drawn, {"description": visible(said)})

    def table(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> Any:
        """Add a sheet with one table, with its header and first column frozen."""
        page = self.page(name)
        self.heads(page, columns)
        self.rows(page, columns, rows)
        return page
