"""5324.21(h): who draws a third card, cell by cell, also under the literal reading of one row."""

from itertools import product
from typing import Final

import pytest

from croupier.acts import ThirdCardRuled
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import NO_THIRD_CARD, Coup, Hand, Tableau
from croupier.law.elect import SubmissionError
from croupier.rules import TableRules
from support.cases import each
from support.new_york import errors_of, ny, ready, rules_of
from support.table import deal, every, only

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
OF_VALUE: Final = [Card.of("Kc"), Card.of("Ac"), *(Card.of(f"{value}c") for value in range(2, 10))]

# As printed: for Banker's count the third cards of Player on which it draws, and on which it does
# not. The row of 0, 1 and 2 is damaged, and tells of a third card of 0 alone.
PRINTED: Final = {
    3: ([0, 1, 2, 3, 4, 5, 6, 7, 9], [8]),
    4: ([2, 3, 4, 5, 6, 7], [0, 1, 8, 9]),
    5: ([4, 5, 6, 7], [0, 1, 2, 3, 8, 9]),
    6: ([6, 7], [0, 1, 2, 3, 4, 5, 8, 9]),
    7: ([], list(range(10))),
}
DAMAGED: Final = (0, 1, 2)
CELLS: Final = [
    (banker, third, third in draws)
    for banker, (draws, stays) in PRINTED.items()
    for third in (*draws, *stays)
]
ROW_CLAUSE: Final = {0: "#1", 1: "#1", 2: "#1", 3: "#2", 4: "#3", 5: "#4", 6: "#5", 7: "#6"}

LITERAL: Final = {"T41": "literal"}


@pytest.fixture(scope="module")
def tableau() -> Tableau:
    return rules_of().tableau


@pytest.fixture(scope="module")
def literal() -> TableRules:
    return rules_of(readings=LITERAL)


def start(player: int, banker: int, tableau: Tableau) -> Coup:
    """A coup of four cards with these counts."""
    cards = (OF_VALUE[player], OF_VALUE[banker], OF_VALUE[0], OF_VALUE[0])
    return Coup.of(cards, tableau)


# --- (1): naturals -----------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(h)(1)")
@each("natural", [8, 9])
@each("other", range(10))
def test_a_natural_in_either_hand_ends_the_drawing(
    natural: int, other: int, tableau: Tableau
) -> None:
    assert start(natural, other, tableau).is_complete
    assert start(other, natural, tableau).is_complete


@pytest.mark.clause("NY-MINIMIDI:(h)(1)")
@pytest.mark.parametrize("cards", ["8h 2d Kh Ks", "2h 9d Kh Ks", "9h 8d Kh Ks"])
def test_a_natural_is_ruled_on_by_its_own_clause_for_both_hands(cards: str) -> None:
    rulings = every(deal(ready(1), cards), ThirdCardRuled)
    assert [(one.hand, one.draws, one.clauses) for one in rulings] == [
        (PLAYER, False, (*ny("(h)(1)"), "T47")),
        (BANKER, False, (*ny("(h)(1)"), "T47")),
    ]


@pytest.mark.clause("NY-MINIMIDI:(h)(1)")
def test_eight_or_nine_on_three_cards_is_no_natural(tableau: Tableau) -> None:
    # Player's two and seven make nine with three cards, and Banker's three draws on a seven.
    assert Coup.of(parse_cards("2h 3d Kh Ks 7c"), tableau).due is BANKER


# --- (2): Player's Hand ------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(h)(2)#1", "NY-MINIMIDI:(h)(2)#2")
@each("player", range(8))
@each("banker", range(8))
def test_players_hand_draws_on_nothing_to_five_and_stays_on_six_and_seven(
    player: int, banker: int, tableau: Tableau
) -> None:
    draws = player <= 5
    assert (start(player, banker, tableau).due is PLAYER) is draws


@pytest.mark.clause("NY-MINIMIDI:(h)(2)#2")
def test_the_table_itself_has_players_hand_stay_on_six_to_nine(tableau: Tableau) -> None:
    assert tableau.player_draws == (True,) * 6 + (False,) * 4


