"""What the coup and the drawing table hold whoever builds them to, whatever the law says."""

from __future__ import annotations

import pytest

from croupier.baccarat.cards import Card, Rank, parse_cards
from croupier.baccarat.coup import (
    NO_THIRD_CARD,
    Coup,
    CoupError,
    Facts,
    Hand,
    Tableau,
    first_two,
    in_dealing_order,
    written,
)

STAYS = "S" * 11
DRAWS = "D" * 11


def rows(**changed: str) -> dict[int, str]:
    """Rows of Banker's table, which draws to nothing unless told otherwise: ``row_3="D..."``."""
    return {count: changed.get(f"row_{count}", STAYS) for count in range(10)}


def draws_to_five() -> Tableau:
    return Tableau.of(range(6), {n: DRAWS if n < 6 else STAYS for n in range(10)})


@pytest.mark.parametrize("cards", ["", "9h", "9h Kd Th", "2h 2d Kh Ks", "2h 2d Kh Ks 7c"])
def test_a_coup_that_is_still_due_a_card_has_no_facts(cards: str) -> None:
    with pytest.raises(CoupError, match="Hand still needs a card"):
        _ = Coup.of(parse_cards(cards), draws_to_five()).facts


@pytest.mark.parametrize("cards", ["2h 3d Kh 3s", "2h 3d Kh 3s 5c", "2h 3d Kh 3s 5c 4h"])
def test_the_first_facts_are_those_of_two_cards_of_each_hand_whatever_follows(cards: str) -> None:
    coup = Coup.of(parse_cards(cards), Tableau.of(range(6), rows(row_6=DRAWS)))
    assert coup.initial_facts == Facts(2, 6, 2, 2, player_pair=False, banker_pair=True)


@pytest.mark.parametrize("cards", ["", "9h Kd", "9h Kd Th"])
def test_there_are_no_first_facts_before_four_cards(cards: str) -> None:
    with pytest.raises(CoupError, match="the first four cards are not dealt"):
        _ = Coup.of(parse_cards(cards), draws_to_five()).initial_facts


@pytest.mark.parametrize(
    ("cards", "written"),
    [
        ("", "Player - / Banker -"),
        ("9h", "Player 9♥ / Banker -"),
        ("9h Kd Th 7c", "Player 9♥ 10♥ / Banker K♦ 7♣"),
    ],
)
def test_a_coup_is_written_hand_by_hand(cards: str, written: str) -> None:
    assert str(Coup.of(parse_cards(cards), draws_to_five())) == written


def test_the_first_letter_of_a_row_is_for_no_third_card_and_the_others_for_its_value() -> None:
    tableau = Tableau.of({2, 5}, rows(row_3="DSSDSSSSSSS"))
    third = [value for value in range(11) if tableau.banker_draws_third(0, 3, value)]
    assert third == [2, NO_THIRD_CARD]
    assert tableau.player_draws == tuple(count in {2, 5} for count in range(10))
    assert [len(row) for row in tableau.banker_draws] == [11] * 10


@pytest.mark.parametrize("row", ["", "D" * 10, "D" * 12, "DDDDDXDDDDD", "d" * 11])
@pytest.mark.parametrize("count", [0, 9])
def test_a_row_that_is_not_eleven_letters_d_and_s_is_refused_by_its_count(
    row: str, count: int
) -> None:
    with pytest.raises(
        ValueError, match=f"row {count} must have eleven letters D or S, not '{row}'"
    ):
        Tableau.of(range(6), rows() | {count: row})


@pytest.mark.parametrize("count", range(10))
def test_a_row_that_is_missing_is_refused(count: int) -> None:
    held = {other: row for other, row in rows().items() if other != count}
    with pytest.raises(ValueError, match=f"row {count} must have eleven letters D or S, not ''"):
        Tableau.of(range(6), held)


@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_a_natural_comes_before_a_table_that_would_have_every_hand_draw(
    natural: int, other: int
) -> None:
    tableau = Tableau.of(range(10), dict.fromkeys(range(10), DRAWS))
    for player, banker in ((natural, other), (other, natural)):
        assert tableau.player_draws_third(player, banker) is False
        assert tableau.banker_draws_third(player, banker, NO_THIRD_CARD) is False


def test_each_hand_has_its_name_at_the_table_and_the_other_for_its_opposite() -> None:
    assert [(hand.title, hand.other) for hand in Hand] == [
        ("Player's Hand", Hand.BANKER),
        ("Banker's Hand", Hand.PLAYER),
    ]


# --- hands that are told -------------------------------------------------------------------------


def told(player: str, banker: str) -> dict[Hand, tuple[Card, ...]]:
    return {Hand.PLAYER: parse_cards(player), Hand.BANKER: parse_cards(banker)}


@pytest.mark.parametrize(
    ("player", "banker", "order"),
    [
        ("9h Th", "Kd", "9h Kd Th"),
        # Player has five and draws; Banker has two, and draws to anything.
        ("2h 3d 6c", "2s Kh 7c", "2h 2s 3d Kh 6c 7c"),
        ("", "", ""),
    ],
)
def test_hands_are_dealt_in_the_order_of_the_table(player: str, banker: str, order: str) -> None:
    assert written(in_dealing_order(draws_to_five(), told(player, banker))) == order


@pytest.mark.parametrize(
    ("player", "banker", "where"),
    [
        ("", "Kd", "goes to the Player's Hand, but banker Kd would be dealt"),
        ("9h 8d", "", "goes to the Banker's Hand, but player 8d would be dealt"),
        # Nine in two cards: nobody draws.
        ("9h Kd 5c", "2s Kh", "goes to no hand, but player 5c would be dealt"),
        ("9h Kd 5c", "2s Kh 4c", "goes to no hand, but player 5c and banker 4c would be dealt"),
    ],
)
def test_hands_that_the_table_has_no_room_for_are_told(
    player: str, banker: str, where: str
) -> None:
    with pytest.raises(CoupError, match=rf"the next card {where}$"):
        in_dealing_order(draws_to_five(), told(player, banker))


def test_cards_and_ranks_are_written_with_blanks_between_them() -> None:
    assert written([Rank.NINE, *parse_cards("Kd"), Rank.TEN]) == "9 Kd T"


@pytest.mark.parametrize(
    ("cards", "pair", "royal"),
    [
        ("9h Kd", False, "9h Kd"),
        ("Jd 9h", False, "9h Jd"),
        ("9h 9d", True, ""),
        ("Kd Qh", False, ""),
        ("8d Kh", False, ""),
        ("9d Th", False, ""),
        ("Kh Kd", True, ""),
    ],
)
def test_two_cards_are_a_pair_or_a_nine_with_a_face_or_neither(
    cards: str,
    pair: bool,  # noqa: FBT001
    royal: str,
) -> None:
    one, other = (card.index for card in parse_cards(cards))
    assert first_two(one, other) == (pair, royal)
