"""A table is paused, notes are written, seats are kept; nothing of it touches the game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from croupier import acts
from croupier.acts import NoteWritten
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.money.ledger import INVENTORY, Ledger
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.table import Refusal
from croupier.table.machine.position import Position, Proposal, Stamp, propose
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from support.table import ready, refused_by_house, wager

FLOOR, DEALER = Actor("Flo", Role.FLOORPERSON), Actor("Dana", Role.DEALER)
CAMERA, VAULT = Actor("Vito", Role.SURVEILLANCE), Actor("vault", Role.MACHINE)
NOON: Final = datetime(2011, 2, 22, 12, tzinfo=UTC)


def table() -> TableSession:
    session = ready(3)
    session.execute(acts.AssignOffice("surveillance", "Vito"))
    return session


def offered(session: TableSession) -> set[str]:
    return {act.command.__name__ for act in session.acts()}


def test_a_table_is_paused_although_an_altered_record_left_the_tray_short() -> None:
    whole = table().position
    altered = Ledger({INVENTORY: -100_00, "cage": 100_00}, 100_00)
    position = Position(whole.rules, whole.state, altered, whole.sequence, whole.house)
    paused = propose(position, acts.PauseTable("entry 7 is not as it is decided"))
    assert isinstance(paused, Proposal), paused
    assert paused.after.house.pause
    buys = propose(position, acts.BuyChips(3, 100_00))
    assert isinstance(buys, Refusal)
    assert buys.code == "rack_short"


def test_a_paused_table_waits_but_chips_people_and_corrections_go_on() -> None:
    session = table()
    wager(session, (3, "banker", 100_00))
    placed = session.position.sequence
    session.execute(acts.PauseTable("a dispute"), Stamp((DEALER,)))
    for waits in (
        acts.CallNoMoreBets(),
        acts.PlaceWager(3, "tie", 5_00),
        acts.BuyChips(3, 100_00),
        acts.LeaveTable(3),
        acts.CloseTable(),
    ):
        assert refused_by_house(session, waits) == "paused"
    assert refused_by_house(session, acts.PauseTable("again")) == "paused"
    assert all(TERMS[name].while_paused for name in offered(session))
    assert "PauseTable" not in offered(session)
    assert offered(session) >= {"ResumeTable", "RequestFill", "WriteNote", "CorrectWager"}
    session.execute(acts.RequestFill(1, {100_00: 1}))
    session.execute(acts.RelieveDealer("Goran"))
    session.execute(acts.CorrectWager(placed, 3, "banker", 120_00, "keyed"))
    session.execute(acts.WriteNote("the patron has seen the tape"))
    assert refused_by_house(session, acts.ResumeTable(), CAMERA) == "not_your_office"
    session.execute(acts.ResumeTable(), Stamp((FLOOR,)))
    session.execute(acts.CallNoMoreBets())
    assert refused_by_house(session, acts.ResumeTable()) == "not_paused"
    assert "ResumeTable" not in offered(session) >= {"PauseTable", "DrawCard"}


def test_no_wager_but_a_correction_goes_on_while_the_table_is_paused() -> None:
    goes_on = [name for name, row in TERMS.items() if row.while_paused and "Wager" in name]
    assert goes_on == ["CorrectWager"]


@pytest.mark.parametrize("watch", [CAMERA, VAULT])
def test_what_surveillance_has_paused_it_consents_to_resume(watch: Actor) -> None:
    session = table()
    session.execute(acts.PauseTable("an alarm"), Stamp((watch,)))
    assert refused_by_house(session, acts.ResumeTable(), FLOOR) == "consent_needed"
    session.execute(acts.ResumeTable(), Stamp((FLOOR, CAMERA)))
    assert session.position.house.paused_by == ()


def test_a_pause_is_in_a_snapshot_and_has_a_reason() -> None:
    session = table()
    assert refused_by_house(session, acts.PauseTable(" ")) == "reason"
    session.execute(acts.ReserveSeat(5, "Rosa", NOON))
    session.execute(acts.PauseTable("an alarm"), Stamp((CAMERA,)))
    read = read_snapshot(snapshot("h", session.position, "s"), "h", session.rules)
    assert read is not None
    assert read.position.house == session.position.house


def test_a_note_is_about_an_entry_that_there_is() -> None:
    session = table()
    before = session.position
    assert refused_by_house(session, acts.WriteNote("")) == "text"
    assert refused_by_house(session, acts.WriteNote("x" * 501)) == "text"
    assert refused_by_house(session, acts.WriteNote("x", of=before.sequence + 1)) == "entry"
    assert refused_by_house(session, acts.WriteNote("x", of=0)) == "entry"
    proposal = session.propose(acts.WriteNote("x" * 500, of=2), Stamp((CAMERA,)))
    assert not isinstance(proposal, Refusal)
    assert proposal.stamp.corrects == 2
    assert proposal.events == (NoteWritten("x" * 500, 2, ()),)
    assert proposal.after.state == before.state


def test_a_seat_is_kept_for_one_patron() -> None:
    session = table()
    session.execute(acts.ReserveSeat(5, "Rosa"))
    assert refused_by_house(session, acts.SeatPatron(5, "Siem")) == "reserved"
    assert refused_by_house(session, acts.ChangeSeat(3, 5)) == "reserved"
    assert refused_by_house(session, acts.ReserveSeat(5, "Siem")) == "reserved"
    assert refused_by_house(session, acts.ReserveSeat(3, "Siem")) == "seat_taken"
    assert refused_by_house(session, acts.ReserveSeat(99, "Siem")) == "no_seat"
    assert refused_by_house(session, acts.ReserveSeat(6, " ")) == "patron"
    naive = datetime(2011, 2, 22)  # noqa: DTZ001
    assert refused_by_house(session, acts.ReserveSeat(6, "Siem", naive)) == "until"
    session.execute(acts.SeatPatron(5, "Rosa"))
    session.execute(acts.LeaveTable(5))
    # Whoever came has had the seat, and it is kept no longer.
    session.execute(acts.SeatPatron(5, "Siem"))


def test_a_seat_is_released_by_the_floor_or_by_the_time() -> None:
    session = table()
    assert refused_by_house(session, acts.ReleaseSeat(5)) == "not_reserved"
    session.execute(acts.ReserveSeat(5, "Rosa"), Stamp((DEALER,)))
    assert refused_by_house(session, acts.ReleaseSeat(5), DEALER) == "not_your_office"
    session.execute(acts.ReleaseSeat(5), Stamp((FLOOR,)))
    session.execute(acts.SeatPatron(5, "Siem"))
    now = [NOON]
    session.clock = lambda: now[0]
    session.execute(acts.WriteNote("the clock runs"))
    assert refused_by_house(session, acts.ReserveSeat(6, "Rosa", NOON)) == "until"
    session.execute(acts.ReserveSeat(6, "Rosa", NOON + timedelta(hours=1)))
    now[0] += timedelta(minutes=59)
    assert refused_by_house(session, acts.SeatPatron(6, "Ada")) == "reserved"
    now[0] += timedelta(minutes=1)
    session.execute(acts.SeatPatron(6, "Ada"))
