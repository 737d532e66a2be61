"""A wager of one's own is read with every fault, weighed as the oracle says, and settled like any other."""

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import Wager
from croupier.baccarat.wagers.facts import FACTS as READ
from croupier.law.values import Odds
from croupier.money.settlement import Stake, settle
from croupier.odds.custom_wagers import read_wager
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import (
    CustomWagerError,
    Offer,
    Outcome,
    TableRules,
    default_submission,
    table_rules,
)
from support.function_wagers import custom_offer
from support.oracles.odds import LOSES, Coup, Weighed, fresh
from support.oracles.odds import Shoe as Cards
from support.par import Data, called, census, depleted, exact, hold, sheet_of, told, wagers_of
from support.project import ROOT
from support.texts import NJ_MINI

LUCKY_6: Final = ROOT / "docs" / "examples" / "lucky-6.toml"


@pytest.fixture(scope="module")
def plain() -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))


def lucky_6(coup: Coup) -> tuple[str, Fraction]:
    if coup.banker != 6 or coup.margin >= 0:
        return "lose", LOSES
    if coup.banker_cards == 3:
        return "three_cards", Fraction(20)
    return "two_cards", Fraction(12)


def of_oracle(shoe: Cards, decide: Any) -> Weighed:
    lines: dict[tuple[str, Fraction], int] = {}
    for coup, ways in census(shoe).items():
        key = decide(coup)
        lines[key] = lines.get(key, 0) + ways
    return Weighed(lines)


