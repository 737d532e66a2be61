"""What happened to streak and bonus wagers, with the clauses behind it."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.cited import Clauses
from croupier.frozen import frozen
from croupier.law.values import Odds

__all__ = [
    "BlackjackPatronLeft", "BlackjackWagerPlaced", "BlackjackWagerReturned",
    "BlackjackWagersCollected", "BlackjackWagersPaid", "BonusLayoutCleared", "BonusPaid",
    "BonusWagerPlaced", "BonusWagerReturned", "CardsCollected", "FirstCardDealt", "LammerMoved",
    "PayoutAnnounced", "PayoutConfirmed", "PayoutShown", "PayoutVerified", "StreakAdvanced",
    "StreakHeld", "StreakPaid", "StreakWagersCollected", "StreakWagersPlaced",
    "StreakWagersReturned", "WagerEvent",
]  # fmt: skip


class WagerEvent:
    """Something that happened to these wagers, with the clauses behind it. No log holds it."""

    clauses: Clauses


@frozen
class FirstCardDealt(WagerEvent):
    """A round began, and its wagers are closed."""

    round: int
    clauses: Clauses


# --- the streak wager ----------------------------------------------------------------------------


@frozen
class BlackjackWagerPlaced(WagerEvent):
    """A patron has a blackjack wager on the round to come. How much is not told here."""

    seat: int
    clauses: Clauses


@frozen
class StreakWagersPlaced(WagerEvent):
    """Chips went from a patron to streak areas: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


@frozen
class BlackjackWagerReturned(WagerEvent):
    """A blackjack wager went back to its patron before the first card."""

    seat: int
    clauses: Clauses


@frozen
class StreakWagersReturned(WagerEvent):
    """Streak wagers went back to their patron before the first card: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


@frozen
class BlackjackPatronLeft(WagerEvent):
    """A patron went away."""

    seat: int
    clauses: Clauses


@frozen
class BlackjackWagersCollected(WagerEvent):
    """The blackjack wagers of so many hands were collected, as those hands lost."""

    seat: int
    hands: int
    clauses: Clauses


@frozen
class BlackjackWagersPaid(WagerEvent):
    """The blackjack wagers of so many hands were paid, as those hands won."""

    seat: int
    hands: int
    clauses: Clauses


@frozen
class StreakWagersCollected(WagerEvent):
    """All streak wagers of a patron were lost and collected: cents by length of streak.

    ``ground`` is ``lost``, ``split`` or ``abandoned``.
    """

    seat: int
    stakes: Mapping[int, int]
    ground: str
    clauses: Clauses


@frozen
class StreakAdvanced(WagerEvent):
    """A patron has won ``wins`` hands in a row with a streak wager in play."""

    seat: int
    wins: int
    clauses: Clauses


@frozen
class StreakHeld(WagerEvent):
    """A streak neither advanced nor was lost; ``ground`` is ``push`` or ``split``."""

    seat: int
    ground: str
    clauses: Clauses


@frozen
class LammerMoved(WagerEvent):
    """A lammer was placed, moved or taken up; ``None`` is off the layout."""

    seat: int
    from_area: int | None
    to_area: int | None
    clauses: Clauses


@frozen
class StreakPaid(WagerEvent):
    """A streak wager won: the stake was returned to the patron, who was paid."""

    seat: int
    length: int
    stake_cents: int
    odds: Odds
    cents: int
    clauses: Clauses


@frozen
class CardsCollected(WagerEvent):
    """The cards went to the discard rack: the round is over."""

    clauses: Clauses


# --- the blackjack bonus wager -------------------------------------------------------------------


@frozen
class BonusWagerPlaced(WagerEvent):
    """Chips went from a patron to the bonus area."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class BonusWagerReturned(WagerEvent):
    """A bonus wager went back to its patron before the first card."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutShown(WagerEvent):
    """The display showed what a bonus wager won."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutVerified(WagerEvent):
    """The dealer verified the amount on the display."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutAnnounced(WagerEvent):
    """The dealer announced the amount, to be heard by those named."""

    seat: int
    cents: int
    to: tuple[str, ...]
    clauses: Clauses


@frozen
class PayoutConfirmed(WagerEvent):
    """The amount was confirmed and verified by the holder of a post."""

    seat: int
    cents: int
    by: str
    clauses: Clauses


@frozen
class BonusPaid(WagerEvent):
    """A bonus wager was paid; ``returned`` says whether the stake went back beside it."""

    seat: int
    stake_cents: int
    cents: int
    returned: bool
    clauses: Clauses


@frozen
class BonusLayoutCleared(WagerEvent):
    """Cards and what was left of the bonus wagers went from the layout: cents by seat."""

    collected: Mapping[int, int]
    clauses: Clauses
