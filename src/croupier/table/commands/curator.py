"""The shoe that participants deal from: taken, rejected, passed."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "AcceptShoe", "DealForCurator", "DeclineShoe", "DesignateDealer", "OrderPass", "PassShoe",
]  # fmt: skip


@frozen
class AcceptShoe(Command):
    """The participant who is offered the shoe takes it, or designates the dealer to deal."""

    seat: int
    designate_dealer: bool = False


@frozen
class DeclineShoe(Command):
    """The participant who is offered the shoe rejects it."""

    seat: int


@frozen
class PassShoe(Command):
    """The curator passes the shoe, which is allowed after a round."""


@frozen
class DesignateDealer(Command):
    """The curator designates the dealer to deal, between two rounds."""

    seat: int


@frozen
class DealForCurator(Command):
    """Rule that the dealer deals the rest of the round for a curator who cannot."""

    supervisor: str
    reason: str


@frozen
class OrderPass(Command):
    """The dealer or the floorperson orders the curator to pass the shoe.

    ``grounds`` is ``delay``, ``invalid deals`` or ``violation``.
    """

    by: str
    grounds: str
