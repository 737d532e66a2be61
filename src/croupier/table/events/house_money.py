"""Events of House Money, which is settled between the first four cards and the third ones."""

from __future__ import annotations

from croupier.table.events.event import Clauses, Event

__all__ = ["HouseMoneyDue", "HouseMoneySettled", "PayoutAdded"]


class HouseMoneyDue(Event, frozen=True):
    """Both hands are face up: House Money is settled before any third card."""

    seats: tuple[int, ...]
    clauses: Clauses


class PayoutAdded(Event, frozen=True):
    """The dealer placed a House Money payout, or part of it, on the winner's wager on a hand."""

    seat: int
    to: str
    cents: int
    clauses: Clauses


class HouseMoneySettled(Event, frozen=True):
    """The game continues with the third cards."""

    clauses: Clauses
