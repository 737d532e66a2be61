"""Events of House Money, which is settled between the first four cards and the third ones."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = ["HouseMoneyDue", "HouseMoneySettled", "PayoutAdded"]


@frozen
class HouseMoneyDue(Event):
    """Both hands are face up: House Money is settled before any third card."""

    seats: tuple[int, ...]
    clauses: Clauses


@frozen
class PayoutAdded(Event):
    """The dealer placed a House Money payout, or part of it, on the winner's wager on a hand."""

    seat: int
    to: str
    cents: int
    clauses: Clauses


@frozen
class HouseMoneySettled(Event):
    """The game continues with the third cards."""

    clauses: Clauses
