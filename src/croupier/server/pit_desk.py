"""One pit of the service: its own record, and its say in what its tables do.

An order of the pit, such as a notice or a change of elections, goes into the record of each table
that it is for, under a key that names the pit's entry. What can be done at once is stored in the
same transaction as the pit's entry; what waits for its moment is in the pit's record, and is done
with the command that brings the moment, or after a restart. The key has it done once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import (
    AdoptElections,
    Command,
    OpenTable,
    ReadMeters,
    RecordNotice,
)
from croupier.acts.roles import Role
from croupier.records.pit_log import ResumedPit, follow_pit_line, order_key, sealed_pit_entry
from croupier.records.pit_meters import READS, meters_moved, reading_key, readings
from croupier.records.store import Answer
from croupier.records.stream import StoreError
from croupier.server.commits import Commits, Item
from croupier.server.desk import Desk
from croupier.server.problems import Problem, status_of_refusal
from croupier.server.recorded import CameOf, Recorded, Together, Told, Written
from croupier.server.stock import TAKES_NEW, used_at_another
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

_LOG: Final = logging.getLogger("croupier.server")

PIT: Final = "pit"
"""The name under which a table's answers to orders of its pit are kept."""
NOTES: Final = "service"
"""The name under which it is kept what the service has recorded by itself."""
_LATER: Final = {"not_now", "wagers", "paused"}
"""Why a table does not adopt a change at once, though it will."""


class PitAsked(NamedTuple):
    """One request: a command of a grant, made of where the pit stands and of the time."""

    grant: str
    key: str
    digest: bytes
    command: Callable[[PitPosition, datetime], PitCommand]
    by: tuple[Actor, ...]
    expected: int | None = None


class Order(Struct):
    """What a table is to do by an entry of its pit; ``done_at`` is the table's entry that did.

    ``place`` tells orders of one entry for one table apart. ``dropped_at`` is the entry of the pit
    by which the table left it with this still to do.
    """

    sequence: int
    command: Command
    by: tuple[Actor, ...]
    place: int = 0
    done_at: int | None = None
    dropped_at: int | None = None

    @property
    def key(self) -> str:
        """The key of the table's entry, which names the entry of the pit."""
        return order_key(self.sequence, self.place)


