"""``croupier session`` from the command line: its report, its files, what it refuses, interrupts."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ("--submission", str(ROOT / "submissions/nj-minibaccarat.toml"))
PLAIN: Final = (*TABLE, "--wager", "banker", "--unit", "25", "--bankroll", "1000", "--shoes", "2")
SCHEMA: Final = Draft202012Validator(SCHEMAS["session"]())
CONTINUOUS: Final = str(ROOT / "submissions/nj-minibaccarat-continuous.toml")


def called(*words: str) -> Result:
    return CliRunner().invoke(main, ["session", *words], env={"COLUMNS": "80"})


def reported(*words: str) -> dict[str, Any]:
    result = called(*words, "--format", "json")
    assert result.exit_code == 0, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    SCHEMA.validate(data)
    return data


def test_the_report_follows_its_schema_and_adds_up() -> None:
    words = (*PLAIN, "--wager", "tie", "--system", "fibonacci", "--sessions", "300")
    data = reported(*words, "--goal", "1500")
    assert data["complete"]
    assert data["sessions"] == 300
    assert data["totals"]["net_cents"] == pytest.approx(data["result"]["mean"] * 300)
    ended = data["ruin"]["sessions"] + data["goal"]["sessions"]
    assert 0 < ended <= 300
    assert sum(data["result"][which] for which in ("ahead", "even", "behind")) == pytest.approx(1)
    by_shoe = data["dealt"]["by_shoe"]
    assert by_shoe["net_cents"]["mean"] * by_shoe["begun"] == pytest.approx(
        data["totals"]["net_cents"]
    )
    assert by_shoe["shoes"] == 600
    assert abs(data["theory"]["z"]) < 4
    # So few sessions tell nothing of how far from the mean is far.
    assert reported(*PLAIN, "--sessions", "29")["theory"]["z"] is None
    quantiles = list(data["result"]["quantiles"].values())
    assert quantiles == sorted(quantiles)


@pytest.mark.parametrize(
    "words",
    [
        ("--law", "us-nj/minibaccarat@2011-02-22", "--decks", "6", "--wager", "player"),
        ("--submission", CONTINUOUS, "--wager", "player", "--wager", "tie", "--system", "1-3-2-6"),
    ],
)
def test_rounds_may_be_told_instead_of_shoes(words: tuple[str, ...]) -> None:
    more = ("--unit", "10", "--bankroll", "500", "--rounds", "77", "--sessions", "40")
    data = reported(*words, *more)
    assert data["time"]["rounds"]["most"] == 77
    assert (data["dealt"]["by_shoe"] is None) == (CONTINUOUS in words)
    assert (data["wagers"][0]["max_cents"] is None) == ("--law" in words)


def test_the_seed_names_the_result_whatever_the_threads() -> None:
    one, two = (
        reported(*PLAIN, "--sessions", "400", "--threads", threads, "--seed", "9")
        for threads in "13"
    )
    other = reported(*PLAIN, "--sessions", "400", "--seed", "10")
    for data in (one, two, other):
        data.pop("reproduce")
    assert one == two
    assert other["result"] != one["result"]


def test_text_and_csv_tell_what_json_tells() -> None:
    words = (*PLAIN, "--system", "paroli", "--sessions", "200")
    data = reported(*words)
    rows = list(csv.DictReader(io.StringIO(called(*words, "--format", "csv").stdout)))
    (totals,) = (row for row in rows if row["staked_cents"])
    assert int(totals["staked_cents"]) == data["totals"]["staked_cents"]
    (median,) = (row for row in rows if row["session"] == "50% have at most")
    assert int(median["result_cents"]) == data["result"]["quantiles"]["0.5"]
    text = called(*words)
    assert text.exit_code == 0
    assert all(len(line) <= 80 for line in text.stdout.splitlines())
    (ruined,) = (line for line in text.stdout.splitlines() if line.startswith("ruined"))
    assert f" {data['ruin']['share']:.2%} " in ruined
    assert f"{data['theory']['edge']:.4%}" in text.stdout


def test_a_count_takes_its_tags_or_the_best() -> None:
    table = ("--submission", str(ROOT / "submissions/ny-mini-ez.toml"), "--wager", "dragon_7")
    words = (*table, "--unit", "5", "--bankroll", "500", "--shoes", "5", "--sessions", "50")
    best = reported(*words, "--system", "count", "--ramp", "4=1,6=2")
    assert best["system"] == "count 4=-1,5=-1,6=-1,7=-1,8=2,9=2"
    assert 0 < best["totals"]["bets"] < best["totals"]["rounds"] / 5
    file = reported(*words, "--system", str(ROOT / "docs/examples/dragon-7-count.toml"))
    assert best | {"reproduce": ""} == file | {"reproduce": ""}
    own = reported(*words, "--system", "count", "--ramp", "4=1", "--tags", "8=1,9=1,6=-1,7=-1")
    assert own["system"] == "count 6=-1,7=-1,8=1,9=1"


FOLLOWER: Final = """
def follow(view, stakes, memory):
    for result in view.results[::-1]:
        if result != 2:
            stakes[result] = view.unit
            return
