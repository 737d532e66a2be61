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
    failed = [scenario for scenario in found["scenarios"] if scenario["result"] == "fail"]
    count = found["passed"] + found["failed"]
    parts: list[Node] = [
        Conclusion(
            f"{'PASS' if not failed else 'FAIL'} {found['passed']}/{count}",
            not failed,
            wrong=[
                f"{scenario['file']}:{scenario['line']}: {scenario['id']}: {difference}"
                for scenario in failed
                for difference in scenario["differences"]
            ],
        ),
        FactList([
            FactItem(Figure("passed", "Passed", "count"), found["passed"]),
            FactItem(Figure("failed", "Failed", "count"), found["failed"]),
            FactItem(Figure("pending", "Pending", "count"), found["pending"]),
        ]),
        DataTable(_COLUMNS, [
            (scenario["id"], scenario["clauses"], scenario["result"])
            for scenario in found["scenarios"]
        ], "Scenarios"),
        *(
            Section(f"Not covered by a scenario: {law['law']}", [
                Bullets([*law["clauses"], *law["choices"]] or ["nothing"])
            ])
            for law in found["untested"]
        ),
    ]  # fmt: skip
    if found["mutants"]:
        survived = [mutant for mutant in found["mutants"] if mutant["noticed_by"] is None]
        noticed = len(found["mutants"]) - len(survived)
        parts.append(
            Section(
                "Changed values",
                [
                    Conclusion(
                        f"{noticed} of {len(found['mutants'])} changed values are noticed",
                        not survived,
                        wrong=[
                            f"{mutant['rule']}: no scenario notices {mutant['changed']} instead of "
                            f"{mutant['value']}"
                            for mutant in survived
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
