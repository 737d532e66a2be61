"""The service: its store, its tables, and who may do what; no HTTP.

A table is a stream of the store, and a document that says where its cards come from. A stream goes
on over the days of its table until it is finished.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from croupier.money.vault import MemoryVault
from croupier.records.clock import system_clock
from croupier.records.header import new_header
from croupier.records.log import Resumed, resume
from croupier.records.postgres_store import PostgresStore
from croupier.records.recorder import Recorder
from croupier.records.sqlite_store import SQLiteStore
from croupier.records.store import Store
from croupier.records.stream import StoreError
from croupier.rules import TableRules
from croupier.server.alarm import Alarm
from croupier.server.books import Books
from croupier.server.commits import Commits
from croupier.server.consents import Consents
from croupier.server.desk import Desk
from croupier.server.grants import Grant, Grants
from croupier.server.hub import Hub
from croupier.server.leases import USUAL, Leases, Terms
from croupier.server.metrics import Metrics
from croupier.server.past import Past
from croupier.server.problems import Problem
from croupier.server.rounds import RoundIndex
from croupier.server.shoe import SealedShoes, ShoeVault, vault_beside
from croupier.table.session import Clock

__all__ = ["CARDS", "Opened", "Service", "Table"]

CARDS: Final = ("dealer", "reader", "sealed", "autopilot")
"""Where the cards of a table come from."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_SHUFFLES: Final = {
    "dealer": "cards entered by the dealer",
    "reader": "cards of a reader at the shoe",
    "sealed": "shoes that the service shuffles and seals",
    "autopilot": "cards of the autopilot",
}
_FORGET_MS: Final = 24 * 3600 * 1000


class Opened(msgspec.Struct, frozen=True):
    """What a service keeps of a table besides its record."""

    pit: str
    cards: str = "dealer"
    patrons: int | None = None


class Table:
    """A table of the service: its desk, who listens to it, and where its cards come from."""

    def __init__(  # noqa: PLR0913  (what a table is made of)
        self,
        desk: Desk,
        hub: Hub,
        past: Past,
        opened: Opened,
        shoes: SealedShoes | None,
        *,
        consents: Consents,
        alarm: Alarm,
    ) -> None:
        self.desk: Final = desk
        self.hub: Final = hub
        self.opened: Final = opened
        self.past: Final = past
        self.consents: Final = consents
        self.shoes = shoes
        """Its own shoes, where the service shuffles."""
        self.reader_locked = ""
        """Why the reader at the shoe is locked; empty while it is not."""
        self.board: RoundIndex | None = None
        """What the record says of its rounds, once somebody asked."""
        self.books: Final = Books()
        """What the record says of money, once somebody asked."""
        self.reading: Final = asyncio.Lock()
        self.alarm: Final = alarm


