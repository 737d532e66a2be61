"""What may be asked of the streak and bonus wagers; each command is a fact, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from croupier.blackjack.outcomes import RoundOutcome


class DealFirstCard(Struct, frozen=True):
    """The dealer deals the first card of a round: its wagers are closed."""


# --- the streak wager ----------------------------------------------------------------------------


class PlaceBlackjackWager(Struct, frozen=True):
    """A patron makes a blackjack wager on the round to come."""

    seat: int


class PlaceStreakWagers(Struct, frozen=True):
    """A patron puts chips on one or several streak areas together: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]


class WithdrawBlackjackWager(Struct, frozen=True):
    """A patron takes back a blackjack wager before the first card, and what lies beside it."""

    seat: int


class WithdrawStreakWagers(Struct, frozen=True):
    """A patron takes back, before the first card, the streak wagers placed for that round."""

    seat: int


class LeaveBlackjackTable(Struct, frozen=True):
    """A patron goes away between two rounds."""

    seat: int


class SettleRound(Struct, frozen=True):
    """The hands have ended: the dealer collects, pays, moves the lammers and takes the cards."""

    outcome: RoundOutcome


# --- the blackjack bonus wager -------------------------------------------------------------------


class PlaceBonusWager(Struct, frozen=True):
    """A patron makes a bonus wager on the round to come."""

    seat: int
    cents: int


class WithdrawBonusWager(Struct, frozen=True):
    """A patron takes back a bonus wager before the first card."""

    seat: int


class ShowPayout(Struct, frozen=True):
    """A bonus wager has won, and the display at the table shows what."""

    seat: int
    cents: int


class VerifyPayout(Struct, frozen=True):
    """The dealer reads the amount from the display."""

    seat: int
    cents: int


class AnnouncePayout(Struct, frozen=True):
    """The dealer tells the patron and the supervisor the amount."""

    seat: int


class ConfirmPayout(Struct, frozen=True):
    """Someone other than the dealer confirms and verifies the amount; ``by`` is their position."""

    seat: int
    by: str


class PayBonus(Struct, frozen=True):
    """The dealer pays a winning bonus wager."""

    seat: int


class ClearBonusLayout(Struct, frozen=True):
    """The dealer takes the cards and what wagers are left from the layout."""
