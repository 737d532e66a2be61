"""The table of offices: which office does each act, with whose consent, under which rule.

``does`` lists the offices of which one gives the command, ``together`` those that consent in the
same entry, each another person. ``apart`` lists earlier acts whose doer may not do this one, and
``names`` the fields of the command that name a person in an office. ``rule`` is the rule of a
regulation that says who; where there is none, the house says so and no clause is cited. ``house``
marks acts that no regulation included here mentions: ``legal``, which lists what the law asks for,
leaves them out. ``besides`` lists offices that consent as well in a case that it names.

A patron's own acts name the patron of the seat, and the dealer may enter them on the patron's word.
A curator's acts belong to the patron who holds the shoe.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from croupier.table.roles import Role

ONCE_DRAWN: Final = "once a card is drawn"
"""When surveillance consents to the correction of a wager."""

PAUSED_BY_WATCH: Final = "if surveillance or the machine paused it"
"""When surveillance consents to play going on."""

WHILE_PAUSED: Final = frozenset(
    {
        "AssignOffice", "CorrectMisreadCard", "CorrectSettlement", "CorrectWager", "CountDrop",
        "CountInventory", "EndAssignment", "FindShoeEmpty", "FindWrongCard", "IssueCredit",
        "IssueFill", "PauseTable", "PayByHand", "PayKeptAmount", "ReadMeters", "ReceiveCredit",
        "ReceiveFill", "RecordNotice", "RecordTime", "RelieveDealer", "RelieveFloorperson",
        "RemoveDrop", "RequestCredit", "RequestFill", "ResumeTable", "VoidSlip", "WriteNote",
    }
)  # fmt: skip
"""What goes on at a table that is paused: chips, people, corrections, and notes."""


class OfficeRow(Struct, frozen=True, dict=True):
    """Who does an act of a table."""

    does: tuple[Role, ...]
    rule: str = ""
    together: tuple[Role, ...] = ()
    apart: tuple[str, ...] = ()
    names: Mapping[str, Role] = field(default_factory=dict)
    house: bool = False
    besides: Mapping[Role, str] = field(default_factory=dict)

    @cached_property
    def alone(self) -> bool:
        """Whether one person does it, names nobody, and needs no other person."""
        return not (self.together or self.apart or self.names or self.besides)


def _supervised(rule: str) -> OfficeRow:
    """Return an act of whoever supervises the table, who is named."""
    over = (Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR)
    return OfficeRow(over, rule, names={"supervisor": Role.SUPERVISOR})


_RULING: Final = OfficeRow(
    (Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR), names={"supervisor": Role.SUPERVISOR}
)
"""What a supervisor rules on where a text is silent."""

OFFICES: Final[Mapping[str, OfficeRow]] = {
    # --- the day ---
    "CloseTable": OfficeRow((Role.FLOORPERSON,), together=(Role.DEALER,)),
    "OpenTable": OfficeRow(
        (Role.FLOORPERSON,),
        together=(Role.DEALER,),
        names={"dealer": Role.DEALER, "floorperson": Role.FLOORPERSON},
    ),
    "AssignOffice": OfficeRow((Role.FLOORPERSON, Role.PIT_BOSS, Role.LICENSEE), house=True),
    "EndAssignment": OfficeRow((Role.FLOORPERSON, Role.PIT_BOSS, Role.LICENSEE), house=True),
    "RelieveDealer": OfficeRow((Role.FLOORPERSON,), house=True),
    "RelieveFloorperson": OfficeRow((Role.PIT_BOSS,), house=True),
    # --- cards and shoe ---
    "ReceiveCards": OfficeRow((Role.DEALER,), "opening.receive"),
    "InspectCards": OfficeRow((Role.DEALER,), "opening.inspect"),
    "VerifyCards": OfficeRow(
        (Role.FLOORPERSON,),
        "opening.verify",
        apart=("InspectCards",),
        names={"floorperson": Role.FLOORPERSON},
    ),
    "SpreadCards": OfficeRow((Role.DEALER,), "opening.spread"),
    "WashCards": OfficeRow((Role.DEALER,), "opening.wash"),
    "StackCards": OfficeRow((Role.DEALER,), "device.exchange"),
    "ExchangeBatches": OfficeRow((Role.DEALER,), "device.exchange"),
    "RemoveCards": OfficeRow((Role.DEALER,), "decks.change"),
    "ViewSpread": OfficeRow((Role.PATRON,), "opening.spread"),
    "RequestInspection": OfficeRow((Role.PATRON,), "idle.reinspection"),
    "DeclareIdle": OfficeRow((Role.DEALER,), "idle.spread"),
    "TurnSpreadUp": OfficeRow((Role.DEALER,), "idle.turn_up"),
    "ShuffleCards": OfficeRow((Role.DEALER,), "shuffle.mix", names={"dealer": Role.DEALER}),
    "PerformShuffleStep": OfficeRow((Role.DEALER,), "shuffle.work"),
    "FeatherStack": OfficeRow((Role.DEALER,), "shuffle.feather"),
    "VerifyFeather": OfficeRow(
        (Role.FLOORPERSON,),
        "shuffle.feather",
        apart=("ShuffleCards",),
        names={"floorperson": Role.FLOORPERSON},
    ),
    "LaceStack": OfficeRow((Role.DEALER,), "shuffle.lace"),
    "ReshuffleStack": OfficeRow((Role.DEALER,), "shuffle.reshuffle"),
    "DirectShuffle": OfficeRow(
        (Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR),
        "shuffle.directed",
        names={"supervisor": Role.SUPERVISOR},
    ),
    "AcceptCut": OfficeRow((Role.PATRON,), "cut.offer"),
    "DeclineCut": OfficeRow((Role.PATRON,), "cut.offer"),
    "CutStack": OfficeRow((Role.DEALER,), "cut.offer"),
    "RequireRecut": OfficeRow(
        (Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR),
        "cut.recut_by",
        names={"supervisor": Role.SUPERVISOR},
    ),
    "InsertCuttingCards": OfficeRow((Role.DEALER,), "cut.execute"),
    "LoadShoe": OfficeRow((Role.DEALER,), "shoe.load"),
    "ReturnDiscards": OfficeRow((Role.DEALER,), "device.continuous"),
    # --- patrons ---
    "SeatPatron": OfficeRow((Role.DEALER, Role.FLOORPERSON)),
    "LeaveTable": OfficeRow((Role.PATRON, Role.DEALER), "vigorish.before_reshuffle"),
    "ChangeSeat": OfficeRow((Role.PATRON, Role.DEALER)),
    "BuyChips": OfficeRow((Role.DEALER,), "wagers.tender"),
    "PlaceVerbalWager": OfficeRow(
        (Role.DEALER,),
        "wagers.verbal",
        together=(Role.SUPERVISOR,),
        names={"supervisor": Role.SUPERVISOR},
    ),
    "PlaceWager": OfficeRow((Role.PATRON,), "wagers.tender"),
    "PlaceWagers": OfficeRow((Role.PATRON,), "wagers.tender"),
    "WithdrawWager": OfficeRow((Role.PATRON,), "wagers.closed"),
    "DealFreeHand": OfficeRow((Role.PATRON,), "free_hand"),
    "RequestBankerFirst": OfficeRow((Role.PATRON,), "deal.banker_first"),
    "AcceptShoe": OfficeRow((Role.PATRON,), "curator.offer"),
    "DeclineShoe": OfficeRow((Role.PATRON,), "curator.offer"),
    "PassShoe": OfficeRow((Role.CURATOR,), "curator.pass"),
    "OrderPass": OfficeRow((Role.DEALER, Role.FLOORPERSON), "curator.ordered"),
    "DesignateDealer": OfficeRow((Role.CURATOR,), "curator.dealer"),
    "ReturnCards": OfficeRow((Role.PATRON,), "deal.hand_over"),
    "RelinquishCards": OfficeRow((Role.PATRON,), "deal.hand_over"),
    "AcceptCards": OfficeRow((Role.PATRON,), "irregularity.relinquish"),
    "DeclineCards": OfficeRow((Role.PATRON,), "irregularity.relinquish"),
    "RequireRelinquishment": OfficeRow((Role.DEALER, Role.FLOORPERSON), "irregularity.relinquish"),
    "PassOver": OfficeRow((Role.DEALER,)),
    # --- rulings: the regulation names nobody ---
    "DealForCurator": _RULING,
    "DismissPatron": _RULING,
    "RecallHand": _RULING,
    "ReturnWagers": _RULING,
    "WriteOffVigorish": _RULING,
    # --- the round ---
    "CallNoMoreBets": OfficeRow((Role.DEALER,), "announce.no_more_bets"),
    "DrawCard": OfficeRow((Role.DEALER, Role.CURATOR), "deal.four_cards"),
    "UseHeldCard": OfficeRow((Role.DEALER,), "irregularity.drawn_in_error"),
    "HandCards": OfficeRow((Role.DEALER,), "deal.hand_over"),
    "TurnHand": OfficeRow((Role.DEALER,), "deal.face_down"),
    "PermitTurning": OfficeRow((Role.DEALER,), "deal.unwagered_hand"),
    "SettleHouseMoney": OfficeRow((Role.DEALER,), "wagers.house_money.settle"),
    "SettleWagers": OfficeRow((Role.DEALER,), "settlement.collect_first"),
    "ClearLayout": OfficeRow((Role.DEALER,), "discard.order"),
    # --- irregularities ---
    "DrawCardInError": OfficeRow((Role.DEALER,), "irregularity.drawn_in_error"),
    "FindFaceUpCard": OfficeRow((Role.DEALER,), "irregularity.face_up_card"),
    "BeginSimulatedRound": OfficeRow((Role.DEALER,), "irregularity.simulated_round"),
    "VoidRound": OfficeRow(
        (Role.DEALER,), "irregularity.insufficient", together=(Role.FLOORPERSON,)
    ),
    "PassOverHeldCard": _supervised("irregularity.drawn_in_error"),
    "FindShoeEmpty": _supervised("irregularity.insufficient"),
    "FindWrongCard": _supervised("decks"),
    "CorrectMisreadCard": _supervised("cards.values"),
    # --- vigorish and Forms ---
    "CollectVigorish": OfficeRow((Role.DEALER,), "vigorish.marker"),
    "ReceiveForms": OfficeRow(
        (Role.PIT_CLERK,), "forms.series", names={"pit_clerk": Role.PIT_CLERK}
    ),
    "HandOverForms": OfficeRow(
        (Role.PIT_CLERK,),
        "forms.series",
        together=(Role.PIT_CLERK,),
        names={"pit_clerk": Role.PIT_CLERK, "taken_by": Role.PIT_CLERK},
    ),
    "PrepareForm": OfficeRow(
        (Role.PIT_CLERK,),
        "forms.signatures",
        together=(Role.DEALER, Role.PIT_BOSS),
        names={"pit_clerk": Role.PIT_CLERK, "dealer": Role.DEALER, "pit_boss": Role.PIT_BOSS},
    ),
    "ReplaceForm": OfficeRow(
        (Role.PIT_CLERK,),
        "forms.signatures",
        together=(Role.DEALER, Role.PIT_BOSS),
        names={"pit_clerk": Role.PIT_CLERK, "dealer": Role.DEALER, "pit_boss": Role.PIT_BOSS},
    ),
    "VoidForm": OfficeRow(
        (Role.PIT_CLERK,),
        "forms.void",
        together=(Role.PIT_BOSS,),
        names={"pit_clerk": Role.PIT_CLERK, "pit_boss": Role.PIT_BOSS},
    ),
    "DropForm": OfficeRow(
        (Role.DEALER,),
        "forms.drop",
        together=(Role.PIT_BOSS, Role.PIT_CLERK),
        names={"pit_boss": Role.PIT_BOSS, "pit_clerk": Role.PIT_CLERK},
    ),
    "EndGamingDay": OfficeRow(
        (Role.PIT_CLERK,), "forms.duplicate", names={"pit_clerk": Role.PIT_CLERK}
    ),
    "CompareForms": OfficeRow((Role.ACCOUNTING,), "forms.duplicate", apart=("PrepareForm",)),
    # --- elections, progressive, clock ---
    "AdoptElections": OfficeRow((Role.LICENSEE, Role.MACHINE)),
    "RecordNotice": OfficeRow((Role.LICENSEE, Role.MACHINE)),
    "CommitMystery": OfficeRow((Role.MACHINE, Role.LICENSEE), "wagers.royal_9.stax"),
    "ReplaceMystery": OfficeRow((Role.LICENSEE,), together=(Role.FLOORPERSON, Role.SURVEILLANCE)),
    "EndProgressiveRound": OfficeRow((Role.DEALER,), "wagers.royal_9.stax"),
    "RecordTime": OfficeRow((Role.MACHINE, Role.FLOORPERSON), "decks.change"),
    # --- the chip tray and the drop box ---
    "RequestFill": OfficeRow((Role.FLOORPERSON,), house=True),
    "RequestCredit": OfficeRow((Role.FLOORPERSON,), house=True),
    "IssueFill": OfficeRow((Role.CAGE,), house=True),
    "ReceiveCredit": OfficeRow((Role.CAGE,), house=True),
    "ReceiveFill": OfficeRow((Role.DEALER,), together=(Role.FLOORPERSON,), house=True),
    "IssueCredit": OfficeRow((Role.DEALER,), together=(Role.FLOORPERSON,), house=True),
    "VoidSlip": OfficeRow((Role.FLOORPERSON,), together=(Role.CAGE,), house=True),
    "CountInventory": OfficeRow((Role.DEALER,), together=(Role.FLOORPERSON,), house=True),
    "RemoveDrop": OfficeRow((Role.ACCOUNTING,), house=True),
    "CountDrop": OfficeRow(
        (Role.ACCOUNTING,), together=(Role.ACCOUNTING,), apart=("RemoveDrop",), house=True
    ),
    "ChangeChips": OfficeRow((Role.DEALER,), house=True),
    # --- corrections: where the record has something wrong ---
    "CorrectWager": OfficeRow(
        (Role.FLOORPERSON,),
        together=(Role.DEALER,),
        house=True,
        besides={Role.SURVEILLANCE: ONCE_DRAWN},
    ),
    "CorrectSettlement": OfficeRow(
        (Role.FLOORPERSON,),
        together=(Role.DEALER, Role.SURVEILLANCE),
        house=True,
    ),
    "PayKeptAmount": OfficeRow(
        (Role.CAGE,),
        together=(Role.FLOORPERSON, Role.SURVEILLANCE),
        house=True,
    ),
    # --- pauses, notes, and seats ---
    "PauseTable": OfficeRow(
        (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.MACHINE), house=True
    ),
    "ResumeTable": OfficeRow(
        (Role.FLOORPERSON,), house=True, besides={Role.SURVEILLANCE: PAUSED_BY_WATCH}
    ),
    "WriteNote": OfficeRow(
        tuple(role for role in Role if role not in {Role.CURATOR, Role.PATRON}), house=True
    ),
    "ReserveSeat": OfficeRow((Role.DEALER, Role.FLOORPERSON), house=True),
    "ReleaseSeat": OfficeRow((Role.FLOORPERSON,), house=True),
    # --- awards by hand, and the meters ---
    "PayByHand": OfficeRow(
        (Role.CAGE,), together=(Role.FLOORPERSON, Role.SURVEILLANCE), house=True
    ),
    "ReconcileMeters": OfficeRow((Role.ACCOUNTING,), house=True),
    "ReadMeters": OfficeRow((Role.MACHINE,), house=True),
}
"""Every act of a table, by the name of its command."""
