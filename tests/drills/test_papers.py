"""Papers, keys, marking, results, and what is asked again when."""

from __future__ import annotations

import csv
import json
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.drills import DrillRoom, drawn_questions, mark
from croupier.drills.asking import DAYS, boxes_from, chosen, no_boxes, spaced
from croupier.rules import read_rules
from support.command_line import croupier
from support.project import ROOT

SAMPLE = str(ROOT / "submissions" / "ma-house-money.toml")
OTHER = str(ROOT / "submissions" / "ny-mini.toml")


run = partial(croupier, "drill")


def made(folder: Path, name: str = "paper.json", *more: object) -> dict[str, Any]:
    words = ("--submission", SAMPLE, "--seed", 7, "--questions", 20)
    result = run("paper", *words, "-o", folder / name, "--key", folder / f"key-{name}", *more)
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
    return told


def test_the_same_seed_gives_the_same_paper_without_its_key(tmp_path: Path) -> None:
    first, again = made(tmp_path, "one.json"), made(tmp_path, "two.json")
    assert {**first, "reproduce": ""} == {**again, "reproduce": ""}
    assert {field for one in first["questions"] for field in one} == {
        "number", "kind", "level", "words", "shown", "fields",
    }  # fmt: skip
    key = json.loads((tmp_path / "key-one.json").read_text(encoding="utf-8"))
    assert key["paper"] == first["seal"]
    assert [one["number"] for one in key["keys"]] == list(range(1, 21))


def test_a_paper_is_marked_again_from_its_seed(tmp_path: Path) -> None:
    made(tmp_path)
    key = json.loads((tmp_path / "key-paper.json").read_text(encoding="utf-8"))
    answers = {str(one["number"]): dict(one["key"]) for one in key["keys"]}
    answers["3"] = {}
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    rows = [(number, name, text) for number, told in answers.items() for name, text in told.items()]
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("question", "field", "answer"), *rows])
    found = []
    for name in ("answers.json", "answers.csv"):
        results = tmp_path / f"{name}.results.json"
        words = ("--submission", SAMPLE, "--student", "Ada", "--results", results)
        result = run("mark", tmp_path / "paper.json", tmp_path / name, *words)
        assert result.exit_code == 0, result.output
        assert "19 of 20 right" in result.output
        total = sum(len(one["key"]) for one in key["keys"])
        missed = len(key["keys"][2]["key"])
        assert f"{total - missed} of {total} points" in result.output
        found.append(json.loads(results.read_text(encoding="utf-8")))
    assert {**found[0], "reproduce": ""} == {**found[1], "reproduce": ""}
    (wrong,) = (one for one in found[0]["questions"] if not one["is_right"])
    assert wrong["number"] == 3
    assert all(one["right"] <= one["asked"] for one in found[0]["by_clause"].values())
    for clause in wrong["clauses"]:
        score = found[0]["by_clause"][clause]
        assert score["right"] < score["asked"]


def test_a_paper_that_was_changed_or_is_of_other_rules_is_refused(tmp_path: Path) -> None:
    told = made(tmp_path)
    (tmp_path / "answers.json").write_text("{}", encoding="utf-8")
    other = run("mark", tmp_path / "paper.json", tmp_path / "answers.json", "--submission", OTHER)
    assert (other.exit_code, "name the submission" in other.output) == (2, True)
    told["questions"][0]["words"] = "What else?"
    (tmp_path / "paper.json").write_text(json.dumps(told), encoding="utf-8")
    changed = run(
        "mark", tmp_path / "paper.json", tmp_path / "answers.json", "--submission", SAMPLE
    )
    assert (changed.exit_code, "seal" in changed.output) == (2, True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("answers.json", "[]"),
        ("answers.json", '{"x": {"next": "a"}}'),
        ("answers.json", '{"99": {"next": "a"}}'),
        ("answers.json", "{"),
        ("answers.csv", "number,answer\n1,a\n"),
    ],
)
def test_answers_that_cannot_be_read_are_refused(tmp_path: Path, name: str, text: str) -> None:
    made(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = run("mark", tmp_path / "paper.json", tmp_path / name, "--submission", SAMPLE)
    assert result.exit_code == 2
    assert name in result.output


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_a_paper_and_its_key_can_be_printed(tmp_path: Path, form: str) -> None:
    words = ("--submission", SAMPLE, "--seed", 7, "--questions", 16)
    paper, key = tmp_path / f"paper.{form}", tmp_path / f"key.{form}"
    result = run("paper", *words, "-o", paper, "--key", key)
    assert result.exit_code == 0, result.output
    for one in (paper, key):
        start = {"html": b"<!doctype html>", "pdf": b"%PDF"}[form]
        assert one.read_bytes().lstrip()[: len(start)] == start
    if form == "html":
        assert "MA-MINI:" not in paper.read_text(encoding="utf-8")
        assert "MA-MINI:" in key.read_text(encoding="utf-8")


def test_answers_come_from_a_pipe_and_its_end_ends_the_drill(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    words = ("burn", "--submission", OTHER, "--questions", 5, "--results", results)
    result = run(*words, text="3\n\n")
    assert result.exit_code == 0
    assert "of 2 right" in result.output
    rows = list(csv.DictReader(results.read_text(encoding="utf-8").splitlines()))
    assert [row["question"] for row in rows] == ["1", "2"]
    assert rows[1]["given"] == ""


# --- what is asked again -----------------------------------------------------------------------


def test_a_clause_goes_up_a_box_each_time_and_back_to_the_first() -> None:
    rules = read_rules(Path(OTHER))
    (one,) = drawn_questions(DrillRoom(rules), ["burn"], 1, 1)
    right, wrong = mark(one, one.key), mark(one, {})
    (clause, *_) = one.clauses
    boxes, today, waits = no_boxes(), date(2026, 1, 1), []
    for _ in range(7):
        boxes = boxes_from(json.loads(json.dumps(spaced(boxes, "law", [right], today))))
        due = date.fromisoformat(boxes["laws"]["law"][clause]["due"])
        waits.append((due - today).days)
        early = spaced(boxes, "law", [right], today)
        assert early == boxes
        today = due
    assert waits == [1, 2, 4, 8, 16, 16, 16]
    assert tuple(waits[:5]) == DAYS
    boxes = spaced(boxes, "law", [wrong], today)
    assert boxes["laws"]["law"][clause] == {"box": 0, "due": "2026-03-06"}


def test_what_is_due_is_asked_first() -> None:
    room = DrillRoom(read_rules(Path(OTHER)))
    candidates = list(drawn_questions(room, ["burn", "counts"], 1, 12))
    today = date(2026, 1, 1)
    burned = {one for each in candidates if each.kind == "burn" for one in each.clauses}
    known = {one: {"box": 0, "due": "2026-01-02"} for one in burned}
    asked = chosen(iter(candidates), known, 6, today)  # type: ignore[arg-type]
    assert [one.kind for one in asked] == ["counts"] * 6
    assert len(chosen(iter(candidates), known, 10, today)) == 10  # type: ignore[arg-type]


def test_boxes_that_are_none_are_refused(tmp_path: Path) -> None:
    boxes = tmp_path / "boxes.json"
    for text in ("{}", "[]", "x", '{"format": "croupier-drill-boxes/1", "laws": {"a": {"b": 1}}}'):
        boxes.write_text(text, encoding="utf-8")
        result = run("burn", "--submission", OTHER, "--boxes", boxes, text="1\n")
        assert (result.exit_code, str(boxes) in result.output) == (2, True)
        assert boxes.read_text(encoding="utf-8") == text
