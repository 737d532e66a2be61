"""The service without HTTP: store, tables, and grants."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import date, datetime
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
from msgspec import field
from msgspec.structs import replace

from croupier.acts import OtherTable
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.files.version import program_version
from croupier.money.stax import MemoryVault
from croupier.records.codec import dump, from_json
from croupier.records.entry import seal, system_clock
from croupier.records.grants import NOTE, Grant, grant_faults
from croupier.records.header import LogHeader, day_of, header_body, new_header, newest_days
from croupier.records.heads import ContradictedError, HeadsFile
from croupier.records.log import Resumed, resume
from croupier.records.names import NameRefusedError, Names
from croupier.records.pit_log import (
    WithLinkedMeters,
    decode_pit_command,
    new_pit_header,
    pit_command_data,
    pit_header_body,
    resume_pit,
)
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import COPIED, Append, LostError, Store, UnreachableError
from croupier.records.stores.stream import PositionError, StoreError
from croupier.records.stores.vault import StoreVault
from croupier.rules import TableRules
from croupier.server.clocks import jumps
from croupier.server.desks.alarm import Alarm
from croupier.server.desks.commits import Commits
from croupier.server.desks.consents import Consents
from croupier.server.desks.days import Days, Past
from croupier.server.desks.desk import DayEnd, Desk
from croupier.server.desks.hub import Hub
from croupier.server.desks.leases import USUAL, Leases, Terms
from croupier.server.desks.pit_desk import PitDesk
from croupier.server.desks.recorded import Recorded, RecordedAnswer, Responder, UnitOfWork
from croupier.server.desks.shoe import SealedShoes, ShoeVault, open_vault
from croupier.server.desks.signing_heads import SigningHeads
from croupier.server.grants import Grants
from croupier.server.http.metrics import Metrics
from croupier.server.http.problems import Problem, refused
from croupier.server.logs import LOG, note
from croupier.server.rounds import Books, RoundIndex
from croupier.server.worker import Worker
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor, Position, Stamp, opening_position
from croupier.table.machine.session import Clock
from croupier.table.pit import (
    AdmitTable,
    NoteClockJump,
    PitCommand,
    PitPosition,
    beside_pit,
    propose_in_pit,
)

CARDS: Final = ("dealer", "reader", "sealed", "autopilot")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_PIT: Final = re.compile(r"[^/\x00-\x1f\x7f]{1,40}")
_PITS: Final = "pit:"
"""Prefix of the stream names of pits; no table has it."""
_CLOCK: Final = (Actor("service", Role.MACHINE, "clock"),)
_RUNNING: Final = ("service", "running")
"""Document of a store that exists while a service uses it."""
_SHUFFLES: Final = {
    "dealer": "cards entered by the dealer",
    "reader": "cards of a reader at the shoe",
    "sealed": "shoes that the service shuffles and seals",
    "autopilot": "cards of the autopilot",
}
_LOOK: Final = 0.5
"""Seconds between checks of the store."""
_PROMPT: Final = 2.0
"""Seconds for a check, after which the service is not ready; commands wait longer."""
_FORGET_MS: Final = 24 * 3600 * 1000
_FORGET_SECONDS: Final = 3600.0
"""Seconds between removals of expired data."""


class Opened(msgspec.Struct, frozen=True):
    """A table's settings outside its record."""

    pit: str
    cards: str = "dealer"
    patrons: int | None = None


class Table(msgspec.Struct, eq=False, weakref=True, kw_only=True):
    desk: Desk
    hub: Hub
    past: Past
    opened: Opened
    shoes: SealedShoes | None
    consents: Consents
    alarm: Alarm
    board: RoundIndex | None = None
    books: Books = field(default_factory=Books)
    read: WithLinkedMeters = field(default_factory=WithLinkedMeters)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    ending: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Lock held while a gaming day ends, so that the next one has one owner's epoch."""


