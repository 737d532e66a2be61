"""Events of elections that change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from croupier.rules import Limit
from croupier.table.commands.elections import Choice
from croupier.table.events.event import Clauses, Event
from croupier.table.state import OpeningProcedure

__all__ = ["ElectionsAdopted", "Notice", "NoticeRecorded"]


class Notice(Struct, frozen=True):
    """A written notice: of which election, to whom, and when, in UTC."""

    rule_id: str
    value: Choice
    to: str
    at: datetime


class NoticeRecorded(Event, frozen=True):
    """An addressee was given written notice of intended elections."""

    elections: Mapping[str, Choice]
    to: str
    at: datetime
    clauses: Clauses


class ElectionsAdopted(Event, frozen=True):
    """New elections and limits apply from now on; ``notices`` are those that announced them.

    The hash identifies the resulting rules; ``course`` is how the table opens from now on, if it
    was closed.
    """

    elections: Mapping[str, Choice]
    limits: Mapping[str, Limit]
    at: datetime | None
    notices: tuple[Notice, ...]
    course: OpeningProcedure | None
    rules_sha256: str
    clauses: Clauses
