"""Events of the shoe that participants deal from: who has it, and how it is passed."""

from __future__ import annotations

from croupier.table.events.event import Clauses, Event

__all__ = [
    "CardsCalled", "CuratorNamed", "DealTakenOver", "ShoeDeclined", "ShoeOffered", "ShoePassed",
]  # fmt: skip


class ShoeOffered(Event, frozen=True):
    """The shoe is offered to a participant, or falls to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    waiting: tuple[int, ...]
    clauses: Clauses


class ShoeDeclined(Event, frozen=True):
    """A participant rejected the shoe."""

    seat: int
    clauses: Clauses


class CuratorNamed(Event, frozen=True):
    """Who has the shoe, ``None`` for the dealer; and whether the dealer deals for the curator."""

    seat: int | None
    dealer_deals: bool
    clauses: Clauses


class ShoePassed(Event, frozen=True):
    """The curator passed the shoe, voluntarily or as required.

    ``grounds`` is ``voluntary``, ``banker lost``, ``left the table``, or that for which ``by``
    ordered it.
    """

    seat: int | None
    grounds: str
    by: str | None
    clauses: Clauses


class CardsCalled(Event, frozen=True):
    """The dealer calling the game instructed the curator to deal."""

    words: str
    clauses: Clauses


class DealTakenOver(Event, frozen=True):
    """The dealer deals the rest of the round for the curator in a seat.

    ``grounds`` are those for which the shoe passes after it, by the order of ``by`` if there was
    one; ``None`` where the curator remains curator.
    """

    seat: int
    grounds: str | None
    by: str | None
    clauses: Clauses
