"""A pit of the service: its record, and its orders for tables.

An order is stored with the pit's entry if possible, else with the command that makes it possible.
Its key prevents a second execution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import AdoptElections, Command, OpenTable, ReadMeters, RecordNotice
from croupier.acts.roles import Role
from croupier.law.usage import Usage
from croupier.records.pit_log import (
    READS,
    ResumedPit,
    follow_pit_line,
    meters_moved,
    order_key,
    reading_key,
    readings,
    sealed_pit_entry,
)
from croupier.records.stores.store import Answer
from croupier.rules import TableRules
from croupier.server.desks.commits import Commits
from croupier.server.desks.desk import AmendedDay, Desk
from croupier.server.desks.recorded import (
    KeyedRequest,
    OutcomeOf,
    Recorded,
    RecordedAnswer,
    Responder,
    UnitOfWork,
)
from croupier.server.desks.stock import TAKES_NEW, used_at_another
from croupier.server.http.problems import Problem, refused, status_of_refusal
from croupier.server.logs import LOG
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor, Proposal, Stamp, propose
from croupier.table.machine.session import Clock
from croupier.table.machine.state import Phase
from croupier.table.pit import (
    KEPT,
    AdmitTable,
    ChangeElections,
    GiveNotice,
    LinkMeters,
    MetersLinked,
    MetersUnlinked,
    PitCommand,
    PitPosition,
    PitProposal,
    UnlinkMeters,
    WithdrawTable,
    adoption_at,
    propose_in_pit,
)

PIT: Final = "pit"
"""Pseudo-grant under which tables store their answers to orders of the pit."""
NOTES: Final = "service"
"""Pseudo-grant for entries that the service makes by itself."""
_LATER: Final = {"not_now", "wagers", "paused"}
"""Reasons that only postpone a change at a table."""


class PitRequest(KeyedRequest, frozen=True):
    """A request computed from a pit's position and the time, with parts for pits (``also``)."""

    command: Callable[[PitPosition, datetime], PitCommand]
    by: tuple[Actor, ...]
    expected: int | None = None
    also: Callable[[PitCommand], Mapping[PitDesk, PitCommand]] = lambda _: {}


class Order(Struct):
    """A pit's order for a table, executed by its entry ``done_at``.

    ``place`` distinguishes orders of one entry for one table. ``dropped_at`` is the pit's entry by
    which the table left with the order open.
    """

    sequence: int
    command: Command
    by: tuple[Actor, ...]
    place: int = 0
    done_at: int | None = None
    dropped_at: int | None = None

    @property
    def key(self) -> str:
        return order_key(self.sequence, self.place)


