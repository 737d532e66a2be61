"""The census holds for any shoe, any tableau and any cards seen, as a slow count of each shows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import Coup, CoupError, Facts, Tableau
from croupier.odds.census import (
    ROYAL_HANDS,
    Census,
    pair_census,
    point_census,
    point_ways,
    royal_census,
)
from croupier.odds.chances import _known_census
from croupier.odds.knowledge import Knowledge
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import default_submission, table_rules
from support.oracles.brute_force import Table, count_orders, count_values, value
from support.texts import NJ_MINI
from support.volume import volume

STANDARD = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)).tableau
FRESH = ShoeComposition.of_decks(8)

flags = st.booleans()
tableaux = st.builds(
    Tableau,
    st.tuples(*[flags] * 10),
    st.tuples(*[st.tuples(*[flags] * 11)] * 10),
)
# Few kinds of cards, so that there are pairs, royal hands, and several of one card.
few_cards = st.sampled_from(parse_cards("9h 9h 9s Kd Kh Jc Ts Ad 3c 4h 5d 6s 7c"))
any_cards = st.sampled_from(DECK)


def table_of(tableau: Tableau) -> Table:
    return tableau.player_draws, tableau.banker_draws


def shoe_of(cards: Sequence[Card]) -> ShoeComposition:
    return ShoeComposition.of(Counter(card.notation for card in cards))


def points_of(ways: Mapping[Facts, int]) -> dict[tuple[int, ...], int]:
    """Point totals and numbers of cards alone: what a slow count of values tells."""
    return {
        (
            facts.player_count,
            facts.banker_count,
            facts.player_cards,
            facts.banker_cards,
        ): number
        for facts, number in ways.items()
    }


def after(
    shoe: ShoeComposition, tableau: Tableau, seen: Sequence[Card], *asks: str
) -> Census[Facts]:
    """Return the census of what may yet come after the cards that a coup has shown."""
    return _known_census(shoe, tableau, Knowledge.dealt(tableau, seen), asks)


def by_rank(shoe: ShoeComposition) -> ShoeComposition:
    return ShoeComposition.of(shoe.by_rank)


@st.composite
def dealings(draw: st.DrawFn) -> tuple[list[Card], Tableau, int]:
    """A small shoe in an order, a tableau, and how many cards a coup from it has shown so far."""
    cards = draw(st.lists(draw(st.sampled_from([few_cards, any_cards])), min_size=6, max_size=7))
    tableau = draw(st.sampled_from([STANDARD, draw(tableaux)]))
    coup, required = Coup(tableau), 0
    while not coup.is_complete:
        coup = coup.with_card(cards[required])
        required += 1
    # One order out of seven cards is a thousandth of the work of all.
    return cards, tableau, draw(st.integers(min(required, len(cards) - 6), required))


@settings(max_examples=volume(80, 25, most=300), deadline=None)
@given(dealings())
def test_every_census_is_that_of_all_orders_of_the_cards(
    dealing: tuple[list[Card], Tableau, int],
) -> None:
    cards, tableau, number = dealing
    seen, left = cards[:number], cards[number:]
    orders = count_orders(
        [card.notation for card in left], table_of(tableau), [card.notation for card in seen]
    )
    shoe = shoe_of(cards)
    points, pairs, royals = Counter[object](), Counter[object](), Counter[object]()
    for coup, ways in orders.items():
        points[coup[:4]] += ways
        pairs[coup[:6]] += ways
        royals[tuple(hand or "" for hand in coup[6:])] += ways
    for one in (shoe, by_rank(shoe)):
        of_points = after(one, tableau, seen, "counts")
        of_pairs = after(one, tableau, seen, "counts", "pairs")
        assert points_of(of_points) == points
        assert dict(of_pairs.by(lambda facts: facts[:6])) == pairs
        if not seen:
            assert dict(point_census(one, tableau)) == dict(of_points)
            whole = pair_census(one, tableau)
            assert dict(whole.by(lambda facts: facts[:6])) == pairs
    of_royals = after(shoe, tableau, seen, "royals")
    assert dict(of_royals.by(lambda facts: facts[6:])) == royals
    if not seen:
        assert dict(royal_census(shoe).by(lambda facts: facts[6:])) == royals


values = st.lists(st.integers(0, 90), min_size=10, max_size=10).filter(lambda left: sum(left) >= 6)


@settings(max_examples=volume(7, 3, most=24), deadline=None)
@given(values, st.sampled_from([STANDARD]) | tableaux)
def test_the_closed_form_is_the_count_card_after_card_for_large_shoes(
    left: list[int], tableau: Tableau
) -> None:
    assert points_of(point_ways(left, tableau)) == count_values(left, table_of(tableau))


@settings(max_examples=volume(40, 8), deadline=None)
@given(values, st.sampled_from([STANDARD]) | tableaux, st.lists(any_cards, min_size=1, max_size=5))
def test_the_closed_form_is_the_count_card_after_card_once_cards_are_seen(
    left: list[int], tableau: Tableau, cards: list[Card]
) -> None:
    coup = Coup(tableau)
    for card in cards:
        if not coup.is_complete:
            coup = coup.with_card(card)
    seen = cards[: len(coup.player) + len(coup.banker)]
    shoe = by_value(left, seen)
    counted = count_values(left, table_of(tableau), [value(card.notation) for card in seen])
    assert points_of(after(shoe, tableau, seen, "counts")) == counted


@settings(max_examples=volume(25, 6), deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=10, max_size=10).filter(lambda left: sum(left) >= 10),
    st.sampled_from([STANDARD]) | tableaux,
    st.lists(st.integers(0, 9), max_size=2),
    st.lists(st.integers(0, 9), max_size=2),
    st.sampled_from(["player", "banker"]),
)
def test_what_a_hand_may_yet_get_adds_up_to_what_it_has(
    left: list[int], tableau: Tableau, player: list[int], banker: list[int], to: str
) -> None:
    del (player if to == "player" else banker)[1:]
    ways: Counter[object] = Counter()
    for card in range(10):
        if left[card]:
            rest = [number - (card == one) for one, number in enumerate(left)]
            after = ([*player, card], banker) if to == "player" else (player, [*banker, card])
            for facts, number in point_ways(rest, tableau, *after).items():
                ways[facts] += left[card] * number
    assert ways == point_ways(left, tableau, player, banker)


def by_value(left: Sequence[int], seen: Sequence[Card]) -> ShoeComposition:
    """Return a shoe with so many cards of each value beside those seen, the zeros as tens."""
    counts = Counter(card.notation[0] for card in seen)
    for rank, number in zip("TA23456789", left, strict=True):
        counts[rank] += number
    return ShoeComposition.of(counts)


@pytest.mark.parametrize("decks", [1, 6, 8, 12, 64])
def test_a_census_holds_every_order_of_six_cards(decks: int) -> None:
    shoe = ShoeComposition.of_decks(decks)
    every = perm(52 * decks, 6)
    assert point_census(shoe, STANDARD).total == every
    assert pair_census(shoe, STANDARD).total == every
    assert royal_census(shoe).total == every


def test_the_chances_before_a_card_are_the_mean_of_those_after_it() -> None:
    ways: Counter[object] = Counter()
    for card in DECK:
        for facts, number in after(FRESH, STANDARD, [card], "counts", "pairs").items():
            ways[Facts(*facts[:6])] += 8 * number
    assert ways == dict(pair_census(FRESH, STANDARD))


def test_the_tableau_of_baccarat_brings_about_205_classes() -> None:
    assert len(point_census(FRESH, STANDARD)) == 205


def test_another_tableau_is_another_census() -> None:
    # Banker with zero to two draws on a third card of zero alone, as a damaged row would have it.
    rows = {
        count: "DDSSSSSSSSS"
        if count < 3
        else "".join("D" if draws else "S" for draws in (row[10], *row[:10]))
        for count, row in enumerate(STANDARD.banker_draws)
    }
    damaged = Tableau.of(range(6), rows)
    table = table_of(damaged)
    assert points_of(point_census(FRESH, damaged)) == count_values(FRESH.by_value, table)


def test_facts_without_a_way_are_left_out() -> None:
    sixes = ShoeComposition.of({"6": 12})
    census = point_census(sixes, STANDARD)
    # Two sixes are two: Player draws to eight; Banker with two draws to eight as well.
    assert points_of(census) == {(8, 8, 3, 3): perm(12, 6)}


def test_a_finished_coup_has_one_outcome() -> None:
    seen = parse_cards("9h Kd Th 7c")
    census = after(FRESH, STANDARD, seen, "counts", "pairs")
    assert dict(census) == {Facts(9, 7, 2, 2): perm(412, 2)}
    assert census.total == perm(412, 2)


def test_cards_seen_have_left_the_shoe() -> None:
    shoe = ShoeComposition.of({"9h": 1, "Kd": 1, "2c": 5, "3c": 5})
    census = after(shoe, STANDARD, parse_cards("9h"), "royals")
    assert census.chance(lambda facts: facts.player_royal == "9h Kd") == Fraction(1, 11)
    again = after(shoe, STANDARD, parse_cards("9h 2c Kd"), "royals")
    assert [facts[6:] for facts in again] == [("9h Kd", "")]


def test_more_cards_than_the_shoe_holds_cannot_have_been_seen() -> None:
    shoe = ShoeComposition.of({"9h": 1, "Kd": 1, "2c": 5, "3c": 5})
    with pytest.raises(ShoeError) as refused:
        after(shoe, STANDARD, parse_cards("9h 9h Kd Kd"), "counts")
    assert refused.value.errors == (
        "2 of Kd were seen, but the shoe has 1",
        "2 of 9h were seen, but the shoe has 1",
    )


def test_a_coup_takes_no_card_that_it_does_not_require() -> None:
    with pytest.raises(CoupError, match="no card is due"):
        Knowledge.dealt(STANDARD, parse_cards("9h Kd Th 7c 2c"))


def test_six_cards_are_the_fewest() -> None:
    with pytest.raises(ShoeError, match="5 cards: a round may require 6"):
        point_census(FRESH.without(DECK * 7 + DECK[5:]), STANDARD)


def test_royal_9_needs_suits() -> None:
    with pytest.raises(ShoeError, match="Royal 9 depends on suits"):
        royal_census(by_rank(FRESH))


def test_there_are_forty_eight_royal_hands() -> None:
    assert len(ROYAL_HANDS) == 48
    assert sum(nine.suit is face.suit for nine, face in ROYAL_HANDS.values()) == 12


def test_what_facts_decide_has_a_census_of_its_own() -> None:
    pairs = pair_census(FRESH, STANDARD)
    points = pairs.by(lambda facts: Facts(*facts[:4]))
    assert dict(points) == dict(point_census(FRESH, STANDARD))
    assert isinstance(points, Census)
    assert points.total == pairs.total
