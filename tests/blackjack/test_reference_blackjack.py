"""The reference game: what it deals, and how its hands end."""

from collections import Counter
from itertools import product
from math import sqrt
from typing import Final

import pytest

from croupier.baccarat.cards import DECK, DECK_SIZE, parse_cards
from croupier.blackjack.reference import (
    MOST_HANDS,
    DealtBlackjackRound,
    ReshufflingShoe,
    deal_round,
    is_natural,
    outcome_of,
    total,
)
from croupier.blackjack.strategy import PAIRS, UP_CARDS, Move, move
from croupier.table.cards.chance import Chance
from support.volume import volume


def dealt(cards: str, *seats: int) -> DealtBlackjackRound:
    """Deal to seats, to seat 1 if none is named; every card must have been drawn."""
    source = iter(parse_cards(cards))
    found = deal_round(seats or (1,), source)
    assert list(source) == [], "cards are left over"
    return found


def hands_of(round_: DealtBlackjackRound, seat: int = 1) -> list[str]:
    return [" ".join(map(str, hand)) for hand in round_.hands[seat]]


def ended(round_: DealtBlackjackRound, seat: int = 1) -> list[str]:
    (found,) = (one for one in outcome_of(round_).seats if one.seat == seat)
    return [hand.value for hand in found.hands]


# --- what cards count ------------------------------------------------------------------------------


def test_cards_count_as_the_best_of_all_ways_in_which_aces_can() -> None:
    counts = {
        "A": (1, 11),
        **dict.fromkeys("TJQK", (10,)),
        **{pip: (int(pip),) for pip in "23456789"},
    }
    for cards in product(DECK[:13], repeat=3):
        ways = [sum(way) for way in product(*(counts[card.rank.value] for card in cards))]
        fitting = [way for way in ways if way <= 21]
        assert total(cards)[0] == (max(fitting) if fitting else min(ways))


@pytest.mark.parametrize(
    ("cards", "count", "soft"),
    [("As", 11, True), ("As Ah", 12, True), ("As 6h Td", 17, False), ("As 6h 4d", 21, True), ("Th 6h 7d", 23, False)],
)  # fmt: skip
def test_a_hand_is_soft_while_an_ace_counts_eleven(cards: str, count: int, *, soft: bool) -> None:
    assert total(parse_cards(cards)) == (count, soft)


def test_a_natural_is_an_ace_and_a_ten_or_face_card_and_no_third() -> None:
    for ten in ("Td", "Jd", "Qd", "Kd"):
        assert is_natural(parse_cards(f"As {ten}"))
    for cards in ("As 9d", "7s 7d 7h", "As Td Kd", "As"):
        assert not is_natural(parse_cards(cards))


# --- the dealer ------------------------------------------------------------------------------------


def test_the_dealer_gets_the_second_and_the_last_of_the_first_four_cards() -> None:
    round_ = dealt("Th 7d 9s Tc")
    assert (hands_of(round_), [str(card) for card in round_.dealer]) == (["Th 9s"], ["7d", "Tc"])


def test_several_seats_are_dealt_in_the_order_given_and_the_dealer_last() -> None:
    round_ = dealt("Th 9h 7d Ts 8s Tc", 5, 2)
    assert (hands_of(round_, 5), hands_of(round_, 2)) == (["Th Ts"], ["9h 8s"])
    assert [one.seat for one in outcome_of(round_).seats] == [5, 2]


@pytest.mark.parametrize(
    ("cards", "dealer", "end"),
    [
        # A soft seventeen stands: eighteen beats it.
        ("Th 6d 8s As", "6d As", "win"),
        ("Th 7d 8s Tc", "7d Tc", "win"),
        ("Th 6d 7s Tc 4c", "6d Tc 4c", "lose"),
        ("Th 6d 7s Tc 6c", "6d Tc 6c", "win"),
        ("Th 9d 9s Tc", "9d Tc", "push"),
        # An ace that counted eleven counts one when it must.
        ("Th 5d 9s Ac Tc 4c", "5d Ac Tc 4c", "lose"),
    ],
)
def test_the_dealer_draws_to_sixteen_and_stands_on_every_seventeen(
    cards: str, dealer: str, end: str
) -> None:
    round_ = dealt(cards)
    assert " ".join(map(str, round_.dealer)) == dealer
    assert ended(round_) == [end]


def test_the_dealer_draws_no_card_when_everybody_is_bust() -> None:
    round_ = dealt("Th 7d 6s 5c Kc")
    assert (ended(round_), len(round_.dealer)) == (["lose"], 2)


def test_a_bust_hand_has_lost_whatever_the_dealer_does() -> None:
    # The dealer is bust too, with twenty-six.
    round_ = dealt("Th 9h 7d 6s 9s 9c Kc Kd", 1, 2)
    assert (ended(round_, 1), ended(round_, 2)) == (["lose"], ["win"])


