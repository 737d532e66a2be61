"""19:47-7.7 to 7.9: two hands, four cards, and who draws a third."""

from itertools import product

import pytest

from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import NO_THIRD_CARD, Coup, CoupError, Hand, Tableau
from croupier.rules import TableRules, default_submission, table_rules
from support.cases import each
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

# Table 2 as it is printed: a row for each two-card count of Banker's Hand; its columns are no third
# card, then a third card of value 0 to 9.
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

# One card of each value.
OF_VALUE = parse_cards("Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c")


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))


@pytest.fixture(scope="module")
def tableau(rules: TableRules) -> Tableau:
    return rules.tableau


def two_cards(count: int) -> tuple[Card, Card]:
    """Return two cards of that count, neither of them a ten unless the count is zero."""
    return (OF_VALUE[0], OF_VALUE[0]) if count == 0 else (OF_VALUE[count - 1], OF_VALUE[1])


def start(player: int, banker: int, tableau: Tableau) -> Coup:
    (p1, p2), (b1, b2) = two_cards(player), two_cards(banker)
    return Coup.of((p1, b1, p2, b2), tableau)


def next_hand(player: int, banker: int, third: int | None) -> str:
    """Say who draws next, by the words of the rules alone."""
    if player in (8, 9) or banker in (8, 9):
        return "nobody"
    if third is None and player <= 5:
        return "player"
    if banker <= 2:
        return "banker"
    if third is None:
        return "banker" if banker <= 5 else "nobody"
    if banker == 3:
        return "nobody" if third == 8 else "banker"
    if banker == 4:
        return "banker" if 2 <= third <= 7 else "nobody"
    if banker == 5:
        return "banker" if 4 <= third <= 7 else "nobody"
    if banker == 6:
        return "banker" if third in (6, 7) else "nobody"
    return "nobody"


def due(coup: Coup) -> str:
    return "nobody" if coup.due is None else coup.due.value


@pytest.mark.clause("NJ-MINI:7.7(a)")
def test_two_hands_are_dealt_players_and_bankers(rules: TableRules) -> None:
    coup = Coup.of(parse_cards("9h 8d Kh Ks"), rules.tableau)
    assert {hand.title: len(coup.hand(hand)) for hand in Hand} == {
        "Player's Hand": 2,
        "Banker's Hand": 2,
    }


@pytest.mark.clause("NJ-MINI:7.7(c)#1")
def test_the_first_and_third_card_are_players_the_second_and_fourth_bankers(
    tableau: Tableau,
) -> None:
    coup = Coup.of(parse_cards("2h 3d 4s 5c"), tableau)
    assert coup.player == parse_cards("2h 4s")
    assert coup.banker == parse_cards("3d 5c")


@pytest.mark.clause("NJ-MINI:7.7(c)#1")
@pytest.mark.parametrize("dealt", range(4))
def test_the_first_four_cards_are_due_whatever_they_are(dealt: int, tableau: Tableau) -> None:
    for cards in product(OF_VALUE, repeat=dealt):
        assert due(Coup.of(cards, tableau)) == ["player", "banker", "player", "banker"][dealt]


@pytest.mark.clause("NJ-MINI:7.8(b)")
def test_third_cards_are_decided_from_both_point_counts_in_every_start(tableau: Tableau) -> None:
    for cards in product(range(10), repeat=4):
        p1, b1, p2, b2 = cards
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        coup = Coup.of((OF_VALUE[value] for value in cards), tableau)
        assert due(coup) == next_hand(player, banker, None), cards
        if due(coup) == "player":
            for third in range(10):
                after = coup.with_card(OF_VALUE[third])
                assert due(after) == next_hand(player, banker, third), (*cards, third)


@pytest.mark.clause("NJ-MINI:7.8(d)")
def test_no_hand_gets_more_than_one_additional_card(rules: TableRules) -> None:
    assert rules.value("third.most", int) == 1
    for player, banker in product(range(10), repeat=2):
        coup = start(player, banker, rules.tableau)
        for third in OF_VALUE:
            longest = coup
            while longest.due is not None:
                longest = longest.with_card(third)
            assert max(len(longest.player), len(longest.banker)) <= 3


@pytest.mark.clause("NJ-MINI:7.8(d)")
@pytest.mark.parametrize("cards", ["2h 2d Kh Ks 9c 2c", "2h 7d Kh Ks 9c", "7h 2d Kh Ks 9c"])
def test_a_finished_coup_takes_no_further_card(cards: str, tableau: Tableau) -> None:
    coup = Coup.of(parse_cards(cards), tableau)
    with pytest.raises(CoupError, match="no card is due"):
        coup.with_card(Card.of("Ac"))


@pytest.mark.clause("NJ-MINI:7.9(a)")
@each("natural", [8, 9])
@each("other", range(10))
def test_a_natural_in_either_hand_ends_the_drawing(
    natural: int, other: int, tableau: Tableau
) -> None:
    assert start(natural, other, tableau).is_complete
    assert start(other, natural, tableau).is_complete


