"""Events and the terms of their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import Struct

from croupier.acts.fields import PlainData
from croupier.acts.words import filled_in
from croupier.law.cite import Clauses
from croupier.law.mechanisms import claim, owner_of


class Event(PlainData, Struct, frozen=True, gc=False, tag=True, tag_field="type"):
    """Something that happened at the table, with the clauses cited.

    ``VERSION`` is incremented whenever the fields change.
    """

    VERSION = 1

    @property
    def clauses(self) -> Clauses:
        """The clauses cited."""
        raise NotImplementedError


class EventTerms(Struct, frozen=True):
    """The narration of an event, its kind of line, and its effect on a slip.

    ``irregular`` names what went wrong; it is empty for a consequence, ``None`` if nothing did.
    """

    says: Callable[[Any], str]
    kind: str
    slip: tuple[str, str] | None
    irregular: str | None


EVENT_TERMS: Final[dict[type[Event], EventTerms]] = {}
"""Terms of narrated events."""

EventType = TypeVar("EventType", bound=Event)


def event(
    says: str | Callable[[Any], str],
    *,
    kind: str = "act",
    slip: tuple[str, str] | None = None,
    irregular: str | None = None,
) -> Callable[[type[EventType]], type[EventType]]:
    """Define the narration of an event: a template of its fields, or a function of the event.

    ``slip`` is the kind of slip and its state after the event, ``irregular`` what went wrong.
    """
    narrate = filled_in(says) if isinstance(says, str) else says

    def define(made: type[EventType]) -> type[EventType]:
        same = (one for one in Event.__subclasses__() if one.__name__ == made.__name__)
        claim(made, made.__name__, made in EVENT_TERMS or (owner_of(made) and [*same] != [made]))
        EVENT_TERMS[made] = EventTerms(narrate, kind, slip, irregular)
        return made

    return define
