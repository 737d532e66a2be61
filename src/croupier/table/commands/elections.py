"""Elections that change, and the notice of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from msgspec import Struct, field

from croupier.rules import Limit
from croupier.table.commands.command import Command

__all__ = ["AdoptElections", "Choice", "OtherTable", "RecordNotice"]

Choice: TypeAlias = str | bool | int | Mapping[str, str]
"""What is elected for a rule, as a submission writes it."""


class OtherTable(Struct, frozen=True):
    """Another table of the licensee: where it is, its game and regulation, and what it elects.

    ``pit`` is empty for the pit of the table that speaks, ``law`` for a regulation that is not
    included.
    """

    table: str
    game: str
    elections: Mapping[str, Choice]
    pit: str = ""
    law: str = ""


class RecordNotice(Command, frozen=True):
    """Record the written notice that one addressee was given of intended elections.

    ``at`` is when it was given, in UTC; the time of the record if it is missing.
    """

    elections: Mapping[str, Choice]
    to: str
    at: datetime | None = None


class AdoptElections(Command, frozen=True):
    """Adopt other choices together, with what they need and their limits: all of them or none.

    Elections that the new ones exclude are dropped. ``at`` is the moment in UTC, the time of the
    record if it is missing; ``beside`` are the other tables of the licensee with what they elect
    then.
    """

    elections: Mapping[str, Choice]
    limits: Mapping[str, Limit] = field(default_factory=dict)
    at: datetime | None = None
    beside: tuple[OtherTable, ...] = ()