@pytest.mark.clause("NY-MINIMIDI:(h)(2)#1", "NY-MINIMIDI:(h)(2)#2")
@pytest.mark.parametrize("player", range(8))
def test_the_ruling_on_players_hand_names_the_line_of_its_table(player: int) -> None:
    ruling = every(deal(ready(1), f"{OF_VALUE[player]} 7d Kh Ks"), ThirdCardRuled)[0]
    line = "(h)(2)#1" if player <= 5 else "(h)(2)#2"
    assert (ruling.hand, ruling.draws, ruling.clauses) == (PLAYER, player <= 5, ny(line))


# --- (3): Banker's Hand where Player stood -----------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(h)(3)")
@each("player", [6, 7])
@each("banker", range(8))
def test_where_player_stood_banker_draws_on_nothing_to_five_and_stands_on_more(
    player: int, banker: int, tableau: Tableau
) -> None:
    assert (start(player, banker, tableau).due is BANKER) is (banker <= 5)


@pytest.mark.clause("NY-MINIMIDI:(h)(3)")
def test_the_table_itself_has_banker_stand_there_on_six_to_nine(tableau: Tableau) -> None:
    column = [tableau.banker_draws[banker][NO_THIRD_CARD] for banker in range(10)]
    assert column == [True] * 6 + [False] * 4


@pytest.mark.clause("NY-MINIMIDI:(h)(3)")
@pytest.mark.parametrize("banker", range(8))
def test_the_ruling_where_player_stood_names_that_clause_and_no_row(banker: int) -> None:
    events = deal(ready(1), f"6h {OF_VALUE[banker]} Kh Ks")
    ruling = every(events, ThirdCardRuled)[1]
    assert (ruling.hand, ruling.draws) == (BANKER, banker <= 5)
    assert ruling.clauses == ny("(h)(3)")


# --- (4): Banker's Hand against Player's third card --------------------------------------------


@pytest.mark.clause(
    "NY-MINIMIDI:(h)(4)#2",
    "NY-MINIMIDI:(h)(4)#3",
    "NY-MINIMIDI:(h)(4)#4",
    "NY-MINIMIDI:(h)(4)#5",
    "NY-MINIMIDI:(h)(4)#6",
)
@each(("banker", "third", "draws"), CELLS)
def test_bankers_hand_follows_every_cell_that_is_printed(
    banker: int,
    third: int,
    draws: bool,  # noqa: FBT001
    tableau: Tableau,
) -> None:
    assert tableau.banker_draws[banker][third] is draws
    for player in range(6):
        coup = start(player, banker, tableau).with_card(OF_VALUE[third])
        assert (coup.due is BANKER) is draws


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NY-MINIMIDI:(h)(4)#2", "NY-MINIMIDI:(h)(4)#6")
def test_each_printed_row_tells_of_every_third_card_once() -> None:
    for draws, stays in PRINTED.values():
        assert sorted(draws + stays) == list(range(10))


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#6")
@pytest.mark.parametrize("banker", [8, 9])
def test_eight_and_nine_stand_as_naturals_whatever_the_third_card(
    banker: int, tableau: Tableau
) -> None:
    assert not any(tableau.banker_draws[banker])


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
@pytest.mark.parametrize("banker", DAMAGED)
def test_nothing_to_two_always_draws_as_in_the_sister_texts(banker: int, tableau: Tableau) -> None:
    for player, third in product(range(6), OF_VALUE):
        assert start(player, banker, tableau).with_card(third).due is BANKER


@pytest.mark.clause(
    "NY-MINIMIDI:(h)(4)#1",
    "NY-MINIMIDI:(h)(4)#2",
    "NY-MINIMIDI:(h)(4)#3",
    "NY-MINIMIDI:(h)(4)#4",
    "NY-MINIMIDI:(h)(4)#5",
    "NY-MINIMIDI:(h)(4)#6",
)
@pytest.mark.parametrize(("banker", "row"), ROW_CLAUSE.items())
@pytest.mark.parametrize("third", [1, 6, 8])
def test_the_ruling_on_bankers_hand_names_its_row(banker: int, row: str, third: int) -> None:
    session = ready(1)
    deal(session, f"2h {OF_VALUE[banker]} Kh Ks")
    ruling = only(deal(session, str(OF_VALUE[third])), ThirdCardRuled)
    draws = banker in DAMAGED or third in PRINTED[banker][0]
    assert (ruling.hand, ruling.draws) == (BANKER, draws)
    assert ruling.clauses == ny(f"(h)(4){row}")


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#2")
def test_the_row_is_the_two_card_count_and_the_column_the_card_and_not_players_count(
    tableau: Tableau,
) -> None:
    # Nine and four are three. Player's two and six make eight, but the third card is a six.
    assert Coup.of(parse_cards("2h 9d Kh 4s 6c"), tableau).due is BANKER
    # Player's five and eight make three, but the third card is an eight.
    assert Coup.of(parse_cards("5h 9d Kh 4s 8c"), tableau).due is None


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#3")
@pytest.mark.parametrize("ten", ["Th", "Jh", "Qh", "Kh"])
def test_a_ten_or_face_card_is_read_as_nothing_and_not_as_no_third_card(
    ten: str, tableau: Tableau
) -> None:
    assert Coup.of(parse_cards(f"2h 4d Kc Ks {ten}"), tableau).due is None


