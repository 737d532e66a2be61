"""An examination of an installation, with advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.reports.document import document
from croupier.reports.tree import Conclusion, DataTable, Figure, Tree


def doctor_tree(data: Mapping[str, Any]) -> Tree:
    """Report on an installation, the advice first."""
    faults = [item for item in data["found"] if item["standing"] == "fault"]
    verdict = f"Faults: {len(faults)}" if faults else "No fault"
    columns = (
        Figure("area", "Area", "word"),
        Figure("name", "Examined"),
        Figure("standing", "Standing", "word"),
        Figure("found", "Found"),
    )
    rows = [tuple(item[column.id] for column in columns) for item in data["found"]]
    advice = [
        f"{one['area']}, {one['name']}: {one['advice']}"
        for one in (*faults, *(item for item in data["found"] if item["standing"] == "note"))
    ]
    conclusion = Conclusion(verdict, not faults, advice)
    return document(
        "Examination", data, conclusion, DataTable(columns, rows), about="This installation"
    )
