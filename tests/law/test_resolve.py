"""Which text was in force on a date: answered where it is known, and never guessed."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from croupier.law.faults import LawError
from croupier.law.resolve import forget, instruments, resolve, texts_of
from support.made_up_laws import shelf

LAW = "us-nj/minibaccarat"
DAY = date(2011, 2, 22)


def test_a_text_is_found_on_every_day_on_which_it_is_known_to_have_been_in_force() -> None:
    for text in instruments():
        assert resolve(text.id, on=text.in_force_from) == text
        assert resolve(text.id, on=text.in_force_known) == text


@pytest.mark.shipped
@pytest.mark.parametrize("on", [DAY - timedelta(days=1), DAY + timedelta(days=1), date(2026, 1, 1)])
def test_nothing_is_claimed_about_a_day_outside_the_known_span(on: date) -> None:
    with pytest.raises(LawError, match=f"on {on} is not known here") as refused:
        resolve(LAW, on=on)
    assert "2011-02-22 to 2011-02-22" in str(refused.value)


def test_an_id_that_is_not_held_is_refused_with_those_that_are() -> None:
    with pytest.raises(LawError, match=r"no regulation has the id 'nowhere/game'") as refused:
        resolve("nowhere/game", on="latest")
    assert LAW in str(refused.value)
    assert "name another folder with --laws FOLDER" in str(refused.value)


def test_an_id_that_is_not_a_typing_error_is_answered_with_where_laws_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_LAWS", str(tmp_path))
    forget()
    try:
        with pytest.raises(LawError, match="did you mean us-nj/minibaccarat") as refused:
            resolve("xx/minibaccarat", on="latest")
        assert f"; searched: the package, {tmp_path}; name another folder" in str(refused.value)
        assert "or in CROUPIER_LAWS or croupier.toml" in str(refused.value)
        with pytest.raises(LawError, match="did you mean us-nj/minibaccarat") as mistyped:
            resolve("us-nj/minibacarat", on="latest")
        assert "searched" not in str(mistyped.value)
    finally:
        monkeypatch.undo()
        forget()


@pytest.mark.shipped
def test_the_latest_is_the_last_complete_text() -> None:
    assert resolve(LAW, on="latest").in_force_from == DAY
    # Of blackjack wagers an excerpt alone is held.
    assert resolve("us-nj/blackjack-wagers", on="latest").partial


def test_a_day_has_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with shelf(tmp_path, monkeypatch) as folder:
        old = folder / "old.toml"
        text = old.read_text(encoding="utf-8")
        old.write_text(text.replace("2003-06-30", "2005-02-28"), encoding="utf-8")
        assert resolve("xx/game", on=date(2005, 2, 28)).partial
        texts_of.cache_clear()
        old.write_text(text.replace("2003-06-30", "2005-03-01"), encoding="utf-8")
        with pytest.raises(LawError, match=r"xx/game@2005-03-01 is in force from 2005-03-01"):
            resolve("xx/game", on=date(2005, 2, 28))


def test_every_text_tells_a_span_that_is_no_guess() -> None:
    for text in instruments():
        assert text.in_force_from <= text.in_force_known <= text.observed_on
        # A text that shows no amendment, or only those of another day, tells in its note why not.
        assert text.in_force_from in text.amended or text.note
