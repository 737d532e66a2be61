"""What can be done at a table: one frozen dataclass for each act, named in the imperative.

Persons are named where the law names an office; cards are given as they leave the shoe. Amounts
are integer cents. A command carries no clause: ``decide`` answers it with events or a refusal,
and both do.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.baccarat.hand import Hand
from croupier.cards import Card

__all__ = [
    "AcceptCards", "AcceptCut", "BeginSimulatedRound", "BuyChips", "CallNoMoreBets", "ClearLayout",
    "CloseTable", "CollectVigorish", "Command", "CompareForms", "CutStack", "DeclareIdle",
    "DeclineCards", "DeclineCut", "DrawCard", "DrawCardInError", "DropForm", "EndGamingDay",
    "ExchangeBatches", "FeatherStack", "FindFaceUpCard", "HandCards", "InsertCuttingCards",
    "InspectCards", "LaceStack", "LeaveTable", "LoadShoe", "OpenTable", "PlaceVerbalWager",
    "PlaceWager", "PrepareForm", "ReceiveCards", "ReceiveForms", "RelinquishCards",
    "RequestBankerFirst", "RequestInspection", "RequireRecut", "RequireRelinquishment",
    "ReshuffleStack", "ReturnCards", "ReturnDiscards", "SeatPatron", "SettleWagers",
    "ShuffleCards", "SpreadCards", "StackCards", "TurnHand", "TurnSpreadUp", "UseHeldCard",
    "VerifyCards", "VerifyFeather", "ViewSpread", "VoidForm", "VoidRound", "WashCards",
    "WithdrawWager",
]  # fmt: skip


class Command:
    """An act that somebody at the table asks to do."""


# --- opening the table, and preparing a shoe ---------------------------------------------------


@dataclass(frozen=True)
class OpenTable(Command):
    """Open the table with chips in its inventory, under a dealer and a floorperson."""

    inventory_cents: int
    dealer: str
    floorperson: str
    gaming_date: str


@dataclass(frozen=True)
class ReceiveCards(Command):
    """Receive the decks at the table, pre-shuffled or to be inspected."""

    decks: int
    preshuffled: bool = False


@dataclass(frozen=True)
class InspectCards(Command):
    """The dealer inspects the cards."""


@dataclass(frozen=True)
class VerifyCards(Command):
    """The floorperson verifies the inspection, or the seals of pre-shuffled cards."""

    floorperson: str


@dataclass(frozen=True)
class SpreadCards(Command):
    """Spread the cards face up in rows, by deck and suit in sequence; batch by batch."""


@dataclass(frozen=True)
class ViewSpread(Command):
    """A participant has looked at the cards that are spread."""

    seat: int


@dataclass(frozen=True)
class WashCards(Command):
    """Turn the cards face down, wash and stack them."""


@dataclass(frozen=True)
class StackCards(Command):
    """Turn one batch face down and stack it, for the shuffler."""


@dataclass(frozen=True)
class ExchangeBatches(Command):
    """Put the stacked batch into the shuffler and take the stored batch out, if there is one."""


@dataclass(frozen=True)
class RequestInspection(Command):
    """A player asks to see the batch that came out of the shuffler at an idle table."""

    seat: int


@dataclass(frozen=True)
class ShuffleCards(Command):
    """Shuffle the stack by hand."""


@dataclass(frozen=True)
class FeatherStack(Command):
    """Leave the shuffled stack feathered."""


@dataclass(frozen=True)
class VerifyFeather(Command):
    """The floorperson verifies from the feathered stack that the mix is even."""

    floorperson: str


@dataclass(frozen=True)
class LaceStack(Command):
    """Lace about one deck into the rest of the stack."""


@dataclass(frozen=True)
class ReshuffleStack(Command):
    """Shuffle some or all of the cards again after lacing."""


@dataclass(frozen=True)
class AcceptCut(Command):
    """The seat that is asked cuts the stack; ``position`` is cards above the cutting card."""

    seat: int
    position: int


@dataclass(frozen=True)
class DeclineCut(Command):
    """The seat to which the stack is offered declines the cut."""

    seat: int


@dataclass(frozen=True)
class CutStack(Command):
    """The dealer cuts, because nobody has accepted the cut."""

    position: int


@dataclass(frozen=True)
class RequireRecut(Command):
    """A supervisor requires the cards to be cut again."""

    supervisor: str
    reason: str


@dataclass(frozen=True)
class InsertCuttingCards(Command):
    """Carry out the cut; insert one cutting card that far from the back, the other at the end."""

    from_back: int


@dataclass(frozen=True)
class LoadShoe(Command):
    """Put the stack into the dealing shoe, or the cards into the continuous device."""


# --- patrons and wagers ------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatPatron(Command):
    """A patron takes a seat."""

    seat: int
    patron: str


@dataclass(frozen=True)
class BuyChips(Command):
    """A patron changes cash for chips; the cash goes to the drop box."""

    seat: int
    cents: int


@dataclass(frozen=True)
class LeaveTable(Command):
    """A patron leaves the table with his chips."""

    seat: int


@dataclass(frozen=True)
class PlaceWager(Command):
    """Place chips on a wager, or add to it; a match play coupon may lie beside them."""

    seat: int
    wager: str
    cents: int
    coupon_cents: int = 0


@dataclass(frozen=True)
class PlaceVerbalWager(Command):
    """A verbal wager with cash, confirmed by the dealer and, by name, the casino supervisor."""

    seat: int
    wager: str
    cents: int
    dealer_confirms: bool
    supervisor: str | None


@dataclass(frozen=True)
class WithdrawWager(Command):
    """Take back a wager before no more bets."""

    seat: int
    wager: str


@dataclass(frozen=True)
class CallNoMoreBets(Command):
    """Begin the round: the dealer calls no more bets."""


# --- the round ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class DrawCard(Command):
    """Draw the next card from the shoe, for whatever is due: burn, hand, or discard.

    ``card`` is ``None`` where the law has the card discarded unseen.
    """

    card: Card | None


@dataclass(frozen=True)
class UseHeldCard(Command):
    """Deal the card that was drawn in error earlier: it is the first of this hand."""


@dataclass(frozen=True)
class RequestBankerFirst(Command):
    """A player asks that Banker's Hand be turned before Player's."""

    seat: int


@dataclass(frozen=True)
class TurnHand(Command):
    """The dealer turns the face-down cards of a hand."""

    hand: Hand


@dataclass(frozen=True)
class HandCards(Command):
    """Hand the face-down cards of a hand to its holder."""

    hand: Hand


@dataclass(frozen=True)
class ReturnCards(Command):
    """The holder returns the cards of a hand, face up."""

    seat: int
    hand: Hand


@dataclass(frozen=True)
class RelinquishCards(Command):
    """The holder gives up the right to turn a hand."""

    seat: int
    hand: Hand


@dataclass(frozen=True)
class RequireRelinquishment(Command):
    """The dealer or the floorperson takes the right to turn a hand from its holder.

    ``grounds`` is ``delay`` or ``violation``.
    """

    seat: int
    hand: Hand
    by: str
    grounds: str


@dataclass(frozen=True)
class AcceptCards(Command):
    """The player to whom a relinquished hand is offered takes it."""

    seat: int
    hand: Hand


@dataclass(frozen=True)
class DeclineCards(Command):
    """The player to whom a relinquished hand is offered declines it."""

    seat: int
    hand: Hand


@dataclass(frozen=True)
class SettleWagers(Command):
    """Collect the losing wagers, pay the winning ones, take the vigorish, in the elected order."""


@dataclass(frozen=True)
class ClearLayout(Command):
    """Pick up the cards of the round and place them in the discard rack, in order."""


@dataclass(frozen=True)
class ReturnDiscards(Command):
    """Put the discarded cards back into the continuous device."""


# --- irregularities ----------------------------------------------------------------------------


@dataclass(frozen=True)
class DrawCardInError(Command):
    """Report a card that left the shoe when none was due.

    ``dealt_to`` is the hand it was dealt to, if any; ``disclosed`` tells that its face was seen.
    """

    card: Card
    disclosed: bool
    dealt_to: Hand | None = None


@dataclass(frozen=True)
class FindFaceUpCard(Command):
    """Report that the next card in the shoe lies face up."""

    card: Card


@dataclass(frozen=True)
class BeginSimulatedRound(Command):
    """Begin the round without wagers that the card disclosed in error calls for."""


@dataclass(frozen=True)
class VoidRound(Command):
    """Void the round: the shoe has no card left for it."""


@dataclass(frozen=True)
class DeclareIdle(Command):
    """Nobody plays: take the cards from shoe and rack and spread them."""

    face_up: bool


@dataclass(frozen=True)
class TurnSpreadUp(Command):
    """Turn the cards of an idle table face up, as a player has arrived."""


# --- vigorish and its forms --------------------------------------------------------------------


@dataclass(frozen=True)
class CollectVigorish(Command):
    """Collect all the vigorish that a patron owes."""

    seat: int


@dataclass(frozen=True)
class ReceiveForms(Command):
    """The pit clerk receives a series of Complimentary Vigorish Forms, numbered first to last."""

    pit_clerk: str
    first: int
    last: int


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class VoidForm(Command):
    """Void the next Form of the series: both copies are marked and signed."""

    serial: int
    pit_clerk: str
    pit_boss: str


@dataclass(frozen=True)
class DropForm(Command):
    """The dealer drops the original of a Form before the pit boss and pit clerk who signed it."""

    serial: int
    pit_boss: str
    pit_clerk: str


@dataclass(frozen=True)
class EndGamingDay(Command):
    """The pit clerk forwards duplicates and void Forms, and records the complimentaries."""

    pit_clerk: str


@dataclass(frozen=True)
class CompareForms(Command):
    """Accounting compares the duplicates with the originals that it found in the drop box."""

    originals: tuple[int, ...]


@dataclass(frozen=True)
class CloseTable(Command):
    """Close the table."""
