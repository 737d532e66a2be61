"""A tree as a workbook, with live formulas."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from math import ceil
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.law.usage import currency_in_use
from croupier.reports.figures import extra, grouped, net_of, visible
from croupier.reports.formats.tables import texts_of
from croupier.reports.tree import (
    WORDS,
    Bullets,
    Cell,
    Chart,
    Choices,
    Conclusion,
    DataTable,
    Drawn,
    FactList,
    Figure,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    Value,
    shown,
    walk,
)

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The workbook's fixed creation date: the same document gives the same file on any day."""

_LONGEST_PROPERTY: Final = 255
_LONGEST_NAME: Final = 31
"""Maximum characters of a page name in a spreadsheet."""
_LONGEST_TEXT: Final = 32_767
_PAPERS: Final = {"a4": 9, "letter": 1}
_BILLION: Final = 10**9
"""Ways are in two cells: spreadsheets show fifteen digits and hold integers up to 2^53."""
_TOLERANCE: Final = "1E-12"

_INPUT: Final = {"font_color": "#155a96", "bg_color": "#fdf7e3"}
_HEAD: Final = {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"}
_BOLD: Final = {"bold": True, "valign": "top"}
_TITLE: Final = {"bold": True, "font_size": 14}
_WRAPPED: Final = {"valign": "top", "text_wrap": True}
_WARNING: Final = {**_WRAPPED, "bold": True, "font_color": "#8a3b00"}
_TOTAL: Final = {"bold": True, "top": 1}
_BESIDE: Final = {"align": "left"}
"""The second part of a count reads as one number with the first."""

_LINE_HEIGHT: Final = 15
_WIDEST, _NARROWEST = 70.0, 9.0
_ROOM, _FACT_ROOM = 72, 66
"""Characters of a line in the widest column, and next to the name of a fact."""
_CHART_HEIGHT: Final = 110
_BARS_HEIGHT: Final = 520
_BAR_HEIGHT: Final = 26
_SERIES: Final = ("#155a96", "#8fa3b5", "#c9d1d8")
"""Colors that also differ in lightness, for workbooks printed in gray."""

Style = Mapping[str, Any]

_NOT_HERE: Final = (DataTable, Section, Chart, Picture, SignatureLines)
"""Nodes that are rendered on other pages, or not at all."""


class _Formula(NamedTuple):
    text: str
    value: float | str


class _Head(NamedTuple):
    name: str
    form: Style
    width: float


class _Placed(Struct):
    table: DataTable
    page: str
    head: int
    first: int
    starts: Mapping[str, int] = field(default_factory=dict)
    """The first column of each figure, from 0: ways and pays take two."""

    @property
    def last(self) -> int:
        return self.first + len(self.table.rows) - 1


def xlsx(tree: Tree, paper: str = "a4") -> bytes:
    """Tree as a workbook. Raises ``MissingExtraError`` without XlsxWriter."""
    xlsxwriter = extra("xlsx")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        _Book(book, _PAPERS[paper]).write(tree)
    return file.getvalue()


class _Book:
    def __init__(self, book: Any, paper: int) -> None:
        self._book = book
        self._paper = paper
        self._forms: dict[tuple[tuple[str, Any], ...], Any] = {}
        self._tables: list[_Placed] = []

    def write(self, tree: Tree) -> None:
        title = visible(tree.title)[:_LONGEST_PROPERTY]
        self._book.set_properties({"title": title, "author": "croupier", "created": _MADE})
        pages: dict[str, list[DataTable]] = {}
        for section, node in walk(tree.nodes):
            if isinstance(node, DataTable) and (node.rows or node.foot):
                pages.setdefault(_page_name(node.page or section), []).append(node)
        for name, tables in pages.items():
            self._place(name, tables)
        self._report(tree)
        for name in pages:
            self._page_of(name)
        checked = [table for table in self._tables if table.table.checks]
        if checked:
            self._check(checked)

    # --- positions of tables ---------------------------------------------------------------------

    def _place(self, page: str, tables: Sequence[DataTable]) -> None:
        heads = [[replace(one, hidden=False) for one in table.columns] for table in tables]
        is_uniform = all(head == heads[0] for head in heads)
        row = 0
        for number, table in enumerate(tables):
            first_columns, at = {}, 0 if table.of is None else 1
            for figure in table.columns:
                first_columns[figure.id] = at
                at += len(_parts(figure))
            if is_uniform:
                first_row = 1 if number == 0 else row
                self._tables.append(_Placed(table, page, 0, first_row, first_columns))
            else:
                self._tables.append(_Placed(table, page, row + 1, row + 2, first_columns))
            row = self._tables[-1].first + len(table.rows) + bool(table.foot) + 1

    # --- pages -----------------------------------------------------------------------------------

    def _add(self, name: str) -> Any:
        page = self._book.add_worksheet(name)
        page.set_paper(self._paper)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        page.set_footer("&L&A&RPage &P of &N")
        return page

    def _form(self, form: Style) -> Any:
        key = tuple(sorted(form.items()))
        if key not in self._forms:
            self._forms[key] = self._book.add_format(dict(form))
        return self._forms[key]

    def _cell(self, page: Any, row: int, column: int, value: object, form: Style) -> None:
        """Text never becomes a formula or a link: only a ``_Formula`` is one."""
        cell_format = self._form(form)
        if value is None:
            page.write_blank(row, column, None, cell_format)
        elif isinstance(value, _Formula):
            page.write_formula(row, column, value.text, cell_format, value.value)
        elif isinstance(value, int | float):
            page.write_number(row, column, value, cell_format)
        else:
            page.write_string(row, column, visible(value)[:_LONGEST_TEXT], cell_format)

    def _heads(self, page: Any, heads: Sequence[_Head], row: int, *, frozen: bool) -> None:
        for at, head in enumerate(heads):
            side = {"align": "right"} if "num_format" in head.form else {"indent": 1}
            self._cell(page, row, at, head.name, {**_HEAD, **side})
            page.set_column(at, at, head.width)
        lines = max(ceil((len(head.name) + 3) / head.width) for head in heads)
        page.set_row(row, _LINE_HEIGHT * lines)
        if frozen:
            page.freeze_panes(row + 1, 1)
            page.repeat_rows(row)

    def _report(self, tree: Tree) -> None:
        page = self._add("Report")
        page.set_column(0, 0, 34)
        page.set_column(1, 1, 68)
        page.set_column(2, 2, 60)
        self._cell(page, 0, 0, tree.title, _TITLE)
        self._cell(page, 1, 0, tree.about, {})
        row = 3
        for _, node in walk(tree.nodes):
            if isinstance(node, Section):
                if any(not isinstance(one, _NOT_HERE) for one in node.nodes):
                    self._cell(page, row + 1, 0, node.title, _BOLD)
                    row += 2
            elif isinstance(node, FactList):
                row = row if node.repeats else self._facts(page, node, row)
            else:
                for words, form in _sentences(node):
                    row = self._sentence(page, row, words, form)
        checked = [table for table in self._tables if table.table.checks]
        if checked:
            all_agree = _agreement(len(list(self._checked(checked))))
            self._cell(page, 2, 0, _Formula("=Check!A1", all_agree), _BOLD)

    def _sentence(self, page: Any, row: int, words: str, form: Style) -> int:
        page.merge_range(row, 0, row, 2, "", self._form(form))
        self._cell(page, row, 0, words, form)
        _set_height(page, row, [words], 150)
        return row + 1

    def _facts(self, page: Any, facts: FactList, row: int) -> int:
        for number, fact in enumerate(facts.facts, row):
            value = fact.value
            self._cell(page, number, 0, fact.figure.title, _BOLD)
            if fact.figure.unit in _PARTS:
                # One cell holds the words of a count that a spreadsheet would round.
                value = shown(fact.figure, value)
            form = {**_form_of(fact.figure, value), "align": "left", "text_wrap": True}
            text = _plain(fact.figure, value)
            self._cell(page, number, 1, text, form)
            fraction = f"= {fact.fraction}" if fact.fraction else ""
            if note := ", ".join(filter(None, (fraction, fact.note))):
                self._cell(page, number, 2, note, _WRAPPED)
            _set_height(page, number, [str(text), note], _FACT_ROOM)
        return row + len(facts.facts)

    def _page_of(self, name: str) -> None:
        tables = [table for table in self._tables if table.page == name]
        page = self._add(name)
        alike = len({one.head for one in tables}) == 1
        for number, block in enumerate(tables):
            if not alike:
                self._cell(page, block.head - 1, 0, block.table.title or name, _TITLE)
            if number == 0 or not alike:
                self._heads(page, _heads_of(tables if alike else [block]), block.head, frozen=alike)
            self._rows(page, block)
        last_row = tables[-1].last + 2
        # Fractions are text on purpose: suppress the green corner.
        page.ignore_errors({"number_stored_as_text": f"A1:Z{last_row + 1}"})
        row = last_row + 1
        for block in tables:
            for chart in block.table.drawn:
                if block.table.rows:
                    row = self._bars(page, row, block, chart)
        # Exact fractions are too wide to be printed.
        printed = max(
            block.starts[one.id] + len(_parts(one)) - 1
            for block in tables for one in block.table.columns if not (one.exact or one.hidden)
        )  # fmt: skip
        page.print_area(0, 0, row, printed)

    def _rows(self, page: Any, placed: _Placed) -> None:
        table = placed.table
        for number, row in enumerate(table.rows):
            self._of(page, placed, placed.first + number, {})
            for figure, value in zip(table.columns, row, strict=True):
                self._figure(page, placed, number, figure, value)
            texts = zip(table.columns, texts_of(table.columns, row), strict=True)
            wrap = [text for figure, text in texts if figure.unit in WORDS - {"word"}]
            _set_height(page, placed.first + number, wrap, _ROOM)
        if table.foot:
            at = placed.last + 1
            self._of(page, placed, at, _TOTAL)
            for figure, value in zip(table.columns, table.foot, strict=True):
                self._total(page, placed, at, figure, value)

    def _of(self, page: Any, placed: _Placed, row: int, form: Style) -> None:
        if placed.table.of is not None:
            self._cell(page, row, 0, placed.table.of.value, {"valign": "top", "indent": 1, **form})

    def _figure(
        self, page: Any, placed: _Placed, number: int, figure: Figure, item: Value | Cell
    ) -> None:
        row, column = placed.first + number, placed.starts[figure.id]
        if isinstance(item, Cell):
            form = _form_of(item.figure, item.value)
            self._cell(page, row, column, _plain(item.figure, item.value), form)
            return
        parts = _values(figure, item)
        if figure.formula and item is not None:
            parts = [
                _Formula(text, value)
                for text, value in self._formulas(placed, number, figure, parts)
            ]
        for at, (part, form) in enumerate(zip(parts, _forms_of(figure, item), strict=True)):
            self._cell(page, row, column + at, part, form)

    def _total(
        self, page: Any, placed: _Placed, row: int, figure: Figure, item: Value | Cell
    ) -> None:
        column = placed.starts[figure.id]
        value = item.value if isinstance(item, Cell) else item
        live = any(one.formula for one in placed.table.columns)
        parts: Sequence[object] = _values(figure, value)
        if live and figure.unit == "ways":
            billions, remainder = (self._column(placed, column + at) for at in (0, 1))
            parts = [
                _Formula(f"=SUM({billions})+INT(SUM({remainder})/1E9)", _number(parts[0])),
                _Formula(f"=MOD(SUM({remainder}),1E9)", _number(parts[1])),
            ]
        elif figure.formula and value not in {None, ""}:
            parts = [_Formula(f"=SUM({self._column(placed, column)})", _number(parts[0]))]
        for at, (part, form) in enumerate(zip(parts, _forms_of(figure, value), strict=True)):
            shaded = {key: one for key, one in form.items() if key not in _INPUT}
            self._cell(page, row, column + at, part, {**shaded, **_TOTAL})

    # --- formulas --------------------------------------------------------------------------------

    def _column(self, placed: _Placed, column: int) -> str:
        letter = _letter(column)
        return f"{letter}{placed.first + 1}:{letter}{placed.last + 1}"

    def _formulas(
        self, placed: _Placed, number: int, figure: Figure, values: Sequence[object]
    ) -> Iterator[tuple[str, float | str]]:
        names = re.split(r"\{([^}]+)\}", figure.formula)
        for part, value in enumerate(values):
            text = "".join(
                self._reference(placed, number, name, part) if at % 2 else name
                for at, name in enumerate(names)
            )
            yield f"={text}", value if isinstance(value, str) else _number(value)

    def _reference(self, placed: _Placed, number: int, name: str, part: int) -> str:
        page, colon, name = name.rpartition(":")
        total = name.endswith(".total")
        name = name.removesuffix(".total")
        if colon:
            key = placed.table.rows[number][0]
            placed = next(
                table for table in self._tables
                if table.page == page and table.table.of is not None and table.table.of.value == key
            )  # fmt: skip
        column = placed.starts[name]
        unit = next(figure.unit for figure in placed.table.columns if figure.id == name)
        prefix = f"{page}!" if colon else ""
        if colon and not total:
            letter = _letter(column)
            return f"{prefix}${letter}${placed.first + 1}:${letter}${placed.last + 1}"
        row = placed.last + 2 if total else placed.first + number + 1
        anchor = "$" if total else ""
        cells = [
            f"{prefix}{anchor and '$'}{_letter(column + at)}{anchor}{row}"
            for at in range(len(_PARTS.get(unit, [""])))
        ]
        if unit == "ways":
            return cells[part] if colon else f"({cells[0]}*1E9+{cells[1]})"
        return f"({cells[0]}/{cells[1]})" if unit == "pays" else cells[0]

    # --- charts and checks -----------------------------------------------------------------------

    def _bars(self, page: Any, row: int, placed: _Placed, bars: Drawn) -> int:
        chart = self._book.add_chart(
            {"type": "bar", **({"subtype": "stacked"} if bars.stacked else {})}
        )
        figures = {one.id: one for one in placed.table.columns}
        names = 0 if placed.table.of is None else 1
        for number, name in enumerate(bars.figures):
            column = placed.starts[name]
            chart.add_series(
                {
                    "name": visible(figures[name].title),
                    "categories": [placed.page, placed.first, names, placed.last, names],
                    "values": [placed.page, placed.first, column, placed.last, column],
                    "fill": {"color": _SERIES[number]},
                    "gap": 60,
                }
            )
        figure = figures[bars.figures[0]]
        title = visible(bars.title or figure.title)
        chart.set_title({"name": title, "name_font": {"size": 12}})
        # The first row is at the top, as in the table.
        chart.set_y_axis(
            {"reverse": True, "label_position": "low", "major_gridlines": {"visible": False}}
        )
        faint = {"visible": True, "line": {"color": "#d9dee3"}}
        form = "0.0%" if figure.unit == "percent" else _form_of(figure, 0).get("num_format", "0")
        chart.set_x_axis({"num_format": form, "major_gridlines": faint})
        chart.set_legend({"position": "bottom"} if len(bars.figures) > 1 else {"none": True})
        height = _CHART_HEIGHT + min(_BARS_HEIGHT, _BAR_HEIGHT * len(placed.table.rows))
        chart.set_size({"width": 900, "height": height})
        page.insert_chart(row, 1, chart, {"description": f"Bar chart: {title}"})
        return row + height // 20 + 2

    def _checked(
        self, tables: Sequence[_Placed]
    ) -> Iterator[tuple[str, str, str, float | str, str]]:
        for placed in tables:
            for number, row in enumerate(placed.table.rows):
                for figure, value in zip(placed.table.columns, row, strict=True):
                    if figure.formula and value is not None and not isinstance(value, Cell):
                        row_number, column = placed.first + number + 1, placed.starts[figure.id]
                        at = [
                            f"{placed.page}!{_letter(column + one)}{row_number}" for one in (0, 1)
                        ]
                        yield str(row[0]), *_expected(figure, value, at)

    def _check(self, tables: Sequence[_Placed]) -> None:
        figures = list(self._checked(tables))
        page = self._add("Check")
        first, last = 4, 3 + len(figures)
        count = f'COUNTIF($F${first}:$F${last},"agrees")'
        all_agree = _agreement(len(figures))
        some = f'{len(figures)}-{count}&" of {len(figures)} figures differ from the exact values"'
        summed = f'=IF({count}={len(figures)},"{all_agree}",{some})'
        self._cell(page, 0, 0, _Formula(summed, all_agree), _BOLD)
        number = {"valign": "top", "num_format": "0.000000000000"}
        heads = [
            _Head("Row", {}, 26), _Head("Figure", {}, 26), _Head("Calculated here", number, 20),
            _Head("Exact value", number, 20),
            _Head("Difference", {"num_format": "0.0E+00;-0.0E+00;0"}, 12),
            _Head("Verdict", {}, 14), _Head("Exactly", {}, 70),
        ]  # fmt: skip
        self._heads(page, heads, 2, frozen=True)
        for row, (name, title, formula, value, exact) in enumerate(figures, first):
            is_text = isinstance(value, str)
            near = f"C{row}=D{row}" if is_text else f"ABS(E{row})<={_TOLERANCE}*MAX(1,ABS(D{row}))"
            cells = (
                name,
                title,
                _Formula(formula, value),
                value,
                None if is_text else _Formula(f"=C{row}-D{row}", 0.0),
                _Formula(f'=IF(ISERROR(C{row}),"differs",IF({near},"agrees","differs"))', "agrees"),
                exact,
            )
            for at, (head, cell) in enumerate(zip(heads, cells, strict=True)):
                self._cell(page, row - 1, at, cell, head.form)
        page.ignore_errors({"number_stored_as_text": f"A1:Z{last + 1}"})


def _agreement(figures: int) -> str:
    return f"All {figures} figures calculated here agree with the exact values"


def _expected(figure: Figure, value: Value, at: Sequence[str]) -> tuple[str, str, float | str, str]:
    if figure.unit == "ways":
        billions, remainder = divmod(int(str(value)), _BILLION)
        # Two counts near each other are subtracted part by part: no digit is lost.
        difference = f"=({at[0]}-{billions})*1E9+{at[1]}-{remainder}"
        return f"{figure.title} in excess of the exact", difference, 0.0, grouped(str(value))
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else ""
    plain = _plain(figure, value)
    return figure.title, f"={at[0]}", plain if isinstance(plain, str) else _number(plain), exact


def _sentences(node: Node) -> Iterator[tuple[str, Style]]:
    match node:
        case Note(kind="warning"):
            yield f"WARNING {node.text}", _WARNING
        case Note():
            yield node.text, _WRAPPED
        case Bullets():
            yield from ((item, _WRAPPED) for item in node.items)
        case Conclusion():
            yield from ((error, _WARNING) for error in node.wrong)
            yield node.says, {**_WRAPPED, **_BOLD}
            yield from ((note, _WRAPPED) for note in node.more)
        case Choices():
            yield f"{node.label} ({node.takes})", _WRAPPED
            yield from ((f"{letter}) {words}", _WRAPPED) for letter, words in node.choices)


# --- the cells of a figure -----------------------------------------------------------------------

_PARTS: Final[Mapping[str, Sequence[str]]] = {
    "ways": ("{}: billions", "and the rest"),
    "pays": ("{}: wins", "on a stake of"),
}
"""The names of the columns of figures that take two."""


def _page_name(name: str) -> str:
    return re.sub(r"[\[\]:*?/\\]", " ", visible(name)).strip("' ")[:_LONGEST_NAME] or "Table"


def _parts(figure: Figure) -> Sequence[str]:
    return [one.format(figure.title) for one in _PARTS.get(figure.unit, ("{}",))]


def _set_height(page: Any, row: int, texts: Iterable[str], room: int) -> None:
    lines = (sum(1 + len(line) // room for line in text.split("\n")) for text in texts)
    if (line_count := max(lines, default=1)) > 1:
        page.set_row(row, _LINE_HEIGHT * line_count)


def _heads_of(tables: Sequence[_Placed]) -> list[_Head]:
    table = tables[0].table
    heads = [] if table.of is None else [_Head(table.of.figure.title, {}, 26)]
    rows = [texts_of(one.table.columns, row) for one in tables for row in one.table.rows]
    for at, figure in enumerate(table.columns):
        texts = [text[at] for text in rows]
        longest = max((len(line) for text in texts for line in text.split("\n")), default=0)
        # A bold word is wider, and is never broken.
        word = max((len(one) for one in figure.title.split()), default=0) * 1.2
        width = min(max(longest + 3.0, len(figure.title) * 0.6 + 2, word + 2, _NARROWEST), _WIDEST)
        forms = _forms_of(figure, None)
        heads += [
            _Head(name, form, width) for name, form in zip(_parts(figure), forms, strict=True)
        ]
    return heads


def _forms_of(figure: Figure, value: Value | Cell) -> list[Style]:
    if figure.unit == "ways":
        shade = {} if figure.formula else _INPUT
        return [
            {"valign": "top", "num_format": "#,##0", **shade},
            {"valign": "top", "num_format": '","000","000","000', **_BESIDE, **shade},
        ]
    if figure.unit == "pays":
        return [{"valign": "top", "num_format": "General", **_INPUT}] * 2
    return [_form_of(figure, value.value if isinstance(value, Cell) else value)]


def _form_of(figure: Figure, value: Value) -> Style:
    if figure.unit in WORDS or (figure.unit in _PARTS and isinstance(value, str)):
        faint = {"align": "right", "font_color": "#55616d"} if figure.decoration else {}
        wrap = {"valign": "top"} if figure.unit == "word" else _WRAPPED
        # Text keeps its distance from a number to its left.
        return {**wrap, **(faint or {"indent": 1})}
    digits = f".{'0' * figure.digits}" if figure.digits else ""
    currency = currency_in_use()
    plain = {
        "percent": f"0{digits}%",
        "gain": f"0{digits}%",
        "cents": f'"{currency.sign}"#,##0{".00" if currency.decimals else ""}',
        "count": "#,##0",
        "p": "0.0000",
        "chance": "0.000000%",
        "number": "General" if figure.digits is None else f"#,##0{digits}",
    }[figure.unit]
    if figure.signed:
        plain = f"+{plain};-{plain};{plain}"
    elif figure.unit == "cents":
        plain = f"{plain};-{plain}"
    form: dict[str, Any] = {"valign": "top", "num_format": plain}
    if isinstance(value, str):
        form["align"] = "right"
    return form


def _values(figure: Figure, item: Value | Cell) -> list[object]:
    value = item.value if isinstance(item, Cell) else item
    if figure.unit == "ways":
        return [None, None] if value is None else list(divmod(int(str(value)), _BILLION))
    if figure.unit == "pays":
        net = net_of(str(value)) if value else None
        return [None, None] if net is None else [net.numerator, net.denominator]
    return [_plain(figure, value)]


def _plain(figure: Figure, value: Value) -> object:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ", ".join(value) or "none"
    number = float(value) if isinstance(value, Fraction) else value
    return number / currency_in_use().minor if figure.unit == "cents" else number


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _letter(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, remainder = divmod(column - 1, 26)
        letters = chr(65 + remainder) + letters
    return letters
