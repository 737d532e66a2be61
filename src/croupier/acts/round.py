"""The round of play."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Struct

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import (
    AwardNumber,
    Count,
    DealtCard,
    Flag,
    Label,
    MeterReadings,
    NamedHand,
    Ordinal,
    PatronCents,
    PatronName,
    RoundNumber,
    Seat,
    ShoeNumber,
    Spoken,
    StakeCents,
    WagerId,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import HANDS
from croupier.baccarat.cards import face
from croupier.law.cite import Clauses
from croupier.law.usage import named


def _dealt(event: CardDealt) -> str:
    side = "" if event.face_up else ", face down"
    words = {"held": "held", "irregular": "drawn in error", "early": "dealt before its time"}
    source = "" if event.source == "shoe" else f", the card {words[event.source]}"
    card = f"{_ORDINAL[event.ordinal]} card: {face(event.card)}"
    return f"{HANDS[event.hand]}, {card}{source}{side}"


def _returned(event: CardsReturned) -> str:
    if event.seat is None:
        return f"{named('The dealer')} turns the {HANDS[event.hand]}"
    return f"Seat {event.seat} returns the {HANDS[event.hand]}, face up"


def _relinquished(event: RightRelinquished) -> str:
    if event.by is None:
        return f"Seat {event.seat} relinquishes the right to turn the {HANDS[event.hand]}"
    return (
        f"The {event.by} requires seat {event.seat} to relinquish the {HANDS[event.hand]}: "
        f"{event.grounds}"
    )


_ORDINAL: Final = {1: "first", 2: "second", 3: "third"}


@command("{draw}", by=(Role.DEALER, Role.CURATOR), rule="deal.four_cards", draws=True)
class DrawCard(Command, frozen=True):
    """Draw the next card from the shoe for the burn, hand, or discard; unseen if ``None``."""

    card: DealtCard | None


@command(
    "Deal the card that was drawn in error, as the first of this hand",
    by=Role.DEALER,
    rule="irregularity.drawn_in_error",
)
class UseHeldCard(Command, frozen=True, omit_defaults=True):
    """Deal the held card as the first of this hand."""

    disclosed: Annotated[Flag, Label("Its face was seen")] = False


@command(
    "Seat {seat}: ask that Banker's Hand be turned first",
    by=Role.PATRON,
    rule="deal.banker_first",
    group="cards",
)
class RequestBankerFirst(Command, frozen=True):
    """A player asks that Banker's Hand be turned first."""

    seat: Seat


@command("Turn the {hand}", by=Role.DEALER, rule="deal.face_down")
class TurnHand(Command, frozen=True):
    """The dealer turns the face-down cards of a hand."""

    hand: NamedHand


@command("Hand the {hand} to seat {seat}", by=Role.DEALER, rule="deal.hand_over")
class HandCards(Command, frozen=True):
    """Hand the face-down cards of a hand to its holder."""

    hand: NamedHand


@command("Seat {seat}: return the {hand}, face up", by=Role.PATRON, rule="deal.hand_over")
class ReturnCards(Command, frozen=True):
    """The holder returns the cards of a hand, face up."""

    seat: Seat
    hand: NamedHand


@command("Seat {seat}: give up the {hand}", by=Role.PATRON, rule="deal.hand_over")
class RelinquishCards(Command, frozen=True):
    """The holder relinquishes the right to turn a hand."""

    seat: Seat
    hand: NamedHand


@command(
    "Take the {hand} from seat {seat}",
    by=(Role.DEALER, Role.FLOORPERSON),
    rule="irregularity.relinquish",
    asks="Does a patron keep the cards of a hand?",
)
class RequireRelinquishment(Command, frozen=True):
    """Take the right to turn a hand from its holder, for ``delay`` or ``violation``."""

    seat: Seat
    hand: NamedHand
    by: Annotated[Word, Label("Ordered by")]
    grounds: Word


@command("Seat {seat}: take the {hand}", by=Role.PATRON, rule="irregularity.relinquish")
class AcceptCards(Command, frozen=True):
    """The player who is offered a relinquished hand takes it."""

    seat: Seat
    hand: NamedHand


