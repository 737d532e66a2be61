"""Side bets written as data: their published figures, and their counts by dealing every order."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import comb, perm
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np
import pytest
from jsonschema_rs import Draft202012Validator

from croupier.odds import custom_wagers
from croupier.odds.chances import census_of
from croupier.odds.custom_wagers import read_wager
from croupier.odds.sheet import WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import CustomWagerError, TableRules, default_submission, table_rules
from support.oracles.odds import VALUE, next_hand
from support.par import called
from support.project import ROOT
from support.texts import NJ_MINI

FOLDER: Final = ROOT / "docs" / "examples" / "side-bets"
PLAIN: Final = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
LAW: Final = ("--law", "us-nj/minibaccarat@2011-02-22")

# House edges with eight decks in percent, as they are published: a source is in each file.
PUBLISHED: Final = {
    "3-card-six": "13.37",
    "3-giving-8": "8.682",
    "4-5-6-five": "8.9668",
    "4-5-6-four": "5.283",
    "4-5-6-six": "4.694",
    "88-89-98-99": "7.372",
    "9-over-7": "8.103",
    "bad-beat": "8.459",
    "banker-pair": "10.361",
    "player-pair": "10.361",
    "big": "4.35",
    "big-tiger": "15.253",
    "fortune-7": "7.6113",
    "golden-8": "10.1876",
    "lucky-bonus": "-2.34",
    "perfect-pair": "13.0294",
    "perfect-pair-250": "6.6235",
    "royal-match": "6.46",
    "small": "5.283",
    "super-6": "29.98",
}
# Ways out of all orders of six cards, where those are published.
WAYS: Final = {
    "3-card-win-player": 942_837_427_226_624,
    "3-card-win-banker": 763_885_033_768_960,
    "egalite-0": 28_979_901_420_544,
    "egalite-6": 96_170_001_308_416,
    "fortune-7": 112_633_011_329_024,
    "golden-8": 172_660_763_262_976,
}


def rules_with(name: str) -> tuple[TableRules, str]:
    offer = read_wager(FOLDER / f"{name}.toml", PLAIN)
    return PLAIN.with_offers(offer), offer.wager.id


def sheet(name: str, shoe: ShoeComposition) -> WagerSheet:
    rules, wager = rules_with(name)
    ways = census_of(shoe, rules, rules.offers[wager].wager.asks)
    return wager_sheet(rules, wager, ways, meters=rules.meter_seeds)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_side_bet_has_the_house_edge_that_is_published(name: str) -> None:
    published = PUBLISHED[name]
    places = len(published.partition(".")[2])
    edge = sheet(name, ShoeComposition.of_decks(8)).house_edge * 100
    # Some round the last place and some drop what follows it.
    assert abs(edge - Fraction(published)) < Fraction(1, 10**places)
    assert "source" in tomllib.loads((FOLDER / f"{name}.toml").read_text())["wager"]


@pytest.mark.parametrize("name", WAYS)
def test_a_side_bet_is_hit_in_the_ways_that_are_published(name: str) -> None:
    found = sheet(name, ShoeComposition.of_decks(8))
    assert sum(line.ways for line in found.lines if line.won) == WAYS[name]
    assert found.total == 4_998_398_275_503_360


def test_there_are_twenty_side_bets_whose_figures_are_published() -> None:
    assert len(PUBLISHED.keys() | WAYS.keys()) >= 20


def test_first_two_cards_are_counted_as_by_hand() -> None:
    # Of 416 cards a second one of the same kind is one of 7, a second of its rank one of 31.
    shoe = ShoeComposition.of_decks(8)
    pair, perfect = Fraction(31, 415), Fraction(7, 415)
    assert sheet("player-pair", shoe).hit_frequency == pair
    both = Fraction(52 * comb(8, 2) * (51 * comb(8, 2) + comb(6, 2)), comb(416, 2) * comb(414, 2))
    found = {line.outcome: Fraction(line.ways, found_total) for found_total, line in (
        (one.total, line) for one in [sheet("perfect-pair-250", shoe)] for line in one.lines
    )}  # fmt: skip
    assert found["both"] == both
    assert found["one"] == 2 * perfect - 2 * both


def test_a_published_figure_that_is_not_of_its_event_is_known_by_what_is_possible() -> None:
    # The Bellagio Match is published with 5.27% at 75:1, which needs a chance of 1.25%. Three cards
    # of one rank do not come so often even if a third card is always drawn: so that figure is of
    # another event, or of other pay.
    always = Fraction(31 * 30, 415 * 414)
    needed = (1 - Fraction("0.0527")) / 76
    found = sheet("bellagio-match-player", ShoeComposition.of_decks(8)).hit_frequency
    assert found < always < needed


# --- every order of a small shoe ----------------------------------------------------------------

Hand = Sequence[str]
Hit = Callable[[Hand, Hand], bool]


def count(hand: Hand) -> int:
    return sum(VALUE[card[0]] for card in hand) % 10


def red(hand: Hand) -> int:
    return sum(card[1] in "dh" for card in hand)


def three(hand: Hand) -> bool:
    return len(hand) == 3


def nines(hand: Hand) -> bool:
    return three(hand) and count(hand) == 9


ORDER: Final = "A23456789TJQK"


def rank(card: str) -> int:
    return ORDER.index(card[0])


def most_of_a_rank(*hands: Hand) -> int:
    return max(Counter(card[0] for hand in hands for card in hand).values())


def groups(own: Hand, other: Hand, size: int) -> int:
    return sum(n >= size for n in Counter(card[0] for card in (*own, *other)).values())


def pips(*hands: Hand) -> int:
    return sum(10 if card[0] in "TJQK" else rank(card) + 1 for hand in hands for card in hand)


def longest_run(*hands: Hand) -> int:
    ranks = {rank(card) for hand in hands for card in hand}
    return max(
        length for length in range(1, 7) for low in ranks if set(range(low, low + length)) <= ranks
    )


ASKED: Final[dict[str, Hit]] = {
    "player_first_card = '9h'": lambda own, _: own[0] == "9h",
    "player_second_rank = ['9', 'K']": lambda own, _: own[1][0] in "9K",
    "banker_first_suit = 'hearts'": lambda _, other: other[0][1] == "h",
    "banker_third_color = 'red'": lambda _, other: three(other) and other[2][1] in "dh",
    "player_third_value = { from = 2, to = 6 }": lambda own, _: (
        three(own) and 2 <= VALUE[own[2][0]] <= 6
    ),
    "banker_third_card = ['2h', '3c']": lambda _, other: three(other) and other[2] in {"2h", "3c"},
    "player_two_ranks = ['9K', 'K9']": lambda own, _: {own[0][0], own[1][0]} == {"9", "K"},
    "banker_two_count = 5": lambda _, other: count(other[:2]) == 5,
    "all_of_a_rank = { from = 3, to = 6 }": lambda own, other: most_of_a_rank(own, other) >= 3,
    "first4_of_a_rank = 2": lambda own, other: most_of_a_rank(own[:2], other[:2]) == 2,
    "all_paired_ranks = [2, 3]": lambda own, other: groups(own, other, 2) >= 2,
    "first4_paired_ranks = 2": lambda own, other: groups(own[:2], other[:2], 2) == 2,
    "all_tripled_ranks = 1": lambda own, other: groups(own, other, 3) == 1,
    "first4_tripled_ranks = 1": lambda own, other: groups(own[:2], other[:2], 3) == 1,
    "all_pips = { from = 4, to = 30 }": lambda own, other: pips(own, other) <= 30,
    "first4_pips = { from = 25, to = 40 }": lambda own, other: pips(own[:2], other[:2]) >= 25,
    "all_run = { from = 3, to = 6 }": lambda own, other: longest_run(own, other) >= 3,
    "first4_run = 2": lambda own, other: longest_run(own[:2], other[:2]) == 2,
    "all_9s = 2": lambda own, other: [one[0] for one in (*own, *other)].count("9") == 2,
    "first4_Ks = { from = 1, to = 4 }": lambda own, other: any(
        one[0] == "K" for one in (*own[:2], *other[:2])
    ),
    "all_9s = [1, 2], player_suited = false, winner = 'banker'": lambda own, other: (
        any(one[0] == "9" for one in (*own, *other))
        and own[0][1] != own[1][1]
        and count(other) > count(own)
    ),
    "'player_first_rank < banker_first_rank' = true": lambda own, other: (
        rank(own[0]) < rank(other[0])
    ),
    "'player_first_rank<=banker_first_rank<=player_second_rank <= banker_second_rank' = true": (
        lambda own, other: rank(own[0]) <= rank(other[0]) <= rank(own[1]) <= rank(other[1])
    ),
    "'player_first_rank < player_second_rank < player_third_rank' = true": lambda own, _: (
        three(own) and rank(own[0]) < rank(own[1]) < rank(own[2])
    ),
    "'player_third_value >= banker_third_value != player_first_value' = false": lambda own, other: (
        not (
            three(own)
            and three(other)
            and VALUE[own[2][0]] >= VALUE[other[2][0]] != VALUE[own[0][0]]
        )
    ),
    "'player_red == banker_red' = true": lambda own, other: red(own) == red(other),
    "'first4_9s > player_spades' = true": lambda own, other: (
        [one[0] for one in (*own[:2], *other[:2])].count("9") > sum(one[1] == "s" for one in own)
    ),
    "'player_count > banker_count' = true, 'player_cards != banker_cards' = true": (
        lambda own, other: count(own) > count(other) and len(own) != len(other)
    ),
    "player_suited = true": lambda own, _: own[0][1] == own[1][1],
    "banker_perfect_pair = true": lambda _, other: other[0] == other[1],
    "player_two_color = 'mixed'": lambda own, _: red(own[:2]) == 1,
    "banker_color = 'black'": lambda _, other: red(other) == 0,
    "player_of_a_suit = 3": lambda own, _: three(own) and len({card[1] for card in own}) == 1,
    "player_of_a_rank = { from = 2, to = 3 }": lambda own, _: (
        max(Counter(card[0] for card in own).values()) >= 2
    ),
    "banker_hearts = 2": lambda _, other: sum(card[1] == "h" for card in other) == 2,
    "red = 4, winner = 'banker'": lambda own, other: (
        red(own) + red(other) == 4 and count(other) > count(own)
    ),
    "spades = { from = 2, to = 6 }": lambda own, other: (
        sum(c[1] == "s" for c in (*own, *other)) >= 2
    ),
    "same_ranks = true": lambda own, other: (
        sorted(c[0] for c in own[:2]) == sorted(c[0] for c in other[:2])
    ),
    "perfect_pairs = [1, 2]": lambda own, other: own[0] == own[1] or other[0] == other[1],
    "sum = { from = 12, to = 18 }": lambda own, other: count(own) + count(other) >= 12,
    "any = [{ player_suited = true }, { banker_pair = true }]": lambda own, other: (
        own[0][1] == own[1][1] or other[0][0] == other[1][0]
    ),
    "all = [{ player_suited = true }, { not = { winner = 'tie' } }]": lambda own, other: (
        own[0][1] == own[1][1] and count(own) != count(other)
    ),
    "not = { player_first_color = 'red', banker_cards = 2 }": lambda own, other: (
        not (own[0][1] in "dh" and len(other) == 2)
    ),
}
SHOES: Final = (
    ["9h", "9s", "Kd", "Kh", "4h", "4h", "2h"],
    ["3c", "3c", "5d", "9h", "2h", "Ts", "Kd"],
    ["Ad", "Ah", "6s", "6d", "4c", "Qh", "3h"],
)


def dealt(order: Sequence[str]) -> tuple[list[str], list[str]]:
    own: list[str] = []
    other: list[str] = []
    rest = iter(order)
    while whose := next_hand([VALUE[one[0]] for one in own], [VALUE[one[0]] for one in other]):
        (own if whose == "P" else other).append(next(rest))
    return own, other


def wager(tmp_path: Path, when: str, *more: str) -> Path:
    lines = [f'[[line]]\nname = "yes"\nwhen = {{ {when} }}\npays = "2:1"\n', *more]
    path = tmp_path / "it.toml"
    path.write_text('[wager]\nid = "it"\ntitle = "It"\n' + "\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("cards", SHOES, ids=" ".join)
def test_every_fact_of_cards_is_counted_as_by_dealing_every_order(
    cards: list[str], tmp_path: Path
) -> None:
    rounds = [dealt(order) for order in permutations(cards, 6)]
    shoe = ShoeComposition.of(Counter(cards))
    for when, hit in ASKED.items():
        offer = read_wager(wager(tmp_path, when))
        rules = PLAIN.with_offers(offer)
        ways = census_of(shoe, rules, offer.wager.asks)
        found = wager_sheet(rules, "it", ways)
        wanted = Fraction(sum(hit(*one) for one in rounds), len(rounds))
        assert found.hit_frequency == wanted, when


def test_mixed_facts_are_counted_for_eight_decks_as_their_parts_add_up(tmp_path: Path) -> None:
    # However the first card falls, its suits share what happens.
    rates = []
    for suit in ("clubs", "diamonds", "hearts", "spades"):
        when = f"player_first_suit = '{suit}', winner = 'banker'"
        offer = read_wager(wager(tmp_path, when))
        rules = PLAIN.with_offers(offer)
        ways = census_of(ShoeComposition.of_decks(8), rules, offer.wager.asks)
        assert ways.total == perm(416, 6)
        rates.append(wager_sheet(rules, "it", ways).hit_frequency)
    assert set(rates) == {Fraction(2_292_252_566_437_888, 4 * 4_998_398_275_503_360)}


ALL_CARDS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "all_of_a_rank = { from = 3, to = 6 }": lambda one: one["counts"].max(axis=0) >= 3,
    "all_paired_ranks = 2": lambda one: (one["counts"] >= 2).sum(axis=0) == 2,
    "all_pips = { from = 4, to = 30 }": lambda one: one["pips"] <= 30,
    "'player_first_rank < banker_first_rank < player_second_rank < banker_second_rank' = true": (
        lambda one: (
            (one["first"][0] < one["first"][1])
            & (one["first"][1] < one["first"][2])
            & (one["first"][2] < one["first"][3])
        )
    ),
}
"""Wagers of the review, each with its count from arrays of all rounds."""


def every_round(shoe: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield all rounds from a shoe by rank, 28,561 first cards at a time, with their ways."""
    first = np.indices((13,) * 4).reshape(4, -1)  # Player, Banker, Player, Banker
    worth = np.array([VALUE[one] for one in ORDER])
    own, other = (worth[first[at]] + worth[first[at + 2]] for at in (0, 1))
    total = sum(shoe)
    for third, last in product((*range(13), None), repeat=2):
        cards = [*first, *(np.full_like(first[0], one) for one in (third, last) if one is not None)]
        counts = np.zeros((13, first.shape[1]), dtype=np.int64)
        ways = np.full(first.shape[1], perm(total - len(cards), 6 - len(cards)), dtype=np.int64)
        columns = np.arange(first.shape[1])
        for card in cards:
            ways *= np.maximum(np.array(shoe)[card] - counts[card, columns], 0)
            counts[card, columns] += 1
        meets = np.array([
            ends(a, b, third, last) for a, b in product(range(10), repeat=2)
        ]).reshape(10, 10)  # fmt: skip
        ways = ways * meets[own % 10, other % 10]
        pips = (np.minimum(np.arange(13) + 1, 10)[:, None] * counts).sum(axis=0)
        yield {"first": first, "counts": counts, "pips": pips, "ways": ways}


