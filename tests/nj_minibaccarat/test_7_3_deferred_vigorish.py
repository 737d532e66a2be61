"""19:47-7.3(c)2 to (c)4 and (d): deferred vigorish, its markers, and the table's win."""

import pytest

from croupier import acts
from croupier.acts import (
    PatronLeft,
    StakesReleased,
    VigorishCollected,
    VigorishDocumented,
    VigorishMarked,
)
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.table import (
    at,
    banker_wins,
    deal,
    due,
    form,
    load_short_shoe,
    only,
    owing,
    play,
    play_out,
    ready,
    refused,
    wager,
)

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"


def deferring(*seats: int) -> TableSession:
    """A table open for wagers that takes five percent, later."""
    return ready(*(seats or (1,)), vigorish__collection="deferred")


def owing_at_end_of_shoe() -> TableSession:
    """A completed shoe, with five dollars owed in seat 1 and seven and a half in seat 2."""
    session = at(Phase.TO_CUT, 1, 2, vigorish__collection="deferred")
    load_short_shoe(session)
    banker_wins(session, (1, 10_000), (2, 15_000))
    play_out(session, PLAYER_WINS)
    session.execute(acts.ReceiveForms("Clark", 101, 103))
    return session


# --- (c)2: the marker --------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)2#3")
def test_vigorish_not_collected_with_the_payment_is_shown_by_a_marker_for_its_seat() -> None:
    session = deferring(3)
    marked = only(banker_wins(session, (3, 10_000)), VigorishMarked)
    assert (marked.seat, marked.cents, marked.owed_cents) == (3, 500, 500)
    assert "NJ-MINI:7.3(c)2#3" in marked.clauses
    assert session.state.seats[3].owed_cents == 500
    # The winner keeps his whole payment for now: 10,000.00 bought, and 100.00 won.
    assert session.state.seats[3].chips_cents == 1_010_000


@pytest.mark.clause("NJ-MINI:7.3(c)2#3")
def test_a_winner_who_owes_no_vigorish_is_given_no_marker() -> None:
    session = deferring(3)
    wager(session, (3, "player", 10_000))
    events = play(session, PLAYER_WINS)
    assert not [event for event in events if isinstance(event, VigorishMarked)]
    assert session.state.seats[3].owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(c)2#3")
def test_the_marker_shows_all_that_is_owed_round_after_round() -> None:
    session = deferring(1, 2)
    rounds = [((1, 10_000),), ((1, 20_000), (2, 4_000)), ((2, 6_000),)]
    shown = []
    for stakes in rounds:
        events = banker_wins(session, *stakes)
        shown += [(e.seat, e.cents, e.owed_cents) for e in events if isinstance(e, VigorishMarked)]
    # 5% of 100, then of 200 on top of it; seat 2: of 40, then of 60 on top of it.
    assert shown == [(1, 500, 500), (2, 200, 200), (1, 1000, 1500), (2, 300, 500)]
    assert session.state.owed_cents == 2000


@pytest.mark.clause("NJ-MINI:7.3(c)2#3")
def test_vigorish_collected_with_the_payment_leaves_no_marker() -> None:
    session = ready(1, vigorish__collection="at-once")
    collected = only(banker_wins(session, (1, 10_000)), VigorishCollected)
    assert (collected.cents, collected.deferred) == (500, False)
    assert session.state.owed_cents == 0
    assert session.state.seats[1].chips_cents == 1_000_000 + 10_000 - 500


@pytest.mark.clause("NJ-MINI:7.3(c)2#4")
def test_the_marker_stays_through_rounds_that_the_patron_loses_or_sits_out() -> None:
    session = deferring(1, 2)
    banker_wins(session, (1, 10_000))
    wager(session, (1, "banker", 5_000))
    play(session, PLAYER_WINS)
    wager(session, (2, "tie", 1_000))
    play(session, TIE)
    assert session.state.seats[1].owed_cents == 500


@pytest.mark.clause("NJ-MINI:7.3(c)2#4")
def test_the_marker_is_removed_when_the_vigorish_is_collected() -> None:
    session = deferring(1, 2)
    banker_wins(session, (1, 10_000), (2, 20_000))
    collected = only(session.execute(acts.CollectVigorish(1)), VigorishCollected)
    assert (collected.seat, collected.cents, collected.deferred) == (1, 500, True)
    assert "NJ-MINI:7.3(c)2#4" in collected.clauses
    owed = {seat: patron.owed_cents for seat, patron in session.state.seats.items()}
    assert owed == {1: 0, 2: 1000}
    assert session.state.seats[1].chips_cents == 1_000_000 + 10_000 - 500


