"""Interface of stores: records of many tables, and a service's other data.

An append states its owner's epoch, so a relieved owner can write nothing more. Small data, such as
grants, are *documents*.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol, runtime_checkable

from croupier.records.stores.stream import StoreError, Stream

COPIED: Final = ("store", "copied")
"""Kind and name of the document that marks a copy; a copy's grants are void once it is served."""


class FullError(StoreError):
    """No space is left."""


class FencedError(StoreError):
    """An append by a former owner of the stream."""


class UnreachableError(StoreError):
    """The store does not answer."""


class LostError(UnreachableError):
    """The store was removed, replaced, or truncated; reopen it to store more."""


class InDoubtError(UnreachableError):
    """The store went away during a write of unknown outcome."""


class KeyTakenError(StoreError):
    """An idempotency key that already has an answer."""


class Answer(NamedTuple):
    """An answer to a request under an idempotency key of a grant.

    ``digest`` is the SHA-256 of the request, ``at`` in milliseconds since 1970. ``forget`` removes
    answers not ``kept``.
    """

    grant: str
    key: str
    digest: bytes
    status: int
    body: bytes
    at: int
    kept: bool = True


class RefusalKept(NamedTuple):
    """A refusal, for surveillance; ``at`` as in ``Answer``."""

    at: int
    grant: str
    code: str
    command: str


class Learned(NamedTuple):
    """A person's progress with a clause; ``due`` is an ISO 8601 date."""

    pit: str
    person: str
    law: str
    clause: str
    box: int
    due: str


class Append(NamedTuple):
    """Lines for a stream after ``expected`` ones; those of one ``unit``, if not 0, all or none."""

    name: str
    expected: int
    lines: Sequence[bytes]
    epoch: int = 0
    answers: Sequence[Answer] = ()
    refused: Sequence[RefusalKept] = ()
    unit: int = 0


def units_of(appends: Iterable[Append]) -> list[list[Append]]:
    units: dict[object, list[Append]] = {}
    for append in appends:
        units.setdefault(append.unit or (append.name,), []).append(append)
    return [*units.values()]


def with_its_unit(appends: Iterable[Append], name: str, error: StoreError) -> dict[str, StoreError]:
    unit = next(one for one in units_of(appends) if any(each.name == name for each in one))
    with_it = StoreError(f"{name}, with which it is stored, could not be: {error}")
    return {**{append.name: with_it for append in unit}, name: error}


class Lease(NamedTuple):
    """Owner of a stream until a time in milliseconds; every take-over increments ``epoch``."""

    owner: str
    address: str
    epoch: int
    until: int


@runtime_checkable
class Store(Protocol):
    """The records of many tables.

    ``commit``, ``keep``, ``create``, ``discard``, ``take``, ``renew``, ``put``, ``learn``, and
    ``forget`` write: call them from one thread at a time. Other methods may be called from any.
    """

    @property
    def path(self) -> Path | str:
        """The store's place for messages, without a password."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may also write to it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Stream names in order of creation."""

    def create(self, name: str) -> Stream:
        """Create the record of a table. Raises ``StoreError``."""

    def open(self, name: str) -> Stream:
        """Open the record of a table. Raises ``StoreError``."""

    def discard(self, name: str) -> None:
        """Remove a stream without entries. Raises ``StoreError``."""

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        """Make appends durable, each unit's all or none; return errors by stream.

        Raises ``StoreError`` if the transaction fails, and ``InDoubtError`` if its outcome is
        unknown.
        """

    def count(self, name: str) -> int:
        """Return a stream's number of durable lines."""

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Generator[bytes]:
        """Yield durable lines ``first``..``last`` of a stream."""

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        """Return the answer under a grant's key, if any."""

    def refused(self, name: str, most: int = 100) -> tuple[RefusalKept, ...]:
        """Return a table's latest refusals, newest first."""

    def forget(self, before: int) -> None:
        """Remove refusals from before a time in milliseconds."""

    def snapshot(self, name: str) -> bytes | None:
        """Return the snapshot of a stream, if any."""

    def keep(self, name: str, snapshot: bytes | None) -> None:
        """Save or remove a snapshot of a stream. Failures are ignored."""

    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        """Take ownership of a stream, and return the new epoch for appends.

        With ``free``, only an expired lease or the taker's own is taken; otherwise returns 0.
        """

    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        """Renew an owner's leases, and return the epochs by stream."""

    def now(self) -> int:
        """Return the store's clock for leases, in milliseconds since 1970."""

    def lease(self, name: str) -> Lease | None:
        """Return the lease of a stream, if it ever had an owner."""

    def put(self, kind: str, name: str, content: bytes | None) -> bool:
        """Save or remove a document; return whether it existed. Raises ``StoreError``."""

    def document(self, kind: str, name: str) -> bytes | None:
        """Return a document by kind and name, if any."""

    def documents(self, kind: str) -> Mapping[str, bytes]:
        """Return the documents of a kind by name, oldest first."""

    def learn(self, rows: Sequence[Learned], *, instead: tuple[str, str] | None = None) -> None:
        """Save learned clauses. Raises ``StoreError``.

        With ``instead``, a pit and a person, everything else saved for that person is removed.
        """

    def learned(self, pit: str, person: str | None = None) -> tuple[Learned, ...]:
        """Return learned clauses of a pit, by person, law, and clause."""

    def check(self) -> None:
        """Raise ``LostError`` if the store is not the one opened.

        Raises ``UnreachableError`` if it does not answer. Call it from the writing thread.
        """

    def close(self) -> None:
        """Close the store."""


class StoredStream:
    """The record of one table in a store, which it closes if it ``owns`` it."""

    def __init__(self, store: Store, name: str, *, owns: bool = False) -> None:
        self.store: Final = store
        self.name: Final = name
        self._owns: Final = owns

    @property
    def count(self) -> int:
        return self.store.count(self.name)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        failed = self.store.commit([Append(self.name, expected, lines)])
        if self.name in failed:
            raise failed[self.name]

    def lines(self, first: int = 0) -> Generator[bytes]:
        return self.store.lines(self.name, first)

    def snapshot(self) -> bytes | None:
        return self.store.snapshot(self.name)

    def keep(self, snapshot: bytes | None) -> None:
        self.store.keep(self.name, snapshot)

    def discard(self) -> None:
        try:
            self.store.discard(self.name)
        finally:
            self.close()

    def close(self) -> None:
        if self._owns:
            self.store.close()
