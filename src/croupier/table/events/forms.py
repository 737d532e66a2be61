"""Events of the Complimentary Vigorish Form, and of closing."""

from __future__ import annotations

from datetime import date

from croupier.table.events.event import Clauses, Event

__all__ = [
    "ComplimentaryRecorded",
    "DuplicatesForwarded",
    "FormDropped",
    "FormPrepared",
    "FormVoided",
    "FormsCompared",
    "FormsHandedOver",
    "FormsReceived",
    "VigorishDocumented",
    "VigorishRestored",
]


class FormsReceived(Event, frozen=True):
    """A series of Forms is with the pit clerk."""

    pit_clerk: str
    first: int
    last: int
    clauses: Clauses


class FormsHandedOver(Event, frozen=True):
    """Another pit clerk holds the Forms: from ``first`` on those on the pad, and those used."""

    pit_clerk: str
    taken_by: str
    first: int | None
    used: tuple[int, ...]
    clauses: Clauses


class FormPrepared(Event, frozen=True):
    """A Complimentary Vigorish Form was filled in and signed, original and duplicate."""

    VERSION = 2

    serial: int
    cents: int
    gaming_date: date | None
    pit: str
    table: str
    patron: str
    dealer: str
    pit_boss: str
    pit_clerk: str
    patron_signed: bool
    statement: str | None
    stated_by: str | None
    clauses: Clauses


class VigorishDocumented(Event, frozen=True):
    """Vigorish owed was documented on a Form; the marker shows what is left, or is removed."""

    seat: int
    cents: int
    serial: int
    clauses: Clauses


class VigorishRestored(Event, frozen=True):
    """Vigorish is owed again: the Form that documented it is void."""

    seat: int
    cents: int
    serial: int
    clauses: Clauses


class FormVoided(Event, frozen=True):
    """Both copies of a Form were marked void and signed."""

    serial: int
    pit_boss: str
    pit_clerk: str
    clauses: Clauses


class FormDropped(Event, frozen=True):
    """The original of a Form is in the drop box."""

    serial: int
    pit_boss: str
    pit_clerk: str
    clauses: Clauses


class ComplimentaryRecorded(Event, frozen=True):
    """Waived vigorish was recorded as a cash complimentary to a patron."""

    serial: int
    patron: str
    cents: int
    clauses: Clauses


class DuplicatesForwarded(Event, frozen=True):
    """Duplicates and void Forms went to accounting, and the series was accounted for.

    They are those of the gaming day that is ended; a table that stays open begins the next one.
    """

    VERSION = 2

    gaming_date: date | None
    next_date: date | None
    pit_clerk: str
    duplicates: tuple[int, ...]
    void: tuple[int, ...]
    unused: tuple[int, ...]
    clauses: Clauses


class FormsCompared(Event, frozen=True):
    """Accounting compared duplicates and originals: those that match, and those that do not.

    ``differing`` have both copies, with different amounts.
    """

    VERSION = 2

    matched: tuple[int, ...]
    without_original: tuple[int, ...]
    without_duplicate: tuple[int, ...]
    differing: tuple[int, ...]
    clauses: Clauses
