"""``croupier law diff``: what it prints of two made-up texts, and for a program."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.command_line import croupier
from support.made_up_laws import shelf

DATES = ("xx/game@2001-01-16", "xx/game@2005-03-01")


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


run = partial(croupier, "law", "diff", columns=80)


def run_json(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def test_two_dates_are_told_by_what_differs_with_the_clauses_of_both() -> None:
    result = run(*DATES)
    assert result.exit_code == 0
    lines = rows()
    assert "Regulation xx/game@2001-01-16" in lines
    place = lines.index("Other values: 1")
    assert lines[place + 2 : place + 4] == [
        "wagers.tie.pays What a winning Tie wager is paid A 8:1 reading XX-OLD:9.2(a)~old",
        "B licensee elects: at least 8:1 reading XX:2(a)",
    ]
    assert "B no such constraint" in lines
    place = lines.index("Other locations in the regulation: 1")
    first, second = lines[place + 2 : place + 4]
    assert " A X Code 9.1(b) " in first
    assert second.startswith("B X Code 9.1(c) ")


def rows() -> list[str]:
    """Return the lines of the text, on a page so wide that each row of a table is one."""
    words = ["law", "diff", *DATES]
    text = CliRunner().invoke(main, words, env={"COLUMNS": "1000"}).stdout
    return [" ".join(line.split()) for line in text.splitlines()]


def test_what_an_excerpt_lacks_is_told_as_not_formalised() -> None:
    told = " ".join(run(*DATES).stdout.split())
    assert (
        "A is an excerpt. A rule only in B is not formalized in A; the regulation of that date"
        in told
    )
    assert "Only in B, not formalized in A: 2" in told
    backwards = run(*reversed(DATES)).stdout
    assert "Only in A, not formalized in B: 2" in backwards
    states = run("xx/game@latest", "yy/game@latest").stdout
    assert "Only in A: 4" in states
    assert "formalised" not in states


def test_a_constraint_that_an_excerpt_lacks_is_told_as_not_formalised(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "old.toml"
    text = path.read_text(encoding="utf-8").replace('"device.decks"', '"another.tie"')
    path.write_text(text, encoding="utf-8")
    assert any("A not formalized in this excerpt" in line for line in rows())


def test_one_kind_of_difference_can_be_asked_for() -> None:
    told = run(*DATES, "--only", "choices", "--only", "cites").stdout
    assert "Other choices or bounds: 1" in told
    assert "Other locations in the regulation: 1" in told
    assert "Other values" not in told
    assert (
        "No difference of the kinds asked for."
        in run("xx/game@latest", "xx/game@latest", "--only", "value").stdout
    )
    assert "No difference" in run("xx/game@latest", "xx/game@latest").stdout
    assert [one["change"] for one in run_json(*DATES, "--only", "value")["differences"]] == [
        "value"
    ]


def test_the_differences_for_a_program() -> None:
    told = run_json(*DATES, "--only", "value", "--only", "added")
    assert (told["a"]["in_force_from"], told["b"]["in_force_from"]) == ("2001-01-16", "2005-03-01")
    assert (told["a"]["partial"], told["alike"]) == (True, 1)
    value, added, _ = told["differences"]
    assert added == {
        "id": "cut.execute",
        "title": "The cut",
        "change": "added",
        "excerpt": True,
        "a": None,
        "b": {"says": "procedure", "clauses": ["XX:2(b)"], "standing": "text"},
    }
    assert value["a"] == {
        "says": "8:1",
        "clauses": ["XX-OLD:9.2(a)~old"],
        "standing": "reading",
    }


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("zz/game@latest", "no regulation has the id 'zz/game'"),
        ("xx/game@2004-01-01", "what xx/game said on 2004-01-01 is not known here"),
        ("xx/game@lately", "'lately' is not a date: write xx/game@YYYY-MM-DD"),
    ],
)
def test_a_text_that_is_not_held_exits_with_two(name: str, reason: str) -> None:
    result = run("xx/game@latest", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


@pytest.mark.parametrize("columns", [80, 120])
def test_output_fits_its_width(columns: int) -> None:
    lines = run(*DATES, columns=columns).stdout.splitlines()
    assert lines
    assert all(len(line) <= columns and not line.endswith(" ") for line in lines)


def test_only_the_rules_of_a_name_are_compared() -> None:
    every = {one["id"] for one in run_json(*DATES)["differences"]}
    named = {one["id"] for one in run_json(*DATES, "--rules", "tie")["differences"]}
    assert named == {name for name in every if "tie" in name.split(".")} != every
    assert named
    unknown = run(*DATES, "--rules", "nothing")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    both = run_json(*DATES, "--rules", "tie", "--only", "added")["differences"]
    assert {one["change"] for one in both} <= {"added"}
