"""Decks that are changed by the clock."""

from __future__ import annotations

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import Moment
from croupier.acts.roles import Role
from croupier.law.cite import Clauses


@command(
    "Record the time on the clock of the pit",
    by=(Role.MACHINE, Role.FLOORPERSON),
    rule="decks.change",
    while_paused=True,
    group="cards",
)
class RecordTime(Command, frozen=True):
    """Record the pit clock's time in UTC, if entries have no time."""

    at: Moment


@event("It is {at:%Y-%m-%d %H:%M} UTC")
class TimeRecorded(Event, frozen=True):
    """The time on the clock of the pit, in UTC."""

    at: Moment
    clauses: Clauses
