"""What keeps the records of many tables, with all that a service must not forget about them.

One contract for every store. A *stream* is the record of one table. With its lines, in the same
transaction, come the answers that were given under idempotency keys, and what was refused. An
append names the number of lines that it expects and the epoch of its owner: somebody who was
relieved of a table can write nothing more to it. Small things, such as grants, are *documents*.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from croupier.records.stream import StoreError, Stream

COPIED: Final = ("store", "copied")
"""The kind and name of the document that a copy has: its grants are void once it is served."""


class FullError(StoreError):
    """There is no space left for what should have been stored."""


class FencedError(StoreError):
    """An append by an owner that is no longer the owner of the stream."""


class UnreachableError(StoreError):
    """The store does not answer: nothing else that is asked of it now will be done either."""


class LostError(UnreachableError):
    """The store is not the one that was opened: removed, replaced, or truncated.

    Nothing more is stored until it is opened again.
    """


class InDoubtError(UnreachableError):
    """The store went away while it was written to: nobody can say yet what is durable."""


class KeyTakenError(StoreError):
    """An answer under an idempotency key that was answered before."""


class Answer(NamedTuple):
    """What was answered to a request under an idempotency key of a grant.

    ``digest`` is the SHA-256 of the request. ``at`` is in milliseconds since 1970, UTC. Those that
    are not ``kept`` are refusals, which ``forget`` removes once they are old.
    """

    grant: str
    key: str
    digest: bytes
    status: int
    body: bytes
    at: int
    kept: bool = True


class RefusalKept(NamedTuple):
    """A refusal, for surveillance; it is no part of the record. ``at`` as in ``Answer``."""

    at: int
    grant: str
    code: str
    command: str


class Learned(NamedTuple):
    """How well a person of a pit knows a clause of a law: its box, and when it is asked again.

    ``due`` is a day, as ISO 8601 writes it.
    """

    pit: str
    person: str
    law: str
    clause: str
    box: int
    due: str


class Append(NamedTuple):
    """What is added to one stream, after as many lines as ``expected``: all of it or nothing.

    Those of one ``unit``, if it is not 0, are durable together or not at all.
    """

    name: str
    expected: int
    lines: Sequence[bytes]
    epoch: int = 0
    answers: Sequence[Answer] = ()
    refused: Sequence[RefusalKept] = ()
    unit: int = 0


def units_of(appends: Iterable[Append]) -> list[list[Append]]:
    """Return what is durable together or not at all, each append that has no unit by itself."""
    units: dict[object, list[Append]] = {}
    for one in appends:
        units.setdefault(one.unit or (one.name,), []).append(one)
    return [*units.values()]


def with_its_unit(appends: Iterable[Append], name: str, error: StoreError) -> dict[str, StoreError]:
    """Return what goes wrong where one append does: that, and with it the rest of its unit."""
    unit = next(one for one in units_of(appends) if any(each.name == name for each in one))
    with_it = StoreError(f"{name}, with which it is stored, could not be: {error}")
    return {**{one.name: with_it for one in unit}, name: error}


class Lease(NamedTuple):
    """Who owns a stream, and where it answers. Every take-over raises ``epoch`` by one.

    ``until`` is in milliseconds since 1970, by the clock of the store.
    """

    owner: str
    address: str
    epoch: int
    until: int


class Store(Protocol):
    """The records of many tables. Methods may be called from one thread for each kind of work.

    ``commit``, ``keep``, ``create``, ``discard``, ``take``, ``renew``, ``put``, ``learn``, and
    ``forget`` write: call them from one thread at a time. The others read what is durable, and may
    be called from any thread meanwhile.
    """

    @property
    def path(self) -> Path | str:
        """Where it is, as messages show it: without a password."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to it meanwhile."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every stream, in the order of their creation."""

    def create(self, name: str) -> Stream:
        """Create the record of a table. Raises ``StoreError`` if there is one of that name."""

    def open(self, name: str) -> Stream:
        """Open the record of a table. Raises ``StoreError`` if there is none of that name."""

    def discard(self, name: str) -> None:
        """Remove a stream that has no entry. Raises ``StoreError`` if that cannot be written."""

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        """Make what is added to several streams durable together, each unit's all or none.

        Returns what went wrong, by stream; the others are durable. Raises ``StoreError`` if the
        transaction fails, and with it all of them; ``InDoubtError`` if that cannot be said.
        """

    def count(self, name: str) -> int:
        """Return how many lines of a stream are durable."""

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Generator[bytes]:
        """Yield the durable lines of a stream from number ``first`` to ``last``, in order."""

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        """Return what was answered under a key of a grant, if anything was."""

    def refused(self, name: str, most: int = 100) -> tuple[RefusalKept, ...]:
        """Return the last refusals at a table, the newest first."""

    def forget(self, before: int) -> None:
        """Remove answers that are not kept, and refusals, from before a time in milliseconds."""

    def snapshot(self, name: str) -> bytes | None:
        """Return the snapshot of a stream, if there is one."""

    def keep(self, name: str, snapshot: bytes | None) -> None:
        """Keep a snapshot of a stream, or none; one that cannot be written is not kept."""

    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        """Make somebody the owner of a stream, and return the epoch that appends then carry.

        With ``free`` only a lease that is over, or the taker's own, is taken; else 0 is returned.
        """

    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        """Prolong every lease of an owner, and return the epochs of its streams by name."""

    def now(self) -> int:
        """Return the time by which leases end, in milliseconds since 1970."""

    def lease(self, name: str) -> Lease | None:
        """Return who owns a stream; ``None`` if nobody ever did."""

    def put(self, kind: str, name: str, content: bytes | None) -> bool:
        """Keep a document in place of the one before, or remove it; return whether it was there.

        Raises ``StoreError``.
        """

    def document(self, kind: str, name: str) -> bytes | None:
        """Return a document, if there is one of that kind and name."""

    def documents(self, kind: str) -> Mapping[str, bytes]:
        """Return every document of a kind, by name, in the order in which they were first kept."""

    def learn(self, rows: Sequence[Learned], *, instead: tuple[str, str] | None = None) -> None:
        """Keep what is known of clauses in place of what was kept of them.

        With ``instead``, a pit and a person, all else that was kept of that person goes. Raises
        ``StoreError``.
        """

    def learned(self, pit: str, person: str | None = None) -> tuple[Learned, ...]:
        """Return what is kept of a person of a pit, or of everybody, by person, law, and clause."""

    def check(self) -> None:
        """Raise ``LostError`` if the store is not the one that was opened.

        Raises ``UnreachableError`` if it does not answer. Call it where the store is written, if no
        other process writes to it.
        """

    def close(self) -> None:
        """Close the store; another process may open it then."""


class StoredStream:
    """The record of one table in a store; with ``owns`` the store is closed with it."""

    def __init__(self, store: Store, name: str, *, owns: bool = False) -> None:
        self.store: Final = store
        self.name: Final = name
        self._owns: Final = owns

    @property
    def count(self) -> int:
        """How many lines are durable."""
        return self.store.count(self.name)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Make lines durable, all or none. Raises ``StoreError``."""
        failed = self.store.commit([Append(self.name, expected, lines)])
        if self.name in failed:
            raise failed[self.name]

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every durable line from number ``first`` on, in order."""
        return self.store.lines(self.name, first)

    def snapshot(self) -> bytes | None:
        """Return the snapshot kept last, if there is one."""
        return self.store.snapshot(self.name)

    def keep(self, snapshot: bytes | None) -> None:
        """Keep a snapshot in place of the one before; or none."""
        self.store.keep(self.name, snapshot)

    def discard(self) -> None:
        """Remove the record from the store, and close."""
        self.store.discard(self.name)
        self.close()

    def close(self) -> None:
        """Close the store if it was opened for this table; else do nothing, as others use it."""
        if self._owns:
            self.store.close()
