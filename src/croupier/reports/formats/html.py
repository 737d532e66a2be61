"""A tree as one HTML page without external resources or scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from typing import Any, Final

from croupier.reports.charts import FONT
from croupier.reports.figures import visible
from croupier.reports.formats.columns import texts_of
from croupier.reports.formats.drawn import charts_of, drawn_chart
from croupier.reports.tree import (
    WORDS,
    Bullets,
    Chart,
    Choices,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    walk,
    words_of,
)

_HEAD: Final = """<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p class="law">{about}</p>
</header>
<main>
"""
_CONTENTS: Final = 8
"""Sections of a page that begins with a list of them."""

_LONG: Final = 60
"""Characters of a cell: a table with longer ones is as wide as the page."""

_safe = partial(escape, quote=True)


def _said(text: object) -> str:
    return _safe(visible(text))


def html(tree: Tree, paper: str = "a4") -> str:
    """Return a tree as a self-contained page."""
    style = (files("croupier.reports.formats") / "house.css").read_text(encoding="utf-8").rstrip()
    style += "".join(
        {f"\n{node.style}": 0 for _, node in walk(tree.nodes) if isinstance(node, Picture)}
    )
    if paper == "letter":
        style += "\n@page { size: letter; }"
    head = _HEAD.format(title=_title(tree.title), about=_said(tree.about), style=style)
    nodes = _gathered(tree.nodes)
    page = _Page(nodes)
    parts = [head, *page.contents(nodes), *page.nodes(nodes)]
    return "".join([*parts, "</main>\n</body>\n</html>\n"])


def _title(text: str) -> str:
    return _said(text).strip() or "untitled"


def _gathered(nodes: Sequence[Node]) -> list[Node]:
    warnings = [node.text for node in nodes if isinstance(node, Note) and node.kind == "warning"]
    others = [node for node in nodes if not (isinstance(node, Note) and node.kind == "warning")]
    if not warnings:
        return others
    title = "Warning" if len(warnings) == 1 else "Warnings"
    at = sum(isinstance(one, Conclusion) for one in others[:1])
    return [*others[:at], Section(title, [Bullets(warnings)]), *others[at:]]


class _Page:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self._numbers: dict[str, int] = {}
        sections = [node for _, node in walk(nodes) if isinstance(node, Section)]
        self._anchors = {id(section): f"section-{at}" for at, section in enumerate(sections, 1)}
        titles = Counter(section.title for section in sections)
        # Regions of one name could not be told apart, so those are no regions.
        self._alike = {title for title, count in titles.items() if count > 1}
        self._named = {section.title: self._anchors[id(section)] for section in sections}

    def _next(self, what: str) -> str:
        self._numbers[what] = self._numbers.get(what, 0) + 1
        return f"{what}-{self._numbers[what]}"

    def contents(self, nodes: Sequence[Node]) -> Iterator[str]:
        """List the sections of a long page."""
        sections = [node for node in nodes if isinstance(node, Section)]
        if len(sections) < _CONTENTS:
            return
        yield '<nav class="contents" aria-label="Contents">\n<ul>\n'
        for section in sections:
            yield f'<li><a href="#{self._anchors[id(section)]}">{_title(section.title)}</a></li>\n'
        yield "</ul>\n</nav>\n"

    def nodes(self, nodes: Sequence[Node], title: str = "") -> Iterator[str]:
        charts: list[Chart] = []
        for node in nodes:
            if isinstance(node, Chart):
                charts.append(node)
                continue
            yield from self._charts(charts)
            charts = []
            yield from self._node(node, title)
        yield from self._charts(charts)

    def _node(self, node: Node, title: str) -> Iterator[str]:
        if isinstance(node, DataTable):
            yield from self._charts(charts_of(node))
            yield from self._table(node, title)
        else:
            yield from _RENDERERS[type(node)](self, node)

    def note(self, note: Note) -> Iterator[str]:
        kind = ' class="meaning"' if note.kind == "meaning" else ""
        yield f"<p{kind}>{_said(note.text)}</p>\n"

    def bullets(self, bullets: Bullets) -> Iterator[str]:
        yield "<ul>\n"
        yield from (f"<li>{_said(item)}</li>\n" for item in bullets.items)
        yield "</ul>\n"

    def drawing(self, drawing: Picture) -> Iterator[str]:
        caption = _said(drawing.caption)
        yield f'<figure class="drawing">\n<figcaption>{caption}</figcaption>\n'
        yield f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">\n'
        yield f"{''.join(drawing.draw(FONT, 'screen'))}\n</div>\n</figure>\n"

    def section(self, section: Section) -> Iterator[str]:
        anchor = self._anchors[id(section)]
        kinds = {"Warning": "warnings", "Warnings": "warnings"}
        kind = kinds.get(section.title, "together" if section.together else "")
        attribute = f' class="{kind}"' if kind else ""
        named = "" if section.title in self._alike else f' aria-labelledby="{anchor}"'
        yield f"<section{attribute}{named}>\n"
        yield f'<h2 id="{anchor}">{_title(section.title)}</h2>\n'
        yield from self.nodes(section.nodes, section.title)
        yield "</section>\n"

    def verdict(self, verdict: Conclusion) -> Iterator[str]:
        anchor = self._next("verdict")
        kind = "verdict" if verdict.passes else "verdict diverges"
        yield f'<section class="{kind}" aria-labelledby="{anchor}">\n'
        yield f'<h2 id="{anchor}">{_title(verdict.says)}</h2>\n'
        yield from (f'<p class="wrong">{_said(error)}</p>\n' for error in verdict.wrong)
        yield from (f"<p>{_said(note)}</p>\n" for note in verdict.more)
        yield "</section>\n"

    def facts(self, facts: FactList) -> Iterator[str]:
        yield "<dl>\n"
        for fact in facts.facts:
            yield f"<div><dt>{_said(fact.figure.title)}</dt><dd>{_values(fact)}</dd></div>\n"
        yield "</dl>\n"

    def _table(self, table: DataTable, title: str) -> Iterator[str]:
        if not table.rows and not table.foot:
            return
        shown = [at for at, figure in enumerate(table.columns) if not figure.hidden]
        columns = [table.columns[at] for at in shown]
        rows = [[texts_of(table.columns, row)[at] for at in shown] for row in table.rows]
        caption = _said(table.title or table.page or title)
        is_long = any(len(cell) > _LONG for row in rows for cell in row)
        # Each region has a name of its own, also next to its section.
        label = f"{self._next('table').replace('-', ' ').capitalize()}: {caption}"
        yield f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n'
        yield f'<table class="{"whole long" if is_long else "whole"}">\n'
        yield f"<caption>{caption}</caption>\n<thead><tr>\n"
        for column in columns:
            kind = "" if column.unit in WORDS else ' class="figure"'
            yield f'<th scope="col"{kind}>{_said(column.title)}</th>\n'
        yield "</tr></thead>\n<tbody>\n"
        for row in rows:
            link = self._named.get(row[0], "") if table.rows_link else ""
            yield f"<tr>{''.join(self._cells(columns, row, link))}</tr>\n"
        yield "</tbody>\n"
        if table.foot:
            foot = [texts_of(table.columns, table.foot)[at] for at in shown]
            yield f"<tfoot><tr>{''.join(self._cells(columns, foot))}</tr></tfoot>\n"
        yield "</table>\n</div>\n"

    def _cells(
        self, columns: Sequence[Figure], row: Sequence[str], link: str = ""
    ) -> Iterator[str]:
        for at, (column, cell) in enumerate(zip(columns, row, strict=True)):
            kind = {"text": "", "clauses": "", "word": "name"}.get(column.unit, "figure")
            if column.decoration:
                kind = "figure exact"
            attribute = f' class="{kind}"' if kind else ""
            name = f'th scope="row"{attribute}' if at == 0 else f"td{attribute}"
            words = _broken(_safe(cell))
            if link and at == 0:
                words = f'<a href="#{link}">{words}</a>'
            yield f"<{name}>{words}</{name[:2]}>"

    def _charts(self, charts: Sequence[Chart]) -> Iterator[str]:
        if not charts:
            return
        if len(charts) > 1:
            yield '<div class="charts">\n'
        for chart in charts:
            drawn = drawn_chart(chart, self._next("chart"), FONT)
            yield f"<figure>\n<figcaption>{_said(chart.title)}</figcaption>\n{drawn}\n</figure>\n"
        if len(charts) > 1:
            yield "</div>\n"

    def form(self, form: SignatureLines) -> Iterator[str]:
        yield '<div class="signatures">\n'
        for name in form.names:
            first, *others = form.parts
            parts = [f"{name} ({first.lower()})" if name else first, *others]
            spans = "".join(f"<span>{_said(part)}</span>" for part in parts)
            yield f'<div class="sign">{spans}</div>\n'
        yield "</div>\n"

    def choices(self, node: Choices) -> Iterator[str]:
        yield f"<p>{_said(node.label)} ({_said(node.takes)}): "
        yield '<span class="answer">&nbsp;</span></p>\n'
        if node.choices:
            yield '<ol class="choices">\n'
            yield from (f"<li>{_said(words)}</li>\n" for _, words in node.choices)
            yield "</ol>\n"


_RENDERERS: Final[dict[type, Callable[[Any, Any], Iterator[str]]]] = {
    Section: _Page.section,
    FactList: _Page.facts,
    Note: _Page.note,
    Bullets: _Page.bullets,
    Conclusion: _Page.verdict,
    Picture: _Page.drawing,
    SignatureLines: _Page.form,
    Choices: _Page.choices,
}


def _values(fact: FactItem) -> str:
    if isinstance(fact.value, str) or not isinstance(fact.value, Sequence):
        return f"<span>{_broken(_safe(words_of(fact)))}</span>"
    parts = [visible(item) for item in fact.value] or ["none"]
    return " ".join(
        f"<span>{_safe(part)}{',' if number < len(parts) else ''}</span>"
        for number, part in enumerate(parts, 1)
    )


def _broken(text: str) -> str:
    return re.sub(r"(\d)/(\d)", r"\1/<wbr>\2", text).replace("\n", "<br>")
