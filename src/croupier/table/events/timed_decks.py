"""Events of decks that are changed by the clock."""

from __future__ import annotations

from datetime import datetime

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = ["CardsRemoved", "TimeRecorded"]


@frozen
class TimeRecorded(Event):
    """The time on the clock of the pit, in UTC."""

    at: datetime
    clauses: Clauses


@frozen
class CardsRemoved(Event):
    """The decks were removed from the table, to be replaced."""

    clauses: Clauses
