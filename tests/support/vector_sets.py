"""Sets of vectors for tests: made once for each submission, and read back from their bytes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from croupier.rules import read_submission, table_rules
from croupier.vectors.pack import Pack, RulesSource, pack

__all__ = ["made", "read"]


@cache
def made(submission: Path) -> Pack:
    """Return the vectors of a submission, which are made once."""
    rules = table_rules(read_submission(submission))
    return pack(rules, RulesSource(submission.name, submission.read_bytes()))


def read(submission: Path, topic: str) -> dict[str, Any]:
    """Return what stands in a file of a submission's vectors."""
    found: dict[str, Any] = json.loads(made(submission).files[f"{topic}.json"])
    return found
