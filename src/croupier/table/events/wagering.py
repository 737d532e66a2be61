"""Events of patrons and their wagers."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.events.event import Clauses, Event

__all__ = [
    "ChipsBought",
    "FreeHandRequested",
    "NoMoreBetsCalled",
    "PatronLeft",
    "PatronSeated",
    "PatronWalkedAway",
    "SeatChanged",
    "VerbalWagerConfirmed",
    "WagerPlaced",
    "WagerWithdrawn",
    "WagersPlaced",
]


class PatronSeated(Event, frozen=True):
    """A patron took a seat."""

    seat: int
    patron: str
    clauses: Clauses


class ChipsBought(Event, frozen=True):
    """Cash went to the drop box, and chips to the patron."""

    seat: int
    cents: int
    clauses: Clauses


class PatronLeft(Event, frozen=True):
    """A patron left with the chips."""

    # Version 1 cited the clause on vigorish that is due on leaving, of which there was none.
    VERSION = 2

    seat: int
    patron: str
    chips_cents: int
    clauses: Clauses


class PatronWalkedAway(Event, frozen=True):
    """A patron left while wagers in play remain on the layout; the chips are kept."""

    seat: int
    patron: str
    clauses: Clauses


class SeatChanged(Event, frozen=True):
    """A patron moved to another seat, with the chips and the marker of ``owed_cents``."""

    seat: int
    to: int
    patron: str
    chips_cents: int
    owed_cents: int
    clauses: Clauses


class VerbalWagerConfirmed(Event, frozen=True):
    """Dealer and supervisor confirmed a verbal wager made with cash."""

    seat: int
    wager: str
    cents: int
    supervisor: str | None
    clauses: Clauses


class WagerPlaced(Event, frozen=True):
    """Chips, and a coupon if any, were placed on a wager or added to it."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int
    clauses: Clauses


class WagersPlaced(Event, frozen=True):
    """Chips were placed on several wagers together, by wager id in cents."""

    seat: int
    stakes: Mapping[str, int]
    clauses: Clauses


class WagerWithdrawn(Event, frozen=True):
    """A wager was taken back."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int
    clauses: Clauses


class FreeHandRequested(Event, frozen=True):
    """A player asked for a hand without wagers, as a courtesy."""

    seat: int
    clauses: Clauses


class NoMoreBetsCalled(Event, frozen=True):
    """The round began."""

    round: int
    words: str
    clauses: Clauses
