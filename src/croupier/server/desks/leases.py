"""Assignment of tables to the processes that share a store.

A pit and its tables have one owner, with a lease. Correctness does not depend on detecting its
expiry: the store checks the lease's epoch at every append.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from croupier.records.header import LogError, newest_days
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.store import Lease
from croupier.records.stores.stream import StoreError
from croupier.server.desks.commits import Commits
from croupier.server.desks.pit_desk import PitDesk
from croupier.server.desks.recorded import Recorded
from croupier.server.grants import Grants
from croupier.server.logs import LOG


class Terms(NamedTuple):
    """Duration of a lease and interval between checks, in seconds."""

    lease: float = 3.0
    look: float = 1.0
    wait: float = 0.25


USUAL: Final = Terms()
_OFFERED: Final = 2.0
"""Seconds that another process has to take over a pit."""
_OFFER: Final = "offer"
"""Kind of documents that name a pit for another process to take over."""
_REST: Final = 0.01
"""Seconds between reads of other processes' entries, so that many are read at once."""


class Holder(Protocol):
    commits: Commits
    grants: Grants
    address: str

    @property
    def closes(self) -> asyncio.Event: ...
    @property
    def owner(self) -> str: ...
    @property
    def desks(self) -> Mapping[str, Recorded[Any, Any]]: ...
    def desk_of(self, name: str) -> Recorded[Any, Any] | None: ...
    def goes_with(self, desk: Recorded[Any, Any]) -> PitDesk | None: ...
    async def take_up(self, name: str) -> None: ...
    async def owned(self, desk: Recorded[Any, Any]) -> None: ...
    async def take_notes(self) -> None: ...


