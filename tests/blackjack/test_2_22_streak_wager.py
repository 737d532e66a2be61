"""N.J.A.C. 19:47-2.22: the streak wager, clause by clause."""

from itertools import product
from typing import Any

import pytest

from croupier.blackjack import streak
from croupier.blackjack.acts import (
    BlackjackPatronLeft,
    BlackjackWagerReturned,
    BlackjackWagersCollected,
    BlackjackWagersPaid,
    CardsCollected,
    DealFirstCard,
    FirstCardDealt,
    LammerMoved,
    LeaveBlackjackTable,
    PayBonus,
    PlaceBlackjackWager,
    PlaceStreakWagers,
    SettleRound,
    StreakAdvanced,
    StreakHeld,
    StreakPaid,
    StreakWagersCollected,
    StreakWagersReturned,
    WagerEvent,
    WithdrawBlackjackWager,
    WithdrawStreakWagers,
)
from croupier.blackjack.streak import SeatStreak
from croupier.law.cite import Refusal
from croupier.law.elect import SubmissionError
from croupier.law.values import Odds
from croupier.rules import TableLayout
from support.cases import each
from support.streaks import HANDS, StreakTable, outcome, rules_of, seat_one

pytestmark = pytest.mark.under("us-nj/blackjack-wagers@2001-01-16")

P = "NJ-OLD:19:47-2.22"


def kinds(events: tuple[WagerEvent, ...]) -> list[type[WagerEvent]]:
    return [type(event) for event in events]


def of_seat(events: tuple[WagerEvent, ...]) -> list[WagerEvent]:
    """The events of streak wagers alone: without blackjack wagers and cards."""
    others = (BlackjackWagersCollected, BlackjackWagersPaid, CardsCollected)
    return [event for event in events if not isinstance(event, others)]


def only(events: tuple[WagerEvent, ...], kind: type[Any]) -> Any:
    (event,) = (event for event in events if isinstance(event, kind))
    return event


# --- (a) and (l): what is offered ------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(a)#1")
def test_a_streak_wager_is_on_two_three_four_or_five_hands_in_a_row() -> None:
    table = StreakTable()
    for seat, length in enumerate((2, 3, 4, 5), start=1):
        table.bet(seat)
        table.execute(PlaceStreakWagers(seat, {length: 500}))
    assert [list(one.stakes) for one in table.state.seats.values()] == [[2], [3], [4], [5]]
    table.bet(6)
    for length in (0, 1, 6):
        refusal = table.refused(PlaceStreakWagers(6, {length: 500}), "no_such_streak")
        assert refusal.clauses == (f"{P}(a)#1",)


@pytest.mark.clause("NJ-OLD:19:47-2.22(a)#1")
def test_a_licensee_who_does_not_offer_it_takes_none() -> None:
    table = StreakTable(rules_of(streak__offered=False))
    refusal = table.refused(PlaceStreakWagers(1, {2: 500}), "not_offered")
    assert refusal.clauses == (f"{P}(a)#1",)


def test_the_bonus_wager_has_no_place_in_this_machine() -> None:
    with pytest.raises(TypeError, match="PayBonus is not a command of the streak wager"):
        StreakTable().execute(PayBonus(1))


@pytest.mark.clause("NJ-OLD:19:47-2.22(l)")
@pytest.mark.parametrize(
    ("elections", "clauses"),
    [
        ({"other__multiple_action": True}, (f"{P}(l)",)),
        ({"other__progressive": True}, (f"{P}(l)",)),
        ({"blackjack_bonus__offered": True}, ("NJ-OLD:19:47-2.20(l)", f"{P}(l)")),
    ],
)
def test_the_streak_wager_is_offered_beside_no_other_such_wager(
    elections: dict[str, Any], clauses: tuple[str, ...]
) -> None:
    with pytest.raises(SubmissionError) as refused:
        rules_of(streak__offered=True, **elections)
    (detail,) = refused.value.errors
    assert detail.clauses == clauses


