"""``croupier law coverage``: what became of every clause, for a person, a document and a program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.law.coverage import COVERAGE
from croupier.law.resolve import resolve
from support.coverage_list import coverage_list
from support.kept import assert_as_made
from support.made_up_laws import shelf
from support.texts import NJ_MINI

ROOT: Final = Path(__file__).parents[2]
LAW: Final = "us-nj/minibaccarat"
ON: Final = f"{LAW}@2011-02-22"


def run(*arguments: object, columns: int = 80) -> Result:
    words = ["law", "coverage", *(str(argument) for argument in arguments)]
    return CliRunner().invoke(main, words, env={"COLUMNS": str(columns)})


def run_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def words(result: Result) -> str:
    """Return what was printed with its line breaks undone."""
    return " ".join(result.stdout.split())


@pytest.mark.slow
def test_law_coverage_keeps_names_whole_in_eighty_columns() -> None:
    told = run("--tests", ROOT / "tests").stdout.split()
    assert "table.preparing._exchange" in told
    assert "test_7_1_d_batches" in told


def write_test(tmp_path: Path, *clauses: str) -> Path:
    marks = ", ".join(f'"{clause}"' for clause in clauses)
    source = f"import pytest\n\n\n@pytest.mark.clause({marks})\ndef test_it(): ...\n"
    (tmp_path / "test_it.py").write_text(source, encoding="utf-8")
    return tmp_path


def test_law_coverage_exits_with_one_and_lists_each_gap(tmp_path: Path) -> None:
    result = run("--law", ON, "--tests", write_test(tmp_path, "NJ-MINI:7.3(b)"))
    assert result.exit_code == 1
    assert "gap: NJ-MINI:7.3(a): class A, yet no test names it" in result.stderr
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
    assert "gap: NJ-MINI:7.5(f)#5: no function carries out burn.count" in result.stderr


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
    tests = write_test(tmp_path, "XX:1(a)#1")
    result = run("--tests", tests)
    lines = result.stdout.splitlines()
    assert "xx/game@2001-01-16  9.1" in lines
    assert "yy/game@2010-01-01  1" in lines
    told = words(result)
    assert "yy/game@2010-01-01: 1 clauses by class: 1 A, 0 B, 0 C; by disposition: 1 rule" in told
    assert "10 clauses by class: 8 A, 1 B, 1 C; by disposition: 8 rule, 1 procedure" in told
    assert made_up.exists()


@pytest.mark.parametrize("slip", ["XX:7", "ZZ:7"])
@pytest.mark.usefixtures("made_up")
def test_a_slip_is_told_once(tmp_path: Path, slip: str) -> None:
    told = run("--tests", write_test(tmp_path, slip)).stderr
    assert told.count(f"gap: {slip}: no such clause in xx/game") == 1


def test_a_clause_of_another_text_with_the_same_prefix_is_no_slip(
    made_up: Path, tmp_path: Path
) -> None:
    path = made_up / "other.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("YY", "XX"), encoding="utf-8")
    result = run("--law", "xx/game", "--tests", write_test(tmp_path, "XX:1"))
    assert "no such clause" not in result.stderr


@pytest.mark.usefixtures("made_up")
def test_the_coverage_as_a_document(tmp_path: Path) -> None:
    tests = write_test(tmp_path, "XX:1(a)#1", "XX:9")
    lines = run("--law", "xx/game", "--tests", tests, "--format", "markdown").stdout.splitlines()
    assert lines[0] == "# Traceability"
    for line in (
        "| `xx/game@2001-01-16` | 3 | 3 | 0 | 0 | 3 | 0 | 0 | 0 | 0 | 3 |",
        "| `xx/game@2005-03-01` | 6 | 4 | 1 | 1 | 4 | 1 | 0 | 1 | 0 | 5 |",
        "| all | 9 | 7 | 1 | 1 | 7 | 1 | 0 | 1 | 0 | 8 |",
        "## The game, 2005-03-01",
        "### X Code 9.1",
        "| `XX:1(a)#1` | A | at least six decks | rule | `decks`, `device` | `test_it.py::test_it` |",
        "| `XX:2(c)` | C | the table is green | checklist | Seen to before opening. |  |",
        "| `XX:9` |  | no such clause |  |  | `test_it.py::test_it` |",
    ):
        assert line in lines, line


@pytest.mark.slow
def test_the_traceability_that_is_kept_is_what_is_printed() -> None:
    kept = (ROOT / "docs" / "traceability.md").read_text(encoding="utf-8")
    made = run("--tests", ROOT / "tests", "--format", "markdown").stdout
    assert_as_made(kept, made, "docs/traceability.md")
