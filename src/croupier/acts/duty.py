"""Assignments of people to offices."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import Command, house_act
from croupier.acts.event import Event, event
from croupier.acts.fields import Label, Reason, StaffName, Word
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
