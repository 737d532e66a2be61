"""Errors in what a user gave end a command with their message and exit status 2."""

import re

import click
import pytest
from click.testing import CliRunner

from croupier import cli
from croupier.cli import _REPORTED, main
from support.project import ROOT


def test_each_error_that_is_reported_is_a_class_of_the_program() -> None:
    found = re.findall(
        r"^class (\w+Error)\(",
        "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")),
        re.MULTILINE,
    )
    assert {name for name in _REPORTED if found.count(name) != 1} == set()


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


def test_any_other_error_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall() -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(cli, "_imported", lambda _: click.Command("ledger", callback=fall))
    assert CliRunner().invoke(main, ["ledger"]).exit_code == 70
