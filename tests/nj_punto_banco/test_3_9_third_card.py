"""19:47-3.9: who draws a third card, by both tables, exhaustively and at the table."""

from itertools import product

import pytest

from croupier.acts import ThirdCardRuled
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import NO_THIRD_CARD, Coup, Hand, Tableau
from support.cases import each
from support.punto_banco import deal, ready, rules_of
from support.table import every

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

# Table 2 as it is printed: a row for each two-card count of Banker's Hand; its columns are no third
# card, then a third card of value 0 to 9. The rows 0 to 2 and 7 to 9 are printed as one line each.
PRINTED = """
0  D  D D D D D D D D D D
1  D  D D D D D D D D D D
2  D  D D D D D D D D D D
3  D  D D D D D D D D S D
4  D  S S D D D D D D S S
5  D  S S S S D D D D S S
6  S  S S S S S S D D S S
7  S  S S S S S S S S S S
8  S  S S S S S S S S S S
9  S  S S S S S S S S S S
"""
CELLS = [
    (int(row[0]), third, letter == "D")
    for row in map(str.split, PRINTED.strip().splitlines())
    for third, letter in zip([None, *range(10)], row[1:], strict=True)
]
SENTENCE = dict(enumerate("1112345666"))
OF_VALUE = parse_cards("Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c")


@pytest.fixture(scope="module")
def tableau() -> Tableau:
    return rules_of().tableau


def start(player: int, banker: int, tableau: Tableau) -> Coup:
    """A coup after four cards with those counts."""
    king = OF_VALUE[0]
    return Coup.of((OF_VALUE[player], OF_VALUE[banker], king, king), tableau)


def due(coup: Coup) -> str:
    return "nobody" if coup.due is None else coup.due.value


def ruled(cards: str) -> dict[Hand, ThirdCardRuled]:
    """Deal at a table; how it rules on third cards, by hand."""
    return {one.hand: one for one in every(deal(ready(), cards), ThirdCardRuled)}


@pytest.mark.clause("NJ-PB:3.9(a)")
@each("natural", [8, 9])
@each("other", range(10))
def test_a_natural_in_either_hand_ends_the_drawing(
    natural: int, other: int, tableau: Tableau
) -> None:
    assert start(natural, other, tableau).is_complete
    assert start(other, natural, tableau).is_complete


@pytest.mark.clause("NJ-PB:3.9(a)")
@pytest.mark.parametrize("cards", ["8h 0d", "0h 9d"])
def test_at_the_table_a_natural_is_why_neither_hand_draws(cards: str) -> None:
    dealt = ruled(cards.replace("0", "T") + " Kh Ks")
    assert {hand: one.draws for hand, one in dealt.items()} == {
        Hand.PLAYER: False,
        Hand.BANKER: False,
    }
    assert {one.clauses for one in dealt.values()} == {("NJ-PB:3.9(a)",)}


@pytest.mark.clause("NJ-PB:3.9(b)#1", "NJ-PB:3.9(b)#2")
@each("banker", range(8))
@each("player", range(8))
def test_players_hand_draws_on_nothing_to_five_and_stays_on_six_or_more(
    player: int, banker: int, tableau: Tableau
) -> None:
    assert (due(start(player, banker, tableau)) == "player") is (player <= 5)
    # Table 1 has eight and nine stay too, which are naturals already.
    assert tableau.player_draws == (True,) * 6 + (False,) * 4


@pytest.mark.clause("NJ-PB:3.9(b)#1", "NJ-PB:3.9(b)#2")
@pytest.mark.parametrize("player", range(8))
def test_at_the_table_players_hand_is_ruled_on_by_its_row_of_table_1(player: int) -> None:
    card = "K" if player == 0 else "A" if player == 1 else str(player)
    one = ruled(f"{card}h 7d Kh Ks")[Hand.PLAYER]
    sentence = "#1" if player <= 5 else "#2"
    assert (one.draws, one.clauses) == (player <= 5, (f"NJ-PB:3.9(b){sentence}",))


@pytest.mark.clause(
    "NJ-PB:3.9(c)",
    "NJ-PB:3.9_Table_2#1",
    "NJ-PB:3.9_Table_2#2",
    "NJ-PB:3.9_Table_2#3",
    "NJ-PB:3.9_Table_2#4",
    "NJ-PB:3.9_Table_2#5",
    "NJ-PB:3.9_Table_2#6",
    "NJ-PB:3.9(f)",
)
@each(("banker", "third", "draws"), CELLS)
def test_bankers_hand_follows_every_cell_of_table_2(
    banker: int,
    third: int | None,
    draws: bool,  # noqa: FBT001
    tableau: Tableau,
) -> None:
    column = NO_THIRD_CARD if third is None else third
    assert tableau.banker_draws[banker][column] is draws
    if banker in (8, 9):
        return
    for player in (6, 7) if third is None else range(6):
        coup = start(player, banker, tableau)
        if third is not None:
            coup = coup.with_card(OF_VALUE[third])
        assert due(coup) == ("banker" if draws else "nobody")


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-PB:3.9(c)")
def test_table_2_has_a_hundred_and_ten_cells() -> None:
    assert len({(banker, third) for banker, third, _ in CELLS}) == 110


