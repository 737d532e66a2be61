"""What is done when people do not answer, and what a supervisor rules where a text is silent.

A ruling names the supervisor who gives it, and the reason.
"""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.table.commands.command import Command

__all__ = ["DismissPatron", "PassOver", "RecallHand", "ReturnWagers", "WriteOffVigorish"]


class PassOver(Command, frozen=True):
    """Treat the silence of a participant who is offered something as a refusal.

    The offer is the cut, the shoe, a hand that another relinquished, or a look at the cards.
    """

    seat: int


class RecallHand(Command, frozen=True):
    """Rule that the dealer turns a hand that its holder does not return."""

    hand: Hand
    supervisor: str
    reason: str


class WriteOffVigorish(Command, frozen=True):
    """Rule that the vigorish a patron owes cannot be collected; the marker is removed."""

    seat: int
    supervisor: str
    reason: str


class ReturnWagers(Command, frozen=True):
    """Rule that wagers that cannot be played are returned to a patron before no more bets."""

    seat: int
    supervisor: str
    reason: str


class DismissPatron(Command, frozen=True):
    """Rule that a patron who does not leave the seat has left, with the chips."""

    seat: int
    supervisor: str
    reason: str
