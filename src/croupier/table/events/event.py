"""What every event has."""

from __future__ import annotations

from croupier.cited import Clauses

__all__ = ["Clauses", "Event"]


class Event:
    """Something that happened at the table, with the clauses behind it.

    ``VERSION`` goes up by one whenever the fields of an event change; ``records.upcasting`` says
    what an older version means today.
    """

    VERSION = 1

    clauses: Clauses
