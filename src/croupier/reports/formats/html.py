"""Reports as HTML pages without external resources."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from croupier.reports.charts import FONT
from croupier.reports.figures import visible
from croupier.reports.formats.tables import charts_of, drawn_chart, texts_of
from croupier.reports.tags import Child, Html, head, join, tag
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

_CONTENTS: Final = 8
"""Number of sections from which a page begins with a list of them."""

_LONG: Final = 60
"""Maximum characters of a line; a table with longer ones is as wide as the page."""

_SHORT: Final = 24
"""Lines of a cell that are shorter are not broken: a result and its odds belong together."""


def html(tree: Tree, paper: str = "a4") -> str:
    """Tree as a self-contained page without scripts."""
    styles = {node.style: 0 for _, node in walk(tree.nodes) if isinstance(node, Picture)}
    if paper == "letter":
        styles["@page { size: letter; }"] = 0
    nodes = _gathered(tree.nodes)
    page, title = _Page(nodes), _title(tree.title)
    header = tag("header", tag("h1", title), tag("p", tree.about, class_="law"))
    main = lines("main", *page.contents(nodes), *page.nodes(nodes))
    return self_contained(title, header, main, styles=styles)


def self_contained(title: str, *body: Html, styles: Iterable[str], script: str = "") -> str:
    """Page with the style of all reports, more styles, and a script at its end."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    if script:
        body = *body, tag("script", Html(script))
        policy += f"; script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    house = (files("croupier.reports.formats") / "house.css").read_text(encoding="utf-8")
    top = head(
        title,
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="referrer", content="no-referrer"),
        tag("style", Html("\n".join((house.rstrip(), *styles)))),
    )
    page = lines("html", top, lines("body", *body), lang="en-US")
    return f"<!doctype html>\n{page}\n"


def lines(name: str, /, *children: Html, **attributes: str | None) -> Html:
    return tag(name, *(Html(f"\n{child}") for child in children), Html("\n"), **attributes)


