"""Commands that print give JSON too, by a schema, with the exit status of the text."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click
import pytest
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from support.command_line import croupier
from support.project import PLAIN

NO_DATA: Final = {
    # They ask, serve, or go on.
    *("table", "serve", "grant"),
    # They write files, and print their names: a log, a law file, a submission, a page, keys, a vault.
    *(
        "law amend",
        "law new",
        "law pack",
        "law add",
        "new",
        "replay",
        "samples",
        "drill paper",
        "export",
    ),
    *("key new", "key trust", "key vault", "names new", "names erase", "names list"),
    *("store heads", "store stamp", "store views"),
    # What they print is a format of its own.
    *("schema", "completion"),
}
"""Commands without ``--format json``."""


def commands(command: click.Command, words: str = "") -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group) or (words and command.invoke_without_command):
        yield words.strip(), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            _, below, _ = command.resolve_command(context, [name])
            assert below is not None
            yield from commands(below, f"{words} {name}")


def test_every_command_gives_json_but_those_that_print_no_data() -> None:
    without = {
        name
        for name, command in commands(main)
        if not any(
            "--format" in one.opts
            and "json" in (one.type.choices if isinstance(one.type, click.Choice) else ())
            for one in command.params
        )
    }
    assert without == NO_DATA


def given(*words: object, status: int = 0) -> dict[str, Any]:
    result = croupier(*words, "--format", "json")
    assert result.exit_code == status, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    name = data["format"].removeprefix("croupier-").partition("/")[0]
    Draft202012Validator(SCHEMAS[name]()).validate(data)
    return data


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the day of a table."""
    place = tmp_path_factory.mktemp("store") / "pit.sqlite"
    dealt = croupier("deal", PLAIN, "--log", place, "--seed", 7, "--patrons", 1, "--quiet")
    assert dealt.exit_code == 0, dealt.output
    return place


def test_the_check_of_a_store_is_data(place: Path) -> None:
    data = given("store", "check", place)
    assert data["is_clean"]
    assert [set(one) for one in data["records"]] == [{"record", "judgment", "is_clean"}]
    shown = croupier("store", "check", place).stdout
    assert data["records"][0]["judgment"] in " ".join(shown.split())


def test_a_store_that_fails_its_check_is_data_with_status_1(place: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    given("store", "backup", place, copy)
    with closing(sqlite3.connect(copy)) as forger, forger:
        forger.execute("drop trigger line_stands")
        (line,) = forger.execute("select content from line where number = 40").fetchone()
        changed = line.replace(b":", b": ", 1)
        forger.execute("update line set content = ? where number = 40", (changed,))
    data = given("store", "check", copy, status=1)
    assert not data["is_clean"]
    assert [one["is_clean"] for one in data["records"]] == [False]


def test_a_backup_and_a_restored_store_are_data(place: Path, tmp_path: Path) -> None:
    copy, back = tmp_path / "copy.sqlite", tmp_path / "back.sqlite"
    made, restored = given("store", "backup", place, copy), given("store", "restore", copy, back)
    assert made["entries"] == restored["entries"] > 100
    assert "Its grants are void: croupier grant makes new links" in restored["says"]
    assert croupier("store", "backup", place, copy, "--format", "json").exit_code == 2


def test_marked_answers_are_data(tmp_path: Path) -> None:
    paper, answers = tmp_path / "paper.json", tmp_path / "answers.json"
    words = ("drill", "paper", "--submission", PLAIN, "--seed", 7, "--questions", 2, "-o", paper)
    assert croupier(*words).exit_code == 0
    answers.write_text('{"1": {}}')
    data = given("drill", "mark", paper, answers, "--submission", PLAIN)
    assert data["format"].startswith("croupier-drill-results/")


def test_a_trust_file_is_written_to_a_file(tmp_path: Path) -> None:
    assert croupier("key", "new", tmp_path / "house.key").exit_code == 0
    public, trust = tmp_path / "house.key.pub", tmp_path / "trust.toml"
    assert croupier("key", "trust", public, "-o", trust).exit_code == 0
    assert trust.read_text() == croupier("key", "trust", public).stdout
    refused = croupier("key", "trust", public, "-o", trust)
    assert refused.exit_code == 2
    assert croupier("key", "trust", public, "-o", trust, "--force").exit_code == 0
