"""The failure of a shuffling device."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import SUPERVISORS, Command, Event, command, event
from croupier.acts.fields import Count, Flag, Label, Reason, StaffName, Supervisor, Word
from croupier.acts.words import who
from croupier.law.cite import Clauses


def _failed(event: DeviceFailed) -> str:
    damaged = f"; damaged cards replaced from a new deck: {event.damaged}" if event.damaged else ""
    replaced = ", and another takes its place" if event.replaced else ""
    return f"{who(event.supervisor)} finds that the shuffling device failed{replaced}{damaged}"


@command(
    "Report that the shuffling device failed",
    by=SUPERVISORS,
    rule="device.failure",
    while_paused=True,
    asks="Did the shuffling device fail?",
)
class ReportDeviceFailure(Command, frozen=True):
    """Report that the shuffling device failed; the law says what becomes of the round.

    ``case`` is ``other-device`` if another takes its place at once, ``no-device``, or
    ``disadvantage`` if a patron or the house is at a disadvantage by it.
    """

    case: Annotated[Word, Label("What is the case")]
    supervisor: Supervisor
    reason: Annotated[Reason, Label("What was found")]
    damaged: Annotated[Count, Label("Damaged cards replaced from a new deck")] = 0


@command(
    "Report that a shuffling device works again",
    by=SUPERVISORS,
    rule="device.failure",
    while_paused=True,
)
class RestoreDevice(Command, frozen=True):
    """Report that the shuffling device works again, or that another took its place."""

    supervisor: Supervisor


@event(_failed, irregular="shuffling device failed")
class DeviceFailed(Event, frozen=True):
    """The shuffling device failed.

    The round in hand, if any, is ``completed``, ``void``, or ``withdrawable``: patrons may take
    back its wagers until it is decided. ``replaced`` is set if another device took its place.
    """

    case: Word
    outcome: Word
    replaced: Flag
    damaged: Count
    supervisor: StaffName
    reason: Reason
    clauses: Clauses


@event("{supervisor:who} finds that the shuffling device works again", irregular="")
class DeviceRestored(Event, frozen=True):
    """A shuffling device works at the table again."""

    supervisor: StaffName
    clauses: Clauses
