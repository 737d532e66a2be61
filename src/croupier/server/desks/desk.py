"""A table of the service: requests are decided in memory, stored, and then answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import Command, OtherTable, PauseTable, WriteNote
from croupier.acts.command import TERMS
from croupier.acts.roles import Role, includes
from croupier.records.carried import carried_over, under_rules, under_way
from croupier.records.entry import last_body, seal, sealed_entry
from croupier.records.grants import Grant
from croupier.records.header import header_body, new_header
from croupier.records.log import Resumed, begun, follow_line
from croupier.records.stores.snapshot import is_due, snapshot
from croupier.records.stores.store import Answer
from croupier.records.stores.stream import StoreError
from croupier.rules import TableRules
from croupier.server.desks.commits import Commits, Item
from croupier.server.desks.days import Days
from croupier.server.desks.recorded import (
    KeyedRequest,
    OutcomeOf,
    Recorded,
    RecordedAnswer,
    Responder,
    UnitOfWork,
)
from croupier.server.http.problems import Problem, refused
from croupier.server.logs import LOG
from croupier.server.views import asks_of_closed
from croupier.table.machine import hooks
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor, Position, Proposal, Stamp, propose
from croupier.table.machine.session import Clock
from croupier.table.people.duty import Duty
from croupier.table.people.offices import may
from croupier.table.pit import PitProposal

SNAPSHOT_EVERY: Final = 500
_LONGEST_NOTE: Final = 500
_PASSING: Final = {"consent_needed", "wagers", "paused"}
"""Refusals that may be over soon; the other moments of a round do not come again."""


Late = Callable[[Position], Command]
"""A command computed from the position at which it is decided."""


class CardFromShoe(NamedTuple):
    """A command that draws from a sealed shoe, first decided with a placeholder card."""

    stand_in: Late
    drawn: Late


class _Decided(NamedTuple):
    read: Sequence[Proposal]
    answer: Proposal
    moves: Sequence[PitProposal]


TableOutcome: TypeAlias = OutcomeOf[Position, Proposal]


class TableRequest(KeyedRequest, frozen=True):
    """A request: commands of a grant under an idempotency key, at entry ``expected``.

    ``ends_after_one`` returns whether a position allows only the first of the commands.
    """

    commands: Sequence[Command | Late | CardFromShoe]
    by: Callable[[Command, Position], tuple[Actor, ...]]
    expected: int | None = None
    corrects: int | None = None
    ends_after_one: Callable[[Position], bool] = lambda _: False


class AmendedDay(NamedTuple):
    """Rules under an amended text, from the next gaming day on; the rest as in ``AdmitTable``."""

    rules: TableRules
    by: tuple[Actor, ...]
    notified: datetime | None
    beside: Callable[[], tuple[OtherTable, ...]]


class DayEnd(KeyedRequest, frozen=True):
    amendment: AmendedDay | None = None


def actors(grant: Grant, command: Command, position: Position) -> tuple[Actor, ...]:
    """Return the grant's holder, and the patron for whom a dealer acts."""
    row = TERMS[type(command).__name__]
    if grant.office == Role.DEALER and Role.PATRON in row.does and Role.DEALER not in row.does:
        seat = getattr(command, "seat", None)
        patron = position.state.seats.get(seat) if isinstance(seat, int) else None
        if patron is not None:
            return _for_patron(grant, patron.name, seat)
    return _alone(grant)


@lru_cache(4096)
def _alone(grant: Grant) -> tuple[Actor, ...]:
    return (grant.actor,)


@lru_cache(4096)
def _for_patron(grant: Grant, patron: str, seat: int) -> tuple[Actor, ...]:
    actor = grant.actor
    return Actor(patron, Role.PATRON, actor.device, seat), actor


def completed(data: dict[str, Any], grant: Grant) -> dict[str, Any]:
    """Fill in a command's missing names from the grant."""
    row = TERMS.get(str(data.get("type")))
    if row is None or not row.names:
        return data
    own = [name for name, office in row.names.items() if includes(grant.office, office)]
    lacking = [name for name in own if name not in data]
    # Of two persons in one office, the one follows once the other is named.
    if len(lacking) != 1 or grant.person in map(data.get, own):
        return data
    return {lacking[0]: grant.person, **data}


