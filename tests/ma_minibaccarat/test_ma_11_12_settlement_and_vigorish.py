"""Sections 11 and 12(a) to (d): the result, who is paid when, and vigorish at once or later."""

from __future__ import annotations

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    CollectVigorish,
    LayoutCleared,
    LeaveTable,
    LosingWagersCollected,
    PatronLeft,
    ResultAnnounced,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import (
    BANKER_6,
    CLOCKWISE,
    DRAGON_7,
    EZ,
    HELD,
    PANDA_8,
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    SHUFFLER,
    TIE_6,
    TIE_8,
    chips,
    clear,
    deal,
    errors_of,
    load_short_shoe,
    ma,
    moves,
    play,
    ready,
    settle,
)
from support.table import due, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

BANKER_WINS = PLAYER_8_BANKER_9
DEFERRED: dict[str, Any] = {"vigorish__collection": "deferred"}


# --- 11(a): what is announced ------------------------------------------------------------------


def announced(cards: str, **elections: Any) -> ResultAnnounced:
    session = ready(1, **elections)
    wager(session, (1, "tie", 100))
    return only(deal(session, cards), ResultAnnounced)


@pytest.mark.clause("MA-MINI:11(a)#1")
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (PLAYER_9_BANKER_8, "Player 9, Banker 8, Player wins"),
        (PLAYER_8_BANKER_9, "Player 8, Banker 9, Banker wins"),
        (BANKER_6, "Player 5, Banker 6, Banker wins"),
        (DRAGON_7, "Player 6, Banker 7, Banker wins"),
        (PANDA_8, "Player 8, Banker 7, Player wins"),
    ],
)
def test_the_final_counts_and_the_hand_that_won_are_announced(cards: str, words: str) -> None:
    result = announced(cards)
    assert (result.words, result.clauses) == (words, ma("11(a)#1"))


@pytest.mark.clause("MA-MINI:11(a)#2")
@pytest.mark.parametrize("elections", [{}, EZ])
@pytest.mark.parametrize(("cards", "count"), [(TIE_8, 8), (TIE_6, 6)])
def test_equal_counts_are_announced_as_a_tie_hand(
    cards: str, count: int, elections: dict[str, Any]
) -> None:
    result = announced(cards, **elections)
    assert result.words == f"Player {count}, Banker {count}, tie hand"
    assert result.clauses == ma("11(a)#1", "11(a)#2")


@pytest.mark.clause("MA-MINI:11(a)#3", 'MA-MINI:1_"Dragon_7"', 'MA-MINI:1_"Panda_8"')
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (DRAGON_7, "Player 6, Banker 7, Banker wins, Dragon 7"),
        (PANDA_8, "Player 8, Banker 7, Player wins, Panda 8"),
    ],
)
def test_at_an_ez_table_a_dragon_7_and_a_panda_8_are_announced(cards: str, words: str) -> None:
    result = announced(cards, **EZ)
    assert (result.words, result.clauses) == (words, ma("11(a)#1", "11(a)#3"))


@pytest.mark.clause("MA-MINI:11(a)#3", 'MA-MINI:1_"Dragon_7"', 'MA-MINI:1_"Panda_8"')
@pytest.mark.parametrize(
    "cards",
    [
        "2h 7d Kh Qs 3c",  # Banker seven with two cards.
        "2h 4d Kh Qs 5c 3c",  # Seven with three cards against seven.
        PLAYER_8_BANKER_9,  # Eight with two cards, and beaten.
        "2h 2d Kh Qs 6c 6c",  # Eight with three cards against eight.
    ],
)
def test_no_other_hand_is_called_so(cards: str) -> None:
    words = announced(cards, **EZ).words
    assert "Dragon" not in words
    assert "Panda" not in words


# --- 11(b): collection and payment -------------------------------------------------------------

FIVE = (
    *((seat, "banker", 2_000 * seat) for seat in (1, 3, 5)),
    (2, "player", 700),
    (5, "tie", 500),
    (3, "tie", 300),
)