@pytest.mark.clause("NJ-MINI:7.9(a)")
def test_eight_or_nine_on_three_cards_is_no_natural(tableau: Tableau) -> None:
    coup = Coup.of(parse_cards("2h 3d Kh Ks 7c"), tableau)
    assert (due(coup), coup.player) == ("banker", parse_cards("2h Kh 7c"))


@pytest.mark.clause("NJ-MINI:7.9(b)#1")
@each("player", [0, 1, 2, 3, 4, 5])
@each("banker", range(8))
def test_players_hand_draws_on_nothing_to_five(player: int, banker: int, tableau: Tableau) -> None:
    assert due(start(player, banker, tableau)) == "player"


@pytest.mark.clause("NJ-MINI:7.9(b)#2")
@each("player", [6, 7, 8, 9])
@each("banker", range(8))
def test_players_hand_stays_on_six_to_nine(player: int, banker: int, tableau: Tableau) -> None:
    assert due(start(player, banker, tableau)) != "player"


@pytest.mark.clause("NJ-MINI:7.9(b)#2")
def test_table_i_itself_has_players_hand_stay_on_eight_and_nine(tableau: Tableau) -> None:
    assert tableau.player_draws == (True,) * 6 + (False,) * 4


@pytest.mark.clause(
    "NJ-MINI:7.9(c)",
    "NJ-MINI:7.9_Table_2#1",
    "NJ-MINI:7.9_Table_2#2",
    "NJ-MINI:7.9_Table_2#3",
    "NJ-MINI:7.9_Table_2#4",
    "NJ-MINI:7.9_Table_2#5",
    "NJ-MINI:7.9_Table_2#6",
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
    # Where Player's Hand has drawn it had five or less; where it has not, six or seven.
    for player in (6, 7) if third is None else range(6):
        coup = start(player, banker, tableau)
        if third is not None:
            coup = coup.with_card(OF_VALUE[third])
        assert due(coup) == ("banker" if draws else "nobody")


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.9(c)")
def test_table_2_has_a_hundred_and_ten_cells() -> None:
    assert len({(banker, third) for banker, third, _ in CELLS}) == 110


@pytest.mark.clause("NJ-MINI:7.9_Table_2#1")
@pytest.mark.parametrize("banker", [0, 1, 2])
def test_bankers_nothing_to_two_always_draws(banker: int, tableau: Tableau) -> None:
    assert due(start(7, banker, tableau)) == "banker"
    for third in OF_VALUE:
        assert due(start(0, banker, tableau).with_card(third)) == "banker"


@pytest.mark.clause("NJ-MINI:7.9(d)")
def test_the_row_is_the_two_card_count_of_bankers_hand(tableau: Tableau) -> None:
    # Nine and four are thirteen: the row is that of three, not of the first or second card.
    coup = Coup.of(parse_cards("2h 9d Kh 4s 8c"), tableau)
    assert due(coup) == "nobody"
    assert due(Coup.of(parse_cards("2h 9d Kh 4s 9c"), tableau)) == "banker"


@pytest.mark.clause("NJ-MINI:7.9(e)")
def test_the_column_is_the_value_of_the_third_card_not_players_count(tableau: Tableau) -> None:
    # Player's two and six make eight, on which Banker's three would stay; the card is a six.
    assert due(Coup.of(parse_cards("2h 3d Kh Ks 6c"), tableau)) == "banker"
    # Player's five and eight make three, on which Banker's three would draw; the card is an eight.
    assert due(Coup.of(parse_cards("5h 3d Kh Ks 8c"), tableau)) == "nobody"


@pytest.mark.clause("NJ-MINI:7.9(e)")
@pytest.mark.parametrize("ten", ["Th", "Jh", "Qh", "Kh"])
def test_a_ten_or_face_card_is_read_in_the_column_of_zero(ten: str, tableau: Tableau) -> None:
    # Zero, and not the column of no third card: there Banker's four would draw.
    assert due(Coup.of((*parse_cards("2h 4d Kc Ks"), Card.of(ten)), tableau)) == "nobody"
    assert due(Coup.of((*parse_cards("2h 3d Kc Ks"), Card.of(ten)), tableau)) == "banker"


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.9(f)")
def test_d_draws_and_s_stays() -> None:
    rows = dict.fromkeys(range(10), "S" * 11)
    all_stay = Tableau.of(range(6), rows)
    all_draw = Tableau.of(range(6), dict.fromkeys(range(10), "D" * 11))
    assert due(start(7, 0, all_stay)) == "nobody"
    assert due(start(7, 7, all_draw)) == "banker"


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-MINI:7.9(f)")
@pytest.mark.parametrize("row", ["", "DDDDDDDDDD", "DDDDDDDDDDDD", "DDDDDxDDDDD", "ddddddddddd"])
def test_a_row_of_anything_else_is_no_row(row: str) -> None:
    with pytest.raises(ValueError, match="row 4 must have eleven letters D or S"):
        Tableau.of(range(6), dict.fromkeys(range(10), "D" * 11) | {4: row})


@pytest.mark.clause("NJ-MINI:7.9(g)")
def test_bankers_five_draws_against_a_third_card_of_four(tableau: Tableau) -> None:
    assert due(Coup.of(parse_cards("2h 5d Kh Ks 4c"), tableau)) == "banker"
