"""Commands for the streak and bonus wagers."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from croupier.blackjack.outcomes import RoundOutcome


class SeatCommand(Struct, frozen=True):
    """A command that concerns one seat."""

    seat: int


class DealFirstCard(Struct, frozen=True):
    """The dealer deals a round's first card, which closes its wagers."""


# --- the streak wager ----------------------------------------------------------------------------


class PlaceBlackjackWager(SeatCommand, frozen=True):
    """A patron makes a blackjack wager on the next round."""


class PlaceStreakWagers(SeatCommand, frozen=True):
    """A patron places streak wagers together: cents by length of streak."""

    stakes: Mapping[int, int]


class WithdrawBlackjackWager(SeatCommand, frozen=True):
    """A patron withdraws a blackjack wager, and those placed with it."""


class WithdrawStreakWagers(SeatCommand, frozen=True):
    """A patron withdraws the next round's streak wagers."""


class LeaveBlackjackTable(SeatCommand, frozen=True):
    """A patron leaves between two rounds."""


class SettleRound(Struct, frozen=True):
    outcome: RoundOutcome


# --- the blackjack bonus wager -------------------------------------------------------------------


class PlaceBonusWager(SeatCommand, frozen=True):
    cents: int


class WithdrawBonusWager(SeatCommand, frozen=True):
    """A patron withdraws a bonus wager."""


class ShowPayout(SeatCommand, frozen=True):
    """The display shows the amount won by a bonus wager."""

    cents: int


class VerifyPayout(SeatCommand, frozen=True):
    """The dealer reads the amount from the display."""

    cents: int


class AnnouncePayout(SeatCommand, frozen=True):
    """The dealer announces the amount to patron and supervisor."""


class ConfirmPayout(SeatCommand, frozen=True):
    """A person in position ``by`` confirms the amount."""

    by: str


class PayBonus(SeatCommand, frozen=True):
    """The dealer pays a winning bonus wager."""


class ClearBonusLayout(Struct, frozen=True):
    """The dealer clears cards and remaining wagers."""