# --- naturals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["Ad Kc", "Td Ac"])
def test_against_a_dealers_natural_nobody_plays_and_only_a_natural_pushes(dealer: str) -> None:
    up, hole = dealer.split()
    # Eleven would double, eights would split, five would draw: none of them gets a card.
    round_ = dealt(f"6h 8h 3h Ah {up} 5s 8s 2s Qs {hole}", 1, 2, 3, 4)
    assert round_.dealer_natural
    assert outcome_of(round_).dealer_natural
    assert [ended(round_, seat) for seat in (1, 2, 3, 4)] == [["lose"]] * 3 + [["push"]]
    assert [hands_of(round_, seat) for seat in (1, 2, 3, 4)] == [
        ["6h 5s"],
        ["8h 8s"],
        ["3h 2s"],
        ["Ah Qs"],
    ]


def test_a_natural_beats_any_other_twenty_one_and_is_paid_without_more_cards() -> None:
    # Seat 2 makes the dealer draw: 7 and 7 and 7.
    round_ = dealt("Ah Th 7d Ks 9s 7c 7h", 1, 2)
    assert total(round_.dealer)[0] == 21
    assert (ended(round_, 1), ended(round_, 2)) == (["win"], ["lose"])
    assert round_.patron_natural(1)
    assert not round_.patron_natural(2)
    alone = dealt("Ah 7d Ks 7c")
    assert (ended(alone), len(alone.dealer)) == (["win"], 2)


# --- splitting and doubling --------------------------------------------------------------------------


def test_a_pair_is_split_up_to_four_hands_and_no_further() -> None:
    # Each eight against a six; a fifth eight makes sixteen, which stands as it cannot be split.
    round_ = dealt("8h 6d 8s Tc 8d 8c 8h Th Ts 9h Kc")
    assert hands_of(round_) == ["8h 8h", "8c Th", "8d Ts", "8s 9h"]
    assert len(hands_of(round_)) == MOST_HANDS
    assert ended(round_) == ["win"] * 4


def test_a_second_hand_of_a_split_is_split_in_its_turn() -> None:
    round_ = dealt("8h 6d 8s Tc Th 8d 9s Ts Kc")
    assert hands_of(round_) == ["8h Th", "8s 9s", "8d Ts"]


def test_split_aces_get_one_card_each_and_are_not_split_again() -> None:
    round_ = dealt("Ah 6d As Tc Ad 2s Tc")
    assert hands_of(round_) == ["Ah Ad", "As 2s"]
    assert round_.doubled[1] == (False, False)
    assert ended(round_) == ["win", "win"]


def test_a_split_ace_with_a_ten_is_twenty_one_and_no_natural() -> None:
    # The dealer's three sevens push against it; against a natural they would have lost.
    round_ = dealt("Ah 7d As 7c Kd 5s 7h")
    assert ended(round_) == ["push", "lose"]
    assert not round_.patron_natural(1)


def test_a_hand_is_doubled_on_two_cards_and_gets_one_more() -> None:
    round_ = dealt("6h 6d 5s Tc 2h Kc")
    assert (hands_of(round_), round_.doubled[1], ended(round_)) == (["6h 5s 2h"], (True,), ["win"])


def test_a_hand_of_three_cards_is_not_doubled() -> None:
    # Two, three and six are eleven against a six, and draw on: a four, and fifteen stand.
    round_ = dealt("2h 6d 3s Tc 6h 4h Kc")
    assert (hands_of(round_), round_.doubled[1]) == (["2h 3s 6h 4h"], (False,))


def test_a_hand_is_doubled_after_a_split() -> None:
    round_ = dealt("8h 6d 8s Tc 3h Th 2s 5s Kc")
    assert hands_of(round_) == ["8h 3h Th", "8s 2s 5s"]
    assert round_.doubled[1] == (True, True)
    assert ended(round_) == ["win", "win"]


def test_nobody_goes_on_with_twenty_one() -> None:
    round_ = dealt("6h 9d 2s Tc 3h Th")
    assert (hands_of(round_), ended(round_)) == (["6h 2s 3h Th"], ["win"])
    # The dealer must draw against it: sixteen and a five push.
    assert ended(dealt("6h 6d 2s Tc 3h Th 5c")) == ["push"]


@pytest.mark.parametrize("cards", ["", "Th 7d 9s", "Th 6d 2s Tc"])
def test_a_round_for_which_the_cards_run_out_is_refused(cards: str) -> None:
    with pytest.raises(ValueError, match="the cards have run out"):
        deal_round([1], parse_cards(cards))


# --- the strategy ------------------------------------------------------------------------------------


def chosen(
    count: int, up: int, *, soft: bool = False, pair: int | None = None, free: bool = True
) -> str:
    return move(count, up, soft=soft, pair=pair, may_split=free, may_double=free).value


