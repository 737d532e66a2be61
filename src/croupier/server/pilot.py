"""The autopilot at a table of the service: it deals by commands of its own, at a pace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from croupier.rules import TableRules
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.people import DEALER, FLOORPERSON, PIT_BOSS, PIT_CLERK
from croupier.server.desk import Desk
from croupier.server.service import Table
from croupier.table import commands as c
from croupier.table.commands import Command
from croupier.table.core import Events, Refusal
from croupier.table.duty import Duty
from croupier.table.office_rows import OFFICES
from croupier.table.position import Actor, Position, Stamp
from croupier.table.roles import Role
from croupier.table.session import RefusedError, TableSession
from croupier.table.shuffling import Chance
from croupier.table.state import Phase, TableState

__all__ = ["Dealt", "deal_on"]

_LOG: Final = logging.getLogger("croupier.server")
_DEVICE: Final = "autopilot"
_ROUNDS: Final = 60
"""Rounds between two closings at a device that never ends a shoe."""
_ON_DUTY: Final = {
    Role.PIT_BOSS: PIT_BOSS,
    Role.PIT_CLERK: PIT_CLERK,
    Role.LICENSEE: "licensee",
    Role.SURVEILLANCE: "surveillance",
}
"""Whom the floorperson assigns when the autopilot opens a table."""


class Dealt(TableSession):
    """A table of the service as the autopilot plays it: ahead of what is durable."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.rules, position=desk.ahead)
        self._desk: Final = desk

    @property
    def rules(self) -> TableRules:
        """The rules in force."""
        return self._desk.ahead.rules

    @property
    def state(self) -> TableState:
        """The state after the last command entered."""
        return self._desk.ahead.state

    @contextmanager
    def together(self) -> Iterator[None]:
        """Do nothing: what is entered at once is stored together anyhow."""
        yield

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        """Enter a command in the name of those whose office it is."""
        if stamp is None:
            stamp = Stamp(_givers(command, self._desk.ahead))
        answer = self._desk.enter(command, stamp)
        if isinstance(answer, Refusal):
            return answer
        if isinstance(command, c.OpenTable):
            self._assign()
        return answer.events

    def _assign(self) -> None:
        duty = self.state[Duty]
        for office, person in _ON_DUTY.items():
            if not duty.persons(office):
                self.execute(c.AssignOffice(office, person))


def _givers(command: Command, position: Position) -> tuple[Actor, ...]:
    """Return who gives a command: somebody of each office that it takes."""
    row = OFFICES[type(command).__name__]
    named = {office: getattr(command, name) for name, office in row.names.items()}
    offices = [_first(row.does), *row.together]
    return tuple(
        _giver(office, command, position, named.get(office, ""))
        for office in dict.fromkeys(offices)
    )


def _first(does: tuple[Role, ...]) -> Role:
    for office in (Role.MACHINE, Role.FLOORPERSON):
        if office in does:
            return office
    return does[0]


def _giver(office: Role, command: Command, position: Position, named: str) -> Actor:
    state = position.state
    if office in {Role.PATRON, Role.CURATOR}:
        seat = getattr(command, "seat", None)
        patron = state.seats.get(seat) if isinstance(seat, int) else None
        return Actor("" if patron is None else patron.name, Role.PATRON, _DEVICE, seat)
    if office is Role.MACHINE:
        return Actor(_DEVICE, office, _DEVICE)
    held = state[Duty].persons(office)
    plain = {Role.DEALER: DEALER, Role.FLOORPERSON: FLOORPERSON, **_ON_DUTY}
    if isinstance(command, c.OpenTable):
        return Actor(
            command.dealer if office is Role.DEALER else command.floorperson, office, _DEVICE
        )
    if office is Role.SUPERVISOR:
        return Actor(state[Duty].persons(Role.FLOORPERSON)[0], Role.FLOORPERSON, _DEVICE)
    return Actor(named or (held[0] if held else plain.get(office, "")), office, _DEVICE)


async def deal_on(table: Table, seconds: float) -> None:
    """Deal a table on and on: a step, a pause; open it each day, and close it after each shoe."""
    desk = table.desk
    chance = Chance()
    while True:
        pilot = Autopilot(Dealt(desk), chance, patrons=table.opened.patrons)
        try:
            if desk.ahead.state.phase is not Phase.CLOSED:
                pilot.take_over()
            while True:
                _step(pilot)
                if not await desk.settled():
                    break
                await asyncio.sleep(seconds)
        except (RefusedError, RuntimeError, LookupError, ValueError) as error:
            # Somebody else did something in between: look again how the table stands.
            _LOG.warning("%s: the autopilot looks again: %s", desk.name, error)
        await asyncio.sleep(max(seconds, 1.0))
        if desk.lost:
            return


def _step(pilot: Autopilot) -> None:
    state = pilot.session.state
    if state.phase is Phase.CLOSED:
        pilot.open(datetime.now(tz=UTC).date())
        return
    pilot.step()
