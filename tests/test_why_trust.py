"""The figures of *Why trust this*, the README, and the mutants are those of what they count."""

import csv
import os
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from croupier.law.resolve import instruments
from support.project import ROOT

PAGE: Final = " ".join((ROOT / "docs" / "why-trust.md").read_text(encoding="utf-8").split())
DATA: Final = ROOT / "tests" / "data"
MOST_APART: Final = 0.02


def stated(pattern: str, text: str = PAGE) -> list[int]:
    found = re.search(pattern, text)
    assert found, pattern
    return [int(one.replace(",", "")) for one in found.groups()]


def test_the_number_of_clauses() -> None:
    clauses = sum(len(law.clauses) for law in instruments())
    assert stated(r"Each of the ([\d,]+) clauses") == [clauses]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert stated(r"regulations: ([\d,]+) clauses", readme) == [clauses]
    tour = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    assert stated(r"ones: ([\d,]+) clauses", tour) == [clauses]
    assert sum(map(int, re.findall(r"^\| `us-.* \| (\d+) \|$", tour, re.MULTILINE))) == clauses


def test_the_number_of_scenarios() -> None:
    files = sorted((DATA / "scenarios").glob("*.toml"))
    scenarios = [
        one for path in files for one in tomllib.loads(path.read_text("utf-8"))["scenario"]
    ]
    assert stated(r"\[Scenarios\]\(law-scenarios.md\), ([\d,]+) of them") == [len(scenarios)]


def test_the_number_of_published_figures() -> None:
    counted = [len(rows(DATA / name)) for name in ("published_figures.tsv", "published_odds.tsv")]
    pattern = r"\[(\d+) published figures\]\S+ and \[(\d+) published odds\]"
    assert stated(pattern) == counted


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [*csv.DictReader(file, delimiter="\t")]


def test_the_number_of_mutants() -> None:
    document = (ROOT / "docs" / "mutation-testing.md").read_text(encoding="utf-8")
    table = document.partition("| with a reason |")[2].partition("\n\n")[0]
    columns = zip(
        *(map(int, re.findall(r"\| (\d+)", row)) for row in table.splitlines()[2:]), strict=True
    )
    every, at_import, detected, survived, explained = map(sum, columns)
    assert survived == explained
    pattern = (
        r"Of ([\d,]+) such changes .* detected ([\d,]+) .* left (\d+) undetected,"
        r" each with a reason .* did not try (\d+) that"
    )
    assert stated(pattern) == [every, detected, survived, at_import]
    assert every == at_import + detected + survived


def test_the_number_of_tests(request: pytest.FixtureRequest) -> None:
    usual, whole, most = stated(
        r"runs some ([\d,]+) tests, with `CROUPIER_CHECK=whole`, .*?, ([\d,]+), and with"
        r" `CROUPIER_CHECK=most` ([\d,]+) "
    )
    assert usual < whole < most
    config = request.config
    asked = {Path(one).resolve() for one in config.args}
    # Of a part of the tests, only the order can be told.
    if asked == {ROOT / "tests"} and not (config.option.markexpr or config.option.keyword):
        here = {"whole": whole, "most": most}.get(os.environ.get("CROUPIER_CHECK", ""), usual)
        assert request.session.testscollected == pytest.approx(here, rel=MOST_APART)
