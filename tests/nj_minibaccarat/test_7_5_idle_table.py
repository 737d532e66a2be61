"""19:47-7.5(h): the table at which nobody plays."""

from typing import Any

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
from croupier.baccarat.cards import Card
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import at, due, load_short_shoe, only, play_out, ready, refused, steps_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NATURAL = "9h 8d Kh Ks"
SHUFFLER: dict[str, Any] = {"device": "shuffler", "decks": 16}


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
@pytest.mark.parametrize(
    ("face_up", "phase"), [(True, Phase.SPREAD_UP), (False, Phase.SPREAD_DOWN)]
)
def test_at_an_idle_table_the_cards_are_spread_face_up_or_face_down(
    phase: Phase, *, face_up: bool
) -> None:
    session = ready(1)
    idle = only(session.execute(acts.DeclareIdle(face_up)), TableIdle)
    assert (idle.face_up, idle.clauses) == (face_up, ("NJ-MINI:7.5(h)#1",))
    assert session.state.phase is phase


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_a_table_with_wagers_on_its_layout_or_a_round_in_play_is_not_idle() -> None:
    session = ready(1)
    wager(session, (1, "player", 1000))
    idle = acts.DeclareIdle(face_up=True)
    assert acts.DeclareIdle not in {action.command for action in session.legal()}
    assert "NJ-MINI:7.5(h)#1" in refused(session, idle, "wagers").clauses
    session.execute(acts.CallNoMoreBets())
    assert refused(session, idle, "not_now").clauses == ()


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_a_table_may_stand_idle_after_a_shoe() -> None:
    session = at(Phase.TO_CUT)
    load_short_shoe(session)
    play_out(session, NATURAL)
    session.execute(acts.DeclareIdle(face_up=True))
    assert session.state.phase is Phase.SPREAD_UP


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_no_round_begins_before_the_cards_of_an_idle_table_are_prepared_again() -> None:
    session = ready(1)
    session.execute(acts.DeclareIdle(face_up=True))
    refused(session, acts.PlaceWager(1, "player", 1000), "not_now")
    refused(session, acts.CallNoMoreBets(), "not_now")
    advance(session, Phase.BETTING)
    # A new shoe of 416 cards, less the ace and the card that the plainest burn takes.
    assert (session.state.shoe.number, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("NJ-MINI:7.5(h)#2")
def test_cards_spread_face_down_are_turned_up_once_a_player_arrives() -> None:
    session = ready(1)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.DeclareIdle(face_up=False))
    assert steps_of(session) == ()
    assert refused(session, acts.TurnSpreadUp(), "nobody").clauses == ("NJ-MINI:7.5(h)#2",)
    session.execute(acts.SeatPatron(3, "Patron 3"))
    refused(session, acts.ViewSpread(3), "turn_up")
    assert due(session) == {acts.TurnSpreadUp}
    turned = only(session.execute(acts.TurnSpreadUp()), SpreadTurnedUp)
    assert turned.clauses == ("NJ-MINI:7.5(h)#2",)
    assert due(session) == {acts.ViewSpread}


@pytest.mark.clause("NJ-MINI:7.5(h)#2")
def test_cards_spread_face_up_are_not_turned_up() -> None:
    session = ready(1)
    session.execute(acts.DeclareIdle(face_up=True))
    refusal = refused(session, acts.TurnSpreadUp(), "not_now")
    assert refusal.clauses == ()


@pytest.mark.clause("NJ-MINI:7.5(h)#3")
def test_the_spread_of_an_idle_table_is_turned_down_after_a_player_has_looked_at_it() -> None:
    session = ready(1, 2)
    session.execute(acts.DeclareIdle(face_up=True))
    refused(session, acts.WashCards(), "not_now")
    viewed = only(session.execute(acts.ViewSpread(2)), SpreadViewed)
    assert (viewed.seat, viewed.clauses) == (2, ("NJ-MINI:7.5(h)#3",))
    assert due(session) == {acts.WashCards}