class PitDesk(Recorded[PitPosition, PitProposal]):
    """A pit of the service."""

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
        super().__init__(name, found, epoch=epoch, commits=commits, clock=clock)
        self.pit: Final = found.header.pit
        self.stream: Final = found.header.stream
        self.desks: Final[dict[str, Desk]] = {}
        """Its tables, by name, admitted or not."""
        self._header: Final = found.header
        self._orders: dict[str, list[Order]] = {}
        for entry in entries:
            self._note(entry)

    def _sealed(self, previous: str, entry: PitProposal) -> tuple[bytes, str]:
        return sealed_pit_entry(previous, entry)

    # --- asking ---

    def now(self) -> datetime:
        """Return the time of an entry made now: in milliseconds, and never before the last."""
        now = self._clock()
        now -= timedelta(microseconds=now.microsecond % 1000)
        return now if self.ahead.at is None else max(now, self.ahead.at)

    async def ask(self, asked: PitAsked, written: Written) -> Told:
        """Answer a request once what came of it is durable, at the pit and at its tables."""
        return await self._answered(asked, partial(self._outcome, asked), written)

    async def note(self, command: PitCommand, by: tuple[Actor, ...], key: str) -> None:
        """Record something that was done about the pit, once under its key.

        Raises ``Problem`` if it is refused, or cannot be stored.
        """
        found: list[Refusal] = []

        def written(outcome: CameOf[PitPosition, PitProposal]) -> tuple[int, bytes]:
            found.extend([] if outcome.refusal is None else [outcome.refusal])
            return 200, b""

        asked = PitAsked(NOTES, key, sha256(key.encode()).digest(), lambda _, __: command, by)
        await self.ask(asked, written)
        for refusal in found:
            raise Problem(refusal.code, refusal.message, status=status_of_refusal(refusal))

    def _outcome(self, asked: PitAsked, together: Together) -> CameOf[PitPosition, PitProposal]:
        if asked.expected is not None and asked.expected != self.ahead.sequence:
            message = f"the pit is at entry {self.ahead.sequence}: look again before you act"
            return CameOf((), self.ahead, Refusal("stale", (), message))
        at = self.now()
        command = asked.command(self.ahead, at)
        answer = self.do(command, Stamp(asked.by, asked.key), at, together)
        if isinstance(answer, Refusal):
            return CameOf((), self.ahead, answer, command)
        return CameOf((answer,), self.ahead)

    def do(
        self, command: PitCommand, stamp: Stamp, at: datetime, together: Together
    ) -> PitProposal | Refusal:
        """Carry out a command at the pit, and at its tables as far as their moment has come."""
        self.check_owned()
        answer = propose_in_pit(self.ahead, command, stamp, at)
        if isinstance(answer, Refusal):
            return answer
        orders = tuple(self._orders_of(answer))
        if refusal := self._not_lawful(command, orders):
            return refusal
        self.accept(together, answer)
        self._note(answer)
        for name in dict.fromkeys(name for name, _ in orders):
            self.moved_on(self.desks[name], together)
        return answer

    def _not_lawful(
        self, command: PitCommand, orders: Sequence[tuple[str, Order]]
    ) -> Refusal | None:
        """Refuse a command as a whole if it is not lawful at one of the tables it is for."""
        if isinstance(command, WithdrawTable) and (desk := self.desks.get(command.table)):
            desk.check_owned()
            if desk.ahead.state.phase is not Phase.CLOSED:
                return Refusal("table_open", (), f"table {command.table} is open: close it first")
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
        """Say why the meters of a table are not linked, or unlinked, at this moment."""
        if self.waiting(name):
            message = f"table {name} has orders of the pit to carry out first: see what waits"
            return Refusal("waiting", (), message)
        if isinstance(command, UnlinkMeters):
            wager = self.ahead.state.links[command.link].wager
            if any(one == wager for _, one in self.desks[name].ahead.state.stakes):
                message = f"wagers on {wager} lie on the layout: they were made for these meters"
                return Refusal("wagers", (), f"table {name}: {message}")
        return None

    # --- what the tables are to do ---

    def _orders_of(self, entry: PitProposal) -> Iterator[tuple[str, Order]]:
        """Yield what tables are to do by an entry, each with the table's name."""
        number, state = entry.after.sequence, entry.after.state
        match entry.command:
            case GiveNotice(elections, to, at):
                for name in state.tables:
                    yield name, Order(number, RecordNotice(elections, to, at), self._by)
            case AdmitTable(table):
                # Whoever comes later is told of the notices that still stand.
                for place, one in enumerate(state.notices):
                    told = RecordNotice({one.rule_id: one.value}, one.to, one.at)
                    yield table, Order(number, told, self._by, place)
            case ChangeElections(tables) as change:
                for name in tables:
                    # The moment is that of the table's own entry.
                    adopts = replace(adoption_at(state, change, name), at=None)
                    yield name, Order(number, adopts, self._by)
            case LinkMeters() | UnlinkMeters():
                for name, reads in _readings_of(entry):
                    yield name, Order(number, reads, self._by)

    @property
    def _by(self) -> tuple[Actor, ...]:
        """Who acts at a table by an order: who gave the command is in the pit's record."""
        return (Actor(f"pit {self.pit}", Role.MACHINE, self.name),)

    def _note(self, entry: PitProposal) -> None:
        """Take note of what an entry has tables do."""
        for name, order in self._orders_of(entry):
            self._orders.setdefault(name, []).append(order)
        if isinstance(entry.command, WithdrawTable):
            for order in self.waiting(entry.command.table):
                order.dropped_at = entry.after.sequence

    def waiting(self, name: str) -> list[Order]:
        """Return what a table is still to do, in order."""
        return [
            one
            for one in self._orders.get(name, ())
            if one.done_at is None and one.dropped_at is None
        ]

    def moved_on(self, desk: Desk, together: Together) -> None:
        """Give a table what is ordered, in order, as far as its moment has come."""
        for order in self.waiting(desk.name):
            if desk.name not in self.ahead.state.tables:
                return
            answer = desk.order(order.command, Stamp(order.by, order.key), together)
            if isinstance(answer, Refusal) and answer.code in _LATER:
                return
            order.done_at = desk.ahead.sequence
            if isinstance(answer, Refusal):
                _LOG.warning("%s: order %s of the pit: %s", desk.name, order.key, answer.message)
                continue
            together.of(desk).answers.append(self._answer(order))
            if self.ahead is not self.durable:
                together.of(self)

    def _answer(self, order: Order) -> Answer:
        """Return the answer that keeps an order from being done twice."""
        digest = sha256(order.key.encode()).digest()
        return Answer(PIT, order.key, digest, 200, b"", self._now_ms())

    def fell_back(self, desk: Desk) -> None:
        """Take note that a table stands where it stood, and is to do again what it had done."""
        for order in self._orders.get(desk.name, ()):
            if order.done_at is not None and order.done_at > desk.ahead.sequence:
                order.done_at = None

    async def join(self, desk: Desk) -> None:
        """Have a table do what it is to do from now on; what it has done is in the store."""
        self.desks[desk.name] = desk
        desk.of_pit = self
        if desk.lost or self.lost:
            return
        for order in self.waiting(desk.name):
            if await desk.has_done(PIT, order.key):
                order.done_at = 0
        together = Together()
        self.moved_on(desk, together)
        if together.changes(desk):
            await together.add(desk, Told(200, b"", desk.ahead.sequence)).wait()

    # --- its say in what a table does ---

    def keeps(self, command: Command) -> Refusal | None:
        """Say why a command is the pit's, and none of a table's."""
        if not isinstance(command, KEPT):
            return None
        if isinstance(command, ReadMeters):
            message = f"what linked meters show is pit {self.pit}'s: a table reads it by itself"
            return Refusal("of_pit", (), message)
        instead = "ChangeElections" if isinstance(command, AdoptElections) else "GiveNotice"
        message = f"elections and notices are the pit's: send {instead} to pit {self.pit}"
        return Refusal("of_pit", (), message)

    def refuses(self, desk: Desk, command: Command, together: Together) -> Refusal | None:
        """Say why a command waits, though the rules of the table would allow it."""
        if isinstance(command, OpenTable):
            # What is decided by the pit rests on what the pit has stored.
            together.of(self)
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
        together.of(self.desks[name])
        return refusal

    # --- meters that its tables share ---

    def reads(
        self, desk: Desk, command: Command, together: Together
    ) -> Sequence[tuple[Command, Stamp]]:
        """Return what a table reads of linked meters before a command, each with its stamp."""
        state = self.ahead.state
        if not state.links or not isinstance(command, READS):
            return ()
        # What follows rests on what the pit has stored.
        together.of(self)
        stamp = Stamp(self._by, reading_key(self.ahead.sequence))
        return [(one, stamp) for one in readings(state, desk.name, desk.ahead, command)]

    def moves(self, desk: Desk, entry: Proposal) -> Sequence[PitProposal] | Refusal:
        """Return what the pit takes over from a settlement at a table, to be stored with it."""
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

    # --- what becomes of it ---

    def back_to(self, position: PitPosition, head: str) -> None:
        """Stand where the pit stood before a request."""
        super().back_to(position, head)
        self._forget_orders()

    def failed(self, items: Sequence[Item], error: StoreError) -> None:
        """Go back to what is durable, and with it to what was ordered."""
        super().failed(items, error)
        self._forget_orders()

    def _forget_orders(self) -> None:
        last = self.ahead.sequence
        for name, orders in self._orders.items():
            self._orders[name] = [one for one in orders if one.sequence <= last]
            for one in orders:
                if one.dropped_at is not None and one.dropped_at > last:
                    one.dropped_at = None

    def read_on(self) -> tuple[ResumedPit, list[PitProposal]]:
        """Return where the record stands beyond this position, and the entries in between."""
        found = ResumedPit(self._header, self.durable, self.head)
        begin = self.durable.sequence + 1
        lines = self._commits.store.lines(self.name, begin)
        steps = [
            follow_pit_line(f"{self.name}:{number}", found, line)
            for number, line in enumerate(lines, begin + 1)
        ]
        return found, [one for one in steps if one is not None]

    def follow(self, found: ResumedPit, entries: Sequence[PitProposal]) -> bool:
        """Move on to where the record stands; return whether it went on from this position."""
        if not super().follow(found, entries):
            return False
        for entry in entries:
            self._note(entry)
        return True


def _readings_of(entry: PitProposal) -> Iterator[tuple[str, ReadMeters]]:
    """Yield what tables read as their meters are linked, or unlinked."""
    for event in entry.events:
        if isinstance(event, MetersLinked):
            for name in event.tables:
                yield name, ReadMeters(event.link, event.shown)
        elif isinstance(event, MetersUnlinked):
            yield event.table, ReadMeters("", event.shown)
