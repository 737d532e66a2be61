"""Events of a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from croupier.acts import Notice
from croupier.table.pit.state import PitTable


class PitEvent(Struct, frozen=True):
    """An event of the pit, with its clauses."""

    VERSION: ClassVar[int] = 1

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the event, last in the log."""
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
