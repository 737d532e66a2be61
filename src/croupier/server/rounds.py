"""What the record of a table says of its rounds: where each lies, and the results of the shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from croupier.baccarat.coup import Coup
from croupier.records.codec import read_events
from croupier.records.entry import entry_head, unseal
from croupier.roads import Result
from croupier.rules import TableRules
from croupier.table.core import Events
from croupier.table.events import LayoutCleared, ShoeLoaded

__all__ = ["RoundIndex", "events_of"]

_ENDS: Final = (b'"type":"LayoutCleared"', b'"type":"ShoeLoaded"')


def events_of(lines: Sequence[bytes]) -> Iterator[Events]:
    """Yield the events of each entry among lines of a record."""
    for line in lines:
        sealed = unseal(line)
        head = None if sealed is None else entry_head(sealed[0])
        if head is not None:
            yield read_events(head.events)


class RoundIndex:
    """Where the rounds of a record end, and the results since its last shoe was loaded."""

    def __init__(self, rules: TableRules) -> None:
        self._rules: Final = rules
        self.sequence = 0
        """The last entry that was followed."""
        self.ends: dict[int, tuple[int, int]] = {}
        """The entries between which a round lies, by its number."""
        self.results: list[Result] = []
        self._begins = 1

    def follow(self, first: int, lines: Sequence[bytes]) -> None:
        """Go on with the lines from entry ``first`` on."""
        for at, line in enumerate(lines, start=first):
            if at <= self.sequence:
                continue
            self.sequence = at
            if any(mark in line for mark in _ENDS):
                for events in events_of([line]):
                    self._take(at, events)

    def _take(self, at: int, events: Events) -> None:
        for event in events:
            if isinstance(event, ShoeLoaded):
                self.results.clear()
                self._begins = at
            if isinstance(event, LayoutCleared) and not event.simulated:
                self.ends[event.round] = (self._begins, at)
                self._begins = at + 1
                coup = Coup(self._rules.tableau, event.player, event.banker)
                if coup.is_complete:
                    self.results.append(Result.of(coup.facts, event.round))
