"""A streak wager lasts several rounds: its hit cycle is in wagers, and in rounds next to it."""

import csv
import io
from datetime import date
from fractions import Fraction
from typing import Final

import pytest

from croupier.odds.blackjack import blackjack_sheet
from croupier.reports.formats import written
from croupier.reports.par import par_tree
from croupier.rules import default_submission, table_rules

RULES: Final = table_rules(default_submission("us-nj/blackjack-wagers", date(2001, 1, 16)))
RESULTS: Final = {"win": 433, "push": 87, "lose": 480}
SHEET: Final = blackjack_sheet(RULES, RESULTS, source="given")


def rounds_by_state(length: int) -> Fraction:
    """The mean number of rounds of a wager, one step at a time: e(k) = 1 + w e(k+1) + h e(k)."""
    total = sum(RESULTS.values())
    win, push = Fraction(RESULTS["win"], total), Fraction(RESULTS["push"], total)
    expected = Fraction(0)
    for _ in range(length):
        expected = (1 + win * expected) / (1 - push)
    return expected


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_a_wager_lasts_until_a_loss_or_the_last_win(length: int) -> None:
    wager = next(one for one in SHEET["wagers"] if one["id"] == f"streak_{length}")
    cycle = Fraction(913, 433) ** length
    assert Fraction(str(wager["hit_cycle"])) == cycle
    assert Fraction(wager["rounds_per_wager"]) == rounds_by_state(length)
    assert Fraction(str(wager["hit_cycle_rounds"])) == cycle * rounds_by_state(length)


def test_the_text_names_the_unit() -> None:
    text = " ".join(written(par_tree(SHEET), "text").decode().split())
    # 1 / 0.474261^5 wagers of 1.857 decided rounds, of which 913 come in 1,000.
    assert "Hit cycle (1 in, wagers) 41.6787 = " in text
    assert "Rounds per wager 2.0333 = " in text
    assert "Rounds per hit 84.7473 = " in text


def test_every_form_has_both() -> None:
    page = " ".join(written(par_tree(SHEET), "html").decode().split())
    assert "<dt>Hit cycle (1 in, wagers)</dt><dd><span>41.6787</span>" in page
    assert "<dt>Rounds per hit</dt><dd><span>84.7473</span>" in page
    rows = list(csv.DictReader(io.StringIO(written(par_tree(SHEET), "csv").decode())))
    row = next(one for one in rows if one["wager"] == "streak_5" and one["part"] == "Summary")
    assert Fraction(row["hit_cycle_rounds"]) == Fraction(913, 433) ** 5 * rounds_by_state(5)
