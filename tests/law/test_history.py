"""The history of a regulation: the days on which it was changed, and the days that are held."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from croupier.law.compare import History, history
from croupier.law.model import Amendment
from croupier.law.resolve import instruments
from support.made_up_laws import shelf


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


def told(law_id: str = "xx/game") -> History:
    # The order of the texts does not matter.
    return history([text for text in reversed(instruments()) if text.id == law_id])


def test_the_days_of_all_texts_are_told_in_order() -> None:
    assert [day.on for day in told().days] == [
        date(1999, 5, 1),
        date(2001, 1, 16),
        date(2004, 8, 9),
        date(2005, 3, 1),
    ]


def test_what_one_text_tells_in_full_another_does_not_repeat() -> None:
    # X Code 9.1 is 9.1 in the old text, and 1 in the new one.
    (amendment,) = told().days[0].amendments
    assert amendment == Amendment(
        date(1999, 5, 1), ("1",), "R.1999 d.7", "In (a): at least five decks."
    )


def test_sections_of_which_nothing_more_is_told_stand_after_those_in_full(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "new.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('sections = ["1"]', 'sections = ["3", "1"]'), encoding="utf-8")
    assert [(one.sections, one.by) for one in told().days[0].amendments] == [
        (("1",), "R.1999 d.7"),
        (("3",), None),
    ]


def test_a_day_of_which_no_text_tells_more_has_no_amendment() -> None:
    assert told().days[2].amendments == ()


def test_each_day_has_the_text_that_is_held_for_it_or_none() -> None:
    held = [None if day.held is None else day.held.clause_prefix for day in told().days]
    assert held == [None, "XX-OLD", None, "XX"]


def test_the_spans_leave_no_day_out_and_say_which_are_not_held() -> None:
    spans = [
        (span.first, span.last, None if span.text is None else span.text.clause_prefix)
        for span in told().spans
    ]
    assert spans == [
        (None, date(2001, 1, 15), None),
        (date(2001, 1, 16), date(2003, 6, 30), "XX-OLD"),
        (date(2003, 7, 1), date(2005, 2, 28), None),
        (date(2005, 3, 1), date(2005, 3, 1), "XX"),
        (date(2005, 3, 2), None, None),
    ]


def test_texts_that_follow_each_other_leave_no_span_between(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "old.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("2003-06-30", "2005-02-28"), encoding="utf-8")
    assert [span.text is None for span in told().spans] == [True, False, False, True]


def test_a_text_that_tells_of_no_amendment_has_no_days() -> None:
    assert told("yy/game").days == ()
