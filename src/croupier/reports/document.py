"""Parts shared by documents: their frame with provenance and warnings, sections, and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from msgspec.structs import replace

from croupier.reports.tree import (
    Cell,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    Unit,
    Value,
)

Data = Mapping[str, Any]

SAYS: Final = Figure("in_words", "Says")
CLAUSE: Final = Figure("clause", "Clause", "word")
READING: Final = Figure("reading", "Reading", "word")

_NAMES: Final = (
    "law", "law_title", "in_force_from", "title", "rules_hash", "law_hash", "program", "version",
    "reproduce",
)  # fmt: skip


def fact(name: str, value: str | int | Sequence[str], figure_id: str = "") -> FactItem:
    """Fact in words, or a number without a unit."""
    identity = figure_id or name.lower().replace(" ", "_").replace(",", "")
    return FactItem(Figure(identity, name, "text" if isinstance(value, str) else "clauses"), value)


def document(
    title: str,
    data: Data,
    *nodes: Node,
    about: str = "",
    facts: Sequence[FactItem] = (),
    last: Sequence[Node] = (),
) -> Tree:
    if not about:
        about = f"{data['law_title']} ({data['law']}), in force from {data['in_force_from']}"
    return Tree(
        title,
        about,
        [
            *(Note(warning, "warning") for warning in data.get("warnings", ())),
            *map(filled, nodes),
            Section("Provenance", [FactList([*facts, *_provenance(data)])]),
            *last,
        ],
        {name: str(data[name]) for name in _NAMES if data.get(name) is not None},
        data.get("rules_hash", ""),
    )


def filled(node: Node) -> Node:
    """Hide the columns of a table that are blank in every row, unless they are to be filled in."""
    if isinstance(node, Section):
        return replace(node, nodes=list(map(filled, node.nodes)))
    if not isinstance(node, DataTable) or not node.rows:
        return node
    columns = [
        replace(one, hidden=one.hidden or not (one.decoration or any(map(_is_filled, cells))))
        for one, cells in zip(node.columns, zip(*node.rows, strict=True), strict=True)
    ]
    return replace(node, columns=columns)


def _is_filled(cell: Value | Cell) -> bool:
    return (cell.value if isinstance(cell, Cell) else cell) not in (None, "")


def _provenance(data: Data) -> list[FactItem]:
    facts = (
        ("law", "Law", f"{data['law_title']} ({data['law']})" if "law_title" in data else None),
        ("in_force_from", "In force from", data.get("in_force_from")),
        ("title", "Submission", data.get("title")),
        ("rules_hash", "Rules SHA-256", data.get("rules_hash")),
        ("law_hash", "Law SHA-256", data.get("law_hash")),
        ("program", "Program", f"{data['program']} {data['version']}"),
        ("reproduce", "Reproduce with", data.get("reproduce")),
    )
    return [fact(name, value, identity) for identity, name, value in facts if value is not None]


def table_section(
    title: str,
    columns: Sequence[Figure],
    rows: Sequence[Sequence[Value | Cell]],
    *after: Node,
    caption: str = "",
    drawn: Sequence[Drawn] = (),
) -> list[Section]:
    """Section of one table, which may be longer than a page, or none without rows."""
    table = DataTable(columns, rows, caption, page=title, drawn=drawn)
    return [Section(title, [table, *after], together=False)] if rows else []


def in_words(
    title: str, what: Figure, texts: Mapping[str, str], caption: str = ""
) -> list[Section]:
    return table_section(title, (what, SAYS), list(texts.items()), caption=caption)


def shoe_of(data: Data) -> str:
    """Cards of the shoe, abbreviated if every rank has the same number.

    >>> shoe_of({"shoe": {"cards": 5, "by_rank": {"A": 3, "2": 2}}})
    '5 cards: A 3, 2 2'
    """
    cards, by_rank = data["shoe"]["cards"], data["shoe"]["by_rank"]
    counts = set(by_rank.values())
    if len(counts) == 1:
        return f"{cards} cards, {counts.pop()} of each rank"
    return f"{cards} cards: " + ", ".join(f"{a} {b}" for a, b in by_rank.items())


def sides(*named: tuple[str, Data]) -> list[Node]:
    nodes: list[Node] = []
    for name, side in named:
        law = f"{side['law_title']} ({side['law']}), in force from {side['in_force_from']}"
        key = name.lower()
        file = [fact("File", side["file"], f"{key}_file")] if "file" in side else []
        facts = [
            *file,
            fact("Submission", side["title"] or "untitled", f"{key}_title"),
            fact("Regulation", law, f"{key}_law"),
            fact("Rules SHA-256", side["rules_hash"], f"{key}_rules_hash"),
            fact("Law SHA-256", side["law_hash"], f"{key}_law_hash"),
        ]
        warnings = [Note(warning, "warning") for warning in side["warnings"]]
        nodes.append(Section(name, [FactList(facts), *warnings]))
    return nodes


WAGER: Final = Figure("wager_title", "Wager")
WAGER_ID: Final = Figure("wager", "Id", "word", hidden=True)
CLAUSES: Final = Figure("cites", "Clauses", "clauses")

HOUSE_EDGE: Final = Figure(
    "house_edge", "House edge", "percent", formula="-{Lines:contribution.total}"
)
RTP: Final = Figure("return_to_player", "RTP", "percent", formula="1-{house_edge}")
HIT_FREQUENCY: Final = Figure(
    "hit_frequency", "Hit frequency", "percent",
    formula='SUMIF({Lines:net},">0",{Lines:probability})',
)  # fmt: skip
VARIANCE: Final = Figure(
    "variance", "Variance", "number", 6,
    formula="SUMPRODUCT({Lines:probability},({Lines:net}+{house_edge})^2)",
)  # fmt: skip
DEVIATION: Final = Figure(
    "standard_deviation", "Std. dev.", "number", 6, formula="SQRT({variance})"
)
MIN_BET: Final = Figure("min_cents", "Min bet", "cents")
MAX_BET: Final = Figure("max_cents", "Max bet", "cents")
MAX_WIN: Final = Figure(
    "max_win_cents", "Max win", "cents",
    # The best line at the maximum bet, in whole cents.
    formula="ROUNDDOWN(MAX(0,{Lines:net})*{max_cents}+0.000001,2)",
)  # fmt: skip

Z: Final = Figure("z", "z", "number", 2, signed=True)
P: Final = Figure("p", "p", "p")

OUTCOME: Final = Figure("outcome", "Outcome")
WAYS: Final = Figure("ways", "Ways", "ways")
PAYS: Final = Figure("pays", "Pays", "pays")
PROBABILITY: Final = Figure("probability", "Probability", "percent", formula="{ways}/{ways.total}")


_PACKAGE_UNITS: Final[Mapping[str, tuple[Unit, int]]] = {
    "rate": ("percent", 4),
    "gain": ("gain", 4),
    "cents": ("cents", 2),
    "square_cents": ("cents", 2),
    "chance": ("chance", 0),
    "count": ("number", 1),
}
"""Units in which the figures of a package are shown; a variance as its square root."""


def package_figure(identity: str, title: str, unit: str) -> Figure:
    return Figure(identity, title[:1].upper() + title[1:], *_PACKAGE_UNITS[unit])


def package_value(unit: str, text: str | None) -> Fraction | float | str:
    """Figure of a package; an absent one is ``never``.

    >>> package_value("chance", "1/1348"), package_value("count", None)
    (Fraction(1, 1348), 'never')
    """
    value = None if text is None else Fraction(text)
    if value is None or (unit == "chance" and not value):
        return "never"
    return sqrt(value) if unit == "square_cents" else value


def plain(figure: Figure) -> Figure:
    """Figure without its formula."""
    return replace(figure, formula="")
