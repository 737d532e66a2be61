"""JSON Schemas of the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.records.checkpoints import checkpoint
from croupier.records.documents import answer_of_run, table_log
from croupier.records.heads import heads_line
from croupier.records.json_schema import Schema
from croupier.records.submission_schema import rules_submission
from croupier.records.trust import trust_file
from croupier.records.view.documents import acts_seen, entry_seen, table_seen

SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "table-log": table_log,
    "checkpoint": checkpoint,
    "heads": heads_line,
    "trust": trust_file,
    "run-answer": answer_of_run,
    "table-view": table_seen,
    "entry-view": entry_seen,
    "acts-view": acts_seen,
    "rules-submission": rules_submission,
}
"""Schemas by name."""
