"""What may be asked of the streak and bonus wagers; each command is a fact, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.blackjack.outcomes import RoundOutcome
from croupier.frozen import frozen

__all__ = [
    "AnnouncePayout",
    "ClearBonusLayout",
    "ConfirmPayout",
    "DealFirstCard",
    "LeaveBlackjackTable",
    "PayBonus",
    "PlaceBlackjackWager",
    "PlaceBonusWager",
    "PlaceStreakWagers",
    "SettleRound",
    "ShowPayout",
    "VerifyPayout",
    "WithdrawBlackjackWager",
    "WithdrawBonusWager",
    "WithdrawStreakWagers",
]


@frozen
class DealFirstCard:
    """The dealer deals the first card of a round: its wagers are closed."""


# --- the streak wager ----------------------------------------------------------------------------


@frozen
class PlaceBlackjackWager:
    """A patron makes a blackjack wager on the round to come."""

    seat: int


@frozen
class PlaceStreakWagers:
    """A patron puts chips on one or several streak areas together: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]


@frozen
class WithdrawBlackjackWager:
    """A patron takes back a blackjack wager before the first card, and what lies beside it."""

    seat: int


@frozen
class WithdrawStreakWagers:
    """A patron takes back, before the first card, the streak wagers placed for that round."""

    seat: int


@frozen
class LeaveBlackjackTable:
    """A patron goes away between two rounds."""

    seat: int


@frozen
class SettleRound:
    """The hands have ended: the dealer collects, pays, moves the lammers and takes the cards."""

    outcome: RoundOutcome


# --- the blackjack bonus wager -------------------------------------------------------------------


@frozen
class PlaceBonusWager:
    """A patron makes a bonus wager on the round to come."""

    seat: int
    cents: int


@frozen
class WithdrawBonusWager:
    """A patron takes back a bonus wager before the first card."""

    seat: int


@frozen
class ShowPayout:
    """A bonus wager has won, and the display at the table shows what."""

    seat: int
    cents: int


@frozen
class VerifyPayout:
    """The dealer reads the amount from the display."""

    seat: int
    cents: int


@frozen
class AnnouncePayout:
    """The dealer tells the patron and the supervisor the amount."""

    seat: int


@frozen
class ConfirmPayout:
    """Someone other than the dealer confirms and verifies the amount; ``by`` is their position."""

    seat: int
    by: str


@frozen
class PayBonus:
    """The dealer pays a winning bonus wager."""

    seat: int


@frozen
class ClearBonusLayout:
    """The dealer takes the cards and what wagers are left from the layout."""
