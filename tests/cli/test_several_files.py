"""Several files of rounds have one verdict, and one line is explained without reading the rest."""

import json
import multiprocessing
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.cli.records import rounds
from croupier.records.rounds.reading import TableRounds
from support.forged_logs import play
from support.project import ROOT

ROUNDS = ROOT / "docs" / "examples" / "rounds"
TABLE = ROOT / "submissions" / "nj-minibaccarat.toml"
RIGHT, WRONG = ROUNDS / "right.csv", ROUNDS / "wrong.csv"


def croupier(command: str, *words: object) -> Result:
    return CliRunner().invoke(main, [command, *map(str, words), "--submission", str(TABLE)])


def data_of(*words: object) -> Any:
    return json.loads(croupier("verify", *words, "--format", "json").stdout)


def test_several_files_have_one_verdict() -> None:
    assert croupier("verify", RIGHT, RIGHT).exit_code == 0
    done = croupier("verify", RIGHT, WRONG)
    assert done.exit_code == 1
    text = " ".join(done.stdout.split())
    assert "FAIL: 1 of 2 files do not conform to the rules. Checked 11 rounds in 2 shoes." in text
    data = data_of(RIGHT, WRONG)
    Draft202012Validator(SCHEMAS["verified-files"]()).validate(data)
    assert [one["clean"] for one in data["files"]] == [True, False]
    alone = data_of(WRONG)
    assert data["files"][1]["divergences"] == alone["divergences"]


def test_each_of_several_logs_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right, wrong = "right.jsonl", "wrong.jsonl"
    play(Path(right), rounds=2)
    text = Path(right).read_text(encoding="utf-8")
    Path(wrong).write_text(text.replace("500", "600", 1), encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", right, wrong])
    said = " ".join(done.stdout.split())
    assert (done.exit_code, "FAIL: 1 of 2 logs do not conform" in said) == (1, True), said
    assert f"PASS: {right} conforms to the rules" in said
    data = json.loads(CliRunner().invoke(main, ["verify", wrong, right, "--format", "json"]).stdout)
    Draft202012Validator(SCHEMAS["verified-logs"]()).validate(data)
    assert [(one["log"], one["clean"]) for one in data["logs"]] == [(wrong, False), (right, True)]
    assert not data["clean"]
    alone = json.loads(CliRunner().invoke(main, ["verify", right, "--format", "json"]).stdout)
    assert {**data["logs"][1], "reproduce": ""} == {**alone, "log": right, "reproduce": ""}
    assert CliRunner().invoke(main, ["verify", right, right]).exit_code == 0
    Path("open.jsonl").write_text(text[: len(text) // 2], encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", right, "open.jsonl"])
    assert re.search(r"^right.jsonl .* yes$", done.stdout, re.MULTILINE)
    assert re.search(r"^open.jsonl .* so far$", done.stdout, re.MULTILINE)
    for option in ("--head", "--beside", "--continues", "--checkpoints", "--table"):
        done = CliRunner().invoke(main, ["verify", right, right, option, right])
        assert (done.exit_code, "are for one log" in done.output) == (2, True), done.output
    done = CliRunner().invoke(main, ["verify", right, str(RIGHT)])
    assert (done.exit_code, "add --submission FILE" in done.output) == (2, True), done.output
    Path("pit.jsonl").write_text('{"format":"croupier-pit-log/1"}\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", right, "pit.jsonl"])
    assert (done.exit_code, "with --beside" in done.output) == (2, True), done.output


@pytest.fixture(params=["fork", "forkserver"])
def _started(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have processes start as they do by default until Python 3.13, and from 3.14 on."""
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method(request.param, force=True)
    yield
    multiprocessing.set_start_method(before, force=True)


@pytest.mark.usefixtures("_started")
def test_processes_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_LEAST_BYTES", 0)
    alone = croupier("verify", RIGHT, WRONG, "--threads", 1, "--format", "csv")
    both = croupier("verify", RIGHT, WRONG, "--threads", 2, "--format", "csv")
    assert alone.stdout.replace("--threads 1", "--threads 2") == both.stdout
    assert both.exit_code == 1


def test_what_is_of_one_file_is_refused_with_several(tmp_path: Path) -> None:
    (tmp_path / "nothing.csv").write_text("")
    for words, said in (
        ((RIGHT, WRONG, "--repair", tmp_path / "r.csv"), "of one file"),
        ((RIGHT, tmp_path / "nothing.csv"), "nothing.csv cannot be read"),
        ((RIGHT, "--threads", 2), "of a table log, or of several files"),
    ):
        done = croupier("verify", *words)
        assert (done.exit_code, said in done.output) == (2, True), done.output
    done = CliRunner().invoke(main, ["verify", str(RIGHT), str(WRONG)])
    assert done.exit_code == 2
    assert "add --submission FILE" in done.output


def test_a_line_is_explained_and_nothing_after_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_round = croupier("explain", WRONG, "--round", 3).stdout
    by_line = croupier("explain", WRONG, "--line", 4).stdout
    assert by_line.replace("--line 4", "--round 3") == by_round
    assert "there is no round on line 1" in croupier("explain", WRONG, "--line", 1).output
    assert croupier("explain", WRONG, "--line", 99).exit_code == 2
    assert croupier("explain", WRONG).exit_code == 2
    lines = WRONG.read_text().splitlines()
    many = tmp_path / "many.csv"
    many.write_text("\n".join([*lines[:4], *["1,9,9h Kd,7c Ts,player" + "," * 8] * 50_000]) + "\n")
    seen: list[int] = []
    read = TableRounds.record

    def counting(source: TableRounds, row: list[str], line: int) -> Any:
        seen.append(line)
        return read(source, row, line)

    monkeypatch.setattr(TableRounds, "record", counting)
    assert croupier("explain", many, "--line", 4).exit_code == 0
    # How the record is written is seen in its first rounds.
    assert max(seen) < 1_000


def test_a_line_within_a_round_of_several_rows_is_of_that_round(tmp_path: Path) -> None:
    lines = ["shoe,round,player,banker,seat,stake:player,net:player"]
    lines += [f"1,{n},9h Kd,7c Ts,{seat},25,25" for n in (1, 2) for seat in (1, 2, 3)]
    (path := tmp_path / "seats.csv").write_text("\n".join(lines) + "\n")
    found = {line: croupier("explain", path, "--line", line) for line in range(2, 9)}
    rounds_of = {line: one.stdout[:8] for line, one in found.items() if one.exit_code == 0}
    assert rounds_of == {
        **dict.fromkeys((2, 3, 4), "Round 1 "),
        **dict.fromkeys((5, 6, 7), "Round 2 "),
    }
