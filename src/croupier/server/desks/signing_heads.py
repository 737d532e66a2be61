"""Signing of heads at the end of shoes and gaming days."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from croupier.acts import ShoeCompleted, TableClosed
from croupier.records.heads import HeadsFile
from croupier.records.stores.store import Store
from croupier.records.stores.stream import StoreError
from croupier.server.logs import LOG
from croupier.table.machine.position import Proposal


class SigningHeads:
    """Appends the heads of a store to a file, in a thread of its own."""

    def __init__(self, file: HeadsFile, store: Store) -> None:
        self._file: Final = file
        self._store: Final = store
        self._asked: Final = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Compare the store with the file, and sign it. Raises ``StoreError``."""
        await asyncio.to_thread(self._file.check, self._store)
        await asyncio.to_thread(self._file.append_changed, self._store)
        self._task = asyncio.get_running_loop().create_task(self._run())

    def hear(self, entries: Sequence[Proposal]) -> None:
        """Ask for a line if a shoe or the play of a day has ended."""
        if any(isinstance(it, ShoeCompleted | TableClosed) for one in entries for it in one.events):
            self.ask()

    def ask(self) -> None:
        self._asked.set()

    async def _run(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            await self._sign()

    async def _sign(self) -> None:
        try:
            await asyncio.to_thread(self._file.append_changed, self._store)
        except StoreError as error:
            LOG.error("no head was signed: %s", error)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            await self._sign()
