"""``croupier law acts``: what is said, shown, and placed in each act, as the regulation has it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from croupier.acts.command import TERMS
from croupier.law.model import ClauseClass
from croupier.law.resolve import instruments, resolve
from croupier.table.machine.act_sheets import act_sheets
from croupier.table.machine.core import deciders
from support.command_line import croupier, told_with
from support.texts import dated

WHOLE = [one.key for one in instruments() if not one.partial and "third.banker" in one.rules]


@cache
def sheets(law: str) -> dict[str, Any]:
    data = json.loads(told_with(0, "law", "acts", "--law", law, "--format", "json").stdout)
    (found,) = data["laws"]
    assert found["law"] == law.partition("@")[0]
    return {one["act"]: one for one in found["acts"]}


def steps(law: str, act: str) -> dict[str, dict[str, Any]]:
    return {one["clause"].partition(":")[2]: one for one in sheets(law)[act]["steps"]}


SHEETS = """
from croupier.law.resolve import instruments
from croupier.table.machine.act_sheets import act_sheets
print([act_sheets(law) for law in instruments()])
"""

NJ = dated("us-nj/minibaccarat")
MA = dated("us-ma/minibaccarat")


@pytest.mark.parametrize(
    ("act", "clause", "done", "persons"),
    [
        # The burned cards are shown to the participants and go to the discard rack.
        ("DrawCard", "7.5(f)#6", {"shown", "placed"}, {"patron"}),
        # The dealer offers the stack to the participants, backs away from the dealer.
        ("AcceptCut", "7.5(d)#1", {"said"}, {"dealer", "patron"}),
        # The call that begins each round.
        ("CallNoMoreBets", "7.7(b)", {"said"}, set()),
        # The original is dropped in the presence of pit boss and pit clerk.
        ("DropForm", "7.3(c)3.iii", {"shown", "placed"}, {"pit boss", "pit clerk"}),
        # The dealer spreads the cards face up for the first participant to view.
        ("SpreadCards", "7.4(b)#2", {"shown"}, set()),
    ],
)
def test_a_sheet_says_what_is_said_shown_and_placed_and_whom_it_names(
    act: str, clause: str, done: set[str], persons: set[str]
) -> None:
    step = steps(NJ, act)[clause]
    assert done <= {*step["done"]}
    assert persons <= {*step["persons"]}


def test_the_sheets_are_the_same_in_every_process() -> None:
    printed = {
        subprocess.run(  # noqa: S603  (our own interpreter and script)
            [sys.executable, "-c", SHEETS],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(8)
    }
    assert len(printed) == 1
    # Persons who act from a seat, in the order of their offices.
    assert b"'curator', 'patron'" in printed.pop()


@pytest.mark.parametrize(
    ("law", "act", "clause", "done"),
    [
        # "Minimum of six decks (no stated maximum)": a count, which nobody says.
        (NJ, "FindWrongCard", "7.1(a)#1", []),
        # "For the burn, aces count one" is a value, and "In front of the cutting card" a place.
        (NJ, "FindBurnShort", "7.5(f)#8", []),
        (NJ, "InsertCuttingCards", "7.5(f)#1", []),
        # No wager is placed, and no one removes or alters cards: prohibitions.
        (NJ, "DismissPatron", "7.2(d)", []),
        (NJ, "ReturnCards", "7.10(e)#1", []),
        # The licensee elects a collection; a Form carries signatures.
        (NJ, "SettleWagers", "7.3(c)2#1", []),
        (NJ, "PrepareForm", "7.3(c)3.i#6", []),
        # "House Money wager if offered", and what a discard rack may hold.
        (MA, "PlaceWager", "7(a)(7)", []),
        (MA, "ExchangeBatches", "3(b)(5)", []),
        # "Losers collected first" moves chips; "Returned face up, placed and announced" is all.
        (MA, "SettleWagers", "11(b)#1", ["placed"]),
        (MA, "DrawCard", "8(c)(1)#3", ["said", "shown", "placed"]),
    ],
)
def test_a_sheet_marks_no_clause_by_a_word_in_another_sense(
    law: str, act: str, clause: str, done: list[str]
) -> None:
    assert steps(law, act)[clause]["done"] == done


def test_a_sheet_has_its_steps_in_the_order_of_the_regulation() -> None:
    order = [*resolve("us-nj/minibaccarat", on="latest").clauses]
    for act in sheets(NJ).values():
        places = [order.index(one["clause"]) for one in act["steps"]]
        assert places == sorted(places)


def test_the_words_of_a_call_are_those_of_the_regulation() -> None:
    assert sheets(NJ)["CallNoMoreBets"]["said"] == ["No More Bets"]
    assert "Tie Hand" in sheets(NJ)["DrawCard"]["said"]


def test_both_counts_are_announced_with_the_cards() -> None:
    # 7.8(a): the dealer announces the Point Count of both hands.
    assert "said" in steps(NJ, "DrawCard")["7.8(a)#1"]["done"]


@pytest.mark.parametrize("law", WHOLE)
def test_every_act_that_a_regulation_describes_has_a_sheet_with_its_own_clauses(law: str) -> None:
    text = next(one for one in instruments() if one.key == law)
    found = sheets(law)
    for command, (_, rules) in deciders().items():
        cited = {
            clause
            for rule in (TERMS[command.__name__].rule, *rules)
            if rule in text.rules
            for clause in text.rules[rule].cites
            if clause in text.clauses
        }
        if cited:
            assert cited <= {one["clause"] for one in found[command.__name__]["steps"]}
    told = {one["clause"] for act in found.values() for one in act["steps"]}
    procedure = [
        one.id
        for one in text.clauses.values()
        if one.clause_class is ClauseClass.PROCEDURE and text.implemented_by[one.id]
    ]
    assert len([one for one in procedure if one in told]) > 0.9 * len(procedure)


def test_what_a_count_enters_is_shown_to_its_offices_alone() -> None:
    found = sheets(NJ)
    seen = {one["label"]: one["seen_by"] for one in found["CountDrop"]["entered"]}
    assert "dealer" not in seen["Cash"]
    assert {"accounting", "licensee"} <= {*seen["Cash"]}
    secret = {one["label"]: one["seen_by"] for one in sheets(WHOLE[0])["ReplaceMystery"]["entered"]}
    assert secret["Secret"] == []


def test_who_counts_and_who_signs_at_the_change_of_a_shift() -> None:
    act = sheets(NJ)["ChangeShift"]
    assert (act["by"], act["together"]) == (["floorperson"], ["dealer", "floorperson"])
    assert act["house"] is True
    assert act["steps"] == []


def test_acts_are_named_by_a_word_or_by_their_command() -> None:
    text = told_with(0, "law", "acts", "shuffle", "--law", NJ).stdout
    assert "(ShuffleCards)" in text
    assert "(DrawCard)" not in text
    assert "(RequestFill)" in told_with(0, "law", "acts", "chips", "--law", NJ).stdout
    refused = croupier("law", "acts", "ShuffleCard", "--law", NJ)
    assert refused.exit_code == 2
    assert "ShuffleCards" in refused.output


def test_a_sheet_needs_no_table_of_acts() -> None:
    """The sheet follows from the functions that carry an act out: no rule is listed by hand."""
    law = resolve("us-nj/minibaccarat", on="latest")
    (drawn,) = [one for one in act_sheets(law) if one.act == "DrawCard"]
    listed = deciders()[TERMS["DrawCard"].command][1]
    assert "announce.counts" not in listed
    assert "announce.counts" in {one.rule for one in drawn.steps}


def test_each_step_of_a_table_names_its_act(tmp_path: Path) -> None:
    text = told_with(0, "law", "acts", "shuffle", "--law", NJ, "--format", "csv").stdout
    steps = [row for row in csv.DictReader(StringIO(text)) if row["part"] == "Steps"]
    assert {"ShuffleCards"} < {row["command"] for row in steps}
    told_with(0, "law", "acts", "shuffle", "--law", NJ, "-o", tmp_path / "acts.xlsx")
