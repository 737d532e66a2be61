"""Sections 2(a), 3(a), 3(b) and 6: seats, decks, batches, and what the cards count."""

from __future__ import annotations

import pytest

from croupier import acts
from croupier.acts import BatchesExchanged, Event, PointCountAnnounced, ShoeLoaded
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import point_count
from croupier.rules import TableLayout
from croupier.table import Phase
from support.cases import each
from support.games import advance
from support.massachusetts import (
    SHUFFLER,
    arriving,
    at,
    deal,
    errors_of,
    load_short_shoe,
    ma,
    play_out,
    ready,
    rules_of,
    shoe_completed,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# --- 2(a): seats -------------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:2(a)")
@pytest.mark.parametrize("seats", [1, 6, 9])
def test_a_table_has_at_most_nine_seats_and_they_are_numbered_from_one(seats: int) -> None:
    session = arriving(rules_of(TableLayout(seats=seats)))
    for seat in range(1, seats + 1):
        session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
    for nowhere in (0, seats + 1):
        refused(session, acts.SeatPatron(nowhere, "Nobody"), "no_seat")


@pytest.mark.clause("MA-MINI:2(a)")
def test_ten_seats_are_too_many() -> None:
    assert errors_of(layout=TableLayout(seats=10)) == {("layout.seats", ma("2(a)"))}


# --- 3(a) and (b): decks -----------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:3(a)#1")
@pytest.mark.parametrize("decks", [6, 7, 8])
def test_six_to_eight_decks_are_in_play(decks: int) -> None:
    session = at(Phase.TO_LOAD, decks=decks)
    assert only(session.execute(acts.LoadShoe()), ShoeLoaded).decks == decks
    advance(session, Phase.BETTING)
    # Less the ace and the one card more of the burn.
    assert session.state.shoe.remaining == 52 * decks - 2


@pytest.mark.clause("MA-MINI:3(a)#1")
def test_five_decks_are_too_few_and_nine_too_many_without_a_shuffler() -> None:
    # Five are out of every bound of this text; nine only where there is no shuffler.
    assert errors_of(decks=5) == {("decks", ma("3(a)#1", "3(b)"))}
    for decks in (9, 12, 16):
        assert errors_of(decks=decks) == {("decks", ma("3(a)#1"))}
    continuous = {"device": "continuous", "device__approval": "Order 1"}
    assert errors_of(decks=12, **continuous) == {("decks", ma("3(a)#1"))}


@pytest.mark.clause("MA-MINI:3(a)#1")
def test_as_many_decks_are_received_as_the_licensee_has_elected() -> None:
    session = arriving(rules_of(decks=7))
    for decks in (6, 8):
        assert refused(session, acts.ReceiveCards(decks), "decks").clauses == ()
    session.execute(acts.ReceiveCards(7))


@pytest.mark.clause("MA-MINI:3(b)")
@pytest.mark.parametrize("decks", [12, 14, 16])
def test_with_a_shuffler_twelve_to_sixteen_decks_are_in_play(decks: int) -> None:
    rules = rules_of(device="shuffler", decks=decks)
    assert (rules.batches, rules.decks_per_shoe) == (2, decks // 2)


@pytest.mark.clause("MA-MINI:3(b)")
@pytest.mark.parametrize("decks", [6, 8, 10])
def test_with_a_shuffler_fewer_than_twelve_decks_are_refused(decks: int) -> None:
    assert errors_of(device="shuffler", decks=decks) == {("decks", ma("3(b)"))}


@pytest.mark.clause("MA-MINI:3(b)")
def test_more_than_sixteen_decks_are_too_many_with_a_shuffler_too() -> None:
    errors = errors_of(device="shuffler", decks=18)
    assert errors == {("decks", ma("3(a)#1", "3(b)"))}


@pytest.mark.clause("MA-MINI:3(b)(1)")
@pytest.mark.parametrize("decks", [13, 15])
def test_an_odd_number_of_decks_makes_no_equal_batches(decks: int) -> None:
    assert errors_of(device="shuffler", decks=decks) == {("decks", ma("3(b)(1)"))}


@pytest.mark.clause("MA-MINI:3(b)(1)")
def test_each_shoe_holds_one_of_two_equal_batches() -> None:
    session = at(Phase.TO_LOAD, device="shuffler", decks=14)
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.decks, session.state.shoe.remaining) == (7, 364)


@pytest.mark.clause("MA-MINI:3(a)#3", "MA-MINI:5(d)#2")
def test_two_cover_cards_go_with_the_decks_and_the_licensee_does_not_choose_how_many() -> None:
    assert rules_of().value("cutting_cards", int) == 2
    assert errors_of(cutting_cards=1) == {("cutting_cards", ma("3(a)#3"))}


# --- 3(b)(3) to (5): batches -------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:3(b)(3)")
def test_while_one_batch_is_dealt_the_other_lies_shuffled_in_the_device() -> None:
    session = at(Phase.TO_EXCHANGE, **SHUFFLER)
    seen: set[tuple[int, int | None]] = set()

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command, events
        if session.state.round is not None:
            seen.add((session.state.shoe.batch, session.state.in_device))

    session.listeners.append(listen)
    for _ in range(3):
        load_short_shoe(session)
        play_out(session)
        session.execute(acts.ExchangeBatches())
    assert seen == {(1, 2), (2, 1)}


@pytest.mark.clause("MA-MINI:3(b)(3)", "MA-MINI:3(b)(4)")
def test_a_batch_goes_into_the_shuffler_and_is_not_shuffled_by_hand() -> None:
    session = shoe_completed(1, **SHUFFLER)
    for command in (acts.ShuffleCards(), acts.DirectShuffle("Flo")):
        code = "exchange" if isinstance(command, acts.ShuffleCards) else "not_now"
        refused(session, command, code)
    assert refused(session, acts.ShuffleCards(), "exchange").clauses == ma("3(b)(3)", "3(b)(4)")
    assert due(session) == {acts.ExchangeBatches}


@pytest.mark.clause("MA-MINI:3(b)(4)")
def test_each_batch_is_used_for_every_other_shoe() -> None:
    session = at(Phase.TO_EXCHANGE, **SHUFFLER)
    loaded: list[tuple[int, int]] = []

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command
        loaded.extend((one.shoe, one.batch) for one in every(events, ShoeLoaded))

    session.listeners.append(listen)
    for _ in range(4):
        load_short_shoe(session)
        play_out(session)
    assert loaded == [(1, 1), (2, 2), (3, 1), (4, 2)]


@pytest.mark.clause("MA-MINI:3(b)(5)")
def test_the_rack_holds_the_cards_of_one_batch_as_they_change_places_before_a_card_is_out() -> None:
    session = shoe_completed(1, **SHUFFLER)
    for command in (acts.CallNoMoreBets(), acts.CutStack(100), acts.LoadShoe()):
        refused(session, command, "not_now")
    exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (exchanged.into_device, exchanged.out_of_device) == (1, 2)
    assert exchanged.clauses == ma("3(b)(3)", "3(b)(4)", "3(b)(5)")
    load_short_shoe(session)
    # Only cards of the second batch are out of this shoe: the two of its burn.
    assert (session.state.shoe.batch, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("MA-MINI:3(b)(5)")
def test_batches_do_not_change_places_while_cards_are_in_play_or_in_the_rack() -> None:
    session = ready(1, **SHUFFLER)
    assert refused(session, acts.ExchangeBatches(), "not_now").clauses == ()
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    refused(session, acts.ExchangeBatches(), "not_now")


@pytest.mark.clause("MA-MINI:3(b)")
def test_a_table_without_a_shuffler_has_no_batches_to_exchange() -> None:
    session = shoe_completed(1)
    assert refused(session, acts.ExchangeBatches(), "no_device").clauses == ()


# --- 6: what the cards count -------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:6(a)(1)")
@each("suit", "cdhs")
@each("number", range(2, 10))
def test_two_to_nine_have_their_face_value(number: int, suit: str) -> None:
    assert point_count([Card.of(f"{number}{suit}")]) == number
    assert rules_of().value("cards.values", dict)[str(number)] == number


@pytest.mark.clause("MA-MINI:6(a)(2)")
@each("suit", "cdhs")
@each("rank", "TJQK")
def test_ten_jack_queen_and_king_have_the_value_zero(rank: str, suit: str) -> None:
    assert point_count([Card.of(f"{rank}{suit}")]) == 0
    assert rules_of().value("cards.values", dict)[rank] == 0


@pytest.mark.clause("MA-MINI:6(a)(3)")
@pytest.mark.parametrize("suit", "cdhs")
def test_an_ace_has_the_value_one(suit: str) -> None:
    assert point_count([Card.of(f"A{suit}")]) == 1
    assert rules_of().value("cards.values", dict)["A"] == 1


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("MA-MINI:6(b)")
def test_the_point_count_of_any_two_cards_is_the_right_digit_of_their_total() -> None:
    values = {rank: min(at, 10) % 10 for at, rank in enumerate("A23456789TJQK", start=1)}
    for first in DECK:
        for second in DECK:
            total = values[str(first)[0]] + values[str(second)[0]]
            assert point_count([first, second]) == int(str(total)[-1])


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("MA-MINI:6(b)(1)")
def test_an_ace_a_two_and_a_four_have_the_point_count_seven() -> None:
    assert point_count(parse_cards("Ac 2d 4h")) == 7


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("MA-MINI:6(b)(2)")
def test_an_ace_a_two_and_a_nine_have_the_point_count_two() -> None:
    assert point_count(parse_cards("Ac 2d 9h")) == 2


@pytest.mark.clause("MA-MINI:6(b)")
def test_the_counts_that_are_called_drop_the_left_digit() -> None:
    session = ready(1)
    wager(session, (1, "tie", 100))
    # Nine and seven are sixteen, eight and a king eight.
    called = every(deal(session, "9h 8d 7h Ks"), PointCountAnnounced)
    assert [one.count for one in called] == [6, 8]
