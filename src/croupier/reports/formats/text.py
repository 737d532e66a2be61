"""Trees as plain text, and as CSV."""

from __future__ import annotations

import csv as writing
import io
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Final

from croupier.reports.figures import decimal, visible
from croupier.reports.formats.tables import bands_of, texts_of, wide, wrapped
from croupier.reports.tree import (
    WORDS,
    Bullets,
    Cell,
    Choices,
    Conclusion,
    DataTable,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    Value,
    walk,
    words_of,
)

_GAP: Final = 2
_INDENT: Final = "  "
_NARROWEST: Final = 20
_BLANK: Final = 14
"""Length of a blank line to fill in."""
_BOLD, _FAINT, _GREEN, _RED = "1", "2", "1;32", "1;31"


def text(
    tree: Tree, width: int = 100, *, styled: bool = False, plain: bool = False, free: bool = False
) -> str:
    """Tree as text.

    ``styled`` adds terminal colors; ``plain`` writes each row as a line for a screen reader;
    ``free`` lets tables be wider.
    """
    lines = _Page(max(width, _NARROWEST), styled=styled, plain=plain, free=free).tree(tree)
    return "".join(f"{line}\n" for line in lines)


class _Page:
    def __init__(self, width: int, *, styled: bool, plain: bool, free: bool) -> None:
        self._width = width
        self._free = free
        self._styled = styled
        self._plain = plain

    def tree(self, tree: Tree) -> Iterator[str]:
        yield from self._paragraph(tree.title, _BOLD)
        yield from self._paragraph(tree.about)
        yield ""
        yield from self._nodes(tree.nodes)

    def _nodes(self, nodes: Sequence[Node]) -> Iterator[str]:
        previous: Node | None = None
        for node in nodes:
            lines = list(self._node(node))
            if (
                lines
                and previous is not None
                and not (isinstance(node, Note | Bullets) and isinstance(previous, Note | Bullets))
            ):
                yield ""
            if lines:
                previous = node
            yield from lines

    def _node(self, node: Node) -> Iterator[str]:
        render = _RENDERERS.get(type(node))
        return iter(()) if render is None else render(self, node)

    def section(self, section: Section) -> Iterator[str]:
        lines = list(self._nodes(section.nodes))
        # A section that contains only decoration is omitted.
        if lines:
            yield from self._paragraph(section.title, _BOLD)
            yield from lines

    def note(self, note: Note) -> Iterator[str]:
        if note.kind == "warning":
            yield from self._paragraph(f"WARNING {note.text}", _BOLD)
        else:
            yield from self._paragraph(note.text, _FAINT if note.kind == "meaning" else "")

    def bullets(self, bullets: Bullets) -> Iterator[str]:
        for item in bullets.items:
            room = self._width - 2 * len(_INDENT)
            lines = [line for part in visible(item).splitlines() for line in wrapped(part, room)]
            yield from (_INDENT * (2 if number else 1) + line for number, line in enumerate(lines))

    def verdict(self, verdict: Conclusion) -> Iterator[str]:
        for error in verdict.wrong:
            yield from self._paragraph(error, _RED)
        yield from self._paragraph(verdict.says, _GREEN if verdict.passes else _RED)
        for detail in verdict.more:
            yield from self._paragraph(detail, indent=_INDENT)

    def choices(self, node: Choices) -> Iterator[str]:
        yield from self._paragraph(f"{node.label} ({node.takes}): {'_' * _BLANK}")
        for letter, words in node.choices:
            yield from self._paragraph(f"{letter}) {words}", indent=_INDENT)

    def _style(self, line: str, style: str) -> str:
        return f"\x1b[{style}m{line}\x1b[0m" if self._styled and style and line else line

    def _paragraph(self, words: str, style: str = "", indent: str = "") -> Iterator[str]:
        for part in visible(words).splitlines():
            for line in wrapped(part, self._width - len(indent)):
                yield indent + self._style(line, style)

    def facts(self, facts: FactList) -> Iterator[str]:
        rows = [(fact.figure.title, words_of(fact)) for fact in facts.facts]
        if self._plain:
            yield from (f"{name}: {words}" for name, words in rows)
            return
        room = min(max((wide(name) for name, _ in rows), default=0), self._width // 2)
        for name, words in rows:
            lines = wrapped(words, self._width - room - _GAP) or [""]
            for head, line in zip_longest(wrapped(name, room), lines, fillvalue=""):
                column = self._style(head + " " * (room - wide(head)), _BOLD)
                yield f"{column}{' ' * _GAP}{line}".rstrip()

    def table(self, table: DataTable) -> Iterator[str]:
        if table.title:
            yield from self._paragraph(f"{table.title}:")
        if not table.rows and not table.foot:
            return
        rows = [texts_of(table.columns, row) for row in table.rows]
        foot = [texts_of(table.columns, table.foot)] if table.foot else []
        if self._plain:
            yield from _rows_in_words(table.columns, [*rows, *foot])
            return
        bands = bands_of(table.columns, [*rows, *foot], self._width, free=self._free)
        for number, band in enumerate(bands):
            if number:
                yield ""
            heads = [wrapped(visible(table.columns[at].title), room) for at, room in band]
            yield from self._row(table, band, heads, _BOLD, at_the_bottom=True)
            for row in rows:
                yield from self._row(table, band, [wrapped(row[at], room) for at, room in band])
            for row in foot:
                parts = [wrapped(row[at], room) for at, room in band]
                yield from self._row(table, band, parts, _BOLD)

    def _row(
        self,
        table: DataTable,
        band: Sequence[tuple[int, int]],
        parts: Sequence[Sequence[str]],
        style: str = "",
        *,
        at_the_bottom: bool = False,
    ) -> Iterator[str]:
        height = max(map(len, parts), default=1) or 1
        for line in range(height):
            texts = []
            for (at, room), part in zip(band, parts, strict=True):
                number = line - (height - len(part) if at_the_bottom else 0)
                words = part[number] if 0 <= number < len(part) else ""
                fill = " " * (room - wide(words))
                is_words = table.columns[at].unit in WORDS
                texts.append(words + fill if is_words else fill + words)
            yield self._style((" " * _GAP).join(texts).rstrip(), style)


_RENDERERS: Final[dict[type, Callable[[Any, Any], Iterator[str]]]] = {
    Section: _Page.section,
    FactList: _Page.facts,
    DataTable: _Page.table,
    Note: _Page.note,
    Bullets: _Page.bullets,
    Conclusion: _Page.verdict,
    Choices: _Page.choices,
}
"""Renderer of each kind of node; other nodes are decoration."""


def _rows_in_words(columns: Sequence[Figure], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield "; ".join(
            f"{column.title}: {', '.join(cell.splitlines())}" if column.title else cell
            for column, cell in zip(columns, row, strict=True)
            if cell.strip() and not column.hidden
        )


_PLACES: Final = 12
_SMALL: Final = 1e-6
_FIGURE: Final = re.compile(r"-?\d+([./:]\d+)?", re.ASCII)
_STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")

Row = dict[str, str]


def harmless(text: object) -> str:
    """Text that no spreadsheet evaluates as a formula; numbers are unchanged.

    >>> harmless("=1+1"), harmless("-19/20"), harmless("- six")
    ("'=1+1", '-19/20', "'- six")
    """
    string = visible(text)
    if _FIGURE.fullmatch(string):
        return string
    # Spreadsheets ignore spaces before the sign.
    risky = string.startswith(_STARTS_A_FORMULA) or string.lstrip().startswith(_STARTS_A_FORMULA)
    return f"'{string}" if risky else string


def csv(tree: Tree) -> str:
    """Tree as CSV with LF line endings."""
    rows = [row for row in _rows(tree) if row.keys() - {"part", *tree.names}]
    columns = dict.fromkeys(("part", *(name for row in rows for name in row)))
    for name in tree.names:
        columns.pop(name, None)
    file = io.StringIO()
    writer = writing.DictWriter(file, [*columns, *tree.names], restval="", lineterminator="\n")
    writer.writeheader()
    names = {name: harmless(value) for name, value in tree.names.items()}
    writer.writerows({**row, **names} for row in rows)
    return file.getvalue()


def _rows(tree: Tree) -> Iterator[Row]:
    for section, node in walk(tree.nodes):
        part = {"part": harmless(section)}
        match node:
            case DataTable():
                yield from _table(node, section)
            case FactList(repeats=""):
                cells = _cells([(one.figure, one.value) for one in node.facts])
                notes = {
                    f"{one.figure.id}_note": harmless(one.note) for one in node.facts if one.note
                }
                yield part | cells | notes
            case Note():
                yield part | {"text": harmless(node.text)}
            case Bullets():
                yield from (part | {"text": harmless(one)} for one in node.items)
            case Conclusion():
                yield from (
                    part | {"text": harmless(one)} for one in (*node.wrong, node.says, *node.more)
                )
            case Choices():
                yield part | {"text": harmless(f"{node.label} ({node.takes})")}
                for letter, words in node.choices:
                    yield part | {"text": harmless(f"{letter}) {words}")}


def _table(table: DataTable, section: str) -> Iterator[Row]:
    common = {"part": harmless(table.page or table.title or section)}
    common |= {} if table.of is None else _cells([(table.of.figure, table.of.value)])
    for row in (*table.rows, *([table.foot] if table.foot else ())):
        yield common | _cells(list(zip(table.columns, row, strict=True)))


def _cells(row: Sequence[tuple[Figure, Value | Cell]]) -> Row:
    found: Row = {}
    for figure, item in row:
        value = item.value if isinstance(item, Cell) else item
        # Two facts of one kind, such as two limits, are one cell.
        previous = f"{found[figure.id]} " if found.get(figure.id) else ""
        found[figure.id] = previous + _cell(value)
        if isinstance(value, Fraction):
            found[f"{figure.id}_decimal"] = decimal(value, _PLACES)
    return found


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float):
        # Round like exact figures, except for numbers that would lose their digits.
        return str(round(value, _PLACES) if abs(value) > _SMALL else value)
    if isinstance(value, int):
        return str(value)
    return harmless(value if isinstance(value, str) else " ".join(value))
