"""Comparison of a table log with other logs of the pit or the licensee.

A table departs from another one if it begins a round or shuffles after the other one adopted an
election that both must share. A round already wagered on may be completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct, field

from croupier import acts
from croupier.acts import ReadMeters
from croupier.law.elect import ErrorDetail
from croupier.law.usage import money
from croupier.records.header import LogError
from croupier.records.pit_log import meters_moved, ordered_by
from croupier.records.reader import LogReader
from croupier.rules import TableRules, pit_errors
from croupier.table.elections.election_changes import rules_after
from croupier.table.machine.position import Proposal
from croupier.table.pit import (
    LinkMeters,
    MetersLinked,
    MetersUnlinked,
    MoveMeters,
    PitProposal,
    UnlinkMeters,
)
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

    def follow(self, time: datetime, event: acts.Event) -> None:
        match event:
            case acts.TableOpened():
                self.is_open = True
                self.since = dict.fromkeys(self.rules.settled, time)
            case acts.TableClosed():
                self.is_open = False
            case acts.ElectionsAdopted():
                rules_before = self.rules.settled
                self.rules = rules_after(self.rules, (event,))
                rules_now = self.rules.settled
                for rule_id in rules_before.keys() | rules_now.keys():
                    if rules_before.get(rule_id) != rules_now.get(rule_id):
                        self.since[rule_id] = time
            case acts.WagerPlaced() | acts.WagersPlaced():
                self.begun = self.begun or time
            case acts.LayoutCleared():
                self.begun = None
            case acts.NoMoreBetsCalled(round=number):
                self.rounds = number


def departures_beside(log: Path, logs: Iterable[Path]) -> tuple[LogFinding, ...]:
    """Departures from elections adopted under the licensee's other logs. Raises ``LogError``."""
    tables: list[_Table] = []
    moments: list[_Moment] = []
    for place, path in enumerate((log, *logs)):
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
    findings: dict[str, LogFinding] = {}
    for moment in sorted(moments):
        table = tables[moment.table]
        for event in moment.events:
            table.follow(moment.at, event)
            if moment.table == 0 and isinstance(event, acts.NoMoreBetsCalled | acts.CardsShuffled):
                for error in _departures(table, tables[1:], moment.at, event):
                    findings.setdefault(error.where, _finding(table, error))
    return tuple(findings.values())


def _departures(
    table: _Table, tables: Iterable[_Table], at: datetime, event: acts.Event
) -> Iterator[ErrorDetail]:
    shuffles = isinstance(event, acts.CardsShuffled)
    start = at if shuffles else (table.begun or at)
    for table_beside in tables:
        if not table_beside.is_open:
            continue
        is_in_pit = table_beside.rules.submission.layout.pit == table.rules.submission.layout.pit
        pair = [table.rules, table_beside.rules]
        for error in pit_errors(pair, across=None if is_in_pit else "licensee"):
            since, theirs = table.since.get(error.where), table_beside.since.get(error.where)
            is_older = since is None or theirs is None or since <= theirs
            if error.where.startswith(_SHUFFLE) == shuffles and is_older and (theirs or at) < start:
                yield error


def _finding(table: _Table, error: ErrorDetail) -> LogFinding:
    law = f" [{', '.join(error.clauses)}]" if error.clauses else ""
    return LogFinding(table.rounds, "pit", f"{error.where}: {error.message}{law}", fails=True)


Step = tuple[int, MoveMeters]


