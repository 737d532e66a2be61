"""Effects of removal, and the counts that they make, against oracles and published figures."""

import random
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import pytest

from croupier.baccarat.cards import DECK, Rank
from croupier.odds.census import point_census
from croupier.odds.chances import census_of
from croupier.odds.counting import (
    CountingError,
    RemovalEffects,
    best_tags,
    betting_efficiency,
    correlation,
    effects_of_removal,
    parse_tags,
    small_tags,
    tags_text,
)
from croupier.odds.custom_wagers import read_wager
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, read_submission, table_rules
from support.oracles import removal as counting_oracle
from support.project import ROOT
from support.volume import spread

SUBMISSIONS = Path(__file__).parents[2] / "submissions"
EIGHT = ShoeComposition.of_decks(8)
PUBLISHED = "4=-1,5=-1,6=-1,7=-1,8=2,9=2"


def table(name: str) -> TableRules:
    return table_rules(read_submission(SUBMISSIONS / f"{name}.toml"))


def effects_at(name: str, wager: str, shoe: ShoeComposition = EIGHT) -> RemovalEffects:
    return effects_of_removal(table(name), wager, shoe)


# --- effects of removal ------------------------------------------------------------------------


def small_shoes() -> list[tuple[int, ...]]:
    """A few shoes small enough to deal in every order, with ranks of one value among them."""
    chance = random.Random(5)
    shoes = []
    for _ in range(4):
        ranks = [0] * 13
        kinds = chance.sample(range(13), 5)
        for _ in range(9):
            ranks[chance.choice(kinds)] += 1
        shoes.append(tuple(ranks))
    return [*shoes, (0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 2, 0, 3)]


@pytest.mark.parametrize(
    ("name", "wager"),
    [
        ("nj-minibaccarat", "player"),
        ("nj-minibaccarat", "banker"),
        ("nj-minibaccarat", "tie"),
        ("ny-mini-ez", "dragon_7"),
        ("ma-house-money", "house_money"),
    ],
)
@pytest.mark.parametrize("ranks", small_shoes(), ids=str)
def test_effects_of_removal_are_those_of_every_order_dealt(
    name: str, wager: str, ranks: tuple[int, ...]
) -> None:
    found = effects_at(name, wager, ShoeComposition(ranks))
    assert found.expectation == counting_oracle.expectation(ranks, wager)
    assert list(found.by_rank) == counting_oracle.effects(ranks, wager)


@pytest.mark.parametrize(
    "shoe",
    [EIGHT, ShoeComposition.of_decks(6), ShoeComposition((9, 3, 8, 7, 1, 5, 2, 8, 4, 0, 6, 1, 2))],
)
@pytest.mark.parametrize("name", ["nj-minibaccarat", "ny-mini-ez"])
def test_effects_weighed_by_the_cards_come_to_nought(name: str, shoe: ShoeComposition) -> None:
    # A card that leaves the shoe unseen changes nothing: the six cards of the round are as likely
    # to be any. So the mean over that card of what is left is what the whole shoe brings.
    rules = table(name)
    for wager in rules.offers:
        found = effects_of_removal(rules, wager, shoe)
        assert sum(n * one for n, one in zip(shoe.ranks, found.by_rank, strict=True)) == 0


def test_the_effects_on_the_chance_that_player_wins_are_those_published() -> None:
    # https://excelpunks.com/concepts-16-baccarat-effects-of-card-removal/ : eight decks, to ten
    # places, for one card of the rank removed.
    tableau = table("nj-minibaccarat").tableau
    published = {0: "-0.0000295798", 2: "-0.0000217068", 3: "-0.0000435175", 9: "-0.0000373810"}

    def chance(shoe: ShoeComposition) -> Fraction:
        return point_census(shoe, tableau).chance(
            lambda facts: facts.player_count > facts.banker_count
        )

    for rank, figure in published.items():
        left = list(EIGHT.ranks)
        left[rank] -= 1
        assert f"{float(chance(ShoeComposition(tuple(left))) - chance(EIGHT)):.10f}" == figure


