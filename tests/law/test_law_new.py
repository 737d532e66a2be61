"""``croupier law new``: every contract as a question, and no answer that was not given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.law.contracts import contracts
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from support.command_line import croupier, told_with

NEW = ("law", "new", "au-nsw/mini-baccarat", "--on", "2004-01-01", "-o", "laws", "--from")
MODELS = (
    "us-nj/minibaccarat@2011-02-22",
    "us-nj/punto-banco@2011-02-22",
    "us-ma/minibaccarat@2026-11-20",
    "us-ny/mini-midi-baccarat@2021-06-02",
)


@pytest.fixture
def drafted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    # A folder named by the option is forgotten with it.
    monkeypatch.setenv(VARIABLE, "")
    forget()
    yield tmp_path / "laws/au-nsw/mini-baccarat@2004-01-01.toml"
    monkeypatch.undo()
    forget()


def taken(path: Path, table: str) -> None:
    """Remove the comment signs of every table of a kind."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    blocks = [
        re.sub(r"(?m)^#(?! )", "", block) if f"#[[{table}]]" in block else block for block in blocks
    ]
    path.write_text("\n\n".join(blocks), encoding="utf-8")


def answered(path: Path) -> None:
    """Cite one clause in each rule, and take the first reading of each question."""
    taken(path, "clause")
    taken(path.with_name("interpretations.toml"), "interpretation")
    text = path.read_text(encoding="utf-8").replace(
        "\ncites = []", '\ncites = ["AU-NSW-MINI-BACCARAT:1"]'
    )
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("model", MODELS)
def test_a_draft_is_refused_until_every_rule_cites_and_every_reading_is_given(
    model: str, drafted: Path
) -> None:
    told_with(0, *NEW, model)
    (file,) = json.loads(told_with(1, "law", "check", drafted, "--format", "json").stdout)["files"]
    assert {one["code"] for one in file["faults"]} <= {"citation", "missing-reading"}
    cited = [one["id"] for one in file["faults"] if one["code"] == "citation"]
    assert len(cited) == drafted.read_text(encoding="utf-8").count("\n[[rule]]")
    answered(drafted)
    assert "accepted" in told_with(0, "law", "check", drafted).stdout


def test_a_table_is_dealt_under_an_answered_draft(drafted: Path) -> None:
    told_with(0, *NEW, MODELS[0])
    answered(drafted)
    laws = ("--laws", "laws")
    told_with(0, *laws, "new", "au-nsw/mini-baccarat@2004-01-01", "-o", "t.toml")
    told_with(0, *laws, "check", "t.toml")
    told_with(0, *laws, "deal", "t.toml", "--seed", "3", "--quiet", "--log", "log.jsonl", "--dealer-errors", "50")  # fmt: skip
    told_with(0, *laws, "verify", "log.jsonl")
    told_with(0, *laws, "par", "--submission", "t.toml")


def test_the_register_of_a_draft_cites_no_section_of_another_law(drafted: Path) -> None:
    told_with(0, *NEW, MODELS[0])
    register = drafted.with_name("interpretations.toml").read_text(encoding="utf-8")
    assert not re.search(r"\d\([a-z]\)", register)


def test_every_contract_is_a_question(drafted: Path) -> None:
    told_with(0, *NEW, MODELS[0])
    text = drafted.read_text(encoding="utf-8")
    for rule_id in contracts().rules:
        assert re.search(rf'(?m)^#?id = "{re.escape(rule_id)}"$', text), rule_id
    # Each rule that the model lacks has a notation that its contract permits; New Jersey's schemes
    # have no use for a commission of any rate.
    taken(drafted, "rule")
    data = json.loads(told_with(1, "law", "check", drafted, "--format", "json").stdout)
    codes = {one["code"] for one in data["files"][0]["faults"]}
    assert codes <= {"citation", "condition", "missing-reading", "missing-rule", "reference"}


def test_no_file_is_replaced_and_no_id_taken_twice(drafted: Path) -> None:
    told_with(0, *NEW, MODELS[0])
    before = drafted.read_bytes()
    assert croupier(*NEW, MODELS[1]).exit_code == 2
    assert drafted.read_bytes() == before
    again = ("law", "new", "us-nj/minibaccarat", "--on", "2004-01-01", "--from", MODELS[0])
    assert "croupier law amend" in told_with(2, *again).stderr
    assert "is not an id" in told_with(2, "law", "new", "NSW", *again[3:]).stderr
