"""Events of offers that nobody answers, and of what a supervisor rules where a text is silent."""

from __future__ import annotations

from croupier.table.events.event import Clauses, Event

__all__ = ["OfferUnanswered", "RulingGiven", "VigorishWrittenOff"]


class OfferUnanswered(Event, frozen=True):
    """A participant did not answer an ``offer``: ``cut``, ``shoe``, ``hand`` or ``look``."""

    seat: int
    offer: str
    clauses: Clauses


class RulingGiven(Event, frozen=True):
    """A supervisor ruled on what the text leaves open; the consequences follow.

    ``matter`` is the rule that the ruling is about, ``entry`` what the register of interpretations
    says of it. ``seat`` is that of the patron concerned, if any.
    """

    matter: str
    entry: str
    supervisor: str
    reason: str
    seat: int | None
    clauses: Clauses


class VigorishWrittenOff(Event, frozen=True):
    """Vigorish that could not be collected was written off; the marker is removed."""

    seat: int
    cents: int
    clauses: Clauses
