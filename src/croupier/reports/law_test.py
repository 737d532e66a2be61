"""The result of playing scenarios of a regulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.reports.catalog import CLAUSES
from croupier.reports.provenance import document
from croupier.reports.tree import (
    Bullets,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Figure,
    Node,
    Section,
    Tree,
)

_COLUMNS = (
    Figure("scenario", "Scenario", "word"),
    CLAUSES,
    Figure("result", "Result", "word"),
)


def law_test_tree(found: Mapping[str, Any]) -> Tree:
    """Return passed scenarios, differences, and what no scenario covers."""
    failed = [one for one in found["scenarios"] if one["result"] == "fail"]
    count = found["passed"] + found["failed"]
    parts: list[Node] = [
        Conclusion(
            f"{'PASS' if not failed else 'FAIL'} {found['passed']}/{count}",
            not failed,
            wrong=[
                f"{one['file']}:{one['line']}: {one['id']}: {difference}"
                for one in failed
                for difference in one["differences"]
            ],
        ),
        FactList([
            FactItem(Figure("passed", "Passed", "count"), found["passed"]),
            FactItem(Figure("failed", "Failed", "count"), found["failed"]),
            FactItem(Figure("pending", "Pending", "count"), found["pending"]),
        ]),
        DataTable(_COLUMNS, [
            (one["id"], one["clauses"], one["result"])
            for one in found["scenarios"]
        ], "Scenarios"),
        *(
            Section(f"Not covered by a scenario: {one['law']}", [
                Bullets([*one["clauses"], *one["choices"]] or ["nothing"])
            ])
            for one in found["untested"]
        ),
    ]  # fmt: skip
    if found["mutants"]:
        survived = [one for one in found["mutants"] if one["noticed_by"] is None]
        noticed = len(found["mutants"]) - len(survived)
        parts.append(
            Section(
                "Changed values",
                [
                    Conclusion(
                        f"{noticed} of {len(found['mutants'])} changed values are noticed",
                        not survived,
                        wrong=[
                            f"{one['rule']}: no scenario notices {one['changed']} instead of "
                            f"{one['value']}"
                            for one in survived
                        ],
                    )
                ],
            )
        )
    return document(
        "Scenarios of a regulation",
        found,
        *parts,
        about=f"{count} {'scenario' if count == 1 else 'scenarios'}",
    )