class PitDesk(Recorded[PitPosition, PitProposal]):
    def __init__(  # noqa: PLR0913  (what a pit of the service is made of)
        self,
        name: str,
        found: ResumedPit,
        entries: Sequence[PitProposal],
        *,
        epoch: int,
        commits: Commits,
        clock: Clock,
    ) -> None:
        super().__init__(
            name, found.position, found.head, epoch=epoch, commits=commits, clock=clock
        )
        self.pit: Final = found.header.pit
        self.stream: Final = found.header.stream
        self.desks: Final[dict[str, Desk]] = {}
        self._header: Final = found.header
        self._orders: dict[str, list[Order]] = {}
        for entry in entries:
            self._note(entry)

    @property
    def usage(self) -> Usage:
        return next((desk.ahead.rules.law.usage for desk in self.desks.values()), Usage())

    def check_usage(self, rules: TableRules) -> None:
        if self.desks and rules.law.usage != self.usage:
            raise Problem(
                "refused_submission",
                f"the tables of pit {self.pit} have another currency or other names of offices:"
                " give this one another pit",
            )

    def _sealed(self, previous: str, entry: PitProposal) -> tuple[bytes, str]:
        return sealed_pit_entry(previous, entry)

    # --- requests ---

    def now(self) -> datetime:
        """Time in milliseconds, at least that of the last entry."""
        now = self._clock()
        now -= timedelta(microseconds=now.microsecond % 1000)
        return now if self.ahead.at is None else max(now, self.ahead.at)

    async def ask(self, request: PitRequest, respond: Responder) -> RecordedAnswer:
        return await self._handle(request, partial(self._outcome, request), respond)

    async def note(self, command: PitCommand, by: tuple[Actor, ...], key: str) -> None:
        """Record an act about the pit, once under its key. Raises ``Problem``."""
        found: list[Refusal] = []

        def respond(outcome: OutcomeOf[PitPosition, PitProposal]) -> tuple[int, bytes]:
            found.extend([] if outcome.refusal is None else [outcome.refusal])
            return 200, b""

        request = PitRequest(NOTES, key, sha256(key.encode()).digest(), lambda _, __: command, by)
        try:
            await self.ask(request, respond)
        except Problem as problem:
            if problem.code not in {"not_stored", "disk_full"}:
                raise
            # A note is a part of a request, of which others may have been stored before.
            message = "its note could not be stored: look again, then ask again"
            raise Problem(problem.code, message, retry=1) from problem
        for refusal in found:
            raise Problem(refusal.code, refusal.message, status=status_of_refusal(refusal))

    def _outcome(
        self, request: PitRequest, unit: UnitOfWork
    ) -> OutcomeOf[PitPosition, PitProposal]:
        if request.expected is not None and request.expected != self.ahead.sequence:
            message = f"the pit is at entry {self.ahead.sequence}: look again before you act"
            return OutcomeOf((), self.ahead, Refusal("stale", (), message))
        at = self.now()
        command = request.command(self.ahead, at)
        parts = request.also(command) or {self: command}
        found: dict[PitDesk, PitProposal] = {}
        for pit, part in parts.items():
            answer = pit.proposed(part, Stamp(request.by, request.key), max(at, pit.now()))
            if isinstance(answer, Refusal):
                prefix = "" if pit is self else f"pit {pit.pit}: "
                refusal = replace(answer, message=f"{prefix}{answer.message}")
                return OutcomeOf((), self.ahead, refusal, part)
            found[pit] = answer
        for pit, answer in found.items():
            pit.carry_out(answer, unit)
        return OutcomeOf((found[self],), self.ahead)

    def do(
        self, command: PitCommand, stamp: Stamp, at: datetime, unit: UnitOfWork
    ) -> PitProposal | Refusal:
        answer = self.proposed(command, stamp, at)
        if not isinstance(answer, Refusal):
            self.carry_out(answer, unit)
        return answer

    def proposed(self, command: PitCommand, stamp: Stamp, at: datetime) -> PitProposal | Refusal:
        """Decide a command at the pit, and check that its tables may carry it out."""
        self.check_owned()
        answer = propose_in_pit(self.ahead, command, stamp, at)
        if isinstance(answer, Refusal):
            return answer
        return self._not_lawful(command, tuple(self._orders_of(answer))) or answer

    def admit_again(self, desk: Desk, amendment: AmendedDay, unit: UnitOfWork) -> None:
        rules, by, notified, states_beside = amendment
        at, stream = self.now(), desk.days.all[0].stream
        admits = AdmitTable(desk.name, rules, at, notified, stream, states_beside())
        is_linked = self.ahead.state.links_of(desk.name)
        for command in (admits,) if is_linked else (WithdrawTable(desk.name), admits):
            answer = self.do(command, Stamp(by), at, unit)
            if isinstance(answer, Refusal):
                raise refused(answer, rules.law)

    def carry_out(self, entry: PitProposal, unit: UnitOfWork) -> None:
        self.accept(unit, entry)
        self._note(entry)
        for name in dict.fromkeys(name for name, _ in self._orders_of(entry)):
            self.moved_on(self.desks[name], unit)

    def _not_lawful(
        self, command: PitCommand, orders: Sequence[tuple[str, Order]]
    ) -> Refusal | None:
        if isinstance(command, WithdrawTable) and (desk := self.desks.get(command.table)):
            desk.check_owned()
            if desk.ahead.state.phase is not Phase.CLOSED:
                return Refusal("table_open", (), f"table {command.table} is open: close it first")
        if isinstance(command, AdmitTable) and self.waiting(command.table):
            return self._in_use(command.table, command)
        for name, order in orders:
            desk = self.desks[name]
            desk.check_owned()
            if isinstance(order.command, ReadMeters) and (refusal := self._in_use(name, command)):
                return refusal
            answer = propose(desk.ahead, order.command, Stamp(order.by, order.key), self.now())
            if isinstance(answer, Refusal) and answer.code not in _LATER:
                return replace(answer, message=f"table {name}: {answer.message}")
        return None

    def _in_use(self, name: str, command: PitCommand) -> Refusal | None:
        if self.waiting(name):
            message = f"table {name} has orders of the pit to carry out first: see what waits"
            return Refusal("waiting", (), message)
        if isinstance(command, UnlinkMeters):
            wager = self.ahead.state.links[command.link].wager
            if any(one == wager for _, one in self.desks[name].ahead.state.stakes):
                message = f"wagers on {wager} lie on the layout: they were made for these meters"
                return Refusal("wagers", (), f"table {name}: {message}")
        return None

    # --- orders for tables ---

    def _orders_of(self, entry: PitProposal) -> Iterator[tuple[str, Order]]:
        number, state = entry.after.sequence, entry.after.state
        match entry.command:
            case GiveNotice(elections, to, at):
                for name in state.tables:
                    yield name, Order(number, RecordNotice(elections, to, at), self._by)
            case AdmitTable(table):
                # A table admitted later receives the notices that still apply.
                for place, notice in enumerate(state.notices):
                    command = RecordNotice({notice.rule_id: notice.value}, notice.to, notice.at)
                    yield table, Order(number, command, self._by, place)
            case ChangeElections(tables) as change:
                for name in tables:
                    # The time is that of the table's own entry.
                    adopts = replace(adoption_at(state, change, name), at=None)
                    yield name, Order(number, adopts, self._by)
            case LinkMeters() | UnlinkMeters():
                for name, reads in _readings_of(entry):
                    yield name, Order(number, reads, self._by)

    @property
    def _by(self) -> tuple[Actor, ...]:
        # The person who gave the command is in the pit's record.
        return (Actor(f"pit {self.pit}", Role.MACHINE, self.name),)

    def _note(self, entry: PitProposal) -> None:
        for name, order in self._orders_of(entry):
            self._orders.setdefault(name, []).append(order)
        if isinstance(entry.command, WithdrawTable):
            for order in self.waiting(entry.command.table):
                order.dropped_at = entry.after.sequence

    def waiting(self, name: str) -> list[Order]:
        return [
            order
            for order in self._orders.get(name, ())
            if order.done_at is None and order.dropped_at is None
        ]

    def moved_on(self, desk: Desk, unit: UnitOfWork) -> None:
        for order in self.waiting(desk.name):
            if desk.name not in self.ahead.state.tables:
                return
            answer = desk.order(order.command, Stamp(order.by, order.key), unit)
            if isinstance(answer, Refusal) and answer.code in _LATER:
                return
            order.done_at = desk.ahead.sequence
            if isinstance(answer, Refusal):
                LOG.warning("%s: order %s of the pit: %s", desk.name, order.key, answer.message)
                continue
            # Its answer prevents a second execution.
            digest = sha256(order.key.encode()).digest()
            unit.of(desk).answers.append(Answer(PIT, order.key, digest, 200, b"", self._now_ms()))
            if self.ahead is not self.durable:
                unit.of(self)

    def fell_back(self, desk: Desk) -> None:
        """Reopen orders executed after a table's durable position."""
        for order in self._orders.get(desk.name, ()):
            if order.done_at is not None and order.done_at > desk.ahead.sequence:
                order.done_at = None

    async def join(self, desk: Desk) -> None:
        """Load a table's orders; executed ones are in the store."""
        self.desks[desk.name] = desk
        desk.of_pit = self
        if desk.lost or self.lost:
            return
        for order in self.waiting(desk.name):
            if await desk.has_done(PIT, order.key):
                order.done_at = 0
        unit = UnitOfWork()
        self.moved_on(desk, unit)
        if unit.changes(desk):
            await unit.add(desk, RecordedAnswer(200, b"", desk.ahead.sequence)).wait()

    # --- checks of table commands ---

    def keeps(self, command: Command) -> Refusal | None:
        """Refusal of a command that is reserved to the pit."""
        if not isinstance(command, KEPT):
            return None
        if isinstance(command, ReadMeters):
            message = f"what linked meters show is pit {self.pit}'s: a table reads it by itself"
            return Refusal("of_pit", (), message)
        instead = "ChangeElections" if isinstance(command, AdoptElections) else "GiveNotice"
        message = f"elections and notices are the pit's: send {instead} to pit {self.pit}"
        return Refusal("of_pit", (), message)

    def refuses(self, desk: Desk, command: Command, unit: UnitOfWork) -> Refusal | None:
        """Refusal of a command that must wait for the pit."""
        if isinstance(command, OpenTable):
            # Commands decided by the pit depend on the pit's stored entries.
            unit.of(self)
            if desk.name not in self.ahead.state.tables:
                message = f"table {desk.name} is not in use in pit {self.pit}: admit it first"
                return Refusal("not_in_pit", (), message)
        if not isinstance(command, TAKES_NEW):
            return None
        others = {name: one.ahead.state for name, one in self.desks.items() if name != desk.name}
        found = used_at_another(command, desk.ahead.rules, others)
        if found is None:
            return None
        name, refusal = found
        unit.of(self.desks[name])
        return refusal

    # --- linked meters ---

    def reads(
        self, desk: Desk, command: Command, unit: UnitOfWork
    ) -> Sequence[tuple[Command, Stamp]]:
        """Return readings of linked meters to be entered before a command."""
        state = self.ahead.state
        if not state.links or not isinstance(command, READS):
            return ()
        # Everything after this depends on the pit's stored entries.
        unit.of(self)
        stamp = Stamp(self._by, reading_key(self.ahead.sequence))
        return [(reading, stamp) for reading in readings(state, desk.name, desk.ahead, command)]

    def moves(self, desk: Desk, entry: Proposal) -> Sequence[PitProposal] | Refusal:
        """Pit entries stored with a table's settlement."""
        if not self.ahead.state.links:
            return ()
        found: list[PitProposal] = []
        at = self.ahead
        stamp = Stamp((Actor(f"table {desk.name}", Role.MACHINE, desk.name),))
        for command in meters_moved(desk.name, desk.stream, entry):
            answer = propose_in_pit(at, command, stamp, self.now())
            if isinstance(answer, Refusal):
                return answer
            found.append(answer)
            at = answer.after
        return found

    # --- commits ---

    def back_to(self, position: PitPosition, head: str) -> None:
        super().back_to(position, head)
        last_entry = self.ahead.sequence
        for name, orders in self._orders.items():
            self._orders[name] = [order for order in orders if order.sequence <= last_entry]
            for order in orders:
                if order.dropped_at is not None and order.dropped_at > last_entry:
                    order.dropped_at = None

    def read_on(self) -> tuple[ResumedPit, list[PitProposal]]:
        found = ResumedPit(self._header, self.durable, self.head)
        begin = self.durable.sequence + 1
        lines = self._commits.store.lines(self.name, begin)
        steps = [
            follow_pit_line(f"{self.name}:{number}", found, line)
            for number, line in enumerate(lines, begin + 1)
        ]
        return found, [step for step in steps if step is not None]

    def follow(self, found: ResumedPit, entries: Sequence[PitProposal]) -> bool:
        if not super().follow(found, entries):
            return False
        for entry in entries:
            self._note(entry)
        return True


def _readings_of(entry: PitProposal) -> Iterator[tuple[str, ReadMeters]]:
    for event in entry.events:
        if isinstance(event, MetersLinked):
            for name in event.tables:
                yield name, ReadMeters(event.link, event.shown)
        elif isinstance(event, MetersUnlinked):
            yield event.table, ReadMeters("", event.shown)
