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
        if (at := entry.after.at) is not None:
            first, _, keys = self._read.get(table, (at, at, set()))
            self._read[table] = first, at, keys
            if isinstance(entry.command, ReadMeters):
                keys.add(entry.stamp.key or "")
        if isinstance(entry.command, ReadMeters):
            yield from self._misread(table, entry.command, entry.stamp.key or "")
        for moved in meters_moved(table, stream, entry):
            number, taken = self._moves.pop((stream, moved.entry, moved.link), (0, None))
            if taken is None:
                yield f"no entry of the pit took over what it did to the meters of {moved.link}"
                continue
            self._found[number] = moved
            if taken != moved:
                yield (
                    f"entry {number} of the pit says otherwise what it did to the meters of"
                    f" {moved.link}: {'; '.join(_differing(taken, moved))}"
                )

    def _misread(self, table: str, command: ReadMeters, key: str) -> Iterator[str]:
        number = ordered_by(key)
        step = self._steps.get(number)
        if step is None:
            yield "it read linked meters of which no entry of the pit is named"
            return
        link = step.after.state.links_of(table).get(command.link)
        shown = None if link is None else link.shown
        if not command.link:
            shown = next(
                (event.shown for event in step.events
                 if isinstance(event, MetersUnlinked) and event.table == table), None,
            )  # fmt: skip
        if command.shown != shown:
            yield f"it read other meters than they were by entry {number} of the pit"

    def missing(self) -> Iterator[tuple[str, int, str]]:
        """Yield table, entry and message of pit entries missing from the tables' records."""
        for (stream, entry, link), (number, _) in self._moves.items():
            table, last = self._ends.get(stream, ("", -1))
            if entry <= last:
                message = f"it did not move the meters of {link}, as entry {number} of the pit says"
                yield table, entry, message
        for table, (first, last_at, keys) in self._read.items():
            for number, step in self._steps.items():
                command, at = step.command, step.after.at
                named = (isinstance(command, LinkMeters) and table in command.tables) or (
                    isinstance(command, UnlinkMeters) and table == command.table
                )
                if named and at is not None and first <= at < last_at:
                    if f"pit-{number}" in keys:
                        continue
                    message = f"it did not read linked meters, as entry {number} of the pit ordered"
                    yield table, 0, message

    def reckoned(self) -> dict[str, dict[str, int]]:
        """Recalculated meters of every link, in cents."""
        shown: dict[str, dict[str, int]] = {}
        for number, step in self._steps.items():
            for event in step.events:
                if isinstance(event, MetersLinked):
                    shown[event.link] = dict(event.shown)
            command = step.command
            if isinstance(command, MoveMeters):
                moved = self._found.get(number, command)
                meters = shown[command.link]
                for meter in meters:
                    meters[meter] += moved.added.get(meter, 0) + moved.seeded.get(meter, 0)
                    meters[meter] -= moved.awarded.get(meter, 0)
            elif isinstance(command, UnlinkMeters) and command.link not in step.after.state.links:
                del shown[command.link]
        return shown


def _differing(taken: MoveMeters, moved: MoveMeters) -> Iterator[str]:
    for name in ("read", "added", "awarded", "seeded"):
        theirs, its = getattr(taken, name), getattr(moved, name)
        for meter in sorted(theirs.keys() | its.keys()):
            if theirs.get(meter, 0) != its.get(meter, 0):
                said, found = money(theirs.get(meter, 0)), money(its.get(meter, 0))
                yield f"{meter} {name} {said}, by the table's record {found}"
    if taken.table != moved.table:
        yield f"table {taken.table}"
