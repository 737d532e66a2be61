"""``croupier law history``: what it prints of made-up texts, and for a program."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from support.command_line import croupier
from support.made_up_laws import shelf


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


run = partial(croupier, "law", "history")


def test_history_tells_what_is_held_and_what_is_not() -> None:
    result = run("xx/game")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "History of xx/game"
    start = lines.index("Versions") + 1
    assert lines[start : start + 6] == [
        "Days                      Version",
        "until 2001-01-15          no version",
        "2001-01-16 to 2003-06-30  xx/game@2001-01-16, 3 clauses, an excerpt",
        "2003-07-01 to 2005-02-28  no version",
        "2005-03-01                xx/game@2005-03-01, 6 clauses",
        "from 2005-03-02           no version; Croupier makes no claim about later law",
    ]


def test_history_tells_each_day_with_its_sections_its_order_and_its_note() -> None:
    told = [" ".join(line.split()) for line in run("xx/game@2005-03-01").stdout.splitlines()]
    start = told.index("Amended Text Sections Amendments on record") + 1
    assert told[start : start + 4] == [
        "1999-05-01 no 1 R.1999 d.7. In (a): at least five decks.",
        "2001-01-16 excerpt 2 R.2001 d.1",
        "2004-08-09 no not recorded",
        "2005-03-01 whole 1, 2",
    ]


def test_history_of_a_text_that_tells_of_no_amendment() -> None:
    assert "No version records an amendment." in run("yy/game").stdout


def test_history_for_a_program() -> None:
    told = json.loads(run("xx/game", "--format", "json").stdout)
    assert told["law"] == "xx/game"
    before, first = told["spans"][:2]
    assert before == {"from": None, "to": "2001-01-15", "law": None}
    law = first.pop("law")
    assert first == {"from": "2001-01-16", "to": "2003-06-30"}
    assert (law["law"], law["in_force_from"]) == ("xx/game", "2001-01-16")
    assert law["partial"] is True
    assert told["days"][1] == {
        "on": "2001-01-16",
        "held": True,
        "amendments": [{"sections": ["2"], "by": "R.2001 d.1", "note": None}],
    }


def test_history_of_what_is_not_held_exits_with_two() -> None:
    result = run("zz/game")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no regulation has the id 'zz/game'" in result.stderr
