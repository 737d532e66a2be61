"""Section 3(c): which decks they are, and how old, without anyone looking at a clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from croupier import acts
from croupier.acts import CardsReceived
from croupier.table import Phase, Refusal
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import ma, rules_of
from support.table import only, refused

pytestmark = [
    pytest.mark.under("us-ma/minibaccarat@2026-11-20"),
    pytest.mark.clause("MA-MINI:3(c)"),
]

NINE = datetime(2026, 11, 20, 9, tzinfo=UTC)


class Watch:
    """A clock that shows what a test has set it to."""

    def __init__(self) -> None:
        self.now = NINE

    def __call__(self) -> datetime:
        return self.now


def opened() -> tuple[TableSession, Watch]:
    """Return a table whose entries have times, open and without cards at nine, with a patron."""
    watch = Watch()
    session = TableSession(rules_of(), record=lambda _: None, clock=watch)
    session.execute(acts.OpenTable(100_000_000, "Maya", "Miro", date(2026, 11, 20)))
    session.execute(acts.SeatPatron(1, "Pat"))
    session.execute(acts.BuyChips(1, 10_000))
    return session, watch


def closed(session: TableSession) -> None:
    """Have the patron leave, and close the table."""
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())


def received(session: TableSession, name: str = "") -> None:
    only(session.execute(acts.ReceiveCards(8, name=name)), CardsReceived)


def test_the_day_of_the_decks_ends_though_nobody_records_the_time() -> None:
    session, watch = opened()
    assert acts.RecordTime not in {one.command for one in session.legal()}
    received(session)
    advance(session, Phase.BETTING)
    session.execute(acts.PlaceWager(1, "player", 2_500))
    watch.now = NINE + timedelta(hours=24)
    refusal = refused(session, acts.CallNoMoreBets(), "decks_too_old")
    assert refusal.clauses == ma("3(c)")


def test_one_moment_before_a_day_is_over_they_are_dealt_from() -> None:
    session, watch = opened()
    received(session)
    advance(session, Phase.BETTING)
    session.execute(acts.PlaceWager(1, "player", 2_500))
    watch.now = NINE + timedelta(hours=24) - timedelta(milliseconds=1)
    assert not isinstance(session.try_execute(acts.CallNoMoreBets()), Refusal)


def test_decks_that_were_taken_off_the_table_do_not_come_back() -> None:
    session, _ = opened()
    received(session, "red 1")
    advance(session, Phase.BETTING)
    session.execute(acts.RemoveCards())
    again = acts.ReceiveCards(8, name="red 1")
    assert refused(session, again, "decks_removed").clauses == ma("3(c)")
    unnamed = acts.ReceiveCards(8)
    assert refused(session, unnamed, "decks_unnamed").clauses == ma("3(c)")
    received(session, "blue 1")


@pytest.mark.parametrize("name", ["", "red 1"])
def test_closing_the_table_does_not_make_decks_younger(name: str) -> None:
    session, watch = opened()
    received(session, name)
    advance(session, Phase.BETTING)
    closed(session)
    watch.now = NINE + timedelta(hours=23)
    session.execute(acts.OpenTable(100_000_000, "Maya", "Miro", date(2026, 11, 21)))
    session.execute(acts.SeatPatron(1, "Pat"))
    received(session, name)
    advance(session, Phase.BETTING)
    closed(session)
    watch.now = NINE + timedelta(hours=24)
    session.execute(acts.OpenTable(100_000_000, "Maya", "Miro", date(2026, 11, 21)))
    old = acts.ReceiveCards(8, name=name)
    assert refused(session, old, "decks_too_old").clauses == ma("3(c)")
    received(session, "blue 1")
