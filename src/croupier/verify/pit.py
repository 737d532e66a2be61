"""Comparison of a table log with other logs of the pit or the licensee.

A table departs from another one if it begins a round or shuffles after the other one adopted an
election that both must share. A round already wagered on may be completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct, field

from croupier import acts
from croupier.law.elect import ErrorDetail
from croupier.records.header import LogError
from croupier.records.reader import LogReader
from croupier.rules import TableRules, pit_errors
from croupier.table.elections.election_changes import rules_after
from croupier.verify.verdict import LogFinding

_SHUFFLE: Final = "shuffle."


class _Moment(NamedTuple):
    at: datetime
    order: int
    table: int
    events: tuple[acts.Event, ...]


class _Table(Struct):
    rules: TableRules
    is_open: bool = False
    since: dict[str, datetime] = field(default_factory=dict)
    begun: datetime | None = None
    rounds: int = 0

    def follow(self, at: datetime, event: acts.Event) -> None:
        match event:
            case acts.TableOpened():
                self.is_open = True
                self.since = dict.fromkeys(self.rules.settled, at)
            case acts.TableClosed():
                self.is_open = False
            case acts.ElectionsAdopted():
                before = self.rules.settled
                self.rules = rules_after(self.rules, (event,))
                after = self.rules.settled
                for rule_id in before.keys() | after.keys():
                    if before.get(rule_id) != after.get(rule_id):
                        self.since[rule_id] = at
            case acts.WagerPlaced() | acts.WagersPlaced():
                self.begun = self.begun or at
            case acts.LayoutCleared():
                self.begun = None
            case acts.NoMoreBetsCalled(round=number):
                self.rounds = number


def departures_beside(log: Path, others: Iterable[Path]) -> tuple[LogFinding, ...]:
    """Departures from elections adopted under the licensee's other logs. Raises ``LogError``."""
    tables: list[_Table] = []
    moments: list[_Moment] = []
    for place, path in enumerate((log, *others)):
        reader = LogReader(path)
        if reader.is_broken:
            fault = reader.data()["faults"][0]
            raise LogError(f"{path}:{fault['line']}: this record was changed: {fault['message']}")
        tables.append(_Table(reader.header.rules))
        moments += (
            _Moment(datetime.fromisoformat(entry.at), order, place, entry.events)
            for order, entry in reader.entries()
            if entry.events
        )
    found: dict[str, LogFinding] = {}
    for moment in sorted(moments):
        table = tables[moment.table]
        for event in moment.events:
            table.follow(moment.at, event)
            if moment.table == 0 and isinstance(event, acts.NoMoreBetsCalled | acts.CardsShuffled):
                for error in _departures(table, tables[1:], moment.at, event):
                    found.setdefault(error.where, _finding(table, error))
    return tuple(found.values())


def _departures(
    table: _Table, others: Iterable[_Table], at: datetime, event: acts.Event
) -> Iterator[ErrorDetail]:
    shuffles = isinstance(event, acts.CardsShuffled)
    begun = at if shuffles else (table.begun or at)
    for other in others:
        if not other.is_open:
            continue
        in_pit = other.rules.submission.layout.pit == table.rules.submission.layout.pit
        pair = [table.rules, other.rules]
        for error in pit_errors(pair, across=None if in_pit else "licensee"):
            own, theirs = table.since.get(error.where), other.since.get(error.where)
            is_older = own is None or theirs is None or own <= theirs
            if error.where.startswith(_SHUFFLE) == shuffles and is_older and (theirs or at) < begun:
                yield error


def _finding(table: _Table, error: ErrorDetail) -> LogFinding:
    law = f" [{', '.join(error.clauses)}]" if error.clauses else ""
    return LogFinding(table.rounds, "pit", f"{error.where}: {error.message}{law}", fails=True)
