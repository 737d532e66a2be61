"""The floor: people on duty, pauses, notes, and reserved seats."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import PAUSED_BY_WATCH, STAFF, Command, Event, event, house_act
from croupier.acts.fields import (
    EntryNumber,
    Label,
    Moment,
    PatronName,
    Reason,
    Seat,
    StaffName,
    StaffText,
    Word,
)
from croupier.acts.roles import Role
from croupier.law.cite import Clauses
from croupier.law.usage import named


def _assigned(event: OfficeAssigned) -> str:
    if event.person == event.office:
        return f"The {named(event.office)} is on duty"
    return f"{event.person} is assigned as {named(event.office)}"


def _relieved(event: OfficeRelieved) -> str:
    reason = f": {event.reason}" if event.reason else ""
    return f"{event.person} relieves {event.relieved} as {named(event.office)}{reason}"


@house_act(
    "Assign a person to an office",
    by=(Role.FLOORPERSON, Role.PIT_BOSS, Role.LICENSEE),
    group="people",
)
class AssignOffice(Command, frozen=True):
    """Assign a person to an office at this table."""

    office: Word
    person: StaffName


@house_act(
    "End a person's assignment", by=(Role.FLOORPERSON, Role.PIT_BOSS, Role.LICENSEE), group="people"
)
class EndAssignment(Command, frozen=True):
    """End a person's assignment to an office."""

    office: Word
    person: StaffName


@house_act("Relieve the dealer", by=Role.FLOORPERSON, group="people")
class RelieveDealer(Command, frozen=True):
    """Another dealer takes a dealer's place, between rounds; in a round only for a ``reason``."""

    dealer: StaffName
    relieved: Annotated[StaffName, Label("Who leaves")] = ""
    reason: Reason = ""


@house_act("Relieve the floorperson", by=Role.PIT_BOSS, group="people")
class RelieveFloorperson(Command, frozen=True):
    """Another floorperson takes over, between rounds; in a round only for a ``reason``."""

    floorperson: StaffName
    reason: Reason = ""


@event(_assigned)
class OfficeAssigned(Event, frozen=True):
    """A person holds an office at this table."""

    office: Word
    person: StaffName
    clauses: Clauses


@event("{person} is {office:named} no more")
class AssignmentEnded(Event, frozen=True):
    """A person no longer holds an office at this table."""

    office: Word
    person: StaffName
    clauses: Clauses


@event(_relieved)
class OfficeRelieved(Event, frozen=True):
    """A person took another's place in an office."""

    office: Word
    relieved: StaffName
    person: StaffName
    reason: Reason
    clauses: Clauses


def _reserved(event: SeatReserved) -> str:
    end = "" if event.until is None else f" until {event.until:%Y-%m-%d %H:%M} UTC"
    return f"Seat {event.seat} is kept for {event.patron}{end}"


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
