"""A command is proposed, recorded, accepted and then heard, in this order and no other."""

import pytest

from croupier.table import Refusal, commands
from croupier.table.events import Event
from croupier.table.position import Actor, Proposal, Stamp
from croupier.table.session import RefusedError, StaleProposalError, TableSession
from support.table import ready, rules_of


def opening(cents: int = 4_750_000) -> commands.OpenTable:
    return commands.OpenTable(cents, "Noor", "Ines", "2011-02-22")


def proposed(session: TableSession, command: commands.Command) -> Proposal:
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
    assert isinstance(session.propose(commands.SettleWagers()), Refusal)


def test_a_proposal_made_at_another_position_is_stale() -> None:
    session = ready(2)
    early = proposed(session, commands.SeatPatron(5, "Noor"))
    session.execute(commands.SeatPatron(6, "Ines"))
    position = session.position
    with pytest.raises(StaleProposalError, match="SeatPatron was proposed after entry"):
        session.accept(early)
    assert session.position is position


def test_a_record_that_fails_leaves_the_table_as_it_was_and_free_to_go_on() -> None:
    heard: list[tuple[Event, ...]] = []
    full = True

    def record(proposal: Proposal) -> None:
        del proposal
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

    def record(proposal: Proposal) -> None:
        order.append(f"recorded at {session.position.sequence} for {proposal.after.sequence}")

    def hear(*_: object) -> None:
        order.append(f"heard at {session.position.sequence}")

    session.record = record
    session.listeners.append(hear)
    session.execute(opening())
    assert order == ["recorded at 0 for 1", "heard at 1"]


def test_a_refused_command_is_not_recorded() -> None:
    recorded: list[Proposal] = []
    session = TableSession(rules_of(), record=recorded.append)
    with pytest.raises(RefusedError):
        session.execute(commands.CloseTable())
    assert recorded == []


def test_a_proposal_says_who_gave_the_command() -> None:
    session = TableSession(rules_of())
    stamp = Stamp((Actor("Ines", "floorperson", "page"),), key="k-1")
    proposal = session.propose(opening(), stamp)
    assert isinstance(proposal, Proposal)
    assert proposal.stamp is stamp