@pytest.mark.clause(
    "NJ-PB:3.9_Table_2#1",
    "NJ-PB:3.9_Table_2#2",
    "NJ-PB:3.9_Table_2#3",
    "NJ-PB:3.9_Table_2#4",
    "NJ-PB:3.9_Table_2#5",
    "NJ-PB:3.9_Table_2#6",
)
@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", ["", "6c", "8c"])
def test_at_the_table_bankers_hand_is_ruled_on_by_its_row_of_table_2(
    third: str, banker: int
) -> None:
    card = "K" if banker == 0 else "A" if banker == 1 else str(banker)
    player = "7h" if not third else "2h"
    one = ruled(f"{player} {card}d Kh Ks {third}")[Hand.BANKER]
    column = int(third[0]) if third else None
    (expected,) = [draws for row, cell, draws in CELLS if (row, cell) == (banker, column)]
    assert one.draws is expected
    assert one.clauses == ("NJ-PB:3.9(c)", f"NJ-PB:3.9_Table_2#{SENTENCE[banker]}")


@pytest.mark.clause("NJ-PB:3.9(d)")
def test_the_row_is_the_two_card_count_of_bankers_hand(tableau: Tableau) -> None:
    # Nine and four are thirteen: the row is that of three.
    assert due(Coup.of(parse_cards("2h 9d Kh 4s 8c"), tableau)) == "nobody"
    assert due(Coup.of(parse_cards("2h 9d Kh 4s 9c"), tableau)) == "banker"


@pytest.mark.clause("NJ-PB:3.9(e)")
def test_the_column_is_the_value_of_the_third_card_and_not_players_count(tableau: Tableau) -> None:
    # Player's two and six make eight, on which Banker's three would stay; the card is a six.
    assert due(Coup.of(parse_cards("2h 3d Kh Ks 6c"), tableau)) == "banker"
    # Player's five and eight make three, on which Banker's three would draw; the card is an eight.
    assert due(Coup.of(parse_cards("5h 3d Kh Ks 8c"), tableau)) == "nobody"


@pytest.mark.clause("NJ-PB:3.9(e)")
@pytest.mark.parametrize("ten", ["Th", "Jh", "Qh", "Kh"])
def test_a_ten_or_face_card_is_read_in_the_column_of_zero(ten: str, tableau: Tableau) -> None:
    assert due(Coup.of((*parse_cards("2h 4d Kc Ks"), Card.of(ten)), tableau)) == "nobody"
    assert due(Coup.of((*parse_cards("2h 3d Kc Ks"), Card.of(ten)), tableau)) == "banker"


@pytest.mark.clause("NJ-PB:3.9(f)")
def test_the_letters_of_the_law_are_what_is_read() -> None:
    held = rules_of().value("third.banker", dict)
    printed = {row.split()[0]: "".join(row.split()[1:]) for row in PRINTED.strip().splitlines()}
    assert held == printed


@pytest.mark.clause("NJ-PB:3.9(g)")
def test_bankers_five_draws_against_a_third_card_of_four(tableau: Tableau) -> None:
    assert due(Coup.of(parse_cards("2h 5d Kh Ks 4c"), tableau)) == "banker"


@pytest.mark.clause("NJ-PB:3.9(a)", "NJ-PB:3.9(b)#1", "NJ-PB:3.9(c)")
def test_the_two_tables_together_decide_every_start_of_four_values(tableau: Tableau) -> None:
    draws = {(row, column): letter for row, column, letter in CELLS}
    for values in product(range(10), repeat=4):
        p1, b1, p2, b2 = values
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        coup = Coup.of((OF_VALUE[value] for value in values), tableau)
        if player >= 8 or banker >= 8:
            assert due(coup) == "nobody"
        elif player <= 5:
            assert due(coup) == "player"
            for third in range(10):
                expected = "banker" if draws[banker, third] else "nobody"
                assert due(coup.with_card(OF_VALUE[third])) == expected
        else:
            assert due(coup) == ("banker" if draws[banker, None] else "nobody")
