"""Table logs that tests write: begun, recorded to, and closed if the table is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.records.header import LogHeader
from croupier.records.log import begin_log, ended_log
from croupier.records.reader import LogReader
from croupier.records.recorder import Recorder
from croupier.rules import TableRules
from croupier.table.machine.position import Proposal
from croupier.table.machine.state import Phase


@contextmanager
def recorded(
    path: Path, rules: TableRules, *, shuffle: str = "given", replace: bool = True
) -> Iterator[Recorder]:
    """Begin a log; at the end it is closed with its table, or left open."""
    recorder, stream = begin_log(path, rules, shuffle=shuffle, replace=replace)
    try:
        yield recorder
        if ended_log(path).position.state.phase is Phase.CLOSED:
            recorder.finish()
    finally:
        stream.close()


def followed_log(path: Path) -> tuple[LogHeader, Iterator[Proposal]]:
    """Return the header of a log, whose chain must be intact, and its entries as steps."""
    log = LogReader(path)
    assert not log.is_broken
    return log.header, (step for _, step in log.steps())
