"""5324.21(a): the decks, the cover cards, the values; two batches that take turns."""

from datetime import date
from typing import Final

import pytest

from croupier import acts
from croupier.acts import BatchesExchanged, CardsStacked, CutOffered, Event, ShoeLoaded
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import point_count
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.new_york import PLAYER_9_BANKER_8, at, errors_of, ny, open_table, ready, rules_of
from support.table import due, load_short_shoe, only, play_out, refused

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

ALTERNATION: Final = ny("(a)(4)(iv)(c)", "(a)(4)(iv)(d)", "(a)(4)(iv)(e)")


# --- (4)(i): the decks -------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(i)#1")
@pytest.mark.parametrize("decks", [1, 5])
def test_fewer_than_six_decks_are_refused(decks: int) -> None:
    detail = errors_of(decks=decks)["decks"]
    assert detail.clauses == ny("(a)(4)(i)#1")
    assert detail.message == f"{decks} is below the minimum of 6"


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(i)#1")
@pytest.mark.parametrize("decks", [6, 7, 8, 13])
def test_six_decks_suffice_and_there_is_no_most(decks: int) -> None:
    rules = rules_of(decks=decks)
    assert rules.decks_per_shoe == decks
    session = open_table(rules, 1)
    advance(session, Phase.TO_BURN)
    assert session.state.shoe.remaining == decks * 52


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(i)#1", "NY-MINIMIDI:(d)")
def test_a_table_receives_as_many_decks_as_were_elected() -> None:
    session = TableSession(rules_of(decks=6))
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2024, 11, 2)))
    refusal = refused(session, acts.ReceiveCards(8), "decks")
    assert refusal.clauses == ()


# --- (4)(i): two cover cards -------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(i)#2")
def test_two_cover_cards_go_with_the_decks_and_the_licensee_does_not_choose() -> None:
    assert rules_of().value("cutting_cards", int) == 2
    assert errors_of(cutting_cards=1)["cutting_cards"].clauses == ny("(a)(4)(i)#2")


# --- (4)(ii) and (iii): values and point counts ------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(ii)(a)")
@pytest.mark.parametrize("number", range(2, 10))
def test_two_to_nine_have_their_face_value(number: int) -> None:
    assert rules_of().value("cards.values", dict)[str(number)] == number
    assert [point_count([Card.of(f"{number}{suit}")]) for suit in "cdhs"] == [number] * 4


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(ii)(b)")
@pytest.mark.parametrize("rank", "TJQK")
def test_ten_jack_queen_and_king_count_nothing(rank: str) -> None:
    assert rules_of().value("cards.values", dict)[rank] == 0
    assert [point_count([Card.of(f"{rank}{suit}")]) for suit in "cdhs"] == [0] * 4


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(ii)(c)")
def test_an_ace_counts_one() -> None:
    assert rules_of().value("cards.values", dict)["A"] == 1
    assert [point_count([Card.of(f"A{suit}")]) for suit in "cdhs"] == [1] * 4


@pytest.mark.clause(
    "NY-MINIMIDI:(a)(4)(ii)(a)", "NY-MINIMIDI:(a)(4)(ii)(b)", "NY-MINIMIDI:(a)(4)(ii)(c)"
)
def test_every_card_of_a_deck_has_a_value_in_the_law() -> None:
    values = rules_of().value("cards.values", dict)
    assert [point_count([card]) for card in DECK] == [values[card.rank.value] for card in DECK]


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iii)")
@pytest.mark.parametrize(
    ("cards", "count"),
    [
        ("2c 3d", 5),
        ("4c 5d", 9),
        ("5c 5d", 0),  # Ten: the left digit is discarded.
        ("9c 8d", 7),
        ("9c 9d 9h", 7),  # Twenty-seven.
        ("Kc 6d 9h", 5),
        ("Ac Td", 1),
    ],
)
def test_of_a_sum_of_two_digits_the_left_one_is_discarded(cards: str, count: int) -> None:
    assert point_count(parse_cards(cards)) == count


# --- (4)(iv): two batches ----------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)")
@pytest.mark.parametrize("decks", [6, 8, 10])
def test_a_shuffler_takes_two_sets_of_six_decks_or_more(decks: int) -> None:
    detail = errors_of(device="shuffler", decks=decks)["decks"]
    assert detail.clauses == ny("(a)(4)(iv)")
    assert detail.message.endswith("an automated shuffler takes two sets of six decks or more")


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)", "NY-MINIMIDI:(a)(4)(iv)(a)")
@pytest.mark.parametrize("decks", [12, 14, 16])
def test_the_decks_are_parted_into_two_equal_batches(decks: int) -> None:
    rules = rules_of(device="shuffler", decks=decks)
    assert (rules.batches, rules.decks_per_shoe) == (2, decks // 2)


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(a)")
def test_an_odd_number_of_decks_cannot_be_parted_equally() -> None:
    detail = errors_of(device="shuffler", decks=13)["decks"]
    assert detail.clauses == ny("(a)(4)(iv)(a)")


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)")
def test_without_a_shuffler_there_is_one_batch_and_nothing_to_exchange() -> None:
    assert rules_of().batches == 1
    assert "device.batches" not in rules_of().settled
    session = at(Phase.TO_CUT)
    load_short_shoe(session)
    play_out(session, PLAYER_9_BANKER_8)
    assert refused(session, acts.ExchangeBatches(), "no_device").clauses == ()


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)")
def test_no_other_device_is_named() -> None:
    assert errors_of(device="continuous")["device"].clauses == ny("(a)(4)(iv)")