# --- (b) and (k): placing --------------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(b)")
def test_a_streak_wager_is_placed_before_the_first_card_of_a_round() -> None:
    table = StreakTable()
    table.bet(1, 2)
    table.execute(PlaceStreakWagers(1, {3: 500}))
    table.execute(DealFirstCard())
    for stakes in ({3: 500}, {}):
        refusal = table.refused(PlaceStreakWagers(2, stakes), "first_card")
        assert refusal.clauses == (f"{P}(b)",)


@pytest.mark.clause("NJ-OLD:19:47-2.22(b)")
def test_a_streak_wager_stands_only_beside_a_blackjack_wager() -> None:
    table = StreakTable()
    table.bet(1)
    refusal = table.refused(PlaceStreakWagers(2, {3: 500}), "needs_blackjack_wager")
    assert refusal.clauses == (f"{P}(b)",)
    table.bet(2)
    assert table.execute(PlaceStreakWagers(2, {3: 500}))[0].clauses == (f"{P}(b)",)


@pytest.mark.clause("NJ-OLD:19:47-2.22(b)")
def test_a_blackjack_wager_of_the_round_before_is_none_on_this_one() -> None:
    table = StreakTable()
    table.round(s1="W")
    table.refused(PlaceStreakWagers(1, {3: 500}), "needs_blackjack_wager")


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)")
def test_several_streak_wagers_may_be_made_at_once() -> None:
    table = StreakTable()
    table.bet(1)
    (placed,) = table.execute(PlaceStreakWagers(1, {5: 100, 2: 500, 3: 200, 4: 300}))
    assert table.state.seats[1].stakes == {2: 500, 3: 200, 4: 300, 5: 100}
    assert placed.clauses == (f"{P}(b)", f"{P}(k)", f"{P}(k)1")


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)1")
def test_several_streak_wagers_are_placed_together() -> None:
    table, _ = seat_one({3: 500}, "W")
    table.bet(1)
    refusal = table.refused(PlaceStreakWagers(1, {4: 500}), "undecided")
    # Of one that was made alone the clause on several says nothing.
    assert refusal.clauses == (f"{P}(k)1",)


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)1")
def test_several_streak_wagers_are_placed_before_any_card() -> None:
    table = StreakTable()
    table.bet(1)
    table.execute(DealFirstCard())
    refusal = table.refused(PlaceStreakWagers(1, {2: 500, 3: 500}), "first_card")
    assert refusal.clauses == (f"{P}(b)", f"{P}(k)1")


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)2")
def test_no_streak_wager_is_added_until_all_are_decided() -> None:
    table = StreakTable()
    table.bet(1, 2, s1={2: 500, 3: 500}, s2={3: 500, 4: 500})
    for hands in ("W", "W"):
        table.deal(s1=hands, s2="P")
        table.bet(1, 2)
        refusal = table.refused(PlaceStreakWagers(1, {4: 500}), "undecided")
        # Two were made: none is added until both are decided, also when one is left.
        assert refusal.clauses == (f"{P}(k)1", f"{P}(k)2")
    table.deal(s1="W", s2="W")
    table.bet(1, 2, s1={4: 500})
    assert table.state.seats[1] == SeatStreak({4: 500})
    table.deal(s1="P", s2="P")
    table.bet(1, 2)
    # What seat 1 made now is a single wager, and seat 2 still has two.
    for seat, clauses in ((1, (f"{P}(k)1",)), (2, (f"{P}(k)1", f"{P}(k)2"))):
        refusal = table.refused(PlaceStreakWagers(seat, {5: 500}), "undecided")
        assert refusal.clauses == clauses
    assert "on 3 and 4 that" in refusal.message


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)2")
@pytest.mark.parametrize("last", ["L", "U", "LL"])
def test_a_lost_streak_wager_is_decided_and_another_may_follow(last: str) -> None:
    table, _ = seat_one({2: 500, 5: 500}, "W", last)
    table.bet(1, s1={5: 100})
    assert table.state.seats[1] == SeatStreak({5: 100})


