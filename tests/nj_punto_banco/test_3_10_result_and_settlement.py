"""19:47-3.10: the result announced; wagers collected and paid, vigorish taken, in order."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    Event,
    LosingWagersCollected,
    ResultAnnounced,
    SettleWagers,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    VigorishWaived,
    WagerPaid,
)
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.punto_banco import BANKER_WINS, PLAYER_WINS, TIE, deal, errors_of, ready
from support.table import every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
BANKER_6 = "5h 2d Kh Ks Kc 4c"  # Player 5 draws a king, Banker 2 a four.
DRAGON_7 = "6h 4d Kh Ks 3c"  # Player stays on 6, Banker 4 draws a 3.

ORDERS: Final = {
    "payments-first": "NJ-PB:3.10(b)1",
    "vigorish-first": "NJ-PB:3.10(b)2",
    "payment-then-vigorish": "NJ-PB:3.10(b)3",
    "vigorish-then-payment": "NJ-PB:3.10(b)4",
}

Move = tuple[str, int, int]


def moves(events: tuple[Event, ...]) -> list[Move]:
    """What a settlement did, in order: the act, the seat and the cents."""
    done: list[Move] = []
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


def settled(session: TableSession, cards: str) -> list[Move]:
    """Deal a round and settle it; return what the settlement did."""
    deal(session, cards)
    return moves(session.execute(SettleWagers()))


# --- (a): the result ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.10(a)#1")
@pytest.mark.parametrize(
    ("cards", "counts", "winner", "words"),
    [
        (PLAYER_WINS, (9, 8), PLAYER, "Player 9, Banker 8, Player wins"),
        (BANKER_WINS, (8, 9), BANKER, "Player 8, Banker 9, Banker wins"),
        (BANKER_6, (5, 6), BANKER, "Player 5, Banker 6, Banker wins"),
    ],
)
def test_the_final_counts_and_the_winner_are_announced_after_the_last_card(
    cards: str, counts: tuple[int, int], winner: Hand, words: str
) -> None:
    events = deal(ready(1), cards)
    result = events[-1]
    assert isinstance(result, ResultAnnounced)
    assert len(every(events, ResultAnnounced)) == 1
    assert (result.player_count, result.banker_count) == counts
    assert (result.winner, result.words, result.clauses) == (winner, words, ("NJ-PB:3.10(a)#1",))


@pytest.mark.clause("NJ-PB:3.10(a)#2")
@pytest.mark.parametrize(("cards", "count"), [(TIE, 8), ("6h 6d Kh Ks", 6)])
def test_equal_counts_are_announced_as_a_tie_hand(cards: str, count: int) -> None:
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert (result.winner, result.words) == (None, f"Player {count}, Banker {count}, Tie Hand")
    assert result.clauses == ("NJ-PB:3.10(a)#1", "NJ-PB:3.10(a)#2")


@pytest.mark.clause("NJ-PB:3.10(a)#3")
@pytest.mark.parametrize("offered", [True, False])
@pytest.mark.parametrize(
    ("cards", "word"),
    [(PLAYER_WINS, "four cards"), (DRAGON_7, "five cards"), (BANKER_6, "six cards")],
)
def test_the_number_of_cards_is_announced_where_wagers_on_it_are_offered(
    cards: str, word: str, *, offered: bool
) -> None:
    result = only(deal(ready(1, wagers__total_cards__offered=offered), cards), ResultAnnounced)
    assert result.words.endswith(f", {word}") is offered
    assert ("NJ-PB:3.10(a)#3" in result.clauses) is offered


@pytest.mark.clause("NJ-PB:3.10(a)#4")
@pytest.mark.parametrize("scheme", ["dragon-7", "5%", "six-pays-half"])
def test_a_dragon_7_hand_is_announced_in_that_variation_and_in_no_other(scheme: str) -> None:
    result = only(deal(ready(1, vigorish__scheme=scheme), DRAGON_7), ResultAnnounced)
    assert result.words.endswith("Banker wins, dragon 7") is (scheme == "dragon-7")
    assert ("NJ-PB:3.10(a)#4" in result.clauses) is (scheme == "dragon-7")


@pytest.mark.clause("NJ-PB:3.10(a)#4")
@pytest.mark.parametrize(
    "cards", ["6h 7d Kh Ks", "7h 4d Kh Ks 3c", "2h 4d Kh Ks 6c 3d", "6h 5d Kh Ks 3c"]
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
        (4, "banker", 20_000),
        (1, "player", 1_100),
        (5, "tie", 5_500),
        (7, "banker", 10_000),
        (2, "banker", 30_000),
        (6, "player", 6_600),
        (7, "tie", 700),
    )
    return session


COLLECTED: Final = [
    ("collect", 7, 700),
    ("collect", 6, 6_600),
    ("collect", 5, 5_500),
    ("collect", 1, 1_100),
]
# Five percent of 100, 200 and 300 dollars is 5, 10 and 15 dollars.
PAID_7, PAID_4, PAID_2 = ("pay", 7, 10_000), ("pay", 4, 20_000), ("pay", 2, 30_000)
TAKEN_7, TAKEN_4, TAKEN_2 = ("vigorish", 7, 500), ("vigorish", 4, 1_000), ("vigorish", 2, 1_500)
# The four procedures as they are printed.
PRINTED: Final[dict[str, list[Move]]] = {
    "payments-first": [PAID_7, PAID_4, PAID_2, TAKEN_7, TAKEN_4, TAKEN_2],
    "vigorish-first": [TAKEN_7, TAKEN_4, TAKEN_2, PAID_7, PAID_4, PAID_2],
    "payment-then-vigorish": [PAID_7, TAKEN_7, PAID_4, TAKEN_4, PAID_2, TAKEN_2],
    "vigorish-then-payment": [TAKEN_7, PAID_7, TAKEN_4, PAID_4, TAKEN_2, PAID_2],
}


@pytest.mark.clause(
    "NJ-PB:3.10(b)#1",
    "NJ-PB:3.10(b)#2",
    "NJ-PB:3.10(b)1",
    "NJ-PB:3.10(b)2",
    "NJ-PB:3.10(b)3",
    "NJ-PB:3.10(b)4",
)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("numbering", ["counterclockwise", "clockwise"])
@pytest.mark.parametrize("collection", ["at-once", "deferred"])
def test_losers_are_collected_and_then_winners_paid_and_vigorish_taken_or_marked_in_order(
    order: str, numbering: str, collection: str
) -> None:
    session = banker_at_7_4_2(
        order, layout=TableLayout(numbering=numbering), vigorish__collection=collection
    )
    act = "vigorish" if collection == "at-once" else "mark"
    expected = [(act if one[0] == "vigorish" else one[0], *one[1:]) for one in PRINTED[order]]
    assert settled(session, BANKER_WINS) == [*COLLECTED, *expected]


@pytest.mark.clause("NJ-PB:3.10(b)#1")
def test_losing_wagers_are_collected_for_the_clauses_by_which_they_lost() -> None:
    session = banker_at_7_4_2("payments-first")
    deal(session, BANKER_WINS)
    lost = only(session.execute(SettleWagers()), LosingWagersCollected)
    assert lost.clauses == ("NJ-PB:3.10(b)#1", "NJ-PB:3.2(a)3", "NJ-PB:3.2(a)2.ii")


@pytest.mark.clause(
    "NJ-PB:3.10(b)1", "NJ-PB:3.10(b)2", "NJ-PB:3.10(b)3", "NJ-PB:3.10(b)4", "NJ-PB:3.10(c)"
)
@pytest.mark.parametrize(("order", "clause"), ORDERS.items())
def test_each_payment_and_each_vigorish_names_the_procedure_that_the_licensee_elected(
    order: str, clause: str
) -> None:
    session = banker_at_7_4_2(order)
    deal(session, BANKER_WINS)
    events = session.execute(SettleWagers())
    steps = [*every(events, WagerPaid), *every(events, VigorishCollected)]
    assert len(steps) == 6
    assert all(set(step.clauses) & set(ORDERS.values()) == {clause} for step in steps)


@pytest.mark.clause("NJ-PB:3.10(b)#2", "NJ-PB:3.10(c)")
def test_there_is_no_fifth_procedure() -> None:
    (detail,) = errors_of(settlement__order="lowest-seat-first")
    assert detail.where == "settlement.order"
    assert {"NJ-PB:3.10(b)#2", "NJ-PB:3.10(c)"} <= set(detail.clauses)


@pytest.mark.clause("NJ-PB:3.10(b)#2")
def test_winning_and_void_stakes_go_back_to_their_owners() -> None:
    session = ready(1, 4)
    wager(session, (1, "tie", 100), (4, "player", 10_000), (4, "banker", 2_000))
    deal(session, TIE)
    released = only(session.execute(SettleWagers()), StakesReleased).stakes
    assert [(one.seat, one.wager, one.outcome, one.cents) for one in released] == [
        (4, "player", "push", 10_000),
        (4, "banker", "push", 2_000),
        (1, "tie", "win", 100),
    ]
    assert session.state.stakes == {}


@pytest.mark.clause("NJ-PB:3.10(b)#1")
def test_wagers_are_settled_once_and_only_after_the_result() -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000))
    deal(session, "9h 8d")
    assert refused(session, SettleWagers(), "not_now").clauses == ()
    deal(session, "Kh Ks")
    refused(session, acts.ClearLayout(), "not_now")
    session.execute(SettleWagers())
    assert refused(session, SettleWagers(), "not_now").clauses == ()
    assert session.state.phase is Phase.SETTLED
    assert session.state.seats[1].chips_cents == 1_010_000


@pytest.mark.clause("NJ-PB:3.10(b)5", "NJ-PB:3.3(e)#1", "NJ-PB:3.3(c)#1")
@pytest.mark.parametrize(("order", "clause"), ORDERS.items())
@pytest.mark.parametrize(
    ("scheme", "paid_under"),
    [("six-pays-half", "NJ-PB:3.3(e)#1"), ("dragon-7", "NJ-PB:3.3(c)#1")],
)
def test_variations_without_vigorish_pay_in_the_elected_order_and_collect_none(
    scheme: str, paid_under: str, order: str, clause: str
) -> None:
    session = banker_at_7_4_2(order, vigorish__scheme=scheme)
    deal(session, BANKER_WINS)
    events = session.execute(SettleWagers())
    assert moves(events) == [*COLLECTED, PAID_7, PAID_4, PAID_2]
    for paid in every(events, WagerPaid):
        assert paid.clauses == (clause, "NJ-PB:3.10(b)5", "NJ-PB:3.2(a)1.i", paid_under)


@pytest.mark.clause("NJ-PB:3.10(b)5")
@pytest.mark.parametrize("scheme", ["5%", "4%"])
def test_a_table_that_takes_vigorish_is_none_of_those_variations(scheme: str) -> None:
    session = banker_at_7_4_2("payments-first", vigorish__scheme=scheme)
    deal(session, BANKER_WINS)
    paid = every(session.execute(SettleWagers()), WagerPaid)
    assert not any("NJ-PB:3.10(b)5" in one.clauses for one in paid)


@pytest.mark.clause("NJ-PB:3.10(b)5", "NJ-PB:3.3(e)2")
def test_under_the_waiver_vigorish_is_left_out_for_those_who_earn_it_alone() -> None:
    session = ready(2, 4, 7, vigorish__scheme="total-cards", wagers__total_cards__offered=True)
    wager(
        session,
        *((7, "banker", 10_000), (7, "five_cards", 6_000), (7, "six_cards", 4_000)),
        *((4, "banker", 10_000), (4, "six_cards", 9_998)),
        (2, "banker", 20_000),
    )
    assert settled(session, BANKER_WINS) == [
        ("collect", 7, 6_000),
        ("collect", 7, 4_000),
        ("collect", 4, 9_998),
        ("pay", 7, 10_000),
        ("waive", 7, 0),
        ("pay", 4, 10_000),
        ("vigorish", 4, 500),
        ("pay", 2, 20_000),
        ("vigorish", 2, 1_000),
    ]
