"""What may be done next in words: the one catalog, by the name of the command.

A text in braces is filled in with the seat, the hand, or what the next card is for. Commands are
named, and not imported, so that another language is another catalog.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.baccarat.hand import Hand
from croupier.rules import TableRules
from croupier.table.core import Action
from croupier.table.dealing import card_due
from croupier.table.mixing import step_due
from croupier.table.state import Phase, TableState

WORDS: Final[Mapping[str, str]] = {
    "AcceptCards": "Seat {seat}: take the {hand}",
    "AcceptCut": "Seat {seat}: cut the cards",
    "AcceptShoe": "Seat {seat}: take the shoe",
    "AdoptElections": "Adopt new elections",
    "AssignOffice": "Assign a person to an office",
    "BeginSimulatedRound": "Begin the round without wagers",
    "BuyChips": "Change cash for chips",
    "CallNoMoreBets": "Call “no more bets”",
    "ChangeChips": "Change chips for others of the same value",
    "ChangeSeat": "Move a patron to another seat",
    "ClearLayout": "Pick up the cards and place them in the discard rack",
    "CloseTable": "Close the table",
    "CollectVigorish": "Collect the vigorish of seat {seat}",
    "CommitMystery": "Commit to the next mystery value",
    "CompareForms": "Compare the duplicates of the Forms with the originals",
    "CorrectMisreadCard": "Correct a card that was misread",
    "CorrectSettlement": "Settle a round again with the truth",
    "CorrectWager": "Correct the record of a wager",
    "CountDrop": "Count a drop box",
    "CountInventory": "Count the chips in the tray",
    "CutStack": "Cut the cards",
    "DealForCurator": "Rule that the dealer deals the rest of the round",
    "DealFreeHand": "Seat {seat}: ask for a hand without wagers",
    "DeclareIdle": "Take the cards out and spread them: the table is idle",
    "DeclineCards": "Seat {seat}: decline the {hand}",
    "DeclineCut": "Seat {seat}: decline the cut",
    "DeclineShoe": "Seat {seat}: reject the shoe",
    "DesignateDealer": "Seat {seat}: have the dealer deal",
    "DirectShuffle": "Direct a shuffle",
    "DismissPatron": "Rule that a patron has left",
    "DrawCard": "{draw}",
    "DrawCardInError": "Report a card drawn in error or disclosed",
    "DropForm": "Drop the original of a Form",
    "EndAssignment": "End a person's assignment",
    "EndGamingDay": "Forward the Forms and end the gaming day",
    "EndProgressiveRound": "End the round for the progressive wager",
    "ExchangeBatches": "Put the batch into the shuffler and take the other one out",
    "FeatherStack": "Leave the stack feathered",
    "FindFaceUpCard": "Report a card face up in the shoe",
    "FindShoeEmpty": "Report that the shoe is empty",
    "FindWrongCard": "Report a card that cannot be there",
    "HandOverForms": "Hand the Forms over to another pit clerk",
    "HandCards": "Hand the {hand} to seat {seat}",
    "InsertCuttingCards": "Complete the cut and insert the cutting cards",
    "InspectCards": "Inspect the cards",
    "IssueCredit": "Send the chips of a credit to the cage",
    "IssueFill": "Send the chips of a fill to the table",
    "LaceStack": "Lace one deck into the stack",
    "LeaveTable": "Let a patron leave",
    "LoadShoe": "Load the shoe",
    "OpenTable": "Open the table",
    "OrderPass": "Order the curator to pass the shoe",
    "PauseTable": "Pause the table",
    "PayByHand": "Pay an award by hand from the cage",
    "PayKeptAmount": "Pay a patron what was kept since the patron left",
    "PassOver": "Go on: seat {seat} does not answer",
    "PassOverHeldCard": "Let a hand stand that was dealt without the held card",
    "PassShoe": "Pass the shoe",
    "PerformShuffleStep": "{step}",
    "PermitTurning": "Let seat {seat} turn the {hand}",
    "PlaceVerbalWager": "Take a verbal wager with cash",
    "PlaceWager": "Seat {seat}: place a wager",
    "PlaceWagers": "Seat {seat}: place several wagers",
    "PrepareForm": "Document the vigorish of seat {seat} on a Form",
    "ReadMeters": "Take over what linked meters show",
    "ReconcileMeters": "Compare the meters with their accounts",
    "RecallHand": "Rule that the dealer turns the {hand}",
    "ReceiveCards": "Receive the cards",
    "ReceiveCredit": "Receive the chips of a credit in the cage",
    "ReceiveFill": "Count the chips of a fill into the tray",
    "ReceiveForms": "Receive a series of Forms",
    "RecordNotice": "Record a notice of intended elections",
    "RecordTime": "Record the time on the clock of the pit",
    "ReleaseSeat": "Release a seat that is kept",
    "RelieveDealer": "Relieve the dealer",
    "RelieveFloorperson": "Relieve the floorperson",
    "RelinquishCards": "Seat {seat}: give up the {hand}",
    "RemoveCards": "Take the decks off the table",
    "RemoveDrop": "Take the drop box away and put another in its place",
    "ReplaceForm": "Replace a spoilt Form of a patron who has left",
    "ReplaceMystery": "Give up a mystery value whose secret is lost",
    "RequestBankerFirst": "Seat {seat}: ask that Banker's Hand be turned first",
    "RequestCredit": "Announce chips that go to the cage",
    "RequestFill": "Ask the cage for chips",
    "RequestInspection": "Seat {seat}: ask to see the cards",
    "RequireRecut": "Require another cut",
    "RequireRelinquishment": "Take the {hand} from seat {seat}",
    "ReserveSeat": "Keep a seat for a patron",
    "ReshuffleStack": "Shuffle the laced cards again",
    "ResumeTable": "Let play go on",
    "ReturnCards": "Seat {seat}: return the {hand}, face up",
    "ReturnDiscards": "Put the discards back into the device",
    "ReturnWagers": "Rule that the wagers of seat {seat} go back",
    "SeatPatron": "Seat a patron",
    "SettleHouseMoney": "Settle House Money",
    "SettleWagers": "Collect the losing wagers and pay the winning ones",
    "ShuffleCards": "Shuffle the cards",
    "SpreadCards": "Spread the cards face up",
    "StackCards": "Turn the batch face down and stack it",
    "TurnHand": "Turn the {hand}",
    "TurnSpreadUp": "Turn the spread cards face up",
    "UseHeldCard": "Deal the card that was drawn in error, as the first of this hand",
    "VerifyCards": "Verify the cards",
    "VerifyFeather": "Judge the mix of the feathered stack",
    "ViewSpread": "Seat {seat}: look at the cards",
    "VoidForm": "Void the next Form",
    "VoidRound": "Void the round: the shoe has no card left",
    "VoidSlip": "Void a slip",
    "WashCards": "Wash the cards and stack them",
    "WithdrawWager": "Seat {seat}: take back a wager",
    "WriteNote": "Write a note in the record",
    "WriteOffVigorish": "Rule that the vigorish of seat {seat} cannot be collected",
}

PIT_WORDS: Final[Mapping[str, str]] = {
    "AdmitOtherGame": "Admit a table of another game",
    "AdmitTable": "Admit a table",
    "ChangeElections": "Change elections",
    "GiveNotice": "Give notice of a change of elections",
    "LinkMeters": "Link the meters of a wager at several tables",
    "UnlinkMeters": "Take a table out of a link of meters",
    "WithdrawTable": "Withdraw a table",
}
"""What may be asked of a pit, by the name of its command."""

LABELS: Final[Mapping[str, str]] = {
    "accepted": "Accepted", "actual": "What it is", "added": "Payouts placed on a wager",
    "at": "Time (UTC)", "beside": "The licensee's other tables", "box": "Box at the table",
    "by": "Ordered by", "card": "Card", "cash_cents": "Cash", "cents": "Amount", "chips": "Chips",
    "closing": "Closing count", "companions": "Elections of some tables alone",
    "commitment": "Commitment", "coupon_cents": "Match play coupon",
    "dealer": "Dealer", "dealer_confirms": "The dealer confirms", "dealt_to": "Dealt to",
    "decks": "Decks", "designate_dealer": "Have the dealer deal", "disclosed": "Its face was seen",
    "elections": "Elections", "even": "The mix is even", "face_up": "Face up",
    "first": "First Form", "floorperson": "Floorperson",
    "from_back": "Cards behind the cutting card",
    "game": "Game", "gaming_date": "Gaming date", "given": "Chips given",
    "grounds": "Grounds", "hand": "Hand",
    "identified": "How the patron was identified",
    "inventory_cents": "Chips in the tray", "kind": "What is wrong", "last": "Last Form",
    "limits": "Limits", "next_box": "Next box", "notified": "When its notices were given (UTC)",
    "office": "Office", "ordinal": "Which card",
    "originals": "Originals in the drop box", "patron": "Name", "patron_signed": "Patron signed",
    "person": "Person", "pit_boss": "Pit boss", "pit_clerk": "Pit clerk",
    "position": "Cards above the cut", "preshuffled": "Pre-shuffled", "reason": "Reason",
    "recorded": "What was recorded", "relieved": "Who leaves", "seat": "Seat", "secret": "Secret",
    "serial": "Form", "slip": "Slip", "spoilt": "Spoilt Form", "stakes": "Wagers",
    "statement": "Statement",
    "step": "Step", "supervisor": "Supervisor", "table": "Table", "tables": "Tables",
    "taken": "Chips taken", "to": "To",
    "wager": "Wager", "of": "Entry", "paid_cents": "What was handed over", "number": "Award",
    "returned": "Seats that give it back", "stated_by": "Who states it",
    "taken_by": "Who takes them over", "amounts": "Amounts on the originals",
    "name": "Set of decks", "link": "Link", "shown": "What the meters show",
    "text": "Note", "until": "Until (UTC)",
}  # fmt: skip
"""The label of each field, by its name."""

_STEPS: Final[Mapping[str | None, str]] = {
    "plug": "Plug the cards behind the cutting card",
    "riffle": "Riffle the stack",
    "turn": "Turn one half of the stack",
    "strip": "Strip the stack",
    None: "Go on with the shuffle",
}
_ORDINAL: Final = ("first", "second", "third")


def act_in_words(action: Action, state: TableState, rules: TableRules) -> str:
    """Return what is to be done, as it is put to whoever does it."""
    words = WORDS[action.command.__name__]
    if "{" not in words:
        return words
    hand = hand_meant(state).title
    return words.format(
        seat=action.seat or "?", hand=hand, draw=_drawn(state), step=_step(state, rules)
    )


def hand_meant(state: TableState) -> Hand:
    """Return the hand on offer, to be turned next, or due a card; else Player's Hand."""
    round_ = state.round
    if round_ is None:
        return Hand.PLAYER
    if round_.offering is not None:
        return round_.offering.hand
    return round_.down[0] if round_.down else round_.coup.due or Hand.PLAYER


def _drawn(state: TableState) -> str:
    """Say what the next card is for."""
    round_ = state.round
    if state.to_discard:
        return f"Discard a card: {state.to_discard} to go"
    if state.phase is Phase.TO_BURN:
        return "Burn the first card" if state.to_burn is None else f"Burn {state.to_burn} more"
    # Whose third card it is follows from the hands, and is not spoken of while they lie face down.
    hand = None if round_ is None or not card_due(state) else round_.coup.due
    if round_ is None or hand is None:
        return "Draw the next card"
    return f"Draw the {_ORDINAL[len(round_.coup.hand(hand))]} card to {hand.title}"


def _step(state: TableState, rules: TableRules) -> str:
    return _STEPS[step_due(state, rules)]
