"""Audit, repair and explain on rounds that others dealt, as they are called."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from support.forged_logs import play

ROOT = Path(__file__).parents[2]
TABLE = str(ROOT / "submissions" / "nj-minibaccarat.toml")

HEAD = "shoe,round,seat,player,banker,winner,stake:banker,net:banker\n"
RIGHT = "1,1,3,2d Th 8s,7c 7d,banker,100,95\n1,2,3,9h Kd,8c Ts,player,100,-100\n"
WRONG = RIGHT.replace("100,95", "100,90").replace("Ts,player", "Ts,tie")


def run(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in arguments], env={"COLUMNS": "100"})
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    path = tmp_path / "rounds.csv"
    path.write_text(HEAD + WRONG)
    return path


def folded(text: str) -> str:
    return " ".join(text.split())


# --- repair ------------------------------------------------------------------------------------


def test_a_repair_is_written_and_told(rounds: Path) -> None:
    out, listed = rounds.with_name("right.csv"), rounds.with_name("owed.csv")
    told = folded(
        run(
            "verify", rounds, "--submission", TABLE, "--repair", out, "--differences", listed,
            status=1,
        ).stdout
    )  # fmt: skip
    assert out.read_text() == HEAD + RIGHT
    assert "2 rounds rewritten, with 1 wager settled under the rules; every other line" in told
    assert "3 Banker NJ-MINI:7.3(c)#2 1 $5.00 $0.00 $5.00" in told
    assert listed.read_text().splitlines()[1].startswith("2,1,1,3,banker,9500,9000,500,NJ-MINI:")
    run("verify", out, "--submission", TABLE)


def test_a_repair_as_data(rounds: Path) -> None:
    out = rounds.with_name("right.csv.gz")
    printed = run(
        "verify", rounds, "--submission", TABLE, "--repair", out, "--format", "json", status=1
    )
    data = json.loads(printed.stdout)
    Draft202012Validator(SCHEMAS["rounds-verification"]()).validate(data)
    assert data["repair"] == {"file": str(out), "rounds": 2, "wagers": 1, "left": {}}
    assert data["differences"]["total"]["net_cents"] == 500
    assert data["differences"]["by_seat"][0]["seat"] == 3


def test_a_clean_record_is_repaired_into_itself(rounds: Path) -> None:
    rounds.write_text(HEAD + RIGHT)
    out = rounds.with_name("right.csv")
    told = run("verify", rounds, "--submission", TABLE, "--repair", out).stdout
    assert out.read_bytes() == rounds.read_bytes()
    assert "Every recorded wager was settled as expected." in told


def test_no_file_is_replaced_unasked_and_the_record_never(rounds: Path) -> None:
    before = rounds.read_bytes()
    for option in ("--repair", "--differences"):
        refused = run("verify", rounds, "--submission", TABLE, option, rounds, "--force", status=2)
        assert "this command reads that file" in refused.stderr
    refused = run("audit", rounds, "--submission", TABLE, "-o", rounds, "--force", status=2)
    assert "this command reads that file" in refused.stderr
    assert rounds.read_bytes() == before
    out = rounds.with_name("there.csv")
    out.write_text("precious")
    refused = run("verify", rounds, "--submission", TABLE, "--repair", out, status=2)
    assert "--force" in refused.stderr
    assert out.read_text() == "precious"
    run("verify", rounds, "--submission", TABLE, "--repair", out, "--force", status=1)
    assert out.read_text() == HEAD + RIGHT


def test_what_cannot_be_written_is_told_as_such(rounds: Path) -> None:
    refused = run("verify", rounds, "--submission", TABLE, "--repair", rounds / "x.csv", status=2)
    assert "it cannot be written" in refused.stderr
    assert "cannot be read" not in refused.stderr


def test_a_log_is_not_repaired(tmp_path: Path) -> None:
    play(tmp_path / "a.log")
    refused = run("verify", tmp_path / "a.log", "--repair", tmp_path / "b.log", status=2)
    assert "--submission" in refused.stderr


# --- audit -------------------------------------------------------------------------------------


def test_the_form_is_that_of_the_files_name(rounds: Path) -> None:
    starts = {"html": b"\n", "pdf": b"%PDF-", "json": b"{", "txt": b"Test report: rounds.csv"}
    for form, start in starts.items():
        out = rounds.with_name(f"report.{form}")
        run("audit", rounds, "--submission", TABLE, "-o", out, status=1)
        content = out.read_bytes()
        assert content.lstrip().startswith(b"<!doctype html>" if form == "html" else start)
        run("audit", rounds, "--submission", TABLE, "-o", out, status=2)
        run("audit", rounds, "--submission", TABLE, "-o", out, "--force", status=1)
        assert out.read_bytes() == content


def test_a_report_does_not_hang_on_where_its_files_lie(tmp_path: Path) -> None:
    reports = []
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "rounds.csv").write_text(HEAD + WRONG)
        out = folder / f"{name}.html"
        run("audit", folder / "rounds.csv", "--submission", TABLE, "-o", out, status=1)
        reports.append(out.read_bytes())
    assert reports[0] == reports[1]


def test_an_audit_as_data_follows_its_schema(rounds: Path) -> None:
    data: dict[str, Any] = json.loads(
        run(
            "audit", rounds, "--submission", TABLE, "--format", "json", "--max-listed", 1, status=1
        ).stdout
    )
    Draft202012Validator(SCHEMAS["audit"]()).validate(data)
    assert data["reproduce"] == (
        "croupier audit rounds.csv --submission nj-minibaccarat.toml --max-listed 1"
    )
    assert (len(data["divergences"]), data["divergences_left_out"]) == (1, 1)


def test_an_audit_on_a_terminal(rounds: Path) -> None:
    told = folded(run("audit", rounds, "--submission", TABLE, status=1).stdout)
    assert (
        "FAIL: the record does not conform to the rules: 2 divergences; 2 rounds in 1 shoe checked."
    ) in told
    assert "First divergence: line 2, shoe 1, round 1 (vigorish):" in told


@pytest.mark.parametrize("command", ["audit", "explain"])
def test_wrong_use_is_told(rounds: Path, command: str) -> None:
    more = ("--round", "1") if command == "explain" else ()
    refused = run(command, rounds, *more, status=2)
    assert "table log" in refused.stderr or "not" in refused.stderr
    refused = run(command, rounds, "--mapping", TABLE, *more, status=2)
    assert "--submission" in refused.stderr
    rounds.write_text("nothing\nof the kind\n")
    refused = run(command, rounds, "--submission", TABLE, *more, status=2)
    assert "cannot be read as a record of rounds" in refused.stderr


def test_a_page_goes_to_a_file(rounds: Path) -> None:
    refused = run("audit", rounds, "--submission", TABLE, "--format", "pdf", status=2)
    assert "--out" in refused.stderr


def test_a_log_is_audited_without_a_submission(tmp_path: Path) -> None:
    play(tmp_path / "a.log")
    assert "PASS: the record conforms to the rules" in run("audit", tmp_path / "a.log").stdout
    run("audit", tmp_path / "a.log", "-o", tmp_path / "a.html")


# --- explain -----------------------------------------------------------------------------------


def test_a_round_is_explained_with_what_was_found_beside_what_was_due(rounds: Path) -> None:
    told = folded(run("explain", rounds, "--submission", TABLE, "--round", 1).stdout)
    assert "Round 1 of shoe 1, line 2" in told
    assert "Player draws on 2" in told
    assert "Banker stays on 4 against a third card worth 8" in told
    assert "Seat 3, Banker $100 pays $100 (1 to 1)" in told
    assert "found: net $90; expected: net $95; owed $5" in told
    assert "vigorish: Seat 3, Banker: $100.00 wins $100.00" in told


def test_a_round_is_explained_as_data(rounds: Path) -> None:
    printed = run(
        "explain", rounds, "--submission", TABLE, "--shoe", 1, "--round", 2, "--format", "json"
    )
    data = json.loads(printed.stdout)
    assert (data["shoe"], data["round"], data["line"]) == (1, 2, 3)
    assert [one["kind"] for one in data["divergences"]] == ["winner"]
    assert data["narration"][0]["text"] == "Player's Hand: 9♥ K♦"
    assert "Player has a natural 9 and Banker has a natural 8: no more cards" in {
        line["text"] for line in data["narration"]
    }
    assert data["wagers"][0]["details"] == ["found: net -$100, as expected"]


def test_rounds_of_the_same_number_are_told_apart_by_their_shoe(rounds: Path) -> None:
    rounds.write_text(HEAD + RIGHT + RIGHT.replace("1,1,3", "2,1,3").replace("1,2,3", "2,2,3"))
    refused = run("explain", rounds, "--submission", TABLE, "--round", 2, status=2)
    assert "--shoe" in refused.stderr
    assert "round 2 of shoe 2, line 5" in refused.stderr
    told = run("explain", rounds, "--submission", TABLE, "--round", 2, "--shoe", 2).stdout
    assert "This round conforms to the rules." in told
    refused = run("explain", rounds, "--submission", TABLE, "--round", 9, "--shoe", 2, status=2)
    assert "there is no round 9 of shoe 2; the last one is round 2 of shoe 2" in refused.stderr


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            "1,1,,2d Th,7c 7d,banker,100,95\n",
            "Banker $100: no settlement under the rules found: net $95",
        ),
        ("1,1,,9h Kd,8c Ts 2h,tie,100,0\n", "Banker's Hand drew a third card"),
        ("1,1,,9 K,8 T,player,100,-100\n", "Banker $100: lost, for Player has 9, Banker 8"),
        ("1,1,,,7c 7d,,100,0\n", "Player's Hand: no cards recorded"),
        ("1,1,3,9h Kd,8c Ts,player,2.50,\n", "Seat 3, Banker $2.50: lost"),
    ],
)
def test_any_round_can_be_explained(rounds: Path, row: str, told: str) -> None:
    rounds.write_text(HEAD + row)
    assert told in folded(run("explain", rounds, "--submission", TABLE, "--round", 1).stdout)
