"""Group commits by one writer thread."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Final, ParamSpec, Protocol, TypeVar

from msgspec import Struct

from croupier.records.stores.store import (
    Answer,
    Append,
    FencedError,
    KeyTakenError,
    RefusalKept,
    Store,
    UnreachableError,
    units_of,
)
from croupier.records.stores.stream import PositionError, StoreError
from croupier.server.logs import LOG

P = ParamSpec("P")
T = TypeVar("T")


_PROBE_BYTES: Final = 1 << 16
"""Size of the content that must be writable before a failed store counts as working again."""
_OF_ONE: Final = (FencedError, KeyTakenError, PositionError)
"""Errors of one append, not of the store."""


class Source(Protocol):
    @property
    def record(self) -> str: ...
    @property
    def epoch(self) -> int: ...
    def committed(self, items: Sequence[Item]) -> None: ...
    def failed(self, items: Sequence[Item], error: StoreError) -> None: ...


class Item(Struct, eq=False, frozen=True):
    """One request's lines for a record, stored with all others of its ``unit``, or not at all."""

    of: Source
    expected: int
    lines: Sequence[bytes]
    answers: Sequence[Answer] = ()
    unit: object = None
    refused: RefusalKept | None = None
    outcome: object = None


class Commits:
    """Commits items in groups in a thread, and performs all other writes."""

    def __init__(self, store: Store, observed: Callable[[int, float], None] | None = None) -> None:
        self.store: Final = store
        self._observed = observed or (lambda _, __: None)
        self._waiting: list[Item] = []
        self._wake = asyncio.Event()
        self._writer: Final = ThreadPoolExecutor(1, thread_name_prefix="croupier-writer")
        self._task: asyncio.Task[None] | None = None
        self._ends = False
        self.is_failing = False
        """Whether the last group failed because of the store, not because of one append."""

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        self._ends = True
        self._wake.set()
        if self._task is not None:
            await self._task
        self._writer.shutdown(wait=True)

    @property
    def queued(self) -> int:
        return len(self._waiting)

    def add(self, item: Item) -> None:
        self._waiting.append(item)
        self._wake.set()

    async def write(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, lambda: act(*args, **kwargs))

    async def check(self) -> None:
        """Raise ``StoreError`` if the store is unusable."""
        if self.store.is_shared:
            # A database may be slow to answer; use a thread so that commits do not wait for it.
            await asyncio.to_thread(self.store.check)
        else:
            await self.write(self.store.check)
        if self.is_failing:
            # A database compresses what it can, and would find room for zeros on a full disk.
            for content in (os.urandom(_PROBE_BYTES), None):
                await self.write(self.store.put, "probe", "probe", content)
            self.is_failing = False

    async def answer(self, name: str, grant: str, key: str) -> Answer | None:
        """Answer kept under a key; a shared store is queried in a thread."""
        if not self.store.is_shared:
            return self.store.answer(name, grant, key)
        return await asyncio.to_thread(self.store.answer, name, grant, key)

    def after(self, act: Callable[[], object]) -> None:
        self._writer.submit(act)

    async def _run(self) -> None:
        while self._waiting or not self._ends:
            await self._wake.wait()
            self._wake.clear()
            group, self._waiting = self._waiting, []
            if group:
                await self._commit(group)

    async def _commit(self, group: list[Item]) -> None:
        records: dict[Source, list[Item]] = {}
        for item in group:
            records.setdefault(item.of, []).append(item)
        units = _units(records)
        appends = [_append(one, units[record]) for record, one in records.items()]
        begun = perf_counter()
        errors = await self.write(_committed, self.store, appends)
        self._observed(len(group), perf_counter() - begun)
        self.is_failing = any(not isinstance(one, _OF_ONE) for one in errors.values())
        # Records that depend on a failed one fall back too, before anything is answered.
        lost = self._with_dependents(
            {record: errors[record.record] for record in records if record.record in errors}
        )
        for source, items in records.items():
            if source.record not in errors:
                self._notify(source, source.committed, items)
        for source, error in lost.items():
            items = records.get(source, []) if source.record in errors else []
            items = items + [item for item in self._waiting if item.of is source]
            self._waiting = [item for item in self._waiting if item.of is not source]
            self._notify(source, partial(source.failed, error=error), items)

    def _with_dependents(self, errors: Mapping[Source, StoreError]) -> Mapping[Source, StoreError]:
        lost, waiting = dict(errors), [item for item in self._waiting if item.unit]
        error = StoreError("what was asked with it could not be stored")
        while True:
            units = {id(item.unit) for item in waiting if item.of in lost}
            dependents = {item.of for item in waiting if id(item.unit) in units} - lost.keys()
            if not dependents:
                return lost
            lost |= dict.fromkeys(dependents, error)

    def _notify(
        self, source: Source, note: Callable[[Sequence[Item]], object], items: list[Item]
    ) -> None:
        try:
            note(items)
        except Exception:  # noqa: BLE001  (one record must not stop the others)
            LOG.exception("%s: the listeners of a commit failed", source.record)


def _units(records: Mapping[Source, Sequence[Item]]) -> Mapping[Source, int]:
    """Each record's group of records stored together; 0 for one stored alone."""
    found: dict[Source, int] = dict.fromkeys(records, 0)
    numbers: dict[int, int] = {}
    for source, items in records.items():
        for unit in [id(item.unit) for item in items if item.unit]:
            before, number = found[source], numbers.setdefault(unit, len(numbers) + 1)
            found[source] = number
            if before and before != number:
                # Two units with a common record are merged.
                found = {one: number if at == before else at for one, at in found.items()}
                numbers = {record: number if at == before else at for record, at in numbers.items()}
    return found


def _append(items: Sequence[Item], unit: int) -> Append:
    first_item = items[0]
    return Append(
        first_item.of.record,
        first_item.expected,
        [line for item in items for line in item.lines],
        first_item.of.epoch,
        [answer for item in items for answer in item.answers],
        [item.refused for item in items if item.refused is not None],
        unit,
    )


def _committed(store: Store, appends: Sequence[Append]) -> Mapping[str, StoreError]:
    try:
        return store.commit(appends)
    except StoreError as error:
        store_error = error
    except Exception as error:  # noqa: BLE001  (whatever it is, nothing waits for it forever)
        LOG.exception("a commit failed")
        # Nobody knows whether it was committed before.
        store_error = UnreachableError(f"the store failed: {error}")
    units = units_of(appends)
    if len(units) == 1 or isinstance(store_error, UnreachableError):
        return {append.name: store_error for append in appends}
    return {name: error for unit in units for name, error in _committed(store, unit).items()}
