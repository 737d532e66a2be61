"""A sheet as a live workbook: ways and pays are numbers, and every other figure is a formula.

A program that does not calculate shows our exact value of each formula. The page ``Check`` compares
what a program does calculate with that value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from croupier.reports.figures import Sheet, exact, grouped, outcome_title
from croupier.reports.view import CONTRIBUTION, describe_shoe, provenance
from croupier.reports.xlsx import BarChart, CellWriter, Column, Formula, made_book

_BILLION: Final = 10**9
"""Ways are in two cells: spreadsheets show fifteen digits and hold integers up to 2^53."""

_TOLERANCE: Final = "1E-12"
_VOLATILITY: Final = "1.645"

_RATES: Final = (
    "House edge", "RTP", "Edge per resolved bet", "Share of resolved bets", "Hit frequency",
)  # fmt: skip

_SUMMARY: Final = (
    Column("Wager", "text", 26),
    *(Column(head, "percent", 11) for head in _RATES),
    Column("Hit cycle (1 in, wagers)", "number", 14),
    Column("Push frequency", "percent", 11),
    Column("Variance", "number", 13),
    Column("Std. dev.", "number", 11),
    Column("Volatility index", "number", 11),
    Column("Min bet", "dollars", 12),
    Column("Max bet", "dollars", 12),
    Column("Max win", "dollars", 14),
    Column("Vigorish", "beside", 16),
    Column("Readings", "wrapped", 22),
    Column("Rounds per wager", "number", 12),
    Column("Rounds per hit", "number", 14),
)
_SUMMARY_HEAD: Final = 4
"""The row of the header of the summary, from 0: three lines about the sheet are above it."""

_LINES: Final = (
    Column("Wager", "text", 26),
    Column("Outcome", "text", 22),
    Column("Ways: billions", "billions", 13),
    Column("and the rest", "remainder", 13),
    Column("Pays: wins", "input", 9),
    Column("on a stake of", "input", 9),
    Column("Net per unit", "number", 13),
    Column("Probability", "fine percent", 15),
    Column("Contribution", "fine percent", 15),
    Column("Probability, exactly", "exact", 40),
    Column("Contribution, exactly", "exact", 40),
)

_CHECK: Final = (
    Column("Wager", "text", 26),
    Column("Figure", "text", 24),
    Column("Calculated here", "number", 20),
    Column("Exact value", "number", 20),
    Column("Difference", "difference", 12),
    Column("Verdict", "beside", 14),
    Column("Exactly", "exact", 70),
)
_CHECK_HEAD: Final = 2

_ROUNDING: Final = (
    Column("Wager", "text", 26),
    Column("Stake", "dollars", 12),
    Column("Vigorish", "dollars", 12),
    Column("House edge", "percent", 12),
    Column("House edge, exactly", "exact", 44),
    Column("Above exact", "percent", 12),
)

_WORDS: Final = (
    Column("About", "wrapped", 26),
    Column("Clause", "wrapped", 34),
    Column("Says", "wrapped", 100),
)
_READINGS: Final = (
    Column("Reading", "text", 10),
    Column("Elected", "text", 22),
    Column("Says", "wrapped", 130),
)


def xlsx_sheet(sheet: Sheet, paper: str = "a4") -> bytes:
    """Return the sheet as a live workbook.

    Raises ``MissingExtraError`` if XlsxWriter is not installed.
    """
    return made_book(lambda writer: _write(writer, sheet), paper)


class _Wager(Struct, frozen=True):
    """A wager with its place: the first of its rows in ``Lines``, and its row in ``Summary``."""

    data: Mapping[str, Any]
    first: int
    row: int

    @property
    def last(self) -> int:
        return self.first + len(self.data["lines"]) - 1

    @property
    def total(self) -> int:
        return self.last + 1

    def of(self, column: str) -> str:
        """Return the cells of its lines in a column, as a reference from another sheet."""
        return f"Lines!${column}${self.first}:${column}${self.last}"


def _placed(sheet: Sheet) -> Iterator[_Wager]:
    first = 2
    for row, wager in enumerate(sheet["wagers"], _SUMMARY_HEAD + 2):
        yield _Wager(wager, first, row)
        # A row of totals and an empty row follow the lines.
        first += len(wager["lines"]) + 2


def _write(writer: CellWriter, sheet: Sheet) -> None:
    writer.entitle(f"PAR sheet: {sheet['title']}")
    wagers = list(_placed(sheet))
    _summary(writer, sheet, wagers)
    _lines(writer, wagers)
    _check(writer, wagers)
    _charts(writer, wagers)
    # A page with nothing on it would ask its reader what is missing.
    if rounding := _rounding_rows(sheet):
        writer.table("Rounding", _ROUNDING, rounding)
    if sheet["packages"]:
        _packages(writer, sheet)
    if sheet["drawing"] is not None:
        _drawing(writer, sheet["drawing"])
    if words := list(_words(sheet)):
        writer.table("In words", _WORDS, words)
    if sheet["reading_texts"]:
        named = sheet["readings"]
        rows = [(name, named.get(name), says) for name, says in sheet["reading_texts"].items()]
        writer.table("Readings", _READINGS, rows)
    _provenance(writer, sheet)


# --- the live pages ----------------------------------------------------------------------------


def _summary(writer: CellWriter, sheet: Sheet, wagers: Sequence[_Wager]) -> None:
    page = writer.page("Summary")
    writer.cell(page, 0, 0, f"PAR sheet: {sheet['title']}", "title")
    about = f"{sheet['law_title']} ({sheet['law']}), in force from {sheet['in_force_from']}"
    writer.cell(page, 1, 0, f"{about}. {describe_shoe(sheet)}.", "text")
    writer.cell(page, 2, 0, Formula("=Check!A1", _agreement(len(_figures(wagers)))), "bold")
    writer.heads(page, _SUMMARY, _SUMMARY_HEAD)
    writer.rows(page, _SUMMARY, [_summary_row(one) for one in wagers], _SUMMARY_HEAD + 1)


def _charts(writer: CellWriter, wagers: Sequence[_Wager]) -> None:
    """Draw the summary; a pay that is changed moves the bars, too."""
    page = writer.page("Charts")
    rows = (_SUMMARY_HEAD + 1, _SUMMARY_HEAD + len(wagers))
    edges = BarChart("House edge", "Summary", rows, 0, [("House edge", 1)])
    shares = BarChart(
        "How often a wager wins and pushes", "Summary", rows, 0,
        [("Hit frequency", 5), ("Push frequency", 7)], "0%", stacked=True,
    )  # fmt: skip
    writer.bars(page, (1, 1), edges)
    writer.bars(page, (9 + 2 * len(wagers), 1), shares)


def _summary_row(wager: _Wager) -> tuple[object, ...]:
    data, row = wager.data, wager.row
    net, chance = wager.of("G"), wager.of("H")
    resolved = f'SUMIF({net},">0",{chance})+SUMIF({net},"<=-1",{chance})'
    return (
        data["title"],
        Formula(f"=-Lines!$I${wager.total}", _number(data["house_edge"])),
        Formula(f"=1-B{row}", _number(data["return_to_player"])),
        Formula(f"=IF(E{row}=0,B{row},B{row}/E{row})", _number(data["edge_per_resolved"])),
        Formula(f"={resolved}", _number(data["resolved_frequency"])),
        Formula(f'=SUMIF({net},">0",{chance})', _number(data["hit_frequency"])),
        Formula(f'=IF(F{row}=0,"none",1/F{row})', _cycle(data)),
        Formula(f"=1-E{row}", _number(data["push_frequency"])),
        Formula(f"=SUMPRODUCT({chance},({net}+B{row})^2)", _number(data["variance"])),
        Formula(f"=SQRT(I{row})", data["standard_deviation"]),
        Formula(f"={_VOLATILITY}*J{row}", data["volatility_index"]),
        _dollars(data["min_cents"]),
        _dollars(data["max_cents"]),
        _max_win(wager),
        data["scheme"],
        ", ".join(data["interpretations"]),
        _number(data["rounds_per_wager"]),
        "none" if data["hit_cycle_rounds"] is None else _number(data["hit_cycle_rounds"]),
    )


def _max_win(wager: _Wager) -> object:
    if wager.data["max_win_meters"]:
        return "no bound"
    cents = wager.data["max_win_cents"]
    if cents is None:
        return None
    # The best line at the maximum bet, in whole cents.
    return Formula(f"=ROUNDDOWN(MAX(0,{wager.of('G')})*M{wager.row}+0.000001,2)", cents / 100)


def _cycle(data: Mapping[str, Any]) -> float | str:
    return "none" if data["hit_cycle"] is None else _number(data["hit_cycle"])


def _lines(writer: CellWriter, wagers: Sequence[_Wager]) -> None:
    page = writer.page("Lines")
    writer.heads(page, _LINES)
    for wager in wagers:
        rows = [_line_row(wager, number) for number in range(len(wager.data["lines"]))]
        writer.rows(page, _LINES, rows, wager.first - 1)
        _total_row(writer, page, wager)


def _line_row(wager: _Wager, number: int) -> tuple[object, ...]:
    line, row = wager.data["lines"][number], wager.first + number
    billions, rest = divmod(int(line["ways"]), _BILLION)
    net = _net(line["pays"])
    return (
        wager.data["title"],
        outcome_title(line["outcome"]),
        billions,
        rest,
        net.numerator,
        net.denominator,
        Formula(f"=E{row}/F{row}", float(net)),
        Formula(
            f"=(C{row}*1E9+D{row})/(C${wager.total}*1E9+D${wager.total})",
            _number(line["probability"]),
        ),
        Formula(f"=G{row}*H{row}", _number(line["contribution"])),
        line["probability"],
        line["contribution"],
    )


def _net(pays: str) -> Fraction:
    """Return what the bettor has of a unit staked, from how the sheet says what a line pays."""
    if pays == "loses":
        return Fraction(-1)
    sign, text = (-1, pays.removeprefix("takes ")) if pays.startswith("takes ") else (1, pays)
    try:
        return sign * Fraction(text.replace(":", "/"))
    except ValueError:
        return Fraction(0)


def _total_row(writer: CellWriter, page: Any, wager: _Wager) -> None:
    """Write the totals: the rest of the ways is carried over to the billions."""
    rests, billions = (f"SUM({at}{wager.first}:{at}{wager.last})" for at in "DC")
    ways, sums = _ways(wager), {at: f"=SUM({at}{wager.first}:{at}{wager.last})" for at in "HI"}
    edge = -_number(wager.data["house_edge"])
    cells: tuple[tuple[object, str], ...] = (
        (wager.data["title"], "total"),
        ("all", "total"),
        (Formula(f"={billions}+INT({rests}/1E9)", ways // _BILLION), "total billions"),
        (Formula(f"=MOD({rests},1E9)", ways % _BILLION), "total remainder"),
        (None, "total"),
        (None, "total"),
        (None, "total"),
        (Formula(sums["H"], 1.0), "total percent"),
        (Formula(sums["I"], edge), "total percent"),
        (None, "total"),
        (None, "total"),
    )
    for at, (value, form) in enumerate(cells):
        writer.cell(page, wager.total - 1, at, value, form)


def _ways(wager: _Wager) -> int:
    return sum(int(line["ways"]) for line in wager.data["lines"])


def _figures(wagers: Sequence[_Wager]) -> list[tuple[_Wager, str, str, float | str, str]]:
    """Return each figure: its wager, its name, its formula, its exact value, and that as text."""
    return [
        (wager, name, formula, value, text)
        for wager in wagers
        for name, formula, value, text in _figures_of(wager)
    ]


def _figures_of(wager: _Wager) -> Iterator[tuple[str, str, float | str, str]]:
    data, ways = wager.data, _ways(wager)
    billions, rest = divmod(ways, _BILLION)
    total = f"Lines!$C${wager.total}-{billions})*1E9+Lines!$D${wager.total}-{rest}"
    # Two counts near each other are subtracted part by part, so no digit is lost.
    yield "Ways in excess of the exact", f"=({total}", 0.0, grouped(ways)
    for name, at, key in (
        ("House edge", "B", "house_edge"),
        ("RTP", "C", "return_to_player"),
        ("Edge per resolved bet", "D", "edge_per_resolved"),
        ("Share of resolved bets", "E", "resolved_frequency"),
        ("Hit frequency", "F", "hit_frequency"),
        ("Push frequency", "H", "push_frequency"),
        ("Variance", "I", "variance"),
    ):
        yield name, f"=Summary!{at}{wager.row}", _number(data[key]), data[key]
    yield "Hit cycle", f"=Summary!G{wager.row}", _cycle(data), data["hit_cycle"] or ""
    root = "square root of the variance"
    yield "Std. dev.", f"=Summary!J{wager.row}", data["standard_deviation"], root
    index = f"{_VOLATILITY} standard deviations"
    yield "Volatility index", f"=Summary!K{wager.row}", data["volatility_index"], index


def _check(writer: CellWriter, wagers: Sequence[_Wager]) -> None:
    figures = _figures(wagers)
    page = writer.page("Check")
    first, last = _CHECK_HEAD + 2, _CHECK_HEAD + 1 + len(figures)
    agree = f'COUNTIF($F${first}:$F${last},"agrees")'
    all_agree = _agreement(len(figures))
    some = f'{len(figures)}-{agree}&" of {len(figures)} figures differ from the exact values"'
    summed = f'=IF({agree}={len(figures)},"{all_agree}",{some})'
    writer.cell(page, 0, 0, Formula(summed, all_agree), "bold")
    writer.heads(page, _CHECK, _CHECK_HEAD)
    rows = []
    for row, (wager, name, formula, value, text) in enumerate(figures, first):
        near = f"ABS(E{row})<={_TOLERANCE}*MAX(1,ABS(D{row}))"
        if isinstance(value, str):
            near = f"C{row}=D{row}"
        difference = Formula(f"=C{row}-D{row}", 0.0) if not isinstance(value, str) else None
        verdict = Formula(f'=IF(ISERROR(C{row}),"differs",IF({near},"agrees","differs"))', "agrees")
        rows.append(
            (wager.data["title"], name, Formula(formula, value), value, difference, verdict, text)
        )
    writer.rows(page, _CHECK, rows, first - 1)


def _agreement(figures: int) -> str:
    return f"All {figures} figures calculated here agree with the exact values"


# --- the other pages ---------------------------------------------------------------------------


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


def _words(sheet: Sheet) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each sentence about a wager, a package, or the third cards."""
    clauses = sheet["clauses"]
    for part in (*sheet["wagers"], *sheet["packages"]):
        for says in part.get("definition", ()):
            yield part["title"], "", says
        for clause in part["cites"]:
            yield part["title"], clause, clauses.get(clause, "")


