"""What is done when people do not answer, and what a supervisor rules where a text is silent.

A ruling names the supervisor who gives it, and the reason.
"""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["DismissPatron", "PassOver", "RecallHand", "ReturnWagers", "WriteOffVigorish"]


@frozen
class PassOver(Command):
    """Treat the silence of a participant who is offered something as a refusal.

    The offer is the cut, the shoe, a hand that another relinquished, or a look at the cards.
    """

    seat: int


@frozen
class RecallHand(Command):
    """Rule that the dealer turns a hand that its holder does not return."""

    hand: Hand
    supervisor: str
    reason: str


@frozen
class WriteOffVigorish(Command):
    """Rule that the vigorish a patron owes cannot be collected; the marker is removed."""

    seat: int
    supervisor: str
    reason: str


@frozen
class ReturnWagers(Command):
    """Rule that wagers that cannot be played are returned to a patron before no more bets."""

    seat: int
    supervisor: str
    reason: str


@frozen
class DismissPatron(Command):
    """Rule that a patron who does not leave the seat has left, with the chips."""

    seat: int
    supervisor: str
    reason: str
