"""Whatever patrons, dealers, and staff do, in any order: the record of it verifies."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.acts import CorrectSettlement, FindWrongCard, SettleWagers
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.records.entry import SteppedClock
from croupier.rules import submission_of, table_rules
from support.logs import recorded
from support.random_submissions import Tables, legal
from support.uncooperative import Walk
from support.verified import verify_log
from support.volume import volume


@pytest.mark.parametrize(
    "law", [law for law in instruments() if not law.partial], ids=lambda law: law.key
)
def test_the_record_of_a_hostile_walk_verifies(law: Instrument) -> None:
    done = set[type]()

    @given(elections=legal(law), seed=st.integers(0, 2**32))
    @settings(max_examples=volume(8, 5, most=24), derandomize=True, deadline=None, database=None)
    def walk(elections: Tables, seed: int) -> None:
        rules = table_rules(replace(submission_of(elections), limits=None))
        clock = SteppedClock(step=timedelta(seconds=40))
        with TemporaryDirectory() as folder:
            path = Path(folder) / "table.jsonl"
            with recorded(path, rules) as writer:
                walking = Walk(rules, random.Random(seed), clock, writer)
                walking.go(700, close_one_in=20)
            verdict = verify_log(path)
        assert verdict.divergence is None
        assert [one for one in verdict.findings if one.fails] == []
        done.update(map(type, walking.done))

    walk()
    assert {FindWrongCard, SettleWagers, CorrectSettlement} <= done