"""


@pytest.mark.parametrize("head", ["", "import numba\n\n\n@numba.njit"])
def test_a_system_may_be_a_function_of_a_file(tmp_path: Path, head: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(head + FOLLOWER, encoding="utf-8")
    words = (*PLAIN, "--wager", "player", "--sessions", "20")
    swapped = [word if word != "banker" else "player" for word in words[:-4]]
    data = reported(*swapped, "--wager", "banker", "--sessions", "20", "--system", f"{path}:follow")
    assert data["system"] == "mine.py:follow"
    assert [wager["id"] for wager in data["wagers"]] == ["player", "banker"]
    # The first rounds of each shoe are sat out, until a hand has won.
    assert 0 < data["totals"]["rounds"] - data["totals"]["bets"] < 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rounds", "5"), "add --shoes N or --rounds N"),
        (("--seed", "-1"), "write a number from 0 to 18446744073709551615"),
        (("--seed", str(2**64)), "write a number from 0 to 18446744073709551615"),
        (("--sessions", "0"), "--sessions"),
        (("--sessions", "10000001"), "10,000,000 is the maximum"),
        (("--system", "roulette"), "the systems are"),
        (("--system", "count"), "requires a ramp"),
        (("--ramp", "1=1"), "require --system count"),
        (("--system", "count", "--ramp", "1"), "is not a step of a ramp"),
        (("--system", "nowhere.py:bet"), "no such file"),
        (("--wager", "dragon_7"), "this table offers"),
        (("--goal", "900"), "above the bankroll"),
        (("--unit", "x"), "not an amount of money"),
        (("--unit", "100000"), "the table maximum is"),
        (("--chip", "0"), "the minimum is 1 cent"),
        (("--rounds-out", "out.txt"), "must be named"),
        (("--rounds-out", "/dev/null/out.csv"), "is not a folder"),
        (("--plot", "out.pdf"), "a plot must be named"),
        (("--rounds-out", "a.csv", "--sessions-out", "a.csv"), "two outputs cannot be one file"),
        (("--decks", "17"), "a shoe must have"),
        (("--cards-behind", "3"), "behind the cutting card"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = (
        PLAIN if words[0] != "--decks" else ("--law", "us-nj/minibaccarat@2011-02-22", *PLAIN[2:])
    )
    result = called(*plain, "--sessions", "3", *words)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_ones_own_that_fails_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def bet(view, stakes, memory):\n    return 1 / 0\n", encoding="utf-8")
    for name, message in (("bet", "ZeroDivisionError"), ("other", "no function 'other'")):
        result = called(*PLAIN, "--system", f"{path}:{name}")
        assert result.exit_code == 2
        assert message in result.output
    path.write_text("this is no Python", encoding="utf-8")
    assert "cannot be run" in called(*PLAIN, "--system", f"{path}:bet").output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tags = '9=1'", "requires a ramp"),
        ("tags = 9", "a count requires tags and a ramp"),
        ("ramp = '1=1'\nrest = '2'", "a count requires tags and a ramp"),
        ("ramp = ", "count.toml:1:8: not TOML"),
        ("ramp = '1=1'\ntags = 'X=1'", "is not a tag"),
    ],
)
def test_a_count_in_a_file_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "count.toml"
    path.write_text(text, encoding="utf-8")
    result = called(*PLAIN, "--system", str(path))
    assert result.exit_code == 2
    assert message in result.output


def test_files_are_written_and_none_is_replaced_unasked(tmp_path: Path) -> None:
    rounds, sessions = tmp_path / "rounds.csv", tmp_path / "sessions.parquet"
    plot, picture = tmp_path / "plot.svg", tmp_path / "plot.png"
    words = (
        *PLAIN,
        "--sessions",
        "30",
        "--rounds-out",
        str(rounds),
        "--sessions-out",
        str(sessions),
    )
    data = reported(*words, "--plot", str(plot))
    assert len(rounds.read_text(encoding="utf-8").splitlines()) == 1 + data["totals"]["rounds"]
    drawn = plot.read_text(encoding="utf-8")
    assert "Banker, flat, unit $25: 30 sessions of 2 shoes" in drawn
    refused = called(*words, "--plot", str(picture))
    assert refused.exit_code == 2
    assert refused.output.count("the file exists") == 2
    reported(*words, "--plot", str(plot), "--force")
    assert plot.read_text(encoding="utf-8") == drawn
    reported(*PLAIN, "--sessions", "30", "--plot", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("pace", ["nan", "inf"])
def test_a_pace_that_is_no_number_is_refused(pace: str) -> None:
    result = called(*PLAIN, "--rounds-per-hour", pace)
    assert result.exit_code == 2
    assert f"{pace} is not a finite number" in result.output


@pytest.mark.parametrize("sessions", ["1", "1000000"])
def test_an_interrupt_reports_what_was_played(tmp_path: Path, sessions: str) -> None:
    rounds = tmp_path / "rounds.csv"
    words = (*TABLE, "--wager", "banker", "--unit", "25", "--bankroll", "100000000")
    # Where nobody is left to interrupt it, it ends at a gigabyte.
    bound = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (1 << 30, 1 << 30))"
    main = f"{bound}; from croupier.cli import main; main()"
    command = [sys.executable, "-c", main, "session", *words]
    with subprocess.Popen(  # noqa: S603
        [*command, "--rounds", "100000000" if sessions == "1" else "1000", "--sessions", sessions,
         "--rounds-out", str(rounds), "--format", "json"],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as playing:  # fmt: skip
        for _ in range(600):
            # What is being written lies beside its target, under a name of its own.
            if any(one.stat().st_size > 100_000 for one in tmp_path.iterdir()):
                break
            time.sleep(0.1)
        playing.send_signal(signal.SIGINT)
        out, _ = playing.communicate(timeout=60)
    assert playing.returncode == 130
    data = json.loads(out)
    SCHEMA.validate(data)
    assert not data["complete"]
    assert 0 < data["totals"]["rounds"] < 100_000_000
    assert [path.name for path in tmp_path.iterdir()] == ["rounds.csv"]
    with rounds.open(encoding="utf-8") as lines:
        written = sum(1 for _ in lines) - 1
    assert written >= data["totals"]["rounds"]
    if sessions == "1":
        assert written == data["totals"]["rounds"]


def test_a_session_without_a_length_is_told_so_once() -> None:
    result = called(*PLAIN[:-2])
    assert result.exit_code == 2
    told = "a session needs a length: add --shoes N or --rounds N"
    assert result.stderr == f"croupier: {told}\n"
