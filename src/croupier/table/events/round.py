"""Events of the round: the deal, the announcements, the settlement."""

from __future__ import annotations

from msgspec import Struct

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table.events.event import Clauses, Event

__all__ = [
    "AwardPaid",
    "BankerFirstRequested",
    "CardDealt",
    "CardsAccepted",
    "CardsDeclined",
    "CardsHanded",
    "CardsOffered",
    "CardsReturned",
    "CuttingCardAppeared",
    "DiscardsReturned",
    "HandPayDue",
    "LastHandCalled",
    "LayoutCleared",
    "LosingWagersCollected",
    "LostStake",
    "PointCountAnnounced",
    "Release",
    "ResultAnnounced",
    "RightRelinquished",
    "ShoeCompleted",
    "StakesKept",
    "StakesReleased",
    "TableClosed",
    "ThirdCardRuled",
    "TurningPermitted",
    "VigorishCollected",
    "VigorishMarked",
    "VigorishWaived",
    "WagerPaid",
]


class CuttingCardAppeared(Event, frozen=True):
    """The cutting card came to the front of the shoe and was set aside."""

    first_of_round: bool
    clauses: Clauses


class CardDealt(Event, frozen=True):
    """A card went to a hand: its first, second or third.

    ``source`` is ``shoe``; ``held`` for a card drawn in error before this hand; ``irregular`` for
    one that had left the shoe for something else.
    """

    hand: Hand
    ordinal: int
    card: Card
    face_up: bool
    source: str
    clauses: Clauses


class BankerFirstRequested(Event, frozen=True):
    """A player asked that Banker's Hand be turned first."""

    seat: int
    clauses: Clauses


class CardsHanded(Event, frozen=True):
    """A hand's face-down cards were handed to its holder."""

    seat: int
    hand: Hand
    clauses: Clauses


class CardsReturned(Event, frozen=True):
    """A hand's cards are face up on their area, returned by the holder or turned by the dealer."""

    seat: int | None
    hand: Hand
    clauses: Clauses


class RightRelinquished(Event, frozen=True):
    """A holder relinquished the right to turn a hand, voluntarily or as required."""

    seat: int
    hand: Hand
    by: str | None
    grounds: str | None
    clauses: Clauses


class CardsOffered(Event, frozen=True):
    """The right to turn a hand is offered to a player, or falls to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    hand: Hand
    waiting: tuple[int, ...]
    clauses: Clauses


class CardsAccepted(Event, frozen=True):
    """A player took the right to turn a hand, for the rest of the round."""

    seat: int
    hand: Hand
    clauses: Clauses


class CardsDeclined(Event, frozen=True):
    """A player declined the right to turn a hand."""

    seat: int
    hand: Hand
    clauses: Clauses


class PointCountAnnounced(Event, frozen=True):
    """The Point Count of a hand's first two cards was announced."""

    hand: Hand
    count: int
    natural: bool
    words: str
    clauses: Clauses


class ThirdCardRuled(Event, frozen=True):
    """Whether a hand draws a third card, and the reason in words."""

    hand: Hand
    draws: bool
    reason: str
    clauses: Clauses


class ResultAnnounced(Event, frozen=True):
    """The final Point Counts and the winner were announced; ``None`` for a tie."""

    player_count: int
    banker_count: int
    winner: Hand | None
    cards: int
    words: str
    clauses: Clauses


class LostStake(Struct, frozen=True):
    """One stake that lost: its chips, and its coupon if it had one."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int


class LosingWagersCollected(Event, frozen=True):
    """The losing wagers were collected, seat by seat in this order."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


class Release(Struct, frozen=True):
    """One stake returned to its owner: it won, or was void. A coupon that won is collected."""

    seat: int
    wager: str
    outcome: str
    line: str
    cents: int
    coupon_cents: int


class StakesReleased(Event, frozen=True):
    """The stakes of winning and void wagers were returned to their owners."""

    stakes: tuple[Release, ...]
    clauses: Clauses


class WagerPaid(Event, frozen=True):
    """A winning wager was paid."""

    seat: int
    wager: str
    line: str
    odds: str
    cents: int
    clauses: Clauses


class VigorishMarked(Event, frozen=True):
    """A marker in the patron's numbered space now shows all vigorish owed."""

    seat: int
    cents: int
    owed_cents: int
    clauses: Clauses


class VigorishCollected(Event, frozen=True):
    """Vigorish was collected; ``deferred`` if a marker had shown it, which is then removed."""

    seat: int
    cents: int
    deferred: bool
    clauses: Clauses


class VigorishWaived(Event, frozen=True):
    """No vigorish: the patron's total cards wagers are at least the Banker wager."""

    seat: int
    clauses: Clauses


class LayoutCleared(Event, frozen=True):
    """The cards of the round are in the discard rack, hand by hand, so that they can be shown.

    ``counted`` says whether the round counts among those left after the last hand is called.
    """

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    simulated: bool
    counted: bool
    clauses: Clauses


class LastHandCalled(Event, frozen=True):
    """The last hand was called; that many more are dealt."""

    words: str
    hands: int
    clauses: Clauses


class ShoeCompleted(Event, frozen=True):
    """No more cards are dealt from this shoe; held cards are discarded with the rest."""

    shoe: int
    clauses: Clauses


class DiscardsReturned(Event, frozen=True):
    """The discarded cards are back in the continuous device, and reshuffled there."""

    clauses: Clauses


class TableClosed(Event, frozen=True):
    """The table is closed."""

    # Version 1 cited the clauses on vigorish that is due before a reshuffle.
    VERSION = 2

    clauses: Clauses


class StakesKept(Event, frozen=True):
    """Stakes that won and stay with the house, because their awards are paid for one."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


class AwardPaid(Event, frozen=True):
    """An amount was paid: a fixed award, or what a meter showed."""

    seat: int
    wager: str
    line: str
    cents: int
    meter: str | None
    clauses: Clauses


class HandPayDue(Event, frozen=True):
    """An award above the licensee's limit is owed to a patron, and is not paid from the tray."""

    number: int
    seat: int
    patron: str
    wager: str
    line: str
    cents: int
    meter: str | None
    clauses: Clauses


class TurningPermitted(Event, frozen=True):
    """A bettor on the other hand may turn a hand with no wagers."""

    seat: int
    hand: Hand
    clauses: Clauses
