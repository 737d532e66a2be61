"""A log entry by entry, with who gave each command, when, and what the table was after it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from croupier import acts
from croupier.records.codec import CodecError, decode_command, decode_event, from_json
from croupier.records.entry import is_last, unseal
from croupier.records.explanation import LoggedRound
from croupier.records.header import LogError, header_of
from croupier.records.log import LogLines
from croupier.table.machine.position import Position, advanced, at_moment
from croupier.table.people.offices import Actor


class ReplayedEntry(Struct, frozen=True):
    """One entry: when it was made, by whom, what happened, and the table before and after it."""

    sequence: int
    at: str
    by: tuple[Actor, ...]
    events: tuple[acts.Event, ...]
    before: Position
    after: Position


class ReplayedRound(Struct, frozen=True):
    """The entries of one round, from what happened since the round before."""

    number: int
    entries: tuple[ReplayedEntry, ...]

    @property
    def logged(self) -> LoggedRound:
        """The round as the explanation of its wagers reads it."""
        events = tuple(event for entry in self.entries for event in entry.events)
        return LoggedRound(self.number, events, self.entries[-1].before.rules)

    @property
    def decided(self) -> ReplayedEntry:
        """The entry after which the layout shows the round: before anything is collected."""
        for entry in self.entries:
            if any(isinstance(event, _SETTLES) for event in entry.events):
                at = self.entries.index(entry)
                return self.entries[max(at - 1, 0)]
        return self.entries[-1]


_SETTLES = (acts.LosingWagersCollected, acts.StakesReleased, acts.RoundVoided, acts.LayoutCleared)
"""What takes chips off the layout."""


def replayed_round(path: Path, number: int, table: str | None = None) -> ReplayedRound:
    """Return a round of a log, replayed. Raises ``LogError`` where there is none, or no log.

    ``table`` names the record in a store of several. What is recorded is taken as it is: whether
    it conforms to the rules is for the verification.
    """
    gathered: list[ReplayedEntry] = []
    found, last = 0, 0
    for entry in _replay(path, table):
        if any(isinstance(event, (acts.ShoeLoaded, acts.TableOpened)) for event in entry.events):
            gathered.clear()
        gathered.append(entry)
        for event in entry.events:
            if isinstance(event, acts.NoMoreBetsCalled):
                found = event.round
        over = any(
            (isinstance(event, acts.RoundVoided) and event.reshuffle)
            or (isinstance(event, acts.LayoutCleared) and not event.simulated)
            for event in entry.events
        )
        if over:
            if found == number:
                return ReplayedRound(number, tuple(gathered))
            last = found
            gathered.clear()
    raise LogError(f"{path}: there is no round {number}; the last one recorded is round {last}")


def _replay(path: Path, table: str | None) -> Iterator[ReplayedEntry]:
    position: Position | None = None
    for number, line in enumerate(LogLines(path, table), start=1):
        sealed = unseal(line)
        body = line if sealed is None else sealed[0]
        if position is None:
            position = header_of(path, body).opening
            continue
        try:
            entry = from_json(body)
            if is_last(entry):
                continue
            command = decode_command(entry["command"])
            events = tuple(decode_event(event) for event in entry["events"])
            by = tuple(Actor(**one) for one in entry["by"])
            before = at_moment(position, datetime.fromisoformat(entry["at"]))
            position = advanced(before, command, events, by)
            yield ReplayedEntry(entry["seq"], entry["at"], by, events, before, position)
        except (CodecError, LookupError, TypeError, ValueError) as error:
            raise LogError(f"{path}:{number}: not an entry of a table log: {error!r}") from error
