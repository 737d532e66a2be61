"""Commands and events of the streak and bonus wagers, and the outcomes of blackjack hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from croupier.law.cite import Clauses, Refusal
from croupier.law.values import Odds


class HandOutcome(Enum):
    """The outcome of one hand."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    UNFINISHED = "unfinished"
    """The patron left, or refused to continue."""

    # Sound, because members are singletons, and faster than Enum's hash.
    __hash__ = object.__hash__


class SeatOutcome(Struct, frozen=True):
    """The outcomes of one seat's hands: several after a split.

    >>> SeatOutcome(3, (HandOutcome.WIN, HandOutcome.PUSH)).count(HandOutcome.WIN)
    1
    """

    seat: int
    hands: tuple[HandOutcome, ...]

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1

    def count(self, outcome: HandOutcome) -> int:
        return self.hands.count(outcome)


class RoundOutcome(Struct, frozen=True):
    """The outcome of one round for every seat with a blackjack wager."""

    seats: tuple[SeatOutcome, ...]
    dealer_natural: bool = False


def outcome_errors(outcome: RoundOutcome) -> Iterator[str]:
    """Yield every impossibility.

    >>> list(outcome_errors(RoundOutcome((SeatOutcome(1, ()),))))
    ['seat 1 has no hand']
    """
    seats_seen: set[int] = set()
    for seat in outcome.seats:
        if seat.seat in seats_seen:
            yield f"seat {seat.seat} is recorded twice"
        seats_seen.add(seat.seat)
        if not seat.hands:
            yield f"seat {seat.seat} has no hand"
        if outcome.dealer_natural and HandOutcome.WIN in seat.hands:
            yield f"seat {seat.seat}: no hand wins against a dealer's natural"


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


class WagerEvent(Struct, frozen=True, kw_only=True):
    """An event of these wagers; not logged."""

    clauses: Clauses


Events: TypeAlias = tuple[WagerEvent, ...]
Answer: TypeAlias = Events | Refusal
"""What a command comes to."""


class FirstCardDealt(WagerEvent, frozen=True):
    """A round began, which closes its wagers."""

    round: int


# --- the streak wager ----------------------------------------------------------------------------


class BlackjackWagerPlaced(WagerEvent, frozen=True):
    """A patron placed a blackjack wager; the amount is not recorded."""

    seat: int


class StreakWagersPlaced(WagerEvent, frozen=True):
    """A patron placed streak wagers: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]


class BlackjackWagerReturned(WagerEvent, frozen=True):
    seat: int


class StreakWagersReturned(WagerEvent, frozen=True):
    """Streak wagers were returned: cents by length of streak."""

    seat: int
    stakes: Mapping[int, int]


class BlackjackPatronLeft(WagerEvent, frozen=True):
    seat: int


class BlackjackWagersCollected(WagerEvent, frozen=True):
    """The blackjack wagers of lost hands were collected."""

    seat: int
    hands: int


class BlackjackWagersPaid(WagerEvent, frozen=True):
    """The blackjack wagers of winning hands were paid."""

    seat: int
    hands: int


class StreakWagersCollected(WagerEvent, frozen=True):
    """All streak wagers of a patron were lost and collected: cents by length of streak.

    ``ground`` is ``lost``, ``split``, or ``abandoned``.
    """

    seat: int
    stakes: Mapping[int, int]
    ground: str


class StreakAdvanced(WagerEvent, frozen=True):
    """A patron has won ``wins`` consecutive hands."""

    seat: int
    wins: int


class StreakHeld(WagerEvent, frozen=True):
    """A streak neither advanced nor was lost; ``ground`` is ``push`` or ``split``."""

    seat: int
    ground: str


class LammerMoved(WagerEvent, frozen=True):
    """A lammer moved; ``None`` is off the layout."""

    seat: int
    from_area: int | None
    to_area: int | None


class StreakPaid(WagerEvent, frozen=True):
    """A streak wager was paid and its stake returned."""

    seat: int
    length: int
    stake_cents: int
    odds: Odds
    cents: int


class CardsCollected(WagerEvent, frozen=True):
    """The cards went to the discard rack."""


# --- the blackjack bonus wager -------------------------------------------------------------------


class BonusWagerPlaced(WagerEvent, frozen=True):
    seat: int
    cents: int


class BonusWagerReturned(WagerEvent, frozen=True):
    seat: int
    cents: int


class PayoutShown(WagerEvent, frozen=True):
    seat: int
    cents: int


class PayoutVerified(WagerEvent, frozen=True):
    seat: int
    cents: int


class PayoutAnnounced(WagerEvent, frozen=True):
    seat: int
    cents: int
    to: tuple[str, ...]


class PayoutConfirmed(WagerEvent, frozen=True):
    seat: int
    cents: int
    by: str


class BonusPaid(WagerEvent, frozen=True):
    """A bonus wager was paid, and the stake perhaps ``returned``."""

    seat: int
    stake_cents: int
    cents: int
    returned: bool


class BonusLayoutCleared(WagerEvent, frozen=True):
    collected: Mapping[int, int]
