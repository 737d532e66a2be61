"""A document as a tree of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import Struct

from croupier.law.usage import money
from croupier.reports.charts import Bar, Segment
from croupier.reports.figures import grouped, percent, visible

Unit = Literal[
    "text", "word", "clauses",
    "percent", "number", "count", "cents", "gain", "ways", "pays", "chance", "p",
]  # fmt: skip
"""``word`` is text that does not wrap; ``clauses`` are several ids.

``cents`` are written in dollars; a ``gain`` is added if positive; ``ways`` may be too
large for a float; ``pays`` is what a line pays, such as 19:20; ``chance`` is a probability, 1 in N.
"""

WORDS: Final = frozenset({"text", "word", "clauses"})
"""The units of words, aligned at the left."""

Value = str | int | float | Fraction | Sequence[str] | None


class Figure(Struct, frozen=True):
    """One kind of figure.

    ``formula`` refers to cells of the row as ``{other_id}``, to the table's total as
    ``{other_id.total}``, and to detail rows as ``{page:other_id}``. ``decoration`` marks another
    notation; a ``hidden`` figure is in CSV and workbooks alone, and an ``exact`` one in the annex
    of a page.
    """

    id: str
    title: str
    unit: Unit = "text"
    digits: int | None = 4
    signed: bool = False
    formula: str = ""
    decoration: bool = False
    hidden: bool = False
    exact: bool = False


def shown(figure: Figure, value: Value) -> str:
    """Value as people see it in every format; text in place of a figure is unchanged.

    >>> edge = Figure("house_edge", "House edge", "percent")
    >>> shown(edge, Fraction(1, 80)), shown(edge, "not offered"), shown(edge, None)
    ('1.2500%', 'not offered', '')
    >>> shown(Figure("shoe", "Shoe", "word"), 12)
    '12'
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return grouped(value) if figure.unit == "ways" else visible(value)
    if isinstance(value, Sequence):
        return ", ".join(map(visible, value)) or "none"
    return str(value) if figure.unit in WORDS else _number(figure, value)


def _number(figure: Figure, value: float | Fraction) -> str:
    sign = "+" if figure.signed and value > 0 else ""
    match figure.unit:
        case "percent":
            return sign + percent(Fraction(value), figure.digits or 0)
        case "gain":
            edge = percent(Fraction(value))
            return f"add (+{edge})" if value > 0 else f"take ({edge})"
        case "cents":
            return sign + money(round(value))
        case "count" | "ways":
            return f"{sign}{value:,}"
        case "chance":
            return f"1 in {grouped(round(1 / value))}" if value else "never"
        case "p":
            return f"{float(value):.4f}" if value >= _LEAST_P else f"<{_LEAST_P}"
    digits = "g" if figure.digits is None else f",.{figure.digits}f"
    return f"{float(value):{sign}{digits}}"


_LEAST_P: Final = 0.0001


class Cell(Struct, frozen=True):
    """A value with a figure other than its column's."""

    value: Value
    figure: Figure


class FactItem(Struct, frozen=True):
    """A figure of the document; ``exact`` adds its fraction, ``note`` words."""

    figure: Figure
    value: Value
    note: str = ""
    exact: bool = False

    @property
    def fraction(self) -> str:
        """The exact fraction, if the item has one."""
        value = self.value if self.exact else None
        return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else ""


def words_of(fact: FactItem) -> str:
    """Return a fact's value with its fraction and note."""
    fraction = f" = {fact.fraction}" if fact.fraction else ""
    note = f", {visible(fact.note)}" if fact.note else ""
    return f"{shown(fact.figure, fact.value)}{fraction}{note}"


class FactList(Struct, frozen=True):
    """Names with values; ``repeats`` is the table that repeats them."""

    facts: Sequence[FactItem]
    repeats: str = ""


class Drawn(Struct, frozen=True):
    """A decorative bar chart of columns, side by side or stacked."""

    figures: Sequence[str]
    title: str = ""
    stacked: bool = False


class DataTable(Struct, frozen=True):
    """Rows of figures.

    ``page`` is a workbook page, shared by tables with the same columns; ``of`` names each in a
    first column. ``checks`` adds a page that compares a spreadsheet's results with exact values. If
    ``rows_link``, each row links to the section that its first cell names.
    """

    columns: Sequence[Figure]
    rows: Sequence[Sequence[Value | Cell]]
    title: str = ""
    page: str = ""
    foot: Sequence[Value | Cell] = ()
    of: FactItem | None = None
    drawn: Sequence[Drawn] = ()
    checks: bool = False
    rows_link: bool = False


class Note(Struct, frozen=True):
    """A paragraph: plain, an explanation of figures, or a warning."""

    text: str
    kind: Literal["plain", "meaning", "warning"] = "plain"


class Bullets(Struct, frozen=True):
    items: Sequence[str]


class Conclusion(Struct, frozen=True):
    says: str
    passes: bool
    more: Sequence[str] = ()
    wrong: Sequence[str] = ()


class Chart(Struct, frozen=True):
    """Decorative bars, or the segments of a stacked bar."""

    title: str
    items: Sequence[Bar] | Sequence[Segment]


Medium = Literal["screen", "paper"]


class Picture(Struct, frozen=True):
    """Decorative SVG drawings with alternative text, made for a font and a medium."""

    draw: Callable[[str, Medium], Sequence[str]]
    alt: str
    caption: str
    style: str = ""


class SignatureLines(Struct, frozen=True):
    """Lines to fill in by hand, decoration."""

    names: Sequence[str]
    parts: Sequence[str] = ("Name", "Title", "Signature", "Date")


class Choices(Struct, frozen=True):
    """A question's field with lettered choices."""

    label: str
    takes: str
    choices: Sequence[tuple[str, str]] = ()
    ticked: bool = False


class Section(Struct, frozen=True):
    """A heading and its contents; ``together`` avoids a page break."""

    title: str
    nodes: Sequence[Node]
    together: bool = True


Node = (
    Section | FactList | DataTable | Note | Bullets | Conclusion | Choices
    | Chart | Picture | SignatureLines
)  # fmt: skip


class Tree(Struct, frozen=True):
    """A document, with ``names`` in every CSV row; ``about`` is its subtitle.

    Its type has a size of ``points`` in print.
    """

    title: str
    about: str
    nodes: Sequence[Node]
    names: Mapping[str, str]
    rules_hash: str = ""
    points: int = 10


def walk(nodes: Sequence[Node], sections: tuple[str, ...] = ()) -> Iterator[tuple[str, Node]]:
    """Yield every node with its section's title, sections first."""
    for node in nodes:
        yield sections[-1] if sections else "", node
        if isinstance(node, Section):
            yield from walk(node.nodes, (*sections, node.title))


_MEASURED: Final = frozenset({"percent", "number", "cents", "gain", "chance"})
"""Units whose values are fractions as text in a document."""


def row(
    columns: Sequence[Figure], data: Mapping[str, Any], **others: Value | Cell
) -> list[Value | Cell]:
    """Values of figures by their ids, from ``others``, or else from a record.

    >>> columns = [Figure("wager", "Wager"), Figure("edge", "Edge", "percent")]
    >>> row(columns, {"edge": "1/80"}, wager="Tie")
    ['Tie', Fraction(1, 80)]
    """
    return [others[one.id] if one.id in others else _measured(one, data[one.id]) for one in columns]


def _measured(figure: Figure, value: Value) -> Value:
    return Fraction(value) if isinstance(value, str) and figure.unit in _MEASURED else value