def dealing_actor(position: Position, device: str) -> tuple[Actor, ...]:
    """Curator with the shoe, or the dealer."""
    state = position.state
    seat = hooks.seat_that_deals.ask(state)
    if seat is not None and seat in state.seats:
        return (Actor(state.seats[seat].name, Role.PATRON, device, seat),)
    dealers = state[Duty].persons(Role.DEALER)
    return (Actor(dealers[0], Role.DEALER, device),) if dealers else ()


class PitOfTable(Protocol):
    def keeps(self, command: Command) -> Refusal | None: ...
    def refuses(self, desk: Desk, command: Command, unit: UnitOfWork) -> Refusal | None: ...
    def check_owned(self) -> None: ...
    def reads(
        self, desk: Desk, command: Command, unit: UnitOfWork
    ) -> Sequence[tuple[Command, Stamp]]: ...
    def moves(self, desk: Desk, entry: Proposal) -> Sequence[PitProposal] | Refusal: ...
    def accept(self, unit: UnitOfWork, entry: PitProposal) -> None: ...
    def moved_on(self, desk: Desk, unit: UnitOfWork) -> None: ...
    def admit_again(self, desk: Desk, amendment: AmendedDay, unit: UnitOfWork) -> None: ...
    def fell_back(self, desk: Desk) -> None: ...


