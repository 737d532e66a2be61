"""``croupier par`` and ``croupier odds``: how a shoe is told, what is refused, and odds in mid-round."""

import json
import random
import re
import subprocess
import sys
from fractions import Fraction
from math import perm
from pathlib import Path
from typing import Any, Final

import pytest

from support.oracles.odds import (
    LOSES,
    VALUE,
    Coup,
    Shoe,
    Terms,
    Weighed,
    by_rank,
    coups,
    fresh,
    next_hand,
    royal_9,
    weighed,
)
from support.par import (
    called,
    census,
    depleted,
    exact,
    hold,
    pays,
    sheet_of,
    table,
    told,
    wagers_of,
)
from support.project import ROOT
from support.texts import dated
from support.volume import spread

LAW: Final = dated("us-nj/minibaccarat")
ROYAL_9: Final = table("ma-royal-9").path
EIGHT: Final = ",".join(f"{rank}=32" for rank in "A23456789TJQK")


# --- the shoe, however it is told --------------------------------------------------------------

FORMS: Final = {
    "decks": "8",
    "decks in JSON": '{"decks": 8}',
    "ranks": EIGHT,
    "ranks in JSON": json.dumps(by_rank(fresh(8))),
    "ranks by name in JSON": json.dumps({"by_rank": by_rank(fresh(8))}),
    "as a sheet has it": json.dumps({"cards": 416, "by_rank": by_rank(fresh(8))}),
    "cards": told(fresh(8)),
    "cards in JSON": json.dumps(fresh(8)),
    "cards by name in JSON": json.dumps({"by_card": fresh(8)}),
    "ten for T": EIGHT.replace("T=", "10="),
    "blanks": EIGHT.replace(",", " , ").replace("=", " = "),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_shoe_is_the_same_however_it_is_told(form: str) -> None:
    wanted = sheet_of("--law", LAW, "--decks", 8)
    given = sheet_of("--law", LAW, "--shoe", FORMS[form])
    assert {name: given[name] for name in ("shoe", "total_ways", "wagers")} == {
        name: wanted[name] for name in ("shoe", "total_ways", "wagers")
    }


@pytest.mark.parametrize("form", ["decks", "decks in JSON", "cards", "cards in JSON"])
def test_suits_are_known_where_the_shoe_is_told_by_card_or_decks(form: str) -> None:
    given = sheet_of("--submission", ROYAL_9, "--shoe", FORMS[form])
    assert given["wagers"] == sheet_of("--submission", ROYAL_9, "--decks", 8)["wagers"]


def test_the_table_has_its_own_decks_where_no_shoe_is_told() -> None:
    assert sheet_of("--submission", ROYAL_9)["shoe"]["cards"] == 6 * 52
    assert sheet_of("--law", LAW)["shoe"]["cards"] == 8 * 52
    assert sheet_of("--law", LAW, "--decks", 6)["shoe"]["cards"] == 6 * 52


def test_a_shoe_of_six_cards_is_enough() -> None:
    shoe = {"8": 4, "A": 2}
    sheet = sheet_of("--law", LAW, "--shoe", told(shoe))
    assert sheet["total_ways"] == str(perm(6, 6))
    for wager in sheet["wagers"]:
        hold(wager, weighed(wager["id"], census(shoe), Terms()))


# --- what is refused ---------------------------------------------------------------------------

PAR: Final = ("par", "--law", LAW)
ODDS: Final = ("odds", "--law", LAW)
REFUSED: Final[dict[str, tuple[tuple[object, ...], str]]] = {
    "five cards": ((*PAR, "--shoe", "A=5"), "5 cards: a round may require 6"),
    "no cards": ((*PAR, "--shoe", "A=0"), "0 cards: a round may require 6"),
    "no shoe": ((*PAR, "--shoe", ""), "no shoe is given"),
    "a negative count": ((*PAR, "--shoe", "A=-1,2=9"), "A=-1: the count must be an integer"),
    "half a card": ((*PAR, "--shoe", "A=1.5,2=9"), "'A=1.5' is not a count"),
    "no rank": ((*PAR, "--shoe", "Z=8"), "'Z' is neither a rank"),
    "a rank twice": ((*PAR, "--shoe", "T=8,10=8"), "T is given twice"),
    "ranks and cards": ((*PAR, "--shoe", "A=8,9h=8"), "use one kind"),
    "no decks": ((*PAR, "--shoe", "0"), "0 decks"),
    "too many decks": ((*PAR, "--shoe", "65"), "65 decks"),
    "too many cards": ((*PAR, "--shoe", "A=99999999"), "the maximum is"),
    "broken JSON": ((*PAR, "--shoe", '{"A": 8'), "not JSON"),
    "JSON that does not add up": ((*PAR, "--shoe", '{"cards": 9, "by_rank": {"A": 8}}'), "9 are stated"),
    "text in JSON": ((*PAR, "--shoe", '{"A": "8"}'), "must be an integer"),
    "a shoe twice": ((*PAR, "--decks", "8", "--shoe", "8"), "--decks and --shoe cannot be combined"),
    "too few decks for the law": ((*PAR, "--decks", "5"), "5 is below the minimum of"),
    "a shoe of no table": ((*PAR, "--decks", "1"), "use --shoe 1, not --decks"),
    "less than a deck": ((*PAR, "--decks", "0"), "--decks"),
    "suits by rank": (("par", "--submission", ROYAL_9, "--shoe", EIGHT), "Royal 9 depends on suits"),
    "an unknown wager": ((*PAR, "--wager", "insurance"), "insurance: this table offers player, banker, tie"),
    "a wager not on offer": ((*PAR, "--wager", "tie", "--wager", "dragon_7"), "dragon_7: this table offers"),
    "no table": (("par",), "no table given"),
    "two tables": ((*PAR, "--submission", ROYAL_9), "no table given"),
    "an unknown law": (("par", "--law", "us-xx/minibaccarat"), "no regulation has the id"),
    "no day": (("par", "--law", "us-nj/minibaccarat"), "give the date"),
    "two days": ((*PAR, "--as-of", "latest"), "the date is given twice"),
    "no such day": (("par", "--law", "us-nj/minibaccarat", "--as-of", "today"), "is not a date"),
    "a day not known": (("par", "--law", "us-nj/minibaccarat@2024-01-01"), "is not known here"),
    "a fragment": (("par", "--law", "us-nj/minibaccarat", "--as-of", "2001-01-16"), "no table can be dealt or calculated under it"),
    "another game": (("par", "--law", "us-nj/blackjack-wagers@2001-01-16"), "no table can be dealt or calculated under it"),
    "a refused submission": (("par", "--submission", ROOT / "docs/examples/refused.toml"), "is refused"),
    "no own wager": ((*PAR, "--own", ROYAL_9), "[wager] id"),
    "a stake in words": ((*PAR, "--stake", "five"), "not an amount of money"),
    "a stake over the limit": (("par", "--submission", ROYAL_9, "--stake", "9999"), "not a valid Banker wager"),
    "a stake of part of a unit": (("par", "--submission", "submissions/ma-shuffler.toml", "--stake", "25.10"), "not a valid Banker wager"),
    "a confidence that is no number": ((*PAR, "--rounds", "1e3", "--confidence", "nan"), "nan is not a finite number"),
    "a ticket of nothing": ((*PAR, "--ticket", "player=100,tie=0"), "tie: a stake is greater than zero"),
    "a page without a file": ((*PAR, "--format", "html"), "must be written to a file: add --out"),
    "a card too many": ((*ODDS, "--player", "9h,Kc,2c", "--banker", "2h,3h"), "no round under this drawing table comes to that"),
    "no card": ((*ODDS, "--player", "Zh"), "--player"),
    "a card that is not there": ((*ODDS, "--player", "9h,9h", "--banker", "9h", "--shoe", "9h=2,Ac=9"), "3 of 9h were seen, but the shoe has 2"),
    "a rank that is not there": ((*ODDS, "--player", "9h", "--shoe", "A=9"), "1 of 9 were seen, but the shoe has 0"),
    "a shoe too small before the round": ((*ODDS, "--player", "Ah", "--shoe", "A=5"), "5 cards"),
    "odds of suits by rank": (("odds", "--submission", ROYAL_9, "--shoe", EIGHT), "Royal 9 depends on suits"),
    "odds of no table": (("odds", "--player", "9h"), "no table given: add --submission FILE, or --law ID@DATE"),
    "odds of no law": (("odds", "--law", "us-xx/minibaccarat"), "no regulation has the id"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_exits_with_status_two_and_the_reason(case: str) -> None:
    arguments, reason = REFUSED[case]
    result = called(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    # What the parser of options says stands in a frame.
    said = " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())
    assert reason in said


def test_every_error_of_a_shoe_is_told_at_once() -> None:
    result = called(*PAR, "--shoe", "A=-1,Z=8,2=x")
    assert result.exit_code == 2
    for detail in ("A=-1", "'Z' is neither", "'2=x' is not a count"):
        assert detail in result.stderr


def test_a_sheet_is_written_to_a_file_once(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    arguments = (*PAR, "--format", "json", "--out", path)
    assert called(*arguments).exit_code == 0
    written = path.read_bytes()
    assert wagers_of(json.loads(written)) == wagers_of(sheet_of("--law", LAW))
    again = called(*arguments)
    assert (again.exit_code, path.read_bytes()) == (2, written)
    assert "use --force to replace it" in again.stderr
    assert called(*arguments, "--force").exit_code == 0
    lost = called(*PAR, "--format", "json", "--out", path / "sheet.json")
    assert lost.exit_code == 2
    assert "cannot be written" in lost.stderr


def test_only_the_wagers_asked_for_are_given() -> None:
    sheet = sheet_of("--law", LAW, "--wager", "tie", "--wager", "player")
    assert list(wagers_of(sheet)) == ["player", "tie"]
    assert wagers_of(sheet)["tie"] == wagers_of(sheet_of("--law", LAW))["tie"]


# --- in the middle of a round ------------------------------------------------------------------


def dealt(shoe: Shoe, number: int, seed: int) -> tuple[list[str], list[str]] | None:
    """Random first cards of a round from a shoe, as hands; nothing where the coup takes fewer."""
    cards = [card for card, count in sorted(shoe.items()) for _ in range(count)]
    order = random.Random(seed).sample(cards, number)
    hands: dict[str, list[str]] = {"P": [], "B": []}
    for card in order:
        due = next_hand(*([VALUE[one[0]] for one in hands[whose]] for whose in "PB"))
        if not due:
            return None
        hands[due].append(card)
    return hands["P"], hands["B"]


def in_mid_round(name: str, shoe: Shoe, player: list[str], banker: list[str]) -> Any:
    words = ["odds", "--submission", table(name).path, "--shoe", told(shoe), "--format", "json"]
    if player:
        words += ["--player", ",".join(player)]
    if banker:
        words += ["--banker", " ".join(banker)]
    result = called(*words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def hold_odds(wager: Any, wanted: Weighed) -> None:
    """Hold a wager of ``croupier odds`` against the oracle."""
    lines = {(line["outcome"], line["pays"]): line for line in wager["lines"]}
    ways = {(outcome, pays(net)): number for (outcome, net), number in wanted.lines.items()}
    assert {key: int(line["ways"]) for key, line in lines.items()} == ways, wager["id"]
    assert int(wager["total_ways"]) == wanted.total
    for key, line in lines.items():
        assert exact(line["probability"]) == Fraction(ways[key], wanted.total)
    assert exact(wager["expectation"]) == wanted.mean()
    assert wager["expectation_percent"] == float(wanted.mean() * 100)


SAMPLES: Final = ("nj-minibaccarat", "ma-house-money", "ma-ez", "nj-minibaccarat-tie-vigorish")


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("seed", spread(range(6), 2))
def test_odds_in_mid_round_are_the_oracles(number: int, seed: int) -> None:
    shoe = fresh(8) if seed % 2 else depleted(seed + 40)
    hands = next(
        found for tried in range(1000) if (found := dealt(shoe, number, 1000 * seed + tried))
    )
    ranks = ["".join(card[0] for card in hand) for hand in hands]
    counted = coups(shoe, *ranks)
    for name in SAMPLES if number else SAMPLES[:1]:
        given = in_mid_round(name, shoe, *hands)
        assert (given["player"], given["banker"]) == hands
        assert given["shoe"] == {"cards": sum(shoe.values()), "by_rank": by_rank(shoe)}
        for wager in given["wagers"]:
            hold_odds(wager, weighed(wager["id"], counted, table(name).terms))


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ([], []),
        (["9h"], []),
        (["9h"], ["Kh"]),
        (["Ks", "9h"], ["9s"]),
        (["Ks", "2h"], ["9s", "Kd"]),
        (["Ks", "9h"], ["9h", "Ks"]),
        (["9c", "Td"], ["Kd", "9d"]),
    ],
)
def test_royal_9_in_mid_round_is_the_oracles(player: list[str], banker: list[str]) -> None:
    shoe = depleted(46) if not player else fresh(6)
    royal = table("ma-royal-9").elections["wagers"]["royal_9"]
    seen = [card for pair in zip(player, [*banker, ""], strict=False) for card in pair if card]
    ahead = 6 - max(len(seen), 4)
    cards = sum(shoe.values()) - max(len(seen), 4)
    found = royal_9(shoe, royal["chairs"][0], royal["chairs"][1:], seen)
    lines = {}
    for outcome, ways in found.items():
        amount = royal["meters"].get(outcome, {}).get("seed")
        fixed = {"other_personal": 5000, "suited_both": 1500, "royal_both": 250, "suited": 50, "royal": 25}  # fmt: skip
        net = LOSES if outcome == "lose" else Fraction(amount or fixed[outcome]) / 5 - 1
        lines[outcome, net] = ways * perm(cards, ahead)
    given = in_mid_round("ma-royal-9", shoe, player, banker)
    (wager,) = (one for one in given["wagers"] if one["id"] == "royal_9")
    hold_odds(wager, Weighed(lines))


def test_a_finished_coup_is_as_certain_as_it_is() -> None:
    given = in_mid_round("nj-minibaccarat", fresh(8), ["9h", "Kd"], ["2c", "3c"])
    expectation = {wager["id"]: wager["expectation"] for wager in given["wagers"]}
    assert expectation["player"] == "1/1"
    assert expectation["banker"] == expectation["tie"] == "-1/1"
    assert expectation["four_cards"] == "3/2"


def test_odds_before_a_round_are_those_of_the_sheet() -> None:
    given = in_mid_round("nj-punto-banco", fresh(8), [], [])
    sheet = wagers_of(sheet_of("--submission", table("nj-punto-banco").path))
    for wager in given["wagers"]:
        assert -exact(wager["expectation"]) == exact(sheet[wager["id"]]["house_edge"])
    assert (
        given["rules_hash"] == sheet_of("--submission", table("nj-punto-banco").path)["rules_hash"]
    )


@pytest.mark.parametrize(
    ("player", "banker"),
    [("9h,2c", "Kd,4s"), ("9h 2c", "Kd 4s"), ("9h2c", "Kd4s"), ("9♥2♣", "K♦,4♠"), ("9,2", "K4")],
)
def test_odds_read_cards_as_all_commands_do(player: str, banker: str) -> None:
    result = called(*ODDS, "--player", player, "--banker", banker, "--shoe", "8")
    assert result.exit_code == 0, result.output
    counted = coups(fresh(8), "92", "K4")
    weigh = weighed("player", counted, Terms())
    assert f"{float(weigh.mean()):+.6f}" in result.stdout
    # By hand: no card gives Player less than a count of one, and Banker counts four.
    assert Coup(1, 4, 2, 2, player_pair=False, banker_pair=False) not in counted


# --- how it starts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["par", "--law", LAW, "--format", "json"],
        ["par", "--submission", str(ROYAL_9)],
        [*ODDS, "--player", "9h", "--banker", "Kd"],
    ],
    ids=["par json", "par text", "odds"],
)
def test_one_shoe_is_weighed_without_numba_or_numpy(words: list[str]) -> None:
    script = (
        "import sys\n"
        "from croupier.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "slow = {'numba', 'numpy', 'jsonschema'} & set(sys.modules)\n"
        "print('imported:', sorted(slow), file=sys.stderr)\n"
    )
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stderr.splitlines()[-1] == "imported: []"
