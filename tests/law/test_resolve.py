"""Which text was in force on a date: answered where it is known, and never guessed."""

from datetime import date, timedelta

import pytest

from croupier.law.load import LawError
from croupier.law.resolve import instruments, resolve

LAW = "us-nj/minibaccarat"
DAY = date(2011, 2, 22)


def test_a_text_is_found_on_every_day_on_which_it_is_known_to_have_been_in_force() -> None:
    for text in instruments():
        assert resolve(text.id, on=text.in_force_from) == text
        assert resolve(text.id, on=text.in_force_known) == text


@pytest.mark.parametrize("on", [DAY - timedelta(days=1), DAY + timedelta(days=1), date(2026, 1, 1)])
def test_nothing_is_claimed_about_a_day_outside_the_known_span(on: date) -> None:
    with pytest.raises(LawError, match=f"on {on} is not known here") as refused:
        resolve(LAW, on=on)
    assert "2011-02-22 to 2011-02-22" in str(refused.value)


def test_an_id_that_is_not_held_is_refused_with_those_that_are() -> None:
    with pytest.raises(LawError, match=r"no regulation has the id 'nowhere/game'") as refused:
        resolve("nowhere/game")
    assert LAW in str(refused.value)


def test_without_a_date_the_only_text_of_an_id_is_found() -> None:
    assert resolve(LAW).in_force_from == DAY


def test_every_text_tells_a_span_that_is_no_guess() -> None:
    for text in instruments():
        assert text.in_force_from <= text.in_force_known <= text.observed_on
        # A text that shows no amendment, or only those of another day, tells in its note why not.
        assert text.in_force_from in text.amended or text.note