@pytest.mark.clause("NJ-OLD:19:47-2.22(b)", "NJ-OLD:19:47-2.22(k)1")
def test_before_the_first_card_streak_wagers_are_placed_anew_or_taken_back() -> None:
    table = StreakTable()
    table.bet(1, s1={2: 500, 3: 500})
    back, _ = table.execute(PlaceStreakWagers(1, {4: 700}))
    assert back == StreakWagersReturned(1, {2: 500, 3: 500}, clauses=())
    assert table.state.seats == {1: SeatStreak({4: 700})}
    assert table.execute(WithdrawStreakWagers(1)) == (
        StreakWagersReturned(1, {4: 700}, clauses=()),
    )
    assert (table.state.seats, table.state.in_play_cents) == ({}, 0)
    assert table.refused(WithdrawStreakWagers(1), "no_wager").clauses == ()
    # The smallest wager, and another patron's.
    table.execute(PlaceStreakWagers(1, {2: 1}))
    table.bet(2, s2={2: 500})
    table.execute(WithdrawStreakWagers(1))
    table.execute(PlaceStreakWagers(1, {2: 500}))
    table.execute(DealFirstCard())
    assert table.refused(WithdrawStreakWagers(1), "no_wager").clauses == (f"{P}(f)",)
    table.refused(WithdrawBlackjackWager(1), "not_now")


def test_a_blackjack_wager_that_is_taken_back_takes_those_placed_with_it_along() -> None:
    table = StreakTable()
    table.bet(1, 2, s1={2: 500})
    events = table.execute(WithdrawBlackjackWager(1))
    assert kinds(events) == [StreakWagersReturned, BlackjackWagerReturned]
    assert table.state.blackjack == {2}
    assert table.state.seats == {}
    table.refused(WithdrawBlackjackWager(1), "no_wager")


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_whoever_leaves_before_any_card_has_all_wagers_back() -> None:
    table = StreakTable()
    table.bet(1, 2, s1={2: 500})
    events = table.execute(LeaveBlackjackTable(1))
    assert kinds(events) == [StreakWagersReturned, BlackjackWagerReturned, BlackjackPatronLeft]
    assert events[-1].clauses == ()
    assert table.state.blackjack == {2}
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_a_streak_wager_of_an_earlier_round_is_not_taken_back() -> None:
    table, _ = seat_one({3: 300}, "W")
    table.bet(1)
    assert table.refused(WithdrawStreakWagers(1), "no_wager").clauses == (f"{P}(f)",)
    assert kinds(table.execute(WithdrawBlackjackWager(1))) == [BlackjackWagerReturned]
    assert table.state.seats[1].stakes == {3: 300}


def test_one_refused_streak_wager_leaves_out_all_that_were_placed_with_it() -> None:
    table = StreakTable()
    table.bet(1)
    for stakes in ({2: 500, 6: 500}, {2: 500, 3: 0}, {2: 500, 3: -500}, {2: True}, {2: 1.5}, {}):
        answer = streak.decide(table.state, PlaceStreakWagers(1, stakes), table.rules)  # type: ignore[arg-type]
        assert isinstance(answer, Refusal)
        assert answer.code in {"amount", "no_such_streak"}


@pytest.mark.parametrize(
    "command", [PlaceBlackjackWager(8), PlaceStreakWagers(0, {2: 500}), LeaveBlackjackTable(8)]
)
def test_there_are_no_wagers_on_a_seat_that_the_layout_has_not(command: object) -> None:
    StreakTable().refused(command, "no_such_seat")


def test_a_round_goes_from_the_wagers_to_the_cards_and_then_to_the_settlement() -> None:
    table = StreakTable()
    table.refused(DealFirstCard(), "no_wagers")
    table.refused(SettleRound(outcome(s1="W")), "not_now")
    table.bet(1)
    table.refused(PlaceBlackjackWager(1), "twice")
    table.execute(DealFirstCard())
    table.refused(DealFirstCard(), "not_now")
    table.refused(PlaceBlackjackWager(2), "not_now")
    for told in (
        outcome(),
        outcome(s2="W"),
        outcome(s1="W", s2="W"),
        outcome(s1=""),
        outcome(natural=True, s1="W"),
    ):
        table.refused(SettleRound(told), "outcomes")
    table.execute(SettleRound(outcome(s1="W")))
    assert (table.state.round, table.state.dealing, table.state.blackjack) == (
        1,
        False,
        frozenset(),
    )


