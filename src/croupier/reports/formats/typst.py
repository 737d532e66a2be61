"""A tree as PDF, set by Typst with its embedded fonts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from croupier.reports.charts import PDF_FONT, chart_alt_text
from croupier.reports.figures import extra, visible
from croupier.reports.formats.tables import bands_of, charts_of, drawn_chart, texts_of, wide
from croupier.reports.tree import (
    WORDS,
    Bullets,
    Cell,
    Chart,
    Choices,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    Value,
    words_of,
)

_PAPERS: Final = {"a4": "a4", "letter": "us-letter"}
_STANDARD: Final = "ua-1"
"""PDF/UA: tagged, for screen readers."""

_CHARACTERS: Final = 112
"""Characters that fit the width of a page at the size of a table."""

_HALF: Final = 330
"""The width of two charts next to each other, in their own units."""


def pdf(tree: Tree, paper: str = "a4") -> bytes:
    """Tree as a PDF. Raises ``MissingExtraError`` if Typst is not installed.

    It is identical everywhere if Typst's fonts have its letters; else it is not marked as PDF/UA.
    """
    typst = extra("pdf")
    source = (files("croupier.reports.formats") / "tree.typ").read_bytes()
    data = {
        "title": visible(tree.title).strip() or "untitled",
        "about": visible(tree.about),
        "rules_hash": visible(tree.rules_hash)[:16],
        "points": tree.points,
        "nodes": _nodes(tree.nodes, [0]),
    }
    # The document is passed as data, not as source, so its text is never parsed as markup.
    inputs = {"given": json.dumps(data), "paper": _PAPERS[paper]}
    options: dict[str, Any] = {"format": "pdf", "sys_inputs": inputs}
    document: bytes
    try:
        document = typst.compile(
            source, ignore_system_fonts=True, pdf_standards=[_STANDARD], **options
        )
    except typst.TypstError:
        document = typst.compile(source, **options)
    return document


def _nodes(nodes: Sequence[Node], count: list[int]) -> list[dict[str, Any]]:
    """Nodes in order; a sentence before a table or chart stays on the page of its beginning."""
    rendered = list(_each(nodes, count))
    for node, following in pairwise(rendered):
        node["sticky"] = following["kind"] in {"table", "charts"}
    return rendered


def _each(nodes: Sequence[Node], count: list[int]) -> Iterator[dict[str, Any]]:
    charts: list[Chart] = []
    for node in nodes:
        if isinstance(node, Chart):
            charts.append(node)
            continue
        yield from _charts(charts, count)
        charts = []
        if isinstance(node, DataTable):
            yield from _charts(charts_of(node), count)
        yield from _node(node, count)
    yield from _charts(charts, count)


def _charts(charts: Sequence[Chart], count: list[int]) -> Iterator[dict[str, Any]]:
    for at in range(0, len(charts), 2):
        charts_drawn, pair = [], charts[at : at + 2]
        for chart in pair:
            count[0] += 1
            width = {"width": _HALF} if len(pair) > 1 else {}
            svg, title = (
                drawn_chart(chart, f"chart-{count[0]}", PDF_FONT, **width),
                visible(chart.title),
            )
            charts_drawn.append({"title": title, "svg": svg, "alt": chart_alt_text(chart.items)})
        yield {"kind": "charts", "charts": charts_drawn}


def _node(node: Node, count: list[int]) -> Iterator[dict[str, Any]]:
    if isinstance(node, Section):
        title, nodes = visible(node.title).strip() or "untitled", _nodes(node.nodes, count)
        yield {"kind": "section", "title": title, "together": node.together, "nodes": nodes}
    elif isinstance(node, DataTable):
        if node.rows or node.foot:
            yield {"kind": "table", "title": visible(node.title), "bands": list(_bands(node))}
    else:
        yield _leaf(node)


def _leaf(node: Node) -> dict[str, Any]:
    match node:
        case FactList():
            rows = [[visible(fact.figure.title), _values(fact)] for fact in node.facts]
            return {"kind": "facts", "rows": rows}
        case Note():
            return {"kind": node.kind, "text": visible(node.text)}
        case Bullets():
            return {"kind": "bullets", "items": _seen(node.items)}
        case Conclusion():
            sentences = {
                "says": visible(node.says),
                "more": _seen(node.more),
                "wrong": _seen(node.wrong),
            }
            return {"kind": "verdict", "passes": node.passes, **sentences}
        case Picture():
            words = {"alt": visible(node.alt), "caption": visible(node.caption)}
            return {"kind": "drawing", "drawings": node.draw(PDF_FONT, "paper"), **words}
        case SignatureLines():
            return {"kind": "form", "names": list(node.names), "parts": list(node.parts)}
        case Choices():
            choices = [[letter, visible(words)] for letter, words in node.choices]
            words = {"label": visible(node.label), "takes": visible(node.takes)}
            return {"kind": "choices", "ticked": node.ticked, "choices": choices, **words}
    raise AssertionError(node)


def _seen(texts: Sequence[str]) -> list[str]:
    return [visible(text) for text in texts]


def _values(fact: FactItem) -> list[str]:
    if isinstance(fact.value, str) or not isinstance(fact.value, Sequence):
        return [words_of(fact)]
    return [visible(item) for item in fact.value] or ["none"]


def _bands(table: DataTable) -> Iterator[dict[str, Any]]:
    columns = table.columns
    rows = [texts_of(columns, row) for row in table.rows]
    foot = texts_of(columns, table.foot) if table.foot else []
    for band in bands_of(columns, [*rows, *([foot] if foot else [])], _CHARACTERS):
        places = [at for at, _ in band]
        # Columns with wrapped cells share the space that the others leave.
        wrap = {
            at
            for at, room in band
            if any(max(map(wide, row[at].split("\n"))) > room for row in rows)
        }
        flexible = {at: room if at in wrap else 0 for at, room in band}
        yield {
            "columns": [visible(columns[at].title) for at in places],
            "words": [columns[at].unit in WORDS for at in places],
            "widths": [flexible[at] for at in places],
            "rows": [
                [_cell(given[at], texts[at]) for at in places]
                for given, texts in zip(table.rows, rows, strict=True)
            ],
            "foot": [foot[at] for at in places] if foot else [],
        }


def _cell(value: Value | Cell, text: str) -> str | list[str]:
    value_of_cell = value.value if isinstance(value, Cell) else value
    if isinstance(value_of_cell, Sequence) and not isinstance(value_of_cell, str):
        return [visible(one) for one in value_of_cell]
    return text
