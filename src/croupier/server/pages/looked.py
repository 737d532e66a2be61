"""What a page is made of: documents of the views, and who looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, EntrySeen, FieldSeen, TableSeen


class Session(NamedTuple):
    """Who looks: a person in an office, and what the forms of a page carry.

    ``form`` shows that the service made the form; ``key`` begins the idempotency keys of a page.
    """

    person: str
    office: str
    seat: int | None
    pit: str
    form: str
    key: str


class DaySeen(NamedTuple):
    """A gaming day of a table, counted from 1: its first and last entry, and whether it is over."""

    number: int
    first: int
    last: int
    ended: bool


class PitActSeen(NamedTuple):
    """Something that whoever looks may ask of a pit, with what it has to be told."""

    command: str
    words: str
    fields: Sequence[FieldSeen]


class Watched(NamedTuple):
    """What surveillance has besides: the record judged again, what was owed, and where to look.

    ``owed`` is the report of the round of this entry, or of the last one that is over. ``before``
    and ``after`` are entries of the rounds around it. ``sought`` has the entries that a search
    found.
    """

    owed: Mapping[str, Any] | None
    before: int | None
    after: int | None
    sought: Mapping[str, Any] | None


class Looked(NamedTuple):
    """A table as a page shows it: everything went through the views.

    ``says`` has each clause in words; ``recent`` the last entries, the newest last; ``due`` what
    the act that must be done would bring, where no card is closed; ``asks`` what a next win of
    each hand would mark in each derived road. ``alarm`` says how far the record was decided again;
    ``books`` is what it says of money for offices that have it, and ``pace`` how many rounds an
    hour there are. Whoever is not ``on_duty`` at the table does nothing there, whatever entry is
    looked at; ``notes`` and ``exports`` say whether whoever looks may write a note now, and export
    entries. ``days`` are the records of the table for whoever sees them, and ``day`` is the one
    that was asked for, or 0; ``day_goes_on`` says why the last one does not end yet, and is
    ``None`` for whoever may not end it.
    """

    session: Session
    name: str
    seen: TableSeen
    acts: Sequence[ActSeen]
    says: Mapping[str, str]
    felt: Mapping[str, Any]
    roads: Mapping[str, Any]
    asks: Mapping[str, Mapping[str, str | None]]
    recent: Sequence[EntrySeen]
    due: EntrySeen | None
    consents: Sequence[Mapping[str, Any]]
    cards: str
    refusals: Sequence[Mapping[str, Any]] = ()
    odds: Mapping[str, Any] | None = None
    at: int | None = None
    last: int = 0
    watched: Watched | None = None
    alarm: Mapping[str, Any] | None = None
    books: Mapping[str, Any] | None = None
    pace: int | None = None
    irregular: Sequence[int] = ()
    on_duty: bool = True
    notes: bool = False
    exports: bool = False
    days: Sequence[DaySeen] = ()
    day: int = 0
    day_goes_on: str | None = None
