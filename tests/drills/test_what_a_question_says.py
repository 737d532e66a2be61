"""What decides is in the question: nobody has to know what it does not show."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Final

import pytest

from croupier.drills import DRILLS, DrillRoom, drawn_questions
from croupier.rules import read_rules
from support.project import ROOT, SUBMISSIONS
from support.volume import spread, volume

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"
VIGORISH: Final = (
    "nj-minibaccarat", "nj-minibaccarat-4-percent", "nj-minibaccarat-tie-vigorish",
    "nj-minibaccarat-total-cards", "ma", "ny-mini", "ny-mini-tie-vigorish", "nj-punto-banco",
)  # fmt: skip


@pytest.mark.parametrize("path", spread(SUBMISSIONS, 2, 14), ids=lambda one: one.stem)
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


ALLOWED: Final = ("nj-minibaccarat", "ma", "ny-midi", "nj-punto-banco")


@pytest.mark.parametrize("sample", ALLOWED)
def test_what_refuses_an_act_is_in_the_question(sample: str) -> None:
    room = DrillRoom(read_rules(ROOT / "submissions" / f"{sample}.toml"))
    refused = 0
    for seed in range(volume(2, 40)):
        for one in drawn_questions(room, ("allowed",), seed, 25):
            shown = " ".join(text for _, text in one.shown)
            why = one.why[0][0]
            assert "$0.00" not in shown
            assert all(one not in shown for one in ("None", "bonus_", "_cards")), one.shown
            if one.key["allowed"] == "no":
                refused += 1
                # Neither a text that was left empty nor a card that nobody has named.
                assert not re.match(r"(Name|Say|Write) |\W", why), (one.shown, why)
                amounts = re.findall(r"owes (\$[\d.,]+\d)", why)
                assert all(f"owes {amount}" in shown for amount in amounts), (one.shown, why)
                if "has wagers" in why or "are in play" in why:
                    assert re.search(r"\$\d", shown), (one.shown, why)
    assert refused


def test_a_fact_that_is_reported_is_nothing_that_may_or_may_not_be_done() -> None:
    room = DrillRoom(read_rules(NJ))
    for seed in range(8):
        for one in drawn_questions(room, ("allowed",), seed, 25):
            act = dict(one.shown).get("Act", "")
            assert not act.startswith(("Report a", "Correct a card")), act


@pytest.mark.parametrize("sample", VIGORISH)
def test_vigorish_follows_from_what_is_shown(sample: str) -> None:
    room = DrillRoom(read_rules(ROOT / "submissions" / f"{sample}.toml"))
    for one in drawn_questions(room, ("vigorish",), 3, volume(15, 400)):
        shown = dict(one.shown)
        seat = next(label for label, _ in one.shown if label.startswith("Seat"))
        stakes = {
            name: Fraction(amount.replace(",", ""))
            for name, amount in re.findall(r"([A-Z][\w ]*) \$([\d,.]+\d)", shown[seat])
        }
        counts = {
            hand: sum(1 if card[:-1] == "A" else int(card[:-1]) % 10 if card[0].isdigit() else 0
                      for card in shown[f"{hand}'s Hand"].split()) % 10
            for hand in ("Player", "Banker")
        }  # fmt: skip
        tie = re.match(r"(\d+)% of the Banker wager on a tie", shown["Vigorish"])
        win = re.match(
            r"(\d+)% of Banker wager winnings, (?:not rounded|rounded up to \$([\d.]+)),"
            r" (deferred|collected immediately)(; waived)?",
            shown["Vigorish"],
        )
        due, how = Fraction(0), "none"
        if tie is not None and counts["Player"] == counts["Banker"]:
            due, how = stakes["Banker"] * int(tie[1]) / 100, "collected"
        elif win is not None and counts["Banker"] > counts["Player"]:
            due = stakes["Banker"] * int(win[1]) / 100
            unit = Fraction(win[2] or "0.01")
            due, how = ceil(due / unit) * unit, "marked" if win[3] == "deferred" else "collected"
            total = sum(amount for name, amount in stakes.items() if name.endswith(" cards"))
            if win[4] and total >= stakes["Banker"]:
                due, how = Fraction(0), "waived"
        if how != "waived":
            assert Fraction(one.key["due"].lstrip("$").replace(",", "")) == due, one.shown
        assert one.key["how"] == how, one.shown


def test_a_reading_that_another_table_takes_otherwise_is_shown() -> None:
    literal = DrillRoom(read_rules(ROOT / "submissions" / "ny-mini-literal-row.toml"))
    found = 0
    for one in drawn_questions(literal, ("third-card",), 3, 200):
        if any("(h)(4)#1" in clause for clause in one.why[0][1]):
            found += 1
            assert dict(one.shown)["Reading T41"].startswith("With 0, 1, or 2, Banker draws only")
    assert found