def file_of(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def sheet_with(rules: TableRules, offer: Offer, decks: int = 8) -> Data:
    sheet = par_sheet(rules.with_offers(offer), ShoeComposition.of_decks(decks))
    return wagers_of(sheet)[offer.wager.id]


# --- in TOML -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shoe", [fresh(8), fresh(6), depleted(4), depleted(11)], ids=["8", "6", "some", "few"])  # fmt: skip
def test_lucky_6_is_worth_what_the_oracle_says(shoe: Cards) -> None:
    sheet = sheet_of(
        "--law", "us-nj/minibaccarat@2011-02-22", "--shoe", told(shoe), "--own", LUCKY_6
    )
    hold(wagers_of(sheet)["lucky_6"], of_oracle(shoe, lucky_6))


def test_a_wager_of_ones_own_stands_beside_those_of_the_table() -> None:
    own = sheet_of("--law", "us-nj/minibaccarat@2011-02-22", "--own", LUCKY_6)
    law = sheet_of("--law", "us-nj/minibaccarat@2011-02-22")
    assert list(wagers_of(own)) == ["player", "banker", "tie", "lucky_6"]
    assert own["wagers"][:3] == law["wagers"]
    wager = wagers_of(own)["lucky_6"]
    assert wager["title"] == "Lucky 6"
    assert wager["cites"] == wager["interpretations"] == []
    assert wager["min_cents"] is wager["max_cents"] is None


# Every fact that a paytable may ask for, with what the oracle says of the same.
FACTS: Final[Mapping[str, Any]] = {
    "winner = 'player'": lambda one: one.margin > 0,
    "winner = ['banker', 'tie']": lambda one: one.margin <= 0,
    "player_count = [1, 3]": lambda one: one.player in {1, 3},
    "banker_count = 0": lambda one: one.banker == 0,
    "player_cards = 3": lambda one: one.player_cards == 3,
    "banker_cards = 2": lambda one: one.banker_cards == 2,
    "cards = 5": lambda one: one.cards == 5,
    "margin = [0, 9]": lambda one: abs(one.margin) in {0, 9},
    "natural = true": lambda one: one.cards == 4 and max(one.player, one.banker) >= 8,
    "player_natural = true": lambda one: one.player_cards == 2 and one.player >= 8,
    "banker_natural = false": lambda one: one.banker_cards == 3 or one.banker < 8,
    "player_pair = true": lambda one: one.player_pair,
    "banker_pair = true, winner = 'banker'": lambda one: one.banker_pair and one.margin < 0,
}


@pytest.mark.parametrize("when", FACTS)
def test_every_fact_that_may_be_asked_for_is_counted(when: str, tmp_path: Path, plain: TableRules) -> None:  # fmt: skip
    text = f'[wager]\nid = "it"\ntitle = "It"\n[[line]]\nname = "yes"\nwhen = {{ {when} }}\npays = "7:3"\n'
    wager = sheet_with(plain, read_wager(file_of(tmp_path, text)))
    hit = FACTS[when]
    hold(wager, of_oracle(fresh(8), lambda one: ("yes", Fraction(7, 3)) if hit(one) else ("lose", LOSES)))  # fmt: skip


def test_the_first_line_that_holds_counts_and_a_push_is_void(tmp_path: Path, plain: TableRules) -> None:  # fmt: skip
    text = """
        [wager]
        id = "it"
        title = "It"
        [[line]]
        when = { winner = "tie" }
        pays = "push"
        [[line]]
        name = "banker_nine"
        when = { banker_count = 9 }
        pays = "push"
        [[line]]
        name = "nine"
        when = { player_count = 9 }
        pays = "3:1"
        [[line]]
        when = { winner = "player" }
        pays = "1:4"
    """

    def decide(one: Coup) -> tuple[str, Fraction]:
        if one.margin == 0 or one.banker == 9:
            return "push" if one.margin == 0 else "banker_nine", Fraction()
        if one.player == 9:
            return "nine", Fraction(3)
        return ("line_4", Fraction(1, 4)) if one.margin > 0 else ("lose", LOSES)

    hold(sheet_with(plain, read_wager(file_of(tmp_path, text))), of_oracle(fresh(8), decide))


def test_a_fact_is_what_its_name_says() -> None:
    facts = Facts(8, 8, 2, 2)
    assert READ["winner"].find(facts) == "tie"
    assert READ["natural"].find(facts) is True
    assert READ["natural"].find(Facts(8, 9, 3, 3)) is False
    assert READ["margin"].find(Facts(1, 9, 3, 3)) == 8


# --- faults ------------------------------------------------------------------------------------


def errors_of(path: Path) -> list[str]:
    with pytest.raises(CustomWagerError) as raised:
        read_wager(path)
    place = re.compile(re.escape(str(path)) + r"(:\d+:\d+)?: ")
    return [place.sub("", detail, count=1) for detail in raised.value.errors]


def test_a_bad_file_is_told_with_every_error(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        """
        [wager]
        id = "tie"
        limit = 5
        [colour]
        [[line]]
        name = "push"
        when = { winner = "dealer", banker_count = true, suits = 3 }
        pays = 8
        odds = "8:1"
        [[line]]
        name = "win"
        when = {}
        pays = "eight"
        [[line]]
        name = "win"
        when = { player_pair = 1 }
        pays = "2:1"
        """,
    )
    found = errors_of(path)
    for wanted in (
        "[wager] id",
        "[wager] title",
        "unknown table 'colour'",
        "[wager]: unknown key 'limit'",
        "line 1: unknown key 'odds'; known: name, when, pays",
        "line 1: name",
        "line 1: winner = 'dealer': write player, banker, or tie",
        "line 1: banker_count = True: write an integer from 0 to 9",
        "line 1: suits: no such fact",
        "line 1: pays: write odds",
        "line 2: when",
        "line 2: 'eight' is not odds: write two integers from 1 to 999,999, such as",
        "line 3: player_pair = 1: write true or false",
        "two lines have the name win",
    ):
        assert [detail for detail in found if detail.startswith(wanted)], wanted
    assert len(found) == 14


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("[wager", "not TOML: Expected"),
        ("", "[[line]]"),
        ('wager = 3\nline = "x"', "[wager] id"),
        ('[wager]\nid = "lucky six"\ntitle = "x"', "[wager] id"),
    ],
)
def test_a_file_that_is_no_wager_is_refused(text: str, detail: str, tmp_path: Path) -> None:
    assert [one for one in errors_of(file_of(tmp_path, text)) if one.startswith(detail)]