# --- (c): the way round the table ------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(c)#1")
@pytest.mark.parametrize(
    ("numbering", "seats"), [("counterclockwise", [1, 2, 4, 7]), ("clockwise", [7, 4, 2, 1])]
)
def test_losers_are_collected_from_the_dealers_right_on_counterclockwise(
    numbering: str, seats: list[int]
) -> None:
    # Seen from above the dealer's right is where the seats begin counterclockwise.
    table = StreakTable(rules_of(TableLayout(seats=7, numbering=numbering)))
    for seat in (4, 1, 7, 2):
        table.bet(seat)
        table.execute(PlaceStreakWagers(seat, {2: 100 * seat}))
    events = table.deal(s2="L", s7="L", s1="L", s4="L")
    collected = [event for event in events if isinstance(event, StreakWagersCollected)]
    assert [event.seat for event in collected] == seats
    assert [event.seat for event in events if isinstance(event, BlackjackWagersCollected)] == seats
    assert all(event.stakes == {2: 100 * event.seat} for event in collected)
    assert all(f"{P}(c)#1" in event.clauses for event in collected)


@pytest.mark.clause("NJ-OLD:19:47-2.22(c)#1", "NJ-OLD:19:47-2.22(c)#2")
def test_all_losers_are_collected_before_anybody_is_paid_and_the_cards_go_last() -> None:
    table = StreakTable()
    for seat in (1, 2, 3):
        table.bet(seat)
        table.execute(PlaceStreakWagers(seat, {2: 500}))
    table.deal(s1="W", s2="W", s3="W")
    events = table.round(s1="W", s2="L", s3="W")
    collect, pay, lose = (f"{P}(c)#1",), (f"{P}(c)#2",), (f"{P}(c)#1", f"{P}(e)")
    win = (*pay, f"{P}(d)1", f"{P}(j)#1")
    assert events == (
        BlackjackWagersCollected(2, 1, clauses=collect),
        StreakWagersCollected(2, {2: 500}, "lost", clauses=lose),
        LammerMoved(2, 2, None, clauses=lose),
        BlackjackWagersPaid(1, 1, clauses=pay),
        StreakAdvanced(1, 2, clauses=(f"{P}(d)1",)),
        StreakPaid(1, 2, 500, Odds(3, 1), 1500, clauses=win),
        LammerMoved(1, 2, None, clauses=pay),
        BlackjackWagersPaid(3, 1, clauses=pay),
        StreakAdvanced(3, 2, clauses=(f"{P}(d)1",)),
        StreakPaid(3, 2, 500, Odds(3, 1), 1500, clauses=win),
        LammerMoved(3, 2, None, clauses=pay),
        CardsCollected(clauses=pay),
    )


@pytest.mark.clause("NJ-OLD:19:47-2.22(c)#2")
def test_a_single_streak_wager_is_paid_and_then_the_lammer_is_seen_to() -> None:
    # T24: (c) pays and then places; (k)3 is about several wagers.
    _, events = seat_one({2: 500}, "W", "W")
    assert kinds(tuple(of_seat(events))) == [StreakAdvanced, StreakPaid, LammerMoved]


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)3")
def test_with_several_streak_wagers_in_play_the_lammer_moves_before_one_is_paid() -> None:
    _, events = seat_one({2: 500, 3: 500}, "W", "W")
    pay, first = f"{P}(c)#2", f"{P}(k)3"
    assert of_seat(events) == [
        StreakAdvanced(1, 2, clauses=(f"{P}(d)1", f"{P}(d)2")),
        LammerMoved(1, 2, 3, clauses=(pay, f"{P}(d)2", first)),
        StreakPaid(1, 2, 500, Odds(3, 1), 1500, clauses=(pay, f"{P}(d)1", f"{P}(j)#1", first)),
    ]


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)3")
def test_the_last_of_several_streak_wagers_is_a_single_one_again() -> None:
    _, events = seat_one({2: 500, 3: 500}, "W", "W", "W")
    assert kinds(tuple(of_seat(events))) == [StreakAdvanced, StreakPaid, LammerMoved]
    assert only(events, StreakAdvanced).clauses == (f"{P}(d)2",)
    assert only(events, LammerMoved) == LammerMoved(1, 3, None, clauses=(f"{P}(c)#2",))
    assert f"{P}(k)3" not in only(events, StreakPaid).clauses


