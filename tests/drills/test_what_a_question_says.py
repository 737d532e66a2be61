"""What decides is in the question: nobody has to know what it does not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.drills import DRILLS, DrillRoom, drawn_questions
from croupier.rules import read_rules
from support.project import ROOT, SUBMISSIONS
from support.volume import spread, volume

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"


@pytest.mark.parametrize("path", spread(SUBMISSIONS, 2), ids=lambda one: one.stem)
def test_equal_questions_have_equal_keys(path: Path) -> None:
    room = DrillRoom(read_rules(path))
    for kind in DRILLS:
        keys: dict[object, object] = {}
        for seed in range(volume(2, 40)):
            for one in drawn_questions(room, (kind,), seed, 25):
                fields = tuple((field.name, field.label, field.choices) for field in one.fields)
                asked = (one.words, one.shown, fields)
                assert keys.setdefault(asked, one.key) == one.key, asked


def test_a_form_that_may_not_be_used_is_asked_about_with_the_next_one() -> None:
    room = DrillRoom(read_rules(NJ))
    for seed in range(400):
        for one in drawn_questions(room, ("allowed",), seed, 25):
            shown = dict(one.shown)
            if "Form" in shown and "Form" in shown["Act"]:
                assert "Next Form" in shown
                return
    raise AssertionError("no question is about a Form")
