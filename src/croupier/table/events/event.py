"""What every event has."""

from __future__ import annotations

from msgspec import Struct

from croupier.cited import Clauses

__all__ = ["Clauses", "Event"]


class Event(Struct, frozen=True, tag=True, tag_field="type"):
    """Something that happened at the table, with the clauses behind it.

    ``VERSION`` goes up by one whenever the fields of an event change; ``records.upcasting`` says
    what an older version means today.
    """

    VERSION = 1

    @property
    def clauses(self) -> Clauses:
        """The clauses behind the event: a field of every subclass, last in the log."""
        raise NotImplementedError
