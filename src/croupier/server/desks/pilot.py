"""The autopilot at a table of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from croupier.acts import Command
from croupier.rules import TableRules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.desk import Desk
from croupier.server.logs import LOG
from croupier.server.service import Table
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.inputs import next_gaming_day
from croupier.table.machine.position import NO_STAMP, Stamp
from croupier.table.machine.session import RefusedError, TableSession
from croupier.table.machine.state import Phase, TableState


class Dealt(TableSession):
    """A table for the autopilot, ahead of the durable position."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.rules, position=desk.ahead)
        self._desk: Final = desk

    @property
    def rules(self) -> TableRules:
        return self._desk.ahead.rules

    @property
    def state(self) -> TableState:
        return self._desk.ahead.state

    @contextmanager
    def together(self) -> Iterator[None]:
        """Do nothing: entries made at once are stored together anyway."""
        yield

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        """Enter a command in the name of the office holders."""
        answer = self._desk.enter(command, NO_STAMP if stamp is None else stamp)
        return answer if isinstance(answer, Refusal) else answer.events


async def deal_on(table: Table, seconds: float) -> None:
    """Deal indefinitely, pausing ``seconds`` after each step."""
    desk = table.desk
    chance = Chance()
    while True:
        pilot = Autopilot(Dealt(desk), chance, patrons=table.opened.patrons)
        try:
            if desk.ahead.state.phase is not Phase.CLOSED:
                pilot.take_over()
            while True:
                if desk.ahead.state.phase is Phase.CLOSED:
                    today = datetime.now(tz=UTC).astimezone().date()
                    pilot.open(next_gaming_day(desk.ahead.state, desk.rules, today))
                else:
                    pilot.step()
                if not await desk.settled() or desk.lost:
                    break
                await asyncio.sleep(seconds)
        except (RefusedError, RuntimeError, LookupError, ValueError) as error:
            # Somebody else acted in between: read the state again.
            LOG.warning("%s: the autopilot looks again: %s", desk.name, error)
        await asyncio.sleep(max(seconds, 1.0))
        if desk.lost:
            return
