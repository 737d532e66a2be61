"""5324.21(i): the result announced, wagers collected and paid in order, the cards picked up."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    ClearLayout,
    LayoutCleared,
    LosingWagersCollected,
    ResultAnnounced,
    SettleWagers,
    StakesReleased,
    VigorishCollected,
    WagerPaid,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.new_york import (
    BANKER_6,
    CLOCKWISE,
    DRAGON_7,
    PANDA_8,
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    TIE_6,
    TIE_8,
    errors_of,
    ez,
    midi,
    moves,
    ny,
    ready,
    settle,
)
from support.table import deal, every, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

ORDERS: Final = {
    "payments-first": "(i)(2)(i)",
    "vigorish-first": "(i)(2)(ii)",
    "payment-then-vigorish": "(i)(2)(iii)",
    "vigorish-then-payment": "(i)(2)(iv)",
}


# --- (1): the result ---------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(i)(1)#1")
@pytest.mark.parametrize(
    ("cards", "counts", "winner", "words"),
    [
        (PLAYER_9_BANKER_8, (9, 8), PLAYER, "Player 9, Banker 8, Player wins"),
        (PLAYER_8_BANKER_9, (8, 9), BANKER, "Player 8, Banker 9, Banker wins"),
        (BANKER_6, (5, 6), BANKER, "Player 5, Banker 6, Banker wins"),
        (DRAGON_7, (6, 7), BANKER, "Player 6, Banker 7, Banker wins"),
        (PANDA_8, (8, 7), PLAYER, "Player 8, Banker 7, Player wins"),
    ],
)
def test_the_final_counts_and_the_winner_are_announced(
    cards: str, counts: tuple[int, int], winner: Hand, words: str
) -> None:
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert (result.player_count, result.banker_count, result.winner) == (*counts, winner)
    assert (result.words, result.clauses) == (words, ny("(i)(1)#1"))


@pytest.mark.clause("NY-MINIMIDI:(i)(1)#1")
def test_the_result_comes_after_the_last_card_and_not_before() -> None:
    session = ready(1)
    assert not every(deal(session, "2h 3d Kh Ks 4c"), ResultAnnounced)
    assert refused(session, SettleWagers(), "not_now").clauses == ()
    assert isinstance(deal(session, "5d")[-1], ResultAnnounced)
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NY-MINIMIDI:(i)(1)#2")
@pytest.mark.parametrize("cards", [TIE_8, TIE_6, "7h 4d Kh Ks 3c"])
@pytest.mark.parametrize("table", [ready, ez])
def test_equal_counts_are_announced_as_a_tie_hand(cards: str, table: Any) -> None:
    result = only(deal(table(1), cards), ResultAnnounced)
    assert result.winner is None
    assert result.words.endswith(", tie hand")
    assert result.clauses == ny("(i)(1)#1", "(i)(1)#2")


@pytest.mark.clause("NY-MINIMIDI:(i)(1)#3")
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (DRAGON_7, "Player 6, Banker 7, Banker wins, dragon 7"),
        ("5h 5d Kh Ks 5c 2d", "Player 0, Banker 7, Banker wins, dragon 7"),
        (PANDA_8, "Player 8, Banker 7, Player wins, panda 8"),
        ("2h 3d Kh Ks 6c 4d", "Player 8, Banker 7, Player wins, panda 8"),
    ],
)
def test_at_an_ez_table_a_dragon_7_or_panda_8_is_announced_and_elsewhere_not(
    cards: str, words: str
) -> None:
    result = only(deal(ez(1), cards), ResultAnnounced)
    assert (result.words, result.clauses) == (words, ny("(i)(1)#1", "(i)(1)#3"))
    result = only(deal(ready(1), cards), ResultAnnounced)
    assert (result.words, result.clauses) == (words.rpartition(",")[0], ny("(i)(1)#1"))


@pytest.mark.clause("NY-MINIMIDI:(i)(1)#3")
@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("6h 7d Kh Ks", id="a Banker's seven of two cards"),
        pytest.param("7h 4d Kh Ks 3c", id="a Banker's seven that ties"),
        pytest.param("2h 4d Kh Ks 6c 3d", id="a Banker's seven that loses, to a panda 8"),
        pytest.param("2h 7d Kh Ks 5c", id="a Player's seven of three cards that ties"),
        pytest.param("8h 7d Kh Ks", id="a Player's eight of two cards"),
        pytest.param("2h 2d Kh Ks 6c 6d", id="a Player's eight that ties"),
        pytest.param("6h 5d Kh Ks 3c", id="a Banker's eight of three cards"),
    ],
)
def test_no_other_hand_is_announced_so(cards: str) -> None:
    words = only(deal(ez(1), cards), ResultAnnounced).words
    assert "dragon" not in words
    assert ("panda" in words) is (cards == "2h 4d Kh Ks 6c 3d")


# --- (2): losers first -------------------------------------------------------------------------


def banker_at_7_4_2(order: str | None = None, **elections: Any) -> TableSession:
    """Seats 7, 4 and 2 wager on Banker, seats 6, 5 and 1 on what will lose, and seat 3 nothing."""
    if order is not None:
        elections["settlement__order"] = order
    session = ready(*range(1, 8), **elections)
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
    deal(session, PLAYER_8_BANKER_9)
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

WALKS: Final = {
    "payments-first": [PAID_7, PAID_4, PAID_2, TAKEN_7, TAKEN_4, TAKEN_2],
    "vigorish-first": [TAKEN_7, TAKEN_4, TAKEN_2, PAID_7, PAID_4, PAID_2],
    "payment-then-vigorish": [PAID_7, TAKEN_7, PAID_4, TAKEN_4, PAID_2, TAKEN_2],
    "vigorish-then-payment": [TAKEN_7, PAID_7, TAKEN_4, PAID_4, TAKEN_2, PAID_2],
}


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#1")
@pytest.mark.parametrize("order", ORDERS)
def test_every_losing_wager_is_collected_before_any_is_paid(order: str) -> None:
    events = banker_at_7_4_2(order).execute(SettleWagers())
    assert moves(events)[:4] == COLLECTED
    assert not any(act == "collect" for act, _, _ in moves(events)[4:])
    lost = only(events, LosingWagersCollected)
    # The clause of the collection, then those by which the Tie and the Player wagers lost.
    assert lost.clauses == ny("(i)(2)#1", "(b)(1)(iii)", "(b)(1)(ii)(b)")


# --- (2)(i) to (iv) and (3): the four orders ---------------------------------------------------


@pytest.mark.clause(
    "NY-MINIMIDI:(i)(2)#2",
    "NY-MINIMIDI:(i)(2)(i)",
    "NY-MINIMIDI:(i)(2)(ii)",
    "NY-MINIMIDI:(i)(2)(iii)",
    "NY-MINIMIDI:(i)(2)(iv)",
    "NY-MINIMIDI:(i)(3)",
)
@pytest.mark.parametrize("layout", [None, CLOCKWISE])
@pytest.mark.parametrize(("order", "section"), ORDERS.items())
def test_winners_are_paid_and_vigorish_is_taken_from_the_highest_seat_down_as_elected(
    order: str, section: str, layout: Any
) -> None:
    events = banker_at_7_4_2(order, layout=layout).execute(SettleWagers())
    assert moves(events)[4:] == WALKS[order]
    steps = [*every(events, WagerPaid), *every(events, VigorishCollected)]
    assert [step.clauses[0] for step in steps] == list(ny(section)) * 6


@pytest.mark.clause("NY-MINIMIDI:(i)(2)(i)", "NY-MINIMIDI:(i)(2)(iv)", "NY-MINIMIDI:(c)(3)(ii)#3")
@pytest.mark.parametrize("order", ORDERS)
def test_deferred_vigorish_is_marked_where_it_would_be_collected(order: str) -> None:
    events = banker_at_7_4_2(order, vigorish__collection="deferred").execute(SettleWagers())
    assert moves(events)[4:] == [
        ("mark" if act == "vigorish" else act, seat, cents) for act, seat, cents in WALKS[order]
    ]


@pytest.mark.clause("NY-MINIMIDI:(i)(2)(i)", "NY-MINIMIDI:(i)(2)(ii)", "NY-MINIMIDI:(c)(4)#2")
@pytest.mark.parametrize("order", ORDERS)
def test_vigorish_on_ties_is_taken_in_the_same_order(order: str) -> None:
    session = ready(2, 5, vigorish__scheme="tie-25%", settlement__order=order)
    stakes = [
        (seat, name, cents) for seat in (2, 5) for name, cents in (("banker", 400), ("tie", 100))
    ]
    done = moves(settle(session, TIE_8, *stakes))
    paid_5, paid_2 = ("pay", 5, 800), ("pay", 2, 800)
    taken_5, taken_2 = ("vigorish", 5, 100), ("vigorish", 2, 100)
    assert (
        done
        == {
            "payments-first": [paid_5, paid_2, taken_5, taken_2],
            "vigorish-first": [taken_5, taken_2, paid_5, paid_2],
            "payment-then-vigorish": [paid_5, taken_5, paid_2, taken_2],
            "vigorish-then-payment": [taken_5, paid_5, taken_2, paid_2],
        }[order]
    )


@pytest.mark.clause("NY-MINIMIDI:(i)(2)(iii)")
def test_all_of_a_seats_winning_wagers_are_paid_before_its_vigorish() -> None:
    session = ready(3, 5, wagers__bonus__offered=True)
    stakes = [(3, "banker", 10_000), (5, "banker", 20_000), (5, "bonus_banker", 1_000)]
    # A natural nine against a natural eight pays the bonus even money, and it bears no vigorish.
    assert moves(settle(session, PLAYER_8_BANKER_9, *stakes)) == [
        ("pay", 5, 20_000),
        ("pay", 5, 1_000),
        ("vigorish", 5, 1_000),
        ("pay", 3, 10_000),
        ("vigorish", 3, 500),
    ]


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#2")
def test_no_fifth_order_is_offered() -> None:
    detail = errors_of(settlement__order="lowest-first")["settlement.order"]
    assert detail.clauses[0] == "NY-MINIMIDI:(i)(2)#2"


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#2", "NY-MINIMIDI:(c)(6)#1")
@pytest.mark.parametrize(("order", "section"), ORDERS.items())
def test_where_six_pays_half_the_elected_order_holds(order: str, section: str) -> None:
    session = banker_at_7_4_2(
        order, vigorish__scheme="six-pays-half", vigorish__posting="approved sign"
    )
    events = session.execute(SettleWagers())
    assert moves(events)[4:] == [PAID_7, PAID_4, PAID_2]
    for paid in every(events, WagerPaid):
        assert paid.clauses == ny(section, "(b)(1)(i)(a)", "(c)(6)#1")


# --- (2): EZ tables are outside all orders -----------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#2")
def test_an_ez_table_elects_no_order() -> None:
    detail = errors_of(vigorish__scheme="dragon-7", settlement__order="payments-first")[
        "settlement.order"
    ]
    assert detail.clauses[0] == "NY-MINIMIDI:(i)(2)#2"
    assert detail.message.startswith("does not apply here")


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#2", "NY-MINIMIDI:(i)(2)#1")
def test_an_ez_table_collects_losers_and_pays_from_the_highest_seat_down() -> None:
    events = banker_at_7_4_2(vigorish__scheme="dragon-7").execute(SettleWagers())
    assert moves(events) == [*COLLECTED, PAID_7, PAID_4, PAID_2]
    for paid in every(events, WagerPaid):
        assert paid.clauses == ny("(i)(2)#2", "(b)(1)(i)(a)", "(c)(3)#1")


@pytest.mark.clause("NY-MINIMIDI:(i)(2)#1")
def test_winning_and_void_stakes_go_back_to_their_owners() -> None:
    session = ready(1, 4)
    stakes = [(1, "tie", 100), (4, "player", 10_000), (4, "banker", 2_000)]
    events = settle(session, TIE_8, *stakes)
    released = only(events, StakesReleased).stakes
    assert [(one.seat, one.wager, one.outcome, one.cents) for one in released] == [
        (4, "player", "push", 10_000),
        (4, "banker", "push", 2_000),
        (1, "tie", "win", 100),
    ]
    assert session.state.stakes == {}


# --- (4): the cards are picked up --------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(i)(4)")
@pytest.mark.parametrize("table", [ready, ez])
def test_the_cards_are_picked_up_hand_by_hand_in_the_order_of_the_deal(table: Any) -> None:
    session = table(1)
    dealt = every(deal(session, BANKER_6), CardDealt)
    session.execute(SettleWagers())
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert cleared.clauses == ny("(i)(4)")
    assert cleared.player == parse_cards("5h Kh Kc")
    assert cleared.banker == parse_cards("2d Ks 4c")
    for hand, cards in ((PLAYER, cleared.player), (BANKER, cleared.banker)):
        assert cards == tuple(one.card for one in dealt if one.hand is hand)


@pytest.mark.clause("NY-MINIMIDI:(i)(4)")
def test_the_rack_is_where_they_go_and_the_next_round_waits_for_it() -> None:
    session = ready(1)
    assert session.rules.value("discard.place", str) == "discard rack"
    deal(session, PLAYER_9_BANKER_8)
    assert refused(session, ClearLayout(), "not_now").clauses == ()
    session.execute(SettleWagers())
    refused(session, acts.CallNoMoreBets(), "not_now")
    refused(session, acts.DrawCard(Card.of("2c")), "no_card_due")
    session.execute(ClearLayout())
    session.execute(acts.CallNoMoreBets())


@pytest.mark.clause("NY-MINIMIDI:(i)(4)", "NY-MINIMIDI:(i)(1)#1")
def test_midi_rounds_are_announced_and_picked_up_alike() -> None:
    session = midi(1)
    wager(session, (1, "banker", 10_000))
    deal(session, PLAYER_8_BANKER_9)
    session.execute(acts.TurnHand(PLAYER))
    session.execute(acts.HandCards(BANKER))
    result = only(session.execute(acts.ReturnCards(1, BANKER)), ResultAnnounced)
    assert (result.words, result.clauses) == ("Player 8, Banker 9, Banker wins", ny("(i)(1)#1"))
    assert moves(session.execute(SettleWagers())) == [("pay", 1, 10_000), ("vigorish", 1, 500)]
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert (cleared.player, cleared.clauses) == (parse_cards("8h Kh"), ny("(i)(4)"))