def ends(own: int, other: int, third: int | None, last: int | None) -> bool:
    """Return whether a round that begins with these counts draws these third cards, and no more."""
    player, banker = [0, own], [0, other]
    for whose, card in (("P", third), ("B", last)):
        if card is not None:
            if next_hand(player, banker) != whose:
                return False
            (player if whose == "P" else banker).append(VALUE[ORDER[card]])
    return not next_hand(player, banker)


@pytest.mark.parametrize(
    "counts",
    [[32] * 13, [4] * 13, [24] * 13, [31, 30, 7, 0, 25, 32, 19, 3, 28, 16, 1, 11, 9]],
    ids=["eight decks", "one deck", "six decks", "irregular"],
)
def test_wagers_on_all_cards_are_counted_as_all_rounds_are(
    counts: list[int], tmp_path: Path
) -> None:
    hit = Counter[str]()
    total = 0
    for one in every_round(counts):
        total += int(one["ways"].sum())
        for when, holds in ALL_CARDS.items():
            hit[when] += int(one["ways"][holds(one)].sum())
    assert total == perm(sum(counts), 6)
    shoe = ShoeComposition(tuple(counts))
    for when in ALL_CARDS:
        path = wager(tmp_path, when)
        assert len(path.read_text(encoding="utf-8").strip().splitlines()) <= 10
        offer = read_wager(path)
        rules = PLAIN.with_offers(offer)
        started = process_time()
        found = wager_sheet(rules, "it", census_of(shoe, rules, offer.wager.asks))
        assert process_time() - started < 5
        assert found.hit_frequency == Fraction(hit[when], total)


