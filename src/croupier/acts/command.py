"""Commands, events, and the terms of their definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from msgspec import Struct

from croupier.acts.fields import NamesFields, PlainData, offices_named
from croupier.acts.roles import POSTED, Role, includes
from croupier.acts.words import filled_in
from croupier.law.cite import Clauses
from croupier.law.mechanisms import claim, owner_of

ONCE_DRAWN: Final = "once a card is drawn"
"""Surveillance consents to the correction of a wager."""

BEFORE_TIME: Final = (
    "before the time of the decks, unless they are out of use or others were ordered"
)
"""The floorperson consents to a removal of decks that nothing requires."""

PAUSED_BY_WATCH: Final = "if surveillance or the machine paused it"
"""Surveillance consents to resuming play."""

SUPERVISORS: Final = tuple(role for role in Role if includes(role, Role.SUPERVISOR))

STAFF: Final = tuple(role for role in Role if role in {*POSTED, Role.MACHINE})


class Command(
    PlainData, Struct, metaclass=NamesFields, frozen=True, gc=False, tag=True, tag_field="type"
):
    """A request to do something at the table. Amounts are integer cents."""


class CommandTerms(Struct, frozen=True, dict=True):
    """The actors, consents, and display of a command.

    ``title`` may contain ``{seat}``, ``{hand}``, ``{draw}``, or ``{step}``. Offices in ``does`` may
    give the command; those in ``together``, and in the given case ``besides``, consent in the same
    entry. An office in both needs a second person, unless it ``consents_by_giving``. ``apart``
    lists earlier acts whose actor may not do this one. ``house`` marks acts that no included
    regulation mentions, ``draws`` those that draw the next card from the shoe. A person named in an
    office of ``named_as`` holds the office that it gives, because a law says so. What ``ends``
    the round or the shoe is listed last.
    """

    command: type[Command]
    title: str
    does: tuple[Role, ...]
    rule: str
    together: tuple[Role, ...]
    apart: tuple[str, ...]
    house: bool
    besides: Mapping[Role, str]
    while_paused: bool
    draws: bool
    group: str
    asks: str
    consents_by_giving: bool = False
    named_as: Mapping[Role, Role] = {}
    ends: bool = False
    then: str = ""
    """The act that the same press gives after this one, if nothing is open between them."""

    @cached_property
    def plain_title(self) -> str:
        """The title without what is filled in, or else the name in words."""
        title = self.title.removeprefix("Seat {seat}: ")
        title = title.replace("seat {seat}", "a seat").replace("the {hand}", "a hand")
        if "{" in title:
            title = re.sub(r"(?<!^)([A-Z])", r" \1", self.command.__name__).lower()
        return title[:1].upper() + title[1:]

    @cached_property
    def names(self) -> Mapping[str, Role]:
        """Fields that name a person in an office."""
        names = offices_named(self.command)
        return {field: self.named_as.get(office, office) for field, office in names.items()}

    @cached_property
    def alone(self) -> bool:
        """Whether one person gives the command, without naming or needing another."""
        return not (self.together or self.apart or self.names or self.besides)

    def consents_of(self, office: Role) -> int:
        """Return how many persons of a consenting office take part, who gives it included."""
        return 1 + (office in self.does and not self.consents_by_giving)


TERMS: Final[dict[str, CommandTerms]] = {}

CommandType = TypeVar("CommandType", bound=Command)


def command(  # noqa: PLR0913  (all that is said of an act)
    title: str,
    *,
    by: Role | tuple[Role, ...],
    rule: str = "",
    together: Role | tuple[Role, ...] = (),
    apart: tuple[str, ...] = (),
    house: bool = False,
    besides: Mapping[Role, str] | None = None,
    while_paused: bool = False,
    draws: bool = False,
    group: str = "",
    asks: str = "",
    consents_by_giving: bool = False,
    ends: bool = False,
    then: str = "",
) -> Callable[[type[CommandType]], type[CommandType]]:
    """Define a command's title, actors, and consents.

    A command that draws cannot need a consent: its card would be known before it.
    """
    if draws and (together or besides):
        raise ValueError(f"{title}: a command that draws a card waits for no consent")
    if draws and while_paused:
        raise ValueError(f"{title}: a pause stops every card")

    def define(kind: type[CommandType]) -> type[CommandType]:
        claim(kind, kind.__name__, kind.__name__ in TERMS)
        TERMS[kind.__name__] = CommandTerms(
            kind, title, _several(by), rule, _several(together), apart, house, besides or {},
            while_paused, draws, group, asks, consents_by_giving, ends=ends, then=then,
        )  # fmt: skip
        return kind

    return define


def house_act(
    title: str, *, while_paused: bool = True, **terms: Any
) -> Callable[[type[CommandType]], type[CommandType]]:
    """Define a command that no included regulation mentions. A pause does not stop it."""
    return command(title, house=True, while_paused=while_paused, **terms)


def _several(roles: Role | tuple[Role, ...]) -> tuple[Role, ...]:
    return (roles,) if isinstance(roles, Role) else roles


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
