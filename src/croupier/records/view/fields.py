"""What every field of a command, of an event, and of the state is: data that the views go by.

A field is declared by its name, or for one type alone as ``Type.field``. A name that means
different things in different types has no declaration of its own. A test fails for a field that
has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from croupier.records.view.sight import Sight


def _each(sight: Sight, names: str) -> dict[str, Sight]:
    return dict.fromkeys(names.split(), sight)


_BY_NAME: Final[Mapping[str, Sight]] = {
    **_each(
        Sight.OPEN,
        """
        clauses seat seats waiting to hand hands ordinal face_up source disclosed dealt_to shown
        unseen discarded from_shoe first_of_round to_burn to_discard missing round simulated counted
        stands natural count player_count banker_count winner draws words wager line odds
        outcome meter meters step more batch decks laid_out into_device out_of_device for_device
        preshuffled accepted even position moved from_back shoe deferred reshuffle cards_dealt
        dealer_deals designate_dealer grounds by office offer matter entry kind gaming_date
        patron_signed dealer_confirms commitment above_cents mystery_cents rules_sha256 elections
        limits min_cents max_cents rule_id value verifies spread seals batches first last serial
        spoilt originals duplicates void unused matched without_original without_duplicate differing
        slip closing
        pit table game law added at of now returned until next_date
        number name due used link linked cause curator
        """,
    ),
    **_each(
        Sight.STAFF,
        "dealer floorperson supervisor pit_boss pit_clerk person relieved stated_by taken_by",
    ),
    **_each(Sight.PATRON, "patron"),
    **_each(Sight.TEXT, "reason statement beside text"),
    **_each(Sight.CHIPS, "chips_cents owed_cents taken given"),
    **_each(Sight.RACK, "chips inventory_cents returned_cents"),
    **_each(
        Sight.HOUSE,
        """
        box next_box cash_cents expected_cents expected_coupon_cents
        reserve_cents reserved_cents from_reserve_cents
        """,
    ),
    **_each(Sight.PARTS, "notices course"),
}

_BY_TYPE: Final[Mapping[str, Sight]] = {
    # --- cards: when each is closed is in ``closed`` ---
    **_each(
        Sight.CARD,
        """
        DrawCard.card DrawCardInError.card FindFaceUpCard.card FindWrongCard.card
        CorrectMisreadCard.recorded CorrectMisreadCard.actual
        CardBurned.card CardDealt.card CardDiscarded.card CardDrawnInError.card CardHeld.card
        CardMisread.recorded CardMisread.actual CardMisread.player CardMisread.banker
        FaceUpCardFound.card HeldCardPassedOver.cards LayoutCleared.player LayoutCleared.banker
        SimulatedRoundOrdered.card ThirdCardWaits.card ThirdCardWaitsNoMore.card
        WrongCardFound.card
        CorrectSettlement.actual SettlementCorrected.recorded SettlementCorrected.actual
        """,
    ),
    "ResultAnnounced.cards": Sight.OPEN,  # How many they are.
    "ThirdCardRuled.reason": Sight.OPEN,  # The drawing rule, not words that the staff wrote.
    # The cards of rounds that are over, and the secret that then proves the draw.
    **_each(Sight.OPEN, "StaxWon.cards StaxWon.opening StaxWon.secret MysteryReplaced.secret"),
    **_each(Sight.SECRET, "EndProgressiveRound.secret ReplaceMystery.secret"),
    # --- names ---
    **_each(
        Sight.ON_PAPER,
        "FormPrepared.patron ComplimentaryRecorded.patron PaidByHand.patron",
    ),
    **_each(Sight.TEXT, "NoticeRecorded.to RecordNotice.to Notice.to"),
    # --- money ---
    **_each(
        Sight.STAKE,
        """
        PlaceWager.cents PlaceWager.coupon_cents PlaceVerbalWager.cents PlaceWagers.stakes
        VerbalWagerConfirmed.cents WagerPlaced.cents WagerPlaced.coupon_cents WagersPlaced.stakes
        WagerWithdrawn.cents WagerWithdrawn.coupon_cents WagerPaid.cents AwardPaid.cents
        HandPayDue.cents
        CorrectWager.cents WagerCorrected.cents WagerCorrected.recorded_cents
        CorrectSettlement.cents CorrectSettlement.paid_cents
        SettlementCorrected.stake_cents SettlementCorrected.paid_cents
        PayoutAdded.cents LostStake.cents LostStake.coupon_cents Release.cents Release.coupon_cents
        """,
    ),
    **_each(Sight.PARTS, "LosingWagersCollected.stakes StakesKept.stakes StakesReleased.stakes"),
    "SettlementCorrected.differences": Sight.PARTS,
    **_each(
        Sight.CHIPS,
        """
        BuyChips.cents ChipsBought.cents CollectVigorish.cents VigorishCollected.cents
        VigorishMarked.cents VigorishWrittenOff.cents ChipsChanged.cents
        Difference.cents Difference.misstated_cents Difference.uncollected_cents
        Difference.vigorish_cents Difference.marked_cents
        """,
    ),
    **_each(
        Sight.PAPER,
        """
        VigorishDocumented.cents FormPrepared.cents ComplimentaryRecorded.cents PrepareForm.cents
        VigorishRestored.cents CompareForms.amounts
        """,
    ),
    # What a meter shows.
    **_each(Sight.OPEN, "StaxWon.cents MeterReset.cents ReconcileMeters.shown"),
    **_each(Sight.HOUSE, "MetersReconciled.shown MetersReconciled.expected PaidByHand.cents"),
    # Another patron may sit there by now.
    **_each(
        Sight.HOUSE,
        """
        PayKeptAmount.patron PayKeptAmount.cents KeptAmountPaid.patron KeptAmountPaid.cents
        KeptAmountPaid.left_cents KeptAmountPaid.identified PayKeptAmount.identified
        KeptAmounts.due KeptAmount.patron KeptAmount.cents
        """,
    ),
    **_each(
        Sight.RACK,
        """
        FillRequested.cents FillIssued.cents FillReceived.cents CreditRequested.cents
        CreditIssued.cents CreditReceived.cents InventoryCounted.cents
        """,
    ),
    **_each(
        Sight.HOUSE,
        "CountDrop.coupon_cents DropCounted.coupon_cents DropRemoved.coupon_cents",
    ),
    # --- awards that are paid by hand ---
    **_each(
        Sight.OPEN, "PayByHand.number HandPayDue.number PaidByHand.number MetersReconciled.due"
    ),
    **_each(Sight.OPEN, "MetersReconciled.expected HandPays.due"),
    **_each(Sight.CHIPS, "HandPayDue.cents PaidByHand.cents HandPay.cents"),
    "HandPays.slips": Sight.KEPT,
    # --- the state ---
    **_each(
        Sight.OPEN,
        """
        TableState.phase TableState.decks TableState.rounds TableState.hands_left
        TableState.cutting_card_out TableState.idle TableState.flawed TableState.round
        TableState.shoe TableState.cut TableState.stacked TableState.in_device
        Patron.away Cut.asked Cut.asked_before Cut.cutter Cut.position Cut.left Cut.again
        Offering.asked_before EarlyCard.disclosed EarlyCard.dealt_to
        RoundState.number RoundState.down RoundState.handed RoundState.holders RoundState.offering
        RoundState.gave_up RoundState.began_with_cutting_card RoundState.facts RoundState.void
        TableShoe.number TableShoe.decks TableShoe.remaining TableShoe.cards_behind
        CuratorState.chosen CuratorState.curator CuratorState.asked CuratorState.last
        CuratorState.asked_before CuratorState.vacated CuratorState.taken_over
        Progressive.stax_before TimedDecks.now TimedDecks.received TimedDecks.name
        TimedDecks.known TimedDecks.removed FormBook.ended HouseMoney.settled_in
        FormBook.next_serial FormBook.last_serial FormBook.forwarded
        """,
    ),
    **_each(
        Sight.CARD,
        """
        TableState.held TableState.simulate_with RoundState.coup RoundState.begins_with
        RoundState.early EarlyCard.card SimulatedOrder.card
        """,
    ),
    "TableShoe.unseen": Sight.ODDS,
    "Patron.name": Sight.PATRON,
    **_each(Sight.PARTS, "TableState.seats TableState.slices Tray.slips"),
    **_each(Sight.STAKE, "TableState.stakes"),
    **_each(Sight.STAFF, "Duty.posts Duty.held TableState.shuffled_by FormBook.custodian"),
    **_each(Sight.HOUSE, "Tray.uncounted Tray.closing_cents"),
    **_each(Sight.HOUSE, "HandPays.due HandPays.last HandPays.slips HandPay.cents"),
    "FormBook.used": Sight.PAPER,
    "Slip.is_issued": Sight.OPEN,
    **_each(
        Sight.KEPT,
        """
        TableState.tableau TableState.inspection_offered TableState.discard_unseen
        TableState.discard_rule TableState.worked TableState.preshuffled Duty.did Tray.used
        NoticeBoard.latest Progressive.opening
        """,
    ),
}


@cache
def sight_of(kind: str, field: str) -> Sight | None:
    """Return what a field of a type is; ``None`` where nothing declares it.

    >>> sight_of("CardDealt", "card")
    <Sight.CARD: 'a card: for everyone once it is open, and for no one before'>
    """
    return _BY_TYPE.get(f"{kind}.{field}", _BY_NAME.get(field))


def declared() -> Iterable[str]:
    """Return every declaration, as ``field`` or ``Type.field``."""
    return (*_BY_NAME, *_BY_TYPE)
