"""Events of the round: the deal, the announcements, the settlement."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table.events.event import Clauses, Event

__all__ = [
    "BankerFirstRequested",
    "CardDealt",
    "CardsAccepted",
    "CardsDeclined",
    "CardsHanded",
    "CardsOffered",
    "CardsReturned",
    "CuttingCardAppeared",
    "DiscardsReturned",
    "LastHandCalled",
    "LayoutCleared",
    "LosingWagerCollected",
    "PointCountAnnounced",
    "Release",
    "ResultAnnounced",
    "RightRelinquished",
    "ShoeCompleted",
    "StakesReleased",
    "ThirdCardRuled",
    "VigorishCollected",
    "VigorishMarked",
    "VigorishWaived",
    "WagerPaid",
]


@dataclass(frozen=True)
class CuttingCardAppeared(Event):
    """The cutting card came to the front of the shoe and was put aside."""

    first_of_round: bool
    clauses: Clauses


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class BankerFirstRequested(Event):
    """A player asked that Banker's Hand be turned first."""

    seat: int
    clauses: Clauses


@dataclass(frozen=True)
class CardsHanded(Event):
    """A hand's face-down cards were handed to its holder."""

    seat: int
    hand: Hand
    clauses: Clauses


@dataclass(frozen=True)
class CardsReturned(Event):
    """A hand's cards lie face up on their area; the holder returned them, or the dealer turned."""

    seat: int | None
    hand: Hand
    clauses: Clauses


@dataclass(frozen=True)
class RightRelinquished(Event):
    """A holder gave up the right to turn a hand, or had to."""

    seat: int
    hand: Hand
    by: str | None
    grounds: str | None
    clauses: Clauses


@dataclass(frozen=True)
class CardsOffered(Event):
    """The right to turn a hand is offered to a player, or falls to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    hand: Hand
    waiting: tuple[int, ...]
    clauses: Clauses


@dataclass(frozen=True)
class CardsAccepted(Event):
    """A player took the right to turn a hand, for the rest of the round."""

    seat: int
    hand: Hand
    clauses: Clauses


@dataclass(frozen=True)
class CardsDeclined(Event):
    """A player declined the right to turn a hand."""

    seat: int
    hand: Hand
    clauses: Clauses


@dataclass(frozen=True)
class PointCountAnnounced(Event):
    """The Point Count of a hand's first two cards was announced."""

    hand: Hand
    count: int
    natural: bool
    words: str
    clauses: Clauses


@dataclass(frozen=True)
class ThirdCardRuled(Event):
    """Whether a hand draws a third card, and the reason in words."""

    hand: Hand
    draws: bool
    reason: str
    clauses: Clauses


@dataclass(frozen=True)
class ResultAnnounced(Event):
    """The final Point Counts and the winner were announced; ``None`` for a tie."""

    player_count: int
    banker_count: int
    winner: Hand | None
    cards: int
    words: str
    clauses: Clauses


@dataclass(frozen=True)
class LosingWagerCollected(Event):
    """A losing wager was collected, with its coupon if it had one."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int
    clauses: Clauses


@dataclass(frozen=True)
class Release:
    """One stake that is its owner's again: it won, or was void. A coupon that won is collected."""

    seat: int
    wager: str
    outcome: str
    line: str
    cents: int
    coupon_cents: int


@dataclass(frozen=True)
class StakesReleased(Event):
    """The stakes of winning and void wagers are their owners' again."""

    stakes: tuple[Release, ...]
    clauses: Clauses


@dataclass(frozen=True)
class WagerPaid(Event):
    """A winning wager was paid."""

    seat: int
    wager: str
    line: str
    odds: str
    cents: int
    clauses: Clauses


@dataclass(frozen=True)
class VigorishMarked(Event):
    """A marker in the patron's numbered space now shows all the vigorish that he owes."""

    seat: int
    cents: int
    owed_cents: int
    clauses: Clauses


@dataclass(frozen=True)
class VigorishCollected(Event):
    """Vigorish was collected; ``deferred`` where a marker had shown it, which is then removed."""

    seat: int
    cents: int
    deferred: bool
    clauses: Clauses


@dataclass(frozen=True)
class VigorishWaived(Event):
    """No vigorish: the patron's total cards wagers reach his Banker wager."""

    seat: int
    clauses: Clauses


@dataclass(frozen=True)
class LayoutCleared(Event):
    """The cards of the round are in the discard rack, hand by hand, so that they can be shown.

    ``counted`` tells whether the round counts among those left after the last hand is called.
    """

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    simulated: bool
    counted: bool
    clauses: Clauses


@dataclass(frozen=True)
class LastHandCalled(Event):
    """The last hand was called; that many more are dealt."""

    words: str
    hands: int
    clauses: Clauses


@dataclass(frozen=True)
class ShoeCompleted(Event):
    """No more cards are dealt from this shoe; held cards are discarded with the rest."""

    shoe: int
    clauses: Clauses


@dataclass(frozen=True)
class DiscardsReturned(Event):
    """The discarded cards are back in the continuous device, and reshuffled there."""

    clauses: Clauses
