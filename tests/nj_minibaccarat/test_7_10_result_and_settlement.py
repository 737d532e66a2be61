"""19:47-7.10: the result announced, wagers collected and paid in order, the layout cleared."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    ClearLayout,
    Event,
    HandCards,
    LayoutCleared,
    LosingWagersCollected,
    ResultAnnounced,
    ReturnCards,
    SettleWagers,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    VigorishWaived,
    WagerPaid,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.law.elect import SubmissionError
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.table import deal, every, only, play, ready, refused, rules_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

PLAYER_9_BANKER_8 = "9h 8d Kh Ks"
PLAYER_8_BANKER_9 = "8h 9d Kh Ks"
TIE_8 = "8h 8d Kh Ks"
TIE_6 = "6h 6d Kh Ks"
BANKER_7 = "6h 7d Kh Ks"  # Two cards.
BANKER_6 = "5h 2d Kh Ks Kc 4c"  # Player 5 draws a king, Banker 2 a four.
DRAGON_7 = "6h 4d Kh Ks 3c"  # Player stays on 6, Banker 4 draws a 3.

ORDERS: Final = {
    "payments-first": "NJ-MINI:7.10(b)1",
    "vigorish-first": "NJ-MINI:7.10(b)2",
    "payment-then-vigorish": "NJ-MINI:7.10(b)3",
    "vigorish-then-payment": "NJ-MINI:7.10(b)4",
}


def moves(events: tuple[Event, ...]) -> list[tuple[str, int, int]]:
    """What a settlement did, in order: the act, the seat and the cents."""
    done: list[tuple[str, int, int]] = []
    for event in events:
        match event:
            case LosingWagersCollected():
                done.extend(("collect", one.seat, one.cents) for one in event.stakes)
            case WagerPaid():
                done.append(("pay", event.seat, event.cents))
            case VigorishCollected():
                done.append(("vigorish", event.seat, event.cents))
            case VigorishMarked():
                done.append(("mark", event.seat, event.cents))
            case VigorishWaived():
                done.append(("waive", event.seat, 0))
            case _:
                pass
    return done


def settled(session: TableSession, cards: str) -> list[tuple[str, int, int]]:
    """Deal a face-up round and settle it; return what the settlement did."""
    deal(session, cards)
    return moves(session.execute(SettleWagers()))


# --- (a): the result ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(a)#1")
@pytest.mark.parametrize(
    ("cards", "counts", "winner", "words"),
    [
        (PLAYER_9_BANKER_8, (9, 8), PLAYER, "Player 9, Banker 8, Player wins"),
        (PLAYER_8_BANKER_9, (8, 9), BANKER, "Player 8, Banker 9, Banker wins"),
        (BANKER_6, (5, 6), BANKER, "Player 5, Banker 6, Banker wins"),
        (DRAGON_7, (6, 7), BANKER, "Player 6, Banker 7, Banker wins"),
        ("2h 3d Kh Ks 5c 6c", (7, 9), BANKER, "Player 7, Banker 9, Banker wins"),
    ],
)
def test_the_final_counts_and_the_winner_are_announced(
    cards: str, counts: tuple[int, int], winner: Hand, words: str
) -> None:
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert (result.player_count, result.banker_count) == counts
    assert (result.winner, result.words) == (winner, words)
    assert result.clauses == ("NJ-MINI:7.10(a)#1",)


@pytest.mark.clause("NJ-MINI:7.10(a)#1")
def test_the_result_comes_after_the_last_card_and_not_before() -> None:
    session = ready(1)
    assert not every(deal(session, "2h 3d Kh Ks 4c"), ResultAnnounced)
    refused(session, SettleWagers(), "not_now")
    events = deal(session, "5d")
    assert isinstance(events[-1], ResultAnnounced)
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NJ-MINI:7.10(a)#2")
@pytest.mark.parametrize(
    ("cards", "words"),
    [(TIE_8, "Player 8, Banker 8, Tie Hand"), (TIE_6, "Player 6, Banker 6, Tie Hand")],
)
def test_equal_counts_are_announced_as_a_tie_hand(cards: str, words: str) -> None:
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert (result.winner, result.words) == (None, words)
    assert "NJ-MINI:7.10(a)#2" in result.clauses


@pytest.mark.clause("NJ-MINI:7.10(a)#3")
@pytest.mark.parametrize(
    ("cards", "number", "word"),
    [
        (PLAYER_9_BANKER_8, 4, "four cards"),
        (DRAGON_7, 5, "five cards"),
        (BANKER_6, 6, "six cards"),
    ],
)
def test_the_number_of_cards_is_announced_where_wagers_on_it_are_offered(
    cards: str, number: int, word: str
) -> None:
    result = only(deal(ready(1, wagers__total_cards__offered=True), cards), ResultAnnounced)
    assert result.cards == number
    assert result.words.endswith(f", {word}")
    assert "NJ-MINI:7.10(a)#3" in result.clauses


@pytest.mark.clause("NJ-MINI:7.10(a)#3")
@pytest.mark.parametrize("cards", [PLAYER_9_BANKER_8, DRAGON_7, BANKER_6])
def test_the_number_of_cards_is_not_announced_where_no_wagers_on_it_are_offered(cards: str) -> None:
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert "cards" not in result.words
    assert "NJ-MINI:7.10(a)#3" not in result.clauses


@pytest.mark.clause("NJ-MINI:7.10(a)#4")
@pytest.mark.parametrize("cards", [DRAGON_7, "5h 5d Kh Ks 5c 2d"])
def test_a_dragon_7_hand_is_announced_in_the_variation_and_in_no_other(cards: str) -> None:
    result = only(deal(ready(1, vigorish__scheme="dragon-7"), cards), ResultAnnounced)
    assert result.words.endswith("Banker wins, dragon 7")
    assert "NJ-MINI:7.10(a)#4" in result.clauses
    for scheme in ("5%", "4%", "tie-25%", "six-pays-half"):
        result = only(deal(ready(1, vigorish__scheme=scheme), cards), ResultAnnounced)
        assert "dragon" not in result.words
        assert "NJ-MINI:7.10(a)#4" not in result.clauses


@pytest.mark.clause("NJ-MINI:7.10(a)#4")
@pytest.mark.parametrize(
    "cards",
    [
        pytest.param(BANKER_7, id="a seven of two cards"),
        pytest.param("7h 4d Kh Ks 3c", id="a seven that ties"),
        pytest.param("2h 4d Kh Ks 6c 3d", id="a seven that loses"),
        pytest.param("6h 5d Kh Ks 3c", id="an eight of three cards"),
        pytest.param("2h 7d Kh Ks 5c", id="a Player's seven of three cards"),
    ],
)
def test_no_other_hand_is_announced_as_dragon_7(cards: str) -> None:
    result = only(deal(ready(1, vigorish__scheme="dragon-7"), cards), ResultAnnounced)
    assert "dragon" not in result.words


# --- (b): losers first, then winners and vigorish in the elected order -------------------------


def banker_at_7_4_2(order: str, **elections: Any) -> TableSession:
    """Seats 7, 4 and 2 wager on Banker, seats 6, 5 and 1 on what will lose, and seat 3 nothing."""
    session = ready(1, 2, 3, 4, 5, 6, 7, settlement__order=order, **elections)
    wager(
        session,
        (4, "banker", 20000),
        (1, "player", 1100),
        (5, "tie", 5500),
        (7, "banker", 10000),
        (2, "banker", 30000),
        (6, "player", 6600),
        (7, "tie", 700),
    )
    return session


COLLECTED: Final = [
    ("collect", 7, 700),
    ("collect", 6, 6600),
    ("collect", 5, 5500),
    ("collect", 1, 1100),
]
# Five percent of 100, 200 and 300 dollars is 5, 10 and 15 dollars.
PAID_7, PAID_4, PAID_2 = ("pay", 7, 10000), ("pay", 4, 20000), ("pay", 2, 30000)
TAKEN_7, TAKEN_4, TAKEN_2 = ("vigorish", 7, 500), ("vigorish", 4, 1000), ("vigorish", 2, 1500)


@pytest.mark.clause("NJ-MINI:7.10(b)#1")
@pytest.mark.parametrize("order", ORDERS)
def test_every_losing_wager_is_collected_before_any_is_paid(order: str) -> None:
    session = banker_at_7_4_2(order)
    deal(session, PLAYER_8_BANKER_9)
    events = session.execute(SettleWagers())
    assert moves(events)[:4] == COLLECTED
    assert not any(act == "collect" for act, _, _ in moves(events)[4:])
    lost = every(events, LosingWagersCollected)
    # The clause of the collection, then those by which the Player and the Tie wagers lost.
    assert [one.clauses for one in lost] == [
        ("NJ-MINI:7.10(b)#1", "NJ-MINI:7.2(a)3", "NJ-MINI:7.2(a)2.ii")
    ]
    assert session.ledger.balance("inventory") == (
        100_000_000 - 7 * 1_000_000 + 13_900 - 60_000 + 3_000
    )


@pytest.mark.clause("NJ-MINI:7.10(b)1", "NJ-MINI:7.10(b)#2")
def test_procedure_1_pays_all_from_the_highest_seat_down_and_then_takes_vigorish() -> None:
    session = banker_at_7_4_2("payments-first")
    assert settled(session, PLAYER_8_BANKER_9)[4:] == [
        PAID_7, PAID_4, PAID_2, TAKEN_7, TAKEN_4, TAKEN_2,
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.10(b)2", "NJ-MINI:7.10(b)#2")
def test_procedure_2_takes_vigorish_from_the_highest_seat_down_and_then_pays_all() -> None:
    session = banker_at_7_4_2("vigorish-first")
    assert settled(session, PLAYER_8_BANKER_9)[4:] == [
        TAKEN_7, TAKEN_4, TAKEN_2, PAID_7, PAID_4, PAID_2,
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.10(b)3", "NJ-MINI:7.10(b)#2")
def test_procedure_3_pays_a_seat_and_takes_its_vigorish_before_the_next_seat() -> None:
    session = banker_at_7_4_2("payment-then-vigorish")
    assert settled(session, PLAYER_8_BANKER_9)[4:] == [
        PAID_7, TAKEN_7, PAID_4, TAKEN_4, PAID_2, TAKEN_2,
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.10(b)4", "NJ-MINI:7.10(b)#2")
def test_procedure_4_takes_a_seats_vigorish_and_pays_it_before_the_next_seat() -> None:
    session = banker_at_7_4_2("vigorish-then-payment")
    assert settled(session, PLAYER_8_BANKER_9)[4:] == [
        TAKEN_7, PAID_7, TAKEN_4, PAID_4, TAKEN_2, PAID_2,
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.10(b)1", "NJ-MINI:7.10(b)2", "NJ-MINI:7.10(b)3", "NJ-MINI:7.10(b)4")
@pytest.mark.parametrize(("order", "clause"), ORDERS.items())
def test_each_payment_and_each_vigorish_names_the_procedure(order: str, clause: str) -> None:
    session = banker_at_7_4_2(order)
    deal(session, PLAYER_8_BANKER_9)
    events = session.execute(SettleWagers())
    steps = [*every(events, WagerPaid), *every(events, VigorishCollected)]
    assert len(steps) == 6
    assert all(set(step.clauses) & set(ORDERS.values()) == {clause} for step in steps)


@pytest.mark.clause("NJ-MINI:7.10(b)1", "NJ-MINI:7.10(b)2", "NJ-MINI:7.10(b)3", "NJ-MINI:7.10(b)4")
@pytest.mark.parametrize("order", ORDERS)
def test_deferred_vigorish_is_marked_where_it_would_be_collected(order: str) -> None:
    at_once = settled(banker_at_7_4_2(order), PLAYER_8_BANKER_9)
    deferred = settled(banker_at_7_4_2(order, vigorish__collection="deferred"), PLAYER_8_BANKER_9)
    marked = [("mark" if act == "vigorish" else act, seat, cents) for act, seat, cents in at_once]
    assert deferred == marked


@pytest.mark.clause("NJ-MINI:7.10(b)1", "NJ-MINI:7.10(b)2", "NJ-MINI:7.10(b)3", "NJ-MINI:7.10(b)4")
@pytest.mark.parametrize("order", ORDERS)
def test_the_walk_goes_by_seat_number_whichever_way_the_numbers_ascend(order: str) -> None:
    clockwise = TableLayout(seats=7, numbering="clockwise")
    assert settled(banker_at_7_4_2(order, layout=clockwise), PLAYER_8_BANKER_9) == settled(
        banker_at_7_4_2(order), PLAYER_8_BANKER_9
    )


@pytest.mark.clause("NJ-MINI:7.10(b)3")
def test_all_of_a_seats_winning_wagers_are_paid_before_its_vigorish() -> None:
    session = ready(3, 5, settlement__order="payment-then-vigorish", wagers__bonus__offered=True)
    wager(session, (3, "banker", 10000), (5, "banker", 20000), (5, "bonus_banker", 1000))
    # A natural nine against a natural eight pays the bonus even money, and it bears no vigorish.
    assert settled(session, PLAYER_8_BANKER_9) == [
        ("pay", 5, 20000),
        ("pay", 5, 1000),
        ("vigorish", 5, 1000),
        ("pay", 3, 10000),
        ("vigorish", 3, 500),
    ]


@pytest.mark.clause("NJ-MINI:7.10(b)#2")
def test_winners_on_player_and_tie_are_paid_from_the_highest_seat_down() -> None:
    session = ready(1, 4, 6)
    wager(session, (1, "player", 10000), (6, "player", 20000), (4, "player", 300))
    assert settled(session, PLAYER_9_BANKER_8) == [
        ("pay", 6, 20000),
        ("pay", 4, 300),
        ("pay", 1, 10000),
    ]
    session = ready(1, 4, 6)
    wager(session, (1, "tie", 100), (6, "tie", 200), (4, "player", 10000))
    assert settled(session, TIE_8) == [("pay", 6, 1600), ("pay", 1, 800)]
    assert session.state.seats[4].chips_cents == 1_000_000


@pytest.mark.clause("NJ-MINI:7.10(b)#2")
def test_winning_and_void_stakes_go_back_to_their_owners() -> None:
    session = ready(1, 4)
    wager(session, (1, "tie", 100), (4, "player", 10000), (4, "banker", 2000))
    deal(session, TIE_8)
    events = session.execute(SettleWagers())
    released = only(events, StakesReleased).stakes
    assert [(one.seat, one.wager, one.outcome, one.cents) for one in released] == [
        (4, "player", "push", 10000),
        (4, "banker", "push", 2000),
        (1, "tie", "win", 100),
    ]
    assert session.state.stakes == {}


@pytest.mark.clause("NJ-MINI:7.10(b)#1")
def test_wagers_are_settled_once_and_only_after_the_result() -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    for cards in ("9h 8d", "Kh Ks"):
        if session.state.phase is not Phase.DECIDED:
            assert refused(session, SettleWagers(), "not_now").clauses == ()
        deal(session, cards)
    session.execute(SettleWagers())
    assert refused(session, SettleWagers(), "not_now").clauses == ()
    assert session.state.seats[1].chips_cents == 1_010_000


# --- (b): vigorish on a tie, the waiver, and no vigorish at all --------------------------------


@pytest.mark.clause("NJ-MINI:7.10(b)#2", "NJ-MINI:7.3(d)#1", "NJ-MINI:7.3(d)#2")
@pytest.mark.parametrize("order", ORDERS)
def test_a_quarter_is_taken_on_a_tie_from_the_highest_seat_down_at_the_end_of_the_round(
    order: str,
) -> None:
    session = ready(2, 5, 7, settlement__order=order, vigorish__scheme="tie-25%")
    wager(session, (2, "banker", 10000), (7, "banker", 1004), (5, "player", 10000))
    assert settled(session, TIE_8) == [("vigorish", 7, 251), ("vigorish", 2, 2500)]
    assert session.state.seats[7].chips_cents == 1_000_000 - 251
    assert session.state.seats[5].chips_cents == 1_000_000
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.10(b)1", "NJ-MINI:7.10(b)2", "NJ-MINI:7.3(d)#1")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("payments-first", [("pay", 3, 800), ("vigorish", 6, 100), ("vigorish", 3, 100)]),
        ("vigorish-first", [("vigorish", 6, 100), ("vigorish", 3, 100), ("pay", 3, 800)]),
        ("payment-then-vigorish", [("vigorish", 6, 100), ("pay", 3, 800), ("vigorish", 3, 100)]),
        ("vigorish-then-payment", [("vigorish", 6, 100), ("vigorish", 3, 100), ("pay", 3, 800)]),
    ],
)
def test_the_walk_takes_in_a_seat_that_owes_vigorish_without_having_won(
    order: str, expected: list[tuple[str, int, int]]
) -> None:
    session = ready(3, 6, settlement__order=order, vigorish__scheme="tie-25%")
    wager(session, (3, "banker", 400), (3, "tie", 100), (6, "banker", 400))
    assert settled(session, TIE_8) == expected


@pytest.mark.clause("NJ-MINI:7.3(d)#3", "NJ-MINI:7.10(b)#2")
def test_where_a_tie_is_charged_a_win_is_not() -> None:
    session = ready(2, vigorish__scheme="tie-25%")
    wager(session, (2, "banker", 10000))
    deal(session, PLAYER_8_BANKER_9)
    events = session.execute(SettleWagers())
    assert moves(events) == [("pay", 2, 10000)]
    # It is no game without vigorish, which is taken as elected when the hands are equal.
    assert "NJ-MINI:7.10(b)5" not in only(events, WagerPaid).clauses


WAIVER: Final[dict[str, Any]] = {
    "vigorish__scheme": "total-cards",
    "wagers__total_cards__offered": True,
}


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(f)2")
def test_the_waiver_is_each_patrons_own_in_one_and_the_same_round() -> None:
    session = ready(2, 4, 7, **WAIVER)
    wager(
        session,
        # Seat 7 reaches his Banker wager with two total cards wagers together.
        *((7, "banker", 10000), (7, "five_cards", 6000), (7, "six_cards", 4000)),
        # Seat 4 is two cents short of it, seat 2 has none.
        *((4, "banker", 10000), (4, "six_cards", 9998)),
        (2, "banker", 20000),
    )
    # Natural nine over eight: four cards. The total cards wagers lose, and waive all the same.
    assert settled(session, PLAYER_8_BANKER_9) == [
        ("collect", 7, 6000),
        ("collect", 7, 4000),
        ("collect", 4, 9998),
        ("pay", 7, 10000),
        ("waive", 7, 0),
        ("pay", 4, 10000),
        ("vigorish", 4, 500),
        ("pay", 2, 20000),
        ("vigorish", 2, 1000),
    ]


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(f)2")
def test_the_waiver_is_told_with_its_clause_and_leaves_nothing_owed() -> None:
    session = ready(7, vigorish__collection="deferred", **WAIVER)
    wager(session, (7, "banker", 10000), (7, "four_cards", 10000))
    deal(session, PLAYER_8_BANKER_9)
    events = session.execute(SettleWagers())
    waived = only(events, VigorishWaived)
    assert (waived.seat, set(waived.clauses)) == (7, {"NJ-MINI:7.3(f)2", "NJ-MINI:7.10(b)5"})
    # Even money on Banker, 3 to 2 on four cards.
    assert [paid.cents for paid in every(events, WagerPaid)] == [10000, 15000]
    assert session.state.seats[7].chips_cents == 1_025_000
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(f)2")
@pytest.mark.parametrize(("rate", "due"), [("5%", 500), ("4%", 400)])
def test_who_does_not_earn_the_waiver_pays_the_rate_elected(rate: str, due: int) -> None:
    session = ready(7, vigorish__rate_unwaived=rate, **WAIVER)
    wager(session, (7, "banker", 10000))
    assert settled(session, PLAYER_8_BANKER_9) == [("pay", 7, 10000), ("vigorish", 7, due)]


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(f)2")
def test_the_waiver_goes_by_the_wagers_of_that_round() -> None:
    session = ready(7, **WAIVER)
    wager(session, (7, "banker", 10000), (7, "four_cards", 10000))
    play(session, PLAYER_8_BANKER_9)
    wager(session, (7, "banker", 10000))
    assert ("vigorish", 7, 500) in settled(session, PLAYER_8_BANKER_9)


@pytest.mark.clause("NJ-MINI:7.10(b)5")
@pytest.mark.parametrize("order", ORDERS)
def test_where_six_pays_half_no_vigorish_is_collected_or_marked(order: str) -> None:
    session = ready(2, 5, 7, settlement__order=order, vigorish__scheme="six-pays-half")
    wager(session, (2, "banker", 10000), (7, "banker", 500), (5, "player", 10000))
    assert settled(session, BANKER_6) == [("collect", 5, 10000), ("pay", 7, 250), ("pay", 2, 5000)]
    session.execute(ClearLayout())
    wager(session, (2, "banker", 10000), (7, "banker", 500))
    assert settled(session, BANKER_7) == [("pay", 7, 500), ("pay", 2, 10000)]
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(i)#1")
@pytest.mark.parametrize("order", ORDERS)
def test_in_the_dragon_7_variation_no_vigorish_is_collected_or_marked(order: str) -> None:
    session = ready(2, 5, 7, settlement__order=order, vigorish__scheme="dragon-7")
    wager(session, (2, "banker", 10000), (7, "banker", 500), (5, "dragon_7", 100))
    assert settled(session, BANKER_7) == [("collect", 5, 100), ("pay", 7, 500), ("pay", 2, 10000)]
    session.execute(ClearLayout())
    wager(session, (2, "banker", 10000), (7, "banker", 500), (5, "dragon_7", 100))
    # Forty to one on the dragon 7, and Banker is void.
    assert settled(session, DRAGON_7) == [("pay", 5, 4000)]
    assert session.state.seats[2].chips_cents == 1_010_000


# --- (c): the licensee elects the procedure ----------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(c)")
def test_the_licensee_elects_one_of_the_four_procedures_and_no_other() -> None:
    for order in ORDERS:
        assert rules_of(settlement__order=order).value("settlement.order", str) == order
    with pytest.raises(SubmissionError) as caught:
        rules_of(settlement__order="lowest-seat-first")
    (detail,) = caught.value.errors
    assert detail.where == "settlement.order"
    assert {"NJ-MINI:7.10(b)#2", "NJ-MINI:7.10(c)"} <= set(detail.clauses)


# --- (d): the discard rack ---------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(d)")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        (PLAYER_9_BANKER_8, "9h Kh", "8d Ks"),
        (DRAGON_7, "6h Kh", "4d Ks 3c"),
        ("5h 7d Kh Ks 2c", "5h Kh 2c", "7d Ks"),
        (BANKER_6, "5h Kh Kc", "2d Ks 4c"),
    ],
)
def test_the_cards_of_a_round_are_discarded_so_that_both_hands_can_be_shown_again(
    cards: str, player: str, banker: str
) -> None:
    session = ready(1)
    deal(session, cards)
    session.execute(SettleWagers())
    (cleared,) = session.execute(ClearLayout())
    assert isinstance(cleared, LayoutCleared)
    assert (cleared.player, cleared.banker) == (parse_cards(player), parse_cards(banker))
    assert (cleared.round, cleared.simulated, cleared.counted) == (1, False, True)
    assert cleared.clauses == ("NJ-MINI:7.10(d)",)
    assert session.state.round is None
    assert session.state.phase is Phase.BETTING


@pytest.mark.clause("NJ-MINI:7.10(d)")
def test_a_card_that_went_to_banker_by_an_irregularity_is_discarded_with_bankers_hand() -> None:
    session = ready(1)
    deal(session, "6h 4d Kh Ks")
    session.execute(acts.DrawCardInError(Card.of("3c"), disclosed=True, dealt_to=PLAYER))
    session.execute(SettleWagers())
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert (cleared.player, cleared.banker) == (parse_cards("6h Kh"), parse_cards("4d Ks 3c"))


@pytest.mark.clause("NJ-MINI:7.10(d)")
def test_the_layout_is_cleared_only_when_the_wagers_are_settled_and_only_once() -> None:
    session = ready(1)
    assert refused(session, ClearLayout(), "not_now").clauses == ()
    deal(session, PLAYER_9_BANKER_8)
    assert refused(session, ClearLayout(), "not_now").clauses == ()
    session.execute(SettleWagers())
    refused(session, acts.CallNoMoreBets(), "not_now")
    session.execute(ClearLayout())
    assert refused(session, ClearLayout(), "not_now").clauses == ()


# --- (e): hands off the cards ------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(e)#1", "NJ-MINI:7.10(e)#2")
@pytest.mark.parametrize("option", ["face-up", "face-down"])
@pytest.mark.parametrize("seat", [1, 2, 9])
@pytest.mark.parametrize("hand", Hand)
def test_where_hands_are_not_handed_over_nobody_handles_a_card(
    option: str, seat: int, hand: Hand
) -> None:
    session = ready(1, 2, deal__option=option)
    wager(session, (1, "player", 10000), (2, "banker", 10000))
    deal(session, "2h 3d Kh Ks")
    clauses = refused(session, ReturnCards(seat, hand), "hands_off").clauses
    assert {"NJ-MINI:7.10(e)#1", "NJ-MINI:7.10(e)#2"} <= set(clauses)
    # Nor does the dealer hand them out.
    refused(session, HandCards(PLAYER), "not_next" if option == "face-up" else "no_holder")


@pytest.mark.clause("NJ-MINI:7.10(e)#1", "NJ-MINI:7.10(e)#2")
def test_a_hand_that_was_taken_from_its_holder_is_out_of_his_hands() -> None:
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", 10000))
    deal(session, "2h 3d Kh Ks")
    session.execute(HandCards(PLAYER))
    session.execute(acts.RequireRelinquishment(1, PLAYER, "floorperson", "violation"))
    clauses = refused(session, ReturnCards(1, PLAYER), "hands_off").clauses
    assert {"NJ-MINI:7.10(e)#1", "NJ-MINI:7.10(e)#2"} <= set(clauses)


@pytest.mark.clause("NJ-MINI:7.10(e)#1")
def test_no_card_changes_hands_between_the_deal_and_the_rack() -> None:
    session = ready(1)
    events = play(session, BANKER_6)
    dealt = every(events, CardDealt)
    cleared = only(events, LayoutCleared)
    assert cleared.player == tuple(card.card for card in dealt if card.hand is PLAYER)
    assert cleared.banker == tuple(card.card for card in dealt if card.hand is BANKER)
