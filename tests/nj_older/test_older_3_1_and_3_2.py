"""19:47-3.1 and the beginning of 3.2 as they stood in 2001: punto banco, as far as it is shown."""

import pytest

from croupier.baccarat.cards import DECK, parse_cards
from croupier.baccarat.coup import Facts, point_count
from croupier.baccarat.wagers import WAGERS
from croupier.law.faults import LawError
from croupier.table.machine.session import TableSession
from support.older_excerpts import PUNTO_BANCO, errors_of, older

pytestmark = pytest.mark.under("us-nj/punto-banco@1998-09-08")


@pytest.mark.clause("NJ-OLD:19:47-3.1(a)~old#1")
@pytest.mark.parametrize("decks", [6, 8, 12])
def test_six_decks_suffice_and_fewer_are_refused(decks: int) -> None:
    assert older(PUNTO_BANCO, decks=decks).decks_per_shoe == decks
    (detail,) = errors_of(PUNTO_BANCO, decks=5)
    assert (detail.where, detail.clauses) == ("decks", ("NJ-OLD:19:47-3.1(a)~old#1",))


@pytest.mark.clause("NJ-OLD:19:47-3.1(a)~old#2")
def test_two_cutting_cards_go_with_the_decks_and_the_licensee_has_no_choice_in_it() -> None:
    assert older(PUNTO_BANCO).value("cutting_cards", int) == 2
    (detail,) = errors_of(PUNTO_BANCO, cutting_cards=1)
    assert detail.clauses == ("NJ-OLD:19:47-3.1(a)~old#2",)


VALUES = [(str(number), number) for number in range(2, 10)]
VALUES += [("T", 0), ("J", 0), ("Q", 0), ("K", 0), ("A", 1)]


@pytest.mark.clause(
    "NJ-OLD:19:47-3.1(b)1~old", "NJ-OLD:19:47-3.1(b)2~old", "NJ-OLD:19:47-3.1(b)3~old"
)
@pytest.mark.parametrize(("rank", "value"), VALUES)
def test_each_rank_has_its_value(rank: str, value: int) -> None:
    assert older(PUNTO_BANCO).value("cards.values", dict)[rank] == value
    assert {point_count([card]) for card in DECK if card.rank.value == rank} == {value}


@pytest.mark.clause(
    "NJ-OLD:19:47-3.1(c)~old", "NJ-OLD:19:47-3.1(c)1~old", "NJ-OLD:19:47-3.1(c)2~old"
)
@pytest.mark.parametrize(("cards", "count"), [("Ac 2d 4h", 7), ("Ac 2d 9h", 2), ("5h 5d", 0)])
def test_the_point_count_is_the_right_digit_of_the_total(cards: str, count: int) -> None:
    assert point_count(parse_cards(cards)) == count
    assert older(PUNTO_BANCO).cites("point_count")[0] == "NJ-OLD:19:47-3.1(c)~old"


@pytest.mark.clause("NJ-OLD:19:47-3.2(a)1~old", "NJ-OLD:19:47-3.2(a)1.i~old")
def test_a_wager_on_bankers_hand_is_permitted_and_wins_with_the_higher_count() -> None:
    rules = older(PUNTO_BANCO)
    assert rules.applies("wagers.banker")
    for player in range(10):
        for banker in range(player + 1, 10):
            line = WAGERS["banker"].line_of(Facts(player, banker, 3, 3))
            assert line in WAGERS["banker"].lines
            assert rules.cites_for("wagers.banker", line) == ("NJ-OLD:19:47-3.2(a)1.i~old",)


@pytest.mark.clause("NJ-OLD:19:47-3.2(a)1.i~old")
def test_where_the_text_breaks_off_nothing_is_filled_in_from_a_text_of_another_date() -> None:
    rules = older(PUNTO_BANCO)
    # What it is paid stands in a part that is lost, so that no table can offer it.
    assert set(rules.offers) == set()
    assert not any(rules.applies(f"wagers.{other}") for other in ("player", "tie", "total_cards"))
    assert "T23" in rules.readings
    with pytest.raises(LawError, match="drawing table"):
        TableSession(rules)
