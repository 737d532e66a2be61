"""Replay of a log by entry."""

from __future__ import annotations

from msgspec import Struct

from croupier import acts
from croupier.records.explanation import LoggedRound, ends_round
from croupier.records.reader import LogPart, LogReader, no_round
from croupier.table.machine.position import Position
from croupier.table.people.offices import Actor


class ReplayedEntry(Struct, frozen=True):
    sequence: int
    at: str
    by: tuple[Actor, ...]
    events: tuple[acts.Event, ...]
    before: Position
    after: Position


class ReplayedRound(Struct, frozen=True):
    """A round's entries, including those since the previous round."""

    number: int
    entries: tuple[ReplayedEntry, ...]

    @property
    def logged(self) -> LoggedRound:
        events = tuple(event for entry in self.entries for event in entry.events)
        return LoggedRound(self.number, events, self.entries[-1].before.rules)

    @property
    def decided(self) -> ReplayedEntry:
        """The entry that decides the round, before anything is collected."""
        for entry in self.entries:
            if any(isinstance(event, _SETTLES) for event in entry.events):
                at = self.entries.index(entry)
                return self.entries[max(at - 1, 0)]
        return self.entries[-1]


_SETTLES = (acts.LosingWagersCollected, acts.StakesReleased, acts.RoundVoided, acts.LayoutCleared)


def replayed_round(log: LogReader, number: int) -> ReplayedRound:
    """Replay a round. Raises ``LogError``."""
    last = 0
    for part in log.parts():
        found, last = _replayed(part, number)
        if found is not None:
            return found
    raise no_round(log, number, last)


def _replayed(part: LogPart, number: int) -> tuple[ReplayedRound | None, int]:
    gathered: list[ReplayedEntry] = []
    found, last = 0, 0
    for logged, step in part.steps():
        entry = ReplayedEntry(
            logged.head.seq, logged.head.at, step.stamp.by, step.events, step.before, step.after
        )
        if any(isinstance(event, (acts.ShoeLoaded, acts.TableOpened)) for event in entry.events):
            gathered.clear()
        gathered.append(entry)
        for event in entry.events:
            if isinstance(event, acts.NoMoreBetsCalled):
                found = event.round
        if any(map(ends_round, entry.events)):
            if found == number:
                return ReplayedRound(number, tuple(gathered)), last
            last = found
            gathered.clear()
    return None, last