@pytest.mark.clause("NJ-MINI:7.5(h)1")
def test_without_a_shuffler_the_idle_cards_are_washed_shuffled_and_cut() -> None:
    session = ready(1, 2)
    session.execute(acts.DeclareIdle(face_up=True))
    session.execute(acts.ViewSpread(1))
    assert refused(session, acts.StackCards(), "wash").clauses == ("NJ-MINI:7.5(h)1",)
    washed = only(session.execute(acts.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ("NJ-MINI:7.5(h)1",))
    assert due(session) == {acts.ShuffleCards}
    session.execute(acts.ShuffleCards())
    assert only(session.execute(acts.LaceStack()), CutOffered).seat == 2


def idle_with_shuffler(**elections: Any) -> TableSession:
    """A table whose batches are exchanged because it was idle: batch 2 has come out."""
    session = ready(1, 2, **SHUFFLER, **elections)
    session.execute(acts.DeclareIdle(face_up=True))
    session.execute(acts.ViewSpread(1))
    stacked = only(session.execute(acts.StackCards()), CardsStacked)
    assert (stacked.batch, stacked.clauses) == (1, ("NJ-MINI:7.5(h)2#1",))
    exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (exchanged.into_device, exchanged.out_of_device) == (1, 2)
    return session


@pytest.mark.clause("NJ-MINI:7.5(h)2#1")
def test_with_a_shuffler_the_idle_batch_goes_in_and_the_stored_one_comes_out() -> None:
    session = ready(1, **SHUFFLER)
    assert (session.state.batch, session.state.in_device) == (1, 2)
    session.execute(acts.DeclareIdle(face_up=True))
    session.execute(acts.ViewSpread(1))
    refused(session, acts.WashCards(), "no_wash")
    assert due(session) == {acts.StackCards}
    session.execute(acts.StackCards())
    assert due(session) == {acts.ExchangeBatches}
    session.execute(acts.ExchangeBatches())
    assert (session.state.batch, session.state.in_device) == (2, 1)
    advance(session, Phase.BETTING)
    assert session.state.shoe.batch == 2


@pytest.mark.clause("NJ-MINI:7.5(h)2#2")
def test_the_batch_out_of_the_shuffler_is_neither_spread_nor_reshuffled_unless_a_player_asks() -> (
    None
):
    session = idle_with_shuffler()
    assert due(session) == {acts.LaceStack}
    refused(session, acts.SpreadCards(), "not_now")
    assert only(session.execute(acts.LaceStack()), CutOffered).seat == 2


@pytest.mark.clause("NJ-MINI:7.5(h)2#2")
@pytest.mark.parametrize("until", ["LACED", "TO_CUT", "CUT", "TO_LOAD", "TO_BURN"])
def test_the_batch_is_shown_on_request_until_its_first_card_is_drawn(until: str) -> None:
    again = {"shuffle__reshuffle": True} if until == "LACED" else {}
    session = idle_with_shuffler(**again)
    advance(session, Phase[until])
    requested = only(session.execute(acts.RequestInspection(1)), InspectionRequested)
    assert requested.clauses == ("NJ-MINI:7.5(h)2#2",)
    assert due(session) == {acts.ViewSpread}
    session.execute(acts.ViewSpread(1))
    session.execute(acts.WashCards())
    assert due(session) == {acts.ShuffleCards}
    advance(session, Phase.TO_BURN)
    assert session.state.shoe.remaining == 416
    advance(session, Phase.BETTING)


@pytest.mark.clause("NJ-MINI:7.5(h)2#2")
def test_once_the_first_card_is_drawn_or_where_elected_once_it_is_cut_nobody_asks() -> None:
    session = idle_with_shuffler()
    advance(session, Phase.TO_BURN)
    session.execute(acts.DrawCard(Card.of("5c")))
    refusal = refused(session, acts.RequestInspection(1), "no_inspection")
    assert refusal.clauses == ("NJ-MINI:7.5(h)2#2",)
    session = idle_with_shuffler(readings={"C200": "cut"})
    advance(session, Phase.CUT)
    refused(session, acts.RequestInspection(1), "no_inspection")
    assert acts.RequestInspection not in {one.command for one in session.legal()}


@pytest.mark.clause("NJ-MINI:7.5(h)2#2")
def test_a_player_may_ask_for_the_batch_out_of_the_shuffler_to_be_spread_and_reshuffled() -> None:
    session = idle_with_shuffler()
    asking = {
        action.seat
        for action in session.legal()
        if action.command is acts.RequestInspection and not action.must
    }
    assert asking == {1, 2}
    refusal = refused(session, acts.RequestInspection(3), "seat_empty")
    assert refusal.clauses == ()
    requested = only(session.execute(acts.RequestInspection(2)), InspectionRequested)
    assert (requested.seat, requested.batch) == (2, 2)
    assert requested.clauses == ("NJ-MINI:7.5(h)2#2",)
    refused(session, acts.LaceStack(), "not_now")
    session.execute(acts.ViewSpread(2))
    refused(session, acts.StackCards(), "wash")
    assert due(session) == {acts.WashCards}
    washed = only(session.execute(acts.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ("NJ-MINI:7.5(h)2#2",))
    assert due(session) == {acts.ShuffleCards}
    session.execute(acts.ShuffleCards())
    refused(session, acts.RequestInspection(2), "no_inspection")
    advance(session, Phase.BETTING)
    assert (session.state.shoe.batch, session.state.in_device) == (2, 1)


@pytest.mark.clause("NJ-MINI:7.5(h)2#2")
def test_only_a_batch_taken_out_at_an_idle_table_is_inspected_on_request() -> None:
    session = at(Phase.TO_FINISH, **SHUFFLER)
    refused(session, acts.RequestInspection(1), "no_inspection")
    load_short_shoe(session)
    play_out(session, NATURAL)
    session.execute(acts.ExchangeBatches())
    refused(session, acts.RequestInspection(1), "no_inspection")