def test_eights_and_nines_that_leave_help_dragon_7_and_fours_to_sevens_harm_it_most() -> None:
    effects = effects_at("ny-mini-ez", "dragon_7").by_rank
    in_order = sorted(range(13), key=lambda rank: effects[rank])
    assert set(in_order[-2:]) == {7, 8}
    assert set(in_order[:4]) == {3, 4, 5, 6}
    # Tens, and the ace, help a little; two and three harm a little.
    assert all(effects[rank] > 0 for rank in (0, 9, 10, 11, 12))
    assert effects[1] < 0 > effects[2]


def test_no_single_card_moves_player_or_banker_by_more_than_a_fiftieth_of_a_percent() -> None:
    for wager in ("player", "banker"):
        effects = effects_at("nj-minibaccarat", wager).by_rank
        assert max(map(abs, effects)) < Fraction(2, 10_000)


def test_what_leaves_a_fresh_shoe_tells_nothing_of_pairs() -> None:
    effects = effects_at("ma-house-money", "house_money")
    assert not any(effects.by_rank)
    assert correlation(effects, parse_tags("9=1,A=-1")) is None
    with pytest.raises(CountingError, match="no best linear count"):
        best_tags(effects)
    with pytest.raises(CountingError, match="no best linear count"):
        small_tags(effects)


def test_a_wager_on_suits_needs_a_shoe_by_card() -> None:
    with pytest.raises(CountingError, match="depends on suits"):
        effects_at("ma-royal-9", "royal_9", ShoeComposition((24,) * 13))


def test_effects_of_a_wager_on_suits_are_the_means_of_its_cards() -> None:
    effects = effects_at("ma-royal-9", "royal_9", ShoeComposition.of_decks(6))
    assert sum(effects.by_rank) == 0
    nine, face = effects.by_rank[8], effects.by_rank[12]
    assert nine < face < 0 < effects.by_rank[0]
    # What is no nine and no face card is alike to it.
    assert len({*effects.by_rank[:8], effects.by_rank[9]}) == 1


def test_cards_that_nobody_tells_apart_have_one_effect() -> None:
    """Each card removed by itself gives what its likes give."""
    own = ROOT / "docs" / "examples" / "side-bets"
    rules = table("nj-minibaccarat").with_offers(
        *(read_wager(own / f"{name}.toml") for name in ("royal-match", "tiger-pair"))
    )
    for wager in ("royal_match", "tiger_pair"):
        shoe = ShoeComposition.of_decks(2)
        effects = effects_of_removal(rules, wager, shoe)
        asks = rules.offers[wager].wager.asks
        for rank, effect in spread(zip(Rank, effects.by_rank, strict=True), 2):
            alone = []
            for card in (card for card in DECK if card.rank is rank):
                ways = census_of(shoe.without([card]), rules, asks)
                alone.append(wager_sheet(rules, wager, ways).expectation)
            assert effect == sum(alone) / 4 - effects.expectation


def test_a_shoe_without_a_card_to_spare_is_refused() -> None:
    with pytest.raises(CountingError, match="6 cards"):
        effects_at("nj-minibaccarat", "player", ShoeComposition((6,) + (0,) * 12))


# --- the best count ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wager"), [("nj-minibaccarat", "banker"), ("ny-mini-ez", "dragon_7")]
)
def test_the_best_tags_correlate_perfectly_and_give_a_percent_for_a_true_count(
    name: str, wager: str
) -> None:
    effects = effects_at(name, wager)
    tags = best_tags(effects)
    assert correlation(effects, tags) == pytest.approx(1, abs=1e-12)
    assert betting_efficiency(effects, tags) == pytest.approx(1, abs=1e-12)
    # With one card gone the true count is its tag by the decks left, and the theory is exact.
    for rank, tag in enumerate(tags):
        assert tag / Fraction(415, 52) / 100 == effects.by_rank[rank]


