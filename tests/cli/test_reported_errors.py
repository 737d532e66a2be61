"""Errors in what a user gave end a command with their message and exit status 2."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from croupier import cli
from croupier.cli import main
from croupier.cli.common.output import _FAILED, _REPORTED
from support.project import ROOT


def test_each_error_that_is_reported_is_a_class_of_the_program() -> None:
    found = re.findall(
        r"^class (\w+Error)\(",
        "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")),
        re.MULTILINE,
    )
    assert {name for name in _REPORTED | _FAILED if found.count(name) != 1} == set()


def test_a_reported_error_names_where_its_clause_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from croupier.records.header import LogError  # noqa: PLC0415  (as a command imports it)

    def refuse() -> None:
        raise LogError("a.jsonl:3: refused [NJ:7.5(f)]")

    monkeypatch.setattr(cli, "_imported", lambda _: click.Command("ledger", callback=refuse))
    done = CliRunner().invoke(main, ["ledger"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        done.stderr
        == "croupier: a.jsonl:3: refused [NJ:7.5(f)]\n  more: croupier help 'NJ:7.5(f)'\n"
    )


@pytest.mark.parametrize(
    "words", [("par",), ("drill",), ("odds",), ("simulate",), ("count", "--wager", "tie")]
)
def test_a_submission_without_its_option_is_answered_with_the_option(
    words: tuple[str, ...],
) -> None:
    done = CliRunner().invoke(main, [*words, "table.toml"])
    assert done.exit_code == 2
    assert ": name a rules submission with --submission table.toml" in done.stderr
    # Words that are not a file, and commands without the option, keep their message.
    for others in ([words[0], "tables"], ["law", "table.toml"], ["nothing.toml"]):
        assert "name a rules submission" not in CliRunner().invoke(main, others).stderr


@pytest.mark.parametrize("option", ["--submission", "--own"])
def test_a_missing_file_of_an_option_is_not_answered_with_the_option(option: str) -> None:
    done = CliRunner().invoke(main, ["par", option, "nosuch.toml"])
    assert (done.exit_code, "'nosuch.toml' does not exist" in done.stderr) == (2, True)
    assert "name a rules submission" not in done.stderr


def test_a_law_is_answered_with_the_option_where_a_table_is_named_by_its_submission() -> None:
    for command, option in (("verify", "--law"), ("deal", "--law"), ("map", "--as-of")):
        done = CliRunner().invoke(main, [command, "a.csv", option, "us-nj/minibaccarat"])
        has_option = "--submission" in CliRunner().invoke(main, [command, "--help"]).stdout
        assert done.exit_code == 2
        assert f"No such option '{option}'" in done.stderr
        assert ("--submission FILE; croupier new writes one" in done.stderr) == has_option


def test_any_other_error_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall() -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(cli, "_imported", lambda _: click.Command("ledger", callback=fall))
    assert CliRunner().invoke(main, ["ledger"]).exit_code == 70


def test_serve_checks_what_comes_after_a_reported_error(tmp_path: Path) -> None:
    words = [
        "serve",
        "--check",
        "--heads",
        str(tmp_path / "heads"),
        "--sign",
        str(ROOT / "README.md"),
    ]
    words += ["--vault-key", str(ROOT / "README.md"), "--store", str(tmp_path / "store.sqlite")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "README.md" in done.stderr
    assert "--vault-key: " in done.stderr
    assert len(done.stderr.splitlines()) > 1


def test_simulate_reports_all_errors_with_one_of_the_law() -> None:
    words = ["simulate", "--law", "us-nj/nothing@latest", "--rounds", "none"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "us-nj/nothing" in done.stderr
    assert "--rounds none: not a number" in done.stderr
