"""State of a pit, and the commands and events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final

from msgspec import Struct, field

from croupier.acts import AdoptElections, Choice, Notice, OtherTable, ReadMeters, RecordNotice
from croupier.acts.fields import Label
from croupier.acts.roles import Role
from croupier.law.values import Value
from croupier.rules import Limit, TableRules

__all__ = [
    "KEPT", "AdmitOtherGame", "AdmitTable", "ChangeElections", "ElectionsChanged", "GiveNotice",
    "LinkMeters", "MeterLink", "MetersLinked", "MetersMoved", "MetersUnlinked", "MoveMeters",
    "NoticeGiven", "PitCommand", "PitEvent", "PitEvents", "PitState", "PitTable", "TableAdmitted",
    "TableWithdrawn", "UnlinkMeters", "WithdrawTable",
]  # fmt: skip


class PitTable(Struct, frozen=True):
    """A table: its game, elections, pit, and its rules if its regulation is included."""

    id: str
    game: str
    elections: Mapping[str, Value]
    rules: TableRules | None = None
    pit: str = "1"
    law: str = ""


class MeterLink(Struct, frozen=True):
    """Linked meters of a wager: current values and seeds, in cents."""

    wager: str
    tables: tuple[str, ...]
    shown: Mapping[str, int]
    seeds: Mapping[str, int]


class PitGrant(Struct, frozen=True):
    """A recorded grant; it ``waits`` until a second person consents."""

    person: str
    office: str
    until: datetime
    made_by: str
    maker: str
    waits: bool


class PitState(Struct, frozen=True):
    """State of the pits: current and former tables, and pending notices.

    ``latest`` is the latest time in an event, so that no notice is backdated.
    """

    tables: Mapping[str, PitTable] = field(default_factory=dict)
    former: Mapping[str, PitTable] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    latest: datetime | None = None
    links: Mapping[str, MeterLink] = field(default_factory=dict)
    grants: Mapping[str, PitGrant] = field(default_factory=dict)

    def links_of(self, table: str) -> Mapping[str, MeterLink]:
        return {name: link for name, link in self.links.items() if table in link.tables}


class PitEvent(Struct, frozen=True):
    """An event of the pit, with its clauses."""

    VERSION: ClassVar[int] = 1

    @property
    def clauses(self) -> tuple[str, ...]:
        raise NotImplementedError


class TableAdmitted(PitEvent, frozen=True):
    """A table is in use in the pit; ``spent`` are the notices that announced this."""

    table: PitTable
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]
    notified: datetime | None = None


class NoticeGiven(PitEvent, frozen=True):
    """Written notice was given, of one election or of several."""

    notices: tuple[Notice, ...]
    clauses: tuple[str, ...]


class ElectionsChanged(PitEvent, frozen=True):
    """Elections changed; ``tables`` are the changed tables in their new form."""

    tables: tuple[PitTable, ...]
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]


class TableWithdrawn(PitEvent, frozen=True):
    """A table left the pit."""

    table: str
    clauses: tuple[str, ...]


class MetersLinked(PitEvent, frozen=True):
    """Meters of a wager were linked across tables; ``shown`` are their values now, in cents.

    ``seeds`` are their values after an award.
    """

    link: str
    wager: str
    tables: tuple[str, ...]
    shown: Mapping[str, int]
    seeds: Mapping[str, int]
    clauses: tuple[str, ...]


class MetersOfTable(PitEvent, frozen=True):
    """New values of linked meters after an event at one of their tables, in cents."""

    link: str
    table: str
    shown: Mapping[str, int]
    clauses: tuple[str, ...]


class MetersUnlinked(MetersOfTable, frozen=True):
    """A table left a link; ``shown`` are its own meters' values."""


class MetersMoved(MetersOfTable, frozen=True):
    """A round at a table was settled; ``shown`` are the new values of the link's meters."""


PitEvents = tuple[PitEvent, ...]


KEPT: Final = (AdoptElections, ReadMeters, RecordNotice)
"""Table commands given only by the table's pit, if it has one."""


class PitCommand(Struct, frozen=True):
    """A requested act in a pit.

    ``readers`` are the offices that see the contents of its entry; ``None`` means everyone in the
    pit.
    """

    title: ClassVar[str] = ""
    given_by: ClassVar[Role | None] = Role.LICENSEE
    """Any office if ``None``."""
    is_of_service: ClassVar[bool] = False
    readers: ClassVar[tuple[Role, ...] | None] = None


class AdmitTable(PitCommand, frozen=True):
    """Put a table into use in the pit, under the rules of its submission.

    ``notified`` is when the required notices were given, if before the pit's record. ``beside`` are
    tables of other pits with elections tied to these.
    """

    title = "Admit a table"

    table: str
    rules: TableRules
    at: datetime
    notified: Annotated[datetime | None, Label("When its notices were given (UTC)")] = None
    stream: str = ""
    beside: tuple[OtherTable, ...] = ()


class AdmitOtherGame(PitCommand, frozen=True):
    """Admit a table of a game whose law is not included, with its known elections by rule id."""

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
    """Change elections together at the tables named, and at no other.

    Elections that the new ones exclude are dropped. ``companions`` and ``limits`` are further
    changes that a table needs.
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
    """Combine the meters of a wager at several tables under the name of a link.

    ``shown`` are their values at each table so far, in cents, by table and meter.
    """

    title = "Link the meters of a wager at several tables"

    link: str
    tables: tuple[str, ...]
    wager: str
    shown: Mapping[str, Mapping[str, int]]


class UnlinkMeters(PitCommand, frozen=True):
    """Remove a table from a link, so that it keeps its own meters; the last one ends the link."""

    title = "Take a table out of a link of meters"

    link: str
    table: str


class MoveMeters(PitCommand, frozen=True):
    """Apply a table's settlement of a round to linked meters, in cents.

    ``stream`` and ``entry`` identify the settlement, ``read`` are the meters before it.
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