def _drawing(writer: CellWriter, drawing: Mapping[str, Any]) -> None:
    page = writer.page("Third cards")
    page.set_column(0, 0, 34)
    page.set_column(1, 11, 9)
    row = 0
    for says in drawing["says"]:
        writer.cell(page, row, 0, says, "text")
        row += 1
    heads = ("Banker's Hand, by Player's third card", "none", *map(str, range(10)))
    for at, head in enumerate(heads):
        writer.cell(page, row + 1, at, head, "head" if at == 0 else "head right")
    row += 2
    for count, letters in enumerate(drawing["banker_draws"]):
        writer.cell(page, row, 0, f"on {count}", "text")
        for at, letter in enumerate(letters, 1):
            writer.cell(page, row, at, "draw" if letter == "D" else "stay", "exact")
        row += 1
    writer.cell(page, row + 1, 0, f"Clauses: {', '.join(drawing['cites']) or 'none'}.", "text")


def _packages(writer: CellWriter, sheet: Sheet) -> None:
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
    writer: CellWriter,
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


_HOW: Final = (
    ("Figures", CONTRIBUTION),
    (
        "Live cells",
        (
            "Shaded cells are numbers to change: the ways and pays of each line on the page Lines. "
            "All other figures on Summary, Lines, and Check are formulas; Rounding and Packages "
            "are values. A spreadsheet shows 15 digits of a number, so ways are in two cells, "
            "billions and the rest, and no digit is lost. Formulas calculate in floating point; "
            "the page Check compares them with the exact values, within 1E-12, relative above 1."
        ),
    ),
)


def _provenance(writer: CellWriter, sheet: Sheet) -> None:
    page = writer.page("Provenance")
    page.set_column(0, 0, 20)
    page.set_column(1, 1, 100)
    for row, (name, value) in enumerate([*provenance(sheet), *_HOW]):
        writer.cell(page, row, 0, name, "bold")
        writer.cell(page, row, 1, value if isinstance(value, str) else ", ".join(value), "wrapped")
    for row, warning in enumerate(sheet["warnings"], len(provenance(sheet)) + len(_HOW)):
        writer.cell(page, row, 0, "WARNING", "warning")
        writer.cell(page, row, 1, warning, "warning")


def _number(text: str) -> float:
    return float(exact(text))


def _dollars(cents: int | None) -> float | None:
    return None if cents is None else cents / 100
