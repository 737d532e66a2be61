"""What a learner is taught of a wrong amount, and what is asked on another day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from croupier.drills import DrillRoom, Question, mark
from croupier.drills.asking import asked_today, no_boxes
from croupier.rules import read_rules
from croupier.table.machine.offered import Field
from support.project import ROOT

ROOM = DrillRoom(read_rules(ROOT / "submissions" / "nj-minibaccarat.toml"))
TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("given", "says"),
    [("100.00", "$5.00 too much"), ("90", "$5.00 too little"), ("95.01", "$0.01 too much")],
)
def test_a_wrong_amount_is_too_much_or_too_little(given: str, says: str) -> None:
    fields = (Field("pays", "cents", "Pays"),)
    stage = ROOM.starts["betting"].stage
    one = Question("What is paid?", (), fields, {"pays": "$95.00"}, stage)
    ((text, _),) = mark(one, {"pays": given}).broken
    assert text.endswith(says)


def test_another_day_has_other_questions() -> None:
    def asked(day: date) -> list[object]:
        questions = asked_today(ROOM, ["third-card"], no_boxes(), day, seed=7, count=6)
        return [(one.words, one.shown, dict(one.key)) for one in questions]

    assert asked(TODAY) == asked(TODAY)
    days = [asked(TODAY + timedelta(days=after)) for after in range(3)]
    assert days[0] != days[1] != days[2] != days[0]
