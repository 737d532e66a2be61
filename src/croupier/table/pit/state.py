"""State of a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

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
