"""Which process serves which table, where several share a store.

A pit has one owner, and its tables have the same: a lease of a few seconds for each record, which
the owner prolongs by the clock of the store. Every other process follows the records as they grow,
so it shows the tables and streams their events, and takes a pit over with its tables once its lease
is over. That an owner is none any more is found out here, but nothing depends on it: each append
carries the epoch of its lease, and the store refuses it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from croupier.records.days import newest_days
from croupier.records.header import LogError
from croupier.records.postgres_store import PostgresStore
from croupier.records.store import Lease
from croupier.records.stream import StoreError
from croupier.server.commits import Commits
from croupier.server.grants import Grants
from croupier.server.pit_desk import PitDesk
from croupier.server.recorded import Recorded

_LOG: Final = logging.getLogger("croupier.server")


class Terms(NamedTuple):
    """How long a lease is, and how often everything is looked at, in seconds."""

    lease: float = 3.0
    look: float = 1.0
    wait: float = 0.25
    """At most so long nothing is looked at."""


USUAL: Final = Terms()
_REST: Final = 0.01
"""Seconds between two looks at what others wrote, so that many lines are read at once."""


class Holder(Protocol):
    """The service whose tables are owned or followed."""

    commits: Commits
    grants: Grants
    address: str
    is_closing: bool

    @property
    def owner(self) -> str:
        """By what name it holds leases."""

    @property
    def desks(self) -> Mapping[str, Recorded[Any, Any]]:
        """Its records: a pit's before those of its tables."""

    def desk_of(self, name: str) -> Recorded[Any, Any] | None:
        """Return what goes on with a record, be it of a day that is over, or of the next one."""

    def goes_with(self, desk: Recorded[Any, Any]) -> PitDesk | None:
        """Return the pit whose owner has a record too; ``None`` for a pit's own."""

    async def take_up(self, name: str) -> None:
        """Begin to follow a record."""

    async def owned(self, desk: Recorded[Any, Any]) -> None:
        """Take note that a record is its own from now on."""

    async def take_notes(self) -> None:
        """Record what other processes noted about its pits."""


class Leases:
    """The tables of a service that shares its store: those it owns, and those it follows."""

    def __init__(self, service: Holder, store: PostgresStore, terms: Terms = USUAL) -> None:
        self._service: Final = service
        self._store: Final = store
        self.terms: Final = terms
        self._ear: Final = ThreadPoolExecutor(1, thread_name_prefix="croupier-listener")
        self._task: asyncio.Task[None] | None = None
        self._due = 0.0
        """When everything is looked at again, or a lease of another process is over."""

    async def start(self) -> None:
        """Take the tables that nobody owns, follow the others, and go on with both."""
        await self._look()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop looking; leases stand until they are released."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._ear.shutdown(wait=True)

    async def release(self) -> None:
        """Leave every table to whoever takes it next."""
        await self._service.commits.write(self._store.renew, self._service.owner, 0.0)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        fails = False
        while True:
            try:
                heard = await loop.run_in_executor(self._ear, self._store.heard, self.terms.wait)
                await self._take_note(heard)
                told = any(one == "all" or one.startswith("lease") for one in heard)
                if told or monotonic() >= self._due:
                    await self._look()
                fails = False
            except StoreError as error:
                if not fails:
                    _LOG.warning("the store does not answer: %s", error)
                fails = True
                await asyncio.sleep(self.terms.wait)
            except Exception:  # noqa: BLE001  (the other tables go on)
                _LOG.exception("the leases could not be looked at")
                await asyncio.sleep(self.terms.look)
            await asyncio.sleep(_REST)

    async def _take_note(self, heard: frozenset[str]) -> None:
        """Read what others wrote."""
        if "all" in heard:
            await self._service.grants.read_again()
        for kind, _, name in (one.partition(" ") for one in heard):
            desk = self._service.desk_of(name)
            if kind == "line" and desk is not None and desk.lost:
                await self._follow(desk)
            elif kind == "document":
                await self._service.grants.read_again(*name.split(" ", 1))
                if name.startswith("note "):
                    await self._service.take_notes()

    async def _look(self) -> None:
        """Prolong what is ours, give up what is not, take what is nobody's, follow the rest."""
        service, store = self._service, self._store
        ours = {name: desk.epoch for name, desk in service.desks.items() if not desk.lost}
        held = await service.commits.write(store.renew, service.owner, self.terms.lease)
        counts = await asyncio.to_thread(store.counts)
        leases = await asyncio.to_thread(store.leases)
        now = await asyncio.to_thread(store.now)
        ends = [one.until - now for one in leases.values() if one.until > now]
        self._due = monotonic() + min([self.terms.look, *(left / 1000 for left in ends)])
        # What tables refer to, their pit, was begun before them.
        for name in newest_days(one for one, count in counts.items() if count):
            if service.desk_of(name) is None:
                await service.take_up(name)
        for name, desk in service.desks.items():
            if desk.lost and desk.finished:
                # Another process may have begun the record of the next day.
                await self._follow(desk)
            if desk.finished or desk.record != name or name not in leases:
                continue
            if name in ours and held.get(name) != ours[name]:
                desk.lost = f"{name}: another process serves this table now"
            if desk.lost:
                await self._take_or_follow(desk, leases[name], now, counts)

    async def _take_or_follow(
        self, desk: Recorded[Any, Any], lease: Lease, now: int, counts: Mapping[str, int]
    ) -> None:
        service = self._service
        desk.owner = lease.address
        pit = service.goes_with(desk)
        name = desk.record
        is_free = lease.until <= now or lease.owner == service.owner
        if not service.is_closing and (is_free if pit is None else not pit.lost):
            taken = await service.commits.write(
                self._store.take, name, service.owner, service.address, self.terms.lease,
                free=pit is None,  # A table goes with its pit, whoever had it.
            )  # fmt: skip
            followed = taken and await self._follow(desk)
            # A record that ended meanwhile goes on under another name, with a lease of its own.
            if followed and not desk.finished and desk.record == name:
                desk.own(taken)
                await service.owned(desk)
                return
        if counts.get(desk.record, 0) > desk.durable.sequence - desk.before + 1:
            await self._follow(desk)

    async def _follow(self, desk: Recorded[Any, Any]) -> bool:
        """Go on to the last durable line of a table that is not ours; return whether it went."""
        if desk.under_way:
            return False
        try:
            found, entries = await asyncio.to_thread(desk.read_on)
        except LogError as error:
            _LOG.error("%s cannot be followed: %s", desk.name, error)
            return False
        return desk.follow(found, entries)