def test_the_wagers_of_split_hands_are_collected_and_paid_each_for_itself() -> None:
    table = StreakTable()
    events = table.round(s1="WLLP")
    assert only(events, BlackjackWagersCollected).hands == 2
    assert only(events, BlackjackWagersPaid).hands == 1


# --- (d): the lammer, and winning -------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(d)")
@pytest.mark.parametrize("stakes", [{2: 500}, {3: 500}, {4: 500}, {5: 500}, {2: 100, 5: 100}])
def test_after_the_first_hand_won_the_lammer_lies_on_area_two(stakes: dict[int, int]) -> None:
    table, events = seat_one(stakes, "W")
    moved = only(events, LammerMoved)
    assert (moved.from_area, moved.to_area) == (None, 2)
    assert moved.clauses == (f"{P}(c)#2", f"{P}(d)")
    assert only(events, StreakAdvanced).clauses == (f"{P}(d)",)
    assert table.state.seats[1].lammer == 2
    assert table.state.seats[1].stakes == stakes


@pytest.mark.clause("NJ-OLD:19:47-2.22(d)")
@pytest.mark.parametrize("first", ["P", "WL", "PP"])
def test_there_is_no_lammer_before_a_hand_has_been_won(first: str) -> None:
    table, events = seat_one({3: 500}, first)
    assert table.state.seats[1] == SeatStreak({3: 500})
    assert LammerMoved not in kinds(events)


@pytest.mark.parametrize(
    ("length", "areas"),
    [
        pytest.param(2, [2], marks=pytest.mark.clause("NJ-OLD:19:47-2.22(d)1")),
        pytest.param(3, [2, 3], marks=pytest.mark.clause("NJ-OLD:19:47-2.22(d)2")),
        pytest.param(4, [2, 3, 4], marks=pytest.mark.clause("NJ-OLD:19:47-2.22(d)3")),
        pytest.param(5, [2, 3, 4, 5], marks=pytest.mark.clause("NJ-OLD:19:47-2.22(d)4")),
    ],
)
def test_the_lammer_goes_up_to_the_area_of_the_wager_which_wins_with_its_last_hand(
    length: int, areas: list[int]
) -> None:
    table = StreakTable()
    table.bet(1, s1={length: 500})
    seen = []
    for _ in range(length - 1):
        events = table.deal(s1="W")
        assert StreakPaid not in kinds(events)
        seen.append(table.state.seats[1].lammer)
        table.bet(1)
    assert seen == areas
    paid = only(events := table.deal(s1="W"), StreakPaid)
    assert (paid.length, paid.stake_cents) == (length, 500)
    assert f"{P}(d){length - 1}" in paid.clauses
    # The blackjack wager wins with it, and nothing stays behind.
    assert only(events, BlackjackWagersPaid).hands == 1
    assert only(events, LammerMoved).to_area is None
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(d)2", "NJ-OLD:19:47-2.22(d)3", "NJ-OLD:19:47-2.22(d)4")
def test_the_lammer_moves_by_the_clauses_of_the_wagers_that_want_another_hand() -> None:
    table = StreakTable()
    table.bet(1, s1={3: 500, 5: 500})
    table.deal(s1="W")
    to_three = only(table.round(s1="W"), LammerMoved)
    assert (to_three.from_area, to_three.to_area) == (2, 3)
    assert to_three.clauses == (f"{P}(c)#2", f"{P}(d)2", f"{P}(d)4")
    # The wager on three is paid; the lammer goes on to four, where no wager lies.
    to_four = only(table.round(s1="W"), LammerMoved)
    assert (to_four.from_area, to_four.to_area) == (3, 4)
    assert to_four.clauses == (f"{P}(c)#2", f"{P}(d)4", f"{P}(k)3")


