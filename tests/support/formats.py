"""What each format of a document contains, read back from its file."""

from __future__ import annotations

import csv
import html
import io
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from croupier.reports.figures import net_of
from croupier.reports.formats import written
from croupier.reports.formats.text import text
from croupier.reports.tree import (
    Bullets,
    Cell,
    Chart,
    Choices,
    Conclusion,
    DataTable,
    FactList,
    Figure,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    Value,
    shown,
    walk,
)
from support.spreadsheet import cells_of

_LONG: Final = 40
_WIDEST: Final = 20_000
_BLANKS: Final = re.compile(r"[\s\u200b\u00ad]+")


def cells(table: DataTable) -> Iterator[tuple[Figure, Value]]:
    for row in (*table.rows, *([table.foot] if table.foot else ())):
        for column, value in zip(table.columns, row, strict=True):
            yield (value.figure, value.value) if isinstance(value, Cell) else (column, value)


def squeezed(text: str) -> str:
    """Return text without blanks: where its lines break does not matter."""
    return _BLANKS.sub("", text)


def sentences_of(tree: Tree) -> Iterator[str]:
    """Yield every title and sentence of a document."""
    yield tree.title
    yield tree.about
    for _, node in walk(tree.nodes):
        match node:
            case Section() if is_seen(node):
                yield node.title
            case Note():
                yield node.text
            case Bullets():
                yield from node.items
            case Conclusion():
                yield from (*node.wrong, node.says, *node.more)
            case Choices():
                yield from (node.label, *(words for _, words in node.choices))


def figures_of(tree: Tree) -> Iterator[tuple[Figure, Value]]:
    """Yield every figure and text that no format may omit."""
    for _, node in walk(tree.nodes):
        if isinstance(node, FactList):
            yield from ((one.figure, one.value) for one in node.facts)
        elif isinstance(node, DataTable):
            yield from (
                found for found in cells(node) if not (found[0].decoration or found[0].hidden)
            )


def parts_of(figure: Figure, value: Value) -> list[str]:
    """Return a value as it is shown; each of several clauses or lines is looked for by itself."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return shown(figure, value).split("\n")
    return list(value)


def words_of_format(tree: Tree, form: str, folder: Path) -> str:
    """Return the words of a document in a format for people, without blanks."""
    if form == "text":
        # Cells of a row do not wrap on a page this wide, so each is in one piece.
        return squeezed(text(tree, _WIDEST))
    content = written(tree, form)
    if form == "html":
        page = content.decode()
        body = page[page.index("<body>") :]
        # A chart repeats what a table has.
        body = re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL)
        return squeezed(html.unescape(re.sub(r"<[^>]*>", "", body)))
    path = folder / "document.pdf"
    path.write_bytes(content)
    told = subprocess.run(  # noqa: S603  (our own file)
        ["pdftotext", "-raw", str(path), "-"],  # noqa: S607
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    return squeezed(told)


def missing_from_words(tree: Tree, words: str) -> list[str]:
    """Return the figures and sentences that a text does not contain as often as the tree."""
    wanted = Counter(
        squeezed(part)
        for figure, value in figures_of(tree)
        for part in parts_of(figure, value)
        if squeezed(part)
    )
    lost = [
        part
        for part, number in wanted.items()
        if words.count(part) < number and not _is_parted(part, words)
    ]
    return lost + [one for one in sentences_of(tree) if squeezed(one) not in words]


def _is_parted(part: str, words: str) -> bool:
    """Return whether a long text is there in two pieces, on two pages."""
    return len(part) > _LONG and any(
        part[:at] in words and part[at:] in words for at in range(4, len(part) - 4)
    )


def is_seen(section: Section) -> bool:
    """Return whether a section has anything but decoration."""
    return any(not isinstance(one, Chart | Picture | SignatureLines) for one in section.nodes)


def missing_from_cells(tree: Tree, texts: set[str], numbers: Sequence[float]) -> list[str]:
    """Return the figures that no cell of a workbook has as a number, or as text."""
    ordered = sorted(numbers)
    lost = []
    for figure, value in figures_of(tree):
        lost += [
            f"{figure.id} {value}"
            for wanted in _plain(figure, value)
            if not (
                wanted in texts
                if isinstance(wanted, str)
                else any(abs(one - wanted) <= 1e-9 * max(1, abs(wanted)) for one in ordered)
            )
        ]
    # A section of tables alone is a page, or several.
    pages = {
        node.title
        for _, node in walk(tree.nodes)
        if isinstance(node, Section) and all(isinstance(one, DataTable) for one in node.nodes)
    }
    said = {*sentences_of(tree)} - pages
    return lost + [one for one in said if not any(one in text for text in texts)]


def _plain(figure: Figure, value: Value) -> list[str | float]:
    if value is None or value == "":
        return []
    if figure.unit == "pays" and isinstance(value, str):
        net = net_of(value)
        return [float(net.numerator), float(net.denominator)]
    if figure.unit == "ways":
        return (
            [] if figure.id == "sheet_ways" else [float(n) for n in divmod(int(str(value)), 10**9)]
        )
    if isinstance(value, str):
        return [value]
    if isinstance(value, Sequence):
        return [", ".join(value) or "none"]
    return [float(value) / (100 if figure.unit == "cents" else 1)]


def cells_of_workbook(tree: Tree, folder: Path) -> tuple[set[str], list[float]]:
    """Return the texts and the numbers of a workbook."""
    path = folder / "document.xlsx"
    path.write_bytes(written(tree, "xlsx"))
    every: list[object] = [cell for page in cells_of(path).values() for row in page for cell in row]
    texts = {one for one in every if isinstance(one, str) and one}
    # The name of a page stands for the title of a section that has nothing but a table.
    return texts | set(cells_of(path)), [
        float(one) for one in every if isinstance(one, int | float)
    ]


def missing_from_csv(tree: Tree) -> list[str]:
    """Return the figures and sentences that no cell of the CSV has, exactly."""
    rows = list(csv.DictReader(io.StringIO(written(tree, "csv").decode())))
    texts = {cell for row in rows for cell in row.values() if cell}
    texts |= {cell.removeprefix("'") for cell in texts}
    lost = []
    for figure, value in figures_of(tree):
        # What identifies the document is in every row, part by part.
        if value is None or value in ("", []) or figure.id in tree.names:
            continue
        column = {row.get(figure.id) for row in rows}
        wanted = _exact(value)
        in_column = wanted in column or any(wanted in (one or "") for one in column)
        if not in_column and wanted not in texts and not any(wanted in one for one in texts):
            lost.append(f"{figure.id} {wanted}")
    named = {one.title for _, one in walk(tree.nodes) if isinstance(one, Section)}
    said = {*sentences_of(tree)} - named - {tree.title, tree.about}
    return lost + [one for one in said if not any(one in text for text in texts)]


def _exact(value: Value) -> str:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float) and abs(value) > 1e-6:
        return str(round(value, 12))
    if isinstance(value, str) or not isinstance(value, Sequence):
        return str(value)
    return " ".join(value)


def numbers_of(
    document: Mapping[str, Any] | list[Any], above: str = ""
) -> Iterator[tuple[str, Fraction]]:
    """Yield every number of a document with its path; fractions and counts in text are numbers."""
    pairs = document.items() if isinstance(document, Mapping) else enumerate(document)
    for key, value in pairs:
        path = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping | list):
            yield from numbers_of(value, path)
        elif isinstance(value, str):
            if re.fullmatch(r"-?\d+(/\d+)?", value):
                yield path, Fraction(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield path, Fraction(value)
