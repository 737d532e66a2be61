"""Table logs that tests write: begun, recorded to, and closed whatever the table's phase is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.records.log import begin_log
from croupier.records.recorder import Recorder
from croupier.rules import TableRules


@contextmanager
def recorded(
    path: Path, rules: TableRules, *, shuffle: str = "given", replace: bool = True
) -> Iterator[Recorder]:
    """Begin a log and close it at the end, even if its table is still open."""
    recorder, stream = begin_log(path, rules, shuffle=shuffle, replace=replace)
    try:
        yield recorder
        recorder.finish()
    finally:
        stream.close()