@pytest.mark.clause("NJ-OLD:19:47-2.22(d)1", "NJ-OLD:19:47-2.22(d)2")
def test_each_of_several_streak_wagers_is_paid_with_its_own_last_hand() -> None:
    table = StreakTable()
    table.bet(1, s1={2: 100, 3: 200, 5: 300})
    rounds = [table.deal(s1="W"), *(table.round(s1="W") for _ in range(4))]
    won = [
        [(one.length, one.cents) for one in events if isinstance(one, StreakPaid)]
        for events in rounds
    ]
    assert won == [[], [(2, 300)], [(3, 1400)], [], [(5, 11_100)]]


# --- (e), (f), (g), (h): what a round does to a streak ----------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(e)")
@pytest.mark.parametrize("before", [[], ["W"], ["W", "P"], ["P"], ["W", "W"]])
def test_a_lost_hand_loses_every_streak_wager_in_play(before: list[str]) -> None:
    table, events = seat_one({3: 300, 5: 500}, *before, "L")
    lost = only(events, StreakWagersCollected)
    assert (lost.stakes, lost.ground) == ({3: 300, 5: 500}, "lost")
    assert lost.clauses == (f"{P}(c)#1", f"{P}(e)")
    # The blackjack wager is collected with it.
    assert only(events, BlackjackWagersCollected).hands == 1
    assert (LammerMoved in kinds(events)) == ("W" in before)
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(e)")
def test_a_streak_wager_that_has_been_paid_is_not_lost_afterwards() -> None:
    _, events = seat_one({2: 100, 3: 300}, "W", "W", "L")
    assert only(events, StreakWagersCollected).stakes == {3: 300}


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
@pytest.mark.parametrize("hands", ["U", "WU", "UU", "WWU"])
def test_a_hand_that_is_not_finished_abandons_the_streak(hands: str) -> None:
    table, events = seat_one({3: 300}, "W", hands)
    lost = only(events, StreakWagersCollected)
    assert (lost.stakes, lost.ground) == ({3: 300}, "abandoned")
    assert lost.clauses == (f"{P}(c)#1", f"{P}(f)")
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_a_round_without_a_hand_abandons_the_streak() -> None:
    table, _ = seat_one({3: 300}, "W")
    events = table.round(s2="W")
    lost = only(events, StreakWagersCollected)
    assert (lost.seat, lost.ground, lost.clauses[-1]) == (1, "abandoned", f"{P}(f)")
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_whoever_leaves_between_rounds_abandons_his_streak() -> None:
    table, _ = seat_one({3: 300, 4: 400}, "W")
    events = table.execute(LeaveBlackjackTable(1))
    assert kinds(events) == [StreakWagersCollected, LammerMoved, BlackjackPatronLeft]
    assert only(events, StreakWagersCollected).clauses == (f"{P}(f)",)
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_whoever_leaves_in_the_middle_of_his_hand_has_left_it_unfinished() -> None:
    table = StreakTable()
    table.bet(1, s1={3: 300})
    table.execute(DealFirstCard())
    assert table.refused(LeaveBlackjackTable(1), "hand_in_play").clauses == (f"{P}(f)",)


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)")
def test_whoever_leaves_while_others_play_their_hands_abandons_a_streak() -> None:
    table, _ = seat_one({3: 300}, "W")
    table.bet(2)
    table.execute(DealFirstCard())
    assert table.execute(LeaveBlackjackTable(1)) == (
        StreakWagersCollected(1, {3: 300}, "abandoned", clauses=(f"{P}(f)",)),
        LammerMoved(1, 2, None, clauses=(f"{P}(f)",)),
        BlackjackPatronLeft(1, clauses=(f"{P}(f)",)),
    )


def test_whoever_leaves_without_a_streak_wager_loses_nothing() -> None:
    table = StreakTable()
    table.bet(1, 2)
    assert table.execute(LeaveBlackjackTable(1)) == (
        BlackjackWagerReturned(1, clauses=()),
        BlackjackPatronLeft(1, clauses=()),
    )
    assert table.state.blackjack == {2}


@pytest.mark.clause("NJ-OLD:19:47-2.22(g)")
@pytest.mark.parametrize("before", [[], ["W"], ["W", "W"]])
def test_a_push_neither_advances_nor_loses(before: list[str]) -> None:
    table, events = seat_one({5: 500}, *before, "P")
    wins = len(before)
    assert table.state.seats[1] == SeatStreak({5: 500}, wins, wins + 1 if wins else None)
    assert of_seat(events) == [StreakHeld(1, "push", clauses=(f"{P}(g)",))]


