"""Events of patrons and their wagers."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.table.events.event import Clauses, Event

__all__ = [
    "ChipsBought",
    "NoMoreBetsCalled",
    "PatronLeft",
    "PatronSeated",
    "VerbalWagerConfirmed",
    "WagerPlaced",
    "WagerWithdrawn",
]


@dataclass(frozen=True)
class PatronSeated(Event):
    """A patron took a seat."""

    seat: int
    patron: str
    clauses: Clauses


@dataclass(frozen=True)
class ChipsBought(Event):
    """Cash went to the drop box, and chips to the patron."""

    seat: int
    cents: int
    clauses: Clauses


@dataclass(frozen=True)
class PatronLeft(Event):
    """A patron left with his chips."""

    seat: int
    patron: str
    chips_cents: int
    clauses: Clauses


@dataclass(frozen=True)
class VerbalWagerConfirmed(Event):
    """Dealer and supervisor confirmed a verbal wager made with cash."""

    seat: int
    wager: str
    cents: int
    supervisor: str
    clauses: Clauses


@dataclass(frozen=True)
class WagerPlaced(Event):
    """Chips, and a coupon where there is one, were placed on a wager or added to it."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int
    clauses: Clauses


@dataclass(frozen=True)
class WagerWithdrawn(Event):
    """A wager was taken back."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int
    clauses: Clauses


@dataclass(frozen=True)
class NoMoreBetsCalled(Event):
    """The round began."""

    round: int
    words: str
    clauses: Clauses
