"""Hands at the keys of a table on the whole screen of a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import textual.app
from textual.pilot import Pilot
from textual.widgets import Static

from croupier.cli.tables.sitting.screen import TableApp


async def _a_moment(_: float) -> None:
    """Give others their turn: what waits for a screen here waits for all that it has to do."""
    await asyncio.sleep(0.001)


# It would sleep until the process is idle, 20 ms or more, twice for each key.
vars(textual.app)["wait_for_idle"] = _a_moment


class Hands:
    """Whoever presses the keys, and looks at the screen."""

    def __init__(self, app: TableApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait after each until the screen has caught up."""
        for key in keys:
            await self.pilot.press(key)
            # A key goes from the program to a screen, and to what has the focus there; it may open
            # another screen, or begin work, and the end of that is told to a screen again.
            for _ in range(3):
                await self.app.workers.wait_for_complete()
                await self.pilot.pause(0.001)

    async def choose(self, words: str, *answers: str, key: str = "o") -> None:
        """Choose an act from the list that a key opens, and answer what it asks."""
        sitting = self.app.sitting
        acts = sitting.others if key == "o" else sitting.irregular
        at = next(at for at, one in enumerate(acts) if words in one["words"])
        await self.press(key, *["down"] * at, "enter")
        for answer in answers:
            await self.press(*answer, "enter")

    def shows(self, name: str) -> str:
        """Return what a place of the screen shows."""
        return str(self.app.query_one(f"#{name}", Static).render())

    async def until(self, shown: Callable[[], bool]) -> None:
        """Wait until something is shown."""
        ends = time.monotonic() + 15
        while not shown():
            assert time.monotonic() < ends, "it is never shown"
            await self.pilot.pause(0.05)