class Service:
    def __init__(  # noqa: PLR0913  (the parts of a service)
        self,
        store: Store | Path,
        *,
        vault: ShoeVault | None = None,
        clock: Clock = system_clock,
        address: str = "",
        terms: Terms = USUAL,
        heads: HeadsFile | None = None,
        with_law: bool = False,
        names: Names | None = None,
    ) -> None:
        self.store: Final = SQLiteStore(store) if isinstance(store, Path) else store
        self.heads: Final = None if heads is None else SigningHeads(heads, self.store)
        self._vault = vault
        self._with_law: Final = with_law
        self.names: Final = names
        self.clock: Final = clock
        self.address = address
        """Its address, given to clients by other processes that share the store."""
        self.owner: Final = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self.leases: Final = (
            Leases(self, self.store, terms) if isinstance(self.store, PostgresStore) else None
        )
        self.metrics: Final = Metrics()
        self.tables: Final[dict[str, Table]] = {}
        self.pits: Final[dict[str, PitDesk]] = {}
        self.pit_hubs: Final[dict[str, Hub]] = {}
        self._begun: Final[set[str]] = set()
        """Tables being created, which are not followed meanwhile."""
        self._pitting: Final = asyncio.Lock()
        self.verifier: Final = Worker()
        self.calculator: Final = Worker()
        """Odds have a process of their own: surveillance does not wait for verifications."""
        self.judging: Final = asyncio.Lock()
        """Lock held while one table's entries are verified."""
        self.is_ready = False
        self.closes: Final = asyncio.Event()
        """Set once it shuts down."""
        self.store_fault: StoreError | None = None
        """Why the store is not writable, as of the last check."""
        self.clock_jumped: float | None = None
        """When the clock last jumped, by the monotonic clock."""
        self._watches: list[asyncio.Task[None]] = []
        self.on_table: Callable[[Table], None] = lambda _: None
        """Called with every table that is loaded."""

    def named(self, text: str) -> str:
        """Text with the elected names of patrons for their tokens."""
        return text if self.names is None else self.names.name_of(text)

    def recorded_as(self, office: str, person: str) -> str:
        """Person as records contain them: a patron's elected name as a token."""
        if self.names is None or office != Role.PATRON:
            return person
        with _refusing_names():
            return self.names.token(person)

    def recorded_commands(
        self, grant: Grant, commands: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any]]:
        """Commands as records contain them. Raises ``Problem``."""
        if self.names is None:
            return commands
        found = []
        for command in commands:
            terms = TERMS.get(str(command.get("type")))
            # The name of a refused person is not added to the vault.
            makes = terms is not None and grant.office in (*terms.does, *terms.together)
            with _refusing_names():
                found.append(self.names.tokens(command, makes=makes))
        return found

    @property
    def ready(self) -> bool:
        return self.is_ready and not self.closes.is_set() and self.store_fault is None

    @property
    def lost(self) -> LostError | None:
        """The error that makes the store unusable until a restart, if any."""
        return self.store_fault if isinstance(self.store_fault, LostError) else None

    @property
    def without_secret(self) -> list[str]:
        return sorted(
            name
            for name, table in self.tables.items()
            if table.shoes is not None and table.shoes.is_missing(table.desk.durable)
        )

    def _pause_without_secret(self, table: Table) -> None:
        desk = table.desk
        if desk.lost or table.shoes is None or not table.shoes.is_missing(desk.durable):
            return
        LOG.error("%s: the vault lacks the secret of its sealed shoe: it is paused", desk.name)
        if not desk.durable.house.pause:
            desk.pause("the vault lacks the secret of the sealed shoe", "vault")

    async def _watch_store(self) -> None:
        no_answer = UnreachableError(f"{self.store.path}: no answer within {_PROMPT:g} seconds")
        while self.lost is None:
            await asyncio.sleep(_LOOK)
            found: StoreError | None = None
            timer = asyncio.get_running_loop().call_later(_PROMPT, self._note_fault, no_answer)
            try:
                await self.commits.check()
            except StoreError as error:
                found = error
            finally:
                timer.cancel()
            self._note_fault(found)

    def _note_fault(self, found: StoreError | None) -> None:
        if str(found) != str(self.store_fault):
            LOG.error("the store: %s", found or "it answers again")
        self.store_fault = found

    async def _watch_clock(self) -> None:
        async for jump in jumps():
            self.metrics.clock_jumps.inc()
            self.clock_jumped = monotonic()
            message, fields = f"the clock jumped by {jump:+.1f} s", {"seconds": round(jump, 1)}
            note("clock_jump", message, fields, logging.WARNING)
            for pit in [desk for desk in self.pits.values() if not desk.lost]:
                try:
                    await self.note(pit.pit, NoteClockJump(round(jump)), _CLOCK)
                except (Problem, StoreError) as error:
                    LOG.warning("%s: the jump is not recorded: %s", pit.name, error)

    async def _forget(self) -> None:
        while True:
            now = self.now()
            try:
                await self.grants.forget(now)
                await self.commits.write(self.store.forget, now - _FORGET_MS)
            except StoreError as error:
                LOG.warning("expired data is removed later: %s", error)
            await asyncio.sleep(_FORGET_SECONDS)

    @property
    def vault(self) -> ShoeVault:
        if self._vault is None:
            store = self.store
            self._vault = (
                open_vault(store.path) if isinstance(store, SQLiteStore) else MemoryVault()
            )
        return self._vault

    def _make_secrets(self) -> None:
        vault = self._vault
        if isinstance(vault, StoreVault) and vault.is_short:
            self.commits.after(vault.prepare)

    def now(self) -> int:
        """Time in milliseconds since 1970, UTC."""
        return int(self.clock().timestamp() * 1000)

    @property
    def today(self) -> date:
        """The date in the time zone of this machine."""
        return self.clock().astimezone().date()

    @property
    def desks(self) -> Mapping[str, Recorded[Any, Any]]:
        """Every record by stream name, pits first."""
        pits: dict[str, Recorded[Any, Any]] = {pit.name: pit for pit in self.pits.values()}
        return pits | {table.desk.record: table.desk for table in self.tables.values()}

    def desk_of(self, name: str) -> Recorded[Any, Any] | None:
        """Desk of a record, including those of past days and the next."""
        table = self.tables.get(day_of(name)[0])
        return self.desks.get(name) if table is None else table.desk

    def goes_with(self, desk: Recorded[Any, Any]) -> PitDesk | None:
        """Pit that shares a record's owner; ``None`` for a pit."""
        table = self.tables.get(desk.name)
        return None if table is None else self.pits.get(table.opened.pit)

    async def owned(self, desk: Recorded[Any, Any]) -> None:
        note("owner", f"{desk.name}: this process owns the record", {"record": desk.name})
        table = self.tables.get(desk.name)
        if table is not None:
            table.consents.read_again()
            await self._join(table)
            self._pause_without_secret(table)
            self.on_table(table)
        else:
            await self.take_notes()

    def shown(self, table: Table) -> Position:
        """Return a table's position with linked meters."""
        pit, desk = self.pits.get(table.opened.pit), table.desk
        state = None if pit is None else pit.durable.state
        return table.read(state, desk.name, desk.durable)

    async def _join(self, table: Table) -> None:
        pit = self.pits.get(table.opened.pit)
        if pit is not None:
            await pit.join(table.desk)

    # --- beginning and end ---

    async def start(self) -> None:
        """Load every table of the store. Raises ``StoreError`` if it is not as it was signed."""
        begun = monotonic()
        if self.heads is not None:
            await self.heads.start()
        self.commits = Commits(self.store, self.metrics.committed)
        self.commits.start()
        self.grants = Grants(self.store, self.commits, self.named)
        # Processes that share a database do not know whether another one has ended.
        was_running = not self.store.is_shared and self.store.document(*_RUNNING) is not None
        if not self.store.is_shared:
            with suppress(StoreError):  # A full store is served too.
                await self.commits.write(self.store.put, *_RUNNING, b"")
        # Other processes make grants only after this document is deleted; none of theirs is read.
        if self.store.document(*COPIED) is not None:
            number = await self.grants.void(self.now())
            await self.commits.write(self.store.put, *COPIED, None)
            LOG.warning("the store is a copy: %d grants are void, and their tokens", number)
        await self._check_grants()
        if isinstance(self._vault, StoreVault):
            await self.commits.write(self._vault.prepare)
        # A pit comes before its tables.
        names = newest_days(name for name in self.store.names if self.store.count(name))
        for name in sorted(names, key=lambda one: not one.startswith(_PITS)):
            await self.take_up(name)
        if self.leases is not None:
            await self.leases.start()
        loop = asyncio.get_running_loop()
        watches = (self._watch_store, self._watch_clock, self._forget)
        self._watches = [loop.create_task(watch()) for watch in watches]
        self.is_ready = True
        self._note_start(monotonic() - begun, was_running=was_running)

    async def _check_grants(self) -> None:
        faults = await asyncio.to_thread(grant_faults, self.store)
        if others := [str(fault) for fault in faults if not fault.is_void]:
            advice = "leave the store to surveillance: the grants of a copy, restored, are void"
            raise ContradictedError("\n".join([*others, advice]))
        for fault in faults:
            # A process was killed before it did, its pit refused it, or somebody has put it there.
            LOG.warning("%s: it ends now", fault)
            await self.grants.revoke((fault.grant,), self.now())

    def _note_start(self, seconds: float, *, was_running: bool) -> None:
        entries = sum(table.desk.durable.sequence for table in self.tables.values())
        found = {"tables": len(self.tables), "entries": entries, "seconds": round(seconds, 3)}
        if was_running:
            note("recovered", "the process before did not end by itself", found)
        note(
            "started",
            f"version {program_version()} serves",
            {"version": program_version(), **found},
        )

    async def take_up(self, name: str) -> None:
        """Load a record; follow it if the store is shared."""
        owned = self.leases is None
        if name.startswith(_PITS):
            # A record being created here must not be followed.
            async with self._pitting:
                if name not in self.desks:
                    await self._add_pit(name, await self._epoch(name) if owned else 0)
            return
        record, (name, _) = name, day_of(name)
        found = await asyncio.to_thread(resume, self.store.open(record))
        stored = await asyncio.to_thread(self.store.document, "table", name)
        pit = found.header.rules.submission.layout.pit
        opened = Opened(pit) if stored is None else msgspec.json.decode(stored, type=Opened)
        if name in self._begun or name in self.tables:
            return
        self._added(await self._made(record, opened, found, owned=owned))
        await self._join(self.tables[name])
        self._pause_without_secret(self.tables[name])

    async def _epoch(self, name: str, *, free: bool = False) -> int:
        seconds = 0.0 if self.leases is None else self.leases.terms.lease
        return await self.commits.write(
            self.store.take, name, self.owner, self.address, seconds, free=free
        )

    async def _add_pit(self, name: str, epoch: int) -> None:
        found, entries = await asyncio.to_thread(lambda: resume_pit(name, self.store.lines(name)))
        pit = PitDesk(name, found, entries, epoch=epoch, commits=self.commits, clock=self.clock)
        if not epoch:
            pit.lost = f"{name}: another process serves this pit"
        self.pits[pit.pit] = pit
        self.metrics.linked(pit.pit, pit.durable.state.links)
        pit.listeners.append(lambda _: self.metrics.linked(pit.pit, pit.durable.state.links))
        self.pit_hubs[pit.pit] = Hub(pit, self.metrics)
        for table in self.tables.values():
            if table.opened.pit == pit.pit:
                await pit.join(table.desk)

    async def _made(
        self, record: str, opened: Opened, found: Resumed, *, owned: bool = True
    ) -> Table:
        epoch = await self._epoch(record) if owned else 0
        days = await asyncio.to_thread(Days, self.store, record)
        name = days.table
        desk = Desk(
            days,
            record,
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
        shoes = SealedShoes(days, self.vault) if opened.cards == "sealed" else None
        if shoes is not None:
            await asyncio.to_thread(shoes.follow, desk.durable.sequence)
            desk.listeners.append(shoes.heard)
            desk.listeners.append(lambda _: self._make_secrets())
        past = Past(days)
        past.keep(desk.durable)
        desk.listeners.append(past.hear)
        if self.heads is not None:
            desk.listeners.append(self.heads.hear)
        consents = Consents(name, self.commits)
        await asyncio.to_thread(consents.read_again)
        return Table(
            desk=desk,
            hub=Hub(desk, self.metrics),
            past=past,
            opened=opened,
            shoes=shoes,
            consents=consents,
            alarm=Alarm(desk, self.store),
        )

    def _added(self, table: Table) -> None:
        self.tables[table.desk.name] = table
        if not table.desk.lost:
            self.on_table(table)

    def say_bye(self) -> None:
        """Refuse commands and end event streams."""
        self.closes.set()
        for hub in (*self.pit_hubs.values(), *(table.hub for table in self.tables.values())):
            hub.end()

    async def stop(self) -> None:
        self.is_ready = False
        note("stopping", "the service ends")
        for watch in self._watches:
            watch.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        self.say_bye()
        if self.leases is not None:
            await self.leases.stop()
        for pit in self.pits.values():
            await pit.settled()
        for table in self.tables.values():
            await table.desk.settled()
            # Snapshots only save time at the start: do not wait for a failing store at each table.
            if not table.desk.lost and self.store_fault is None:
                await self.commits.write(table.desk.snap, table.desk.durable, table.desk.head)
        if self.leases is not None:
            with suppress(StoreError):
                await self.leases.release()
        elif self.lost is None:
            with suppress(StoreError):
                await self.commits.write(self.store.put, *_RUNNING, None)
        await self.commits.stop()
        await self.verifier.end()
        await self.calculator.end()
        if self.heads is not None:
            await self.heads.stop()
        self.store.close()
        note("stopped", "the store is closed")

    # --- tables ---

    async def create(
        self,
        rules: TableRules,
        opened: Opened,
        name: str,
        by: tuple[Actor, ...] = (),
        notified: datetime | None = None,
    ) -> Table:
        """Create a table, admitted by its pit, with notice given. Raises ``Problem``."""
        self._check(rules, opened, name)
        self._begun.add(name)
        try:
            ahead, at = PitPosition(), self.clock()
            # The record of a pit begins only with a table that it admits.
            if f"{_PITS}{opened.pit}" in self.store.names:
                pit = await self.pit(opened.pit)
                pit.check_owned()
                pit.check_usage(rules)
                ahead, at = pit.ahead, pit.now()
            header = new_header(rules, _SHUFFLES[opened.cards], with_law=self._with_law)
            command = AdmitTable(name, rules, at, notified, header.stream, self.beside(opened.pit))
            answer = propose_in_pit(ahead, command, Stamp(by), at)
            if isinstance(answer, Refusal):
                if answer.code == "notice":
                    hint = "give the pit notice, or say with notified=TIME when it was given"
                    answer = replace(answer, message=f"{answer.message}; {hint}")
                raise refused(answer, rules.law)
            pit = await self.pit(opened.pit)
            try:
                async with self._begins(name, pit):
                    content = msgspec.json.encode(opened)
                    await self.commits.write(self.store.put, "table", name, content)
                    table = await self._admitted(pit, opened, header, command, Stamp(by))
            except BaseException:
                pit.desks.pop(name, None)
                raise
            self._added(table)
            await self._join(table)
            return table
        finally:
            self._begun.discard(name)

    async def _admitted(
        self, pit: PitDesk, opened: Opened, header: LogHeader, command: AdmitTable, stamp: Stamp
    ) -> Table:
        name = command.table
        line, digest = seal(header_body(header))
        found = Resumed(header, digest, opening_position(header.rules), digest)
        table = await self._made(name, opened, found)
        unit = UnitOfWork()
        table.desk.begin(unit, line)
        pit.check_usage(header.rules)  # another table may have come meanwhile
        pit.desks[name] = table.desk
        at = pit.now()
        command = replace(command, at=at, beside=self.beside(pit.pit))
        answer = pit.do(command, stamp, at, unit)
        if isinstance(answer, Refusal):
            unit.undo()
            raise refused(answer, header.rules.law)
        await unit.add(pit, RecordedAnswer(201, b"", pit.ahead.sequence)).wait()
        return table

    def _check(self, rules: TableRules, opened: Opened, name: str) -> None:
        if _NAME.fullmatch(name) is None:
            raise Problem(
                "malformed", f"table: {name!r} has other than 1 to 40 of A-Z a-z 0-9 . _ -"
            )
        if opened.cards not in CARDS:
            sources = ", ".join(CARDS)
            raise Problem("malformed", f"cards: {opened.cards!r} is none of {sources}")
        if rules.missing:
            raise Problem(
                "refused_submission",
                f"no table can be dealt under {rules.law.title}: the regulation included has no"
                f" rules for {rules.missing_in_words}",
            )
        if opened.cards == "sealed" and rules.elected("device", "continuous"):
            raise Problem(
                "refused_submission",
                "a shoe of the service's own is dealt to its end: a continuous device has none",
            )
        if opened.cards == "sealed" and self.store.is_shared and self._vault is None:
            raise Problem(
                "malformed",
                "cards: sealed shoes of a store that several processes share need a key that all of"
                " them have: serve with --vault-key FILE",
            )
        if name in self.tables or name in self._begun:
            raise Problem("exists", f"there is a table {name}: give it another name")

    @asynccontextmanager
    async def _begins(self, name: str, owner: Recorded[Any, Any]) -> AsyncIterator[None]:
        """Name a record, and remove the name if the request is refused."""
        await self.commits.write(self._begin_stream, name)
        problem: Problem | None = None
        try:
            yield
        except Problem as error:
            problem = error
        if not owner.lost:  # What may be stored after all keeps its name.
            await self.commits.write(self._unbegin_stream, name)
        if problem is not None:
            raise problem

    def _begin_stream(self, name: str) -> None:
        # A stream without a header remains from a record whose creation was interrupted.
        if name not in self.store.names:
            self.store.create(name)

    def _unbegin_stream(self, name: str) -> None:
        with suppress(StoreError):  # A store that fails keeps the name, without a line.
            if not self.store.count(name):
                self.store.discard(name)
                self.store.put("table", name, None)

    # --- pits ---

    async def pit(self, name: str) -> PitDesk:
        """Return a pit; its record is created on first use."""
        if name not in self.pits:
            if _PIT.fullmatch(name) is None:
                raise Problem("malformed", f"pit: {name!r} is not 1 to 40 characters without /")
            stream = f"{_PITS}{name}"
            async with self._pitting:
                if name not in self.pits:
                    await self.commits.write(self._begin_stream, stream)
                    # Another process takes a record that it finds begun and free.
                    epoch = await self._epoch(stream, free=True)
                    await self.commits.write(self._begin_pit, stream, name)
                    await self._add_pit(stream, epoch)
        return self.pits[name]

    async def note(self, pit: str, command: PitCommand, by: tuple[Actor, ...]) -> None:
        """Record an act about a pit, here or at its owner. Raises ``Problem``."""
        # Names of pending notes sort by time.
        key = f"{self.now():013d}-{secrets.token_hex(8)}"
        found = await self.pit(pit)
        if self.leases is None or not found.lost:
            await self.take_notes()
            await found.note(command, by, key)
            return
        actors = [(actor.person, actor.office, actor.device, actor.seat) for actor in by]
        content = dump({"pit": pit, "command": pit_command_data(command), "by": actors})
        await self.commits.write(self.store.put, NOTE, key, content)

    async def take_notes(self) -> None:
        """Record other processes' notes about its pits."""
        if self.leases is None:
            return
        notes = await asyncio.to_thread(self.store.documents, NOTE)
        for key, content in sorted(notes.items()):
            data = from_json(content)
            pit = self.pits.get(data["pit"])
            if pit is None or pit.lost:
                continue
            by = tuple(Actor(*one) for one in data["by"])
            try:
                await pit.note(decode_pit_command(data["command"]), by, key)
            except Problem as problem:
                if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                    continue
                LOG.warning("%s: note %s: %s", pit.name, key, problem)
            await self.commits.write(self.store.put, NOTE, key, None)

    def _begin_pit(self, stream: str, name: str) -> None:
        line, _ = seal(pit_header_body(new_pit_header(name)))
        error = self.store.commit([Append(stream, 0, [line])]).get(stream)
        # Another process may have created it first.
        if error is not None and not isinstance(error, PositionError):
            raise error

    def beside(self, pit: str) -> tuple[OtherTable, ...]:
        """Other pits' tables with elections tied to these."""
        return beside_pit({name: other.ahead.state for name, other in self.pits.items()}, pit)

    async def lines(self, record: str, first: int, last: int) -> list[bytes]:
        return await asyncio.to_thread(lambda: [*self.store.lines(record, first, last)])

    async def entries(self, table: Table, first: int, last: int) -> list[bytes]:
        return await asyncio.to_thread(lambda: [*table.desk.days.lines(first, last)])

    async def end_day(self, table: Table, request: DayEnd, respond: Responder) -> RecordedAnswer:
        desk = table.desk
        async with table.ending:
            record = desk.days.next
            if await desk.kept_answer(request.grant, request.key) is not None:
                return await desk.end_day(request, record, 0, respond)
            desk.check_owned()
            async with self._begins(record, desk):
                answer = await desk.end_day(request, record, await self._epoch(record), respond)
        if request.amendment is not None:
            table.board = None
        if self.heads is not None:
            self.heads.ask()
        return answer

    def seen(self, grant: Grant, name: str) -> Table:
        table = self.tables.get(name)
        if table is None or not grant.covers(table.opened.pit, name):
            raise Problem("not_found", "there is no such table, or it is none of yours")
        return table

    def tables_of(self, grant: Grant) -> Mapping[str, Table]:
        return {
            name: table
            for name, table in self.tables.items()
            if grant.covers(table.opened.pit, name)
        }


@contextmanager
def _refusing_names() -> Iterator[None]:
    try:
        yield
    except NameRefusedError as error:
        raise Problem("malformed", str(error)) from error
