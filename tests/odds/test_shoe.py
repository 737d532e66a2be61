"""A shoe is read from what people write, and one that cannot be is refused with every reason."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.baccarat.cards import DECK, Rank, parse_cards
from croupier.baccarat.coup import CARD_VALUE
from croupier.law import contracts
from croupier.odds.shoe import MOST_CARDS, MOST_DECKS, ShoeComposition, ShoeError, parse_shoe

counts = st.lists(st.integers(0, 64), min_size=52, max_size=52).filter(lambda all_: sum(all_) >= 6)


def errors_of(text: str) -> tuple[str, ...]:
    with pytest.raises(ShoeError) as refused:
        parse_shoe(text)
    return tuple(refused.value.errors)


@pytest.mark.parametrize("text", ["8", " 8 ", '{"decks": 8}', '{"decks": 8, "cards": 416}'])
def test_decks_make_a_fresh_shoe(text: str) -> None:
    shoe = parse_shoe(text)
    assert shoe.cards == 416
    assert set(shoe.by_rank.values()) == {32}
    assert set(shoe.by_card.values()) == {8}
    assert shoe.by_value == (128, *[32] * 9)
    assert str(shoe) == "8"


@pytest.mark.parametrize(
    "text",
    [
        "A=32,2=31,10=4",
        " A = 32 , 2=31,T=4,",
        '{"A": 32, "2": 31, "10": 4}',
        '{"by_rank": {"A": 32, "2": 31, "T": 4}, "cards": 67}',
    ],
)
def test_a_shoe_may_be_told_by_rank(text: str) -> None:
    shoe = parse_shoe(text.rstrip(","))
    assert {rank: number for rank, number in shoe.by_rank.items() if number} == {
        "A": 32,
        "2": 31,
        "T": 4,
    }
    assert shoe.by_value == (4, 32, 31, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    "text",
    ["Ah=8,10d=3,9c=0", '{"Ah": 8, "Td": 3}', '{"by_card": {"Ah": 8, "Td": 3}}'],
)
def test_a_shoe_may_be_told_by_card(text: str) -> None:
    shoe = parse_shoe(text)
    assert {card: number for card, number in shoe.by_card.items() if number} == {"Ah": 8, "Td": 3}
    assert shoe.by_rank["A"] == 8
    assert shoe.cards == 11


def test_a_shoe_told_by_rank_knows_no_suits() -> None:
    shoe = parse_shoe("A=32,K=4")
    with pytest.raises(ShoeError, match="depends on suits, but this shoe is specified by rank"):
        _ = shoe.by_card


@given(counts)
def test_what_a_shoe_says_of_itself_reads_as_the_same_shoe(numbers: list[int]) -> None:
    shoe = ShoeComposition.of(
        {card.notation: number for card, number in zip(DECK, numbers, strict=True)}
    )
    assert parse_shoe(str(shoe)) == shoe
    assert parse_shoe(json.dumps(shoe.by_card)) == shoe
    by_rank = parse_shoe(json.dumps({"cards": shoe.cards, "by_rank": shoe.by_rank}))
    assert by_rank.ranks == shoe.ranks
    assert parse_shoe(str(by_rank)) == by_rank


@given(counts)
def test_values_are_those_of_the_cards(numbers: list[int]) -> None:
    shoe = ShoeComposition.of(
        {card.notation: number for card, number in zip(DECK, numbers, strict=True)}
    )
    by_value = [0] * 10
    for card, number in zip(DECK, numbers, strict=True):
        by_value[CARD_VALUE[card.index]] += number
    assert shoe.by_value == tuple(by_value)


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("A=1,2=1", ["2 cards: a round may require 6"]),
        ("{}", ["0 cards: a round may require 6"]),
        ("A=-1,K=9", ["A=-1: the count must be an integer, zero or greater"]),
        ('{"A": 1.5, "K": 9}', ["A=1.5: the count must be an integer, zero or greater"]),
        ('{"A": true, "K": 9}', ["A=True: the count must be an integer, zero or greater"]),
        ('{"A": "9", "K": 9}', ["A='9': the count must be an integer, zero or greater"]),
        ("X=9", ["'X' is neither a rank (A 2-9 T J Q K) nor a card (9h)"]),
        ("1=9", ["'1' is neither a rank (A 2-9 T J Q K) nor a card (9h)"]),
        ("A=4,K=4,A=4", ["'A': A is given twice"]),
        ("T=4,10=4", ["'10': T is given twice"]),
        ('{"A": 9, "A": 9}', ["A is given twice"]),
        ("A=9,Kh=9", ["some counts are by rank (A), others by card: use one kind"]),
        ("A=3329", ["3329 cards: the maximum is 3328"]),
        ("0", ["0 decks: write a number from 1 to 64"]),
        ("65", ["65 decks: write a number from 1 to 64"]),
        ('{"decks": "8"}', ["decks: '8' is not an integer"]),
        ('{"decks": 8, "cards": 415}', ["cards: 415 are stated, but the counts add up to 416"]),
        ('{"by_rank": [4, 4]}', ["by_rank: write an object of counts by name"]),
    ],
)
def test_a_shoe_that_cannot_be_is_refused_with_the_reason(text: str, errors: list[str]) -> None:
    assert list(errors_of(text)) == errors


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("", "no shoe is given"),
        ("A=4;K=4", "'A=4;K=4' is not a count"),
        ("A=4,,K=4", "'' is not a count"),
        ("{", "not JSON"),
        ('{"A":' * 100_000, "not JSON: nested more than 32 deep"),
        ('{"decks": 8, "A": 4}', "'A' cannot be combined with 'decks'"),
        ("[1, 2]", "'[1' is not a count"),
        ("٨", "'٨' is not a count"),
        ("A=9999999999999", "'A=9999999999999' is not a count"),
    ],
)
def test_what_is_no_shoe_is_refused_with_how_to_write_one(text: str, start: str) -> None:
    assert errors_of(text)[0].startswith(start)


def test_every_error_is_told_at_once() -> None:
    assert len(errors_of("A=-1,X=3,foo,2=2,2=3,Kh=1")) == 5


@given(st.text(max_size=40) | st.text('A2TKhd=,{}":-9 ', max_size=40))
def test_any_text_is_a_shoe_or_is_refused(text: str) -> None:
    with suppress(ShoeError):
        assert 6 <= parse_shoe(text).cards <= MOST_CARDS


def test_cards_leave_a_shoe_by_card_or_by_rank() -> None:
    seen = parse_cards("9h 9h Kd")
    left = ShoeComposition.of_decks(8).without(seen)
    assert (left.cards, left.by_card["9h"], left.by_card["Kd"], left.by_rank["9"]) == (
        413,
        6,
        7,
        30,
    )
    by_rank = ShoeComposition.of({"9": 3, "K": 3}).without(seen)
    assert by_rank.by_rank["9"] == 1
    assert by_rank.cards == 3


def test_no_card_leaves_a_shoe_that_does_not_hold_it() -> None:
    shoe = ShoeComposition.of({rank.value: 1 for rank in Rank})
    with pytest.raises(ShoeError) as refused:
        shoe.without(parse_cards("9h 9d Ks Kd 2c"))
    assert refused.value.errors == (
        "2 of 9 were seen, but the shoe has 1",
        "2 of K were seen, but the shoe has 1",
    )


def test_no_table_has_more_decks_than_a_submission_may_ask_for() -> None:
    assert MOST_DECKS == contracts.MOST_DECKS
