"""Background verification of stored records; the first difference of a day pauses the table.

Nothing after it is verified that day; a later day's record is verified by itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from croupier.records.entry import body_of
from croupier.records.header import LogError, header_of
from croupier.records.stores.store import Store
from croupier.records.stores.stream import StoreError
from croupier.server.desks.desk import Desk
from croupier.server.logs import LOG, note
from croupier.verify.log import Replay
from croupier.verify.verdict import Diverged, LogDivergence, Verdict


class RunningVerdict:
    """The verdict on a growing record up to its first divergence. Raises ``LogError``."""

    def __init__(self, path: Path, header: bytes) -> None:
        found = header_of(path, body_of(header))
        self._replay: Final = Replay(path, Verdict(found), ())
        self.divergence: LogDivergence | None = None
        self._judge(self._replay.begin, (header,))

    @property
    def through(self) -> int:
        """The last entry verified without a divergence."""
        return self._replay.verdict.last

    def follow(self, lines: Iterable[bytes]) -> LogDivergence | None:
        if self.divergence is None:
            self._judge(self._replay.follow, lines)
        return self.divergence

    def _judge(self, judge: Callable[[bytes], None], lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                judge(line)
        except Diverged as found:
            self.divergence = found.divergence
        except LogError as error:
            number = self._replay.line
            self.divergence = LogDivergence(number, 0, "unreadable", (), str(error))


_AT_ONCE: Final = 100
"""Entries verified in one batch, before other tasks may run."""
_BACKLOG: Final = 500
"""Unverified entries that end the wait; the interval between two snapshots."""


class Alarm:
    def __init__(self, desk: Desk, store: Store) -> None:
        self._desk: Final = desk
        self._store: Final = store
        self._verdict: RunningVerdict | None = None
        self._day = len(desk.days.all) - 1
        self._new: Final = asyncio.Event()
        self._new.set()
        self._next = desk.days.all[self._day].before
        self.divergence: LogDivergence | None = None
        """The last one found."""
        self.entry: int | None = None
        """The entry that differs: 0 for the header."""
        desk.listeners.append(lambda _: self._new.set())

    @property
    def through(self) -> int:
        return 0 if self._verdict is None else self._verdict.through

    @property
    def lag(self) -> int:
        return max(0, self._desk.durable.sequence + 1 - self._next)

    async def watch(self, seconds: float, one_at_a_time: asyncio.Lock) -> None:
        """Verify durable entries after some seconds, one table at a time."""
        # After a restart, reconnecting clients go first, however long the records are.
        await asyncio.sleep(seconds)
        while True:
            await self._new.wait()
            self._new.clear()
            try:
                while self._next <= self._desk.durable.sequence:
                    async with one_at_a_time:
                        last_entry = min(self._next + _AT_ONCE - 1, self._desk.durable.sequence)
                        found = await asyncio.to_thread(self._judge, last_entry)
                    if found is not None:
                        self._raise(found)
            except StoreError as error:
                LOG.warning("%s: the record is verified later: %s", self._desk.name, error)
                self._new.set()
            await self._rest(seconds)

    async def _rest(self, seconds: float) -> None:
        for _ in range(10):
            if self._desk.durable.sequence - self._next >= _BACKLOG:
                return
            await asyncio.sleep(seconds / 10)

    def _judge(self, last_entry: int) -> LogDivergence | None:
        """Verify up to an entry or the end of its day; return the divergence if one is found."""
        days, found = self._desk.days.all, None
        day = days[self._day]
        if self._verdict is None:
            (header,) = self._store.lines(day.record, 0, 0)
            self._verdict = RunningVerdict(Path(day.record), header)
            self._next = day.before + 1
        if self._day + 1 < len(days):
            last_entry = min(last_entry, days[self._day + 1].before)
        # Each is told once; that of a header is found before any line is read.
        if self.divergence is None or self._verdict.divergence is not self.divergence:
            lines = self._store.lines(day.record, self._next - day.before, last_entry - day.before)
            found = self._verdict.follow([*lines])
        self._next = last_entry + 1
        if found is not None:
            self.divergence, self.entry = found, day.before + found.line - 1
        if self._day + 1 < len(days) and last_entry >= days[self._day + 1].before:
            self._day, self._verdict = self._day + 1, None
        return found

    def _raise(self, found: LogDivergence) -> None:
        message = f"{self._desk.name}: the record differs: {found}"
        fields = {"table": self._desk.name, "entry": self.entry}
        note("alarm", message, fields, logging.ERROR)
        if self._desk.lost:
            return
        reason = f"entry {self.entry} is not recorded as it is decided ({found.kind})"
        self._desk.pause(reason, "alarm")
