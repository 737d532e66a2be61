"""What every event has."""

from __future__ import annotations

__all__ = ["Clauses", "Event"]

Clauses = tuple[str, ...]


class Event:
    """Something that happened at the table, with the clauses behind it."""

    clauses: Clauses
