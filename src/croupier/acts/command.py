"""What every command is, and what its definition says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, TypeVar

from msgspec import Struct

from croupier.acts.fields import offices_named
from croupier.acts.roles import POSTED, Role, includes

ONCE_DRAWN: Final = "once a card is drawn"
"""When surveillance consents to the correction of a wager."""

PAUSED_BY_WATCH: Final = "if surveillance or the machine paused it"
"""When surveillance consents to play going on."""

SUPERVISORS: Final = tuple(role for role in Role if includes(role, Role.SUPERVISOR))

STAFF: Final = tuple(role for role in Role if role in {*POSTED, Role.MACHINE})


class Command(Struct, frozen=True, tag=True, tag_field="type"):
    """An act that somebody at the table asks to do.

    Amounts are integer cents. A command carries no clause: ``decide`` answers it with events or a
    refusal, and both cite theirs.
    """


class CommandTerms(Struct, frozen=True, dict=True):
    """Who gives a command, with whose consent, and how it is shown.

    ``title`` may name ``{seat}``, ``{hand}``, ``{draw}``, or ``{step}``. ``does`` lists the offices
    of which one gives the command, ``together`` those that consent in the same entry, each another
    person, and ``besides`` those that consent in a case that it names. ``apart`` lists earlier acts
    whose doer may not do this one. ``rule`` is the rule of a regulation that says who. ``house``
    marks acts that no included regulation mentions, ``draws`` those that take the next card off the
    shoe. ``group`` is where pages list the act, and ``asks`` the question behind which they offer
    the report of an irregularity.
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

    @cached_property
    def names(self) -> Mapping[str, Role]:
        """The fields that name a person in an office."""
        return offices_named(self.command)

    @cached_property
    def alone(self) -> bool:
        """Whether one person gives the command, names nobody, and needs no other person."""
        return not (self.together or self.apart or self.names or self.besides)


TERMS: Final[dict[str, CommandTerms]] = {}
"""The terms of every command by its name."""

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
) -> Callable[[type[CommandType]], type[CommandType]]:
    """Define what a command is titled, who gives it, and who consents.

    Raises ``ValueError`` for a command that draws and waits for a consent: while it waits, its card
    would be known.
    """
    if draws and (together or besides):
        raise ValueError(f"{title}: a command that draws a card waits for no consent")

    def define(kind: type[CommandType]) -> type[CommandType]:
        TERMS[kind.__name__] = CommandTerms(
            kind, title, _several(by), rule, _several(together), apart, house, besides or {},
            while_paused, draws, group, asks,
        )  # fmt: skip
        return kind

    return define


def _several(roles: Role | tuple[Role, ...]) -> tuple[Role, ...]:
    return (roles,) if isinstance(roles, Role) else roles
