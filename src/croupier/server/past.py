"""Entries of the past with the positions around them, as views are made of both.

A position is followed from the nearest one before it that is in memory: each commit may leave one,
so only what is older than the process takes long, and once.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from typing import Final

from croupier.records.entry import entry_head, unseal
from croupier.records.header import LogError
from croupier.records.log import replayed
from croupier.server.days import Days
from croupier.table.machine.position import Position, Proposal

_EVERY: Final = 500
"""Entries between two positions that are kept in memory."""
_LATELY: Final = 16
_STEP: Final = 8
"""Of the last 128 entries every eighth position is kept: rounds that are looked at begin there."""


def _none(table: str) -> Position:
    raise LogError(f"{table}: it has no record")


class Past:
    """The entries of one table that are durable."""

    def __init__(self, days: Days) -> None:
        self._days: Final = days
        self._places = [0]
        self._positions = [days.opening(0) or _none(days.table)]
        self._following: Final = asyncio.Lock()
        self._lately: Final[deque[Position]] = deque(maxlen=_LATELY)

    def hear(self, entries: Sequence[Proposal]) -> None:
        """Keep the positions after entries that have become durable."""
        self._lately.extend(one.after for one in entries if one.after.sequence % _STEP == 0)
        self.keep(entries[-1].after)

    def _before(self, first: int) -> Position:
        """Return the last position that is kept before an entry."""
        lately = self._lately
        if lately and lately[0].sequence < first:
            # What could not be followed leaves a gap, so it is looked for, and not counted.
            return next(one for one in reversed(lately) if one.sequence < first)
        return self._positions[bisect_right(self._places, first - 1) - 1]

    def keep(self, position: Position) -> None:
        """Keep a durable position, if none is kept nearby."""
        at = bisect_right(self._places, position.sequence)
        if position.sequence - self._places[at - 1] >= _EVERY:
            self._places.insert(at, position.sequence)
            self._positions.insert(at, position)

    async def entries(self, first: int, last: int) -> list[Proposal]:
        """Return durable entries by their numbers, in order."""
        async with self._following:
            return await asyncio.to_thread(self._followed, self._before(first), first, last)

    def _followed(self, position: Position, first: int, last: int) -> list[Proposal]:
        found = []
        for line in self._days.lines(position.sequence + 1, last):
            sealed = unseal(line)
            head = None if sealed is None else entry_head(sealed[0])
            if head is None:
                break
            # A day begins with what it carried over.
            entry = replayed(self._days.opening(position.sequence) or position, head)
            position = entry.after
            self.keep(position)
            if position.sequence >= first:
                found.append(entry)
        return found
