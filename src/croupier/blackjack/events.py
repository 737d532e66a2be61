"""What happened to streak and bonus wagers, with the clauses behind it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from croupier.law.cited import Clauses
from croupier.law.values import Odds


class WagerEvent(Struct, frozen=True):
    """Something that happened to these wagers, with the clauses behind it. No log holds it."""

    @property
    def clauses(self) -> Clauses:
        """The clauses behind the event: a field of every subclass."""
        raise NotImplementedError


class FirstCardDealt(WagerEvent, frozen=True):
    """A round began, and its wagers are closed."""

    round: int
    clauses: Clauses


# --- the streak wager ----------------------------------------------------------------------------


class BlackjackWagerPlaced(WagerEvent, frozen=True):
    """A patron has a blackjack wager on the round to come. How much is not told here."""

    seat: int
    clauses: Clauses


class StreakWagersPlaced(WagerEvent, frozen=True):
    """Chips went from a patron to streak areas: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


class BlackjackWagerReturned(WagerEvent, frozen=True):
    """A blackjack wager went back to its patron before the first card."""

    seat: int
    clauses: Clauses


class StreakWagersReturned(WagerEvent, frozen=True):
    """Streak wagers went back to their patron before the first card: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


class BlackjackPatronLeft(WagerEvent, frozen=True):
    """A patron went away."""

    seat: int
    clauses: Clauses


class BlackjackWagersCollected(WagerEvent, frozen=True):
    """The blackjack wagers of so many hands were collected, as those hands lost."""

    seat: int
    hands: int
    clauses: Clauses


class BlackjackWagersPaid(WagerEvent, frozen=True):
    """The blackjack wagers of so many hands were paid, as those hands won."""

    seat: int
    hands: int
    clauses: Clauses


class StreakWagersCollected(WagerEvent, frozen=True):
    """All streak wagers of a patron were lost and collected: cents by length of streak.

    ``ground`` is ``lost``, ``split`` or ``abandoned``.
    """

    seat: int
    stakes: Mapping[int, int]
    ground: str
    clauses: Clauses


class StreakAdvanced(WagerEvent, frozen=True):
    """A patron has won ``wins`` hands in a row with a streak wager in play."""

    seat: int
    wins: int
    clauses: Clauses


class StreakHeld(WagerEvent, frozen=True):
    """A streak neither advanced nor was lost; ``ground`` is ``push`` or ``split``."""

    seat: int
    ground: str
    clauses: Clauses


class LammerMoved(WagerEvent, frozen=True):
    """A lammer was placed, moved or taken up; ``None`` is off the layout."""

    seat: int
    from_area: int | None
    to_area: int | None
    clauses: Clauses


class StreakPaid(WagerEvent, frozen=True):
    """A streak wager won: the stake was returned to the patron, who was paid."""

    seat: int
    length: int
    stake_cents: int
    odds: Odds
    cents: int
    clauses: Clauses


class CardsCollected(WagerEvent, frozen=True):
    """The cards went to the discard rack: the round is over."""

    clauses: Clauses


# --- the blackjack bonus wager -------------------------------------------------------------------


class BonusWagerPlaced(WagerEvent, frozen=True):
    """Chips went from a patron to the bonus area."""

    seat: int
    cents: int
    clauses: Clauses


class BonusWagerReturned(WagerEvent, frozen=True):
    """A bonus wager went back to its patron before the first card."""

    seat: int
    cents: int
    clauses: Clauses


class PayoutShown(WagerEvent, frozen=True):
    """The display showed what a bonus wager won."""

    seat: int
    cents: int
    clauses: Clauses


class PayoutVerified(WagerEvent, frozen=True):
    """The dealer verified the amount on the display."""

    seat: int
    cents: int
    clauses: Clauses


class PayoutAnnounced(WagerEvent, frozen=True):
    """The dealer announced the amount, to be heard by those named."""

    seat: int
    cents: int
    to: tuple[str, ...]
    clauses: Clauses


class PayoutConfirmed(WagerEvent, frozen=True):
    """The amount was confirmed and verified by the holder of a post."""

    seat: int
    cents: int
    by: str
    clauses: Clauses


class BonusPaid(WagerEvent, frozen=True):
    """A bonus wager was paid; ``returned`` says whether the stake went back beside it."""

    seat: int
    stake_cents: int
    cents: int
    returned: bool
    clauses: Clauses


class BonusLayoutCleared(WagerEvent, frozen=True):
    """Cards and what was left of the bonus wagers went from the layout: cents by seat."""

    collected: Mapping[int, int]
    clauses: Clauses
