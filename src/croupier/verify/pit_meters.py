"""Verification of linked meters in the records of a pit and its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from croupier.acts import ReadMeters
from croupier.law.usage import money
from croupier.records.pit_log import meters_moved, ordered_by
from croupier.table.machine.position import Proposal
from croupier.table.pit import (
    LinkMeters,
    MetersLinked,
    MetersUnlinked,
    MoveMeters,
    PitProposal,
    UnlinkMeters,
)

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
