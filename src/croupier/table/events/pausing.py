"""Events of a paused table, of notes, and of seats that are kept."""

from __future__ import annotations

from datetime import datetime

from croupier.table.events.event import Clauses, Event

__all__ = ["NoteWritten", "SeatReleased", "SeatReserved", "TablePaused", "TableResumed"]


class TablePaused(Event, frozen=True):
    """Play was paused."""

    reason: str
    clauses: Clauses


class TableResumed(Event, frozen=True):
    """Play goes on."""

    clauses: Clauses


class NoteWritten(Event, frozen=True):
    """A note was written, about an entry if one is named."""

    text: str
    entry: int | None
    clauses: Clauses


class SeatReserved(Event, frozen=True):
    """A seat is kept for a patron."""

    seat: int
    patron: str
    until: datetime | None
    clauses: Clauses


class SeatReleased(Event, frozen=True):
    """A seat is kept no longer."""

    seat: int
    patron: str
    clauses: Clauses
