"""A command is proposed, recorded, accepted and then heard, in this order and no other."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from croupier import acts
from croupier.acts import Command, Event
from croupier.table import Refusal
from croupier.table.machine.position import Actor, Proposal, Stamp
from croupier.table.machine.session import (
    KeyReusedError,
    RefusedError,
    StaleProposalError,
    TableSession,
)
from support.table import ready, rules_of

_NOON = datetime(2011, 2, 22, 12, tzinfo=UTC)


def opening(cents: int = 4_750_000) -> acts.OpenTable:
    return acts.OpenTable(cents, "Noor", "Ines", date(2011, 2, 22))


def proposed(session: TableSession, command: acts.Command) -> Proposal:
    answer = session.propose(command)
    assert isinstance(answer, Proposal)
    return answer


def test_a_proposal_changes_nothing() -> None:
    session = TableSession(rules_of())
    before = session.position
    proposal = proposed(session, opening())
    assert session.position is before
    assert proposal.before is before
    assert (proposal.after.sequence, proposal.after.ledger.balance("inventory")) == (1, 4_750_000)


def test_an_accepted_proposal_is_where_the_table_is() -> None:
    session = TableSession(rules_of())
    proposal = proposed(session, opening())
    session.accept(proposal)
    assert session.position is proposal.after


def test_a_refusal_is_proposed_as_such() -> None:
    session = ready(4)
    assert isinstance(session.propose(acts.SettleWagers()), Refusal)


def test_a_proposal_made_at_another_position_is_stale() -> None:
    session = ready(2)
    early = proposed(session, acts.SeatPatron(5, "Noor"))
    session.execute(acts.SeatPatron(6, "Ines"))
    position = session.position
    with pytest.raises(StaleProposalError, match="SeatPatron was proposed after entry"):
        session.accept(early)
    assert session.position is position


def test_a_record_that_fails_leaves_the_table_as_it_was_and_free_to_go_on() -> None:
    heard: list[tuple[Event, ...]] = []
    full = True

    def record(proposals: Sequence[Proposal]) -> None:
        del proposals
        if full:
            raise OSError(28, "No space left on device")

    session = TableSession(rules_of(), lambda _, events: heard.append(events), record=record)
    before = session.position
    with pytest.raises(OSError, match="No space left"):
        session.execute(opening())
    assert session.position is before
    assert session.ledger.balances == {}
    assert heard == []
    full = False
    session.execute(opening(310_000))
    assert session.ledger.balances == {"cage": -310_000, "inventory": 310_000}
    assert len(heard) == 1


def test_a_command_is_recorded_before_it_is_state_and_heard_after() -> None:
    order: list[str] = []
    session = TableSession(rules_of())

    def record(proposals: Sequence[Proposal]) -> None:
        (proposal,) = proposals
        order.append(f"recorded at {session.position.sequence} for {proposal.after.sequence}")

    def hear(*_: object) -> None:
        order.append(f"heard at {session.position.sequence}")

    session.record = record
    session.listeners.append(hear)
    session.execute(opening())
    assert order == ["recorded at 0 for 1", "heard at 1"]


def test_a_refused_command_is_not_recorded() -> None:
    recorded: list[Sequence[Proposal]] = []
    session = TableSession(rules_of(), record=recorded.append)
    with pytest.raises(RefusedError):
        session.execute(acts.CloseTable())
    assert recorded == []


def test_a_proposal_says_who_gave_the_command() -> None:
    session = TableSession(rules_of())
    stamp = Stamp((Actor("Ines", "floorperson", "page"), Actor("Noor", "dealer")), key="k-1")
    proposal = session.propose(opening(), stamp)
    assert isinstance(proposal, Proposal)
    assert proposal.stamp is stamp


# --- several together ---------------------------------------------------------------------------


def test_commands_together_are_recorded_together_and_heard_after() -> None:
    written: list[list[int]] = []
    heard: list[int] = []
    session = TableSession(
        rules_of(),
        lambda *_: heard.append(len(written)),
        record=lambda proposals: written.append([one.after.sequence for one in proposals]),
    )
    with session.together():
        session.execute(opening())
        session.execute(acts.SeatPatron(3, "Noor"))
        assert (written, heard) == ([], [])
    assert (written, heard) == ([[1, 2]], [1, 1])


def open_and(session: TableSession, command: Command, stamp: Stamp | None = None) -> None:
    with session.together():
        session.execute(opening())
        session.execute(command, stamp)


def test_commands_together_that_cannot_be_recorded_are_all_taken_back() -> None:
    def record(proposals: Sequence[Proposal]) -> None:
        raise OSError(5, f"{len(proposals)} lost")

    session = TableSession(rules_of(), record=record)
    before = session.position
    with pytest.raises(OSError, match="2 lost"):
        open_and(session, acts.SeatPatron(3, "Noor"), Stamp(key="seat"))
    assert session.position is before
    session.record = None
    session.execute(opening())
    # The key was taken back too: its command was never done.
    assert session.execute(acts.SeatPatron(3, "Noor"), Stamp(key="seat"))


def test_a_refusal_among_commands_together_takes_all_of_them_back() -> None:
    recorded: list[Sequence[Proposal]] = []
    session = TableSession(rules_of(), record=recorded.append)
    before = session.position
    with pytest.raises(RefusedError):
        open_and(session, acts.SettleWagers())
    assert session.position is before
    assert recorded == []


# --- idempotency keys ---------------------------------------------------------------------------


def test_a_command_that_comes_again_under_its_key_is_answered_as_before_and_done_once() -> None:
    session = ready(2)
    buy = acts.BuyChips(2, 12_300)
    first = session.execute(buy, Stamp(key="a"))
    position = session.position
    assert session.execute(buy, Stamp(key="a")) == first
    assert session.position is position
    session.execute(buy, Stamp(key="b"))
    assert session.position.sequence == position.sequence + 1


def test_a_refusal_under_a_key_is_answered_as_before_even_if_the_table_has_moved() -> None:
    session = ready(2)
    early = session.try_execute(acts.SettleWagers(), Stamp(key="x"))
    assert isinstance(early, Refusal)
    assert session.try_execute(acts.SettleWagers(), Stamp(key="x")) is early


def test_a_key_with_another_command_is_refused_and_changes_nothing() -> None:
    session = ready(2)
    session.execute(acts.BuyChips(2, 12_300), Stamp(key="a"))
    position = session.position
    with pytest.raises(KeyReusedError, match="the key a was used before, for BuyChips"):
        session.execute(acts.BuyChips(2, 12_400), Stamp(key="a"))
    assert session.position is position


# --- time ---------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_does_not_take_the_record_with_it() -> None:
    times = iter([at(9, 30), at(9, 31), at(8, 31), at(9, 32)])
    session = TableSession(rules_of(), clock=lambda: next(times))
    session.execute(opening())
    session.execute(acts.SeatPatron(1, "Noor"))
    session.execute(acts.SeatPatron(2, "Ines"))
    assert session.position.at == at(9, 31)
    session.execute(acts.SeatPatron(3, "Theo"))
    assert session.position.at == at(9, 32)


def at(hour: int, minute: int) -> datetime:
    return datetime(2011, 2, 22, hour, minute, tzinfo=UTC)


def test_the_table_knows_the_time_of_its_entry_and_time_never_goes_back() -> None:
    clock = iter(_NOON + timedelta(minutes=minutes) for minutes in (0, 45, 30, 50))
    rules = rules_of()
    session = TableSession(rules, clock=lambda: next(clock))
    session.execute(acts.OpenTable(2_500_000, "Ada", "Bo", date(2011, 2, 22)))
    assert session.state.at == _NOON
    session.execute(acts.SeatPatron(4, "Cy"))
    assert session.state.at == _NOON + timedelta(minutes=45)
    session.execute(acts.SeatPatron(5, "Di"))
    assert session.state.at == session.position.at == _NOON + timedelta(minutes=45)
    assert session.position.sequence == 3


def test_a_refused_command_does_not_move_the_time() -> None:
    clock = iter((_NOON, _NOON + timedelta(hours=2)))
    rules = rules_of()
    session = TableSession(rules, clock=lambda: next(clock))
    session.execute(acts.OpenTable(2_500_000, "Ada", "Bo", date(2011, 2, 22)))
    assert isinstance(session.try_execute(acts.ClearLayout()), Refusal)
    assert session.state.at == _NOON
