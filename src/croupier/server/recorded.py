"""A record that the service keeps: decided ahead, stored, and only then answered.

``ahead`` is where it stands once everything asked of it is stored, ``durable`` where it stands on
disk. A refusal is an item as an accepted command is, so it is answered after all that it rests on
is durable. Where items cannot be stored the record is at its durable position again before anything
else is decided. What one request changes at several records is stored together, or not at all.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from croupier.records.store import (
    Answer,
    FencedError,
    FullError,
    InDoubtError,
    RefusalKept,
    UnreachableError,
)
from croupier.records.stream import PositionError, StoreError
from croupier.server.commits import Commits, Item, Source
from croupier.server.problems import Problem, no_store
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import Clock


class At(Protocol):
    """Where a record stands."""

    @property
    def sequence(self) -> int:
        """How many entries led there."""


P = TypeVar("P", bound=At)
P_co = TypeVar("P_co", covariant=True)
E = TypeVar("E", bound="Entered")


class Entered(Protocol):
    """An entry of a record: what was asked, and where it led."""

    @property
    def after(self) -> Any:
        """Where the record stands after it."""

    @property
    def stamp(self) -> Stamp:
        """Who gave the command, and under which key."""


class Keyed(Protocol):
    """A request under an idempotency key of a grant; ``digest`` tells it from others."""

    @property
    def grant(self) -> str:
        """Under which grant it came."""

    @property
    def key(self) -> str:
        """Its key."""

    @property
    def digest(self) -> bytes:
        """The SHA-256 of what was asked."""


class Stands(Protocol[P_co]):
    """Where a record stands, as it was read: its position, and the seal of its last line."""

    @property
    def position(self) -> P_co:
        """The position."""

    @property
    def head(self) -> str:
        """The seal."""


class CameOf(NamedTuple, Generic[P, E]):
    """What came of a request: the entries that it made, and the refusal that ended it.

    ``position`` is that at which the record stands after it; ``refused`` is the command refused.
    """

    entries: tuple[E, ...]
    position: P
    refusal: Refusal | None = None
    refused: Any = None


class Told(NamedTuple):
    """An answer: status and body as they are sent; ``again`` if they were sent before."""

    status: int
    body: bytes
    sequence: int
    again: bool = False


Written = Callable[[CameOf[Any, Any]], tuple[int, bytes]]
"""Makes the answer of what came of a request: a status and a body."""


class _Part:
    """What a request adds to one record, and where that stood before."""

    __slots__ = ("answers", "begin", "entries", "expected", "head", "lines", "refused")

    def __init__(self, begin: At, head: str, expected: int) -> None:
        self.begin: Final = begin
        self.expected = expected
        self.head: Final = head
        self.lines: list[bytes] = []
        self.entries: list[Any] = []
        self.answers: list[Answer] = []
        self.refused: RefusalKept | None = None


class Begins(Source, Protocol):
    """A record that begins with the lines that it has."""

    @property
    def lines(self) -> Sequence[bytes]:
        """Its first lines."""


class Together:
    """What one request changes, at one record or at several: all of it is stored, or nothing."""

    def __init__(self) -> None:
        self._parts: dict[Recorded[Any, Any], _Part] = {}
        self._begins: list[Begins] = []

    def also(self, begins: Begins) -> None:
        """Have a record begin with the rest of it."""
        self._begins.append(begins)

    def of(self, record: Recorded[Any, Any]) -> _Part:
        """Return what is changed at a record, on which the request rests from now on."""
        part = self._parts.get(record)
        if part is None:
            part = self._parts[record] = record.part()
        return part

    def changes(self, record: Recorded[Any, Any]) -> bool:
        """Return whether a record is changed by it."""
        return record in self._parts and bool(self._parts[record].lines)

    def undo(self) -> None:
        """Have every record stand where it stood before."""
        for record, part in self._parts.items():
            record.back_to(part.begin, part.head)

    def add(self, record: Recorded[Any, Any], told: Told) -> Waiting:
        """Have all of it stored; return who waits for the answer of this record's request."""
        self.of(record)
        shared = self if len(self._parts) + len(self._begins) > 1 else None
        waiting = Waiting(told)
        for one, part in self._parts.items():
            one.add(part, waiting if one is record else None, shared)
        for begins in self._begins:
            record.begins(begins, shared)
        return waiting


