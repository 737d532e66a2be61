"""What happens in a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from croupier.acts import Notice
from croupier.table.pit.state import PitTable


class PitEvent(Struct, frozen=True):
    """Something that happened in the pit, with the clauses behind it."""

    VERSION: ClassVar[int] = 1

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses behind the event: a field of every subclass, last in the log."""
        raise NotImplementedError


class TableAdmitted(PitEvent, frozen=True):
    """A table is in use in the pit; ``spent`` are the notices that announced this.

    ``notified`` is when notice was given, as the licensee stated with the admission.
    """

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
    """Elections changed; ``tables`` are the tables that they changed at, as they are now."""

    tables: tuple[PitTable, ...]
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]


class TableWithdrawn(PitEvent, frozen=True):
    """A table left the pit."""

    table: str
    clauses: tuple[str, ...]


class MetersLinked(PitEvent, frozen=True):
    """Meters of a wager are one for several tables; ``shown`` is what they show now, in cents.

    ``seeds`` is what each shows after an award.
    """

    link: str
    wager: str
    tables: tuple[str, ...]
    shown: Mapping[str, int]
    seeds: Mapping[str, int]
    clauses: tuple[str, ...]


class MetersOfTable(PitEvent, frozen=True):
    """What linked meters show by what happened at one of their tables, in cents."""

    link: str
    table: str
    shown: Mapping[str, int]
    clauses: tuple[str, ...]


class MetersUnlinked(MetersOfTable, frozen=True):
    """A table keeps its meters alone again; ``shown`` is what they show there."""


class MetersMoved(MetersOfTable, frozen=True):
    """A round at a table was settled; ``shown`` is what the meters of its link show since."""


PitEvents = tuple[PitEvent, ...]
