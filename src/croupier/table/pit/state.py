"""What a pit is at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from croupier.acts import Notice
from croupier.law.values import Value
from croupier.rules import TableRules


class PitTable(Struct, frozen=True):
    """A table: its game, its elections, its rules if its regulation is included, and its pit.

    ``law`` is the id of its regulation, also where nothing but its elections is known of it.
    """

    id: str
    game: str
    elections: Mapping[str, Value]
    rules: TableRules | None = None
    pit: str = "1"
    law: str = ""


class MeterLink(Struct, frozen=True):
    """Meters of a wager that several tables share: what they show, and begin with, in cents."""

    wager: str
    tables: tuple[str, ...]
    shown: Mapping[str, int]
    seeds: Mapping[str, int]


class PitGrant(Struct, frozen=True):
    """A grant as the record of a pit has it; it ``waits`` until a second person consents."""

    person: str
    office: str
    until: datetime
    made_by: str
    maker: str
    waits: bool


class PitState(Struct, frozen=True):
    """The pits at one moment: their tables, those that once stood in it, and the notices pending.

    ``links`` are the meters that tables share, by the name of each link. ``latest`` is the latest
    moment that an event has named, so that no notice is backdated. ``grants`` are those of its
    service that have not ended, by id.
    """

    tables: Mapping[str, PitTable] = field(default_factory=dict)
    former: Mapping[str, PitTable] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    latest: datetime | None = None
    links: Mapping[str, MeterLink] = field(default_factory=dict)
    grants: Mapping[str, PitGrant] = field(default_factory=dict)

    def links_of(self, table: str) -> Mapping[str, MeterLink]:
        """Return the links that a table is in, by name."""
        return {name: one for name, one in self.links.items() if table in one.tables}