class Desk(Recorded[Position, Proposal]):
    def __init__(  # noqa: PLR0913  (what a table of the service is made of)
        self,
        days: Days,
        record: str,
        found: Resumed,
        *,
        pit: str,
        epoch: int,
        commits: Commits,
        clock: Clock,
    ) -> None:
        super().__init__(
            days.table, found.position, found.head, epoch=epoch, commits=commits, clock=clock
        )
        self.pit: Final = pit
        self.days: Final = days
        """Its records; the last one is current."""
        self.ending = False
        """Whether its record is ending; requests in between are retried."""
        self.of_pit: PitOfTable | None = None
        self._goes_on(record, found)

    def _goes_on(self, record: str, found: Resumed) -> None:
        self.days.begin(record, found.header)
        self.record, self.before = record, found.header.before
        self._header, self._seal = found.header, found.seal
        self._snapped = found.position.sequence
        self._snapshot_size = 0

    @property
    def rules(self) -> TableRules:
        """The rules at the start of its record."""
        return self._header.rules

    @property
    def stream(self) -> str:
        return self._header.stream

    def _sealed(self, previous: str, entry: Proposal) -> tuple[bytes, str]:
        return sealed_entry(previous, entry)

    # --- requests ---

    async def ask(self, request: TableRequest, respond: Responder) -> RecordedAnswer:
        """Answer a request, once however often it comes, when durable. Raises ``Problem``."""
        return await self._handle(request, partial(self._outcome, request), respond)

    def _outcome(self, request: TableRequest, unit: UnitOfWork) -> TableOutcome:
        if request.expected is not None and request.expected != self.ahead.sequence:
            message = f"the table is at entry {self.ahead.sequence}: look again before you act"
            return OutcomeOf((), self.ahead, Refusal("stale", (), message))
        # All commands of a request have the same time.
        part, at = unit.of(self), self._clock()
        commands = request.commands[: 1 if request.ends_after_one(self.ahead) else None]
        for place, item in enumerate(commands):
            maker = item.stand_in if isinstance(item, CardFromShoe) else item
            command = maker if isinstance(maker, Command) else maker(self.ahead)
            key = f"{request.key}-{place}" if len(commands) > 1 else request.key
            stamp = Stamp(request.by(command, self.ahead), key, request.corrects)
            decision = self._closed_to(command, stamp.by) or self._decided(command, stamp, unit, at)
            if isinstance(item, CardFromShoe) and isinstance(decision, _Decided):
                decision = self._decided(item.drawn(self.ahead), stamp, unit, at)
                if isinstance(decision, Refusal):
                    decision = Refusal("no_shoe", (), "the shoe gives no card that can be dealt")
            if isinstance(decision, Refusal):
                return OutcomeOf(tuple(part.entries), self.ahead, decision, command)
            self._carry_out(decision, unit)
        return OutcomeOf(tuple(part.entries), self.ahead)

    async def kept_answer(self, grant: str, key: str) -> Answer | None:
        """Answer kept under a key of this gaming day or the one before."""
        for day in reversed(self.days.all[-2:]):
            found = await self._commits.answer(day.record, grant, key)
            if found is not None:
                return found
        return None

    async def has_done(self, grant: str, key: str) -> bool:
        for day in reversed(self.days.all):
            if await self._commits.answer(day.record, grant, key) is not None:
                return True
        return False

    async def end_day(
        self, request: DayEnd, record: str, epoch: int, respond: Responder
    ) -> RecordedAnswer:
        """End a gaming day and begin the next, as stream ``record``, in one transaction."""
        return await self._handle(request, partial(self._ended, request, record, epoch), respond)

    def _ended(self, request: DayEnd, record: str, epoch: int, unit: UnitOfWork) -> TableOutcome:
        if reason := under_way(self.ahead):
            return OutcomeOf((), self.ahead, Refusal("day_under_way", (), reason))
        if request.amendment is not None:
            self._amend(request.amendment, unit)
        line, head_of_day = seal(last_body(self.ahead.sequence, self._head))
        unit.of(self).lines.append(line)
        opening = carried_over(self.stream, head_of_day, self.ahead)
        if request.amendment is not None:
            opening = under_rules(opening, request.amendment.rules)
        rules, shuffle = opening.position.rules, self._header.shuffle
        header = new_header(
            rules, shuffle, continues=opening, with_law=self._header.stored is not None
        )
        self._head, self.ending = head_of_day, True
        line, head = seal(header_body(header))
        found = Resumed(header, head, header.opening, head)
        unit.add_record(_NextDay(self, record, epoch, found), [line])
        return OutcomeOf((), self.ahead)

    def _amend(self, amendment: AmendedDay, unit: UnitOfWork) -> None:
        """Name an amendment at the day's end, and have the pit admit the table under it."""
        law = amendment.rules.law
        try:
            found = under_rules(carried_over(self.stream, "", self.ahead), amendment.rules).amended
        except ValueError as error:
            raise Problem("no_amendment", str(error)) from error
        if found is None:
            raise Problem("no_amendment", "the rules are those that the table has")
        if self.of_pit is None:
            raise Problem("not_owner", f"{self.name}: another process has its pit: ask that one")
        self.of_pit.admit_again(self, amendment, unit)
        changes = ", ".join(found.changes) or "no rule of this table"
        text = f"From the next gaming day the law is {law.key} instead of {found.law}: {changes}"
        stamp = Stamp((Actor("the service", Role.MACHINE, amendment.by[0].device),))
        answer = propose(self.ahead, WriteNote(text[:_LONGEST_NOTE]), stamp, self._clock())
        if isinstance(answer, Refusal):
            raise refused(answer, law)
        self.accept(unit, answer)

    def turn(self, record: str, epoch: int, found: Resumed) -> None:
        """Continue with the next gaming day's durable record."""
        self._commits.after(partial(self._commits.store.keep, self.record, None))
        self._goes_on(record, found)
        self.epoch, self.ending, self.finished = epoch, False, False
        self.ahead = self.durable = found.position
        self._head = self.head = found.head

    def _decided(
        self, command: Command, stamp: Stamp, unit: UnitOfWork, now: datetime | None
    ) -> _Decided | Refusal:
        if self.ending:
            return Refusal("not_now", (), "the record of the gaming day ends: ask again")
        pit, readings = self.of_pit, self._read(command, unit, now)
        at = readings[-1].after if readings else self.ahead
        answer = propose(at, command, stamp, now)
        denial = None if pit is None else pit.keeps(command)
        if isinstance(answer, Refusal) and answer.code == "consent_needed":
            # Nobody is asked to consent to what the table would refuse.
            agreed = self._decided(command, replace(stamp, by=()), unit, now)
            return agreed if isinstance(agreed, Refusal) else answer
        if isinstance(answer, Refusal):
            return answer if denial is None or answer.code == "not_your_office" else denial
        if pit is None:
            return _Decided(readings, answer, ())
        moves = denial or pit.refuses(self, command, unit) or pit.moves(self, answer)
        return moves if isinstance(moves, Refusal) else _Decided(readings, answer, moves)

    def _carry_out(self, decision: _Decided, unit: UnitOfWork) -> None:
        for entry in (*decision.read, decision.answer):
            self.accept(unit, entry)
        if self.of_pit is not None:
            for move in decision.moves:
                self.of_pit.accept(unit, move)
            self.of_pit.moved_on(self, unit)

    def _read(self, command: Command, unit: UnitOfWork, now: datetime | None) -> list[Proposal]:
        readings: list[Proposal] = []
        at = self.ahead
        commands = () if self.of_pit is None else self.of_pit.reads(self, command, unit)
        for reading_command, stamp in commands:
            reading = propose(at, reading_command, stamp, now)
            # The pit refuses a settlement whose readings were not taken.
            if isinstance(reading, Proposal):
                readings.append(reading)
                at = reading.after
        return readings

    def order(self, command: Command, stamp: Stamp, unit: UnitOfWork) -> Proposal | Refusal:
        if self.ending:
            return Refusal("not_now", (), "the record of the gaming day ends: wait")
        answer = propose(self.ahead, command, stamp, self._clock())
        if isinstance(answer, Proposal):
            self.accept(unit, answer)
        return answer

    def _closed_to(self, command: Command, by: tuple[Actor, ...]) -> Refusal | None:
        """Refuse a command about a face-down card, after a check of the actor's office."""
        refusal, at = asks_of_closed(self.ahead, command), self.ahead
        if refusal is None:
            return None
        barred = may(at.state, command, by, at.rules, at.house)
        return barred if barred is not None and barred.code != "consent_needed" else refusal

    def over(self, command: Command, by: tuple[Actor, ...]) -> Refusal | None:
        """Refuse an act that waits for a consent; ``None`` if it may soon be done with one."""
        found = self._decided(command, Stamp(by), UnitOfWork(), self._clock())
        if self.ending or not isinstance(found, Refusal) or found.code in _PASSING:
            return None
        return found

    def enter(self, command: Command, stamp: Stamp) -> Proposal | Refusal:
        """Store the service's own command without waiting; check ``settled`` first."""
        unit = UnitOfWork()
        decision = self._decided(command, stamp, unit, self._clock())
        if isinstance(decision, Refusal):
            return decision
        self._carry_out(decision, unit)
        unit.add(self, RecordedAnswer(200, b"", self.ahead.sequence))
        return decision.answer

    def pause(self, reason: str, device: str) -> None:
        stamp = Stamp((Actor("the service", Role.MACHINE, device),))
        answer = self.enter(PauseTable(reason), stamp)
        if not isinstance(answer, Proposal):
            LOG.error("%s: it could not be paused: %s", self.name, answer.message)

    # --- commits ---

    def check_owned(self) -> None:
        super().check_owned()
        if self.ending:
            message = f"{self.name}: the record of its gaming day ends now: ask again"
            raise Problem("not_owner", message, retry=1)
        if self.of_pit is not None:
            self.of_pit.check_owned()

    def back_to(self, position: Position, head: str) -> None:
        super().back_to(position, head)
        self.ending = False
        if self.of_pit is not None:
            self.of_pit.fell_back(self)

    def _notify(self, entries: Sequence[Proposal]) -> None:
        super()._notify(entries)
        entries_since = self.durable.sequence - self._snapped
        if is_due(entries_since, SNAPSHOT_EVERY, self._snapshot_size):
            self._snapped = self.durable.sequence
            self._commits.after(partial(self.snap, self.durable, self.head))

    def read_on(self) -> tuple[Resumed, list[Proposal]]:
        """Newer stored position and the entries before it. Raises ``LogError``."""
        store, record = self._commits.store, self.record
        found = Resumed(self._header, self._seal, self.durable, self.head, closed=self.finished)
        if self.finished and self.days.next in store.names:
            record = self.days.next
            first = next(store.lines(record, 0, 0), None)
            if first is None:
                return found, []
            found = begun(record, first)
        entries = []
        begin = found.position.sequence - found.header.before + 1
        for number, line in enumerate(store.lines(record, begin), begin + 1):
            step = follow_line(f"{record}:{number}", found, line)
            if step is not None:
                entries.append(step)
        return found, entries

    def follow(self, found: Resumed, entries: Sequence[Proposal]) -> bool:
        if found.header is not self._header and self.lost and not self.under_way:
            opening = found.header.opening
            self.turn(self.days.next, 0, Resumed(found.header, found.seal, opening, found.seal))
        return super().follow(found, entries)

    def snap(self, position: Position, head: str) -> None:
        """Save a durable position's snapshot. Runs in the writer thread."""
        if position.sequence > self.before:
            line = snapshot(self._seal, position, head)
            self._commits.store.keep(self.record, line)
            self._snapshot_size = len(line)


class _NextDay(Struct, eq=False, frozen=True):
    desk: Desk
    record: str
    epoch: int
    found: Resumed

    def committed(self, items: Sequence[Item]) -> None:
        del items
        self.desk.turn(self.record, self.epoch, self.found)

    def failed(self, items: Sequence[Item], error: StoreError) -> None:
        """Keep the table at its current record, which was not ended either."""
