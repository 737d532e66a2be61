"""What each office cannot do alone with a controller of the meters, a bet sensor, or a disputed award."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, HandPayDue, HandPayWithdrawn
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log, carried_from, ended_log
from croupier.table import Phase, Refusal
from croupier.table.irregular.disputes import Disputes
from croupier.table.machine.session import TableSession
from croupier.table.parts.meters import Controller
from croupier.table.parts.progressive import Progressive
from croupier.verify.log import verify_log
from support.games import advance
from support.logs import recorded
from support.massachusetts import MASSACHUSETTS, ROYAL_9, ready, settle
from support.table import only

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")
HEART: Final = "Ks 2d 9h 5s"
"""Player's Hand is the King-9 of chair 1."""
LOST: Final = acts.ReportController("communication")
WAGERS: Final = ((1, "player", 2_500), (1, "royal_9", 500))


def refused(session: TableSession, command: Command) -> tuple[str, tuple[str, ...]]:
    before = session.position
    answer = session.try_execute(command)
    assert isinstance(answer, Refusal), answer
    assert session.position == before
    return answer.code, answer.clauses


def won(session: TableSession) -> None:
    """Deal a Heart Progressive during a failure of the controller."""
    session.execute(LOST)
    settle(session, HEART)


def placed(**elections: Any) -> TableSession:
    session = ready(1, **ROYAL_9, **elections)
    for wager in WAGERS:
        session.execute(acts.PlaceWager(*wager))
    return session


def test_no_office_reads_and_reconciles_alone() -> None:
    report, read, sensor = (
        TERMS[one] for one in ("ReportController", "ReadController", "ReportSensor")
    )
    assert Role.PATRON not in report.does
    assert read.does == (Role.FLOORPERSON, Role.MACHINE)
    assert TERMS["ReconcileMeters"].does == (Role.ACCOUNTING,)
    assert not {*read.does} & {*TERMS["ReconcileMeters"].does}
    assert (sensor.does, sensor.together) == ((Role.FLOORPERSON,), (Role.SURVEILLANCE,))


@pytest.mark.clause("MA-MINI:12(i)_Table_1#3")
def test_accounting_does_not_end_a_failure_that_nobody_read() -> None:
    session = placed()
    won(session)
    session.execute(acts.ReconcileMeters(dict(session.state[Progressive].meters)))
    assert refused(session, acts.PayByHand(1, 1)) == ("controller", ("C240",))
    wrong = dict(session.state[Progressive].meters, heart=99_900)
    session.execute(acts.ReadController(wrong))
    assert refused(session, acts.ReadController(wrong)) == ("controller", ("C240", "C241"))
    session.execute(acts.ReconcileMeters(wrong))
    assert refused(session, acts.PayByHand(1, 1)) == ("controller", ("C240", "C241"))
    session.execute(acts.ReconcileMeters(dict(session.state[Progressive].meters)))
    session.execute(acts.PayByHand(1, 1))
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:11(c)")
def test_a_correction_does_not_pay_from_the_tray_what_a_failure_holds_back() -> None:
    session = placed()
    settle(session, HEART.replace("Ks", "Qs"))
    session.execute(LOST)
    settled = session.position.sequence - 1
    due = only(
        session.execute(
            acts.CorrectSettlement(settled, "a king", Hand.PLAYER, 1, actual=Card.of("Ks"))
        ),
        HandPayDue,
    )
    assert due.cents == 100_010
    assert refused(session, acts.PayByHand(due.number, 1)) == ("controller", ("C240",))
    # The correction is withdrawn in turn, and what it made due with it.
    taken = only(
        session.execute(
            acts.CorrectSettlement(settled, "a queen", Hand.PLAYER, 1, actual=Card.of("Qs"))
        ),
        HandPayWithdrawn,
    )
    assert taken.number == due.number
    assert session.ledger.in_balance


def test_a_failure_holds_back_no_award_that_was_due_before_it() -> None:
    limit = {"wagers__royal_9__hand_pay__offered": True, "wagers__royal_9__hand_pay__above": "100"}
    session = placed(**limit)
    settle(session, HEART)
    session.execute(LOST)
    session.execute(acts.PayByHand(1, 1))


def test_a_failure_and_a_dispute_go_on_in_the_log_of_the_next_day(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    rules = MASSACHUSETTS.rules(**ROYAL_9)
    with recorded(first, rules) as record:
        session = MASSACHUSETTS.open(rules, 1, record=record)
        advance(session, Phase.BETTING)
        for wager in WAGERS:
            session.execute(acts.PlaceWager(*wager))
        won(session)
        settled = session.position.sequence
        session.execute(acts.OpenDispute(1, settled, "the amount"))
        session.execute(acts.ClearLayout())
        session.execute(acts.LeaveTable(1))
        session.execute(acts.CloseTable())
    before = carried_from(ended_log(first))
    kept = before.position.state
    assert (kept[Controller].lost, kept[Controller].awards) == ("communication", (1,))
    assert [*kept[Disputes].open] == [1]
    recorder, stream = begin_log(second, rules, shuffle="given", continues=before)
    assert kept.at is not None
    session = TableSession(
        rules, record=recorder, position=before.position, clock=SteppedClock.after(kept.at)
    )
    day = (kept.gaming_date or kept.at.date()) + timedelta(days=1)
    session.execute(acts.OpenTable(100_000_000, *_CREW, day))
    session.execute(acts.ReadController(dict(session.state[Progressive].meters)))
    assert refused(session, acts.PayByHand(1, 1))[0] == "disputed"
    ruling = acts.DecideDispute(1, "as paid", "Sup", informed=True)
    # The round was corrected on its day, if it was: by none of the entries of this one.
    opened = before.position.sequence + 1
    for other in (settled, opened, session.position.sequence):
        assert refused(session, replace(ruling, corrected=other))[0] == "entry"
    session.execute(replace(ruling, corrected=settled + 1))
    session.execute(acts.PayByHand(1, 1))
    session.execute(acts.CloseTable())
    recorder.finish()
    stream.close()
    assert verify_log(second).is_clean


_CREW: Final = (MASSACHUSETTS.dealer, MASSACHUSETTS.floorperson)
