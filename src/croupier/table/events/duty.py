"""Events of who stands where."""

from __future__ import annotations

from croupier.table.events.event import Clauses, Event

__all__ = ["AssignmentEnded", "OfficeAssigned", "OfficeRelieved"]


class OfficeAssigned(Event, frozen=True):
    """A person holds an office at this table."""

    office: str
    person: str
    clauses: Clauses


class AssignmentEnded(Event, frozen=True):
    """A person no longer holds an office at this table."""

    office: str
    person: str
    clauses: Clauses


class OfficeRelieved(Event, frozen=True):
    """A person took the place of another in an office; ``reason`` if it was in a round."""

    office: str
    relieved: str
    person: str
    reason: str
    clauses: Clauses
