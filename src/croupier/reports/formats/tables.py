"""Parts shared by renderers: columns and charts of tables, and the annex of exact fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final
from unicodedata import combining, east_asian_width

from msgspec.structs import replace

from croupier.reports.charts import WIDTH, Bar, Segment, bars, stack
from croupier.reports.tree import (
    WORDS,
    Cell,
    Chart,
    DataTable,
    FactList,
    Figure,
    Node,
    Section,
    Tree,
    Value,
    shown,
)

GAP: Final = 2
"""Characters between two columns."""

_LONGEST_WORD: Final = 24
"""Longer words are broken before a column of words takes space from others."""

_SHORTER_WORD: Final = 14
"""Longer words are broken before a table is split."""

_WIDEST: Final = 40
"""Longer texts of a table that may be wider than the page are wrapped."""

_NARROWEST: Final = 3

Band = list[tuple[int, int]]
"""Columns next to each other: the number of each, and its width."""


def texts_of(columns: Sequence[Figure], row: Sequence[Value | Cell]) -> list[str]:
    return [
        shown(value.figure, value.value) if isinstance(value, Cell) else shown(column, value)
        for column, value in zip(columns, row, strict=True)
    ]


def wide(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 1 + (east_asian_width(one) in "WF") for one in text)


def wrapped(text: str, room: int) -> list[str]:
    """Lines of a text within a width; a word that is longer is broken at a mark.

    >>> wrapped("3=-1,6=-2,7=1.25 NJ-MINI:7.2(a)1.ii", 10)
    ['3=-1,6=-2,', '7=1.25', 'NJ-MINI:7.', '2(a)1.ii']
    """
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split():
            most = _WINDOW * room
            while len(word) > most or wide(word) > room:
                if line:
                    lines.append(line)
                    line = ""
                at = _fitting(word[:most], room)
                lines.append(word[:at])
                word = word[at:]  # noqa: PLW2901  (the rest of it)
            if line and wide(line) + 1 + wide(word) > room:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return lines


_WINDOW: Final = 20
"""Lines of a word that are looked at to break it: a forged record may have words of megabytes."""
_MARK: Final = re.compile(r"[,;/_]|[.-](?![\d(])")
"""Marks after which a word may be broken: never within a number."""


def _pieces(text: str) -> list[str]:
    found = []
    for word in text.split():
        ends = [] if ":" in word else [one.end() for one in _MARK.finditer(word)]
        found += [word[a:b] for a, b in pairwise((0, *ends, len(word))) if a < b]
    return found


def _fitting(word: str, room: int) -> int:
    at, fitting_chars = 0, 0
    for piece in _pieces(word):
        at += len(piece)
        if wide(word[:at]) > room:
            break
        fitting_chars = at
    if fitting_chars:
        return fitting_chars
    at = 1
    while at < len(word) and wide(word[: at + 1]) <= room:
        at += 1
    return at


def bands_of(
    columns: Sequence[Figure], rows: Sequence[Sequence[str]], room: int, *, free: bool = False
) -> list[Band]:
    """Return a table's columns in bands that fit a width; a ``free`` table may be wider."""
    natural = [_natural(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    minimum = [_least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    visible = [at for at, column in enumerate(columns) if not column.hidden]
    chosen = [at for at in visible if not columns[at].decoration]
    for at in visible:
        extended = sorted({*chosen, at})
        if columns[at].decoration and _needs(extended, natural) <= room:
            chosen = extended
    if _needs(chosen, natural) <= room:
        return [[(at, natural[at]) for at in chosen]]
    # The first column names the row.
    shorter = [
        min(minimum[at], max(_SHORTER_WORD, _unbroken([row[at] for row in rows])))
        if at and column.unit == "text"
        else minimum[at]
        for at, column in enumerate(columns)
    ]
    for widths in (minimum, shorter):
        if _needs(chosen, widths) <= room:
            return [_shared(chosen, (natural, widths), rows, room)]
    if free:
        return [[(at, max(minimum[at], min(natural[at], _WIDEST))) for at in chosen]]
    first_place, *other_places = chosen
    minimum[first_place] = max(minimum[first_place], min(natural[first_place], room // 3))
    bands: list[list[int]] = [[first_place]]
    for at in other_places:
        if len(bands[-1]) > 1 and _needs([*bands[-1], at], minimum) > room:
            bands.append([first_place])
        bands[-1].append(at)
    return [_shared(band, (natural, minimum), rows, room) for band in bands]


def _needs(places: Sequence[int], widths: Sequence[int] | Mapping[int, int]) -> int:
    return sum(widths[at] for at in places) + GAP * (len(places) - 1)


def _shared(
    places: Sequence[int],
    widths: tuple[Sequence[int], Sequence[int]],
    rows: Sequence[Sequence[str]],
    room: int,
) -> Band:
    """Share the remaining room by average text length; ``widths`` are natural and minimum."""
    natural, minimum = widths
    found = {at: minimum[at] for at in places}
    rest = room - _needs(places, minimum)
    while rest > 0 and (narrow := [at for at in places if found[at] < natural[at]]):
        weights = {at: 1 + sum(len(row[at]) for row in rows) for at in narrow}
        total_weight = sum(weights.values())
        for at in sorted(narrow, key=lambda at: -weights[at]):
            share = min(max(rest * weights[at] // total_weight, 1), natural[at] - found[at], rest)
            found[at] += share
            rest -= share
            total_weight -= weights[at]
            if not rest or not total_weight:
                break
    # A page that is narrower than its words breaks them.
    while _needs(places, found) > room and max(found.values()) > _NARROWEST:
        found[max(places, key=lambda at: found[at])] -= 1
    return [(at, found[at]) for at in places]


def _natural(figure: Figure, texts: Sequence[str]) -> int:
    cells = max((wide(line) for text in texts for line in text.split("\n")), default=0)
    head = figure.title.split() if figure.unit not in WORDS else [figure.title]
    return max(cells, *map(wide, head), 1) if head else max(cells, 1)


def _unbroken(texts: Sequence[str]) -> int:
    pieces = [piece for text in texts for piece in _pieces(text)]
    return max((wide(piece) for piece in pieces if any(map(str.isdigit, piece))), default=0)


def _least(figure: Figure, texts: Sequence[str]) -> int:
    if figure.unit not in {"text", "clauses"}:
        return _natural(figure, texts)
    words = [word for text in (*texts, figure.title) for word in text.split()]
    longest = max(map(wide, words), default=1)
    return max(min(longest, _LONGEST_WORD), _unbroken(texts), 1)


_COLUMNS: Final = [Figure(name, name) for name in ("Wager", "Figure", "Exact fraction")]


def with_annex(tree: Tree) -> Tree:
    rows: list[Sequence[str]] = []
    nodes = [_decimal(node, tree.title, rows) for node in tree.nodes]
    if not rows:
        return tree
    annex = Section("Annex: exact fractions", [DataTable(_COLUMNS, rows)], together=False)
    return replace(tree, nodes=[*nodes, annex])


def _decimal(node: Node, title: str, rows: list[Sequence[str]]) -> Node:
    match node:
        case Section():
            return replace(node, nodes=[_decimal(one, node.title, rows) for one in node.nodes])
        case FactList():
            rows += [(title, one.figure.title, one.fraction) for one in node.facts if one.fraction]
            return replace(node, facts=[replace(one, exact=False) for one in node.facts])
        case DataTable(columns=columns):
            for row in node.rows:
                names, *_ = texts = texts_of(columns, row)
                rows += [
                    (title, f"{names}: {one.title.removesuffix(', exactly')}", text)
                    for one, text in zip(columns, texts, strict=True)
                    if one.exact and text
                ]
            hidden = [replace(one, hidden=one.hidden or one.exact) for one in columns]
            return replace(node, columns=hidden)
    return node


_MOST_BARS: Final = 40


def charts_of(table: DataTable) -> list[Chart]:
    """Return a table's charts; a stacked one is for workbooks only."""
    if len(table.rows) > _MOST_BARS:
        return []
    titles = [column.id for column in table.columns]
    found = []
    for chart in table.drawn:
        if chart.stacked:
            continue
        at = titles.index(chart.figures[0])
        items = list(_bars(table, at))
        # One bar shows nothing that its figure does not.
        found += [Chart(chart.title or table.columns[at].title, items)] if items[1:] else []
    return found


def _bars(table: DataTable, at: int) -> Iterator[Bar]:
    for row in table.rows:
        name, value = row[0], row[at]
        figure: Figure = table.columns[at]
        if isinstance(value, Cell):
            figure, value = value.figure, value.value
        if isinstance(value, int | float | Fraction):
            label = shown(table.columns[0], name.value if isinstance(name, Cell) else name)
            yield Bar(label, Fraction(value), shown(figure, value))


def drawn_chart(chart: Chart, name: str, font: str, width: int = WIDTH) -> str:
    """Chart as SVG; ``name`` is its id in the page."""
    items: Sequence[Bar] | Sequence[Segment] = chart.items
    if items and isinstance(items[0], Segment):
        parts = [item for item in items if isinstance(item, Segment)]
        return stack(name, chart.title, parts, font=font, width=width)
    return bars(
        name, chart.title, [item for item in items if isinstance(item, Bar)], font=font, width=width
    )
