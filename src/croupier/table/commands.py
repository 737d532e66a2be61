"""What can be done at a table: one frozen dataclass for each act, named in the imperative.

Persons are named where the law names an office; cards are given as they leave the shoe. Amounts
are integer cents. A command carries no clause: ``decide`` answers it with events or a refusal,
and both do.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen

__all__ = [
    "AcceptCards", "AcceptCut", "BeginSimulatedRound", "BuyChips", "CallNoMoreBets", "ClearLayout",
    "CloseTable", "CollectVigorish", "Command", "CompareForms", "CutStack", "DeclareIdle",
    "DeclineCards", "DeclineCut", "DrawCard", "DrawCardInError", "DropForm", "EndGamingDay",
    "ExchangeBatches", "FeatherStack", "FindFaceUpCard", "HandCards", "InsertCuttingCards",
    "InspectCards", "LaceStack", "LeaveTable", "LoadShoe", "OpenTable", "PlaceVerbalWager",
    "PlaceWager", "PlaceWagers", "PrepareForm", "ReceiveCards", "ReceiveForms", "RelinquishCards",
    "RequestBankerFirst", "RequestInspection", "RequireRecut", "RequireRelinquishment",
    "ReshuffleStack", "ReturnCards", "ReturnDiscards", "SeatPatron", "SettleWagers",
    "ShuffleCards", "SpreadCards", "StackCards", "TurnHand", "TurnSpreadUp", "UseHeldCard",
    "VerifyCards", "VerifyFeather", "ViewSpread", "VoidForm", "VoidRound", "WashCards",
    "WithdrawWager",
]  # fmt: skip


class Command:
    """An act that somebody at the table asks to do."""


# --- opening the table, and preparing a shoe ---------------------------------------------------


@frozen
class OpenTable(Command):
    """Open the table with chips in its inventory, under a dealer and a floorperson."""

    inventory_cents: int
    dealer: str
    floorperson: str
    gaming_date: str


@frozen
class ReceiveCards(Command):
    """Receive the decks at the table, pre-shuffled or to be inspected."""

    decks: int
    preshuffled: bool = False


@frozen
class InspectCards(Command):
    """The dealer inspects the cards."""


@frozen
class VerifyCards(Command):
    """The floorperson verifies the inspection, or the seals of pre-shuffled cards, or rejects."""

    floorperson: str
    accepted: bool = True


@frozen
class SpreadCards(Command):
    """Spread the cards face up in rows, by deck and suit in sequence; batch by batch."""


@frozen
class ViewSpread(Command):
    """A participant has looked at the cards that are spread."""

    seat: int


@frozen
class WashCards(Command):
    """Turn the cards face down, wash and stack them."""


@frozen
class StackCards(Command):
    """Turn one batch face down and stack it, for the shuffler."""


@frozen
class ExchangeBatches(Command):
    """Put the stacked batch into the shuffler and take the stored batch out, if there is one."""


@frozen
class RequestInspection(Command):
    """A player asks to see the batch that came out of the shuffler at an idle table."""

    seat: int


@frozen
class ShuffleCards(Command):
    """Shuffle the stack by hand."""


@frozen
class FeatherStack(Command):
    """Leave the shuffled stack feathered."""


@frozen
class VerifyFeather(Command):
    """The floorperson tells from the feathered stack whether the mix is even."""

    floorperson: str
    even: bool = True


@frozen
class LaceStack(Command):
    """Lace about one deck into the rest of the stack."""


@frozen
class ReshuffleStack(Command):
    """Shuffle some or all of the cards again after lacing."""


@frozen
class AcceptCut(Command):
    """The seat that is asked cuts the stack; ``position`` is cards above the cutting card."""

    seat: int
    position: int


@frozen
class DeclineCut(Command):
    """The seat to which the stack is offered declines the cut."""

    seat: int


@frozen
class CutStack(Command):
    """The dealer cuts, because nobody has accepted the cut."""

    position: int


@frozen
class RequireRecut(Command):
    """A supervisor requires the cards to be cut again."""

    supervisor: str
    reason: str


@frozen
class InsertCuttingCards(Command):
    """Carry out the cut; insert one cutting card that far from the back, the other at the end."""

    from_back: int


@frozen
class LoadShoe(Command):
    """Put the stack into the dealing shoe, or the cards into the continuous device."""


# --- patrons and wagers ------------------------------------------------------------------------


@frozen
class SeatPatron(Command):
    """A patron takes a seat."""

    seat: int
    patron: str


@frozen
class BuyChips(Command):
    """A patron changes cash for chips; the cash goes to the drop box."""

    seat: int
    cents: int


@frozen
class LeaveTable(Command):
    """A patron leaves the table with his chips."""

    seat: int


@frozen
class PlaceWager(Command):
    """Place chips on a wager, or add to it; a match play coupon may lie beside them."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int = 0


