"""19:47-3.1: the decks, the values of the cards, the Point Count."""

import pytest

from croupier import acts
from croupier.acts import CuttingCardsInserted, PointCountAnnounced
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand, point_count
from croupier.table import Phase
from support.cases import each
from support.punto_banco import at, deal, errors_of, ready, rules_of
from support.table import every, only

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")


@pytest.mark.clause("NJ-PB:3.1(a)#1")
def test_fewer_than_six_decks_are_refused() -> None:
    (detail,) = errors_of(decks=5)
    assert (detail.where, detail.clauses) == ("decks", ("NJ-PB:3.1(a)#1",))


@pytest.mark.clause("NJ-PB:3.1(a)#1")
@pytest.mark.parametrize("decks", [6, 7, 8, 12])
def test_six_decks_suffice_and_all_of_them_go_into_the_one_shoe(decks: int) -> None:
    session = at(Phase.TO_BURN, decks=decks)
    assert session.state.shoe.remaining == decks * 52


@pytest.mark.clause("NJ-PB:3.1(a)#1")
@pytest.mark.parametrize("election", ["device", "device__approval"])
def test_this_text_knows_no_device_that_shuffles(election: str) -> None:
    (detail,) = errors_of(decks=12, **{election: "shuffler"})
    assert detail.where == election.replace("__", ".")
    assert "this regulation has no rule" in detail.message


@pytest.mark.clause("NJ-PB:3.1(a)#2")
def test_two_cutting_cards_go_with_the_decks_one_inside_the_stack_and_one_at_its_end() -> None:
    assert rules_of().value("cutting_cards", int) == 2
    (detail,) = errors_of(cutting_cards=1)
    assert detail.clauses == ("NJ-PB:3.1(a)#2",)
    inserted = only(at(Phase.CUT).execute(acts.InsertCuttingCards(14)), CuttingCardsInserted)
    # One 14 cards in from the back, the other at the end.
    assert {"NJ-PB:3.5(e)#2", "NJ-PB:3.5(e)#3"} <= set(inserted.clauses)


VALUES = [(str(number), number) for number in range(2, 10)]
VALUES += [("T", 0), ("J", 0), ("Q", 0), ("K", 0), ("A", 1)]


@pytest.mark.clause("NJ-PB:3.1(b)1", "NJ-PB:3.1(b)2", "NJ-PB:3.1(b)3")
@each("suit", "cdhs")
@each(("rank", "value"), VALUES)
def test_each_card_has_its_value_at_the_table(rank: str, value: int, suit: str) -> None:
    assert rules_of().value("cards.values", dict)[rank] == value
    assert point_count([Card.of(rank + suit)]) == value


@pytest.mark.clause("NJ-PB:3.1(b)1", "NJ-PB:3.1(b)2", "NJ-PB:3.1(b)3", "NJ-PB:3.1(c)")
@pytest.mark.parametrize(("rank", "value"), VALUES)
def test_a_card_beside_a_king_is_announced_with_its_value(rank: str, value: int) -> None:
    events = deal(ready(), f"{rank}h 9d Kh Ks")
    player, banker = every(events, PointCountAnnounced)
    assert (player.hand, player.count) == (Hand.PLAYER, value)
    assert (banker.hand, banker.count) == (Hand.BANKER, 9)


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-PB:3.1(c)")
@pytest.mark.parametrize(
    ("cards", "count"),
    [("4h 5d", 9), ("5h 5d", 0), ("9h 2d", 1), ("9h 9d", 8), ("9h 9d 9s", 7), ("Th Jd 3s", 3)],
)
def test_the_left_digit_of_a_total_is_discarded(cards: str, count: int) -> None:
    assert point_count(parse_cards(cards)) == count


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-PB:3.1(c)1")
def test_an_ace_a_two_and_a_four_have_the_point_count_seven() -> None:
    assert point_count(parse_cards("Ac 2d 4h")) == 7


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-PB:3.1(c)2")
def test_an_ace_a_two_and_a_nine_have_the_point_count_two() -> None:
    assert point_count(parse_cards("Ac 2d 9h")) == 2