# --- the literal reading of the damaged row ----------------------------------------------------


def literally(player: int, banker: int, third: int | None) -> Hand | None:
    """Who is due by the letter of the text, the damaged row included."""
    if player >= 8 or banker >= 8:
        return None
    if third is None and player <= 5:
        return PLAYER
    if third is None:
        return BANKER if banker <= 5 else None
    draws = [0] if banker in DAMAGED else PRINTED[banker][0]
    return BANKER if third in draws else None


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
def test_read_literally_the_damaged_row_draws_on_a_third_card_of_nothing_alone(
    literal: TableRules,
) -> None:
    """Hold every start, and every third card, against the letter of the text."""
    for player, banker in product(range(10), repeat=2):
        coup = start(player, banker, literal.tableau)
        assert coup.due is literally(player, banker, None), (player, banker)
        if coup.due is PLAYER:
            for third, card in enumerate(OF_VALUE):
                after = coup.with_card(card)
                assert after.due is literally(player, banker, third), (player, banker, third)


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
def test_the_two_readings_differ_in_that_row_alone(tableau: Tableau, literal: TableRules) -> None:
    other = literal.tableau
    differ = {
        (banker, third)
        for banker, third in product(range(10), range(NO_THIRD_CARD + 1))
        if tableau.banker_draws[banker][third] != other.banker_draws[banker][third]
    }
    assert differ == set(product(DAMAGED, range(1, 10)))
    assert tableau.player_draws == other.player_draws


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
def test_the_literal_reading_changes_a_round_at_the_table() -> None:
    for readings, draws in (({}, True), (LITERAL, False)):
        session = ready(1, readings=readings)
        deal(session, "2h 2d Kh Ks")
        ruling = only(deal(session, "6c"), ThirdCardRuled)
        assert (ruling.hand, ruling.draws, ruling.clauses) == (BANKER, draws, ny("(h)(4)#1"))
    for readings in ({}, LITERAL):
        session = ready(1, readings=readings)
        deal(session, "2h 2d Kh Ks")
        assert only(deal(session, "Kc"), ThirdCardRuled).draws is True


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
def test_the_literal_reading_is_taken_only_where_it_is_named_and_warns_whoever_meets_it(
    literal: TableRules,
) -> None:
    plain = rules_of()
    assert plain.readings["T41"] == "always-draws"
    assert not any(warning.startswith("T41") for warning in plain.warnings)
    assert literal.readings["T41"] == "literal"
    (warning,) = (each for each in literal.warnings if each.startswith("T41"))
    assert warning == (
        "T41: the damaged row of the drawing table is taken literally: with eight decks the Player"
        " wager then gains its bettor 6.72 percent."
    )
    assert literal.sha256 != plain.sha256
    assert rules_of(readings={"T41": "always-draws"}).tableau == plain.tableau


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1", "NY-MINIMIDI:(h)(2)#1")
def test_the_drawing_tables_are_no_election() -> None:
    rows = dict.fromkeys(map(str, range(10)), "D" * 11)
    assert errors_of(third__banker=rows)["third.banker"].clauses[0] == "NY-MINIMIDI:(h)(3)"
    assert errors_of(third__player={"0": "D"})["third.player"].clauses[0] == "NY-MINIMIDI:(h)(2)#1"


@pytest.mark.clause("NY-MINIMIDI:(h)(4)#1")
def test_no_other_reading_of_the_row_is_offered() -> None:
    with pytest.raises(
        SubmissionError, match="'damaged' is not a reading that can be elected here"
    ):
        rules_of(readings={"T41": "damaged"})
