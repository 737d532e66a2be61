"""19:47-7.1: the decks, the values of the cards, the Point Count."""

from typing import Any

import pytest

from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import point_count
from croupier.law.elect import SubmissionError
from croupier.rules import TableRules, default_submission, table_rules
from support.cases import each
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

LAW = "us-nj/minibaccarat"


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission(LAW, NJ_MINI, **elections))


def refusals(**elections: Any) -> set[tuple[str, tuple[str, ...]]]:
    with pytest.raises(SubmissionError) as refused:
        plain(**elections)
    return {(detail.where, detail.clauses) for detail in refused.value.errors}


@pytest.mark.clause("NJ-MINI:7.1(a)#1")
def test_five_decks_are_too_few() -> None:
    assert refusals(decks=5) == {("decks", ("NJ-MINI:7.1(a)#1",))}


@pytest.mark.clause("NJ-MINI:7.1(a)#1")
@pytest.mark.parametrize("decks", [6, 7, 8, 13, 40])
def test_six_decks_suffice_and_there_is_no_most(decks: int) -> None:
    assert plain(decks=decks).decks_per_shoe == decks


@pytest.mark.clause("NJ-MINI:7.1(a)#2")
def test_two_cutting_cards_go_with_the_decks() -> None:
    assert plain().value("cutting_cards", int) == 2


@pytest.mark.clause("NJ-MINI:7.1(a)#2")
def test_the_licensee_does_not_choose_the_number_of_cutting_cards() -> None:
    assert refusals(cutting_cards=2) == {("cutting_cards", ("NJ-MINI:7.1(a)#2",))}


@pytest.mark.clause("NJ-MINI:7.1(b)1")
@each("suit", "cdhs")
@each("number", [2, 3, 4, 5, 6, 7, 8, 9])
def test_two_to_nine_have_their_face_value(number: int, suit: str) -> None:
    assert point_count([Card.of(f"{number}{suit}")]) == number
    assert plain().value("cards.values", dict)[str(number)] == number


@pytest.mark.clause("NJ-MINI:7.1(b)2")
@each("suit", "cdhs")
@each("rank", "TJQK")
def test_ten_jack_queen_and_king_have_the_value_zero(rank: str, suit: str) -> None:
    assert point_count([Card.of(f"{rank}{suit}")]) == 0
    assert plain().value("cards.values", dict)[rank] == 0


@pytest.mark.clause("NJ-MINI:7.1(b)3")
@pytest.mark.parametrize("suit", "cdhs")
def test_an_ace_has_the_value_one(suit: str) -> None:
    assert point_count([Card.of(f"A{suit}")]) == 1
    assert plain().value("cards.values", dict)["A"] == 1


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.1(c)")
@pytest.mark.parametrize(
    ("cards", "count"),
    [
        ("Kh Qd", 0),
        ("4h 5d", 9),
        ("5h 5d", 0),
        ("9h 2d", 1),
        ("9h 9d", 8),
        ("9h 9d 9s", 7),
        ("9h 9d 2s", 0),
        ("8h 8d 8s", 4),
        ("Th Jd 3s", 3),
    ],
)
def test_the_point_count_is_the_right_digit_of_the_total(cards: str, count: int) -> None:
    assert point_count(parse_cards(cards)) == count


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.1(c)")
def test_the_point_count_of_any_two_cards_is_one_digit() -> None:
    counts = {point_count([first, second]) for first in DECK for second in DECK}
    assert counts == set(range(10))


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.1(c)1")
def test_an_ace_a_two_and_a_four_have_the_point_count_seven() -> None:
    assert point_count(parse_cards("Ac 2d 4h")) == 7


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.1(c)2")
def test_an_ace_a_two_and_a_nine_have_the_point_count_two() -> None:
    assert point_count(parse_cards("Ac 2d 9h")) == 2


@pytest.mark.clause("NJ-MINI:7.1(d)")
@pytest.mark.parametrize("decks", [6, 8, 10])
def test_with_a_shuffler_fewer_than_twelve_decks_are_refused(decks: int) -> None:
    assert refusals(decks=decks, device="shuffler") == {("decks", ("NJ-MINI:7.1(d)",))}


@pytest.mark.clause("NJ-MINI:7.1(d)")
@pytest.mark.parametrize("decks", [12, 14, 16])
def test_with_a_shuffler_twelve_decks_or_more_are_accepted(decks: int) -> None:
    assert plain(decks=decks, device="shuffler").value("decks", int) == decks


@pytest.mark.clause("NJ-MINI:7.1(d)2")
def test_with_a_shuffler_the_decks_make_two_equal_batches() -> None:
    rules = plain(decks=16, device="shuffler")
    assert (rules.batches, rules.decks_per_shoe) == (2, 8)


@pytest.mark.clause("NJ-MINI:7.1(d)2")
def test_thirteen_decks_make_no_equal_batches() -> None:
    assert refusals(decks=13, device="shuffler") == {("decks", ("NJ-MINI:7.1(d)2",))}


@pytest.mark.clause("NJ-MINI:7.1(d)2")
@pytest.mark.parametrize("device", [{"device": "none"}, {"device": "continuous"}])
def test_without_a_shuffler_there_is_one_batch(device: dict[str, str]) -> None:
    approval = {"device__approval": "on file"} if device["device"] == "continuous" else {}
    rules = plain(decks=13, **device, **approval)
    assert (rules.batches, rules.decks_per_shoe) == (1, 13)
