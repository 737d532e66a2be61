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
    RefusalKept,
    UnreachableError,
)
from croupier.records.stores.stream import PositionError, StoreError
from croupier.server.desks.commits import Commits, Item, Source
from croupier.server.http.problems import Problem, no_store
from croupier.table.machine.core import Refusal
from croupier.table.machine.session import Clock


class At(Protocol):
    """A position of a record."""

    @property
    def sequence(self) -> int: ...


P = TypeVar("P", bound=At)
E = TypeVar("E", bound="Entered")


class Entered(Protocol):
    """An entry with its resulting position."""

    @property
    def after(self) -> Any: ...


class Keyed(Struct, frozen=True):
    """A request under an idempotency key of a grant; ``digest`` is its SHA-256."""

    grant: str
    key: str
    digest: bytes


class CameOf(NamedTuple, Generic[P, E]):
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


Written = Callable[[CameOf[Any, Any]], tuple[int, bytes]]
"""Creates the response to an outcome: status and body."""


class _Part(Struct, eq=False):
    begin: Any
    head: str
    expected: int
    lines: list[bytes] = []
    entries: list[Any] = []
    answers: list[Answer] = []
    refused: RefusalKept | None = None


class Together:
    """One request's changes at several records, stored all or none."""

    def __init__(self) -> None:
        self._parts: dict[Recorded[Any, Any], _Part] = {}
        self._begins: list[tuple[Source, Sequence[bytes]]] = []

    def also(self, begins: Source, lines: Sequence[bytes]) -> None:
        """Add a new record with its first lines to the transaction."""
        self._begins.append((begins, lines))

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

    def add(self, record: Recorded[Any, Any], answer: RecordedAnswer) -> Waiting:
        """Queue all changes; return the pending response to ``record``'s request."""
        self.of(record)
        transaction = self if len(self._parts) + len(self._begins) > 1 else None
        waiting = Waiting(answer)
        for changed, part in self._parts.items():
            changed.add(part, waiting if changed is record else None, transaction)
        for begins, lines in self._begins:
            record.queue(Item(begins, 0, lines, together=transaction))
        return waiting


class Waiting:
    """A response, and the requests that wait for it.

    Each waits separately: a disconnected client does not cancel the others.
    """

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
        """Release the response, or the problem that replaces it."""
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
        self._commits: Final = commits
        self._clock: Final = clock
        self._flying: dict[tuple[str, str], tuple[bytes, Waiting]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self.under_way = 0
        """Number of requests that wait for storage."""

    # --- what a table and a pit do in their own way ---

    @abstractmethod
    def _sealed(self, previous: str, entry: E) -> tuple[bytes, str]:
        """Line of an entry, and its seal."""

    @abstractmethod
    def read_on(self) -> tuple[Any, list[E]]:
        """Newer stored position and the entries before it. Raises ``LogError``."""

    # --- asking ---

    async def _answered(
        self,
        asked: Keyed,
        decide: Callable[[Together], CameOf[P, E]],
        written: Written,
    ) -> RecordedAnswer:
        place = (asked.grant, asked.key)
        stored = await self.kept_answer(*place)
        flying = self._flying.get(place)
        if flying is not None:
            digest, waiting = flying
            _same(asked, digest)
            return (await waiting.wait())._replace(again=True)
        if stored is not None:
            _same(asked, stored.digest)
            return RecordedAnswer(stored.status, stored.body, self.durable.sequence, again=True)
        self.check_owned()
        waiting = self._queued(asked, decide, written)
        waiting.place = place
        self._flying[place] = asked.digest, waiting
        return await waiting.wait()

    async def kept_answer(self, grant: str, key: str) -> Answer | None:
        return await self._commits.answer(self.record, grant, key)

    def check_owned(self) -> None:
        """Raise ``Problem`` with the address if another process owns the record."""
        if self.lost:
            raise self._not_owner()

    def _not_owner(self) -> Problem:
        return Problem("not_owner", self.lost, owner=self.owner, retry=1)

    def _queued(
        self, asked: Keyed, decide: Callable[[Together], CameOf[P, E]], written: Written
    ) -> Waiting:
        together, at = Together(), self._now_ms()
        part = together.of(self)
        try:
            outcome = decide(together)
            status, body = written(outcome)
        except BaseException:
            together.undo()
            raise
        refusal = outcome.refusal
        is_kept = bool(part.lines) or refusal is None
        part.answers.append(Answer(asked.grant, asked.key, asked.digest, status, body, at, is_kept))
        if refusal is not None:
            name = type(outcome.refused).__name__ if outcome.refused is not None else ""
            part.refused = RefusalKept(at, asked.grant, refusal.code, name)
        return together.add(self, RecordedAnswer(status, body, outcome.position.sequence))

    def accept(self, together: Together, entry: E) -> None:
        """Apply an entry and store it with its request."""
        part = together.of(self)
        line, self._head = self._sealed(self._head, entry)
        part.lines.append(line)
        part.entries.append(entry)
        self.ahead = entry.after

    def begin(self, together: Together, header: bytes) -> None:
        part = together.of(self)
        part.expected = 0
        part.lines.append(header)

    def part(self) -> _Part:
        return _Part(self.ahead, self._head, self.ahead.sequence - self.before + 1)

    def back_to(self, position: Any, head: str) -> None:
        self.ahead, self._head = position, head

    def add(self, part: _Part, waiting: Waiting | None, together: Together | None) -> None:
        outcome = _Leads(self.ahead, self._head, part.entries, waiting)
        self.under_way += 1
        self._idle.clear()
        self.queue(
            Item(self, part.expected, part.lines, part.answers, together, part.refused, outcome)
        )

    def queue(self, item: Item) -> None:
        self._commits.add(item)

    async def settled(self) -> bool:
        """Wait until nothing is pending; return whether everything is durable."""
        await self._idle.wait()
        return self.ahead is self.durable

    def _now_ms(self) -> int:
        return int(self._clock().timestamp() * 1000)

    # --- what becomes of it ---

    def committed(self, items: Sequence[Item]) -> None:
        """Advance the durable position; release responses and notify listeners."""
        outcomes = [_of(item) for item in items]
        self.durable, self.head = outcomes[-1].after, outcomes[-1].head
        self._done(len(items))
        for lead in outcomes:
            self._answer_to(lead.waiting)
        if entries := [entry for lead in outcomes for entry in lead.entries]:
            self._hear(entries)

    def _answer_to(self, waiting: Waiting | None, problem: Problem | None = None) -> None:
        if waiting is not None:
            if waiting.place is not None:
                self._flying.pop(waiting.place, None)
            waiting.done(problem)

    def _hear(self, entries: Sequence[E]) -> None:
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
            self._answer_to(_of(item).waiting, self._problem(error))

    def _problem(self, error: StoreError) -> Problem:
        if self.lost:
            return self._not_owner()
        if isinstance(error, UnreachableError | FullError):
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


class _Leads(NamedTuple):
    after: Any
    head: str
    entries: Sequence[Any]
    waiting: Waiting | None


def _of(item: Item) -> _Leads:
    leads = item.outcome
    if not isinstance(leads, _Leads):
        raise TypeError("an item of another record")
    return leads


def _same(asked: Keyed, digest: bytes) -> None:
    if asked.digest != digest:
        raise Problem(
            "key_reused",
            f"the key {asked.key} came before with another request: a new request needs a new key",
        )
