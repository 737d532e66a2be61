"""docs/command-line.md names every command, and every key that one gives to a program."""

import json
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.rules.documents import Provenance
from support.command_line_document import DOCUMENT, commands, filled
from support.forged_logs import play
from support.kept import assert_as_made
from support.project import PLAIN, ROOT
from support.texts import dated
from support.vector_sets import known

TEXT: Final = DOCUMENT.read_text(encoding="utf-8")
REFUSED: Final = ROOT / "docs" / "examples" / "refused.toml"
LAW: Final = dated("us-nj/minibaccarat")

RULES: Final = ("law", "in_force_from", "rules_hash", "readings", "warnings")


def given(*arguments: object) -> Any:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(main, [*words, "--format", "json"])
    assert result.exit_code in {0, 1}, result.output
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "table.jsonl"
    play(path, rounds=2)
    return path


@pytest.fixture(scope="module")
def outputs(log: Path) -> Mapping[str, Any]:
    """What each command gives to a program."""
    diverging, dealt = log.with_name("diverging.jsonl"), log.with_name("dealt.jsonl")
    diverging.write_bytes(log.read_bytes().replace(b"Patron 1", b"Patron 2", 1))
    # It has a finding: the table is open today, long after its law is known to have been in force.
    deal = given("deal", PLAIN, "--patrons", 1, "--seed", 1, "--log", dealt)
    commands = log.with_name("commands.jsonl")
    commands.write_text(
        '{"type": "OpenTable", "inventory_cents": 1000000, "dealer": "Dana", "floorperson": "Flo",'
        ' "gaming_date": "2011-02-22"}'
    )
    return {
        "law list": given("law", "list"),
        "law show": given("law", "show", LAW),
        "law coverage": given("law", "coverage"),
        "law diff": given("law", "diff", LAW, dated("us-ma/minibaccarat")),
        "law compare": given("law", "compare", "--all"),
        "law history": given("law", "history", LAW),
        "law interpretations": given("law", "interpretations"),
        "check": given("check", PLAIN, REFUSED) | given("check", PLAIN, PLAIN, "--facility"),
        "verify": given("verify", diverging) | {"findings": given("verify", dealt)["findings"]},
        "deal": deal,
        "run": given("run", PLAIN, commands, "--log", log.with_name("run.jsonl")),
        "explain": given("explain", log, "--round", 1),
        "vectors": _vectors(log.with_name("vectors")),
    }


def _vectors(folder: Path) -> Any:
    """Return what is said of vectors that were made before."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(import_module("croupier.cli.analysis.vectors"), "pack", known)
        return given("vectors", "--submission", PLAIN, "-o", folder)


def test_the_tables_are_those_of_the_program() -> None:
    assert_as_made(TEXT, filled(), DOCUMENT.name)


def test_every_command_is_named() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        # Imported, as what is listed for help has no commands below it.
        _, command, _ = main.resolve_command(context, [name])
        below = list(command.commands) if isinstance(command, click.Group) else []
        for one in below or [""]:
            assert f"| `croupier {name} {one}".rstrip() in TEXT


def test_every_option_of_a_command_is_named() -> None:
    for name, command in commands():
        row = next(line for line in TEXT.splitlines() if re.match(rf"\| `{name}[ `]", line))
        if "as `croupier" in row:
            continue
        for option in command.params:
            names = option.opts if isinstance(option, click.Option) and not option.hidden else []
            shared = {
                "--help",
                "--format",
                "--out",
                "-o",
                "--force",
                "--paper",
                "--ascii",
                "--plain",
                "--laws",
            }
            if names and not shared.union(["--no-pager", "--version"]).intersection(names):
                assert any(f"`{long}" in row for long in names), f"{name}: {names}"


def test_every_document_that_a_command_prints_has_a_row(outputs: Mapping[str, Any]) -> None:
    rows = {line.split(" | ")[1]: line for line in TEXT.splitlines() if line.startswith("| [`")}
    # The folder is not in the manifest that it contains.
    of_every_document = {"format", "folder", *Provenance.__annotations__}
    for command, data in outputs.items():
        row = rows[f"`{data['format']}`"]
        assert [key for key in {*data} - of_every_document if f"`{key}`" not in row] == [], command


@pytest.mark.parametrize("command", ["verify", "deal", "run", "explain"])
def test_the_rules_are_named_alike_by_every_command(
    outputs: Mapping[str, Any], command: str
) -> None:
    (submission, *_) = outputs["check"]["submissions"]
    assert {key: outputs[command][key] for key in RULES} == {key: submission[key] for key in RULES}


def test_what_verify_gives_is_what_deal_gives_too(outputs: Mapping[str, Any]) -> None:
    assert set(outputs["verify"]) - {"signed_through"} < set(outputs["deal"])


def test_a_refused_submission_has_errors_with_their_clauses() -> None:
    (refused,) = given("check", REFUSED)["submissions"]
    assert set(refused) == {"file", "accepted", "errors", "unreadable"}
    assert [set(detail) for detail in refused["errors"]] == [
        {"where", "line", "column", "message", "clauses"}
    ] * 5
