"""What is asked of a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final

from msgspec import Struct, field

from croupier.acts import AdoptElections, Choice, OtherTable, ReadMeters, RecordNotice
from croupier.acts.fields import Label
from croupier.acts.roles import Role
from croupier.rules import Limit, TableRules

KEPT: Final = (AdoptElections, ReadMeters, RecordNotice)
"""Commands of a table that its pit gives, where it stands in one."""


class PitCommand(Struct, frozen=True):
    """An act that somebody in the pit asks to do.

    The service alone gives a command that ``is_of_service``. ``readers`` are the offices that see
    what is in an entry; everybody in the pit does where it is ``None``.
    """

    title: ClassVar[str] = ""
    given_by: ClassVar[Role | None] = Role.LICENSEE
    """Who gives the command; any office where it is ``None``."""
    is_of_service: ClassVar[bool] = False
    readers: ClassVar[tuple[Role, ...] | None] = None


class AdmitTable(PitCommand, frozen=True):
    """Put a table into use in the pit, under the rules that its submission makes.

    ``notified`` is when whoever must have notice of its elections had it, as the licensee states
    for notices from before the pit had a record. ``stream`` names the table's own record, as its
    header does. ``beside`` are tables of other pits, with what a
    regulation ties to those of this one.
    """

    title = "Admit a table"

    table: str
    rules: TableRules
    at: datetime
    notified: Annotated[datetime | None, Label("When its notices were given (UTC)")] = None
    stream: str = ""
    beside: tuple[OtherTable, ...] = ()


class AdmitOtherGame(PitCommand, frozen=True):
    """Admit a table of a game whose law is not held here.

    ``elections`` are those of its elections that are known, as written, by rule id: ids are the
    same under every law, so a table of another game may be bound to them.
    """

    title = "Admit a table of another game"

    table: str
    game: str
    elections: Mapping[str, Choice]
    at: datetime
    pit: str = "1"
    beside: tuple[OtherTable, ...] = ()


class GiveNotice(PitCommand, frozen=True):
    """Give one addressee written notice of intended elections, as a submission writes them."""

    title = "Give notice of a change of elections"

    elections: Mapping[str, Choice]
    to: str
    at: Annotated[datetime, Label("Time (UTC)")]


class ChangeElections(PitCommand, frozen=True):
    """Change elections together at the tables named, and nothing at any other.

    Elections that the new ones exclude are dropped. ``companions`` and ``limits`` are what a table
    needs besides, by its name.
    """

    title = "Change elections"

    tables: tuple[str, ...]
    elections: Mapping[str, Choice]
    at: datetime
    companions: Annotated[
        Mapping[str, Mapping[str, Choice]], Label("Elections of some tables alone")
    ] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, Limit]] = field(default_factory=dict)
    beside: tuple[OtherTable, ...] = ()


class WithdrawTable(PitCommand, frozen=True):
    """Take a table out of the pit."""

    title = "Withdraw a table"

    table: str


class LinkMeters(PitCommand, frozen=True):
    """Have the meters of a wager be one for several tables, under the name of a link.

    ``shown`` is what they show at each table by then, in cents, by table and meter.
    """

    title = "Link the meters of a wager at several tables"

    link: str
    tables: tuple[str, ...]
    wager: str
    shown: Mapping[str, Mapping[str, int]]


class UnlinkMeters(PitCommand, frozen=True):
    """Have a table keep its meters alone again; with the last one the link ends."""

    title = "Take a table out of a link of meters"

    link: str
    table: str


class MoveMeters(PitCommand, frozen=True):
    """Take over what the settlement of a round at a table has done to linked meters, in cents.

    ``stream`` and ``entry`` name the settlement in the table's record, ``read`` is what the meters
    showed before it. ``added`` came from its stakes, ``awarded`` went to patrons, and with
    ``seeded`` the house had them begin again.
    """

    given_by = Role.MACHINE
    is_of_service = True

    link: str
    table: str
    stream: str
    entry: int
    read: Mapping[str, int]
    added: Mapping[str, int]
    awarded: Mapping[str, int]
    seeded: Mapping[str, int]