# --- what is refused ---------------------------------------------------------------------------


def refused(path: Path) -> str:
    result = called("par", *LAW, "--own", path)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ("player_count = 17", "line 1: player_count = 17: write an integer from 0 to 9"),
        ("cards = 7", "line 1: cards = 7: write 4, 5, or 6"),
        ("margin = -1", "line 1: margin = -1: write an integer from 0 to 9"),
        ("winner = []", "line 1: winner = []: a fact has one of some values"),
        ("winner = 'tie', margin = 3", "line 1: it can never be hit: no round comes to that"),
        ("player_first_suit = 'heart'", "write clubs, diamonds, hearts, or spades"),
        ("player_first_suits = 'hearts'", "no such fact"),
        ("colour = 'red'", "colour: no such fact; did you mean player_color"),
        ("player_colour = 'red'", "no such fact; did you mean player_color"),
        ("zzz = 1", "no such fact; `croupier help side-bets` lists them"),
        ("'player_first_rank < banker_first_rnk' = true",
         "banker_first_rnk: no such fact; did you mean banker_first_rank"),
        ("'player_first_rank < banker_count' = true", "compare facts with the same kind of values"),
        ("'player_first_suit < banker_first_rank' = true", "compare facts with the same kind"),
        ("'player_first_rank < banker_first_rank' = 3", "write true or false"),
        ("'player_count <' = true", ": no such fact"),
        ("any = [{ cards = 9 }]", "line 1: any[1].cards = 9: write 4, 5, or 6"),
        ("not = { }", "line 1: not: write what must be true"),
        ("any = []", "line 1: any: write a list of conditions"),
        ("margin = { from = 5, to = 2 }", "nothing lies from 5 to 2"),
        ("player_third_card = '9h', player_cards = 2", "it can never be hit: no round comes to that"),
        ("player_suited = true, player_perfect_pair = true, player_two_color = 'mixed'", "it can never be hit"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place(when: str, says: str, tmp_path: Path) -> None:
    told = refused(wager(tmp_path, when))
    assert says in told
    assert re.search(rf"{re.escape(str(tmp_path / 'it.toml'))}:\d+:\d+: ", told)


def test_a_line_that_others_hide_is_refused(tmp_path: Path) -> None:
    again = '[[line]]\nname = "no"\nwhen = { banker_count = 6, winner = "banker" }\npays = "9:1"\n'
    path = wager(tmp_path, "winner = ['banker', 'tie']", again)
    assert "line 2: it can never be hit: line 1 always hit first" in refused(path)


def test_two_wagers_of_one_name_are_refused(tmp_path: Path) -> None:
    path = wager(tmp_path, "cards = 4")
    result = called("par", *LAW, "--own", path, "--own", path)
    assert (result.exit_code, "two custom wagers are called it" in result.stderr) == (2, True)


def test_whether_a_line_can_be_hit_is_found_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(*_: object) -> None:
        raise AssertionError("it takes long")

    monkeypatch.setattr(custom_wagers, "census_of", taken)
    path = wager(tmp_path, "red = 6")
    (torn := tmp_path / "torn.toml").write_text(path.read_text().replace("red = 6", "red = 7"))
    for more, says in (
        (("--own", path), "two custom wagers are called it"),
        (("--own", torn), "red = 7"),
        (("--own-limits", "tiger=5,500"), "no --own has that id"),
    ):
        result = called("par", *LAW, "--own", path, *more)
        assert (result.exit_code, says in result.stderr) == (2, True)


# --- the definition, the schema, the commands ---------------------------------------------------


def test_the_whole_definition_is_in_the_hash_of_the_rules(tmp_path: Path) -> None:
    hashes = set()
    for when in ("cards = 4", "cards = 5", "not = { cards = 4 }"):
        hashes.add(PLAIN.with_offers(read_wager(wager(tmp_path, when))).sha256)
    assert len(hashes | {PLAIN.sha256}) == 4


def test_the_schema_takes_every_example_and_refuses_what_is_not_one() -> None:
    printed = called("schema", "own-wager")
    schema = Draft202012Validator(json.loads(printed.stdout))
    compared = {"when": {"player_count <= banker_count": True}, "pays": "2:1"}
    schema.validate({"wager": {"id": "it", "title": "It"}, "line": [compared]})
    for path in FOLDER.glob("*.toml"):
        schema.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    head = {"id": "it", "title": "It"}
    whens: list[dict[str, object]] = [{"cards": 7}, {}, {"any": []}, {"suits": 3}, {"a < b": 1}]
    for when in whens:
        line = {"when": when, "pays": "2:1"}
        assert not schema.is_valid({"wager": head, "line": [line]})


def test_a_meter_pays_what_it_shows() -> None:
    data: Any = json.loads(
        called("par", *LAW, "--own", FOLDER / "jackpot.toml", "--format", "json").stdout
    )
    (jackpot,) = (one for one in data["wagers"] if one["id"] == "suited_jackpot")
    pays = {line["outcome"]: line["pays"] for line in jackpot["lines"]}
    assert pays == {
        "jackpot": "2000:1", "three_of_a_rank": "50:1", "suited": "12:1", "lose": "loses",
    }  # fmt: skip
    (meters,) = (one for one in data["packages"] if one["id"] == "suited_jackpot_meters")
    assert meters["rows"][0]["figures"]["seed"] == "1000000/1"


def test_odds_and_counts_take_custom_wagers() -> None:
    own = ("--own", FOLDER / "perfect-pair.toml")
    told = called("odds", *LAW, *own, "--player", "9h,9h", "--format", "json")
    (found,) = (one for one in json.loads(told.stdout)["wagers"] if one["id"] == "perfect_pair")
    assert found["expectation"] == "25/1"
    counted = called("count", *LAW, "--own", FOLDER / "super-6.toml", "--wager", "super_six", "--shoes", 20)  # fmt: skip
    assert counted.exit_code == 0
    assert "Super 6" in counted.stdout


def test_errors_without_a_table_are_those_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(CustomWagerError, match="no line pays it"):
        read_wager(wager(tmp_path, "cards = 4", '[meter.jackpot]\nseed = "10.00"\n'))
