"""One table of the service: what is asked of it is decided ahead, stored, and only then answered.

``ahead`` is where the table stands once everything asked of it is stored, ``durable`` where it
stands on disk. A refusal is an item as an accepted command is, so it is answered after all that it
rests on is durable. Where items cannot be stored the table is at its durable position again before
anything else is decided.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from croupier.records.entry import sealed_entry
from croupier.records.log import Resumed, follow_line, unsealed_line
from croupier.records.snapshot import snapshot
from croupier.records.store import Answer, FencedError, FullError, InDoubtError, RefusalKept
from croupier.records.stream import PositionError, StoreError
from croupier.server.commits import Commits, Item
from croupier.server.problems import Problem
from croupier.server.views import asks_of_closed
from croupier.table.commands import Command
from croupier.table.core import Refusal
from croupier.table.offices import may
from croupier.table.position import Actor, Position, Proposal, Stamp, propose
from croupier.table.session import Clock

__all__ = ["SNAPSHOT_EVERY", "Asked", "CameOf", "Desk", "Late", "Told"]

SNAPSHOT_EVERY: Final = 500
"""Entries between two snapshots."""


Late = Callable[[Position], Command]
"""A command that follows from where the table stands when it is decided."""


class Asked(NamedTuple):
    """One request: commands of a grant under an idempotency key, given by ``by`` of each.

    ``expected`` is the entry at which the table must be, if the caller says so.
    """

    grant: str
    key: str
    digest: bytes
    commands: Sequence[Command | Late]
    by: Callable[[Command, Position], tuple[Actor, ...]]
    expected: int | None = None
    corrects: int | None = None


class CameOf(NamedTuple):
    """What came of a request: the entries that it made, and the refusal that ended it.

    ``position`` is that at which the table stands after it; ``refused`` is the command refused.
    """

    entries: tuple[Proposal, ...]
    position: Position
    refusal: Refusal | None = None
    refused: Command | None = None


class Told(NamedTuple):
    """An answer: status and body as they are sent; ``again`` if they were sent before."""

    status: int
    body: bytes
    sequence: int
    again: bool = False


Written = Callable[[CameOf], tuple[int, bytes]]
"""Makes the answer of what came of a request: a status and a body."""

Heard = Callable[[Sequence[Proposal]], None]
"""Hears entries that have become durable."""


class Desk:
    """A table of the service."""

    def __init__(  # noqa: PLR0913  (what a table of the service is made of)
        self,
        name: str,
        found: Resumed,
        *,
        pit: str,
        epoch: int,
        commits: Commits,
        clock: Clock,
    ) -> None:
        self.name: Final = name
        self.pit: Final = pit
        self.epoch = epoch
        self.rules: Final = found.header.rules
        """The rules with which the record began."""
        self.stream: Final = found.header.stream
        self.ahead = self.durable = found.position
        self.listeners: list[Heard] = []
        self.lost = ""
        """Why the table is not this process's; empty while it is."""
        self.owner = ""
        """Where its owner answers, if another process is."""
        self.finished = False
        """Whether the record has its last line."""
        self._header: Final = found.header
        self._seal: Final = found.seal
        self._head = self.head = found.head
        self._snapped = found.position.sequence
        self._commits: Final = commits
        self._clock: Final = clock
        self._flying: dict[tuple[str, str], tuple[bytes, asyncio.Future[Told]]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self.under_way = 0
        """How many requests wait to be stored."""

    # --- asking ---

    async def ask(self, asked: Asked, written: Written) -> Told:
        """Answer a request once what came of it is durable; the same again if it came before.

        Raises ``Problem`` for a key that came with another request, and if nothing can be stored.
        """
        place = (asked.grant, asked.key)
        kept = await self._commits.answer(self.name, *place)
        flying = self._flying.get(place)
        if flying is not None:
            digest, future = flying
            _same(asked, digest)
            return (await asyncio.shield(future))._replace(again=True)
        if kept is not None:
            _same(asked, kept.digest)
            return Told(kept.status, kept.body, self.durable.sequence, again=True)
        self.check_owned()
        future = self._told(asked, written)
        self._flying[place] = asked.digest, future
        future.add_done_callback(lambda _: self._flying.pop(place, None))
        return await asyncio.shield(future)

    def check_owned(self) -> None:
        """Raise ``Problem``, which says where to ask instead, if another process has the table."""
        if self.lost:
            raise self._not_owner()

    def _not_owner(self) -> Problem:
        return Problem("not_owner", self.lost, owner=self.owner, headers={"Retry-After": "1"})

    def _told(self, asked: Asked, written: Written) -> asyncio.Future[Told]:
        begin, head, at = self.ahead, self._head, self._now_ms()
        try:
            outcome, lines = self._outcome(asked)
            status, body = written(outcome)
        except BaseException:
            self.ahead, self._head = begin, head
            raise
        item = Item(self, begin.sequence + 1, lines)
        refused = outcome.refusal
        kept = bool(lines) or refused is None
        item.answer = Answer(asked.grant, asked.key, asked.digest, status, body, at, kept)
        if refused is not None:
            name = type(outcome.refused).__name__ if outcome.refused is not None else ""
            item.refused = RefusalKept(at, asked.grant, refused.code, name)
        told = Told(status, body, outcome.position.sequence)
        return self._add(item, outcome.position, outcome.entries, told)

    def _add(
        self, item: Item, after: Position, entries: Sequence[Proposal], told: Told
    ) -> asyncio.Future[Told]:
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_looked_at)
        item.outcome = _Waits(after, self._head, entries, told, future)
        self.under_way += 1
        self._idle.clear()
        self._commits.add(item)
        return future

    def _outcome(self, asked: Asked) -> tuple[CameOf, list[bytes]]:
        """Decide commands one after the other, up to the first that is refused."""
        if asked.expected is not None and asked.expected != self.ahead.sequence:
            message = f"the table is at entry {self.ahead.sequence}: look again before you act"
            stale = Refusal("stale", (), message)
            return CameOf((), self.ahead, stale), []
        lines: list[bytes] = []
        entries: list[Proposal] = []
        for place, given in enumerate(asked.commands):
            command = given if isinstance(given, Command) else given(self.ahead)
            key = f"{asked.key}-{place}" if len(asked.commands) > 1 else asked.key
            stamp = Stamp(asked.by(command, self.ahead), key, asked.corrects)
            told = self._closed_to(command, stamp.by)
            answer = told or propose(self.ahead, command, stamp, self._clock())
            if isinstance(answer, Refusal):
                return CameOf(tuple(entries), self.ahead, answer, command), lines
            lines.append(self._accept(answer))
            entries.append(answer)
        return CameOf(tuple(entries), self.ahead), lines

    def _closed_to(self, command: Command, by: tuple[Actor, ...]) -> Refusal | None:
        """Refuse what asks about a card that lies face down; first, whoever may not ask at all."""
        told, at = asks_of_closed(self.ahead, command), self.ahead
        if told is None:
            return None
        barred = may(at.state, command, by, at.rules, at.house)
        return barred if barred is not None and barred.code != "consent_needed" else told

    def _accept(self, proposal: Proposal) -> bytes:
        line, self._head = sealed_entry(self._head, proposal)
        self.ahead = proposal.after
        return line

    def enter(self, command: Command, stamp: Stamp) -> Proposal | Refusal:
        """Decide a command of the service's own, and have it stored; nothing waits for it.

        Whoever enters looks at ``settled`` before going on.
        """
        answer = propose(self.ahead, command, stamp, self._clock())
        if isinstance(answer, Proposal):
            item = Item(self, answer.before.sequence + 1, (self._accept(answer),))
            self._add(item, answer.after, (answer,), Told(200, b"", answer.after.sequence))
        return answer

    async def settled(self) -> bool:
        """Wait until nothing is under way; return whether all of it is durable."""
        await self._idle.wait()
        return self.ahead is self.durable

    def _now_ms(self) -> int:
        return int(self._clock().timestamp() * 1000)

    # --- what becomes of it ---

    def committed(self, items: Sequence[Item]) -> None:
        """Move on to what is durable, tell those who wait, and those who listen."""
        waiting = [_of(item) for item in items]
        self.durable, self.head = waiting[-1].after, waiting[-1].head
        self._done(len(items))
        for one in waiting:
            if not one.future.done():
                one.future.set_result(one.told)
        if entries := [entry for one in waiting for entry in one.entries]:
            for heard in tuple(self.listeners):
                heard(entries)
            if self.durable.sequence - self._snapped >= SNAPSHOT_EVERY:
                self._snapped = self.durable.sequence
                self._commits.after(partial(self.snap, self.durable, self.head))

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
            future = _of(item).future
            if not future.done():
                future.set_exception(self._problem(error))

    def _problem(self, error: StoreError) -> Problem:
        if self.lost:
            return self._not_owner()
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

    # --- while another process has the table ---

    def read_on(self) -> tuple[Resumed, list[Proposal]]:
        """Return where the record stands beyond this position, and the entries in between.

        Raises ``LogError`` for a line that does not follow. Called in a thread of its own.
        """
        found = Resumed(self._header, self._seal, self.durable, self.head)
        entries = []
        begin = self.durable.sequence + 1
        for number, line in enumerate(self._commits.store.lines(self.name, begin), begin + 1):
            place = f"{self.name}:{number}"
            body, digest = unsealed_line(place, line)
            step = follow_line(place, found, body)
            found.head = digest
            if step is not None:
                entries.append(step)
        return found, entries

    def follow(self, found: Resumed, entries: Sequence[Proposal]) -> bool:
        """Move on to where the record stands; return whether it went on from this position."""
        if not self.lost or self.under_way:
            return False
        if entries and entries[0].before is not self.durable:
            return False
        self.ahead = self.durable = found.position
        self._head = self.head = found.head
        self.finished = self.finished or found.closed
        if entries:
            for heard in tuple(self.listeners):
                heard(entries)
        return True

    def own(self, epoch: int) -> None:
        """Have the table from now on, as the owner of this epoch; all of it was followed."""
        self.epoch = epoch
        self.lost = self.owner = ""

    def snap(self, position: Position, head: str) -> None:
        """Keep a snapshot of a durable position. Called in the thread that writes."""
        self._commits.store.keep(self.name, snapshot(self._seal, position, head))


class _Waits(NamedTuple):
    """What an item leads to once it is durable, and who waits for it."""

    after: Position
    head: str
    entries: Sequence[Proposal]
    told: Told
    future: asyncio.Future[Told]


def _of(item: Item) -> _Waits:
    waits = item.outcome
    if not isinstance(waits, _Waits):
        raise TypeError("an item of another table")
    return waits


def _looked_at(future: asyncio.Future[Told]) -> None:
    """Look at what an answer came to, as whoever asked may be gone by then."""
    if not future.cancelled():
        future.exception()


def _same(asked: Asked, digest: bytes) -> None:
    if asked.digest != digest:
        raise Problem(
            "key_reused",
            f"the key {asked.key} came before with another request: a new request needs a new key",
        )