@pytest.mark.clause("NJ-MINI:7.3(c)2#4")
def test_the_marker_is_removed_when_the_vigorish_is_documented() -> None:
    session = owing()
    documented = only(session.execute(form()), VigorishDocumented)
    assert (documented.seat, documented.cents, documented.serial) == (1, 500, 101)
    assert "NJ-MINI:7.3(c)2#4" in documented.clauses
    assert session.state.seats[1].owed_cents == 0
    assert session.state.seats[1].chips_cents == 1_000_000 + 10_000


@pytest.mark.clause("NJ-MINI:7.3(c)2#4")
def test_nothing_is_collected_where_nothing_is_owed() -> None:
    session = owing()
    refused(session, acts.CollectVigorish(2), "nothing_owed")
    refused(session, acts.CollectVigorish(7), "seat_empty")
    session.execute(acts.CollectVigorish(1))
    refused(session, acts.CollectVigorish(1), "nothing_owed")


@pytest.mark.clause("NJ-MINI:7.3(c)2#4")
def test_vigorish_is_not_collected_from_fewer_chips_than_are_owed() -> None:
    session = ready(1, chips_cents=10_000, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000))
    # All 200.00 go on Player and are lost, so that 4.99 is not enough and 5.00 is.
    wager(session, (1, "player", 20_000))
    play(session, BANKER_WINS)
    session.execute(acts.BuyChips(1, 499))
    refusal = refused(session, acts.CollectVigorish(1), "chips")
    assert "NJ-MINI:7.3(c)2#2" in refusal.clauses
    session.execute(acts.BuyChips(1, 1))
    session.execute(acts.CollectVigorish(1))
    assert session.state.seats[1].chips_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(c)2#1", "NJ-MINI:7.3(c)2#4")
def test_deferred_vigorish_is_collected_at_any_later_time_in_a_round_too() -> None:
    session = owing()
    session.execute(acts.CallNoMoreBets())
    session.execute(acts.CollectVigorish(1))
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(c)4")
def test_a_patron_who_leaves_in_a_round_has_the_vigorish_documented_there() -> None:
    session = owing()
    session.execute(acts.CallNoMoreBets())
    assert refused(session, acts.LeaveTable(1), "vigorish_outstanding").clauses == (
        "NJ-MINI:7.3(c)4",
    )
    assert acts.PrepareForm in {action.command for action in session.legal()}
    session.execute(form())
    session.execute(acts.LeaveTable(1))
    assert 1 not in session.state.present


# --- (c)2 and (c)4: before the reshuffle, and when the patron leaves ---------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)2#2", "NJ-MINI:7.3(c)4")
def test_the_cards_are_not_reshuffled_while_vigorish_is_outstanding() -> None:
    session = owing_at_end_of_shoe()
    assert due(session) == {acts.CollectVigorish, acts.PrepareForm}
    refusal = refused(session, acts.ShuffleCards(), "vigorish_outstanding")
    assert {"NJ-MINI:7.3(c)2#2", "NJ-MINI:7.3(c)4"} <= set(refusal.clauses)
    session.execute(acts.CollectVigorish(1))
    refused(session, acts.ShuffleCards(), "vigorish_outstanding")
    session.execute(form(seat=2))
    assert due(session) == {acts.ShuffleCards}
    session.execute(acts.ShuffleCards())


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_the_batches_are_not_exchanged_while_vigorish_is_outstanding() -> None:
    session = at(Phase.TO_CUT, device="shuffler", decks=16, vigorish__collection="deferred")
    load_short_shoe(session)
    banker_wins(session, (1, 10_000))
    play_out(session, PLAYER_WINS)
    refusal = refused(session, acts.ExchangeBatches(), "vigorish_outstanding")
    assert "NJ-MINI:7.3(c)2#2" in refusal.clauses
    assert acts.ExchangeBatches not in due(session)
    session.execute(acts.CollectVigorish(1))
    session.execute(acts.ExchangeBatches())


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
@pytest.mark.parametrize("at_end_of_shoe", [False, True])
def test_the_cards_are_not_gathered_at_an_idle_table_while_vigorish_is_outstanding(
    *, at_end_of_shoe: bool
) -> None:
    session = owing_at_end_of_shoe() if at_end_of_shoe else owing()
    idle = acts.DeclareIdle(face_up=True)
    refusal = refused(session, idle, "vigorish_outstanding")
    assert "NJ-MINI:7.3(c)2#2" in refusal.clauses
    assert acts.DeclareIdle not in {action.command for action in session.legal()}
    for seat, patron in session.state.seats.items():
        if patron.owed_cents:
            session.execute(acts.CollectVigorish(seat))
    session.execute(idle)


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_vigorish_may_be_collected_earlier_and_play_goes_on_meanwhile() -> None:
    session = owing()
    offered = {
        (action.command, action.seat, action.must)
        for action in session.legal()
        if action.command in {acts.CollectVigorish, acts.PrepareForm}
    }
    assert offered == {(acts.CollectVigorish, 1, False), (acts.PrepareForm, 1, False)}
    banker_wins(session, (2, 10_000))


