"""Result files in JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import Final

from croupier.drills.documents import DrillBoxes, DrillLearners, DrillResults
from croupier.files.text import safe_cell

_COLUMNS: Final = (
    "student", "paper", "rules_hash", "seed", "question", "kind", "level", "is_right", "seconds",
    "field", "given", "right", "field_is_right", "clauses",
)  # fmt: skip


def written_results(results: DrillResults, form: str) -> bytes:
    """Results as ``json``, or as ``csv`` by field."""
    if form == "json":
        return f"{json.dumps(results, indent=2, ensure_ascii=False)}\n".encode()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    head = (results["student"], results["paper"], results["rules_hash"], results["seed"])
    for one in results["questions"]:
        about = (one["number"], one["kind"], one["level"], _yes(right=one["is_right"]))
        for part in one["fields"]:
            writer.writerow(map(safe_cell, (
                *head, *about, one["seconds"], part["name"], part["given"], part["right"],
                _yes(right=part["is_right"]), " ".join(one["clauses"]),
            )))  # fmt: skip
    return out.getvalue().encode()


def written_progress(kept: DrillBoxes | DrillLearners, student: str, form: str) -> bytes:
    """Spaced repetition as ``json``, or as ``csv`` by clause."""
    if form == "json":
        return f"{json.dumps(kept, indent=2, ensure_ascii=False)}\n".encode()
    several = (
        [(learner["student"], learner["laws"]) for learner in kept["learners"]]
        if kept["format"] == "croupier-drill-learners/1"
        else [(student, kept["laws"])]
    )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("student", "regulation", "clause", "box", "due"))
    writer.writerows(
        map(safe_cell, (who, law, clause, spaced_clause["box"], spaced_clause["due"]))
        for who, laws in several
        for law, clauses in laws.items()
        for clause, spaced_clause in clauses.items()
    )
    return out.getvalue().encode()


def _yes(*, right: bool) -> str:
    return "yes" if right else "no"
