"""Side bets written as data: their published figures, and their counts by dealing every order."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, perm
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

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


# --- the definition, the schema, the commands ---------------------------------------------------


def test_the_whole_definition_is_in_the_hash_of_the_rules(tmp_path: Path) -> None:
    hashes = set()
    for when in ("cards = 4", "cards = 5", "not = { cards = 4 }"):
        hashes.add(PLAIN.with_offers(read_wager(wager(tmp_path, when))).sha256)
    assert len(hashes | {PLAIN.sha256}) == 4


def test_the_schema_takes_every_example_and_refuses_what_is_not_one() -> None:
    printed = called("schema", "own-wager")
    schema = Draft202012Validator(json.loads(printed.stdout))
    for path in FOLDER.glob("*.toml"):
        schema.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    head = {"id": "it", "title": "It"}
    whens: list[dict[str, object]] = [{"cards": 7}, {}, {"any": []}, {"suits": 3}]
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
