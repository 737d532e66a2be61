"""A table's historical entries and positions."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from typing import Final

from croupier.records.entry import entry_head, unseal
from croupier.records.header import LogError
from croupier.records.log import replayed
from croupier.server.desks.days import Days
from croupier.table.machine.position import Position, Proposal

_EVERY: Final = 500
"""Entries between two positions kept in memory."""
_LATELY: Final = 16
_STEP: Final = 8
"""Every eighth position of the last 128 entries is kept, as a start for recent rounds."""


def _none(table: str) -> Position:
    raise LogError(f"{table}: it has no record")


class Past:
    def __init__(self, days: Days) -> None:
        self._days: Final = days
        self._places = [0]
        self._positions = [days.opening(0) or _none(days.table)]
        self._following: Final = asyncio.Lock()
        self._lately: Final[deque[Position]] = deque(maxlen=_LATELY)

    def hear(self, entries: Sequence[Proposal]) -> None:
        self._lately.extend(entry.after for entry in entries if entry.after.sequence % _STEP == 0)
        self.keep(entries[-1].after)

    def _before(self, first: int) -> Position:
        lately = self._lately
        if lately and lately[0].sequence < first:
            # A line that could not be followed leaves a gap, so entries are searched by number.
            return next(position for position in reversed(lately) if position.sequence < first)
        return self._positions[bisect_right(self._places, first - 1) - 1]

    def keep(self, position: Position) -> None:
        """Keep a durable position, unless one nearby is kept."""
        at = bisect_right(self._places, position.sequence)
        if position.sequence - self._places[at - 1] >= _EVERY:
            self._places.insert(at, position.sequence)
            self._positions.insert(at, position)

    async def entries(self, first: int, last: int) -> list[Proposal]:
        async with self._following:
            return await asyncio.to_thread(self._followed, self._before(first), first, last)

    def _followed(self, position: Position, first: int, last: int) -> list[Proposal]:
        found = []
        for line in self._days.lines(position.sequence + 1, last):
            sealed = unseal(line)
            head = None if sealed is None else entry_head(sealed[0])
            if head is None:
                break
            # A day begins with the state carried over.
            entry = replayed(self._days.opening(position.sequence) or position, head)
            position = entry.after
            self.keep(position)
            if position.sequence >= first:
                found.append(entry)
        return found
