"""Patrons and their wagers."""

from __future__ import annotations

from collections.abc import Mapping

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


class SeatPatron(Command, frozen=True):
    """A patron takes a seat."""

    seat: int
    patron: str


class BuyChips(Command, frozen=True):
    """A patron exchanges cash for chips; the cash goes to the drop box."""

    seat: int
    cents: int


class LeaveTable(Command, frozen=True):
    """A patron leaves the table: with the chips, or while wagers in play stay behind."""

    seat: int


class ChangeSeat(Command, frozen=True):
    """A patron moves to another seat, with chips and marker."""

    seat: int
    to: int


class PlaceWager(Command, frozen=True):
    """Place chips on a wager, or add to it, with a match play coupon if any."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int = 0


class PlaceWagers(Command, frozen=True):
    """Place chips on several wagers together, by wager id in cents: all of them or none."""

    seat: int
    stakes: Mapping[str, int]


class PlaceVerbalWager(Command, frozen=True):
    """A verbal wager with cash, confirmed by the dealer and, by name, the casino supervisor."""

    seat: int
    wager: str
    cents: int
    dealer_confirms: bool
    supervisor: str | None


class WithdrawWager(Command, frozen=True):
    """Take back a wager before no more bets."""

    seat: int
    wager: str


class CallNoMoreBets(Command, frozen=True):
    """Begin the round: the dealer calls no more bets."""


class DealFreeHand(Command, frozen=True):
    """A player asks that a hand be dealt with no wager on the table."""

    seat: int