@pytest.mark.clause("NJ-MINI:7.3(c)4")
def test_a_patron_does_not_leave_before_the_vigorish_is_collected_or_documented() -> None:
    session = owing()
    banker_wins(session, (2, 10_000))
    for seat in (1, 2):
        refusal = refused(session, acts.LeaveTable(seat), "vigorish_outstanding")
        assert "NJ-MINI:7.3(c)4" in refusal.clauses
    session.execute(form(seat=1))
    session.execute(acts.CollectVigorish(2))
    assert only(session.execute(acts.LeaveTable(1)), PatronLeft).chips_cents == 1_010_000
    assert only(session.execute(acts.LeaveTable(2)), PatronLeft).chips_cents == 1_009_500


@pytest.mark.clause("NJ-MINI:7.3(c)4")
def test_a_table_with_vigorish_outstanding_is_not_closed() -> None:
    session = owing()
    session.execute(acts.LeaveTable(2))
    refused(session, acts.CloseTable(), "patrons")
    session.execute(acts.CollectVigorish(1))
    assert acts.CloseTable not in {action.command for action in session.legal()}
    session.execute(acts.LeaveTable(1))
    assert acts.CloseTable in {action.command for action in session.legal()}
    session.execute(acts.CloseTable())
    assert session.state.phase is Phase.CLOSED


# --- (c)3: the table's win ----------------------------------------------------------------------


# A win of 100.00 is paid on Banker: the table has lost 100.00, and takes 5.00 of it back, in chips
# or on paper. 100.00 more are lost to the table after that.
@pytest.mark.clause("NJ-MINI:7.3(c)3")
@pytest.mark.parametrize("documented", [False, True])
def test_the_tables_win_is_the_same_whether_vigorish_was_collected_or_documented(
    *, documented: bool
) -> None:
    session = owing()
    assert session.ledger.table_win_cents == -10_000
    if documented:
        events = session.execute(form())
        assert "NJ-MINI:7.3(c)3" in only(events, VigorishDocumented).clauses
    else:
        session.execute(acts.CollectVigorish(1))
    assert session.ledger.table_win_cents == -9_500
    wager(session, (1, "banker", 10_000))
    play(session, PLAYER_WINS)
    assert session.ledger.table_win_cents == 500
    if documented:
        session.execute(acts.DropForm(101, "Bo", "Clark"))
    session.execute(acts.EndGamingDay("Clark"))
    session.execute(acts.LeaveTable(1))
    assert session.ledger.table_win_cents == 500
    assert session.ledger.in_balance


@pytest.mark.clause("NJ-MINI:7.3(c)3")
def test_vigorish_still_owed_is_no_win_yet() -> None:
    session = deferring(1)
    banker_wins(session, (1, 10_000))
    assert session.ledger.balance("owed:1") == 500
    assert session.ledger.table_win_cents == -10_000


# --- (d): vigorish on ties ---------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(d)#2")
def test_vigorish_on_a_tie_is_collected_with_the_round_and_before_the_next_card() -> None:
    session = ready(1, 2, vigorish__scheme="tie-25%")
    wager(session, (1, "banker", 10_000), (2, "player", 10_000))
    events = play(session, TIE)
    collected = only(events, VigorishCollected)
    assert (collected.seat, collected.cents, collected.deferred) == (1, 2_500, False)
    assert "NJ-MINI:7.3(d)#2" in collected.clauses
    assert not [event for event in events if isinstance(event, VigorishMarked)]
    assert session.state.seats[1].chips_cents == 1_000_000 - 2_500
    assert session.state.seats[2].chips_cents == 1_000_000
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(d)#2")
def test_the_wager_is_returned_before_its_vigorish_is_taken_so_that_it_can_always_be_paid() -> None:
    session = ready(1, chips_cents=10_000, vigorish__scheme="tie-25%")
    wager(session, (1, "banker", 10_000))
    events = play(session, TIE)
    kinds = [type(event) for event in events]
    assert kinds.index(StakesReleased) < kinds.index(VigorishCollected)
    assert session.state.seats[1].chips_cents == 7_500


@pytest.mark.clause("NJ-MINI:7.3(d)#2")
def test_no_card_is_dealt_between_a_tie_and_the_collection_of_its_vigorish() -> None:
    session = ready(1, vigorish__scheme="tie-25%")
    wager(session, (1, "banker", 10_000))
    deal(session, TIE)
    refused(session, acts.CallNoMoreBets(), "not_now")
    refused(session, acts.ClearLayout(), "not_now")
    assert due(session) == {acts.SettleWagers}
    only(session.execute(acts.SettleWagers()), VigorishCollected)
