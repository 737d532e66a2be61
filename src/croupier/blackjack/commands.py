"""Commands for the streak and bonus wagers."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from croupier.blackjack.outcomes import RoundOutcome


class DealFirstCard(Struct, frozen=True):
    """The dealer deals a round's first card, which closes its wagers."""


# --- the streak wager ----------------------------------------------------------------------------


class PlaceBlackjackWager(Struct, frozen=True):
    """A patron makes a blackjack wager on the next round."""

    seat: int


class PlaceStreakWagers(Struct, frozen=True):
    """A patron places streak wagers together: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]


class WithdrawBlackjackWager(Struct, frozen=True):
    """A patron withdraws a blackjack wager, and those placed with it."""

    seat: int


class WithdrawStreakWagers(Struct, frozen=True):
    """A patron withdraws the next round's streak wagers."""

    seat: int


class LeaveBlackjackTable(Struct, frozen=True):
    """A patron leaves between two rounds."""

    seat: int


class SettleRound(Struct, frozen=True):
    """The dealer settles a completed round."""

    outcome: RoundOutcome


# --- the blackjack bonus wager -------------------------------------------------------------------


class PlaceBonusWager(Struct, frozen=True):
    """A patron makes a bonus wager on the next round."""

    seat: int
    cents: int


class WithdrawBonusWager(Struct, frozen=True):
    """A patron withdraws a bonus wager."""

    seat: int


class ShowPayout(Struct, frozen=True):
    """The display shows the amount won by a bonus wager."""

    seat: int
    cents: int


class VerifyPayout(Struct, frozen=True):
    """The dealer reads the amount from the display."""

    seat: int
    cents: int


class AnnouncePayout(Struct, frozen=True):
    """The dealer announces the amount to patron and supervisor."""

    seat: int


class ConfirmPayout(Struct, frozen=True):
    """A person in position ``by`` confirms the amount."""

    seat: int
    by: str


class PayBonus(Struct, frozen=True):
    """The dealer pays a winning bonus wager."""

    seat: int


class ClearBonusLayout(Struct, frozen=True):
    """The dealer clears cards and remaining wagers."""