class Waiting:
    """An answer, and those who wait until it may be given.

    Each waits by itself, so that somebody who goes away takes the answer from nobody else.
    """

    __slots__ = ("_futures", "place", "told")

    def __init__(self, told: Told) -> None:
        self.told: Final = told
        self.place: tuple[str, str] | None = None
        """The grant and the key of the request, if it has one."""
        self._futures: list[asyncio.Future[Told]] = []

    def wait(self) -> asyncio.Future[Told]:
        """Return the answer, once it may be given. Raises ``Problem`` if it never may."""
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._futures.append(future)
        return future

    def done(self, problem: Problem | None = None) -> None:
        """Give the answer, or say why there is none."""
        for future in self._futures:
            if future.done():
                continue
            if problem is None:
                future.set_result(self.told)
            else:
                future.set_exception(problem)


class Recorded(ABC, Generic[P, E]):
    """A record of the service: that of a table, or of a pit."""

    def __init__(
        self, name: str, found: Stands[P], *, epoch: int, commits: Commits, clock: Clock
    ) -> None:
        self.name: Final = name
        self.record = name
        """The name of its stream in the store."""
        self.before = 0
        """How many entries came before those of the stream."""
        self.epoch = epoch
        self.ahead = self.durable = found.position
        self._head = self.head = found.head
        self.listeners: list[Callable[[Sequence[E]], None]] = []
        """Hear entries that have become durable."""
        self.lost = ""
        """Why the record is not this process's; empty while it is."""
        self.owner = ""
        """Where its owner answers, if another process is."""
        self.finished = False
        """Whether the record has its last line."""
        self._commits: Final = commits
        self._clock: Final = clock
        self._flying: dict[tuple[str, str], tuple[bytes, Waiting]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self.under_way = 0
        """How many requests wait to be stored."""

    # --- what a table and a pit do in their own way ---

    @abstractmethod
    def _sealed(self, previous: str, entry: E) -> tuple[bytes, str]:
        """Return the line of an entry, and its seal."""

    @abstractmethod
    def read_on(self) -> tuple[Any, list[E]]:
        """Return where the record stands beyond this position, and the entries in between.

        Raises ``LogError`` for a line that does not follow. Called in a thread of its own.
        """

    # --- asking ---

    async def _answered(
        self,
        asked: Keyed,
        decide: Callable[[Together], CameOf[P, E]],
        written: Written,
    ) -> Told:
        """Answer a request once what came of it is durable; the same again if it came before.

        Raises ``Problem`` for a key that came with another request, and if nothing can be stored.
        """
        place = (asked.grant, asked.key)
        kept = await self.kept_answer(*place)
        flying = self._flying.get(place)
        if flying is not None:
            digest, waiting = flying
            _same(asked, digest)
            return (await waiting.wait())._replace(again=True)
        if kept is not None:
            _same(asked, kept.digest)
            return Told(kept.status, kept.body, self.durable.sequence, again=True)
        self.check_owned()
        waiting = self._told(asked, decide, written)
        waiting.place = place
        self._flying[place] = asked.digest, waiting
        return await waiting.wait()

    async def kept_answer(self, grant: str, key: str) -> Answer | None:
        """Return what was answered under a key of a grant, if anything was."""
        return await self._commits.answer(self.record, grant, key)

    def check_owned(self) -> None:
        """Raise ``Problem``, which says where to ask instead, if another process has the record."""
        if self.lost:
            raise self._not_owner()

    def _not_owner(self) -> Problem:
        return Problem("not_owner", self.lost, owner=self.owner, headers={"Retry-After": "1"})

    def _told(
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
        refused = outcome.refusal
        kept = bool(part.lines) or refused is None
        part.answers.append(Answer(asked.grant, asked.key, asked.digest, status, body, at, kept))
        if refused is not None:
            name = type(outcome.refused).__name__ if outcome.refused is not None else ""
            part.refused = RefusalKept(at, asked.grant, refused.code, name)
        return together.add(self, Told(status, body, outcome.position.sequence))

    def accept(self, together: Together, entry: E) -> None:
        """Take an entry for true from now on, and have it stored with the rest of a request."""
        part = together.of(self)
        line, self._head = self._sealed(self._head, entry)
        part.lines.append(line)
        part.entries.append(entry)
        self.ahead = entry.after

    def begin(self, together: Together, header: bytes) -> None:
        """Have the first line of a record stored with the rest of a request."""
        part = together.of(self)
        part.expected = 0
        part.lines.append(header)

    def part(self) -> _Part:
        """Return what a request adds here, which is nothing yet."""
        return _Part(self.ahead, self._head, self.ahead.sequence - self.before + 1)

    def back_to(self, position: Any, head: str) -> None:
        """Stand where the record stood before a request."""
        self.ahead, self._head = position, head

    def add(self, part: _Part, waiting: Waiting | None, together: Together | None) -> None:
        """Have a part of a request stored."""
        item = Item(self, part.expected, part.lines)
        item.answers = part.answers
        item.refused = part.refused
        item.together = together
        item.outcome = _Leads(self.ahead, self._head, part.entries, waiting)
        self.under_way += 1
        self._idle.clear()
        self._commits.add(item)

    def begins(self, begins: Begins, together: Together | None) -> None:
        """Have the first lines of a new record stored with a request."""
        item = Item(begins, 0, begins.lines)
        item.together = together
        self._commits.add(item)

    async def settled(self) -> bool:
        """Wait until nothing is under way; return whether all of it is durable."""
        await self._idle.wait()
        return self.ahead is self.durable

    def _now_ms(self) -> int:
        return int(self._clock().timestamp() * 1000)

    # --- what becomes of it ---

    def committed(self, items: Sequence[Item]) -> None:
        """Move on to what is durable, tell those who wait, and those who listen."""
        leads = [_of(item) for item in items]
        self.durable, self.head = leads[-1].after, leads[-1].head
        self._done(len(items))
        for one in leads:
            self._answer_to(one.waiting)
        if entries := [entry for one in leads for entry in one.entries]:
            self._hear(entries)

    def _answer_to(self, waiting: Waiting | None, problem: Problem | None = None) -> None:
        if waiting is not None:
            if waiting.place is not None:
                self._flying.pop(waiting.place, None)
            waiting.done(problem)

    def _hear(self, entries: Sequence[E]) -> None:
        for heard in tuple(self.listeners):
            heard(entries)

    def failed(self, items: Sequence[Item], error: StoreError) -> None:
        """Go back to what is durable, and answer nothing that rests on what is not."""
        self.ahead, self._head = self.durable, self.head
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
        if isinstance(error, UnreachableError):
            return no_store(error)
        if isinstance(error, FullError):
            return Problem(
                "disk_full", "the store is full: nothing was done; make space, ask again"
            )
        message = "it could not be stored, and nothing was done: ask again under the same key"
        return Problem("not_stored", message, headers={"Retry-After": "1"})

    def _done(self, number: int) -> None:
        self.under_way -= number
        if not self.under_way:
            self._idle.set()

    # --- while another process has the record ---

    def follow(self, found: Any, entries: Sequence[E]) -> bool:
        """Move on to where the record stands; return whether it went on from this position."""
        if not self.lost or self.under_way:
            return False
        if entries and getattr(entries[0], "before", None) is not self.durable:
            return False
        self.ahead = self.durable = found.position
        self._head = self.head = found.head
        self.finished = self.finished or found.closed
        if entries:
            for heard in tuple(self.listeners):
                heard(entries)
        return True

    def own(self, epoch: int) -> None:
        """Have the record from now on, as the owner of this epoch; all of it was followed."""
        self.epoch = epoch
        self.lost = self.owner = ""


class _Leads(NamedTuple):
    """What an item leads to once it is durable, and who waits for it."""

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
