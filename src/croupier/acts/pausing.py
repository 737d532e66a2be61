"""Pauses, notes, and reserved seats."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import PAUSED_BY_WATCH, STAFF, Command, house_act
from croupier.acts.event import Event, event
from croupier.acts.fields import EntryNumber, Label, Moment, PatronName, Reason, Seat, StaffText
from croupier.acts.roles import Role
from croupier.law.cite import Clauses


def _reserved(event: SeatReserved) -> str:
    until = "" if event.until is None else f" until {event.until:%Y-%m-%d %H:%M} UTC"
    return f"Seat {event.seat} is kept for {event.patron}{until}"


@house_act(
    "Pause the table",
    by=(Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.MACHINE),
    asks="Must play stop?",
)
class PauseTable(Command, frozen=True):
    """Pause play, except for chips, people, corrections, and notes."""

    reason: Reason


@house_act("Let play go on", by=Role.FLOORPERSON, besides={Role.SURVEILLANCE: PAUSED_BY_WATCH})
class ResumeTable(Command, frozen=True):
    """Resume play."""


@house_act("Write a note in the record", by=STAFF)
class WriteNote(Command, frozen=True):
    """Write a note of 1 to 500 characters in the record, about entry ``of`` if named."""

    text: Annotated[StaffText, Label("Note")]
    of: EntryNumber | None = None


@house_act(
    "Keep a seat for a patron",
    by=(Role.DEALER, Role.FLOORPERSON),
    while_paused=False,
    group="patrons",
)
class ReserveSeat(Command, frozen=True):
    """Reserve a seat for a patron, until a time in UTC, or until it is released."""

    seat: Seat
    patron: PatronName
    until: Annotated[Moment, Label("Until (UTC)")] | None = None


@house_act("Release a seat that is kept", by=Role.FLOORPERSON, while_paused=False, group="patrons")
class ReleaseSeat(Command, frozen=True):
    """Release a reserved seat."""

    seat: Seat


@event("The table is paused: {reason}")
class TablePaused(Event, frozen=True):
    """Play was paused."""

    reason: Reason
    clauses: Clauses


@event("The table is open for play again")
class TableResumed(Event, frozen=True):
    """Play was resumed."""

    clauses: Clauses


@event(lambda x: f"Note{'' if x.entry is None else f' on entry {x.entry}'}: {x.text}")
class NoteWritten(Event, frozen=True):
    """A note was written, about an entry if named."""

    text: StaffText
    entry: EntryNumber | None
    clauses: Clauses


@event(_reserved)
class SeatReserved(Event, frozen=True):
    """A seat was reserved for a patron."""

    seat: Seat
    patron: PatronName
    until: Moment | None
    clauses: Clauses


@event("Seat {seat} is kept for {patron} no longer")
class SeatReleased(Event, frozen=True):
    """A reserved seat was released."""

    seat: Seat
    patron: PatronName
    clauses: Clauses
