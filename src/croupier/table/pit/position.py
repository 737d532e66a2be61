"""A pit at one entry of its record, and what a command would make of it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from croupier.table.machine.core import Refusal
from croupier.table.machine.position import NO_STAMP, Actor, Stamp
from croupier.table.pit.access import misstated
from croupier.table.pit.commands import PitCommand
from croupier.table.pit.deciding import decide_pit, evolve_pit
from croupier.table.pit.events import PitEvents
from croupier.table.pit.state import PitState


class PitPosition(Struct, frozen=True):
    """All of a pit at one entry: its state, how many entries led there, and when the last was."""

    state: PitState = field(default_factory=PitState)
    sequence: int = 0
    at: datetime | None = None


class PitProposal(Struct, frozen=True):
    """A command that a pit allows, with all that follows from it, and nothing of it done yet."""

    before: PitPosition
    command: PitCommand
    events: PitEvents
    after: PitPosition
    stamp: Stamp


def may_in_pit(command: PitCommand, by: tuple[Actor, ...]) -> Refusal | None:
    """Refuse who may not give a command; where nobody is named, nobody is asked about."""
    if not by:
        return None
    if command.given_by in {None, *(one.office for one in by)}:
        return misstated(command, by)
    message = f"{type(command).__name__} is for the {command.given_by}"
    return Refusal("not_your_office", (), message)


def propose_in_pit(
    position: PitPosition, command: PitCommand, stamp: Stamp = NO_STAMP, at: datetime | None = None
) -> PitProposal | Refusal:
    """Return what a command would make of a pit at a time, or the refusal. Pure: nothing changes.

    >>> from datetime import UTC, datetime
    >>> from croupier.table.pit import GiveNotice
    >>> from croupier.acts.roles import Role
    >>> noon = datetime(2011, 2, 22, 12, tzinfo=UTC)
    >>> notice = GiveNotice({"settlement.order": "vigorish-first"}, "surveillance", noon)
    >>> by = (Actor("Dana", Role.DEALER, "page"),)
    >>> propose_in_pit(PitPosition(), notice, Stamp(by), noon).code
    'not_your_office'
    >>> propose_in_pit(PitPosition(), notice, at=noon).after.sequence
    1
    """
    if refusal := may_in_pit(command, stamp.by):
        return refusal
    events = decide_pit(position.state, command)
    if isinstance(events, Refusal):
        return events
    stated = getattr(command, "at", None)
    if at is not None and stated is not None and stated > at:
        return Refusal("time", (), f"{stated} is later than the clock of the pit, {at}")
    return PitProposal(position, command, events, advanced_pit(position, events, at), stamp)


def advanced_pit(position: PitPosition, events: PitEvents, at: datetime | None) -> PitPosition:
    """Return the position of a pit after an entry at a time."""
    state = position.state
    for event in events:
        state = evolve_pit(state, event)
    return PitPosition(state, position.sequence + 1, at or position.at)
