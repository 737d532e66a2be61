"""What is asked of a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Final

from croupier.frozen import field, frozen
from croupier.rules import Limit, TableRules
from croupier.table.commands import AdoptElections, Choice, OtherTable, RecordNotice
from croupier.table.roles import Role

__all__ = [
    "KEPT", "AdmitOtherGame", "AdmitTable", "ChangeElections", "GiveNotice", "PitCommand",
    "WithdrawTable",
]  # fmt: skip


KEPT: Final = (AdoptElections, RecordNotice)
"""Commands of a table that its pit gives, where it stands in one."""


class PitCommand:
    """An act that somebody in the pit asks to do; what a pit decides is for its ``office``."""

    office: ClassVar[Role] = Role.LICENSEE


@frozen
class AdmitTable(PitCommand):
    """Put a table into use in the pit, under the rules that its submission makes.

    ``notified`` is when whoever must have notice of its elections had it, as the licensee states
    for notices from before the pit had a record. ``stream`` names the table's own record, as its
    header does. ``beside`` are tables of other pits, with what a
    regulation ties to those of this one.
    """

    table: str
    rules: TableRules
    at: datetime
    notified: datetime | None = None
    stream: str = ""
    beside: tuple[OtherTable, ...] = ()


@frozen
class AdmitOtherGame(PitCommand):
    """Admit a table of a game whose law is not held here.

    ``elections`` are those of its elections that are known, as written, by rule id: ids are the
    same under every law, so a table of another game may be bound to them.
    """

    table: str
    game: str
    elections: Mapping[str, Choice]
    at: datetime
    pit: str = "1"
    beside: tuple[OtherTable, ...] = ()


@frozen
class GiveNotice(PitCommand):
    """Give one addressee written notice of intended elections, as a submission writes them."""

    elections: Mapping[str, Choice]
    to: str
    at: datetime


@frozen
class ChangeElections(PitCommand):
    """Change elections together at the tables named, and nothing at any other.

    Elections that the new ones exclude are dropped. ``companions`` and ``limits`` are what a table
    needs besides, by its name.
    """

    tables: tuple[str, ...]
    elections: Mapping[str, Choice]
    at: datetime
    companions: Mapping[str, Mapping[str, Choice]] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, Limit]] = field(default_factory=dict)
    beside: tuple[OtherTable, ...] = ()


@frozen
class WithdrawTable(PitCommand):
    """Take a table out of the pit."""

    table: str