def split_hands() -> list[str]:
    return ["".join(hands) for number in (2, 3, 4) for hands in product("WLP", repeat=number)]


@pytest.mark.clause("NJ-OLD:19:47-2.22(h)#1")
@each("hands", [one for one in split_hands() if one.count("W") > one.count("L")])
def test_more_split_hands_won_than_lost_advance_a_streak_by_one(hands: str) -> None:
    table, events = seat_one({3: 300}, "W", hands)
    assert table.state.seats[1] == SeatStreak({3: 300}, 2, 3)
    advanced = only(events, StreakAdvanced)
    assert (advanced.wins, f"{P}(h)#1" in advanced.clauses) == (2, True)


@pytest.mark.clause("NJ-OLD:19:47-2.22(h)#1")
@each("hands", [one for one in split_hands() if one.count("W") < one.count("L")])
def test_fewer_split_hands_won_than_lost_lose_a_streak(hands: str) -> None:
    table, events = seat_one({3: 300}, "W", hands)
    lost = only(events, StreakWagersCollected)
    assert (lost.ground, lost.clauses[:2]) == ("split", (f"{P}(c)#1", f"{P}(h)#1"))
    assert table.state.seats == {}


@pytest.mark.clause("NJ-OLD:19:47-2.22(h)#2")
@each("hands", [one for one in split_hands() if one.count("W") == one.count("L")])
def test_as_many_split_hands_won_as_lost_leave_a_streak_as_it_is(hands: str) -> None:
    table, events = seat_one({3: 300}, "W", hands)
    assert table.state.seats[1] == SeatStreak({3: 300}, 1, 2)
    assert only(events, StreakHeld).clauses[0] == f"{P}(h)#2"


@pytest.mark.clause("NJ-OLD:19:47-2.22(h)#3")
@each("hands", split_hands())
def test_a_push_among_split_hands_counts_for_neither_side(hands: str) -> None:
    # T25: one win and one push advance a streak, one loss and one push lose it.
    rules = rules_of()
    with_pushes, without = (
        streak.rule_on(outcome(s1=letters).seats[0], rules)
        for letters in (hands, hands.replace("P", "") or "P")
    )
    assert with_pushes.outcome is without.outcome
    is_equal = hands.count("W") == hands.count("L")
    clauses = (f"{P}(h)#2" if is_equal else f"{P}(h)#1", *[f"{P}(h)#3"] * ("P" in hands))
    assert streak.rule_on(outcome(s1="W").seats[0], rules).ground == "won"
    assert (with_pushes.ground, with_pushes.clauses) == ("split", clauses)


def paying(length: int, odds: str) -> dict[str, Any]:
    return {f"streak__pays__{length}": odds}


# --- (i) and (j): no other wager, and what is paid --------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.22(i)")
def test_a_streak_wager_touches_no_other_wager() -> None:
    others = (BlackjackWagersCollected, BlackjackWagersPaid)
    for first, second in product(("W", "L", "P", "WL", "WWL"), repeat=2):
        plain, beside = StreakTable(), StreakTable()
        plain.bet(1, 2)
        beside.bet(1, 2, s1={2: 500, 3: 100}, s2={4: 100})
        told = [
            [event for event in table.deal(s1=first, s2=second) if isinstance(event, others)]
            for table in (plain, beside)
        ]
        assert told[0] == told[1]


@pytest.mark.clause("NJ-OLD:19:47-2.22(i)")
@pytest.mark.parametrize("hands", sorted(set(HANDS) - {"W"}))
def test_a_streak_wager_goes_by_the_hands_of_its_own_seat_alone(hands: str) -> None:
    table = StreakTable()
    table.bet(1, 2, s1={2: 500}, s2={2: 500})
    table.deal(s1="W", s2=hands)
    assert table.state.seats[1] == SeatStreak({2: 500}, 1, 2)


