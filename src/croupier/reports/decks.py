"""The life of sets of decks, as recorded in table logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.reports.audit import counted
from croupier.reports.provenance import document
from croupier.reports.tree import Conclusion, DataTable, Figure, Node, Tree

_SETS: Final = (
    Figure("set", "Set"),
    Figure("tables", "Tables"),
    Figure("cards", "Cards", "count"),
    Figure("shoes", "Shoes", "count"),
    Figure("status", "Status"),
    Figure("envelope", "Envelope", "word"),
    Figure("ordered_by", "Ordered off by"),
    Figure("gaps", "Gaps", "count"),
)
_GAPS: Final = (
    Figure("set", "Set"),
    Figure("gap", "Gap", "word"),
    Figure("says", "Says"),
    Figure("table", "Table", "word"),
    Figure("entry", "Entry", "count"),
)
_STEPS: Final = (
    Figure("set", "Set"),
    Figure("table", "Table", "word"),
    Figure("gaming_date", "Day", "word"),
    Figure("at", "Time (UTC)", "word"),
    Figure("entry", "Entry", "count"),
    Figure("says", "Recorded"),
    Figure("persons", "By"),
    Figure("clauses", "Clauses", "clauses"),
)


def decks_tree(found: Mapping[str, Any]) -> Tree:
    sets = found["sets"]
    gaps = [{"set": one["set"], **gap} for one in sets for gap in one["gaps"]]
    of = counted(len(sets), "set")
    says = f"{counted(len(gaps), 'gap')} in the record of {of}" if gaps else "No set has a gap"
    nodes: list[Node] = [Conclusion(f"{says}.", passes=not gaps)]
    if gaps:
        nodes.append(DataTable(_GAPS, [_row(_GAPS, one) for one in gaps], "Gaps"))
    rows = [_row(_SETS, {**one, "gaps": len(one["gaps"])}) for one in sets]
    nodes.append(DataTable(_SETS, rows, "Sets"))
    steps = [
        {"set": one["set"], **step, "at": step["at"][11:19]} for one in sets for step in one["life"]
    ]
    nodes.append(DataTable(_STEPS, [_row(_STEPS, one) for one in steps], "Life of each set"))
    return document("Sets of decks", found, *nodes, about=f"{of} of decks")


def _row(columns: tuple[Figure, ...], of: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        "; ".join(of[one.id]) if one.unit == "text" and isinstance(of[one.id], list) else of[one.id]
        for one in columns
    )
