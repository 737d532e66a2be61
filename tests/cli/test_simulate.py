"""``croupier simulate``: what it prints, that it prints the same again, what it refuses, how it ends early."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.reports.formats.text import text
from croupier.reports.simulation import simulation_tree
from support.par import DEALT, Data, called, sheet_of, table
from support.project import PLAIN, ROOT
from support.texts import dated
from support.volume import spread

LAW: Final = dated("us-nj/minibaccarat")
SCRIPT: Final = "import sys; from croupier.cli import main; main(sys.argv[1:])"


def told(*arguments: object) -> Data:
    result = called("simulate", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    data: Data = json.loads(result.stdout)
    return data


# --- what it tells -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", spread(DEALT, 8, 14))
def test_every_table_is_simulated_as_the_schema_says(name: str) -> None:
    path = table(name).path
    data = told("--submission", path, "--rounds", "3e4", "--engine", "scalar", "--threads", 1)
    Draft202012Validator(SCHEMAS["simulation"]()).validate(data)
    sheets = {one["id"]: one for one in sheet_of("--submission", path)["wagers"]}
    assert [one["id"] for one in data["wagers"]] == list(sheets)
    for one in data["wagers"]:
        sheet = sheets[one["id"]]
        assert one["exact_edge"] == sheet["house_edge"]
        low, high = one["interval"]["low"], one["interval"]["high"]
        assert (low + high) / 2 == pytest.approx(one["edge"], abs=1e-9)
        assert (high - low) / one["standard_error"] == pytest.approx(2 * 2.5758293, rel=1e-6)
        off = one["edge"] - float(Fraction(one["exact_edge"]))
        assert one["z"] == pytest.approx(off / one["standard_error"], rel=1e-4, abs=1e-6)
        assert abs(one["z"]) < 5
        assert one["edge_percent"] == pytest.approx(100 * one["edge"])
        lines = {(line["outcome"], line["pays"]): line["probability"] for line in sheet["lines"]}
        assert {
            (line["outcome"], line["pays"]): line["probability"] for line in one["lines"]
        } == lines
        assert sum(line["rounds"] for line in one["lines"]) == data["rounds"] == 30_000
    for census in data["censuses"]:
        assert 1e-5 < census["test"]["p"] < 1 - 1e-5
        assert census["test"]["impossible"] == []


@pytest.mark.parametrize("name", spread(DEALT, 8, 14))
def test_the_report_fits_a_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = called(
        "simulate", "--submission", table(name).path, "--rounds", 20_000, "--engine", "scalar"
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    assert any(line.startswith("Banker ") for line in lines)


def test_rows_of_many_places_are_not_broken() -> None:
    path = table("nj-minibaccarat-total-cards").path
    data = told("--submission", path, "--rounds", 20_000, "--engine", "scalar")
    bets = [*data["wagers"], *data["packages"]]
    for one in bets:
        # As of ten thousand million rounds: five places of a percent.
        one["standard_error"] = 8e-6
    lines = text(simulation_tree(data), 80).splitlines()
    # A wager is called by its title, and a package, whose title is a sentence, by its id.
    names = [one["title"] for one in data["wagers"]] + [one["id"] for one in data["packages"]]
    for name, one in zip(names, bets, strict=True):
        (row,) = (line for line in lines if re.match(rf"{re.escape(name)} .*0\.00080%", line))
        for figure in (one["edge"], *one["interval"].values()):
            assert f"{figure * 100:.5f}%" in row


def test_a_spreadsheet_has_a_row_for_each_bet() -> None:
    words = ("--submission", table("nj-minibaccarat-total-cards").path, "--rounds", 20_000)
    result = called("simulate", *words, "--format", "csv")
    every = list(csv.DictReader(io.StringIO(result.stdout)))
    rows = [row for row in every if row["part"] == "House edges" and row["wager"]]
    data = told(*words)
    assert {row["rules_hash"] for row in every} == {data["rules_hash"]}
    assert [row["wager"] for row in rows] == [
        one["id"] for one in (*data["wagers"], *data["packages"])
    ]
    for row, one in zip(rows, (*data["wagers"], *data["packages"]), strict=True):
        assert float(row["edge"]) == pytest.approx(one["edge"], abs=1e-9)
        assert [float(row["low"]), float(row["high"])] == pytest.approx(
            list(one["interval"].values()), abs=1e-9
        )
        assert float(row["exact_edge_decimal"]) == pytest.approx(float(Fraction(row["exact_edge"])))
        assert float(row["z"]) == pytest.approx(one["z"], abs=1e-5)


def test_only_the_wagers_that_are_named_are_told() -> None:
    path = table("ma-house-money").path
    data = told(
        "--submission", path, "--rounds", 1000, "--engine", "scalar", "--wager", "tie", "--wager",
        "house_money+banker",
    )  # fmt: skip
    assert [one["id"] for one in data["wagers"]] == ["tie"]
    assert [one["id"] for one in data["packages"]] == ["house_money+banker"]


def test_what_a_meter_and_a_choice_are_not_simulated_for_is_said() -> None:
    # What is said is said of either engine; this one has nothing to compile.
    few = ("--rounds", 1000, "--engine", "scalar")
    royal = told("--submission", table("ma-royal-9").path, *few)
    assert any("meters stay at their seeds" in note for note in royal["notes"])
    house = told("--submission", table("ma-house-money").path, *few)
    assert any("with the better choice is not simulated" in note for note in house["notes"])
    plain = told("--law", LAW, *few)
    assert len(plain["notes"]) == 2
    single = told("--submission", table("nj-minibaccarat-continuous").path, *few)
    assert any("rounds are independent" in note for note in single["notes"])
    assert single["rounds_per_shoe"] is None


def test_a_wager_of_ones_own_is_told_of() -> None:
    data = told("--law", LAW, "--own", ROOT / "docs/examples/lucky-6.toml", "--rounds", 50_000)
    own = data["wagers"][-1]
    assert (
        own["exact_edge"]
        == sheet_of("--law", LAW, "--own", ROOT / "docs/examples/lucky-6.toml")["wagers"][-1][
            "house_edge"
        ]
    )
    assert abs(own["z"]) < 4


def test_cards_behind_the_cutting_card_make_shoes_shorter() -> None:
    short = told("--law", LAW, "--rounds", 20_000, "--cards-behind", 208)
    assert short["cards_behind"] == 208
    assert short["rounds_per_shoe"]["mean"] == pytest.approx(42, abs=1)


def test_any_shoe_is_dealt_from() -> None:
    data = told("--law", LAW, "--shoe", "A=8,9=8,K=8,5=30", "--rounds", 20_000)
    assert data["shoe"]["cards"] == 54
    assert data["shoe"]["by_rank"]["5"] == 30


# --- the same again ----------------------------------------------------------------------------


def printed(*arguments: object) -> bytes:
    result = called("simulate", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


@pytest.mark.parametrize("engine", ["lanes", "scalar"])
def test_the_bytes_are_the_same_on_any_number_of_threads(engine: str) -> None:
    words = ("--law", LAW, "--rounds", 400_001, "--seed", 2**64 - 1, "--engine", engine)
    once = printed(*words, "--threads", 1)
    assert once == printed(*words, "--threads", 2)
    assert once == printed(*words, "--threads", 5)
    assert once != printed("--law", LAW, "--rounds", 400_001, "--seed", 0, "--engine", engine)


def test_the_bytes_are_the_same_on_a_cluster() -> None:
    words = ("--law", LAW, "--rounds", 300_000, "--engine", "scalar")
    once = printed(*words, "--threads", 1)
    assert once == printed(*words, "--cluster", "local", "--threads", 1)


def test_the_command_that_is_told_gives_the_same_again() -> None:
    words = (
        "--submission", table("ma-ez").path, "--rounds", "1e5", "--seed", "1_000", "--cards-behind", 20,
        "--wager", "dragon_7", "--until", "dragon_7 edge +-5%", "--engine", "scalar", "--threads", 3,
    )  # fmt: skip
    once = printed(*words)
    again = shlex.split(json.loads(once)["reproduce"])
    assert again[:2] == ["croupier", "simulate"]
    assert printed(*again[2:]) == once


def test_the_time_that_it_took_stands_apart() -> None:
    result = called("simulate", "--law", LAW, "--rounds", 1000, "--threads", 1, "--format", "json")
    assert "second" not in result.stdout
    assert result.stderr.startswith("1,000 rounds in ")
    assert "on 1 thread: " in result.stderr


# --- the precision that is wanted --------------------------------------------------------------


def test_it_ends_at_the_precision_that_is_wanted() -> None:
    data = told("--law", LAW, "--rounds", "1e9", "--until", "tie edge +-0.5%", "--engine", "scalar")
    assert data["ended"] == "precision"
    assert data["rounds_asked"] == 10**9
    assert data["rounds"] < 2 * 10**6
    assert data["until"] == [{"wager": "tie", "within": 0.005, "reached": True}]
    low, high = next(one["interval"].values() for one in data["wagers"] if one["id"] == "tie")
    assert (high - low) / 2 == pytest.approx(0.005, rel=1e-5)


def test_a_precision_that_is_not_reached_is_told() -> None:
    result = called("simulate", "--law", LAW, "--rounds", 1000, "--until", "tie edge +-0.001")
    assert result.exit_code == 0
    assert "tie edge +-0.001 not reached in this number of rounds" in " ".join(
        result.stdout.split()
    )


# --- what is refused ---------------------------------------------------------------------------

REFUSED: Final = [
    (("--rounds", "0"), "--rounds 0: write a number from 1 to"),
    (("--rounds", "-5"), "--rounds -5: write a number from 1 to"),
    (("--rounds", "1.5"), "--rounds 1.5: not an integer"),
    (("--rounds", "1e-3"), "--rounds 1e-3: not an integer"),
    (("--rounds", "many"), "--rounds many: not a number"),
    (("--rounds", "nan"), "--rounds nan: not a number"),
    (("--rounds", "Infinity"), "--rounds Infinity: not a number"),
    (("--rounds", "1e16"), "--rounds 1e16: write a number from 1 to"),
    (("--rounds", "1e999999999"), "--rounds 1e999999999: write a number from 1 to"),
    (("--rounds", "9" * 10_000), "999...: not a number"),
    (("--rounds", ""), "--rounds : not a number"),
    (("--seed", "-1"), "--seed -1: write a number from 0 to 18446744073709551615"),
    (("--seed", str(2**64)), "--seed 18446744073709551616: write a number from 0 to"),
    (("--seed", "0.5"), "--seed 0.5: not an integer"),
    (("--threads", "0"), "--threads 0: write a number from 1 to 256"),
    (("--threads", "1e9"), "--threads 1e9: write a number from 1 to 256"),
    (("--engine", "gpu"), "--engine gpu: write one of lanes, scalar"),
    (("--wager", "lucky_6"), "--wager lucky_6: this table offers player, banker, tie"),
    (("--until", "lucky_6 edge +-1"), "this table offers player, banker, tie"),
    (("--until", "tie edge"), "write a wager, the word edge"),
    (("--cards-behind", "3"), "3 cards behind the cutting card: there must be at least 14"),
    (("--cards-behind", "500"), "500 cards behind the cutting card"),
    (("--decks", "65"), "the maximum is 64"),
    (("--decks", "5"), "decks"),
    (("--decks", "17"), "884 cards: a shoe must have 6 to 832"),
    (("--shoe", "A=3,2=2"), "5 cards: a round may require 6"),
    (("--cluster", "nowhere"), "'nowhere' is not a cluster address"),
    (("--cluster", "tcp://127.0.0.1:1", "--threads", "2"), "a number of workers requires local"),
]


@pytest.mark.parametrize(("words", "detail"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_refused_with_the_reason(words: tuple[str, ...], detail: str) -> None:
    result = called("simulate", "--law", LAW, *words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert detail in result.stderr
    assert len(result.stderr) < 1000


def test_all_that_is_wrong_is_told_at_once() -> None:
    result = called(
        "simulate", "--law", LAW, "--rounds", "0", "--seed", "x", "--threads", "0", "--engine", "gpu",
        "--until", "lucky_6 edge +-1", "--until", "tie", "--wager", "lucky_6", "--cards-behind", "3",
        "--cluster", "nowhere",
    )  # fmt: skip
    assert result.exit_code == 2
    for detail in (
        "--rounds 0", "--seed x", "--threads 0", "--engine gpu", "'lucky_6 edge +-1'", "'tie'",
        "--wager lucky_6", "3 cards behind", "'nowhere'",
    ):  # fmt: skip
        assert detail in result.stderr, detail


def test_what_is_wrong_with_the_table_is_told_beside_what_is_wrong_with_the_rest() -> None:
    result = called("simulate", "--law", "us-nj/none", "--rounds", "0")
    assert result.exit_code == 2
    assert "us-nj/none" in result.stderr
    assert "--rounds 0" in result.stderr


def test_more_decks_than_the_law_allows_are_refused_with_the_clause() -> None:
    result = called("simulate", "--submission", table("ma").path, "--decks", 12, "--rounds", 10)
    assert result.exit_code == 2
    assert "MA-MINI:3(a)#1" in result.stderr
    result = called(
        "simulate", "--law", "us-ma/minibaccarat@2026-11-20", "--decks", 12, "--rounds", 10
    )
    assert result.exit_code == 2
    assert "MA-MINI:3(a)#1" in result.stderr


def test_decks_told_beside_a_submission_are_elected_in_its_place() -> None:
    data = told("--submission", table("ma").path, "--decks", 6, "--rounds", 1000)
    assert data["shoe"]["cards"] == 312


@pytest.mark.parametrize("name", ["nj-blackjack-streak", "nj-blackjack-bonus"])
def test_streaks_are_simulated_elsewhere(name: str) -> None:
    result = called("simulate", "--submission", ROOT / "submissions" / f"{name}.toml")
    assert result.exit_code == 2
    assert "use `croupier blackjack --simulate`" in result.stderr


def test_a_fragment_of_a_law_has_no_table() -> None:
    result = called("simulate", "--submission", ROOT / "submissions/nj-minibaccarat-2001.toml")
    assert result.exit_code == 2
    assert "a fragment" in result.stderr


def test_no_table_and_two_tables_are_refused() -> None:
    assert called("simulate").exit_code == 2
    assert called("simulate", "--law", LAW, "--submission", table("ma").path).exit_code == 2


def test_without_numba_it_says_what_to_install() -> None:
    script = f"import sys; sys.modules['numba'] = None; {SCRIPT}"
    done = run(script, "--law", LAW)
    assert done.returncode == 2
    assert "pip install 'croupier[kernels]'" in done.stderr


# --- how it ends early -------------------------------------------------------------------------


def environment() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80"}


def run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script, "simulate", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(),
    )


NOTED: Final = (
    "import croupier.simulation.engines as runner; run = runner.run\n"
    "def told(*given):\n"
    "    for played in run(*given):\n"
    "        print('a block', file=sys.stderr, flush=True)\n"
    "        yield played\n"
    "runner.run = told\n"
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_it_and_what_was_played_is_told(number: signal.Signals) -> None:
    with subprocess.Popen(  # noqa: S603  (our own interpreter and script)
        [
            sys.executable, "-c", f"import sys\n{NOTED}{SCRIPT}", "simulate", "--law", LAW,
            "--rounds", "1e13", "--engine", "scalar", "--threads", "1", "--format", "json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "a block\n"
        process.send_signal(number)
        begun = time.monotonic()
        output, _ = process.communicate(timeout=120)
    assert time.monotonic() - begun < 60
    assert process.returncode == 128 + number
    data = json.loads(output)
    assert data["ended"] == "interrupted"
    assert data["rounds_asked"] == 10**13
    assert 0 < data["rounds"] < 10**13
    # What is told stands for itself: as many rounds of the seed give the same.
    again = shlex.split(data["reproduce"])[2:]
    same = json.loads(printed(*again))
    for key in ("rounds", "wagers", "censuses", "rounds_per_shoe"):
        assert same[key] == data[key]


def test_a_run_resolves_its_regulation_once_and_takes_its_exact_law_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Counter[str]()
    for module, name in (("rules.build", "resolve"), ("simulation.simulate", "law_of")):
        within = import_module(f"croupier.{module}")
        true = getattr(within, name)

        def counted(*given: Any, _name: str = name, _true: Any = true, **named: Any) -> Any:
            asked[_name] += 1
            return _true(*given, **named)

        monkeypatch.setattr(within, name, counted)
    result = CliRunner().invoke(main, ["simulate", "--submission", str(PLAIN), "--rounds", "100"])
    assert result.exit_code == 0, result.output
    assert asked == {"resolve": 1, "law_of": 1}
