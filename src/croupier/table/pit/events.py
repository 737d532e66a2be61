"""What happens in a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from croupier.frozen import frozen
from croupier.table.events import Notice
from croupier.table.pit.state import PitTable

__all__ = [
    "ElectionsChanged", "MetersLinked", "MetersMoved", "MetersUnlinked", "NoticeGiven", "PitEvent",
    "PitEvents", "TableAdmitted", "TableWithdrawn",
]  # fmt: skip


class PitEvent:
    """Something that happened in the pit, with the clauses behind it."""

    VERSION: ClassVar[int] = 1

    clauses: tuple[str, ...]


@frozen
class TableAdmitted(PitEvent):
    """A table is in use in the pit; ``spent`` are the notices that announced this.

    ``notified`` is when notice was given, as the licensee stated with the admission.
    """

    table: PitTable
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]
    notified: datetime | None = None


@frozen
class NoticeGiven(PitEvent):
    """Written notice was given, of one election or of several."""

    notices: tuple[Notice, ...]
    clauses: tuple[str, ...]


@frozen
class ElectionsChanged(PitEvent):
    """Elections changed; ``tables`` are the tables that they changed at, as they are now."""

    tables: tuple[PitTable, ...]
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]


@frozen
class TableWithdrawn(PitEvent):
    """A table left the pit."""

    table: str
    clauses: tuple[str, ...]


@frozen
class MetersLinked(PitEvent):
    """Meters of a wager are one for several tables; ``shown`` is what they show now, in cents.

    ``seeds`` is what each shows after an award.
    """

    link: str
    wager: str
    tables: tuple[str, ...]
    shown: Mapping[str, int]
    seeds: Mapping[str, int]
    clauses: tuple[str, ...]


@frozen
class MetersOfTable(PitEvent):
    """What linked meters show by what happened at one of their tables, in cents."""

    link: str
    table: str
    shown: Mapping[str, int]
    clauses: tuple[str, ...]


@frozen
class MetersUnlinked(MetersOfTable):
    """A table keeps its meters alone again; ``shown`` is what they show there."""


@frozen
class MetersMoved(MetersOfTable):
    """A round at a table was settled; ``shown`` is what the meters of its link show since."""


PitEvents = tuple[PitEvent, ...]