class Leases:
    def __init__(self, service: Holder, store: PostgresStore, terms: Terms = USUAL) -> None:
        self._service: Final = service
        self._store: Final = store
        self.terms: Final = terms
        self._ear: Final = ThreadPoolExecutor(1, thread_name_prefix="croupier-listener")
        self._task: asyncio.Task[None] | None = None
        self._renewed = monotonic()
        self._due = 0.0
        """Time of the next check, at the latest when another process's lease expires."""

    @property
    def age(self) -> float:
        return monotonic() - self._renewed

    async def start(self) -> None:
        """Acquire tables without an owner, follow the others, and keep doing both."""
        await self._look()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop checking; leases remain until released."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._ear.shutdown(wait=True)

    async def release(self) -> None:
        await self._service.commits.write(self._store.renew, self._service.owner, 0.0)

    async def hand_over(self, pit: PitDesk) -> bool:
        """Offer a pit and its tables to other processes; return whether one took them.

        Pending requests are stored, or refused once the other process has the lease. Until then
        this process owns the pit.
        """
        await self._service.commits.write(self._store.put, _OFFER, pit.name, b"")
        try:
            is_taken = await _is_taken(pit)
        finally:
            is_left = await self._service.commits.write(self._store.put, _OFFER, pit.name, None)
        return is_taken or (not is_left and await _is_taken(pit))

    async def _take_offered(self, pit: Recorded[Any, Any]) -> None:
        service = self._service
        desks = [desk for desk in service.desks.values() if pit in {desk, service.goes_with(desk)}]
        if service.closes.is_set() or not pit.lost:
            return
        for desk in desks:
            # An older version, for example, cannot follow every record.
            if not await self._follow(desk):
                return
        # Whoever withdraws the offer takes the pit, so only one process does.
        if await service.commits.write(self._store.put, _OFFER, pit.name, None):
            await service.commits.write(
                self._store.take, pit.name, service.owner, service.address, self.terms.lease,
                free=False,
            )  # fmt: skip
            await self._look()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        fails = False
        while True:
            try:
                news = await loop.run_in_executor(self._ear, self._store.heard, self.terms.wait)
                await self._take_note(news)
                has_news = any(message == "all" or message.startswith("lease") for message in news)
                if has_news or monotonic() >= self._due:
                    await self._look()
                fails = False
            except StoreError as error:
                if not fails:
                    LOG.warning("the store does not answer: %s", error)
                fails = True
                await asyncio.sleep(self.terms.wait)
            except Exception:  # noqa: BLE001  (the other tables go on)
                LOG.exception("the leases could not be checked")
                await asyncio.sleep(self.terms.look)
            await asyncio.sleep(_REST)

    async def _take_note(self, messages: frozenset[str]) -> None:
        if "all" in messages:
            await self._service.grants.read_again()
        for kind, _, name in (message.partition(" ") for message in messages):
            desk = self._service.desk_of(name)
            if kind == "line" and desk is not None and desk.lost:
                await self._follow(desk)
            elif kind == "document":
                await self._service.grants.read_again(*name.split(" ", 1))
                of_kind, _, record = name.partition(" ")
                if of_kind == "note":
                    await self._service.take_notes()
                elif of_kind == _OFFER and (pit := self._service.desks.get(record)) is not None:
                    await self._take_offered(pit)

    async def _look(self) -> None:
        service, store = self._service, self._store
        epochs = {name: desk.epoch for name, desk in service.desks.items() if not desk.lost}
        renewed = await service.commits.write(store.renew, service.owner, self.terms.lease)
        self._renewed = monotonic()
        counts = await asyncio.to_thread(store.counts)
        leases = await asyncio.to_thread(store.leases)
        now = await asyncio.to_thread(store.now)
        ends = [lease.until - now for lease in leases.values() if lease.until > now]
        self._due = monotonic() + min([self.terms.look, *(left / 1000 for left in ends)])
        # Tables refer to their pit, which was created before them.
        for name in newest_days(one for one, count in counts.items() if count):
            if service.desk_of(name) is None:
                await service.take_up(name)
        for name, desk in service.desks.items():
            if desk.lost and desk.finished:
                # Another process may have begun the record of the next day.
                await self._follow(desk)
            if desk.finished or desk.record != name or name not in leases:
                continue
            if name in epochs and renewed.get(name) != epochs[name]:
                desk.lost = f"{name}: another process serves this table now"
            if desk.lost:
                await self._take_or_follow(desk, leases[name], now, counts)

    async def _take_or_follow(
        self, desk: Recorded[Any, Any], lease: Lease, now: int, counts: Mapping[str, int]
    ) -> None:
        service = self._service
        is_free = lease.until <= now or lease.owner == service.owner
        desk.owner = "" if is_free else lease.address
        pit = service.goes_with(desk)
        name = desk.record
        # Another process may be able to follow a record that this one cannot.
        if counts.get(desk.record, 0) > desk.durable.sequence - desk.before + 1:
            await self._follow(desk)
        goes_on = not (service.closes.is_set() or desk.differs)
        if goes_on and (is_free if pit is None else not pit.lost):
            lease_taken = await service.commits.write(
                self._store.take, name, service.owner, service.address, self.terms.lease,
                free=pit is None,  # A table goes with its pit, whoever had it.
            )  # fmt: skip
            followed = lease_taken and await self._follow(desk)
            # A record that has ended continues under another name, with its own lease.
            if followed and not desk.finished and desk.record == name:
                desk.own(lease_taken)
                await service.owned(desk)

    async def _follow(self, desk: Recorded[Any, Any]) -> bool:
        if desk.under_way:
            return False
        try:
            found, entries = await asyncio.to_thread(desk.read_on)
        except LogError as error:
            if not desk.differs:
                LOG.error("%s cannot be followed: %s", desk.name, error)
            desk.differs = True
            return False
        desk.differs = False
        return desk.follow(found, entries)


async def _is_taken(pit: PitDesk) -> bool:
    for _ in range(round(_OFFERED / _REST)):
        if pit.owner:
            break
        await asyncio.sleep(_REST)
    return bool(pit.owner)
