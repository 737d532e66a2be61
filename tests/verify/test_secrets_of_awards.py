"""Verification reports secrets of a must-hit award that are open, and those given up without need."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import acts
from croupier.money.stax import commitment_to
from croupier.records.draws import draws_of
from croupier.table import Phase
from croupier.verify.log import verify_log
from croupier.verify.verdict import LogFinding, Verdict
from support.games import advance
from support.logs import recorded
from support.massachusetts import (
    PLAYER_9_BANKER_8,
    SECRET,
    STAX,
    clear,
    open_table,
    rules_of,
    settle,
)

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")


def _committed(path: Path, *, replaced: bool) -> None:
    rules = rules_of(**STAX)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to(SECRET)))
        settle(session, PLAYER_9_BANKER_8, (1, "player", 25_00), (1, "royal_9", 5_00))
        clear(session)
        if replaced:
            session.execute(acts.ReplaceMystery("we changed our mind", SECRET))


def _of_secrets(verdict: Verdict) -> list[LogFinding]:
    """Leave out that the clock of this test is far from the gaming day."""
    return [one for one in verdict.findings if one.kind != "date"]


@pytest.mark.clause("MA-MINI:12(j)#1")
def test_an_open_secret_is_a_remark_with_its_age(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    _committed(path, replaced=False)
    verdict = verify_log(path)
    (found,) = _of_secrets(verdict)
    assert (found.kind, found.fails) == ("open", False)
    assert commitment_to(SECRET)[:16] in found.message
    assert "for 0 days" in found.message
    assert verdict.is_clean
    in_pieces = verify_log(path, processes=2)
    assert in_pieces.findings == verdict.findings


@pytest.mark.clause("MA-MINI:12(j)#1")
def test_a_secret_given_up_before_it_was_hit_is_reported_apart(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    # One wager of $5.00 brings the meter of $500.00 five cents nearer to a value above it.
    _committed(path, replaced=True)
    verdict = verify_log(path)
    assert [one.kind for one in _of_secrets(verdict)] == ["unneeded"]
    assert not verdict.is_clean


def test_a_draw_that_was_given_up_is_not_in_order() -> None:
    (draw,) = draws_of(
        (
            acts.MysteryCommitted(commitment_to(SECRET), 50_000, ()),
            acts.MysteryReplaced(commitment_to(SECRET), SECRET, "why not", (), ()),
        ),
        100_000,
    )
    assert draw.outcome == "unneeded"
    assert not draw.is_fair
