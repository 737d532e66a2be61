"""A drill at a terminal: what cannot be read is asked again, and what was missed at the end."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click import Abort

from croupier.cli import main
from support.command_line import croupier
from support.project import ROOT

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Interrupted(_Terminal):
    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # its base is declared for bytes
        if line := super().readline(size):
            return line
        raise KeyboardInterrupt


def drilled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *typed: str
) -> str:
    """Answer the questions of a seed, line by line, and return what is shown."""
    monkeypatch.setattr(sys, "stdin", _Terminal("".join(f"{one}\n" for one in typed)))
    words = ["drill", "allowed", "--submission", str(NJ), "--seed", "7", "--questions", "2"]
    main(words, standalone_mode=False)
    return capsys.readouterr().out


def test_an_answer_that_cannot_be_read_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = drilled(monkeypatch, capsys, "perhaps", "a", "a", "n")
    assert told.count("This cannot be read: write the letter of one choice.") == 1
    assert "Question 2 of 2" in told


def test_an_empty_line_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = drilled(monkeypatch, capsys, "", " ", "a", "a", "n")
    assert told.count("This cannot be read: write the letter of one choice.") == 2
    assert "no answer was given" not in told


def test_a_question_that_is_skipped_is_not_right_and_comes_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = drilled(monkeypatch, capsys, "-", "a", "n")
    assert "- skips a question" in told
    assert "cannot be read" not in told
    assert told.partition("Question 2 of 2")[0].count("Not right.") == 1
    assert "Again: the " in told


def test_a_question_of_several_fields_is_skipped_at_once() -> None:
    words = ("drill", "counts", "--submission", NJ, "--seed", "3", "--questions", "2")
    result = croupier(*words, text="-\n9\n-\n")
    assert "0 of 2 right" in result.output
    assert result.output.count("Natural > ") + result.output.count("Winner > ") == 1


@pytest.mark.parametrize("terminal", [_Terminal, _Interrupted])
@pytest.mark.parametrize("again", ["", "y\n"])
def test_results_are_kept_if_a_drill_ends_where_it_asks_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, terminal: type[_Terminal], again: str
) -> None:
    results = tmp_path / "results.json"
    monkeypatch.setattr(sys, "stdin", terminal(f"-\n-\n{again}"))
    words = ["drill", "allowed", "--submission", str(NJ), "--questions", "2"]
    with suppress(Abort):
        main([*words, "--results", str(results)], standalone_mode=False)
    assert json.loads(results.read_text())["score"] == {"asked": 2, "right": 0}


def test_what_follows_the_end_of_the_input_begins_its_own_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "> \n0 of 0 right\n" in drilled(monkeypatch, capsys)


def test_the_end_offers_what_was_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = drilled(monkeypatch, capsys, "a", "b", "n")
    wrong = first.count("Not right.")
    answers = ("a", "b") if wrong else ("b", "b")
    told = drilled(monkeypatch, capsys, *answers, "y", *["a"] * 2, "n", *["b"] * 2, "n")
    missed = told.partition("Again: the ")[2]
    assert missed
    assert f"Question 1 of {missed[0]}" in missed


def test_the_first_reason_comes_at_once_and_the_rest_on_a_question_mark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hint = "? at a prompt shows the whole explanation"
    short = drilled(monkeypatch, capsys, "a", "a", "n")
    first, _, rest = short.partition("Question 2 of 2")
    assert "[NJ-MINI:" in first
    assert "Why: " not in first
    assert "The table refuses it" not in short
    assert short.count(hint) == 1
    assert len(first.splitlines()) < 16
    whole = drilled(monkeypatch, capsys, "a", "?", "a", "?", "n")
    assert whole.count("Why: ") >= 2
    assert whole.partition("Question 2 of 2")[2].index("Why: ") < len(rest)
    assert "cannot be read" not in whole


def test_a_question_mark_before_the_first_answer_explains_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = drilled(monkeypatch, capsys, "?", "a", "a", "n")
    assert told.count("This cannot be read") == 1
    assert "Why: " not in told.partition("Question 2 of 2")[0]


def test_the_explanation_of_a_right_answer_is_whole_if_it_is_the_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for answers in (("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")):
        told = drilled(monkeypatch, capsys, *answers, "n")
        last = told.partition("Question 2 of 2")[2]
        assert ("Why: " in last) is ("Right." in last)


def test_a_pipe_refuses_what_it_cannot_read_and_writes_no_result(tmp_path: Path) -> None:
    results, boxes = tmp_path / "results.json", tmp_path / "boxes.json"
    words = ("drill", "payouts", "--submission", NJ, "--seed", "4", "--questions", "3")
    typed = "zzz\n1\n$1\n1 x $1\nq\nq\n"
    result = croupier(*words, "--results", results, "--boxes", boxes, text=typed)
    assert result.exit_code == 2
    assert "Question 1 of 3, Amount: This cannot be read: write an amount" in result.stderr
    assert "Question 1 of 3, In chips: This cannot be read" in result.stderr
    assert "Question 3 of 3, " in result.stderr
    assert "Question 2 of 3, " not in result.stderr
    assert not results.exists()
    assert not boxes.exists()
    # An empty line is no answer, which counts: no question can be skipped by it.
    empty = croupier(*words, "--results", results, text="\n" * 6)
    assert (empty.exit_code, "0 of 3 right" in empty.output) == (0, True)
    assert [one["is_right"] for one in json.loads(results.read_text())["questions"]] == [False] * 3


def test_the_end_of_a_pipe_ends_a_drill_within_a_question() -> None:
    words = ("drill", "counts", "--submission", NJ, "--seed", "3", "--questions", "2")
    result = croupier(*words, text="9\n8\n")
    assert result.exit_code == 0
    assert "Winner > \n0 of 0 right" in result.output.replace("\n\n", "\n")
    assert croupier(*words, text="").output.count(" > ") == 1


def test_questions_as_json_are_not_asked(tmp_path: Path) -> None:
    words = ("drill", "counts", "--submission", NJ, "--seed", "3", "--format", "json")
    assert croupier(*words, text="9\n").exit_code == 0
    for more in (("--results", tmp_path / "r.json"), ("--student", "Kim")):
        result = croupier(*words, *more, text="9\n")
        assert result.exit_code == 2
        assert "remove --results and --student" in result.stderr
    assert not [*tmp_path.iterdir()]
