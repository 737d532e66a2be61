"""Whatever patrons do or refuse, the staff ends every round and closes every table."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import submission_of, table_rules
from croupier.table import Refusal
from croupier.table.machine.position import Position, propose
from support import massachusetts
from support.punto_banco import dealer_deals
from support.random_submissions import Tables, legal
from support.table import ready
from support.uncooperative import DeadEndError, Walk
from support.volume import volume

WHOLE: Final = [law for law in instruments() if not law.partial]
STEPS: Final = 700


@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.key)
def test_the_staff_can_close_every_table(law: Instrument) -> None:
    """Walks under random submissions; ``bench/no_dead_ends.py`` takes a million steps of them."""
    closings = 0

    @given(elections=legal(law), seed=st.integers(0, 2**32))
    @settings(
        max_examples=volume(8, 6, most=24),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    def walk(elections: Tables, seed: int) -> None:
        nonlocal closings
        rules = table_rules(replace(submission_of(elections), limits=None))
        walking = Walk(rules, random.Random(seed))
        walking.go(STEPS)
        closings += walking.closings

    walk()
    assert closings > 100


def test_a_table_with_a_dead_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the ruling that a patron has left, a table whose patrons stay is never closed."""

    def without_the_ruling(position: Position, command: Command, **more: Any) -> object:
        if isinstance(command, acts.DismissPatron):
            return Refusal("not_now", (), "there is no such ruling")
        return propose(position, command, **more)

    monkeypatch.setattr("support.uncooperative.propose", without_the_ruling)
    walking = Walk(ready(1).rules, random.Random(1))
    with pytest.raises(DeadEndError, match="no such ruling"):
        walking.go(400)


def test_a_walk_is_the_same_again_for_the_same_seed() -> None:
    first, second = (Walk(dealer_deals(1).rules, random.Random(7)) for _ in range(2))
    for walking in (first, second):
        walking.go(300)
    assert first.done == second.done
    assert first.state == second.state


def test_a_walk_goes_through_rounds_that_are_settled() -> None:
    """It is no proof if nothing ever happens: rounds are played, and hands are given up."""
    walking = Walk(ready(1, 2, deal__option="hand-over").rules, random.Random(3))
    walking.go(4_000)
    done = {type(command) for command in walking.done}
    assert {
        acts.SettleWagers, acts.LeaveTable, acts.ChangeSeat, acts.PassOver,
        acts.RelinquishCards, acts.RequireRelinquishment, acts.DrawCardInError,
    } <= done  # fmt: skip


def test_a_walk_goes_through_acts_of_the_house() -> None:
    """Tables are paused, trays run short, slips stay open, and the staff changes in mid-round."""
    done = set()
    for seed in range(10):
        walking = Walk(ready(1, 2).rules, random.Random(seed))
        walking.go(1_000)
        done |= {type(command) for command in walking.done}
    assert {
        acts.PauseTable, acts.ResumeTable, acts.RequestFill, acts.ReceiveFill,
        acts.VoidSlip, acts.ReserveSeat, acts.RelieveDealer, acts.RemoveDrop,
        acts.RelieveFloorperson, acts.AssignOffice,
    } <= done  # fmt: skip


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:12(j)#1")
def test_the_staff_closes_a_table_whose_secret_is_lost() -> None:
    """The meter stands at its limit after one round, and nobody can say what was committed to."""
    limits = {"wagers__royal_9__stax__seed": "10.00", "wagers__royal_9__stax__must_hit_by": "10.05"}
    replaced = 0
    for seed in range(16):
        rules = massachusetts.ready(1, 2, **massachusetts.STAX, **limits).rules
        walking = Walk(rules, random.Random(seed))
        walking.go(600)
        replaced += sum(isinstance(one, acts.ReplaceMystery) for one in walking.done)
    assert replaced > 0