@command("Seat {seat}: decline the {hand}", by=Role.PATRON, rule="irregularity.relinquish")
class DeclineCards(Command, frozen=True):
    """The player who is offered a relinquished hand declines it."""

    seat: Seat
    hand: NamedHand


@command(
    "Collect the losing wagers and pay the winning ones",
    by=Role.DEALER,
    rule="settlement.collect_first",
    then="ClearLayout",
)
class SettleWagers(Command, frozen=True):
    """Collect the losing wagers, pay the winning ones, take the vigorish, in the elected order."""


@command(
    "Pick up the cards and place them in the discard rack", by=Role.DEALER, rule="discard.order"
)
class ClearLayout(Command, frozen=True):
    """Pick up the cards of the round and place them in the discard rack, in order."""


@command(
    "Put the discards back into the device", by=Role.DEALER, rule="device.continuous", group="cards"
)
class ReturnDiscards(Command, frozen=True):
    """Put the discarded cards back into the continuous device."""


@command(
    "Let seat {seat} turn the {hand}", by=Role.DEALER, rule="deal.unwagered_hand", group="cards"
)
class PermitTurning(Command, frozen=True):
    """Let a bettor on the other hand turn a hand with no wagers."""

    seat: Seat
    hand: NamedHand


@event("The cutting card appears and is set aside")
class CuttingCardAppeared(Event, frozen=True):
    """The cutting card came to the front of the shoe and was set aside."""

    first_of_round: Flag
    clauses: Clauses


@event(_dealt, kind="card")
class CardDealt(Event, frozen=True):
    """A card was dealt to a hand from the ``shoe``, ``held`` for it, or ``irregular``."""

    hand: NamedHand
    ordinal: Ordinal
    card: DealtCard
    face_up: Flag
    source: Word
    clauses: Clauses


@event("Seat {seat} asks that Banker's Hand be turned first")
class BankerFirstRequested(Event, frozen=True):
    """A player asked that Banker's Hand be turned first."""

    seat: Seat
    clauses: Clauses


@event("The {hand:hand} is handed to seat {seat}")
class CardsHanded(Event, frozen=True):
    """A hand's face-down cards were handed to its holder."""

    seat: Seat
    hand: NamedHand
    clauses: Clauses


@event(_returned)
class CardsReturned(Event, frozen=True):
    """A hand's cards are face up, returned by the holder or turned by the dealer."""

    seat: Seat | None
    hand: NamedHand
    clauses: Clauses


@event(_relinquished)
class RightRelinquished(Event, frozen=True):
    """A holder relinquished the right to turn a hand, voluntarily or as required."""

    seat: Seat
    hand: NamedHand
    by: Word | None
    grounds: Word | None
    clauses: Clauses


@event("The {hand:hand} is offered to {seat:seat}")
class CardsOffered(Event, frozen=True):
    """A hand is offered to a seat, then to those ``waiting``; ``None`` is the dealer."""

    seat: Seat | None
    hand: NamedHand
    waiting: tuple[Seat, ...]
    clauses: Clauses


@event("Seat {seat} takes the {hand:hand}")
class CardsAccepted(Event, frozen=True):
    """A player took the right to turn a hand."""

    seat: Seat
    hand: NamedHand
    clauses: Clauses


@event("Seat {seat} declines the {hand:hand}")
class CardsDeclined(Event, frozen=True):
    """A player declined the right to turn a hand."""

    seat: Seat
    hand: NamedHand
    clauses: Clauses


@event("“{words}”", kind="spoken")
class PointCountAnnounced(Event, frozen=True):
    """The two-card Point Count of a hand was announced."""

    hand: NamedHand
    count: Count
    natural: Flag
    words: Spoken
    clauses: Clauses


@event("{reason}", kind="ruling")
class ThirdCardRuled(Event, frozen=True):
    """Whether a hand draws a third card, and the reason."""

    hand: NamedHand
    draws: Flag
    reason: Word
    clauses: Clauses


