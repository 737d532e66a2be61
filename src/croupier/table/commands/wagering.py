"""Patrons and their wagers."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "BuyChips",
    "CallNoMoreBets",
    "ChangeSeat",
    "DealFreeHand",
    "LeaveTable",
    "PlaceVerbalWager",
    "PlaceWager",
    "PlaceWagers",
    "SeatPatron",
    "WithdrawWager",
]


@frozen
class SeatPatron(Command):
    """A patron takes a seat."""

    seat: int
    patron: str


@frozen
class BuyChips(Command):
    """A patron exchanges cash for chips; the cash goes to the drop box."""

    seat: int
    cents: int


@frozen
class LeaveTable(Command):
    """A patron leaves the table: with the chips, or while wagers in play stay behind."""

    seat: int


@frozen
class ChangeSeat(Command):
    """A patron moves to another seat, with chips and marker."""

    seat: int
    to: int


@frozen
class PlaceWager(Command):
    """Place chips on a wager, or add to it, with a match play coupon if any."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int = 0


@frozen
class PlaceWagers(Command):
    """Place chips on several wagers together, by wager id in cents: all of them or none."""

    seat: int
    stakes: Mapping[str, int]


@frozen
class PlaceVerbalWager(Command):
    """A verbal wager with cash, confirmed by the dealer and, by name, the casino supervisor."""

    seat: int
    wager: str
    cents: int
    dealer_confirms: bool
    supervisor: str | None


@frozen
class WithdrawWager(Command):
    """Take back a wager before no more bets."""

    seat: int
    wager: str


@frozen
class CallNoMoreBets(Command):
    """Begin the round: the dealer calls no more bets."""


@frozen
class DealFreeHand(Command):
    """A player asks that a hand be dealt with no wager on the table."""

    seat: int
