"""State of a pit, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct, field

from croupier.acts import Notice
from croupier.law.values import Value
from croupier.rules import TableRules


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
