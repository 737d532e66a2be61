"""Events of the round: the deal, the announcements, the settlement."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen
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


@frozen
class CuttingCardAppeared(Event):
    """The cutting card came to the front of the shoe and was set aside."""

    first_of_round: bool
    clauses: Clauses


@frozen
class CardDealt(Event):
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


@frozen
class BankerFirstRequested(Event):
    """A player asked that Banker's Hand be turned first."""

    seat: int
    clauses: Clauses


@frozen
class CardsHanded(Event):
    """A hand's face-down cards were handed to its holder."""

    seat: int
    hand: Hand
    clauses: Clauses


@frozen
class CardsReturned(Event):
    """A hand's cards are face up on their area, returned by the holder or turned by the dealer."""

    seat: int | None
    hand: Hand
    clauses: Clauses


@frozen
class RightRelinquished(Event):
    """A holder relinquished the right to turn a hand, voluntarily or as required."""

    seat: int
    hand: Hand
    by: str | None
    grounds: str | None
    clauses: Clauses


@frozen
class CardsOffered(Event):
    """The right to turn a hand is offered to a player, or falls to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    hand: Hand
    waiting: tuple[int, ...]
    clauses: Clauses


@frozen
class CardsAccepted(Event):
    """A player took the right to turn a hand, for the rest of the round."""

    seat: int
    hand: Hand
    clauses: Clauses


@frozen
class CardsDeclined(Event):
    """A player declined the right to turn a hand."""

    seat: int
    hand: Hand
    clauses: Clauses


@frozen
class PointCountAnnounced(Event):
    """The Point Count of a hand's first two cards was announced."""

    hand: Hand
    count: int
    natural: bool
    words: str
    clauses: Clauses


@frozen
class ThirdCardRuled(Event):
    """Whether a hand draws a third card, and the reason in words."""

    hand: Hand
    draws: bool
    reason: str
    clauses: Clauses


@frozen
class ResultAnnounced(Event):
    """The final Point Counts and the winner were announced; ``None`` for a tie."""

    player_count: int
    banker_count: int
    winner: Hand | None
    cards: int
    words: str
    clauses: Clauses


@frozen
class LostStake:
    """One stake that lost: its chips, and its coupon if it had one."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int


@frozen
class LosingWagersCollected(Event):
    """The losing wagers were collected, seat by seat in this order."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


@frozen
class Release:
    """One stake returned to its owner: it won, or was void. A coupon that won is collected."""

    seat: int
    wager: str
    outcome: str
    line: str
    cents: int
    coupon_cents: int


@frozen
class StakesReleased(Event):
    """The stakes of winning and void wagers were returned to their owners."""

    stakes: tuple[Release, ...]
    clauses: Clauses


@frozen
class WagerPaid(Event):
    """A winning wager was paid."""

    seat: int
    wager: str
    line: str
    odds: str
    cents: int
    clauses: Clauses


@frozen
class VigorishMarked(Event):
    """A marker in the patron's numbered space now shows all vigorish owed."""

    seat: int
    cents: int
    owed_cents: int
    clauses: Clauses


@frozen
class VigorishCollected(Event):
    """Vigorish was collected; ``deferred`` if a marker had shown it, which is then removed."""

    seat: int
    cents: int
    deferred: bool
    clauses: Clauses


@frozen
class VigorishWaived(Event):
    """No vigorish: the patron's total cards wagers are at least the Banker wager."""

    seat: int
    clauses: Clauses


@frozen
class LayoutCleared(Event):
    """The cards of the round are in the discard rack, hand by hand, so that they can be shown.

    ``counted`` says whether the round counts among those left after the last hand is called.
    """

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    simulated: bool
    counted: bool
    clauses: Clauses


@frozen
class LastHandCalled(Event):
    """The last hand was called; that many more are dealt."""

    words: str
    hands: int
    clauses: Clauses


@frozen
class ShoeCompleted(Event):
    """No more cards are dealt from this shoe; held cards are discarded with the rest."""

    shoe: int
    clauses: Clauses


@frozen
class DiscardsReturned(Event):
    """The discarded cards are back in the continuous device, and reshuffled there."""

    clauses: Clauses


@frozen
class TableClosed(Event):
    """The table is closed."""

    # Version 1 cited the clauses on vigorish that is due before a reshuffle.
    VERSION = 2

    clauses: Clauses


@frozen
class StakesKept(Event):
    """Stakes that won and stay with the house, because their awards are paid for one."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


@frozen
class AwardPaid(Event):
    """An amount was paid: a fixed award, or what a meter showed."""

    seat: int
    wager: str
    line: str
    cents: int
    meter: str | None
    clauses: Clauses


@frozen
class HandPayDue(Event):
    """An award above the licensee's limit is owed to a patron, and is not paid from the tray."""

    number: int
    seat: int
    patron: str
    wager: str
    line: str
    cents: int
    meter: str | None
    clauses: Clauses


@frozen
class TurningPermitted(Event):
    """A bettor on the other hand may turn a hand with no wagers."""

    seat: int
    hand: Hand
    clauses: Clauses
