"""Events of the shoe that participants deal from: who has it, and how it is passed."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = [
    "CardsCalled", "CuratorNamed", "DealTakenOver", "ShoeDeclined", "ShoeOffered", "ShoePassed",
]  # fmt: skip


@frozen
class ShoeOffered(Event):
    """The shoe is offered to a participant, or falls to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    waiting: tuple[int, ...]
    clauses: Clauses


@frozen
class ShoeDeclined(Event):
    """A participant rejected the shoe."""

    seat: int
    clauses: Clauses


@frozen
class CuratorNamed(Event):
    """Who has the shoe, ``None`` for the dealer; and whether the dealer deals for the curator."""

    seat: int | None
    dealer_deals: bool
    clauses: Clauses


@frozen
class ShoePassed(Event):
    """The curator passed the shoe, voluntarily or as required.

    ``grounds`` is ``voluntary``, ``banker lost``, ``left the table``, or that for which ``by``
    ordered it.
    """

    seat: int | None
    grounds: str
    by: str | None
    clauses: Clauses


@frozen
class CardsCalled(Event):
    """The dealer calling the game instructed the curator to deal."""

    words: str
    clauses: Clauses


@frozen
class DealTakenOver(Event):
    """The dealer deals the rest of the round for the curator in a seat.

    ``grounds`` are those for which the shoe passes after it, by the order of ``by`` if there was
    one; ``None`` where the curator remains curator.
    """

    seat: int
    grounds: str | None
    by: str | None
    clauses: Clauses