class LinkedMeters:
    def __init__(self, steps: Mapping[int, PitProposal]) -> None:
        self._steps: Final = steps
        self._moves: Final[dict[tuple[str, int, str], Step]] = {}
        for number, step in steps.items():
            if isinstance(step.command, MoveMeters):
                command = step.command
                place = command.stream, command.entry, command.link
                self._moves[place] = number, command
        self._found: Final[dict[int, MoveMeters]] = {}
        """Meter movements in the tables' records, by the pit entry that they belong to."""
        self._ends: Final[dict[str, tuple[str, int]]] = {}
        """Table and last entry of each record."""
        self._read: Final[dict[str, tuple[datetime, datetime, set[str]]]] = {}
        """Start and end times of each table's records, and the keys of its readings."""

    def judge(self, table: str, stream: str, entry: Proposal) -> Iterator[str]:
        self._ends[stream] = table, entry.after.sequence
        if (time := entry.after.at) is not None:
            start, _, keys = self._read.get(table, (time, time, set()))
            self._read[table] = start, time, keys
            if isinstance(entry.command, ReadMeters):
                keys.add(entry.stamp.key or "")
        if isinstance(entry.command, ReadMeters):
            yield from self._misread(table, entry.command, entry.stamp.key or "")
        for moves in meters_moved(table, stream, entry):
            number, entry_moves = self._moves.pop((stream, moves.entry, moves.link), (0, None))
            if entry_moves is None:
                yield f"no entry of the pit took over what it did to the meters of {moves.link}"
                continue
            self._found[number] = moves
            if entry_moves != moves:
                yield (
                    f"entry {number} of the pit says otherwise what it did to the meters of"
                    f" {moves.link}: {'; '.join(_differences(entry_moves, moves))}"
                )

    def _misread(self, table: str, command: ReadMeters, key: str) -> Iterator[str]:
        number = ordered_by(key)
        step = self._steps.get(number)
        if step is None:
            yield "it read linked meters of which no entry of the pit is named"
            return
        link = step.after.state.links_of(table).get(command.link)
        amounts = None if link is None else link.shown
        if not command.link:
            amounts = next(
                (event.shown for event in step.events
                 if isinstance(event, MetersUnlinked) and event.table == table), None,
            )  # fmt: skip
        if command.shown != amounts:
            yield f"it read other meters than they were by entry {number} of the pit"

    def missing(self) -> Iterator[tuple[str, int, str]]:
        """Yield table, entry and message of pit entries missing from the tables' records."""
        for (stream, entry, link), (number, _) in self._moves.items():
            table, end = self._ends.get(stream, ("", -1))
            if entry <= end:
                message = f"it did not move the meters of {link}, as entry {number} of the pit says"
                yield table, entry, message
        for table, (start, end_time, keys) in self._read.items():
            for number, step in self._steps.items():
                command, time = step.command, step.after.at
                is_named = (isinstance(command, LinkMeters) and table in command.tables) or (
                    isinstance(command, UnlinkMeters) and table == command.table
                )
                if is_named and time is not None and start <= time < end_time:
                    if f"pit-{number}" in keys:
                        continue
                    message = f"it did not read linked meters, as entry {number} of the pit ordered"
                    yield table, 0, message

    def reckoned(self) -> dict[str, dict[str, int]]:
        """Recalculated meters of every link, in cents."""
        amounts: dict[str, dict[str, int]] = {}
        for number, step in self._steps.items():
            for event in step.events:
                if isinstance(event, MetersLinked):
                    amounts[event.link] = dict(event.shown)
            command = step.command
            if isinstance(command, MoveMeters):
                moves = self._found.get(number, command)
                meters = amounts[command.link]
                for meter in meters:
                    meters[meter] += moves.added.get(meter, 0) + moves.seeded.get(meter, 0)
                    meters[meter] -= moves.awarded.get(meter, 0)
            elif isinstance(command, UnlinkMeters) and command.link not in step.after.state.links:
                del amounts[command.link]
        return amounts


def _differences(entry_moves: MoveMeters, moves: MoveMeters) -> Iterator[str]:
    for name in ("read", "added", "awarded", "seeded"):
        entry_amounts, amounts = getattr(entry_moves, name), getattr(moves, name)
        for meter in sorted(entry_amounts.keys() | amounts.keys()):
            if entry_amounts.get(meter, 0) != amounts.get(meter, 0):
                entry_text, text = money(entry_amounts.get(meter, 0)), money(amounts.get(meter, 0))
                yield f"{meter} {name} {entry_text}, by the table's record {text}"
    if entry_moves.table != moves.table:
        yield f"table {entry_moves.table}"
