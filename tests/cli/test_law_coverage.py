"""``croupier law coverage``: what became of every clause, for a person, a document and a program."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import Result

from croupier.law.coverage import COVERAGE
from croupier.law.model import ClauseClass
from croupier.law.resolve import resolve
from support.amendment import AMENDED, AMENDED_KEY, amended_shelf
from support.command_line import croupier
from support.coverage_list import coverage_list
from support.kept import assert_as_made
from support.made_up_laws import shelf
from support.own_law import own_law
from support.texts import NJ_MINI

ROOT: Final = Path(__file__).parents[2]
LAW: Final = "us-nj/minibaccarat"
ON: Final = f"{LAW}@2011-02-22"
GAME: Final = "xx/game@2005-03-01"


run = partial(croupier, "law", "coverage", columns=80)


def run_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def words(result: Result) -> str:
    """Return what was printed with its line breaks undone."""
    return " ".join(result.stdout.split())


def test_law_coverage_keeps_names_whole_in_eighty_columns() -> None:
    told = run().stdout.split()
    assert "table.cards.preparing._exchange" in told
    assert "test_7_1_d_batches" in told


def test_a_law_of_ones_own_needs_no_place_in_the_table_of_editions(tmp_path: Path) -> None:
    own = own_law(tmp_path)
    done = croupier("--laws", own.parent, "law", "coverage", "--law", "xx-test/mini", columns=200)
    assert "gap: XX-MINI:" in done.stderr
    assert "edition" not in done.stderr


def write_test(tmp_path: Path, *clauses: str, under: str = ON) -> Path:
    marks = ", ".join(f'"{clause}"' for clause in clauses)
    source = (
        f'import pytest\n\n\n@pytest.mark.under("{under}")\n@pytest.mark.clause({marks})\n'
        "def test_it():\n    assert True\n"
    )
    (tmp_path / "test_it.py").write_text(source, encoding="utf-8")
    return tmp_path


def test_law_coverage_exits_with_one_and_lists_each_gap(tmp_path: Path) -> None:
    result = run("--law", ON, "--tests", write_test(tmp_path, "NJ-MINI:7.3(b)"))
    assert result.exit_code == 1
    assert (
        "gap: NJ-MINI:7.3(a): class A, but no test under this regulation names it" in result.stderr
    )
    assert "gap: NJ-MINI:7.3(b):" not in result.stderr
    assert "207 clauses by class: 115 A, 82 B, 10 C" in words(result)


@pytest.mark.parametrize("slip", ["NJ-MINI:7.99", "NJ-MIN:7.1(a)#1"])
def test_law_coverage_finds_a_test_that_names_no_clause(tmp_path: Path, slip: str) -> None:
    result = run("--law", ON, "--tests", write_test(tmp_path, slip))
    assert result.exit_code == 1
    assert f"gap: {slip}: no such clause in {LAW}" in result.stderr


def test_law_coverage_without_a_gap_exits_with_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = resolve(LAW, on=NJ_MINI)
    carried = dict.fromkeys(law.rules, ("a function",))
    monkeypatch.setattr("croupier.cli.law.coverage.implementations", lambda: carried)
    result = run("--law", ON, "--tests", write_test(tmp_path, *law.clauses))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "0 gaps" in words(result)


def test_law_coverage_finds_a_procedure_without_a_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = resolve(LAW, on=NJ_MINI)
    carried = {rule_id: ("a function",) for rule_id in law.rules if rule_id != "burn.count"}
    monkeypatch.setattr("croupier.cli.law.coverage.implementations", lambda: carried)
    result = run("--law", ON, "--tests", write_test(tmp_path, *law.clauses))
    assert result.exit_code == 1
    assert "gap: NJ-MINI:7.5(f)#5: no function implements burn.count" in result.stderr


def test_law_coverage_for_a_program(tmp_path: Path) -> None:
    tests = write_test(tmp_path, "NJ-MINI:7.3(b)")
    (law,) = run_json("--law", ON, "--tests", tests)["laws"]
    assert f"{law['law']}@{law['in_force_from']}" == ON
    rows = law["clauses"]
    assert [row["id"] for row in rows] == list(resolve(LAW, on=NJ_MINI).clauses)
    (row,) = (each for each in rows if each["id"] == "NJ-MINI:7.3(b)")
    assert row == {
        "id": "NJ-MINI:7.3(b)",
        "class": "A",
        "disposition": "rule",
        "standing": "text",
        "by": ["wagers.tie.pays"],
        "tests": [f"{tests.as_posix()}/test_it.py::test_it"],
    }


def test_law_coverage_shows_the_gaps_alone(tmp_path: Path) -> None:
    tests = write_test(tmp_path, "NJ-MINI:7.3(b)")
    shown = {
        row["id"]
        for law in run_json("--law", ON, "--gaps", "--tests", tests)["laws"]
        for row in law["clauses"]
    }
    assert "NJ-MINI:7.3(a)" in shown
    assert not shown & {"NJ-MINI:7.3(b)", "NJ-MINI:7.1(a)#3"}


def test_law_coverage_reads_the_list_that_comes_with_the_program_from_any_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = run_json("--tests", "tests")
    monkeypatch.chdir(tmp_path)
    assert run_json()["laws"] == read["laws"]


def test_the_list_that_comes_with_the_program_is_that_of_its_sources() -> None:
    assert_as_made(COVERAGE.read_text(encoding="utf-8"), coverage_list(), COVERAGE.name)


def test_law_coverage_with_tests_that_are_not_python_exits_with_two(tmp_path: Path) -> None:
    (tmp_path / "test_bad.py").write_text("def test_one(:", encoding="utf-8")
    result = run("--tests", tmp_path)
    assert result.exit_code == 2
    assert "test_bad.py:1: not Python" in result.stderr


def test_law_coverage_of_a_text_that_is_not_held_exits_with_two(tmp_path: Path) -> None:
    result = run("--law", "nowhere/game", "--tests", tmp_path)
    assert result.exit_code == 2
    assert "no regulation has the id" in result.stderr


# Several texts.


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with shelf(tmp_path, monkeypatch) as folder:
        yield folder


def test_each_text_is_told_under_its_own_name_and_summed_up(made_up: Path, tmp_path: Path) -> None:
    tests = write_test(tmp_path, "XX:1(a)#1", under=GAME)
    result = run("--tests", tests)
    lines = result.stdout.splitlines()
    assert "xx/game@2001-01-16" in lines
    assert "yy/game@2010-01-01" in lines
    told = words(result)
    assert "yy/game@2010-01-01: 1 clause by class: 1 A, 0 B, 0 C; by disposition: 1 rule" in told
    assert "10 clauses by class: 8 A, 1 B, 1 C; by disposition: 8 rule, 1 procedure" in told
    assert made_up.exists()


@pytest.mark.parametrize("slip", ["XX:7", "ZZ:7"])
@pytest.mark.usefixtures("made_up")
def test_a_slip_is_told_once(tmp_path: Path, slip: str) -> None:
    told = run("--tests", write_test(tmp_path, slip, under=GAME)).stderr
    assert told.count(f"gap: {slip}: no such clause in xx/game") == 1


def test_a_clause_of_another_text_with_the_same_prefix_is_no_slip(
    made_up: Path, tmp_path: Path
) -> None:
    path = made_up / "other.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("YY", "XX"), encoding="utf-8")
    result = run("--law", "xx/game", "--tests", write_test(tmp_path, "XX:1", under=GAME))
    assert "no such clause" not in result.stderr


@pytest.mark.usefixtures("made_up")
def test_the_coverage_as_a_document(tmp_path: Path) -> None:
    tests = write_test(tmp_path, "XX:1(a)#1", "XX:9", under=GAME)
    lines = run("--law", "xx/game", "--tests", tests, "--format", "markdown").stdout.splitlines()
    assert lines[0] == "# Traceability"
    for line in (
        "| `xx/game@2001-01-16` | 3 | 3 | 0 | 0 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 3 | 0 |",
        "| `xx/game@2005-03-01` | 6 | 4 | 1 | 1 | 4 | 1 | 0 | 0 | 1 | 0 | 0 | 5 | 0 |",
        "| all | 9 | 7 | 1 | 1 | 7 | 1 | 0 | 0 | 1 | 0 | 0 | 8 | 0 |",
        "## The game, 2005-03-01",
        "### X Code 9.1",
        "| `XX:1(a)#1` | A | text | at least six decks | rule | `decks`, `device` | it (`test_it.py`) |",
        "| `XX:2(c)` | C | text | the table is green | checklist | Seen to before opening. |  |",
        "| `XX:9` |  |  | no such clause |  |  | it (`test_it.py`) |",
    ):
        assert line in lines, line


# One text at two whole dates.


@pytest.fixture
def amended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with amended_shelf(tmp_path, monkeypatch):
        yield


def gaps_of(key: str, *arguments: object) -> set[str]:
    (law,) = run_json("--law", key, "--gaps", *arguments)["laws"]
    return {row["id"] for row in law["clauses"]}


@pytest.mark.usefixtures("amended")
def test_no_clause_of_a_text_counts_as_tested_by_tests_of_an_earlier_one() -> None:
    asked = {
        clause.id
        for clause in resolve(LAW, on=AMENDED).clauses.values()
        if clause.clause_class is not ClauseClass.PHYSICAL and clause.set_aside is None
    }
    assert len(asked) > 190
    assert gaps_of(AMENDED_KEY) >= asked
    assert gaps_of(ON) == set()


@pytest.mark.usefixtures("amended")
def test_a_clause_counts_as_tested_under_the_text_that_the_test_names(tmp_path: Path) -> None:
    tests = write_test(tmp_path, "NJ-MINI:7.3(b)", under=AMENDED_KEY)
    assert "NJ-MINI:7.3(b)" not in gaps_of(AMENDED_KEY, "--tests", tests)
    assert "NJ-MINI:7.3(a)" in gaps_of(AMENDED_KEY, "--tests", tests)
    assert "NJ-MINI:7.3(b)" in gaps_of(ON, "--tests", tests)


UNDER: Final = f"""
import pytest
from datetime import date
from croupier.law.model import ClauseClass
from croupier.law.resolve import resolve
from support.amendment import AMENDED, AMENDED_KEY, amended_shelf

