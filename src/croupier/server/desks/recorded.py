"""A record of the service: decided in memory, stored, and then answered.

``ahead`` is the position after all pending items, ``durable`` the stored one. A refusal is an item
too: it is answered once everything that it depends on is durable.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from croupier.records.stores.store import (
    Answer,
    FencedError,
    FullError,
    InDoubtError,
    KeyTakenError,
    RefusalKept,
    UnreachableError,
)
from croupier.records.stores.stream import PositionError, StoreError
from croupier.server.desks.commits import Commits, Item, Source
from croupier.server.http.problems import Problem, no_store
from croupier.table.machine.core import Refusal
from croupier.table.machine.session import Clock


class At(Protocol):
    @property
    def sequence(self) -> int: ...


P = TypeVar("P", bound=At)
E = TypeVar("E", bound="Entered")


class Entered(Protocol):
    @property
    def after(self) -> Any: ...


class KeyedRequest(Struct, frozen=True):
    """A request under an idempotency key of a grant; ``digest`` is its SHA-256."""

    grant: str
    key: str
    digest: bytes


class OutcomeOf(NamedTuple, Generic[P, E]):
    """A request's entries, and the command and refusal that ended it."""

    entries: tuple[E, ...]
    position: P
    refusal: Refusal | None = None
    refused: Any = None


class RecordedAnswer(NamedTuple):
    """A response; ``again`` if it repeats an earlier one."""

    status: int
    body: bytes
    sequence: int
    again: bool = False


Responder = Callable[[OutcomeOf[Any, Any]], tuple[int, bytes]]
"""Creates the response to an outcome: status and body."""


class _Part(Struct, eq=False):
    begin: Any
    head: str
    expected: int
    lines: list[bytes] = []
    entries: list[Any] = []
    answers: list[Answer] = []
    refused: RefusalKept | None = None


class UnitOfWork:
    """One request's changes at several records, stored all or none."""

    def __init__(self) -> None:
        self._parts: dict[Recorded[Any, Any], _Part] = {}
        self._begins: list[tuple[Source, Sequence[bytes]]] = []

    def add_record(self, source: Source, lines: Sequence[bytes]) -> None:
        """Add a new record with its first lines."""
        self._begins.append((source, lines))

    def of(self, record: Recorded[Any, Any]) -> _Part:
        """Return a record's changes, which become a dependency of the request."""
        part = self._parts.get(record)
        if part is None:
            part = self._parts[record] = record.part()
        return part

    def changes(self, record: Recorded[Any, Any]) -> bool:
        return record in self._parts and bool(self._parts[record].lines)

    def undo(self) -> None:
        for record, part in self._parts.items():
            record.back_to(part.begin, part.head)

    def add(self, record: Recorded[Any, Any], answer: RecordedAnswer) -> PendingAnswer:
        """Queue all changes; return the pending response to ``record``'s request."""
        self.of(record)
        unit = self if len(self._parts) + len(self._begins) > 1 else None
        pending = PendingAnswer(answer)
        for changed, part in self._parts.items():
            changed.add(part, pending if changed is record else None, unit)
        for source, lines in self._begins:
            record.queue(Item(source, 0, lines, unit=unit))
        return pending


Decider = Callable[[UnitOfWork], OutcomeOf[P, E]]
"""Decides a request in a unit of work."""


class PendingAnswer:
    """A response, and the requests that wait for it, each separately."""

    __slots__ = ("_futures", "answer", "place")

    def __init__(self, answer: RecordedAnswer) -> None:
        self.answer: Final = answer
        self.place: tuple[str, str] | None = None
        """The request's grant and key, if any."""
        self._futures: list[asyncio.Future[RecordedAnswer]] = []

    def wait(self) -> asyncio.Future[RecordedAnswer]:
        """Response once it is ready. Raises ``Problem``."""
        future: asyncio.Future[RecordedAnswer] = asyncio.get_running_loop().create_future()
        self._futures.append(future)
        return future

    def done(self, problem: Problem | None = None) -> None:
        for future in self._futures:
            if future.done():
                continue
            if problem is None:
                future.set_result(self.answer)
            else:
                future.set_exception(problem)


