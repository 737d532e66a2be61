"""Plots draw the sessions that were played, and touch nothing that others draw with."""

import sys
from pathlib import Path
from typing import Final

import pytest

from croupier.rules import read_submission, table_rules
from croupier.simulation.plan import plan_of
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionPlan, play
from croupier.simulation.sessions.plot import courses_of, draw
from croupier.simulation.sessions.results import Results
from croupier.simulation.sessions.systems import progression
from croupier.simulation.sessions.table import session_table

SUBMISSION: Final = Path(__file__).parents[2] / "submissions" / "nj-minibaccarat.toml"


def session_of(bankroll: int, shoes: int) -> SessionPlan:
    rules = table_rules(read_submission(SUBMISSION))
    table = session_table(rules, ["banker"])
    return SessionPlan(
        table, plan_of(rules), progression("fibonacci"), bankroll, 2_500, 5, shoes=shoes
    )


@pytest.mark.parametrize(("bankroll", "shoes"), [(60_000, 2), (10**9, 60)])
def test_courses_are_those_of_the_sessions_that_were_played(bankroll: int, shoes: int) -> None:
    session = session_of(bankroll, shoes)
    (marks, *_) = [batch.marks for batch in play(session, 8)]
    for course, row in zip(courses_of(session, 8), marks, strict=False):
        assert course.rounds[0] == 0
        assert course.bankroll[0] * 100 == bankroll
        assert course.rounds[-1] == row[at.ROUNDS]
        assert round(course.bankroll[-1] * 100) == row[at.BANKROLL]
        assert course.ruined == (row[at.ENDING] == at.RUINED)
        # In order, and thinned out: some hundreds of points however long the session.
        assert (course.rounds[1:] >= course.rounds[:-1]).all()
        assert len(course.rounds) < 520


@pytest.mark.parametrize("name", ["plot.svg", "plot.png"])
def test_a_plot_is_the_same_to_the_byte_and_leaves_pyplot_alone(tmp_path: Path, name: str) -> None:
    loaded = "matplotlib.pyplot" in sys.modules
    session = session_of(60_000, 2)
    results = Results(session)
    for batch in play(session, 200):
        results.add(batch)
    files = [tmp_path / f"{number}-{name}" for number in range(2)]
    for path in files:
        with path.open("wb") as file:
            draw(results, courses_of(session, 200), file, path.suffix[1:])
    assert files[0].read_bytes() == files[1].read_bytes()
    if name.endswith("svg"):
        text = files[0].read_text(encoding="utf-8")
        ruined = results.ended("ruined").share
        assert f"Results of 200 sessions, {ruined:.1%} of them ruined" in text
        assert "Banker, fibonacci, unit $25: 200 sessions of 2 shoes" in text
    assert ("matplotlib.pyplot" in sys.modules) == loaded
