"""19:47-7.1 as it stood in 2001: decks, values, Point Count, and the two batches of a shuffler."""

from typing import Any

import pytest

from croupier.acts import BatchesExchanged, CardsStacked, ExchangeBatches, ShuffleCards, StackCards
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import point_count
from croupier.table import Phase
from support.older_excerpts import errors_of, made, older
from support.table import due, only, refused

pytestmark = pytest.mark.under("us-nj/minibaccarat@1999-07-06")

SHUFFLER: dict[str, Any] = {"device": "shuffler", "decks": 12}
BATCHES = (
    "NJ-OLD:19:47-7.1(d)4~old",
    "NJ-OLD:19:47-7.1(d)5~old",
    "NJ-OLD:19:47-7.1(d)6~old",
)


@pytest.mark.clause("NJ-OLD:19:47-7.1(a)~old#1")
@pytest.mark.parametrize("decks", [6, 7, 13])
def test_six_decks_suffice_and_fewer_are_refused(decks: int) -> None:
    assert older(decks=decks).decks_per_shoe == decks
    (detail,) = errors_of(decks=5)
    assert (detail.where, detail.clauses) == ("decks", ("NJ-OLD:19:47-7.1(a)~old#1",))


@pytest.mark.clause("NJ-OLD:19:47-7.1(a)~old#2")
def test_two_cutting_cards_go_with_the_decks_and_the_licensee_has_no_choice_in_it() -> None:
    assert older().value("cutting_cards", int) == 2
    (detail,) = errors_of(cutting_cards=3)
    assert detail.clauses == ("NJ-OLD:19:47-7.1(a)~old#2",)


VALUES = [(str(number), number) for number in range(2, 10)]
VALUES += [("T", 0), ("J", 0), ("Q", 0), ("K", 0), ("A", 1)]


@pytest.mark.clause(
    "NJ-OLD:19:47-7.1(b)1~old", "NJ-OLD:19:47-7.1(b)2~old", "NJ-OLD:19:47-7.1(b)3~old"
)
@pytest.mark.parametrize(("rank", "value"), VALUES)
def test_each_rank_has_its_value(rank: str, value: int) -> None:
    assert older().value("cards.values", dict)[rank] == value
    assert {point_count([card]) for card in DECK if card.rank.value == rank} == {value}
    assert point_count([Card.of(f"{rank}h"), Card.of("Kd")]) == value


@pytest.mark.clause(
    "NJ-OLD:19:47-7.1(c)~old", "NJ-OLD:19:47-7.1(c)1~old", "NJ-OLD:19:47-7.1(c)2~old"
)
@pytest.mark.parametrize(
    ("cards", "count"), [("Ac 2d 4h", 7), ("Ac 2d 9h", 2), ("5h 5d", 0), ("9h 9d 9s", 7)]
)
def test_the_point_count_is_the_right_digit_of_the_total(cards: str, count: int) -> None:
    assert point_count(parse_cards(cards)) == count
    assert older().cites("point_count")[0] == "NJ-OLD:19:47-7.1(c)~old"


# --- (d): the shuffler -------------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)~old")
def test_with_a_shuffler_there_are_twelve_decks_or_more() -> None:
    for decks in (6, 8, 10):
        (detail,) = errors_of(device="shuffler", decks=decks)
        assert (detail.where, detail.clauses) == ("decks", ("NJ-OLD:19:47-7.1(d)~old",))
    assert older(**SHUFFLER).value("decks", int) == 12


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)~old")
def test_the_excerpt_knows_no_continuous_device() -> None:
    (detail,) = errors_of(device="continuous")
    assert (detail.where, detail.clauses) == ("device", ("NJ-OLD:19:47-7.1(d)~old",))


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)2~old")
def test_the_decks_make_two_batches_of_the_same_number() -> None:
    rules = older(device="shuffler", decks=16)
    assert (rules.batches, rules.decks_per_shoe) == (2, 8)
    (detail,) = errors_of(device="shuffler", decks=13)
    assert detail.clauses == ("NJ-OLD:19:47-7.1(d)2~old",)
    assert (older(decks=13).batches, older(decks=13).decks_per_shoe) == (1, 13)


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)4~old")
def test_one_batch_goes_into_the_device_and_the_other_into_play() -> None:
    table = made(older(**SHUFFLER), Phase.TO_EXCHANGE, stacked=(1, 2))
    (first,) = table.execute(ExchangeBatches())
    assert isinstance(first, BatchesExchanged)
    assert (first.into_device, first.out_of_device, first.clauses) == (1, None, BATCHES)
    second = only(table.execute(ExchangeBatches()), BatchesExchanged)
    assert (second.into_device, second.out_of_device) == (2, 1)
    assert (table.state.in_device, table.state.batch) == (2, 1)


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)5~old", "NJ-OLD:19:47-7.1(d)6~old")
def test_the_batches_change_places_shoe_by_shoe_and_the_old_one_leaves_the_rack_first() -> None:
    rules = older(**SHUFFLER)
    played = 1
    for waiting in (2, 1, 2):
        table = made(rules, Phase.SHOE_COMPLETED, batch=played, in_device=waiting)
        assert due(table) == {ExchangeBatches}
        # The played batch is not shuffled by hand: it goes into the device, all of it.
        assert refused(table, ShuffleCards(), "exchange").clauses == BATCHES[:2]
        exchanged = only(table.execute(ExchangeBatches()), BatchesExchanged)
        assert (exchanged.into_device, exchanged.out_of_device) == (played, waiting)
        assert exchanged.clauses == BATCHES
        assert (table.state.in_device, table.state.batch) == (played, waiting)
        played = waiting


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)2~old", "NJ-OLD:19:47-7.1(d)4~old")
def test_at_the_opening_each_batch_is_stacked_for_the_device_by_itself() -> None:
    table = made(older(**SHUFFLER), Phase.VIEWED)
    stacked = only(table.execute(StackCards()), CardsStacked)
    assert (stacked.batch, stacked.clauses) == (1, BATCHES[:2])


@pytest.mark.clause("NJ-OLD:19:47-7.1(d)5~old")
def test_without_a_shuffler_there_is_nothing_to_exchange() -> None:
    table = made(older(), Phase.SHOE_COMPLETED)
    refusal = refused(table, ExchangeBatches(), "no_device")
    # The clause speaks of tables with a shuffler; none forbids what cannot be done.
    assert refusal.clauses == ()
