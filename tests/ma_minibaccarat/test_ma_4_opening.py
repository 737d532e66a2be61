"""Section 4: decks inspected, spread, washed and stacked; batches; cards that came pre-shuffled."""

from __future__ import annotations

from datetime import date

import pytest

from croupier import acts
from croupier.acts import (
    BatchesExchanged,
    CardsInspected,
    CardsReceived,
    CardsRejected,
    CardsSpread,
    CardsStacked,
    CardsVerified,
    CardsWashed,
    CutOffered,
    SpreadViewed,
    TableOpened,
)
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import SHUFFLER, arriving, at, ma, rules_of
from support.table import due, only, refused

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")


def test_a_text_without_a_date_binds_no_table_to_the_day_on_which_it_was_read() -> None:
    # C33: the copy shows no date; an amended text of New Jersey refuses a day before its own.
    day = date(2019, 6, 23)
    session = TableSession(rules_of())
    opened = only(session.execute(acts.OpenTable(1_000, "Dana", "Flo", day)), TableOpened)
    assert (opened.gaming_date, opened.clauses) == (day, ())
    assert "C33" in session.rules.readings


@pytest.mark.clause("MA-MINI:4(a)#1")
def test_the_dealer_inspects_the_decks_that_were_received() -> None:
    session = arriving(rules_of())
    received = only(session.execute(acts.ReceiveCards(8)), CardsReceived)
    assert (received.decks, received.preshuffled, received.clauses) == (8, False, ma("4(a)#1"))
    assert due(session) == {acts.InspectCards}
    assert refused(session, acts.SpreadCards(), "not_now").code
    inspected = only(session.execute(acts.InspectCards()), CardsInspected)
    assert inspected.clauses == ma("4(a)#1")


@pytest.mark.clause("MA-MINI:4(a)#2")
def test_the_floorperson_verifies_the_inspection_and_is_named() -> None:
    session = at(Phase.INSPECTED)
    assert due(session) == {acts.VerifyCards}
    refused(session, acts.SpreadCards(), "not_now")
    assert refused(session, acts.VerifyCards(""), "nobody").clauses == ma("4(a)#2")
    verified = only(session.execute(acts.VerifyCards("Miro")), CardsVerified)
    assert (verified.floorperson, verified.clauses) == ("Miro", ma("4(a)#2"))


@pytest.mark.clause("MA-MINI:4(a)#2")
def test_cards_that_the_floorperson_does_not_verify_are_not_used() -> None:
    session = at(Phase.INSPECTED)
    rejected = only(session.execute(acts.VerifyCards("Miro", accepted=False)), CardsRejected)
    assert rejected.clauses == ma("4(a)#2")
    assert due(session) == {acts.ReceiveCards}


@pytest.mark.clause("MA-MINI:4(b)#1", "MA-MINI:4(b)#2")
def test_the_cards_are_spread_face_up_for_the_first_player_to_arrive() -> None:
    session = arriving(rules_of())
    session.execute(acts.ReceiveCards(8))
    advance(session, Phase.TO_SPREAD)
    spread = only(session.execute(acts.SpreadCards()), CardsSpread)
    assert (spread.decks, spread.clauses) == (8, ma("4(b)#1", "4(b)#2"))
    assert spread.laid_out == "horizontal fan-shaped columns"
    # The table waits for somebody to look, and nothing else goes on.
    assert due(session) == set()
    refused(session, acts.WashCards(), "not_now")
    assert refused(session, acts.ViewSpread(4), "seat_empty").clauses == ()
    session.execute(acts.SeatPatron(4, "Patron 4"))
    viewed = only(session.execute(acts.ViewSpread(4)), SpreadViewed)
    assert (viewed.seat, viewed.clauses) == (4, ma("4(b)#1", "4(b)#2"))


@pytest.mark.clause("MA-MINI:4(c)")
def test_after_that_the_cards_are_turned_down_washed_and_stacked() -> None:
    session = at(Phase.VIEWED)
    for early in (
        acts.ShuffleCards(),
        acts.PerformShuffleStep("riffle"),
        acts.CutStack(100),
    ):
        refused(session, early, "not_now")
    assert refused(session, acts.StackCards(), "wash").clauses == ma("4(c)")
    washed = only(session.execute(acts.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ma("4(c)"))
    assert session.state.phase is Phase.TO_SHUFFLE


@pytest.mark.clause("MA-MINI:4(d)")
def test_two_batches_are_spread_separately_and_stacked_separately_without_a_wash() -> None:
    session = at(Phase.TO_SPREAD, **SHUFFLER)
    for batch in (1, 2):
        spread = only(session.execute(acts.SpreadCards()), CardsSpread)
        assert (spread.batch, spread.decks) == (batch, 8)
        assert spread.clauses == ma("4(b)#1", "4(b)#2", "4(d)")
        refused(session, acts.StackCards(), "not_now")
        session.execute(acts.ViewSpread(1))
        assert refused(session, acts.WashCards(), "no_wash").clauses == ma("4(d)")
        stacked = only(session.execute(acts.StackCards()), CardsStacked)
        assert (stacked.batch, stacked.clauses) == (batch, ma("4(d)"))
    assert due(session) == {acts.ExchangeBatches}


@pytest.mark.clause("MA-MINI:4(e)")
def test_pre_shuffled_cards_are_neither_inspected_nor_spread_nor_washed() -> None:
    session = arriving(rules_of(), 1, 2)
    events = session.execute(acts.ReceiveCards(8, preshuffled=True))
    received, offered = only(events, CardsReceived), only(events, CutOffered)
    assert (received.preshuffled, received.clauses) == (True, ma("4(e)"))
    assert offered.seat == 2
    for spared in (
        acts.InspectCards(),
        acts.VerifyCards("Miro"),
        acts.SpreadCards(),
        acts.WashCards(),
        acts.ShuffleCards(),
    ):
        refused(session, spared, "not_now")
    advance(session, Phase.BETTING)


@pytest.mark.clause("MA-MINI:4(e)", "MA-MINI:3(b)(3)")
def test_of_two_pre_shuffled_batches_one_goes_into_the_shuffler() -> None:
    session = arriving(rules_of(**SHUFFLER), 1)
    events = session.execute(acts.ReceiveCards(16, preshuffled=True))
    stored = only(events, BatchesExchanged)
    assert (stored.into_device, stored.out_of_device) == (2, None)
    assert (session.state.batch, session.state.in_device) == (1, 2)
    assert due(session) == {acts.AcceptCut, acts.DeclineCut}


@pytest.mark.clause("MA-MINI:4(e)", "MA-MINI:5(a)#1")
def test_pre_shuffled_cards_are_shuffled_by_hand_once_their_first_shoe_is_dealt() -> None:
    session = arriving(rules_of(), 1)
    session.execute(acts.ReceiveCards(8, preshuffled=True))
    advance(session, Phase.BETTING)
    session.execute(acts.DirectShuffle("Flo"))
    assert due(session) == {acts.PerformShuffleStep}
