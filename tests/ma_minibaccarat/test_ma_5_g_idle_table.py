"""Section 5(g): the table that is open, and at which nobody plays."""

from __future__ import annotations

import pytest

from croupier import acts
from croupier.acts import (
    BatchesExchanged,
    CardsStacked,
    CardsWashed,
    CutOffered,
    InspectionRequested,
    SpreadTurnedUp,
    SpreadViewed,
    TableIdle,
)
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import SHUFFLER, ma, play, ready, shoe_completed
from support.table import due, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

DOWN = acts.DeclareIdle(face_up=False)
UP = acts.DeclareIdle(face_up=True)


@pytest.mark.clause("MA-MINI:5(g)#1")
def test_at_an_idle_table_the_cards_leave_shoe_and_rack_and_are_spread_face_down() -> None:
    session = ready(1)
    play(session, "9h 8d Th Js")
    idle = only(session.execute(DOWN), TableIdle)
    assert (idle.face_up, idle.clauses) == (False, ma("5(g)#1"))
    assert session.state.phase is Phase.SPREAD_DOWN
    refused(session, acts.PlaceWager(1, "player", 1000), "not_now")
    refused(session, acts.CallNoMoreBets(), "not_now")


@pytest.mark.clause("MA-MINI:5(g)#1")
def test_they_are_spread_face_up_where_a_player_asks_and_only_then() -> None:
    session = ready(1)
    assert only(session.execute(UP), TableIdle).face_up
    empty = ready(1)
    empty.execute(acts.LeaveTable(1))
    assert refused(empty, UP, "face_down").clauses == ma("5(g)#1")
    empty.execute(DOWN)


@pytest.mark.clause("MA-MINI:5(g)#1")
def test_cards_that_lie_face_down_are_turned_up_only_where_a_player_asks() -> None:
    session = ready(1)
    session.execute(acts.LeaveTable(1))
    session.execute(DOWN)
    assert refused(session, acts.TurnSpreadUp(), "nobody").clauses == ma("5(g)#1")
    session.execute(acts.SeatPatron(3, "Patron 3"))
    # Unlike elsewhere his arrival does not turn them: he looks at them, or asks.
    assert due(session) == {acts.ViewSpread}
    listed = {one.command: one.must for one in session.legal()}
    assert listed[acts.TurnSpreadUp] is False
    turned = only(session.execute(acts.TurnSpreadUp()), SpreadTurnedUp)
    assert turned.clauses == ma("5(g)#1")
    assert session.state.phase is Phase.SPREAD_UP


@pytest.mark.clause("MA-MINI:5(g)#1")
def test_a_table_with_wagers_or_a_round_in_play_is_not_idle() -> None:
    session = ready(1)
    wager(session, (1, "player", 1000))
    assert refused(session, DOWN, "wagers").clauses == ma("5(g)#1")
    session.execute(acts.CallNoMoreBets())
    assert refused(session, DOWN, "not_now").clauses == ()


@pytest.mark.clause("MA-MINI:5(g)#2")
@pytest.mark.parametrize("idle", [DOWN, UP])
def test_nothing_goes_on_before_the_first_player_could_look(idle: acts.DeclareIdle) -> None:
    session = ready(1)
    session.execute(idle)
    refused(session, acts.WashCards(), "not_now")
    assert refused(session, acts.ViewSpread(5), "seat_empty").clauses == ()
    viewed = only(session.execute(acts.ViewSpread(1)), SpreadViewed)
    assert (viewed.seat, viewed.clauses) == (1, ma("5(g)#2"))
    assert due(session) == {acts.WashCards}


