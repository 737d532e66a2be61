"""Events of streak and bonus wagers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from croupier.law.cite import Clauses
from croupier.law.values import Odds


class WagerEvent(Struct, frozen=True):
    """An event of these wagers; not logged."""

    @property
    def clauses(self) -> Clauses:
        raise NotImplementedError


Events: TypeAlias = tuple[WagerEvent, ...]


class FirstCardDealt(WagerEvent, frozen=True):
    """A round began, which closes its wagers."""

    round: int
    clauses: Clauses


# --- the streak wager ----------------------------------------------------------------------------


class BlackjackWagerPlaced(WagerEvent, frozen=True):
    """A patron placed a blackjack wager; the amount is not recorded."""

    seat: int
    clauses: Clauses


class StreakWagersPlaced(WagerEvent, frozen=True):
    """A patron placed streak wagers: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


class BlackjackWagerReturned(WagerEvent, frozen=True):
    seat: int
    clauses: Clauses


class StreakWagersReturned(WagerEvent, frozen=True):
    """Streak wagers were returned: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]
    clauses: Clauses


class BlackjackPatronLeft(WagerEvent, frozen=True):
    seat: int
    clauses: Clauses


class BlackjackWagersCollected(WagerEvent, frozen=True):
    """The blackjack wagers of lost hands were collected."""

    seat: int
    hands: int
    clauses: Clauses


class BlackjackWagersPaid(WagerEvent, frozen=True):
    """The blackjack wagers of winning hands were paid."""

    seat: int
    hands: int
    clauses: Clauses


class StreakWagersCollected(WagerEvent, frozen=True):
    """All streak wagers of a patron were lost and collected: cents by length of streak.

    ``ground`` is ``lost``, ``split``, or ``abandoned``.
    """

    seat: int
    stakes: Mapping[int, int]
    ground: str
    clauses: Clauses


class StreakAdvanced(WagerEvent, frozen=True):
    """A patron has won ``wins`` consecutive hands."""

    seat: int
    wins: int
    clauses: Clauses


class StreakHeld(WagerEvent, frozen=True):
    """A streak neither advanced nor was lost; ``ground`` is ``push`` or ``split``."""

    seat: int
    ground: str
    clauses: Clauses


class LammerMoved(WagerEvent, frozen=True):
    """A lammer moved; ``None`` is off the layout."""

    seat: int
    from_area: int | None
    to_area: int | None
    clauses: Clauses


class StreakPaid(WagerEvent, frozen=True):
    """A streak wager was paid and its stake returned."""

    seat: int
    length: int
    stake_cents: int
    odds: Odds
    cents: int
    clauses: Clauses


class CardsCollected(WagerEvent, frozen=True):
    """The cards went to the discard rack."""

    clauses: Clauses


# --- the blackjack bonus wager -------------------------------------------------------------------


class BonusWagerPlaced(WagerEvent, frozen=True):
    seat: int
    cents: int
    clauses: Clauses


class BonusWagerReturned(WagerEvent, frozen=True):
    seat: int
    cents: int
    clauses: Clauses


class PayoutShown(WagerEvent, frozen=True):
    seat: int
    cents: int
    clauses: Clauses


class PayoutVerified(WagerEvent, frozen=True):
    seat: int
    cents: int
    clauses: Clauses


class PayoutAnnounced(WagerEvent, frozen=True):
    seat: int
    cents: int
    to: tuple[str, ...]
    clauses: Clauses


class PayoutConfirmed(WagerEvent, frozen=True):
    seat: int
    cents: int
    by: str
    clauses: Clauses


class BonusPaid(WagerEvent, frozen=True):
    """A bonus wager was paid, and the stake perhaps ``returned``."""

    seat: int
    stake_cents: int
    cents: int
    returned: bool
    clauses: Clauses


class BonusLayoutCleared(WagerEvent, frozen=True):
    collected: Mapping[int, int]
    clauses: Clauses
