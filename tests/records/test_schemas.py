"""The schemas say of logs and submissions what the program makes of them, and stand in docs/schemas."""

import copy
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator, meta

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.records.codec import COMMANDS, EVENTS
from support.forged_logs import play
from support.kept import assert_as_made
from support.project import PLAIN, ROOT, SUBMISSIONS

LOG: Final = Draft202012Validator(SCHEMAS["table-log"]())
SUBMISSION: Final = Draft202012Validator(SCHEMAS["rules-submission"]())


Change = Callable[[dict[str, Any]], object]


def tables(path: Path) -> Any:
    """Return a submission as JSON would have it: its dates as text."""
    return json.loads(json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), default=str))


@pytest.mark.parametrize(
    "name",
    [
        # What may be elected is of the texts on the shelf.
        pytest.param(name, marks=[pytest.mark.shipped] if name == "rules-submission" else [])
        for name in SCHEMAS
    ],
)
def test_the_schema_in_the_documents_is_the_one_that_is_printed(name: str) -> None:
    printed = CliRunner().invoke(main, ["schema", name])
    assert printed.exit_code == 0
    kept = ROOT / "docs" / "schemas" / f"{name}.schema.json"
    assert_as_made(kept.read_text(encoding="utf-8"), printed.stdout, kept.name)


def test_no_other_schema_is_printed_or_kept() -> None:
    assert CliRunner().invoke(main, ["schema", "everything"]).exit_code == 2
    assert CliRunner().invoke(main, ["schema"]).exit_code == 2
    kept = {path.name for path in (ROOT / "docs" / "schemas").iterdir()}
    assert kept == {f"{name}.schema.json" for name in SCHEMAS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    meta.validate(SCHEMAS[name]())


# --- the table log -----------------------------------------------------------------------------


def test_every_command_and_every_event_has_a_schema() -> None:
    defined = SCHEMAS["table-log"]()["$defs"]
    for name, made in {**COMMANDS, **EVENTS}.items():
        assert list(defined[name]["properties"]) == [
            *(["type", "v"] if name in EVENTS else ["type"]),
            *made.__annotations__,
        ]
        assert defined[name]["properties"]["type"] == {"const": name}
        assert defined[name]["additionalProperties"] is False
    offered = {one["$ref"] for one in defined["EntryLine"]["properties"]["command"]["anyOf"]}
    assert offered == {f"#/$defs/{name}" for name in COMMANDS}
    heard = {one["$ref"] for one in defined["EntryLine"]["properties"]["events"]["items"]["anyOf"]}
    assert heard == {f"#/$defs/{name}" for name in EVENTS}


@pytest.mark.parametrize("submission", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_line_of_a_log_is_as_the_schema_says(tmp_path: Path, submission: Path) -> None:
    log = tmp_path / "table.jsonl"
    play(log, submission, rounds=4, patrons=2, dealer_errors=60)
    for line in log.read_text(encoding="utf-8").splitlines():
        assert LOG.is_valid(json.loads(line)), line


def lines_of(tmp_path: Path) -> list[dict[str, Any]]:
    log = tmp_path / "table.jsonl"
    play(log, rounds=1)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("header", lambda line: line.update(format="croupier-table-log/1")),
        ("header", lambda line: line.update(prev="1" * 64)),
        ("header", lambda line: line.update(colour="red")),
        ("header", lambda line: line.pop("law")),
        ("header", lambda line: line["layout"].update(seats=22)),
        ("header", lambda line: line["limits"].update(player=[25])),
        ("entry", lambda line: line.update(seq=0)),
        ("entry", lambda line: line.pop("sha256")),
        ("entry", lambda line: line.update(prev="0" * 63)),
        ("entry", lambda line: line["command"].update(type="PlaceBet")),
        ("entry", lambda line: line["command"].update(card="9x")),
        ("entry", lambda line: line["command"].update(card="10h")),
        ("entry", lambda line: line["command"].pop("card")),
        ("entry", lambda line: line["events"][0].update(ordinal="first")),
        ("entry", lambda line: line["events"][0].update(hand="dealer")),
        ("entry", lambda line: line["events"][0].update(note="")),
        ("entry", lambda line: line["events"][0].pop("clauses")),
        ("last", lambda line: line.update(entries=-1)),
        ("last", lambda line: line.update(entries="5")),
    ],
)  # fmt: skip
def test_a_line_of_another_shape_is_not(tmp_path: Path, kind: str, change: Change) -> None:
    lines = lines_of(tmp_path)
    drawn = next(line for line in lines[1:] if line["events"][0]["type"] == "CardDealt")
    line = {"header": lines[0], "entry": drawn, "last": lines[-1]}[kind]
    assert LOG.is_valid(line)
    change(line)
    assert not LOG.is_valid(line)


def test_every_answer_of_a_run_is_as_the_schema_says(tmp_path: Path) -> None:
    answers = Draft202012Validator(SCHEMAS["run-answer"]())
    sent = [
        {"type": "OpenTable", "inventory_cents": 9_000_000, "dealer": "Theo", "floorperson": "Noor",
         "gaming_date": "2011-02-22"},
        {"type": "SeatPatron", "seat": 5, "patron": "Ines"},
        {"type": "SettleWagers"},
        {"type": "SettleWager"},
    ]  # fmt: skip
    told = CliRunner().invoke(
        main,
        ["run", str(PLAIN), "-", "--log", str(tmp_path / "log.jsonl"), "--format", "json"],
        input="".join(json.dumps(one) + "\n" for one in sent),
    )
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    kinds = [("events" in line, "refused" in line, "error" in line) for line in lines]
    assert kinds == [(True, False, False)] * 2 + [(False, True, False), (False, False, True)]
    for line in lines:
        assert answers.is_valid(line), line
        for wrong in ({**line, "colour": "red"}, {**line, "line": 0}, {"line": line["line"]}):
            assert not answers.is_valid(wrong), wrong
    lines[0]["events"][0]["dealer"] = 7
    assert not answers.is_valid(lines[0])


def test_a_schema_is_made_anew_each_time() -> None:
    first = SCHEMAS["table-log"]()
    kept = copy.deepcopy(first)
    first["$defs"].clear()
    assert SCHEMAS["table-log"]() == kept


def test_a_schema_is_written_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "submission.schema.json"
    words = ["schema", "rules-submission", "-o", str(out)]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert json.loads(out.read_text(encoding="utf-8")) == SCHEMAS["rules-submission"]()
    assert CliRunner().invoke(main, words).exit_code == 2
