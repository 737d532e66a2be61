"""The PAR sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from croupier.reports.charts import Bar, Segment
from croupier.reports.document import (
    CLAUSE,
    CLAUSES,
    DEVIATION,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    MAX_BET,
    MAX_WIN,
    MIN_BET,
    OUTCOME,
    PAYS,
    PROBABILITY,
    READING,
    RTP,
    SAYS,
    VARIANCE,
    WAGER,
    WAGER_ID,
    WAYS,
    Data,
    document,
    fact,
    in_words,
    package_figure,
    package_value,
    plain,
    shoe_of,
    table_section,
)
from croupier.reports.figures import kind, net_of, outcome_title, percent
from croupier.reports.par_parts import parts_of
from croupier.reports.tree import (
    Bullets,
    Cell,
    Chart,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    SignatureLines,
    Tree,
    Value,
    row,
)

_LOST: Final = 'SUMIF({Lines:net},"<=-1",{Lines:probability})'
_READINGS: Final = Figure("interpretations", "Readings", "clauses")
_EDGE_PER_RESOLVED: Final = Figure(
    "edge_per_resolved", "Edge per resolved bet", "percent",
    formula="IF({resolved_frequency}=0,{house_edge},{house_edge}/{resolved_frequency})",
)  # fmt: skip
_RESOLVED: Final = Figure(
    "resolved_frequency",
    "Share of resolved bets",
    "percent",
    formula=f"{HIT_FREQUENCY.formula}+{_LOST}",
)
_HIT_CYCLE: Final = Figure(
    "hit_cycle", "Hit cycle (1 in, wagers)", "number",
    formula='IF({hit_frequency}=0,"none",1/{hit_frequency})',
)  # fmt: skip
_ROUNDS_PER_WAGER: Final = Figure("rounds_per_wager", "Rounds per wager", "number")
_HIT_CYCLE_ROUNDS: Final = Figure("hit_cycle_rounds", "Rounds per hit", "number")
_PUSH_FREQUENCY: Final = Figure(
    "push_frequency", "Push frequency", "percent", formula="1-{resolved_frequency}"
)
_VOLATILITY: Final = Figure(
    "volatility_index", "Volatility index", "number", 6, formula="1.645*{standard_deviation}"
)
_SKEWED: Final = "SUMPRODUCT({Lines:probability},({Lines:net}+{house_edge})^%d)/%s"
_SKEWNESS: Final = Figure(
    "skewness", "Skewness", "number", formula=_SKEWED % (3, "{standard_deviation}^3")
)
_KURTOSIS: Final = Figure("kurtosis", "Kurtosis", "number", formula=_SKEWED % (4, "{variance}^2"))
_TOP_AWARD_WAGERS: Final = Figure("top_award_wagers", "Wagers to top award (95%)", "count")
_NET: Final = Figure("net", "Net per unit", "number", 6, formula="{pays}", hidden=True)
_CONTRIBUTION: Final = Figure(
    "contribution", "Contribution", "percent", formula="{net}*{probability}"
)
_PROBABILITY_EXACTLY: Final = Figure(
    "probability_exactly", "Probability, exactly", "word", decoration=True, exact=True
)
_CONTRIBUTION_EXACTLY: Final = Figure(
    "contribution_exactly", "Contribution, exactly", "word", decoration=True, exact=True
)
_CYCLE: Final = Figure("cycle", "1 in", "number", 1, formula="1/{probability}")
_SQUARE: Final = Figure(
    "square", "Part of variance", "number", 6,
    formula="{probability}*({net}-{contribution.total})^2", hidden=True,
)  # fmt: skip
_VARIANCE_SHARE: Final = Figure(
    "variance_share", "Of variance", "percent", formula="{square}/{square.total}"
)
_TOTAL_WAYS: Final = Figure("total_ways", "Ways", "ways", formula="{Lines:ways.total}", hidden=True)
_VIGORISH: Final = Figure("scheme", "Vigorish")

MEANING: Final = (
    "Contribution is what an outcome adds to the bettor's average return, in percent of the stake; "
    "contributions sum to minus the house edge. RTP (return to player) is 100% minus the house "
    "edge. The volatility index is the distance from the mean, in stakes, that would contain 90% "
    "of normally distributed results."
)

_LIVE: Final = (
    "Shaded cells are numbers to change: the ways and pays of each outcome. All other figures of "
    "wagers and outcomes are formulas; the page Check compares them with the exact values, within "
    "1E-12, relative above 1. Ways are in two cells, billions and the rest, because a spreadsheet "
    "shows 15 digits of a number."
)

_PRICED: Final = (
    "Shaded cells are numbers to change: the pays of each outcome. Probabilities are values; all "
    "other figures of wagers and outcomes are formulas; the page Check compares them with the "
    "exact values, within 1E-12, relative above 1."
)

_SUMMARY: Final = (
    WAGER, HOUSE_EDGE, RTP, _EDGE_PER_RESOLVED, _RESOLVED, HIT_FREQUENCY, _HIT_CYCLE,
    _ROUNDS_PER_WAGER, _HIT_CYCLE_ROUNDS, _PUSH_FREQUENCY,
    VARIANCE, DEVIATION, _VOLATILITY, _SKEWNESS, _KURTOSIS, _TOP_AWARD_WAGERS,
    MIN_BET, MAX_BET, MAX_WIN, _TOTAL_WAYS, WAGER_ID,
)  # fmt: skip

_LINES: Final = (
    OUTCOME, WAYS, PAYS, _NET, PROBABILITY, _CONTRIBUTION, _CYCLE, _SQUARE, _VARIANCE_SHARE,
    _PROBABILITY_EXACTLY, _CONTRIBUTION_EXACTLY, WAGER_ID,
)  # fmt: skip


def par_tree(sheet: Data) -> Tree:
    return document(
        f"PAR sheet: {sheet['title']}",
        sheet,
        _summary(sheet),
        *(_wager(wager, sheet) for wager in sheet["wagers"]),
        *(_package(package) for package in sheet["packages"]),
        *parts_of(sheet),
        *([] if sheet["drawing"] is None else [_drawing(sheet["drawing"])]),
        *in_words("Clauses", CLAUSE, sheet["clauses"]),
        *_readings(sheet),
        facts=[
            *([] if sheet["source"] is None else [fact("Source", sheet["source"])]),
            *(_counted(sheet) if sheet["shoe"] is not None else [fact("In a workbook", _PRICED)]),
        ],
        last=[SignatureLines(("Prepared by", "Reviewed by"))],
    )


def _counted(sheet: Data) -> Iterator[FactItem]:
    yield fact("Scheme", sheet["scheme"])
    yield fact("Shoe", shoe_of(sheet))
    yield FactItem(Figure("sheet_ways", "Ways", "ways"), sheet["total_ways"])
    yield fact("In a workbook", _LIVE)


def summary_tree(sheet: Data) -> Tree:
    return document(f"PAR sheet: {sheet['title']}", sheet, _summary(sheet), *parts_of(sheet))


def _summary(sheet: Data) -> Section:
    edges = Drawn(["house_edge"], "House edge of each wager")
    shares = Drawn(
        ["hit_frequency", "push_frequency"], "How often a wager wins and pushes", stacked=True
    )
    rows = [_summary_row(wager) for wager in sheet["wagers"]]
    charts = [edges, shares]
    table = DataTable(
        *_without_ways(_SUMMARY, rows, sheet["shoe"]),
        page="Summary",
        drawn=charts,
        checks=True,
        rows_link=True,
    )
    return Section("All wagers", [table, Note(MEANING, "meaning")])


def _summary_row(wager: Data) -> list[Value | Cell]:
    cycles = (_HIT_CYCLE, _HIT_CYCLE_ROUNDS) if wager["hit_cycle"] is None else ()
    shape = (_SKEWNESS, _KURTOSIS, _TOP_AWARD_WAGERS)
    return row(
        _SUMMARY,
        wager,
        wager_title=wager["title"],
        min_cents=_limit(MIN_BET, wager["min_cents"]),
        max_cents=_limit(MAX_BET, wager["max_cents"]),
        max_win_cents=_limit(
            MAX_WIN, "no bound" if wager["max_win_meters"] else wager["max_win_cents"]
        ),
        total_ways=_total_ways(wager),
        wager=wager["id"],
        **{figure.id: "none" for figure in cycles},
        **{one.id: Cell("none", plain(one)) for one in shape if wager[one.id] is None},
    )


def _total_ways(wager: Data) -> str | None:
    ways = [line["ways"] for line in wager["lines"]]
    return None if None in ways else str(sum(map(int, ways)))


def _without_ways(
    columns: Sequence[Figure], rows: Sequence[Sequence[Value | Cell]], shoe: Data | None
) -> tuple[Sequence[Figure], Sequence[Sequence[Value | Cell]]]:
    """Leave out the ways of a sheet for which no cards are counted; probabilities are values."""
    if shoe is not None:
        return columns, rows
    places = [at for at, figure in enumerate(columns) if figure.unit != "ways"]
    heads = [plain(column) if column is PROBABILITY else column for column in columns]
    return [heads[at] for at in places], [[row[at] for at in places] for row in rows]


def _limit(figure: Figure, value: Value) -> Value | Cell:
    if isinstance(value, int):
        return value
    return Cell(value or "none", Figure(figure.id, figure.title, "word"))


def _wager(wager: Data, sheet: Data) -> Section:
    lines = wager["definition"] or [sheet["clauses"].get(clause, "") for clause in wager["cites"]]
    definition = [one for one in dict.fromkeys(lines) if one]
    return Section(
        wager["title"],
        [
            *([Bullets(definition)] if definition else []),
            _lines(wager, sheet["shoe"]),
            *_charts(wager),
            *_rounding(wager),
            FactList(list(_figures(wager)), repeats="Summary"),
            FactList(_terms(wager)),
        ],
    )


def _lines(wager: Data, shoe: Data | None) -> DataTable:
    rows = [
        row(
            _LINES,
            line,
            outcome=outcome_title(line["outcome"]),
            net=net_of(line["pays"]),
            square=Fraction(line["variance_share"] or 0) * Fraction(wager["variance"]),
            variance_share=Fraction(line["variance_share"] or 0),
            probability_exactly=line["probability"],
            contribution_exactly=line["contribution"],
            wager=wager["id"],
        )
        for line in wager["lines"]
    ]
    sums = {
        key: sum((Fraction(line[key] or 0) for line in wager["lines"]), Fraction())
        for key in ("probability", "contribution", "variance_share")
    }
    cells: tuple[Value, ...] = (
        "all", _total_ways(wager), None, None, sums["probability"], sums["contribution"], None,
        Fraction(wager["variance"]), sums["variance_share"], None, None, None,
    )  # fmt: skip
    columns, (*lines, foot) = _without_ways(_LINES, [*rows, cells], shoe)
    return DataTable(columns, lines, "Outcomes", "Lines", foot, FactItem(WAGER, wager["title"]))


def _charts(wager: Data) -> list[Node]:
    lines = [
        (outcome_title(line["outcome"]), Fraction(line["probability"]), kind(line["pays"]),
         Fraction(line["contribution"]))
        for line in wager["lines"]
    ]  # fmt: skip
    order = ("win", "push", "loses")
    parts = [Segment(name, chance, percent(chance), how) for name, chance, how, _ in lines]
    return [
        Chart(
            "Probability of each outcome", sorted(parts, key=lambda part: order.index(part.kind))
        ),
        Chart(
            "Contribution of each outcome",
            [Bar(name, comes_to, percent(comes_to)) for name, _, _, comes_to in lines],
        ),
    ]


def _rounding(wager: Data) -> list[Node]:
    if not wager["rounding"]:
        return []
    columns = (
        Figure("stake_cents", "Stake", "cents"),
        Figure("vigorish_cents", "Vigorish", "cents"),
        Figure("rounded_edge", "House edge", "percent"),
        Figure("above_exact", "Above exact", "percent"),
    )
    rows = [
        (
            one["stake_cents"],
            one["vigorish_cents"],
            Fraction(one["house_edge"]),
            Fraction(one["house_edge"]) - Fraction(wager["house_edge"]),
        )
        for one in wager["rounding"]
    ]
    subject = FactItem(WAGER, wager["title"])
    title = (
        "Rounding of vigorish" if any(cents for _, cents, *_ in rows) else "Rounding of payments"
    )
    return [DataTable(columns, rows, title, "Rounding", of=subject)]


def _figures(wager: Data) -> list[FactItem]:
    values = _summary_row(wager)
    notes = {_EDGE_PER_RESOLVED.id: _divisor(wager)}
    return [
        FactItem(
            value.figure if isinstance(value, Cell) else figure,
            value.value if isinstance(value, Cell) else value,
            notes.get(figure.id, ""),
            exact=True,
        )
        for figure, value in zip(_SUMMARY[1:-2], values[1:-2], strict=True)
        if figure is not _RESOLVED
    ]


def _divisor(wager: Data) -> str:
    share = percent(Fraction(wager["resolved_frequency"]))
    basis = f"divided by the {share} of bets whose whole stake is won or lost"
    if any(line["pays"].startswith("takes") for line in wager["lines"]):
        edge = percent(Fraction(wager["house_edge"]))
        basis += f"; by all bets, a tie that takes part of the stake included, it is {edge}"
    return basis


def _terms(wager: Data) -> list[FactItem]:
    meters = wager["max_win_meters"]
    return [
        *([fact("Max win is what a meter shows", ", ".join(meters), "meters")] if meters else []),
        *([] if wager["scheme"] is None else [FactItem(_VIGORISH, wager["scheme"])]),
        FactItem(CLAUSES, wager["cites"]),
        FactItem(_READINGS, wager["interpretations"]),
    ]


def _package(package: Data) -> Section:
    units = {one["id"]: one["unit"] for one in package["columns"]}
    columns = (
        Figure("package_row", package["of"].capitalize()),
        *(package_figure(one["id"], one["title"], one["unit"]) for one in package["columns"]),
    )
    rows = [
        [
            row["title"],
            *(
                package_value(unit, row["figures"][name]) if name in row["figures"] else None
                for name, unit in units.items()
            ),
        ]
        for row in package["rows"]
    ]
    terms = [FactItem(CLAUSES, package["cites"]), FactItem(_READINGS, package["interpretations"])]
    subject = FactItem(Figure("package", "Package", "word"), package["id"])
    return Section(
        package["title"],
        [
            Note(package["says"]),
            DataTable(columns, rows, page="Packages", of=subject),
            FactList(terms),
        ],
    )


def _drawing(rules: Data) -> Section:
    heads = ("Banker's Hand", "none", *map(str, range(10)))
    columns = [Figure(f"third_card_{head}", head, "word") for head in heads[1:]]
    rows = [(f"on {count}", *letters) for count, letters in enumerate(rules["banker_draws"])]
    title = "Banker's Hand draws (D) or stays (S), by Player's third card"
    table = DataTable(
        (Figure("banker_count", heads[0], "word"), *columns), rows, title, "Third cards"
    )
    return Section(
        "Third-card rules",
        [Bullets(rules["says"]), table, FactList([FactItem(CLAUSES, rules["cites"])])],
    )


def _readings(sheet: Data) -> list[Section]:
    rows = [
        (name, sheet["readings"].get(name), text) for name, text in sheet["reading_texts"].items()
    ]
    columns = (READING, Figure("elected", "Elected", "word"), SAYS)
    return table_section("Readings", columns, rows)
