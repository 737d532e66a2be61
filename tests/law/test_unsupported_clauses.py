"""A clause that the program does not carry out is acknowledged, and named in every output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.law.elect import SubmissionError
from croupier.law.model import Disposition
from croupier.law.resolve import resolve, substituted
from croupier.rules import default_submission, table_rules
from support.command_line import told_with
from support.project import ROOT

LAW = "us-nj/minibaccarat"
CLAUSE = "NJ-MINI:7.2(e)"
PLAIN = ROOT / "submissions" / "nj-minibaccarat.toml"
SAID = f"{CLAUSE}: not carried out by the program, done by hand"


@pytest.fixture(params=["by-hand", "refuse"])
def meanwhile(request: pytest.FixtureRequest) -> Iterator[str]:
    """Have a clause of New Jersey unsupported."""
    text = resolve(LAW, on=date(2011, 2, 22))
    clause = replace(
        text.clauses[CLAUSE],
        set_aside=Disposition.UNSUPPORTED,
        reason="a supervisor counts",
        meanwhile=request.param,
    )
    changed = {one: clause if one == CLAUSE else other for one, other in text.clauses.items()}
    with substituted(replace(text, clauses=changed)):
        yield request.param


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """Return a submission that carries the clause out by hand."""
    path = tmp_path / "own.toml"
    path.write_text(f'{PLAIN.read_text()}\n[unsupported]\nby_hand = ["{CLAUSE}"]\n')
    return path


def test_without_an_acknowledgment_no_rules_are_made(meanwhile: str) -> None:
    with pytest.raises(SubmissionError, match=r"unsupported\.by_hand") as raised:
        table_rules(default_submission(LAW, date(2011, 2, 22)))
    (error,) = raised.value.errors
    assert error.clauses == (CLAUSE,)
    assert ("name it in by_hand" in str(error)) == (meanwhile == "by-hand")


def test_what_must_be_refused_is_refused_even_so(meanwhile: str, submission: Path) -> None:
    done = told_with(0 if meanwhile == "by-hand" else 1, "check", submission)
    assert (SAID in " ".join(done.output.split())) == (meanwhile == "by-hand")


@pytest.mark.parametrize("meanwhile", ["by-hand"], indirect=True)
@pytest.mark.usefixtures("meanwhile")
@pytest.mark.parametrize("form", ["text", "json"])
def test_every_output_names_the_clause(form: str, submission: Path, tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    dealt = told_with(0, "deal", submission, "--seed", 7, "--shoes", 1, "--log", log)
    assert SAID in " ".join(dealt.output.split())
    assert json.loads(log.read_text().splitlines()[0])["unsupported"] == [CLAUSE]
    for words in (
        ("verify", log),
        ("explain", log, "--round", 1),
        ("par", "--submission", submission),
        ("check", submission),
        ("ledger", log),
    ):
        said = told_with(0, *words, "--format", form).output
        assert CLAUSE in said, words
        assert "not carried out by the program" in " ".join(said.split()), words
    dossier = tmp_path / "dossier.html"
    told_with(0, "check", submission, "--report", dossier, "--force")
    says = resolve(LAW, on=date(2011, 2, 22)).clauses[CLAUSE].says
    assert dossier.read_text().count(says) == 2, "a warning, and an item of the checklist"


@pytest.mark.parametrize("meanwhile", ["by-hand"], indirect=True)
@pytest.mark.usefixtures("meanwhile")
def test_a_new_submission_asks_for_it_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    told_with(0, "new", f"{LAW}@2011-02-22", "-o", path)
    assert f'by_hand = ["{CLAUSE}"]' in path.read_text()
    told_with(0, "check", path)


@pytest.mark.parametrize("meanwhile", ["by-hand"], indirect=True)
@pytest.mark.usefixtures("meanwhile")
def test_a_name_that_is_no_unsupported_clause_is_refused(submission: Path) -> None:
    submission.write_text(submission.read_text().replace(CLAUSE, "NJ-MINI:7.2(f)"))
    assert f"did you mean {CLAUSE}" in told_with(1, "check", submission).output


def test_a_clause_of_the_included_laws_is_never_unsupported() -> None:
    plain = default_submission(LAW, date(2011, 2, 22))
    with pytest.raises(SubmissionError, match="is not such a clause"):
        table_rules(replace(plain, unsupported=(CLAUSE,)))
