"""JSON Schemas of the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from croupier.records import heads
from croupier.records.checkpoints import Checkpoint, CheckpointOfFormat1
from croupier.records.documents import answer_of_run, table_log
from croupier.records.json_schema import Schema, schema_of
from croupier.records.submission_schema import rules_submission
from croupier.records.trust import trust_file
from croupier.records.view.documents import ActsSeen, EntrySeen, TableSeen

SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "table-log": table_log,
    "checkpoint": partial(schema_of, CheckpointOfFormat1 | Checkpoint, "croupier-checkpoint"),
    "heads": partial(schema_of, heads.HeadsLine, heads.FORMAT),
    "trust": trust_file,
    "run-answer": answer_of_run,
    "table-view": partial(schema_of, TableSeen),
    "entry-view": partial(schema_of, EntrySeen),
    "acts-view": partial(schema_of, ActsSeen),
    "rules-submission": rules_submission,
}
