"""Events of who stands where."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = ["AssignmentEnded", "OfficeAssigned", "OfficeRelieved"]


@frozen
class OfficeAssigned(Event):
    """A person holds an office at this table."""

    office: str
    person: str
    clauses: Clauses


@frozen
class AssignmentEnded(Event):
    """A person no longer holds an office at this table."""

    office: str
    person: str
    clauses: Clauses


@frozen
class OfficeRelieved(Event):
    """A person took the place of another in an office; ``reason`` if it was in a round."""

    office: str
    relieved: str
    person: str
    reason: str
    clauses: Clauses