def shuffler_table() -> TableSession:
    """A table with sixteen decks in two batches, just opened, both batches stacked."""
    return at(Phase.TO_EXCHANGE, 1, device="shuffler", decks=16)


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(a)", "NY-MINIMIDI:(d)")
def test_each_batch_is_stacked_for_the_device_without_a_wash() -> None:
    session = open_table(rules_of(device="shuffler", decks=16), 1)
    session.execute(acts.InspectCards())
    refusal = refused(session, acts.WashCards(), "no_wash")
    assert refusal.clauses == ny("(a)(4)(iv)(c)", "(a)(4)(iv)(d)")
    stacked = [only(session.execute(acts.StackCards()), CardsStacked).batch for _ in range(2)]
    assert stacked == [1, 2]
    assert session.state.phase is Phase.TO_EXCHANGE


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(c)")
def test_at_the_opening_the_first_batch_comes_out_as_the_second_goes_in() -> None:
    session = shuffler_table()
    first = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (first.into_device, first.out_of_device) == (1, None)
    assert due(session) == {acts.ExchangeBatches}
    second, offered = session.execute(acts.ExchangeBatches())
    assert isinstance(second, BatchesExchanged)
    assert (second.into_device, second.out_of_device) == (2, 1)
    assert (session.state.batch, session.state.in_device) == (1, 2)
    # What comes out has been shuffled: this text finishes no shuffle, and the cut is next.
    assert isinstance(offered, CutOffered)


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(c)", "NY-MINIMIDI:(a)(4)(iv)(d)")
def test_the_batches_alternate_shoe_by_shoe_and_one_is_always_in_the_device() -> None:
    session = shuffler_table()
    loaded: list[tuple[int, int, int]] = []
    in_play: set[tuple[int, int | None]] = set()

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command
        loaded.extend(
            (one.shoe, one.batch, one.decks) for one in events if isinstance(one, ShoeLoaded)
        )
        if session.state.round is not None:
            in_play.add((session.state.shoe.batch, session.state.in_device))

    session.listeners.append(listen)
    for _ in range(4):
        load_short_shoe(session)
        play_out(session, PLAYER_9_BANKER_8)
    assert loaded == [(1, 1, 8), (2, 2, 8), (3, 1, 8), (4, 2, 8)]
    assert in_play == {(1, 2), (2, 1)}


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(c)")
def test_with_a_shuffler_the_batch_is_not_shuffled_by_hand() -> None:
    session = shuffler_table()
    load_short_shoe(session)
    play_out(session, PLAYER_9_BANKER_8)
    refusal = refused(session, acts.ShuffleCards(), "exchange")
    assert refusal.clauses == ny("(a)(4)(iv)(c)", "(a)(4)(iv)(d)")
    assert due(session) == {acts.ExchangeBatches}


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(e)")
def test_the_batches_change_places_only_when_no_card_of_a_shoe_is_in_play_or_in_the_rack() -> None:
    session = ready(1, device="shuffler", decks=16)
    refused(session, acts.ExchangeBatches(), "not_now")
    session.execute(acts.CallNoMoreBets())
    refused(session, acts.ExchangeBatches(), "not_now")

    session = shuffler_table()
    load_short_shoe(session)
    play_out(session, PLAYER_9_BANKER_8)
    # No card of the other batch can be dealt before the cards of this one have left the rack.
    for command in (
        acts.CallNoMoreBets(),
        acts.CutStack(100),
        acts.LoadShoe(),
        acts.DrawCard(Card.of("As")),
    ):
        refused(session, command, "not_now")
    exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert exchanged.clauses == ALTERNATION
    advance(session, Phase.BETTING)
    # 416 cards of the other batch less the two of its burn.
    assert (session.state.shoe.batch, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("NY-MINIMIDI:(a)(4)(iv)(c)", "NY-MINIMIDI:(d)")
def test_of_pre_shuffled_cards_one_batch_goes_into_the_device_at_once() -> None:
    session = TableSession(rules_of(device="shuffler", decks=12))
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2024, 11, 2)))
    events = session.execute(acts.ReceiveCards(12, preshuffled=True))
    stored = only(events, BatchesExchanged)
    assert (stored.into_device, stored.out_of_device) == (2, None)
    assert session.state.phase is Phase.TO_CUT
