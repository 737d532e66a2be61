"""A tree as CSV."""

from __future__ import annotations

import csv as writing
import io
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from croupier.reports.figures import decimal, visible
from croupier.reports.tree import (
    Bullets,
    Cell,
    Choices,
    Conclusion,
    DataTable,
    FactList,
    Figure,
    Note,
    Tree,
    Value,
    walk,
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
    shown = visible(text)
    if _FIGURE.fullmatch(shown):
        return shown
    # Spreadsheets ignore spaces before the sign.
    risky = shown.startswith(_STARTS_A_FORMULA) or shown.lstrip().startswith(_STARTS_A_FORMULA)
    return f"'{shown}" if risky else shown


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
    about = {"part": harmless(table.page or table.title or section)}
    about |= {} if table.of is None else _cells([(table.of.figure, table.of.value)])
    for row in (*table.rows, *([table.foot] if table.foot else ())):
        yield about | _cells(list(zip(table.columns, row, strict=True)))


def _cells(row: Sequence[tuple[Figure, Value | Cell]]) -> Row:
    found: Row = {}
    for figure, given in row:
        value = given.value if isinstance(given, Cell) else given
        # Two facts of one kind, such as two limits, are one cell.
        before = f"{found[figure.id]} " if found.get(figure.id) else ""
        found[figure.id] = before + _cell(value)
        if isinstance(value, Fraction):
            found[f"{figure.id}_decimal"] = decimal(value, _PLACES)
    return found


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float):
        # As many places as an exact figure has; a smaller number keeps its digits.
        return str(round(value, _PLACES) if abs(value) > _SMALL else value)
    if isinstance(value, int):
        return str(value)
    return harmless(value if isinstance(value, str) else " ".join(value))