def test_the_command_line_tells_every_error_of_a_file_and_exits_with_status_two(tmp_path: Path) -> None:  # fmt: skip
    path = file_of(tmp_path, '[wager]\nid = "tie"\n')
    result = called("par", "--law", "us-nj/minibaccarat@2011-02-22", "--own", path)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{path}:2:1: [wager] id" in result.stderr
    for detail in errors_of(path):
        assert detail in result.stderr


# --- in Python ---------------------------------------------------------------------------------


def tiger(facts: Facts) -> str:
    won = facts.banker_count == 6 > facts.player_count
    return f"{facts.banker_cards}_cards" if won else "lose"


TIGER: Final = custom_offer(
    Wager("tiger", "Tiger", ("2_cards", "3_cards"), tiger),
    {"2_cards": Odds(12, 1), "3_cards": Odds(20, 1)},
)


def test_a_function_has_the_edge_of_the_same_paytable(plain: TableRules) -> None:
    of_function = sheet_with(plain, TIGER)
    of_file = sheet_with(plain, read_wager(LUCKY_6))
    for figure in ("house_edge", "hit_frequency", "variance"):
        assert of_function[figure] == of_file[figure]
    assert -exact(of_function["house_edge"]) == of_oracle(fresh(8), lucky_6).mean()


def test_a_function_that_asks_for_pairs_has_them(plain: TableRules) -> None:
    offer = custom_offer(
        Wager(
            "alike",
            "Alike",
            ("win",),
            lambda facts: "win" if facts.player_pair else "lose",
            asks=("pairs",),
        ),
        {"win": Odds(11, 1)},
    )
    assert exact(sheet_with(plain, offer)["hit_frequency"]) == Fraction(31, 415)


# --- at the table ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "line", "won"),
    [
        (Facts(5, 6, 2, 3), "3_cards", 10_000),
        (Facts(5, 6, 2, 2), "2_cards", 6_000),
        (Facts(6, 6, 2, 2), "lose", 0),
        (Facts(5, 7, 2, 3), "lose", 0),
    ],
)
def test_it_is_settled_like_any_other(facts: Facts, line: str, won: int, plain: TableRules) -> None:
    rules = plain.with_offers(TIGER)
    stakes = {(1, "tiger"): Stake(500), (2, "banker"): Stake(10_000)}
    own, banker = settle(rules, facts, stakes)
    assert (own.decision.line, own.won_cents, own.vigorish_cents) == (line, won, 0)
    assert own.decision.outcome is (Outcome.WIN if won else Outcome.LOSE)
    assert own.decision.clauses == ()
    # What stands beside it is settled as without it.
    assert banker == settle(plain, facts, {(2, "banker"): Stake(10_000)})[0]


def test_its_unit_lets_every_line_be_paid_in_whole_cents(plain: TableRules) -> None:
    offer = custom_offer(
        Wager("it", "It", ("a", "b"), lambda facts: "a" if facts.winner else "b"),
        {"a": Odds(4, 3), "b": Odds(6, 4)},
    )
    assert offer.unit_cents == 6
    (settled,) = settle(plain.with_offers(offer), Facts(1, 1, 3, 3), {(1, "it"): Stake(6)})
    assert settled.won_cents == 9
    assert sheet_with(plain, offer)["lines"]


def test_the_rules_with_it_have_another_hash(plain: TableRules) -> None:
    lucky = read_wager(LUCKY_6)
    dearer = custom_offer(
        Wager("tiger", "Tiger", ("2_cards", "3_cards"), tiger),
        {"2_cards": Odds(12, 1), "3_cards": Odds(25, 1)},
    )
    hashes = [
        rules.sha256
        for rules in (
            plain,
            plain.with_offers(TIGER),
            plain.with_offers(lucky),
            plain.with_offers(dearer),
            plain.with_offers(TIGER, lucky),
        )
    ]
    assert len(set(hashes)) == len(hashes)
    assert plain.with_offers().sha256 == plain.sha256


def test_the_example_is_the_worked_one() -> None:
    data = tomllib.loads(LUCKY_6.read_text(encoding="utf-8"))
    assert data["wager"] == {"id": "lucky_6", "title": "Lucky 6"}
