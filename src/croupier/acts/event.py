"""What every event is, and what its definition says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import Struct

from croupier.acts.words import filled_in
from croupier.law.cited import Clauses


class Event(Struct, frozen=True, tag=True, tag_field="type"):
    """Something that happened at the table, with the clauses behind it.

    ``VERSION`` goes up by one whenever the fields of an event change; ``records.upcasting`` says
    what an older version means today.
    """

    VERSION = 1

    @property
    def clauses(self) -> Clauses:
        """The clauses behind the event: the last field of every subclass."""
        raise NotImplementedError


class EventTerms(Struct, frozen=True):
    """How an event is narrated, in a line of which ``kind``, and what it does to a slip."""

    says: Callable[[Any], str]
    kind: str
    slip: tuple[str, str] | None


EVENT_TERMS: Final[dict[type[Event], EventTerms]] = {}
"""The terms of every event that is narrated on its own."""

EventType = TypeVar("EventType", bound=Event)


def event(
    says: str | Callable[[Any], str], *, kind: str = "act", slip: tuple[str, str] | None = None
) -> Callable[[type[EventType]], type[EventType]]:
    """Define how an event is narrated: a template of its fields, or a function of the event.

    ``slip`` is the kind of slip and the state that it has after the event.
    """
    narrate = filled_in(says) if isinstance(says, str) else says

    def define(made: type[EventType]) -> type[EventType]:
        EVENT_TERMS[made] = EventTerms(narrate, kind, slip)
        return made

    return define