@event("“{words}”", kind="spoken")
class ResultAnnounced(Event, frozen=True):
    """The final Point Counts and the winner, ``None`` for a tie, were announced."""

    player_count: Count
    banker_count: Count
    winner: NamedHand | None
    cards: Count
    words: Spoken
    clauses: Clauses


class LostStake(Struct, frozen=True):
    """A losing stake: its chips, and any coupon."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    coupon_cents: StakeCents


class LosingWagersCollected(Event, frozen=True):
    """The losing wagers were collected in this order."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


class Release(Struct, frozen=True):
    """A stake returned to its owner. A coupon that won is collected."""

    seat: Seat
    wager: WagerId
    outcome: Word
    line: Word
    cents: StakeCents
    coupon_cents: StakeCents


class StakesReleased(Event, frozen=True):
    """The stakes of winning and void wagers were returned to their owners."""

    VERSION = 2  # Version 1 named every line, even if it was paid like the others.

    stakes: tuple[Release, ...]
    clauses: Clauses


class WagerPaid(Event, frozen=True):
    """A winning wager was paid."""

    VERSION = 2  # Version 1 named every line, even if it was paid like the others.

    seat: Seat
    wager: WagerId
    line: Word
    odds: Word
    cents: StakeCents
    clauses: Clauses


class VigorishMarked(Event, frozen=True):
    """A marker now shows all vigorish owed by the patron."""

    seat: Seat
    cents: PatronCents
    owed_cents: PatronCents
    clauses: Clauses


class VigorishCollected(Event, frozen=True):
    """Vigorish was collected; ``deferred`` if a marker had shown it."""

    seat: Seat
    cents: PatronCents
    deferred: Flag
    clauses: Clauses


class VigorishWaived(Event, frozen=True):
    """No vigorish: the patron's total cards wagers are at least the Banker wager."""

    seat: Seat
    clauses: Clauses


@event("Discarded: Player {player:faces}, Banker {banker:faces}")
class LayoutCleared(Event, frozen=True):
    """The cards of the round are in the discard rack, hand by hand.

    ``counted`` is set if the round counts among those after the last hand is called.
    """

    round: RoundNumber
    player: tuple[DealtCard, ...]
    banker: tuple[DealtCard, ...]
    simulated: Flag
    counted: Flag
    clauses: Clauses


@event("“{words}”", kind="spoken")
class LastHandCalled(Event, frozen=True):
    """The last hand was called; the given number of hands remain."""

    words: Spoken
    hands: Count
    clauses: Clauses


@event("Shoe {shoe} is completed")
class ShoeCompleted(Event, frozen=True):
    """No more cards are dealt from this shoe; held cards are discarded."""

    shoe: ShoeNumber
    clauses: Clauses


@event("The cards go back into the device")
class DiscardsReturned(Event, frozen=True):
    """The discarded cards are reshuffled in the continuous device."""

    clauses: Clauses


@event("The table is closed")
class TableClosed(Event, frozen=True):
    """The table is closed; ``meters`` are the readings of progressive meters, in cents."""

    # Version 1 cited the clauses on vigorish that is due before a reshuffle.
    VERSION = 3

    meters: MeterReadings
    clauses: Clauses


class StakesKept(Event, frozen=True):
    """Stakes kept by the house: their awards are paid "for 1", not "to 1"."""

    stakes: tuple[LostStake, ...]
    clauses: Clauses


class AwardPaid(Event, frozen=True):
    """An award was paid: a fixed amount, or the value of a meter."""

    seat: Seat
    wager: WagerId
    line: Word
    cents: StakeCents
    meter: Word | None
    clauses: Clauses


class HandPayDue(Event, frozen=True):
    """An award above the licensee's limit is owed to a patron, not paid from the tray."""

    number: AwardNumber
    seat: Seat
    patron: PatronName
    wager: WagerId
    line: Word
    cents: PatronCents
    meter: Word | None
    clauses: Clauses


@event("Seat {seat} is permitted to turn the {hand:hand}, which has no wagers")
class TurningPermitted(Event, frozen=True):
    """A bettor on the other hand may turn a hand with no wagers."""

    seat: Seat
    hand: NamedHand
    clauses: Clauses
