"""The shoe that participants deal from: taken, rejected, passed."""

from __future__ import annotations

from croupier.table.commands.command import Command

__all__ = [
    "AcceptShoe", "DealForCurator", "DeclineShoe", "DesignateDealer", "OrderPass", "PassShoe",
]  # fmt: skip


class AcceptShoe(Command, frozen=True):
    """The participant who is offered the shoe takes it, or designates the dealer to deal."""

    seat: int
    designate_dealer: bool = False


class DeclineShoe(Command, frozen=True):
    """The participant who is offered the shoe rejects it."""

    seat: int


class PassShoe(Command, frozen=True):
    """The curator passes the shoe, which is allowed after a round."""


class DesignateDealer(Command, frozen=True):
    """The curator designates the dealer to deal, between two rounds."""

    seat: int


class DealForCurator(Command, frozen=True):
    """Rule that the dealer deals the rest of the round for a curator who cannot."""

    supervisor: str
    reason: str


class OrderPass(Command, frozen=True):
    """The dealer or the floorperson orders the curator to pass the shoe.

    ``grounds`` is ``delay``, ``invalid deals`` or ``violation``.
    """

    by: str
    grounds: str
