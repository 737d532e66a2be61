"""A drill at a terminal: what cannot be read is asked again, and what was missed at the end."""

from __future__ import annotations

import io
import sys

import pytest

from croupier.cli import main
from support.project import ROOT

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


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