def _title(text: str) -> str:
    return visible(text).strip() or "untitled"


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
        self._numbers: Counter[str] = Counter()
        sections = [node for _, node in walk(nodes) if isinstance(node, Section)]
        self._anchors = {id(section): f"section-{at}" for at, section in enumerate(sections, 1)}
        titles = Counter(section.title for section in sections)
        # Regions with the same name are indistinguishable, so these are not regions.
        self._alike = {title for title, count in titles.items() if count > 1}
        self._named = {section.title: self._anchors[id(section)] for section in sections}

    def _next(self, kind: str) -> str:
        self._numbers[kind] += 1
        return f"{kind}-{self._numbers[kind]}"

    def contents(self, nodes: Sequence[Node]) -> Iterator[Html]:
        sections = [node for node in nodes if isinstance(node, Section)]
        if len(sections) < _CONTENTS:
            return
        links = (
            tag("a", _title(section.title), href=f"#{self._anchors[id(section)]}")
            for section in sections
        )
        yield tag("nav", _bullets(links), class_="contents", aria_label="Contents")

    def nodes(self, nodes: Sequence[Node], title: str = "") -> Iterator[Html]:
        charts: list[Chart] = []
        for node in nodes:
            if isinstance(node, Chart):
                charts.append(node)
                continue
            yield from self._charts(charts)
            charts = []
            if isinstance(node, DataTable):
                yield from self._charts(charts_of(node))
                yield from self._table(node, title)
            else:
                yield _RENDERERS[type(node)](self, node)
        yield from self._charts(charts)

    def note(self, note: Note) -> Html:
        return tag("p", note.text, class_="meaning" if note.kind == "meaning" else None)

    def bullets(self, bullets: Bullets) -> Html:
        return _bullets(bullets.items)

    def drawing(self, drawing: Picture) -> Html:
        marks = Html("".join(drawing.draw(FONT, "screen")))
        caption = tag("figcaption", drawing.caption)
        return tag("figure", caption, _scrolled(drawing.caption, marks), class_="drawing")

    def section(self, section: Section) -> Html:
        anchor = self._anchors[id(section)]
        kinds = {"Warning": "warnings", "Warnings": "warnings"}
        return lines(
            "section",
            tag("h2", _title(section.title), id=anchor),
            *self.nodes(section.nodes, section.title),
            class_=kinds.get(section.title, "together" if section.together else None),
            aria_labelledby=None if section.title in self._alike else anchor,
        )

    def verdict(self, verdict: Conclusion) -> Html:
        anchor = self._next("verdict")
        return lines(
            "section",
            tag("h2", _title(verdict.says), id=anchor),
            *(tag("p", error, class_="wrong") for error in verdict.wrong),
            *(tag("p", note) for note in verdict.more),
            class_="verdict" if verdict.passes else "verdict diverges",
            aria_labelledby=anchor,
        )

    def facts(self, facts: FactList) -> Html:
        return lines(
            "dl",
            *(
                tag("div", tag("dt", fact.figure.title), tag("dd", _values(fact)))
                for fact in facts.facts
            ),
        )

    def _table(self, table: DataTable, title: str) -> Iterator[Html]:
        if not table.rows and not table.foot:
            return
        places = [at for at, figure in enumerate(table.columns) if not figure.hidden]
        columns = [table.columns[at] for at in places]
        rows = [[texts_of(table.columns, row)[at] for at in places] for row in table.rows]
        caption = table.title or table.page or title
        is_long = any(len(line) > _LONG for row in rows for cell in row for line in _lines(cell))
        titles = (
            tag("th", one.title, scope="col", class_=None if one.unit in WORDS else "figure")
            for one in columns
        )
        links = self._named if table.rows_link else {}
        parts = [
            tag("caption", caption),
            tag("thead", tag("tr", *titles)),
            lines("tbody", *(_row(columns, row, links.get(row[0])) for row in rows)),
        ]
        if table.foot:
            foot = [texts_of(table.columns, table.foot)[at] for at in places]
            parts.append(tag("tfoot", _row(columns, foot)))
        # Each region has a unique name, which differs from that of its section.
        name = f"{self._next('table').replace('-', ' ').capitalize()}: {caption}"
        yield _scrolled(name, lines("table", *parts, class_="whole long" if is_long else "whole"))

    def _charts(self, charts: Sequence[Chart]) -> Iterator[Html]:
        pictures = [
            tag(
                "figure",
                tag("figcaption", chart.title),
                Html(drawn_chart(chart, self._next("chart"), FONT)),
            )
            for chart in charts
        ]
        if len(pictures) > 1:
            pictures = [lines("div", *pictures, class_="charts")]
        yield from pictures

    def form(self, form: SignatureLines) -> Html:
        rows = []
        for name in form.names:
            first_part, *other_parts = form.parts
            parts = [f"{name} ({first_part.lower()})" if name else first_part, *other_parts]
            rows.append(tag("div", *(tag("span", part) for part in parts), class_="sign"))
        return lines("div", *rows, class_="signatures")

    def choices(self, node: Choices) -> Html:
        blank = tag("span", Html("&nbsp;"), class_="answer")
        question = tag("p", f"{node.label} ({node.takes}): ", blank)
        choices = (tag("li", words) for _, words in node.choices)
        return join(question, lines("ol", *choices, class_="choices") if node.choices else None)


_RENDERERS: Final[dict[type, Callable[[Any, Any], Html]]] = {
    Section: _Page.section,
    FactList: _Page.facts,
    Note: _Page.note,
    Bullets: _Page.bullets,
    Conclusion: _Page.verdict,
    Picture: _Page.drawing,
    SignatureLines: _Page.form,
    Choices: _Page.choices,
}


def _bullets(items: Iterable[Child]) -> Html:
    return lines("ul", *(tag("li", item) for item in items))


def _scrolled(name: str, content: Html) -> Html:
    return tag("div", content, class_="scroll", role="region", aria_label=name, tabindex=0)


def _row(columns: Sequence[Figure], row: Sequence[str], section: str | None = None) -> Html:
    cells = []
    for at, (column, text) in enumerate(zip(columns, row, strict=True)):
        kind = {"text": None, "clauses": None, "word": "name"}.get(column.unit, "figure")
        if column.decoration:
            kind = "figure exact"
        elif len(cell := _lines(text)) > 1 and max(map(len, cell)) < _SHORT:
            kind = "name"
        if at == 0:
            words = tag("a", _broken(text), href=f"#{section}") if section else _broken(text)
            cells.append(tag("th", words, scope="row", class_=kind))
        else:
            cells.append(tag("td", _broken(text), class_=kind))
    return tag("tr", *cells)


def _values(fact: FactItem) -> Html:
    if isinstance(fact.value, str) or not isinstance(fact.value, Sequence):
        return tag("span", _broken(words_of(fact)))
    parts = [visible(item) for item in fact.value] or ["none"]
    spans = (tag("span", part, "," if at < len(parts) else "") for at, part in enumerate(parts, 1))
    return Html(" ".join(spans))


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _broken(text: str) -> Html:
    return Html(re.sub(r"(\d)/(\d)", r"\1/<wbr>\2", join(text)).replace("\n", "<br>"))