def test_the_best_whole_tags_up_to_two_for_dragon_7_are_the_published_count() -> None:
    assert tags_text(small_tags(effects_at("ny-mini-ez", "dragon_7"))) == PUBLISHED


@pytest.mark.parametrize(
    ("name", "wager"),
    [("nj-minibaccarat", "player"), ("nj-minibaccarat", "tie"), ("ny-mini-ez", "panda_8")],
)
def test_no_balanced_tags_up_to_one_correlate_better_than_those_found(
    name: str, wager: str
) -> None:
    effects = effects_at(name, wager)
    found = small_tags(effects, 1)
    assert sum(found) == 0
    values = [float(effect) for effect in effects.by_rank[:10]]
    best = 0.0
    for tags in product((-1, 0, 1), repeat=10):
        squares = sum(map(abs, tags)) + 3 * abs(tags[9])
        if squares and sum(tags) + 3 * tags[9] == 0:
            gain = sum(a * b for a, b in zip(tags, values, strict=True)) + 3 * tags[9] * values[9]
            best = max(best, gain / sqrt(squares))
    ours = sum(float(a * b) for a, b in zip(found, effects.by_rank, strict=True))
    assert ours / sqrt(sum(map(abs, found))) == pytest.approx(best, rel=1e-9)


def test_greater_tags_never_correlate_worse() -> None:
    effects = effects_at("ny-mini-ez", "panda_8")
    found = [correlation(effects, small_tags(effects, most)) or 0 for most in range(1, 6)]
    assert found == sorted(found)
    assert 0.8 < found[0] < found[-1] < 1


def test_correlation_is_that_of_the_tags_and_effects_of_all_cards() -> None:
    effects = effects_at(
        "ny-mini-ez", "dragon_7", ShoeComposition((9, 3, 8, 7, 1, 5, 2, 8, 4, 0, 6, 1, 2))
    )
    tags = parse_tags(f"{PUBLISHED},A=0.5")
    cards = [rank for rank, n in enumerate(effects.shoe.ranks) for _ in range(n)]
    x, y = [float(tags[rank]) for rank in cards], [float(effects.by_rank[rank]) for rank in cards]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    joint = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    assert correlation(effects, tags) == pytest.approx(joint / spread, rel=1e-9)


def test_tags_turned_round_correlate_negatively_and_win_nothing() -> None:
    effects = effects_at("ny-mini-ez", "dragon_7")
    turned = tuple(-tag for tag in parse_tags(PUBLISHED))
    assert correlation(effects, turned) == -(correlation(effects, parse_tags(PUBLISHED)) or 0)
    assert betting_efficiency(effects, turned) == 0


def test_whole_tags_are_searched_for_up_to_one_to_five() -> None:
    for most in (0, 6):
        with pytest.raises(CountingError, match="from 1 to 5"):
            small_tags(effects_at("nj-minibaccarat", "player"), most)


# --- tags as they are written ------------------------------------------------------------------


def test_tags_are_read_by_rank_and_those_not_named_are_nought() -> None:
    tags = parse_tags(" a=1, 10=-2 ,K=0.25,5=+3")
    assert list(tags) == [1, 0, 0, 0, 3, 0, 0, 0, 0, -2, 0, 0, Fraction(1, 4)]
    assert parse_tags(tags_text(tags)) == tags


def test_every_error_of_the_tags_is_told_at_once() -> None:
    with pytest.raises(CountingError) as error:
        parse_tags("1=2,A=,4=1,4=2,9=1000,8=1/2,,7=-1")
    assert len(error.value.errors) == 6
    told = "\n".join(error.value.errors)
    for part in (
        "'1=2'",
        "'A='",
        "'4=2': 4 has a tag already",
        "'9=1000': a tag must be from",
        "'8=1/2'",
    ):
        assert part in told


@pytest.mark.parametrize("text", ["", "   ", "A=0,9=0"])
def test_a_count_without_a_tag_is_refused(text: str) -> None:
    with pytest.raises(CountingError, match="every tag is zero"):
        parse_tags(text)
