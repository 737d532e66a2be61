"""Vectors are what the law has: an oracle that knows nothing of the program judges every file."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.law.interpretations import interpretations
from support.oracles.vectors import (
    judge_deals,
    judge_rounding,
    judge_scenarios,
    judge_settlement,
    terms_of,
)
from support.project import ROOT
from support.vector_sets import SETS, made, read

every_table = pytest.mark.parametrize("submission", SETS, ids=lambda path: path.stem)

TOPICS: Final = ("rules", "deals", "settlement", "rounding", "procedures", "refusals")

INVENTORIES: Final = {
    "us-ma/minibaccarat": "us_ma_minibaccarat",
    "us-nj/minibaccarat": "us_nj_minibaccarat_2011",
    "us-nj/punto-banco": "us_nj_punto_banco_2011",
    "us-ny/mini-midi-baccarat": "us_ny_mini_midi_baccarat",
}


@every_table
def test_every_start_is_dealt_and_followed_by_every_card(submission: Path) -> None:
    judged = judge_deals(read(submission, "deals"), terms_of(submission))
    assert judged["starts"] == 55 * 55
    assert min(judged["player"], judged["banker"], judged["tie"]) > 100


@every_table
def test_every_wager_is_settled_for_every_class_of_facts(submission: Path) -> None:
    judged = judge_settlement(read(submission, "settlement"), terms_of(submission))
    assert judged["banker win"] > 50
    assert judged["tie lose"] > 50


@every_table
def test_every_stake_is_taken_and_paid_to_the_cent(submission: Path) -> None:
    terms = terms_of(submission)
    judged = judge_rounding(read(submission, "rounding"), read(submission, "settlement"), terms)
    assert min(judged[code] for code in ("taken", "limit", "amount", "coupon")) > 0
    assert (judged["waived"] > 0) == (terms.scheme == "total-cards")


@every_table
def test_every_scenario_is_played_by_the_book(submission: Path) -> None:
    judged = judge_scenarios(read(submission, "procedures"), terms_of(submission))
    assert judged["rounds"] > 50
    assert judged["scenarios"] > 100


# --- clauses -----------------------------------------------------------------------------------


def clauses_in(data: Any) -> Iterator[str]:
    """Yield every clause that is named anywhere."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name == "cites" or name.endswith("clauses"):
                yield from value
            else:
                yield from clauses_in(value)
    elif isinstance(data, list):
        for one in data:
            yield from clauses_in(one)


@every_table
def test_every_clause_stands_in_the_inventory_of_the_text(submission: Path) -> None:
    name = INVENTORIES[terms_of(submission).law]
    path = ROOT / "tests" / "data" / f"{name}_clauses.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        known = {row["id"] for row in csv.DictReader(file, delimiter="\t")}
    named = Counter(clauses_in([read(submission, topic) for topic in TOPICS]))
    # What a text leaves open cites the register instead.
    assert {name for name in named if not re.fullmatch(r"[CT]\d+", name)} <= known
    assert {name for name in named if name not in known} <= set(interpretations())
    assert len(named) > 60


@every_table
def test_no_number_is_a_fraction(submission: Path) -> None:
    # The parser hands over each number that is written with a point, an exponent, or in words.
    fractions: list[str] = []
    for topic in TOPICS:
        content = made(submission).files[f"{topic}.json"]
        json.loads(content, parse_float=fractions.append, parse_constant=fractions.append)
    assert fractions == []