@pytest.mark.clause("MA-MINI:11(b)#1", "MA-MINI:11(b)#2", "MA-MINI:12(d)(1)")
@pytest.mark.parametrize("layout", [TableLayout(seats=7), CLOCKWISE])
def test_losers_are_collected_first_then_seat_by_seat_from_the_highest_vigorish_and_payment(
    layout: TableLayout,
) -> None:
    session = ready(1, 2, 3, 5, layout=layout)
    # The order goes by the number of the position, whichever way the numbers run.
    assert [one for one in moves(settle(session, BANKER_WINS, *FIVE)) if one[0] != "release"] == [
        ("collect", 5, "tie", 500), ("collect", 3, "tie", 300), ("collect", 2, "player", 700),
        ("vigorish", 5, "banker", 500), ("pay", 5, "banker", 10_000),
        ("vigorish", 3, "banker", 300), ("pay", 3, "banker", 6_000),
        ("vigorish", 1, "banker", 100), ("pay", 1, "banker", 2_000),
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:11(b)#2", "MA-MINI:12(d)(2)(ii)")
def test_deferred_vigorish_is_marked_in_the_same_walk_before_each_payment() -> None:
    session = ready(1, 2, 3, 5, **DEFERRED)
    walked = [one for one in moves(settle(session, BANKER_WINS, *FIVE)) if one[1] in {5, 3, 1}]
    assert [one for one in walked if one[0] in {"mark", "pay"}] == [
        ("mark", 5, "banker", 500), ("pay", 5, "banker", 10_000),
        ("mark", 3, "banker", 300), ("pay", 3, "banker", 6_000),
        ("mark", 1, "banker", 100), ("pay", 1, "banker", 2_000),
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:11(b)#1", "MA-MINI:11(b)#2")
def test_collection_and_payment_name_their_sentences() -> None:
    session = ready(1)
    events = settle(session, BANKER_WINS, (1, "banker", 2_000), (1, "tie", 500))
    assert only(events, LosingWagersCollected).clauses == ma("11(b)#1", "7(a)(3)(ii)")
    assert only(events, WagerPaid).clauses == ma("11(b)#2", "7(a)(1)(i)", "12(c)#1")


@pytest.mark.clause("MA-MINI:11(b)#2")
def test_the_licensee_elects_no_other_order() -> None:
    errors = errors_of(settlement__order="payments-first")
    assert errors == {("settlement.order", ma("11(b)#2"))}


@pytest.mark.clause("MA-MINI:11(b)#2", 'MA-MINI:1_"EZ_Baccarat"', "MA-MINI:12(c)#2")
def test_at_an_ez_table_winners_are_paid_in_that_order_and_no_vigorish_is_taken() -> None:
    session = ready(1, 2, 3, 5, **EZ)
    events = settle(session, BANKER_WINS, *FIVE)
    assert [one for one in moves(events) if one[0] not in {"release", "collect"}] == [
        ("pay", 5, "banker", 10_000), ("pay", 3, "banker", 6_000), ("pay", 1, "banker", 2_000),
    ]  # fmt: skip
    paid = next(one for one in events if isinstance(one, WagerPaid))
    assert paid.clauses == ma("11(b)#2", "12(c)#2", "7(a)(1)(i)", "12(c)#1")


@pytest.mark.clause("MA-MINI:7(a)(1)(iii)", 'MA-MINI:1_"EZ_Baccarat"')
def test_at_an_ez_table_a_dragon_7_gives_banker_wagers_back_and_pays_nothing_on_them() -> None:
    session = ready(1, **EZ)
    events = settle(session, DRAGON_7, (1, "banker", 2_000))
    released = only(events, StakesReleased)
    assert [(one.outcome, one.cents) for one in released.stakes] == [("push", 2_000)]
    assert released.clauses == ma("7(a)(1)(iii)", '1_"Dragon_7"')
    assert chips(session, 1) == HELD


@pytest.mark.clause("MA-MINI:11(c)")
def test_the_cards_go_to_the_discard_rack_so_that_each_hand_can_be_shown_again() -> None:
    session = ready(1)
    settle(session, "2h 3d Kh Qs 4c 5d", (1, "tie", 100))
    refused(session, acts.CallNoMoreBets(), "not_now")
    cleared = only(clear(session), LayoutCleared)
    assert " ".join(map(str, cleared.player)) == "2h Kh 4c"
    assert " ".join(map(str, cleared.banker)) == "3d Qs 5d"
    assert cleared.clauses == ma("11(c)")
    assert session.rules.value("discard.place", str) == "discard rack"


# --- 12(c): the rate, and its rounding ---------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(c)#2")
@pytest.mark.parametrize(("stake", "vigorish"), [(20, 1), (700, 35), (2_500, 125), (10_020, 501)])
def test_vigorish_is_five_percent_of_what_a_banker_wager_won(stake: int, vigorish: int) -> None:
    session = ready(1)
    taken = only(settle(session, BANKER_WINS, (1, "banker", stake)), VigorishCollected)
    assert (taken.cents, taken.deferred) == (vigorish, False)
    assert chips(session, 1) == HELD + stake - vigorish


@pytest.mark.clause("MA-MINI:12(c)#2", "MA-MINI:12(c)#3", "MA-MINI:12(d)(1)")
@pytest.mark.parametrize("rounded", [False, True])
def test_vigorish_names_its_rate_its_rounding_and_when_it_is_collected(*, rounded: bool) -> None:
    session = ready(1, vigorish__rounded=rounded)
    taken = only(settle(session, BANKER_WINS, (1, "banker", 10_000)), VigorishCollected)
    rounding = ("12(c)#3",) if rounded else ()
    assert taken.clauses == ma("11(b)#2", "12(c)#2", *rounding, "12(d)", "12(d)(1)")


@pytest.mark.clause("MA-MINI:12(c)#3")
@pytest.mark.parametrize(
    ("stake", "vigorish"),
    [
        (700, 50),  # Thirty-five cents.
        (500, 25),  # Twenty-five already.
        (525, 50),  # Twenty-six and a quarter cents.
        (100, 25),  # Five cents: up, though it is nearer to nothing.
        (25, 25),
        (1_000, 50),
        (10_025, 525),  # Five dollars and one and a quarter cents.
    ],
)
def test_rounded_vigorish_goes_up_to_the_next_quarter_and_never_to_the_nearest(
    stake: int, vigorish: int
) -> None:
    session = ready(1, vigorish__rounded=True)
    taken = only(settle(session, BANKER_WINS, (1, "banker", stake)), VigorishCollected)
    assert taken.cents == vigorish


@pytest.mark.clause("MA-MINI:12(c)#3")
def test_each_wager_is_rounded_by_itself_and_not_their_sum() -> None:
    session = ready(1, 2, vigorish__rounded=True)
    events = settle(session, BANKER_WINS, (1, "banker", 700), (2, "banker", 700))
    assert [one.cents for one in events if isinstance(one, VigorishCollected)] == [50, 50]


@pytest.mark.clause("MA-MINI:12(c)#2", 'MA-MINI:1_"EZ_Baccarat"')
def test_there_is_one_rate_and_an_ez_table_has_none_to_round_or_to_defer() -> None:
    sections = ma("12(c)#2", '1_"EZ_Baccarat"')
    assert errors_of(vigorish__scheme="4%") == {("vigorish.scheme", sections)}
    assert errors_of(**EZ, vigorish__rounded=True) == {("vigorish.rounded", ma("12(c)#3"))}
    deferred = errors_of(**EZ, vigorish__collection="deferred")
    assert deferred == {("vigorish.collection", ma("12(d)", "12(d)(1)", "12(d)(2)(i)"))}


@pytest.mark.clause("MA-MINI:12(a)", "MA-MINI:12(b)", "MA-MINI:12(c)#2")
@pytest.mark.parametrize("cards", [PLAYER_9_BANKER_8, TIE_8])
def test_no_vigorish_is_taken_of_any_other_wager_nor_of_a_banker_wager_that_did_not_win(
    cards: str,
) -> None:
    session = ready(1)
    events = settle(session, cards, (1, "player", 1_000), (1, "banker", 1_000), (1, "tie", 1_000))
    assert not {"vigorish", "mark"} & {one[0] for one in moves(events)}


# --- 12(d): at once, or later ------------------------------------------------------------------


def owing(**elections: Any) -> TableSession:
    """Seat 1 owes five dollars of vigorish, seat 2 nothing."""
    session = ready(1, 2, **DEFERRED, **elections)
    play(session, BANKER_WINS, (1, "banker", 10_000))
    return session


@pytest.mark.clause("MA-MINI:12(d)")
def test_the_licensee_selects_one_of_the_two_procedures() -> None:
    errors = errors_of(vigorish__collection="monthly")
    assert errors == {("vigorish.collection", ma("12(d)", "12(d)(1)", "12(d)(2)(i)"))}


@pytest.mark.clause("MA-MINI:12(d)(2)(ii)", "MA-MINI:12(d)")
def test_deferred_vigorish_is_tracked_by_a_marker_with_its_amount_in_the_space_of_the_seat() -> (
    None
):
    session = ready(1, 2, **DEFERRED)
    first = only(settle(session, BANKER_WINS, (1, "banker", 10_000)), VigorishMarked)
    assert (first.seat, first.cents, first.owed_cents) == (1, 500, 500)
    assert first.clauses == ma("11(b)#2", "12(c)#2", "12(d)", "12(d)(2)(i)", "12(d)(2)(ii)")
    # He has his winnings whole.
    assert chips(session, 1) == HELD + 10_000
    clear(session)
    second = only(settle(session, BANKER_WINS, (1, "banker", 6_000)), VigorishMarked)
    assert (second.cents, second.owed_cents) == (300, 800)
    assert session.ledger.balance("owed:1") == 800
    assert session.state.seats[2].owed_cents == 0


@pytest.mark.clause("MA-MINI:12(d)(2)(iii)")
def test_the_marker_stays_until_the_vigorish_is_collected() -> None:
    session = owing()
    play(session, PLAYER_9_BANKER_8, (1, "player", 1_000))
    assert session.state.seats[1].owed_cents == 500
    before = chips(session, 1)
    collected = only(session.execute(CollectVigorish(1)), VigorishCollected)
    assert (collected.cents, collected.deferred) == (500, True)
    assert collected.clauses == ma("12(d)(2)(i)", "12(d)(2)(iii)")
    assert (chips(session, 1), session.ledger.balance("owed:1")) == (before - 500, 0)
    refused(session, CollectVigorish(1), "nothing_owed")


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_it_is_collected_when_the_player_leaves_the_table() -> None:
    session = owing()
    assert refused(session, LeaveTable(1), "vigorish_outstanding").clauses == ma("12(d)(2)(i)")
    session.execute(LeaveTable(2))
    session.execute(CollectVigorish(1))
    assert only(session.execute(LeaveTable(1)), PatronLeft).chips_cents == HELD + 10_000 - 500


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
@pytest.mark.parametrize("cents", [500, 1_500])
def test_the_smallest_debt_holds_a_leaving_player_back(cents: int) -> None:
    # Five percent of five dollars is 25 cents, of fifteen 75: each is less than a dollar.
    session = ready(1, vigorish__collection="deferred", vigorish__rounded=True)
    play(session, "2h 3h 4d 4s", (1, "banker", cents))
    assert 0 < session.state.seats[1].owed_cents < 100
    assert refused(session, LeaveTable(1), "vigorish_outstanding").clauses == ma("12(d)(2)(i)")


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_it_is_collected_before_the_cards_are_reshuffled() -> None:
    session = owing()
    session.execute(acts.DirectShuffle("Flo"))
    assert due(session) == {CollectVigorish}
    for command in (acts.ShuffleCards(), acts.PerformShuffleStep("plug")):
        answer = refused(session, command, "vigorish_outstanding")
        assert answer.clauses == ma("12(d)(2)(i)")
    idle = acts.DeclareIdle(face_up=False)
    assert refused(session, idle, "vigorish_outstanding").clauses == ma("12(d)(2)(i)")
    session.execute(CollectVigorish(1))
    assert due(session) == {acts.PerformShuffleStep}


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_it_is_collected_before_a_batch_goes_into_the_shuffler() -> None:
    session = owing(**SHUFFLER)
    session.execute(acts.DirectShuffle("Flo"))
    answer = refused(session, acts.ExchangeBatches(), "vigorish_outstanding")
    assert answer.clauses == ma("12(d)(2)(i)")


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_the_end_of_a_shoe_asks_for_it_of_everybody_who_owes() -> None:
    session = ready(1, 2, 3, **DEFERRED)
    session.execute(acts.DirectShuffle("Flo"))
    load_short_shoe(session)
    for _ in range(3):
        play(session, BANKER_WINS, (1, "banker", 1_000), (3, "banker", 2_000))
    asked = [one.seat for one in session.legal() if one.must]
    assert asked == [1, 3]
    for seat in asked:
        session.execute(CollectVigorish(seat or 0))
    advance(session, Phase.BETTING)


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_chips_that_do_not_cover_it_are_bought_as_there_is_no_form_in_this_text() -> None:
    session = ready(1, chips_cents=1_000, **DEFERRED)
    play(session, BANKER_WINS, (1, "banker", 1_000))
    play(session, PLAYER_9_BANKER_8, (1, "tie", 2_000))
    answer = refused(session, CollectVigorish(1), "chips")
    assert (answer.clauses, "have the patron buy chips" in answer.message) == (
        ma("12(d)(2)(i)"),
        True,
    )
    assert "document" not in answer.message
    session.execute(acts.BuyChips(1, 50))
    session.execute(CollectVigorish(1))


@pytest.mark.clause("MA-MINI:12(d)(2)(i)", "MA-MINI:12(d)(2)(iii)")
def test_no_form_takes_the_place_of_collection() -> None:
    session = owing()
    for command in (
        acts.ReceiveForms("Clark", 101, 103),
        acts.PrepareForm(101, 1, "Clark", "Dana", "Bo", patron_signed=True),
        acts.VoidForm(101, "Clark", "Bo"),
        acts.EndGamingDay("Clark"),
        acts.CompareForms(()),
    ):
        refused(session, command, "no_such_procedure")
    listed = {one.command for one in session.legal()}
    assert acts.PrepareForm not in listed
    assert session.state.seats[1].owed_cents == 500