def test_the_strategy_knows_what_to_do_with_every_hand_against_every_card() -> None:
    for up, soft, free in product(UP_CARDS, (True, False), (True, False)):
        for count in range(12 if soft else 4, 22):
            assert chosen(count, up, soft=soft, free=free) in ("HSD" if free else "HS")
        for pair in PAIRS:
            soft_pair = pair == 11
            count = 12 if soft_pair else 2 * pair
            assert chosen(count, up, soft=soft_pair, pair=pair, free=free) in "HSDP"


@pytest.mark.parametrize(
    ("row", "moves"),
    [
        # By the dealer's card, 2 to 9, ten, ace: what every chart of these rules has.
        ({"count": 8}, "HHHHHHHHHH"),
        ({"count": 9}, "HDDDDHHHHH"),
        ({"count": 10}, "DDDDDDDDHH"),
        ({"count": 11}, "DDDDDDDDDH"),
        ({"count": 12}, "HHSSSHHHHH"),
        ({"count": 16}, "SSSSSHHHHH"),
        ({"count": 17}, "SSSSSSSSSS"),
        ({"count": 13, "soft": True}, "HHHDDHHHHH"),
        ({"count": 16, "soft": True}, "HHDDDHHHHH"),
        ({"count": 17, "soft": True}, "HDDDDHHHHH"),
        ({"count": 18, "soft": True}, "SDDDDSSHHH"),
        ({"count": 18, "soft": True, "free": False}, "SSSSSSSHHH"),
        ({"count": 11, "free": False}, "HHHHHHHHHH"),
        ({"count": 20, "pair": 10}, "SSSSSSSSSS"),
        ({"count": 18, "pair": 9}, "PPPPPSPPSS"),
        ({"count": 16, "pair": 8}, "PPPPPPPPPP"),
        ({"count": 14, "pair": 7}, "PPPPPPHHHH"),
        ({"count": 12, "pair": 6}, "PPPPPHHHHH"),
        ({"count": 10, "pair": 5}, "DDDDDDDDHH"),
        ({"count": 8, "pair": 4}, "HHHPPHHHHH"),
        ({"count": 4, "pair": 2}, "PPPPPPHHHH"),
        ({"count": 12, "soft": True, "pair": 11}, "PPPPPPPPPP"),
    ],
)  # fmt: skip
def test_the_strategy_is_the_usual_one(row: dict[str, int], moves: str) -> None:
    assert "".join(chosen(up=up, **row) for up in UP_CARDS) == moves  # type: ignore[arg-type]


def test_a_split_is_a_move_of_its_own() -> None:
    assert Move("P") is Move.SPLIT


# --- the shoe, and the odds of the game --------------------------------------------------------------


def test_a_shoe_gives_every_card_of_its_decks_once_before_it_is_shuffled_again() -> None:
    shoe = ReshufflingShoe(2, Chance(seed=3))
    for _ in range(2):
        cards = [next(shoe) for _ in range(2 * DECK_SIZE)]
        assert Counter(cards) == dict.fromkeys(DECK, 2)


@pytest.mark.parametrize(
    ("decks", "drawn", "shuffled"),
    [(1, 20, False), (1, 39, False), (1, 40, True), (2, 78, False), (2, 79, True)],
)
def test_a_shoe_is_shuffled_between_rounds_when_less_than_a_quarter_is_left(
    decks: int, drawn: int, *, shuffled: bool
) -> None:
    shoe = ReshufflingShoe(decks, Chance(seed=3))
    first = [next(shoe) for _ in range(drawn)]
    shoe.between_rounds()
    if shuffled:
        first = []
    rest = [next(shoe) for _ in range(decks * DECK_SIZE - len(first))]
    assert Counter([*first, *rest]) == dict.fromkeys(DECK, decks)


ROUNDS: Final = volume(40_000, 15_000)


def test_in_a_fair_game_hands_win_push_and_lose_as_often_as_is_known() -> None:
    # General knowledge of the game under such rules and basic strategy: of all hands some 43.3
    # percent win, 8.7 push and 48 lose. Of forty thousand hands one standard error is a quarter of a percent.
    shoe = ReshufflingShoe(8, Chance(seed=2026))
    ends: Counter[str] = Counter()
    naturals = 0
    for _ in range(ROUNDS):
        shoe.between_rounds()
        round_ = deal_round([1], shoe)
        ends.update(ended(round_))
        naturals += round_.patron_natural(1)
    hands = sum(ends.values())
    wider = sqrt(40_000 / ROUNDS)
    assert abs(ends["win"] / hands - 0.433) < 0.01 * wider
    assert abs(ends["push"] / hands - 0.087) < 0.006 * wider
    assert abs(ends["lose"] / hands - 0.480) < 0.01 * wider
    # Of eight decks 2 * 32 * 128 of 416 * 415 pairs of cards are a natural: 4.745 percent.
    assert abs(naturals / ROUNDS - 2 * 32 * 128 / (416 * 415)) < 0.005 * wider