class Service:
    """Tables that share a store."""

    def __init__(
        self,
        store: Store | Path,
        *,
        vault: ShoeVault | None = None,
        clock: Clock = system_clock,
        address: str = "",
        terms: Terms = USUAL,
    ) -> None:
        self.store: Final = SQLiteStore(store) if isinstance(store, Path) else store
        self._vault = vault
        self.clock: Final = clock
        self.address = address
        """Where it answers, as other processes that share the store tell who asks them."""
        self.owner: Final = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self.leases: Final = (
            Leases(self, self.store, terms) if isinstance(self.store, PostgresStore) else None
        )
        self.metrics: Final = Metrics()
        self.tables: Final[dict[str, Table]] = {}
        self._begun: Final[set[str]] = set()
        """Tables that are being made, which are not to be followed meanwhile."""
        self.verifying: Final = asyncio.Lock()
        """Held by what takes long: one of it at a time."""
        self.judging: Final = asyncio.Lock()
        """Held while entries of one table are decided again."""
        self.is_ready = False
        self.is_closing = False
        self.on_table: Callable[[Table], None] = lambda _: None
        """Called with every table that is taken up."""

    @property
    def vault(self) -> ShoeVault:
        """Where the secrets of shoes are kept; made beside the store when it is first needed."""
        if self._vault is None:
            store = self.store
            self._vault = (
                vault_beside(store.path) if isinstance(store, SQLiteStore) else MemoryVault()
            )
        return self._vault

    def now(self) -> int:
        """Return the time in milliseconds since 1970, UTC."""
        return int(self.clock().timestamp() * 1000)

    @property
    def desks(self) -> Mapping[str, Desk]:
        """The desk of every table, by name."""
        return {name: table.desk for name, table in self.tables.items()}

    def owned(self, name: str) -> None:
        """Take note that a table is this process's own from now on."""
        self.tables[name].consents.read_again()
        self.on_table(self.tables[name])

    # --- beginning and end ---

    async def start(self) -> None:
        """Take up every table of the store where it stands."""
        self.commits = Commits(self.store, self.metrics.committed)
        self.commits.start()
        self.grants = Grants(self.store, self.commits)
        for name in self.store.names:
            if self.store.count(name):
                await self.take_up(name)
        if self.leases is not None:
            await self.leases.start()
        now = self.now()
        await self.grants.forget(now)
        await self.commits.write(self.store.forget, now - _FORGET_MS)
        self.is_ready = True

    async def take_up(self, name: str) -> None:
        """Take up a table where its record stands; where others share the store, follow it."""
        found = await asyncio.to_thread(resume, self.store.open(name))
        kept = await asyncio.to_thread(self.store.document, "table", name)
        pit = found.header.rules.submission.layout.pit
        opened = Opened(pit) if kept is None else msgspec.json.decode(kept, type=Opened)
        if name in self._begun or name in self.tables:
            return
        await self._add(name, opened, found, owned=self.leases is None)

    async def _add(self, name: str, opened: Opened, found: Resumed, *, owned: bool = True) -> Table:
        seconds = 0.0 if self.leases is None else self.leases.terms.lease
        epoch = 0
        if owned:
            epoch = await self.commits.write(
                self.store.take, name, self.owner, self.address, seconds, free=False
            )
        desk = Desk(
            name,
            found,
            pit=opened.pit,
            epoch=epoch,
            commits=self.commits,
            clock=self.clock,
        )
        if not owned:
            desk.lost = f"{name}: another process serves this table"
        if found.closed:
            desk.finished = True
            desk.lost = f"{name}: its record is finished, and nothing follows"
        shoes = SealedShoes(name, self.store, self.vault) if opened.cards == "sealed" else None
        if shoes is not None:
            await asyncio.to_thread(shoes.follow)
        past = Past(name, self.store, desk.rules)
        past.keep(desk.durable)
        desk.listeners.append(lambda entries: past.keep(entries[-1].after))
        consents = Consents(name, self.commits)
        await asyncio.to_thread(consents.read_again)
        hub, alarm = Hub(desk, self.metrics), Alarm(desk, self.store)
        table = Table(desk, hub, past, opened, shoes, consents=consents, alarm=alarm)
        self.tables[name] = table
        if owned:
            self.on_table(table)
        return table

    def say_bye(self) -> None:
        """Take no more commands, and end every stream of events."""
        self.is_closing = True
        for table in self.tables.values():
            table.hub.end()

    async def stop(self) -> None:
        """Store what is under way, keep a snapshot of every table, and close the store."""
        self.is_ready = False
        self.say_bye()
        if self.leases is not None:
            await self.leases.stop()
        for table in self.tables.values():
            await table.desk.settled()
            if not table.desk.lost:
                await self.commits.write(table.desk.snap, table.desk.durable, table.desk.head)
        if self.leases is not None:
            with suppress(StoreError):
                await self.leases.release()
        await self.commits.stop()
        self.store.close()

    # --- tables ---

    async def create(self, rules: TableRules, opened: Opened, name: str) -> Table:
        """Begin the record of a new table. Raises ``Problem`` if it cannot be."""
        if _NAME.fullmatch(name) is None:
            raise Problem(
                "malformed", f"table: {name!r} has other than 1 to 40 of A-Z a-z 0-9 . _ -"
            )
        if opened.cards not in CARDS:
            known = ", ".join(CARDS)
            raise Problem("malformed", f"cards: {opened.cards!r} is none of {known}")
        if missing := rules.missing:
            raise Problem(
                "refused_submission",
                f"no table can be dealt under {rules.law.title}: the regulation included has no"
                f" rules for {', '.join(missing)}",
            )
        if opened.cards == "sealed" and rules.elected("device", "continuous"):
            raise Problem(
                "refused_submission",
                "a shoe of the service's own is dealt to its end: a continuous device has none",
            )
        if opened.cards == "sealed" and self.store.is_shared:
            raise Problem(
                "malformed",
                "cards: the secrets of sealed shoes are kept beside a store in a file, and no other"
                " process would have them: choose other cards for a store that several share",
            )
        if name in self.tables:
            raise Problem("exists", f"there is a table {name}: give it another name")
        content = msgspec.json.encode(opened)
        self._begun.add(name)
        try:
            found = await self.commits.write(self._begin, name, rules, opened, content)
            return await self._add(name, opened, found)
        finally:
            self._begun.discard(name)

    def _begin(self, name: str, rules: TableRules, opened: Opened, content: bytes) -> Resumed:
        # A stream without a header is what is left of a table that was not begun whole.
        stream = self.store.open(name) if name in self.store.names else self.store.create(name)
        self.store.put("table", name, content)
        Recorder.begin(stream, new_header(rules, _SHUFFLES[opened.cards]))
        return resume(stream)

    async def lines(self, name: str, first: int, last: int) -> list[bytes]:
        """Return the durable lines of a table from number ``first`` to ``last``."""
        return await asyncio.to_thread(lambda: [*self.store.lines(name, first, last)])

    def seen(self, grant: Grant, name: str) -> Table:
        """Return a table that a grant covers. Raises ``Problem`` for any other, or none."""
        table = self.tables.get(name)
        if table is None or not grant.covers(table.opened.pit, name):
            raise Problem("not_found", "there is no such table, or it is none of yours")
        return table

    def tables_of(self, grant: Grant) -> Mapping[str, Table]:
        """Return every table that a grant covers, by name."""
        return {
            name: table
            for name, table in self.tables.items()
            if grant.covers(table.opened.pit, name)
        }
