"""Events of a paused table, of notes, and of seats that are kept."""

from __future__ import annotations

from datetime import datetime

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = ["NoteWritten", "SeatReleased", "SeatReserved", "TablePaused", "TableResumed"]


@frozen
class TablePaused(Event):
    """Play was paused."""

    reason: str
    clauses: Clauses


@frozen
class TableResumed(Event):
    """Play goes on."""

    clauses: Clauses


@frozen
class NoteWritten(Event):
    """A note was written, about an entry if one is named."""

    text: str
    entry: int | None
    clauses: Clauses


@frozen
class SeatReserved(Event):
    """A seat is kept for a patron."""

    seat: int
    patron: str
    until: datetime | None
    clauses: Clauses


@frozen
class SeatReleased(Event):
    """A seat is kept no longer."""

    seat: int
    patron: str
    clauses: Clauses
