"""The charts of a table as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from croupier.reports.charts import WIDTH, Bar, Segment, bars, stack
from croupier.reports.tree import Cell, Chart, DataTable, Figure, shown

_MOST_BARS: Final = 40


def charts_of(table: DataTable) -> list[Chart]:
    """Return a table's charts; a stacked one is for workbooks only."""
    if len(table.rows) > _MOST_BARS:
        return []
    titles = [column.id for column in table.columns]
    found = []
    for drawing in table.drawn:
        if drawing.stacked:
            continue
        at = titles.index(drawing.figures[0])
        items = list(_bars(table, at))
        found += [Chart(drawing.title or table.columns[at].title, items)] if items else []
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
