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
    """Take the silence of a participant who is offered something as not accepting it.

    What is offered is the cut, the shoe, a hand that another gave up, or a look at the cards.
    """

    seat: int


@frozen
class RecallHand(Command):
    """Rule that a holder who does not return a hand has it turned by the dealer."""

    hand: Hand
    supervisor: str
    reason: str


@frozen
class WriteOffVigorish(Command):
    """Rule that the vigorish a patron owes cannot be had; the marker is removed."""

    seat: int
    supervisor: str
    reason: str


@frozen
class ReturnWagers(Command):
    """Rule that a patron's wagers go back before no more bets, because they cannot be played."""

    seat: int
    supervisor: str
    reason: str


@frozen
class DismissPatron(Command):
    """Rule that a patron who does not get up has left, with the chips."""

    seat: int
    supervisor: str
    reason: str