class Recorded(ABC, Generic[P, E]):
    def __init__(  # noqa: PLR0913  (what a record begins with)
        self, name: str, position: P, head: str, *, epoch: int, commits: Commits, clock: Clock
    ) -> None:
        self.name: Final = name
        self.record = name
        self.before = 0
        """Number of entries before its stream."""
        self.epoch = epoch
        self.ahead = self.durable = position
        self._head = self.head = head
        self.listeners: list[Callable[[Sequence[E]], None]] = []
        self.lost = ""
        """Why this process does not own the record; empty if it does."""
        self.owner = ""
        """The address of its owner, if that is another process."""
        self.finished = False
        """Whether the record has its last line."""
        self.differs = False
        """Whether the stored record is not one that this process can follow."""
        self._commits: Final = commits
        self._clock: Final = clock
        self._flying: dict[tuple[str, str], tuple[bytes, PendingAnswer]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self.under_way = 0
        """Number of requests that wait for storage."""

    # --- methods of tables and pits ---

    @abstractmethod
    def _sealed(self, previous: str, entry: E) -> tuple[bytes, str]:
        """Line of an entry, and its seal."""

    @abstractmethod
    def read_on(self) -> tuple[Any, list[E]]:
        """Newer stored position and the entries before it. Raises ``LogError``."""

    # --- requests ---

    async def _handle(
        self, request: KeyedRequest, decide: Decider[P, E], respond: Responder
    ) -> RecordedAnswer:
        place = (request.grant, request.key)
        # What is under way may be stored while the store is asked.
        flying = self._flying.get(place)
        stored = None if flying is not None else await self.kept_answer(*place)
        flying = flying or self._flying.get(place)
        if flying is not None:
            digest, pending = flying
            _check_digest(request, digest)
            return (await pending.wait())._replace(again=True)
        if stored is not None:
            _check_digest(request, stored.digest)
            return RecordedAnswer(stored.status, stored.body, self.durable.sequence, again=True)
        self.check_owned()
        pending = self._queue(request, decide, respond)
        pending.place = place
        self._flying[place] = request.digest, pending
        return await pending.wait()

    async def kept_answer(self, grant: str, key: str) -> Answer | None:
        return await self._commits.answer(self.record, grant, key)

    def check_owned(self) -> None:
        """Raise ``Problem`` with the address if another process owns the record."""
        if self.lost:
            raise self._not_owner()

    def _not_owner(self) -> Problem:
        why = self.lost
        if self.differs and not self.owner:
            why = f"{self.name}: its record cannot be followed: have the store checked"
        return Problem("not_owner", why, owner=self.owner, retry=1)

    def _queue(
        self, request: KeyedRequest, decide: Decider[P, E], respond: Responder
    ) -> PendingAnswer:
        unit, at = UnitOfWork(), self._now_ms()
        part = unit.of(self)
        try:
            outcome = decide(unit)
            status, body = respond(outcome)
        except BaseException:
            unit.undo()
            raise
        refusal = outcome.refusal
        is_kept = bool(part.lines) or refusal is None
        place = request.grant, request.key
        part.answers.append(Answer(*place, request.digest, status, body, at, is_kept))
        if refusal is not None:
            name = type(outcome.refused).__name__ if outcome.refused is not None else ""
            part.refused = RefusalKept(at, request.grant, refusal.code, name)
        return unit.add(self, RecordedAnswer(status, body, outcome.position.sequence))

    def accept(self, unit: UnitOfWork, entry: E) -> None:
        """Apply an entry and store it with its request."""
        part = unit.of(self)
        line, self._head = self._sealed(self._head, entry)
        part.lines.append(line)
        part.entries.append(entry)
        self.ahead = entry.after

    def begin(self, unit: UnitOfWork, header: bytes) -> None:
        part = unit.of(self)
        part.expected = 0
        part.lines.append(header)

    def part(self) -> _Part:
        return _Part(self.ahead, self._head, self.ahead.sequence - self.before + 1)

    def back_to(self, position: Any, head: str) -> None:
        self.ahead, self._head = position, head

    def add(self, part: _Part, pending: PendingAnswer | None, unit: UnitOfWork | None) -> None:
        effect = _Effect(self.ahead, self._head, part.entries, pending)
        self.under_way += 1
        self._idle.clear()
        self.queue(Item(self, part.expected, part.lines, part.answers, unit, part.refused, effect))

    def queue(self, item: Item) -> None:
        self._commits.add(item)

    async def settled(self) -> bool:
        """Wait until nothing is pending; return whether everything is durable."""
        await self._idle.wait()
        return self.ahead is self.durable

    def _now_ms(self) -> int:
        return int(self._clock().timestamp() * 1000)

    # --- commits ---

    def committed(self, items: Sequence[Item]) -> None:
        """Advance the durable position; release responses and notify listeners."""
        effects = [_effect_of(item) for item in items]
        self.durable, self.head = effects[-1].after, effects[-1].head
        self._done(len(items))
        for effect in effects:
            self._answer_to(effect.pending)
        if entries := [entry for effect in effects for entry in effect.entries]:
            self._notify(entries)

    def _answer_to(self, pending: PendingAnswer | None, problem: Problem | None = None) -> None:
        if pending is not None:
            if pending.place is not None:
                self._flying.pop(pending.place, None)
            pending.done(problem)

    def _notify(self, entries: Sequence[E]) -> None:
        for listener in tuple(self.listeners):
            listener(entries)

    def failed(self, items: Sequence[Item], error: StoreError) -> None:
        self.back_to(self.durable, self.head)
        if isinstance(error, FencedError | PositionError):
            self.lost = f"{self.name}: another process serves this table now"
        if isinstance(error, InDoubtError):
            self.lost = (
                f"{self.name}: the store went away, and nobody can say yet whether this was stored:"
                " ask again under the same key"
            )
        self._done(len(items))
        for item in items:
            self._answer_to(_effect_of(item).pending, self._problem(error))

    def _problem(self, error: StoreError) -> Problem:
        if self.lost:
            return self._not_owner()
        # The request of a key that was taken meanwhile has been done.
        if isinstance(error, UnreachableError | FullError | KeyTakenError):
            return no_store(error)
        message = "it could not be stored, and nothing was done: ask again under the same key"
        return Problem("not_stored", message, retry=1)

    def _done(self, number: int) -> None:
        self.under_way -= number
        if not self.under_way:
            self._idle.set()

    # --- while another process has the record ---

    def follow(self, found: Any, entries: Sequence[E]) -> bool:
        """Catch up with the record. Return whether it extends this position."""
        if not self.lost or self.under_way:
            return False
        if entries and getattr(entries[0], "before", None) is not self.durable:
            return False
        self.ahead = self.durable = found.position
        self._head = self.head = found.head
        self.finished = self.finished or found.closed
        if entries:
            for listener in tuple(self.listeners):
                listener(entries)
        return True

    def own(self, epoch: int) -> None:
        """Become the record's owner; all of it must have been followed."""
        self.epoch = epoch
        self.lost = self.owner = ""


class _Effect(NamedTuple):
    after: Any
    head: str
    entries: Sequence[Any]
    pending: PendingAnswer | None


def _effect_of(item: Item) -> _Effect:
    effect = item.outcome
    if not isinstance(effect, _Effect):
        raise TypeError("an item of another record")
    return effect


def _check_digest(keyed: KeyedRequest, digest: bytes) -> None:
    if keyed.digest != digest:
        raise Problem(
            "key_reused",
            f"the key {keyed.key} came before with another request: a new request needs a new key",
        )
