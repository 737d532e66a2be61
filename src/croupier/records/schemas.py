"""JSON Schemas of the records: a line of a table log, an answer of a run, a rules submission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.json_schema import Schema
from croupier.records.documents import answer_of_run, table_log
from croupier.records.submission_schema import rules_submission

__all__ = ["SCHEMAS"]

SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "table-log": table_log,
    "run-answer": answer_of_run,
    "rules-submission": rules_submission,
}
"""Every schema, by the name under which it is asked for."""
