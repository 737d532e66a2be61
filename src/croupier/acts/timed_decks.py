"""Decks that are changed by the clock."""

from __future__ import annotations

from croupier.acts.command import SUPERVISORS, Command, command
from croupier.acts.event import Event, event
from croupier.acts.fields import Moment, Reason, StaffName, Supervisor
from croupier.acts.roles import Role
from croupier.law.cited import Clauses


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


@command("Take the decks off the table", by=Role.DEALER, rule="decks.change", group="cards")
class RemoveCards(Command, frozen=True):
    """Remove the decks, so that others can be received."""


@command("Order other decks", by=SUPERVISORS, rule="opening.receive", group="cards")
class OrderDecks(Command, frozen=True):
    """Have the decks removed at the end of a shoe, so that others can be received."""

    supervisor: Supervisor
    reason: Reason


@event("{supervisor:who} orders other decks: {reason}")
class DecksOrdered(Event, frozen=True):
    """A supervisor ordered other decks at an open table."""

    supervisor: StaffName
    reason: Reason
    clauses: Clauses


@event("It is {at:%Y-%m-%d %H:%M} UTC")
class TimeRecorded(Event, frozen=True):
    """The time on the clock of the pit, in UTC."""

    at: Moment
    clauses: Clauses


@event("The decks are taken off the table")
class CardsRemoved(Event, frozen=True):
    """The decks were removed, to be replaced."""

    clauses: Clauses
