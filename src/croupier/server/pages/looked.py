"""Data of pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple, TypedDict

from croupier.records.view.documents import EntrySeen, FieldSeen, HandSeen, TableSeen
from croupier.reports.screen import Screen


class Session(NamedTuple):
    """A person in an office; the service's mark and idempotency key of forms."""

    person: str
    office: str
    seat: int | None
    pit: str
    form: str
    key: str


class DaySeen(NamedTuple):
    number: int
    first: int
    last: int
    ended: bool


class LastSeen(TypedDict):
    """The last finished round, until the next one is over."""

    number: int
    winner: str
    hands: Sequence[HandSeen]


class PitActSeen(NamedTuple):
    command: str
    words: str
    fields: Sequence[FieldSeen]


class WinPoint(NamedTuple):
    """A table's win after a round of the day; mean and variance of the win predicted, in cents."""

    win_cents: int
    mean: float
    variance: float

    @property
    def deviations(self) -> float:
        """How many standard deviations the win is above the mean."""
        spread = sqrt(self.variance)
        return (self.win_cents - self.mean) / spread if spread else 0.0


class Watched(NamedTuple):
    """Data for surveillance.

    ``owed`` is the report of the last round by this entry. ``before`` and ``after`` are entries of
    the rounds around it, ``sought`` the search results.
    """

    owed: Mapping[str, Any] | None
    before: int | None
    after: int | None
    sought: Mapping[str, Any] | None


class Looked(NamedTuple):
    """A table as a page shows it, from views only.

    ``amounts`` has the rules whose values are money, ``says`` each clause's text, ``recent`` the
    entries, newest last, ``settled`` the events that settled the last round, and ``asks`` the
    derived roads' marks of a next win. ``day`` is the gaming day requested, or 0; ``day_goes_on``
    says why the last one cannot end yet, ``None`` for a viewer who may not end it. ``seconds_left``
    is of a countdown, which closes nothing. ``due_by_hand`` are awards due to a patron, in cents.
    ``asked`` is the query of the page.
    """

    session: Session
    name: str
    screen: Screen
    seen: TableSeen
    amounts: Collection[str]
    owes: bool
    """Whether vigorish may be owed."""
    says: Mapping[str, str]
    roads: Mapping[str, Any]
    asks: Mapping[str, Mapping[str, str | None]]
    recent: Sequence[EntrySeen]
    settled: Sequence[Mapping[str, Any]]
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
    notes: bool = False
    exports: bool = False
    days: Sequence[DaySeen] = ()
    day: int = 0
    day_goes_on: str | None = None
    last_round: LastSeen | None = None
    void: int = 0
    """The void round, if that was the last one."""
    seconds_left: int | None = None
    due_by_hand: int = 0
    asked: Mapping[str, str] = {}
