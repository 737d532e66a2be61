"""Results as files for a school: JSON, and CSV with a row for each field."""

from __future__ import annotations

import csv
import io
import json
from typing import Final

from croupier.drills.documents import DrillResults

__all__ = ["written_results"]

_COLUMNS: Final = (
    "student", "paper", "rules_hash", "seed", "question", "kind", "level", "is_right", "seconds",
    "field", "given", "right", "field_is_right", "clauses",
)  # fmt: skip


def written_results(results: DrillResults, form: str) -> bytes:
    """Return results as ``json``, or as ``csv`` with a row for each field of each question."""
    if form == "json":
        return f"{json.dumps(results, indent=2, ensure_ascii=False)}\n".encode()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    head = (results["student"], results["paper"], results["rules_hash"], results["seed"])
    for one in results["questions"]:
        about = (one["number"], one["kind"], one["level"], _yes(right=one["is_right"]))
        for part in one["fields"]:
            writer.writerow((
                *head, *about, one["seconds"], part["name"], part["given"], part["right"],
                _yes(right=part["is_right"]), " ".join(one["clauses"]),
            ))  # fmt: skip
    return out.getvalue().encode()


def _yes(*, right: bool) -> str:
    return "yes" if right else "no"
