"""Events of decks that are changed by the clock."""

from __future__ import annotations

from datetime import datetime

from croupier.table.events.event import Clauses, Event

__all__ = ["CardsRemoved", "TimeRecorded"]


class TimeRecorded(Event, frozen=True):
    """The time on the clock of the pit, in UTC."""

    at: datetime
    clauses: Clauses


class CardsRemoved(Event, frozen=True):
    """The decks were removed from the table, to be replaced."""

    clauses: Clauses