@frozen
class PlaceWagers(Command):
    """Place chips on several wagers together, by wager id in cents: all of them or none."""

    seat: int
    stakes: Mapping[str, int]


@frozen
class PlaceVerbalWager(Command):
    """A verbal wager with cash, confirmed by the dealer and, by name, the casino supervisor."""

    seat: int
    wager: str
    cents: int
    dealer_confirms: bool
    supervisor: str | None


@frozen
class WithdrawWager(Command):
    """Take back a wager before no more bets."""

    seat: int
    wager: str


@frozen
class CallNoMoreBets(Command):
    """Begin the round: the dealer calls no more bets."""


# --- the round ---------------------------------------------------------------------------------


@frozen
class DrawCard(Command):
    """Draw the next card from the shoe, for whatever is due: burn, hand, or discard.

    ``card`` is ``None`` where the law has the card discarded unseen.
    """

    card: Card | None


@frozen
class UseHeldCard(Command):
    """Deal the card that was drawn in error earlier: it is the first of this hand."""


@frozen
class RequestBankerFirst(Command):
    """A player asks that Banker's Hand be turned before Player's."""

    seat: int


@frozen
class TurnHand(Command):
    """The dealer turns the face-down cards of a hand."""

    hand: Hand


@frozen
class HandCards(Command):
    """Hand the face-down cards of a hand to its holder."""

    hand: Hand


@frozen
class ReturnCards(Command):
    """The holder returns the cards of a hand, face up."""

    seat: int
    hand: Hand


@frozen
class RelinquishCards(Command):
    """The holder gives up the right to turn a hand."""

    seat: int
    hand: Hand


@frozen
class RequireRelinquishment(Command):
    """The dealer or the floorperson takes the right to turn a hand from its holder.

    ``grounds`` is ``delay`` or ``violation``.
    """

    seat: int
    hand: Hand
    by: str
    grounds: str


@frozen
class AcceptCards(Command):
    """The player to whom a relinquished hand is offered takes it."""

    seat: int
    hand: Hand


@frozen
class DeclineCards(Command):
    """The player to whom a relinquished hand is offered declines it."""

    seat: int
    hand: Hand


@frozen
class SettleWagers(Command):
    """Collect the losing wagers, pay the winning ones, take the vigorish, in the elected order."""


@frozen
class ClearLayout(Command):
    """Pick up the cards of the round and place them in the discard rack, in order."""


@frozen
class ReturnDiscards(Command):
    """Put the discarded cards back into the continuous device."""


# --- irregularities ----------------------------------------------------------------------------


@frozen
class DrawCardInError(Command):
    """Report a card that left the shoe when none was due.

    ``dealt_to`` is the hand it was dealt to, if any; ``disclosed`` tells that its face was seen.
    """

    card: Card
    disclosed: bool
    dealt_to: Hand | None = None


@frozen
class FindFaceUpCard(Command):
    """Report that the next card in the shoe lies face up."""

    card: Card


@frozen
class BeginSimulatedRound(Command):
    """Begin the round without wagers that the card disclosed in error calls for."""


@frozen
class VoidRound(Command):
    """Void the round: the shoe has no card left for it."""


@frozen
class DeclareIdle(Command):
    """Nobody plays: take the cards from shoe and rack and spread them."""

    face_up: bool


@frozen
class TurnSpreadUp(Command):
    """Turn the cards of an idle table face up, as a player has arrived."""


# --- vigorish and its forms --------------------------------------------------------------------


@frozen
class CollectVigorish(Command):
    """Collect all the vigorish that a patron owes."""

    seat: int


@frozen
class ReceiveForms(Command):
    """The pit clerk receives a series of Complimentary Vigorish Forms, numbered first to last."""

    pit_clerk: str
    first: int
    last: int


@frozen
class PrepareForm(Command):
    """Document on the next Form of the series the vigorish that a patron does not pay.

    ``patron_signed`` or, failing that, a ``statement`` why the signature could not be had.
    """

    serial: int
    seat: int
    pit_clerk: str
    dealer: str
    pit_boss: str
    patron_signed: bool
    statement: str | None = None


@frozen
class VoidForm(Command):
    """Void the next Form of the series: both copies are marked and signed."""

    serial: int
    pit_clerk: str
    pit_boss: str


@frozen
class DropForm(Command):
    """The dealer drops the original of a Form before the pit boss and pit clerk who signed it."""

    serial: int
    pit_boss: str
    pit_clerk: str


@frozen
class EndGamingDay(Command):
    """The pit clerk forwards duplicates and void Forms, and records the complimentaries."""

    pit_clerk: str


@frozen
class CompareForms(Command):
    """Accounting compares the duplicates with the originals that it found in the drop box."""

    originals: tuple[int, ...]


@frozen
class CloseTable(Command):
    """Close the table."""
