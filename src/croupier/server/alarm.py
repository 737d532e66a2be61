"""Decides again, in the background, whatever a table recorded; an alarm is raised if it differs.

What is read is what the store holds, so an entry that was changed there is found, too. The first
difference pauses the table by the machine, and surveillance and the floor are told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.records.stream import StoreError
from croupier.table.machine.position import Proposal
from croupier.verify.running import RunningVerdict

if TYPE_CHECKING:
    from croupier.records.store import Store
    from croupier.server.desk import Desk
    from croupier.verify.verdict import LogDivergence

_LOG: Final = logging.getLogger("croupier.server")
_AT_ONCE: Final = 100
"""Entries that are decided again before anything else may go on."""
_BACKLOG: Final = 500
"""Entries that are not waited with: as many as lie between two snapshots."""


class Alarm:
    """What a table has recorded, decided again entry by entry."""

    def __init__(self, desk: Desk, store: Store) -> None:
        self._desk: Final = desk
        self._store: Final = store
        self._verdict: RunningVerdict | None = None
        self._day = len(desk.days.all) - 1
        self._new: Final = asyncio.Event()
        self._new.set()
        self._next = desk.days.all[self._day].before
        self.divergence: LogDivergence | None = None
        """The first difference; ``None`` while there is none."""
        desk.listeners.append(self._heard)

    @property
    def through(self) -> int:
        """The last entry that was decided again and is as it is recorded."""
        return 0 if self._verdict is None else self._verdict.through

    @property
    def entry(self) -> int | None:
        """The entry that differs; 0 for the header, ``None`` where nothing differs."""
        if self.divergence is None:
            return None
        return self._desk.days.all[self._day].before + self.divergence.line - 1

    def _heard(self, entries: Sequence[Proposal]) -> None:
        del entries
        self._new.set()

    async def watch(self, seconds: float, one_at_a_time: asyncio.Lock) -> None:
        """Judge what is durable, some seconds after it came, until the first difference.

        ``one_at_a_time`` is held while entries are judged: of all tables, one has its turn.
        """
        while self.divergence is None:
            await self._new.wait()
            self._new.clear()
            try:
                while self._next <= self._desk.durable.sequence and self.divergence is None:
                    async with one_at_a_time:
                        last = min(self._next + _AT_ONCE - 1, self._desk.durable.sequence)
                        await asyncio.to_thread(self._judge, last)
            except StoreError as error:
                _LOG.warning("%s: the record is judged later: %s", self._desk.name, error)
                self._new.set()
            if self.divergence is None:
                await self._rest(seconds)
        self._raise()

    async def _rest(self, seconds: float) -> None:
        """Wait until some time is over, or so much has come that it should not wait."""
        for _ in range(10):
            if self._desk.durable.sequence - self._next >= _BACKLOG:
                return
            await asyncio.sleep(seconds / 10)

    def _judge(self, last: int) -> None:
        """Judge to an entry, or to the last one of its day: each record is judged by itself."""
        days = self._desk.days.all
        day = days[self._day]
        if self._verdict is None:
            (header,) = self._store.lines(day.record, 0, 0)
            self._verdict = RunningVerdict(Path(day.record), header)
            self._next = day.before + 1
        if self._day + 1 < len(days):
            last = min(last, days[self._day + 1].before)
        lines = [*self._store.lines(day.record, self._next - day.before, last - day.before)]
        self._next = last + 1
        self.divergence = self._verdict.follow(lines)
        is_over = self._day + 1 < len(days) and last >= days[self._day + 1].before
        if self.divergence is None and is_over:
            self._day, self._verdict = self._day + 1, None

    def _raise(self) -> None:
        found = self.divergence
        if found is None:
            return
        _LOG.error("%s: the record differs: %s", self._desk.name, found)
        if self._desk.lost:
            return
        reason = f"entry {self.entry} is not recorded as it is decided ({found.kind})"
        self._desk.pause(reason, "alarm")