@pytest.mark.clause("MA-MINI:5(g)(1)")
def test_without_a_shuffler_the_idle_cards_are_washed_stacked_shuffled_and_cut() -> None:
    session = ready(1, 2)
    session.execute(DOWN)
    session.execute(acts.ViewSpread(1))
    refused(session, acts.StackCards(), "wash")
    washed = only(session.execute(acts.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ma("5(g)(1)"))
    assert due(session) == {acts.PerformShuffleStep}
    # The cards came out of shoe and rack together: none is left to plug.
    refused(session, acts.PerformShuffleStep("plug"), "step")
    advance(session, Phase.FEATHERED)
    assert only(session.execute(acts.VerifyFeather("Miro")), CutOffered).seat == 2
    advance(session, Phase.BETTING)
    assert (session.state.shoe.number, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("MA-MINI:5(g)#1", "MA-MINI:5(g)(1)")
def test_a_table_may_stand_idle_at_the_end_of_a_shoe() -> None:
    session = shoe_completed(1)
    session.execute(DOWN)
    advance(session, Phase.BETTING)
    assert session.state.shoe.remaining == 414


def taken_out(session: TableSession) -> TableSession:
    """An idle table with a shuffler whose batches have changed places."""
    session.execute(DOWN)
    session.execute(acts.ViewSpread(1))
    session.execute(acts.StackCards())
    session.execute(acts.ExchangeBatches())
    return session


@pytest.mark.clause("MA-MINI:5(g)(2)#1")
def test_with_a_shuffler_the_idle_batch_is_stacked_and_goes_in_and_the_stored_one_comes_out() -> (
    None
):
    session = ready(1, **SHUFFLER)
    session.execute(DOWN)
    session.execute(acts.ViewSpread(1))
    refused(session, acts.WashCards(), "no_wash")
    stacked = only(session.execute(acts.StackCards()), CardsStacked)
    assert (stacked.batch, stacked.clauses) == (1, ma("5(g)(2)#1"))
    exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (exchanged.into_device, exchanged.out_of_device) == (1, 2)
    assert (session.state.batch, session.state.in_device) == (2, 1)


@pytest.mark.clause("MA-MINI:5(g)(2)#2")
def test_the_batch_that_came_out_is_cut_and_neither_spread_nor_shuffled_unless_a_player_asks() -> (
    None
):
    session = taken_out(ready(1, 2, **SHUFFLER))
    assert due(session) == {acts.AcceptCut, acts.DeclineCut}
    for spared in (acts.SpreadCards(), acts.WashCards(), acts.ShuffleCards()):
        refused(session, spared, "not_now")
    advance(session, Phase.BETTING)
    assert session.state.shoe.batch == 2


@pytest.mark.clause("MA-MINI:5(g)(2)#2")
@pytest.mark.clause("MA-MINI:5(a)#2")
@pytest.mark.clause("MA-MINI:5(h)")
def test_a_player_may_ask_for_it_to_be_spread_and_then_it_is_shuffled_again_by_hand() -> None:
    session = taken_out(ready(1, 2, **SHUFFLER))
    asking = {one.seat for one in session.legal() if one.command is acts.RequestInspection}
    assert asking == {1, 2}
    answer = refused(session, acts.RequestInspection(3), "seat_empty")
    assert answer.clauses == ()
    requested = only(session.execute(acts.RequestInspection(1)), InspectionRequested)
    assert (requested.seat, requested.batch) == (1, 2)
    assert requested.clauses == ma("5(g)(2)#2")
    refused(session, acts.AcceptCut(2, 100), "not_now")
    session.execute(acts.ViewSpread(1))
    washed = only(session.execute(acts.WashCards()), CardsWashed)
    assert washed.clauses == ma("5(g)(2)#2")
    assert refused(session, acts.ShuffleCards(), "steps").clauses == ma("5(h)")
    for step in ("riffle", "turn", "riffle", "strip"):
        assert due(session) == {acts.PerformShuffleStep}
        session.execute(acts.PerformShuffleStep(step))
    session.execute(acts.ShuffleCards())
    refused(session, acts.LaceStack(), "finish")
    assert due(session) == {acts.FeatherStack}
    session.execute(acts.FeatherStack())
    session.execute(acts.VerifyFeather("Miro", even=True))
    advance(session, Phase.BETTING)
    assert (session.state.shoe.batch, session.state.in_device) == (2, 1)


@pytest.mark.clause("MA-MINI:5(g)(2)#2")
def test_a_player_still_asks_after_the_cut_but_not_for_a_batch_that_comes_out_after_a_shoe() -> (
    None
):
    session = taken_out(ready(1, **SHUFFLER))
    session.execute(acts.AcceptCut(1, 100))
    session.execute(acts.RequestInspection(1))
    session.execute(acts.ViewSpread(1))
    after_shoe = shoe_completed(1, **SHUFFLER)
    after_shoe.execute(acts.ExchangeBatches())
    refused(after_shoe, acts.RequestInspection(1), "no_inspection")