@pytest.mark.clause("NJ-OLD:19:47-2.22(i)")
@pytest.mark.parametrize("hands", ["L", "P"])
def test_a_dealers_natural_is_nothing_to_a_streak_beyond_the_hand(hands: str) -> None:
    tables = [StreakTable(), StreakTable()]
    for table, natural in zip(tables, (True, False), strict=True):
        table.bet(1, s1={2: 500})
        table.deal(natural=natural, s1=hands)
    assert tables[0].events == tables[1].events


@pytest.mark.parametrize(
    ("length", "least", "less"),
    [
        pytest.param(2, "3:1", "5:2", marks=pytest.mark.clause("NJ-OLD:19:47-2.22(j)#1")),
        pytest.param(3, "7:1", "13:2", marks=pytest.mark.clause("NJ-OLD:19:47-2.22(j)#2")),
        pytest.param(4, "17:1", "16:1", marks=pytest.mark.clause("NJ-OLD:19:47-2.22(j)#3")),
        pytest.param(5, "37:1", "36:1", marks=pytest.mark.clause("NJ-OLD:19:47-2.22(j)#4")),
    ],
)
def test_a_streak_is_paid_at_least_the_odds_of_the_law(length: int, least: str, less: str) -> None:
    clause = f"{P}(j)#{length - 1}"
    with pytest.raises(SubmissionError) as refused:
        rules_of(**paying(length, less))
    assert [detail.clauses for detail in refused.value.errors] == [(clause,)]
    pays = int(least.partition(":")[0])
    for odds, won in ((least, 500 * pays), ("40:1", 20_000)):
        _, events = seat_one({length: 500}, *"W" * length, rules=rules_of(**paying(length, odds)))
        paid = only(events, StreakPaid)
        assert (paid.cents, paid.odds, clause in paid.clauses) == (won, Odds.parse(odds), True)


@pytest.mark.clause("NJ-OLD:19:47-2.22(j)#1")
def test_a_stake_that_comes_to_a_fraction_of_a_cent_is_refused() -> None:
    table = StreakTable(rules_of(streak__pays__2="7:2"))
    table.bet(1)
    refusal = table.refused(PlaceStreakWagers(1, {2: 501}), "fraction_of_a_cent")
    assert refusal.clauses == (f"{P}(j)#1",)
    table.execute(PlaceStreakWagers(1, {2: 502}))
    table.deal(s1="W")
    assert only(table.round(s1="W"), StreakPaid).cents == 1757
    # Six to two is three to one.
    _, events = seat_one({2: 501}, "W", "W", rules=rules_of(streak__pays__2="6:2"))
    assert only(events, StreakPaid).cents == 1503


@pytest.mark.clause("NJ-OLD:19:47-2.22(b)", "NJ-OLD:19:47-2.22(c)#1")
def test_acts_that_no_clause_of_the_excerpt_forbids_are_refused_without_one() -> None:
    """(b) is about streak wagers and (c) about a round that was dealt: neither forbids any of this."""
    table = StreakTable()
    assert table.refused(DealFirstCard(), "no_wagers").clauses == ()
    assert table.refused(SettleRound(outcome(s1="W")), "not_now").clauses == ()
    for seat in (0, 8, True):
        assert table.refused(PlaceBlackjackWager(seat), "no_such_seat").clauses == ()
    (placed,) = table.execute(PlaceBlackjackWager(1))
    assert placed.clauses == (f"{P}(b)",)
    assert table.refused(PlaceBlackjackWager(1), "twice").clauses == ()
    table.deal(s1="W")
    table.bet(1)
    assert table.execute(DealFirstCard()) == (FirstCardDealt(2, clauses=(f"{P}(b)",)),)
    wrong = table.refused(SettleRound(outcome(s2="W")), "outcomes")
    assert wrong.message.endswith("wrong: 1, 2")
    assert table.refused(DealFirstCard(), "not_now").clauses == ()
    assert table.refused(PlaceBlackjackWager(2), "not_now").clauses == ()
    assert table.refused(WithdrawBlackjackWager(1), "not_now").clauses == ()
    # The first card is what (b) names for the streak wager itself.
    assert table.refused(PlaceStreakWagers(1, {2: 100}), "first_card").clauses == (f"{P}(b)",)
