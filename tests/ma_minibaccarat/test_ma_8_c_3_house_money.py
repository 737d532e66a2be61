"""Sections 7(a)(7), 8(c)(3) and 12(h): House Money, and its payout added to the wager on a hand."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsHanded,
    HouseMoneyDue,
    HouseMoneySettled,
    LosingWagersCollected,
    PayoutAdded,
    ResultAnnounced,
    SettleHouseMoney,
    ThirdCardRuled,
    VigorishMarked,
    WagerPaid,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, Hand
from croupier.law.values import Odds
from croupier.rules import Limit, Outcome, TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.house_money import HouseMoneyPhase
from support.massachusetts import (
    CLOCKWISE,
    HELD,
    HOUSE_MONEY,
    chips,
    clear,
    deal,
    errors_of,
    ma,
    moves,
    ready,
    rules_of,
    turn,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

BOTH_PAIRS: Final = "2h 3d 2c 3s"  # Player 4 and Banker 6: Player draws.
PLAYER_PAIR: Final = "2h 3d 2c Ks"  # Player 4, Banker 3.
BANKER_PAIR: Final = "2h Kd 3c Ks"  # Player 5, Banker 0.
NO_PAIR: Final = "2h 3d Kc Qs"  # A king and a queen are ten each, and no pair; nor are they here.


def waiting(
    cards: str,
    *stakes: tuple[int, str, int],
    seats: tuple[int, ...] = (1, 2, 3),
    layout: TableLayout | None = None,
    **elections: Any,
) -> TableSession:
    """A table with these wagers and four cards face up, where House Money is to be settled."""
    session = ready(*seats, layout=layout, **HOUSE_MONEY, **elections)
    wager(session, *stakes)
    deal(session, cards)
    assert session.state.phase is HouseMoneyPhase.HOUSE_MONEY
    return session


def add(session: TableSession, **to: str) -> tuple[Any, ...]:
    """Settle House Money; ``seat_1="player"`` has the payout of seat one added to that wager."""
    added = {int(seat.removeprefix("seat_")): wager for seat, wager in to.items()}
    return session.execute(SettleHouseMoney(added))


# --- 7(a)(7) and 12(h): what wins, and what it is paid -----------------------------------------


@pytest.mark.clause(
    "MA-MINI:7(a)(7)", "MA-MINI:7(a)(7)(i)", "MA-MINI:7(a)(7)(ii)", "MA-MINI:12(h)#1",
    "MA-MINI:12(h)#2",
)  # fmt: skip
def test_every_four_ranks_are_paid_for_two_pairs_for_one_or_lost() -> None:
    rules = rules_of(**HOUSE_MONEY)
    offer = rules.offers["house_money"]
    of_rank = {rank: Card.of(f"{rank}h") for rank in "A23456789TJQK"}
    of_other_suit = {rank: Card.of(f"{rank}s") for rank in of_rank}
    for player, banker, players_other, bankers_other in product(of_rank, repeat=4):
        coup = Coup(
            rules.tableau,
            (of_rank[player], of_other_suit[players_other]),
            (of_rank[banker], of_rank[bankers_other]),  # Of one suit, which is all the same.
        )
        decision = offer.decide(coup.initial_facts)
        pairs = (player == players_other) + (banker == bankers_other)
        expected = {
            0: (Outcome.LOSE, None, ma("7(a)(7)(ii)")),
            1: (Outcome.WIN, Odds(3, 1), ma("7(a)(7)(i)", "12(h)#2")),
            2: (Outcome.WIN, Odds(15, 1), ma("7(a)(7)(i)", "12(h)#1")),
        }[pairs]
        assert (decision.outcome, decision.odds, decision.clauses) == expected


@pytest.mark.clause("MA-MINI:7(a)(7)(i)")
@pytest.mark.parametrize("cards", ["Th 3d Kc 5s", "Jh 3d Qc 5s", "2h Qd 3c Ks", "2h Td 3c Js"])
def test_cards_that_count_alike_are_no_pair_unless_of_one_rank(cards: str) -> None:
    session = waiting(cards, (1, "house_money", 1_000))
    assert every(add(session), WagerPaid) == []


@pytest.mark.clause("MA-MINI:12(h)#1", "MA-MINI:12(h)#2")
@pytest.mark.parametrize(
    ("cards", "odds", "cents"),
    [
        (BOTH_PAIRS, "15:1", 15_000),  # Fifteen to one alone, and not three to one beside it.
        (PLAYER_PAIR, "3:1", 3_000),
        (BANKER_PAIR, "3:1", 3_000),
    ],
)
def test_two_pairs_pay_fifteen_to_one_and_one_pair_three_to_one(
    cards: str, odds: str, cents: int
) -> None:
    session = waiting(cards, (1, "house_money", 1_000))
    paid = only(add(session), WagerPaid)
    assert (paid.odds, paid.cents) == (odds, cents)
    assert chips(session, 1) == HELD + cents


@pytest.mark.clause("MA-MINI:12(h)#1", "MA-MINI:12(h)#2")
def test_the_licensee_pays_neither_more_nor_less() -> None:
    errors = errors_of(**HOUSE_MONEY, wagers__house_money__pays={"both_pairs": "16:1"})
    assert errors == {("wagers.house_money.pays", ma("12(h)#1", "12(h)#2"))}


@pytest.mark.clause("MA-MINI:7(a)(7)")
def test_house_money_needs_no_wager_beside_it() -> None:
    waiting(NO_PAIR, (1, "house_money", 100))


# --- 8(c)(3): when and in which order it is settled --------------------------------------------


@pytest.mark.clause("MA-MINI:8(c)(3)")
def test_house_money_is_settled_when_both_hands_are_face_up_and_before_any_third_card() -> None:
    session = ready(1, **HOUSE_MONEY)
    wager(session, (1, "player", 1_000), (1, "house_money", 500))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(PLAYER_PAIR):
        refused(session, SettleHouseMoney({}), "not_now")
        session.execute(acts.DrawCard(card))
    events = turn(session)
    fell_due = only(events, HouseMoneyDue)
    assert (fell_due.seats, fell_due.clauses) == ((1,), ma("8(c)(3)"))
    # The counts have been called; what Player's four draws is not ruled on yet.
    assert not every(events, ThirdCardRuled)
    assert due(session) == {SettleHouseMoney}
    answer = refused(session, acts.DrawCard(Card.of("9c")), "house_money")
    assert answer.clauses == ma("8(c)(3)")
    refused(session, acts.SettleWagers(), "not_now")
    refused(session, acts.ClearLayout(), "not_now")


@pytest.mark.clause("MA-MINI:8(c)(3)(ii)")
def test_the_game_then_resumes_with_the_third_cards() -> None:
    session = waiting(PLAYER_PAIR, (1, "player", 1_000), (1, "house_money", 500))
    events = add(session)
    assert only(events, HouseMoneySettled).clauses == ma("8(c)(3)(ii)")
    ruling = only(events, ThirdCardRuled)
    assert ruling.draws
    assert events.index(ruling) > events.index(only(events, HouseMoneySettled))
    refused(session, SettleHouseMoney({}), "not_now")
    assert only(deal(session, "9c"), CardDealt).ordinal == 3


@pytest.mark.clause("MA-MINI:8(c)(3)", "MA-MINI:8(c)(3)(ii)")
def test_it_is_settled_before_the_result_too_where_no_third_card_follows() -> None:
    session = waiting("9h 8d Th Js", (1, "player", 1_000), (1, "house_money", 500))
    events = add(session)
    assert [type(one) for one in events[-2:]] == [ThirdCardRuled, ResultAnnounced]
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("MA-MINI:8(c)(3)")
def test_a_round_without_house_money_wagers_goes_on_at_once() -> None:
    session = ready(1, **HOUSE_MONEY)
    wager(session, (1, "player", 1_000))
    deal(session, PLAYER_PAIR)
    assert due(session) == {acts.DrawCard}


EVERYBODY: Final = tuple(
    (seat, name, cents)
    for seat in range(1, 8)
    for name, cents in (("player", 1_000), ("house_money", 100 * seat))
)


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#1")
@pytest.mark.parametrize(
    ("layout", "order"),
    [(None, [1, 2, 3, 4, 5, 6, 7]), (CLOCKWISE, [7, 6, 5, 4, 3, 2, 1])],
)
@pytest.mark.parametrize("cards", [PLAYER_PAIR, NO_PAIR])
def test_it_is_settled_from_the_right_of_the_dealer_on_counterclockwise(
    cards: str, layout: TableLayout | None, order: list[int]
) -> None:
    session = waiting(cards, *EVERYBODY, seats=tuple(range(1, 8)), layout=layout)
    done = [one for one in moves(add(session)) if one[0] != "release"]
    if cards == NO_PAIR:
        assert done == [("collect", seat, "house_money", 100 * seat) for seat in order]
    else:
        assert done == [("pay", seat, "house_money", 300 * seat) for seat in order]


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#1", "MA-MINI:8(c)(3)(i)b")
def test_losers_are_collected_and_winners_paid_under_their_very_sentences() -> None:
    session = waiting(NO_PAIR, (1, "house_money", 500))
    collected = only(add(session), LosingWagersCollected)
    assert collected.clauses == ma("8(c)(3)(i)#1", "7(a)(7)(ii)")
    session = waiting(BOTH_PAIRS, (1, "house_money", 500))
    paid = only(add(session), WagerPaid)
    assert paid.clauses == ma("8(c)(3)(i)#1", "7(a)(7)(i)", "12(h)#1", "8(c)(3)(i)b")


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#1")
def test_other_wagers_stay_where_they_are() -> None:
    session = waiting(
        NO_PAIR, (1, "player", 1_000), (1, "tie", 300), (1, "house_money", 500), (2, "banker", 700)
    )
    add(session)
    assert {key: stake.cents for key, stake in session.state.stakes.items()} == {
        (1, "player"): 1_000, (1, "tie"): 300, (2, "banker"): 700,
    }  # fmt: skip


# --- 8(c)(3)(i): the payout added --------------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#2", "MA-MINI:8(c)(3)(i)b")
def test_a_winner_may_have_the_payout_added_to_his_wager_or_is_handed_it() -> None:
    session = waiting(
        PLAYER_PAIR,
        (1, "player", 2_000), (1, "house_money", 500), (2, "banker", 2_000),
        (2, "house_money", 1_000), (3, "player", 2_000), (3, "house_money", 700),
    )  # fmt: skip
    events = add(session, seat_1="player", seat_2="banker")
    added = every(events, PayoutAdded)
    assert [(one.seat, one.to, one.cents) for one in added] == [
        (1, "player", 1_500), (2, "banker", 3_000),
    ]  # fmt: skip
    why = ma("8(c)(3)(i)#2", "8(c)(3)(i)a#2", "8(c)(3)(i)b", "8(c)(3)(i)a#1")
    assert {one.clauses for one in added} == {why}
    stakes = {key: stake.cents for key, stake in session.state.stakes.items()}
    assert stakes == {(1, "player"): 3_500, (2, "banker"): 5_000, (3, "player"): 2_000}
    # The House Money stake itself goes back; who has the payout added is not handed any of it.
    assert [chips(session, seat) for seat in (1, 2, 3)] == [
        HELD - 2_000, HELD - 2_000, HELD - 2_000 + 2_100,
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#1")
@pytest.mark.parametrize(
    ("portion", "added"),
    [("100%", 3_000), ("50%", 1_500), ("1/3", 1_000), ("1/7", 428), ("37%", 1_110)],
)
def test_what_is_added_is_the_whole_payout_or_the_portion_that_the_licensee_has_filed(
    portion: str, added: int
) -> None:
    session = waiting(
        PLAYER_PAIR,
        (1, "player", 2_000),
        (1, "house_money", 1_000),
        wagers__house_money__portion=portion,
    )
    placed = only(add(session, seat_1="player"), PayoutAdded)
    # In whole cents; the rest is handed over.
    assert placed.cents == added
    assert session.state.stakes[1, "player"].cents == 2_000 + added
    assert chips(session, 1) == HELD - 2_000 + 3_000 - added


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#1")
def test_a_portion_of_less_than_a_cent_is_not_added() -> None:
    session = waiting(
        PLAYER_PAIR,
        (1, "player", 2_000),
        (1, "house_money", 1_000),
        wagers__house_money__portion="1/3001",
    )
    answer = refused(session, SettleHouseMoney({1: "player"}), "portion")
    assert answer.clauses == ma("8(c)(3)(i)a#1")
    assert not every(add(session), PayoutAdded)
    assert chips(session, 1) == HELD - 2_000 + 3_000


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#1")
def test_a_portion_of_nothing_is_refused_when_it_is_submitted() -> None:
    errors = errors_of(**HOUSE_MONEY, wagers__house_money__portion="0%")
    assert [clauses for _, clauses in errors] == [ma("8(c)(3)(i)a#1")]


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#1")
@pytest.mark.parametrize("portion", ["101%", "150%", "3/2"])
def test_no_more_than_the_payout_can_be_added(portion: str) -> None:
    errors = errors_of(**HOUSE_MONEY, wagers__house_money__portion=portion)
    assert errors == {("wagers.house_money.portion", ma("8(c)(3)(i)a#1"))}


WINNER: Final = ma("8(c)(3)(i)#2")


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#2")
def test_nothing_is_added_where_nothing_was_won_or_no_wager_lies() -> None:
    session = waiting(
        PLAYER_PAIR, (1, "player", 2_000), (2, "house_money", 500), (2, "tie", 500),
        (3, "banker", 500), (3, "house_money", 500),
    )  # fmt: skip
    for added, code in (
        ({1: "player"}, "no_payout"),  # No House Money wager.
        ({4: "player"}, "no_payout"),  # No patron.
        ({2: "player"}, "no_wager"),
        ({2: "tie"}, "no_wager"),  # To a wager on a hand alone.
        ({3: "player"}, "no_wager"),
        ({3: "banker", 2: "banker"}, "no_wager"),  # All of it, or nothing.
    ):
        assert refused(session, SettleHouseMoney(added), code).clauses == WINNER
    lost = waiting(NO_PAIR, (1, "player", 2_000), (1, "house_money", 500))
    refused(lost, SettleHouseMoney({1: "player"}), "no_payout")


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#2", "MA-MINI:12(c)#2")
def test_what_vigorish_would_turn_into_a_fraction_of_a_cent_is_handed_over() -> None:
    # Half of fifteen dollars is $7.50: five percent of it is no number of cents, of $7.40 it is.
    session = waiting(
        PLAYER_PAIR,
        (1, "banker", 2_000),
        (1, "house_money", 500),
        wagers__house_money__portion="50%",
    )
    assert only(add(session, seat_1="banker"), PayoutAdded).cents == 740
    assert session.state.stakes[1, "banker"].cents == 2_740
    assert chips(session, 1) == HELD - 2_000 + 1_500 - 740


@pytest.mark.clause("MA-MINI:8(c)(3)(i)b", "MA-MINI:7(d)")
def test_a_player_does_not_touch_the_payout_and_cannot_raise_his_wager_himself() -> None:
    session = waiting(PLAYER_PAIR, (1, "player", 2_000), (1, "house_money", 500))
    acting = [one for one in session.legal() if one.must]
    assert [(one.command, one.who) for one in acting] == [(SettleHouseMoney, "dealer")]
    for touch in (
        acts.PlaceWager(1, "player", 1_500),
        acts.PlaceWagers(1, {"player": 1_500}),
        acts.WithdrawWager(1, "house_money"),
    ):
        assert refused(session, touch, "no_more_bets").clauses == ma("7(d)")
    add(session)
    # Once it has been handed over it is too late to add it.
    refused(session, acts.PlaceWager(1, "player", 1_500), "no_more_bets")


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#2")
def test_the_limits_of_the_table_bind_the_wager_and_not_what_is_added() -> None:
    limits = {name: Limit(100, 2_000) for name in ("player", "banker", "tie", "house_money")}
    session = waiting(BOTH_PAIRS, (1, "player", 2_000), (1, "house_money", 2_000), limits=limits)
    add(session, seat_1="player")
    assert session.state.stakes[1, "player"].cents == 32_000


# --- 8(c)(3)(i)a: what becomes of it -----------------------------------------------------------


def parlay(third: str, to: str, **elections: Any) -> tuple[TableSession, tuple[Any, ...]]:
    """Add a payout of thirty dollars to a wager of a hundred, and settle the round."""
    session = waiting(PLAYER_PAIR, (1, to, 10_000), (1, "house_money", 1_000), **elections)
    add(session, seat_1=to)
    deal(session, third)
    return session, session.execute(acts.SettleWagers())


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#2")
@pytest.mark.parametrize(
    ("third", "act"),
    [
        ("5c Kd", "pay"),  # Player nine against Banker three.
        ("8c", "collect"),  # Player two against Banker three, which stays.
        ("9c Kd", "release"),  # Three against three.
    ],
)
def test_what_was_added_wins_loses_and_goes_back_with_the_wager(third: str, act: str) -> None:
    session, events = parlay(third, "player")
    assert (act, 1, "player", 13_000) in moves(events)
    held = {"pay": HELD + 3_000 + 13_000, "collect": HELD - 10_000, "release": HELD + 3_000}[act]
    assert chips(session, 1) == held
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#2", "MA-MINI:12(c)#2")
def test_vigorish_is_owed_on_all_that_the_wager_on_banker_has_won() -> None:
    session, events = parlay("8c", "banker")
    # Five percent of a hundred and thirty dollars.
    assert moves(events)[-2:] == [("vigorish", 1, "banker", 650), ("pay", 1, "banker", 13_000)]
    assert chips(session, 1) == HELD + 3_000 + 13_000 - 650


@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#2", "MA-MINI:12(c)#3", "MA-MINI:12(d)(2)(ii)")
def test_deferred_and_rounded_vigorish_is_marked_on_the_whole_wager_too() -> None:
    elections = {"vigorish__rounded": True, "vigorish__collection": "deferred"}
    session, events = parlay("8c", "banker", **elections)
    # Six dollars and fifty cents are a multiple of a quarter already.
    assert only(events, VigorishMarked).cents == 650
    half = {**elections, "wagers__house_money__portion": "1/30"}
    session, events = parlay("8c", "banker", **half)
    # A hundred and one dollars: five dollars and five cents, and so five and a quarter.
    assert (only(events, VigorishMarked).cents, chips(session, 1)) == (
        525, HELD + 3_000 + 10_100,
    )  # fmt: skip


# --- beside the hands --------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(c)(4)", "MA-MINI:8(c)(3)(i)#2")
def test_a_wager_that_an_added_payout_makes_the_highest_does_not_move_the_hand() -> None:
    session = waiting(
        PLAYER_PAIR, (1, "player", 2_000), (2, "player", 1_900), (2, "house_money", 1_000)
    )
    add(session, seat_2="player")
    session.execute(acts.DrawCard(Card.of("9c")))
    handed = only(session.execute(acts.HandCards(session_hand(session))), CardsHanded)
    assert handed.seat == 1


def session_hand(session: TableSession) -> Any:
    assert session.state.round is not None
    return session.state.round.down[0]


@pytest.mark.clause("MA-MINI:8(c)(3)", "MA-MINI:13(d)")
def test_no_house_money_is_settled_in_a_simulated_round() -> None:
    session = ready(1, **HOUSE_MONEY)
    wager(session, (1, "player", 2_000), (1, "house_money", 1_000))
    session.execute(acts.FindFaceUpCard(Card.of("2h")))
    session.execute(acts.BeginSimulatedRound())
    deal(session, "3d 2c Ks")
    assert session.state.phase is Phase.DEALING
    deal(session, "9c Kd")
    clear(session)
    assert {key: stake.cents for key, stake in session.state.stakes.items()} == {
        (1, "player"): 2_000, (1, "house_money"): 1_000,
    }  # fmt: skip


# --- who holds the third card ------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(c)(6)#1")
@pytest.mark.parametrize(("first", "among_equals"), [(2_000, False), (3_500, True)])
def test_a_payout_that_is_added_changes_nothing_in_how_the_holder_was_found(
    first: int,
    among_equals: bool,  # noqa: FBT001
) -> None:
    # Player has a pair of twos and draws a third card; Banker has 3.
    session = waiting(
        "2h 3d 2s Kc",
        (1, "player", first), (1, "house_money", 500), (2, "player", 3_500),
    )  # fmt: skip
    holder = session.state.round.holders[Hand.PLAYER]  # type: ignore[union-attr]
    # Counterclockwise from the dealer seat 1 comes first among equals.
    assert holder == (1 if among_equals else 2)
    # With $15 added seat 1 has as much on the hand as seat 2, or more.
    add(session, seat_1="player")
    session.execute(acts.DrawCard(Card.of("Qd")))
    handed = only(session.execute(acts.HandCards(Hand.PLAYER)), acts.CardsHanded)
    assert handed.seat == holder
    assert ("MA-MINI:8(c)(6)#1" in handed.clauses) is among_equals
