"""How figures are written, and how a form fails without the package that it is made with."""

import sys
from fractions import Fraction

import pytest

from croupier.reports.document import shoe_of
from croupier.reports.figures import MissingExtraError, decimal, extra, percent, visible
from croupier.reports.formats import written
from croupier.reports.formats.text import harmless
from croupier.reports.tree import Tree


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (Fraction(1, 3), 4, "0.3333"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(-1, 3), 2, "-0.33"),
        (Fraction(-1, 10_000), 2, "0.00"),
        (Fraction(12), 2, "12.00"),
        (Fraction(2292252566437888, 4998398275503360), 12, "0.458597422633"),
    ],
)
def test_a_fraction_is_rounded_from_its_exact_value(
    value: Fraction, places: int, shown: str
) -> None:
    assert decimal(value, places) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0.0000%"),
        (Fraction(1), "100.0000%"),
        (Fraction(-1, 8), "-12.5000%"),
        (Fraction(1, 1000), "0.1000%"),
        (Fraction(1, 3000), "0.03333%"),
        (Fraction(28, 65889135), "0.00004250%"),
        (Fraction(1, 10**20), "0.000000000000%"),
    ],
)
def test_a_rare_chance_is_not_shown_as_none(value: Fraction, shown: str) -> None:
    assert percent(value) == shown


@pytest.mark.parametrize("text", ["\x1b[2J", "a\x00b", "\u202eabc", "\ud800", "\u200b"])
def test_what_steers_a_terminal_is_written_out(text: str) -> None:
    assert visible(text).isprintable()
    assert visible(text).isascii()


@pytest.mark.parametrize(
    "text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "  =1", "\n=1", "-cmd|' /C calc'!A0", "-"]
)
def test_no_cell_begins_as_a_formula_does(text: str) -> None:
    assert harmless(text).startswith("'")


@pytest.mark.parametrize("text", ["-19/20", "19/20", "1:1", "-0.25", "-7", "push", "5%", "", "a=b"])
def test_a_figure_and_a_plain_word_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text


def test_a_shoe_of_whole_decks_is_told_in_short_and_another_rank_by_rank() -> None:
    assert shoe_of({"shoe": {"cards": 4, "by_rank": {"A": 2, "2": 2}}}) == (
        "4 cards, 2 of each rank"
    )
    assert shoe_of({"shoe": {"cards": 3, "by_rank": {"A": 2, "2": 1}}}) == "3 cards: A 2, 2 1"


@pytest.mark.parametrize(("form", "package"), [("xlsx", "xlsxwriter"), ("pdf", "typst")])
def test_a_missing_package_is_told_with_the_extra_that_brings_it(
    form: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("croupier.reports.figures.import_module", without)
    with pytest.raises(MissingExtraError) as told:
        written(Tree("", "", [], {}), form)
    assert package in str(told.value)
    assert "pip install 'croupier[reports]'" in str(told.value)
    assert form.upper() in str(told.value)


def test_a_package_that_is_there_and_broken_is_not_told_as_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> object:
        del name
        raise ModuleNotFoundError("No module named 'zlib'", name="zlib")

    monkeypatch.setattr("croupier.reports.figures.import_module", broken)
    with pytest.raises(ModuleNotFoundError):
        extra("xlsx")


def test_the_reports_import_nothing_extra_before_a_form_is_asked_for() -> None:
    import subprocess  # noqa: PLC0415  (this test alone starts a program)

    code = (
        "import sys, croupier.reports.formats, croupier.reports.par;"
        "print([one for one in ('typst', 'xlsxwriter') if one in sys.modules])"
    )
    told = subprocess.run(  # noqa: S603  (our own program)
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