RULES = resolve("{LAW}", on=date(2011, 2, 22)).rules


@pytest.fixture(scope="module")
def text():
    return resolve("{LAW}", on=date(2011, 2, 22)).rules


@pytest.mark.under("{ON}")
@pytest.mark.clause("NJ-MINI:7.3(b)")
def test_uses(): assert resolve("{LAW}", on=date(2011, 2, 22)).rules


@pytest.mark.under("{ON}")
@pytest.mark.clause("NJ-MINI:7.3(b)")
@pytest.mark.parametrize("case", [1, 2])
def test_uses_by_a_fixture(text, case): ...


@pytest.mark.under("{ON}")
@pytest.mark.clause("NJ-MINI:7.3(b)")
def test_uses_another(): assert resolve("{LAW}", on=date(1999, 7, 6)).rules


@pytest.mark.under("{ON}")
@pytest.mark.clause("NJ-MINI:7.3(b)")
def test_uses_none(): ...


@pytest.mark.clause("NJ-MINI:7.3(b)")
def test_names_none(text): ...


def test_names_no_clause(): ...
"""


def test_a_test_that_does_not_use_the_text_that_it_names_fails(tmp_path: Path) -> None:
    path = tmp_path / "test_under.py"
    path.write_text(UNDER, encoding="utf-8")
    done = subprocess.run(  # noqa: S603  (our own interpreter and test)
        [
            sys.executable, "-m", "pytest", "-c", "/dev/null", "-p", "support.under_texts",
            "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "-rA", path,
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    outcomes = dict(re.findall(r"^(?:PASSED|FAILED) .*::(\w+)\S*(.*)$", done.stdout, re.MULTILINE))
    assert {name: bool(said) for name, said in outcomes.items()} == {
        "test_uses": False,
        "test_uses_by_a_fixture": False,
        "test_names_no_clause": False,
        "test_uses_another": True,
        "test_uses_none": True,
        "test_names_none": True,
    }
    assert f"is marked as run under {ON}, and uses {LAW}@1999-07-06" in done.stdout
    assert "mark it `under`" in done.stdout


def test_the_traceability_that_is_kept_is_what_is_printed() -> None:
    kept = (ROOT / "docs" / "traceability.md").read_text(encoding="utf-8")
    made = run("--format", "markdown").stdout
    assert_as_made(kept, made, "docs/traceability.md")
