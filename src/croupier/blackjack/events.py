"""What happened to streak and bonus wagers, with the clauses behind it; and why nothing did."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import frozen
from croupier.law.values import Odds

__all__ = [
    "BlackjackWagerPlaced", "BlackjackWagerReturned", "BlackjackWagersCollected",
    "BlackjackWagersPaid", "BonusPaid", "BonusWagerPlaced", "BonusWagerReturned",
    "CardsCollected", "Clauses", "Event", "FirstCardDealt", "LammerMoved",
    "LayoutCleared", "PatronLeft", "PayoutAnnounced", "PayoutConfirmed", "PayoutShown",
    "PayoutVerified", "Refusal", "StreakAdvanced", "StreakHeld", "StreakPaid",
    "StreakWagersCollected", "StreakWagersPlaced", "StreakWagersReturned",
]  # fmt: skip

Clauses = tuple[str, ...]


@frozen
class Refusal:
    """Why a command changes nothing: a code for programs, clauses, and a message for people."""

    code: str
    clauses: Clauses
    message: str

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return self.message + law


class Event:
    """Something that happened, with the clauses behind it."""

    clauses: Clauses


@frozen
class FirstCardDealt(Event):
    """A round began, and its wagers are closed."""

    round: int
    clauses: Clauses


# --- the streak wager ----------------------------------------------------------------------------


@frozen
class BlackjackWagerPlaced(Event):
    """A patron has a blackjack wager on the round to come. How much is not told here."""

    seat: int
    clauses: Clauses


@frozen
class StreakWagersPlaced(Event):
    """Chips went from a patron to streak areas: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


@frozen
class BlackjackWagerReturned(Event):
    """A blackjack wager went back to its patron before the first card."""

    seat: int
    clauses: Clauses


@frozen
class StreakWagersReturned(Event):
    """Streak wagers went back to their patron before the first card: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


@frozen
class PatronLeft(Event):
    """A patron went away."""

    seat: int
    clauses: Clauses


@frozen
class BlackjackWagersCollected(Event):
    """The blackjack wagers of so many hands were collected, as those hands lost."""

    seat: int
    hands: int
    clauses: Clauses


@frozen
class BlackjackWagersPaid(Event):
    """The blackjack wagers of so many hands were paid, as those hands won."""

    seat: int
    hands: int
    clauses: Clauses


@frozen
class StreakWagersCollected(Event):
    """All streak wagers of a patron were lost and collected: cents by length of streak.

    ``ground`` is ``lost``, ``split`` or ``abandoned``.
    """

    seat: int
    stakes: Mapping[int, int]
    ground: str
    clauses: Clauses


@frozen
class StreakAdvanced(Event):
    """A patron has won ``wins`` hands in a row with a streak wager in play."""

    seat: int
    wins: int
    clauses: Clauses


@frozen
class StreakHeld(Event):
    """A streak neither advanced nor was lost; ``ground`` is ``push`` or ``split``."""

    seat: int
    ground: str
    clauses: Clauses


@frozen
class LammerMoved(Event):
    """A lammer was placed, moved or taken up; ``None`` is off the layout."""

    seat: int
    from_area: int | None
    to_area: int | None
    clauses: Clauses


@frozen
class StreakPaid(Event):
    """A streak wager won: the stake was returned to the patron, who was paid."""

    seat: int
    length: int
    stake_cents: int
    odds: Odds
    cents: int
    clauses: Clauses


@frozen
class CardsCollected(Event):
    """The cards went to the discard rack: the round is over."""

    clauses: Clauses


# --- the blackjack bonus wager -------------------------------------------------------------------


@frozen
class BonusWagerPlaced(Event):
    """Chips went from a patron to the bonus area."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class BonusWagerReturned(Event):
    """A bonus wager went back to its patron before the first card."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutShown(Event):
    """The display showed what a bonus wager won."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutVerified(Event):
    """The dealer verified the amount on the display."""

    seat: int
    cents: int
    clauses: Clauses


@frozen
class PayoutAnnounced(Event):
    """The dealer announced the amount, to be heard by those named."""

    seat: int
    cents: int
    to: tuple[str, ...]
    clauses: Clauses


@frozen
class PayoutConfirmed(Event):
    """The amount was confirmed and verified by the holder of a post."""

    seat: int
    cents: int
    by: str
    clauses: Clauses


@frozen
class BonusPaid(Event):
    """A bonus wager was paid; ``returned`` says whether the stake went back beside it."""

    seat: int
    stake_cents: int
    cents: int
    returned: bool
    clauses: Clauses


@frozen
class LayoutCleared(Event):
    """Cards and what was left of the bonus wagers went from the layout: cents by seat."""

    collected: Mapping[int, int]
    clauses: Clauses
