"""One thread writes: what several tables have accepted meanwhile is made durable together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Final, ParamSpec, Protocol, TypeVar

from croupier.records.store import Answer, Append, RefusalKept, Store, UnreachableError
from croupier.records.stream import StoreError

__all__ = ["Commits", "Item", "Source"]

P = ParamSpec("P")
T = TypeVar("T")

_LOG: Final = logging.getLogger("croupier.server")


class Source(Protocol):
    """A table whose items are committed."""

    @property
    def name(self) -> str:
        """The name of its stream."""

    @property
    def epoch(self) -> int:
        """That of its owner."""

    def committed(self, items: Sequence[Item]) -> None:
        """Take note that items are durable."""

    def failed(self, items: Sequence[Item], error: StoreError) -> None:
        """Take note that items are not durable, and neither is anything that came after them."""


class Item:
    """What one request adds to the record of a table; ``expected`` lines come before it."""

    __slots__ = ("answer", "expected", "lines", "of", "outcome", "refused")

    def __init__(self, of: Source, expected: int, lines: Sequence[bytes]) -> None:
        self.of: Final = of
        self.expected: Final = expected
        self.lines: Final = lines
        self.answer: Answer | None = None
        self.refused: RefusalKept | None = None
        self.outcome: object = None
        """What the table keeps with it."""


class Commits:
    """Commits items in groups, in the order in which they came; and does all other writing.

    Everything but the writing itself happens in the thread of the event loop.
    """

    def __init__(self, store: Store, observed: Callable[[int, float], None] | None = None) -> None:
        self.store: Final = store
        self._observed = observed or (lambda _, __: None)
        self._waiting: list[Item] = []
        self._wake = asyncio.Event()
        self._writer: Final = ThreadPoolExecutor(1, thread_name_prefix="croupier-writer")
        self._task: asyncio.Task[None] | None = None
        self._ends = False

    def start(self) -> None:
        """Begin to commit."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Commit what is waiting, and end."""
        self._ends = True
        self._wake.set()
        if self._task is not None:
            await self._task
        self._writer.shutdown(wait=True)

    def add(self, item: Item) -> None:
        """Have an item committed with the next group."""
        self._waiting.append(item)
        self._wake.set()

    async def write(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do other writing in the thread that writes."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, lambda: act(*args, **kwargs))

    async def answer(self, name: str, grant: str, key: str) -> Answer | None:
        """Return what was answered under a key; a store elsewhere is asked in another thread."""
        if not self.store.is_shared:
            return self.store.answer(name, grant, key)
        return await asyncio.to_thread(self.store.answer, name, grant, key)

    def after(self, act: Callable[[], object]) -> None:
        """Do other writing later, for which nobody waits."""
        self._writer.submit(act)

    async def _run(self) -> None:
        while self._waiting or not self._ends:
            await self._wake.wait()
            self._wake.clear()
            group, self._waiting = self._waiting, []
            if group:
                await self._commit(group)

    async def _commit(self, group: list[Item]) -> None:
        tables: dict[Source, list[Item]] = {}
        for item in group:
            tables.setdefault(item.of, []).append(item)
        begun = perf_counter()
        failed = await self.write(_committed, self.store, [_append(one) for one in tables.values()])
        self._observed(len(group), perf_counter() - begun)
        # What rests on something that failed goes with it, before anything is answered.
        for source in [one for one in tables if one.name in failed]:
            tables[source] += [item for item in self._waiting if item.of is source]
            self._waiting = [item for item in self._waiting if item.of is not source]
        for source, items in tables.items():
            error = failed.get(source.name)
            try:
                if error is None:
                    source.committed(items)
                else:
                    source.failed(items, error)
            except Exception:  # noqa: BLE001  (one table must not stop the others)
                _LOG.exception("%s: what was committed could not be told", source.name)


def _append(items: Sequence[Item]) -> Append:
    first = items[0]
    return Append(
        first.of.name,
        first.expected,
        [line for item in items for line in item.lines],
        first.of.epoch,
        [item.answer for item in items if item.answer is not None],
        [item.refused for item in items if item.refused is not None],
    )


def _committed(store: Store, appends: Sequence[Append]) -> Mapping[str, StoreError]:
    """Commit a group; if it fails as a whole, table by table, so that each fails alone."""
    try:
        return store.commit(appends)
    except UnreachableError as error:
        return {one.name: error for one in appends}
    except StoreError as error:
        failed = error
    except Exception as error:  # noqa: BLE001  (whatever it is, nothing waits for it forever)
        _LOG.exception("a commit failed")
        failed = StoreError(f"the store failed: {error}")
    if len(appends) == 1:
        return {appends[0].name: failed}
    return {name: error for one in appends for name, error in _committed(store, [one]).items()}
