"""Each clause that binds a dealer is asked for, or has a reason why it is not."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest

from croupier.drills.asking import coverage_of, reasons
from croupier.files.shipped import sample_submissions
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import TableRules, read_rules

WHOLE: Final = [law for law in instruments() if not law.partial and "third.banker" in law.rules]


@cache
def tables() -> tuple[TableRules, ...]:
    found = map(read_rules, sample_submissions())
    return tuple(rules for rules in found if not rules.missing)


@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.key)
def test_each_clause_has_a_question_or_a_reason(law: Instrument) -> None:
    told = coverage_of(law, (one for one in tables() if one.law.key == law.key))
    assert told["missing"] == []
    assert sum(bool(one["kinds"]) for one in told["clauses"]) > 0.9 * len(told["clauses"])


def test_a_clause_that_no_question_cites_is_missing() -> None:
    told = coverage_of(WHOLE[0], ())
    assert len(told["missing"]) > 0.5 * len(told["clauses"])


def test_reasons_name_rules_and_clauses_that_there_are() -> None:
    known = {name for law in instruments() for name in (*law.rules, *law.clauses)}
    known |= {one.id for law in instruments() for one in law.constraints}
    assert reasons().keys() <= known
