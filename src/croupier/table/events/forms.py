"""Events of the Complimentary Vigorish Form, and of closing."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = [
    "ComplimentaryRecorded",
    "DuplicatesForwarded",
    "FormDropped",
    "FormPrepared",
    "FormVoided",
    "FormsCompared",
    "FormsReceived",
    "VigorishDocumented",
]


@frozen
class FormsReceived(Event):
    """A series of Forms is with the pit clerk."""

    pit_clerk: str
    first: int
    last: int
    clauses: Clauses


@frozen
class FormPrepared(Event):
    """A Complimentary Vigorish Form was filled in and signed, original and duplicate."""

    serial: int
    cents: int
    gaming_date: str
    pit: str
    table: str
    patron: str
    dealer: str
    pit_boss: str
    pit_clerk: str
    patron_signed: bool
    statement: str | None
    clauses: Clauses


@frozen
class VigorishDocumented(Event):
    """Vigorish owed was documented on a Form instead of collected; the marker is removed."""

    seat: int
    cents: int
    serial: int
    clauses: Clauses


@frozen
class FormVoided(Event):
    """Both copies of a Form were marked void and signed."""

    serial: int
    pit_boss: str
    pit_clerk: str
    clauses: Clauses


@frozen
class FormDropped(Event):
    """The original of a Form is in the drop box."""

    serial: int
    pit_boss: str
    pit_clerk: str
    clauses: Clauses


@frozen
class ComplimentaryRecorded(Event):
    """Waived vigorish was recorded as a cash complimentary to a patron."""

    serial: int
    patron: str
    cents: int
    clauses: Clauses


@frozen
class DuplicatesForwarded(Event):
    """Duplicates and void Forms went to accounting, and the series was accounted for."""

    pit_clerk: str
    duplicates: tuple[int, ...]
    void: tuple[int, ...]
    unused: tuple[int, ...]
    clauses: Clauses


@frozen
class FormsCompared(Event):
    """Accounting compared duplicates and originals: those that match, and those that do not."""

    matched: tuple[int, ...]
    without_original: tuple[int, ...]
    without_duplicate: tuple[int, ...]
    clauses: Clauses
