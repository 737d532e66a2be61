"""croupier verify takes rounds that others dealt, and says of them what it says of a log."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from support.forged_logs import play
from support.project import ROOT

ROUNDS = ROOT / "docs" / "examples" / "rounds"
TABLE = ROOT / "submissions" / "nj-minibaccarat.toml"


def verify(path: Path, *more: object, submission: Path | None = TABLE) -> Result:
    table = [] if submission is None else ["--submission", str(submission)]
    return CliRunner().invoke(main, ["verify", str(path), *table, *map(str, more)])


def data_of(path: Path, *more: object) -> Any:
    return json.loads(verify(path, "--format", "json", *more).stdout)


def test_right_rounds_exit_with_nought() -> None:
    result = verify(ROUNDS / "right.csv")
    assert result.exit_code == 0
    text = " ".join(result.output.split())
    assert "right.csv conforms to the rules. Checked 6 rounds in 1 shoe." in text
    assert "New Jersey minibaccarat (us-nj/minibaccarat), in force from 2011-02-22" in text


def test_wrong_rounds_exit_with_one_and_the_first_divergence_comes_on_top() -> None:
    result = verify(ROUNDS / "wrong.csv")
    assert result.exit_code == 1
    text = " ".join(result.output.split())
    verdict, _, others = text.partition("All divergences:")
    assert (
        "wrong.csv does not conform to the rules. First divergence: line 4, shoe 1, round 3"
        " (third card): Banker's Hand"
    ) in verdict
    kinds = ("third card", "winner", "vigorish", "format")
    order = [result.output.index(f"\n{kind} ") for kind in kinds]
    assert order == sorted(order)
    assert "also affected: settlement" in " ".join(others.split())


@pytest.mark.parametrize("form", ["html", "pdf", "xlsx", "csv"])
def test_a_verification_is_written_in_every_format(tmp_path: Path, form: str) -> None:
    out = tmp_path / f"verified.{form}"
    assert verify(ROUNDS / "wrong.csv", "-o", out).exit_code == 1
    starts = {"html": b"<!doctype html>", "pdf": b"%PDF-", "xlsx": b"PK"}
    assert out.read_bytes().lstrip().startswith(starts.get(form, b"part,text,kind,"))


def test_rounds_as_data() -> None:
    data = data_of(ROUNDS / "wrong.csv")
    assert data["by_kind"] == {"third_card": 1, "winner": 1, "vigorish": 1, "format": 1}
    assert (data["rounds"], data["shoes"], data["clean"]) == (5, 1, False)
    assert data["divergences"][0] == {
        "line": 4, "shoe": 1, "round": 3, "kind": "third_card", "hand": "banker", "seat": None,
        "wager": None, "clause": "NJ-MINI:7.9(c)",
        "clauses": ["NJ-MINI:7.9(c)", "NJ-MINI:7.9_Table_2#5"], "expected": "stay", "found": "draw",
        "message": "Banker's Hand drew a third card: Banker stays on 6 against a third card worth 4",
        "follows": ["totals"],
    }  # fmt: skip
    assert data["census"]["warning"].startswith("Rounds from the same shoe")


def test_a_mapping_is_read_and_a_wrong_one_is_refused_with_every_error(tmp_path: Path) -> None:
    assert verify(ROUNDS / "other.csv", "--mapping", ROUNDS / "other.toml").exit_code == 0
    (unnamed := tmp_path / "unnamed.csv").write_text("when,where\nnow,here\n", encoding="utf-8")
    refused = verify(unnamed)
    assert refused.exit_code == 2
    assert "no column contains player" in refused.output
    assert refused.output.rstrip().endswith(f"try: croupier map {unnamed}")
    # Of other refusals, map only repeats the reason.
    head, rows = (
        "shoe,round,player,banker\n",
        [f"1,{50 - n},9h Kd,Th 7c\n" for n in range(50)],
    )
    for text in ("", "[\n{}\n]\n", '{"player": "9h', head + "".join(rows)):
        (refusal := tmp_path / "refused.csv").write_text(text)
        refused = verify(refusal)
        assert (refused.exit_code, "croupier map" in refused.output) == (2, False), text
    mapping = tmp_path / "m.toml"
    mapping.write_text('[columns]\nplayr = "P"\n[money]\nunit = "euros"\n', encoding="utf-8")
    refused = verify(ROUNDS / "other.csv", "--mapping", mapping)
    assert refused.exit_code == 2
    assert "did you mean player?" in refused.output
    assert "'euros'" in refused.output
    mapping.write_text('[columns]\nplayer = "Hero"\nbanker = "P1"\n', encoding="utf-8")
    refused = verify(ROUNDS / "other.csv", "--mapping", mapping)
    assert refused.exit_code == 2
    assert "'Hero'" in refused.output


def test_without_a_mapping_one_is_inferred_and_its_assumptions_are_printed() -> None:
    assert data_of(ROUNDS / "right.csv")["assumptions"] == []
    data = data_of(ROUNDS / "other.csv")
    assert data["clean"]
    assert "[wagers.banker] stake = BankBet, net = BankWin" in data["assumptions"]
    text = " ".join(verify(ROUNDS / "other.csv").stdout.split())
    assert "No mapping was given: the record was read under the assumptions below." in text


@pytest.mark.parametrize(
    "text", ["", "\n", "player,banker\n", "shoe,round\n1,1\n", "[1]", "{", "\0" * 9]
)
def test_what_holds_no_round_exits_with_two(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r"
    path.write_text(text, encoding="utf-8")
    result = verify(path)
    assert result.exit_code == 2, result.output
    assert "cannot be read as a record of rounds" in result.output


def test_a_log_is_judged_as_ever_and_is_no_record_of_rounds(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    play(path, rounds=2)
    assert verify(path, submission=None).exit_code == 0
    refused = verify(path)
    assert refused.exit_code == 2
    assert "without a submission" in refused.output


def test_rounds_need_a_submission() -> None:
    refused = verify(ROUNDS / "right.csv", submission=None)
    assert refused.exit_code == 2
    assert "--submission" in refused.output
    refused = verify(ROUNDS / "right.csv", "--max-listed", 3, submission=None)
    assert refused.exit_code == 2


def test_as_many_divergences_are_told_as_are_asked_for() -> None:
    data = data_of(ROUNDS / "wrong.csv", "--max-listed", 1)
    assert (len(data["divergences"]), data["divergences_left_out"]) == (1, 3)
    assert data["by_kind"].values()
    assert "3 more not shown" in verify(ROUNDS / "wrong.csv", "--max-listed", 1).output


def test_the_place_of_the_cutting_card_is_held_against_the_law() -> None:
    refused = verify(ROUNDS / "right.csv", "--cards-behind", 5)
    assert refused.exit_code == 2
    assert "at least 14 cards" in refused.output


@pytest.mark.parametrize("name", ["right.csv", "wrong.csv", "irregular.jsonl"])
def test_a_judgement_is_as_its_schema_says(name: str) -> None:
    Draft202012Validator(SCHEMAS["rounds-verification"]()).validate(data_of(ROUNDS / name))


def test_rounds_and_mappings_are_as_their_schemas_say() -> None:
    record = Draft202012Validator(SCHEMAS["round-record"]())
    for line in (ROUNDS / "irregular.jsonl").read_text(encoding="utf-8").splitlines():
        record.validate(json.loads(line))
    assert not record.is_valid({"shoe": 1, "player": 7})
    mapping = Draft202012Validator(SCHEMAS["round-mapping"]())
    mapping.validate({"columns": {"player": ["P1", "P2"]}, "money": {"unit": "cents"}})
    assert not mapping.is_valid({"columns": {"playr": "P"}})
    assert not mapping.is_valid({"money": {"unit": "euros"}})


def test_judging_rounds_imports_no_heavy_library() -> None:
    code = (
        "import sys; from pathlib import Path; from croupier.cli.submission.rules import table_of;"
        " from croupier.verify.rounds.file import verify_file; import click\n"
        "with click.Context(click.Command('verify')):"
        f" verify_file(Path({str(ROUNDS / 'right.csv')!r}), table_of(Path({str(TABLE)!r})));"
        " print(sorted({'numpy', 'numba', 'pyarrow'} & sys.modules.keys()))"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603
    assert told.stdout.strip() == "[]"
