"""Positions of a pit in its record, and proposals of commands."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from croupier.table.machine.core import Refusal
from croupier.table.machine.position import NO_STAMP, Actor, Stamp
from croupier.table.pit.access import misstated
from croupier.table.pit.deciding import decide_pit, evolve_pit
from croupier.table.pit.state import PitCommand, PitEvents, PitState

__all__ = ["PitPosition", "PitProposal", "advanced_pit", "may_in_pit", "propose_in_pit"]


class PitPosition(Struct, frozen=True):
    """A pit after one entry."""

    state: PitState = field(default_factory=PitState)
    sequence: int = 0
    at: datetime | None = None


class PitProposal(Struct, frozen=True):
    """An allowed pit command, not yet applied."""

    before: PitPosition
    command: PitCommand
    events: PitEvents
    after: PitPosition
    stamp: Stamp


def may_in_pit(command: PitCommand, actors: tuple[Actor, ...]) -> Refusal | None:
    """Refuse a command by an unauthorized office; without actors there is no check."""
    if not actors:
        return None
    if command.given_by in {None, *(actor.office for actor in actors)}:
        return misstated(command, actors)
    return Refusal("not_your_office", (), f"{type(command).__name__} is for the {command.given_by}")


def propose_in_pit(
    position: PitPosition, command: PitCommand, stamp: Stamp = NO_STAMP, at: datetime | None = None
) -> PitProposal | Refusal:
    """Propose a command at a time: return its consequences or a refusal. Pure."""
    if refusal := may_in_pit(command, stamp.by):
        return refusal
    events = decide_pit(position.state, command)
    if isinstance(events, Refusal):
        return events
    stated_moment = getattr(command, "at", None)
    if at is not None and stated_moment is not None and stated_moment > at:
        return Refusal("time", (), f"{stated_moment} is later than the clock of the pit, {at}")
    return PitProposal(position, command, events, advanced_pit(position, events, at), stamp)


def advanced_pit(position: PitPosition, events: PitEvents, at: datetime | None) -> PitPosition:
    state = position.state
    for event in events:
        state = evolve_pit(state, event)
    return PitPosition(state, position.sequence + 1, at or position.at)
