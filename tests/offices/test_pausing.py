"""A table is paused, notes are written, seats are kept; nothing of it touches the game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from croupier.money.ledger import INVENTORY, Ledger
from croupier.records.snapshot import read_snapshot, snapshot
from croupier.table import Refusal, commands
from croupier.table.events import NoteWritten
from croupier.table.office_rows import OFFICES, WHILE_PAUSED
from croupier.table.offices import Actor
from croupier.table.position import Position, Proposal, Stamp, propose
from croupier.table.roles import Role
from croupier.table.session import TableSession
from support.table import ready, refused_by_house, wager

FLOOR, DEALER = Actor("Flo", Role.FLOORPERSON), Actor("Dana", Role.DEALER)
CAMERA, VAULT = Actor("Vito", Role.SURVEILLANCE), Actor("vault", Role.MACHINE)
NOON: Final = datetime(2011, 2, 22, 12, tzinfo=UTC)


def table() -> TableSession:
    session = ready(3)
    session.execute(commands.AssignOffice("surveillance", "Vito"))
    return session


def offered(session: TableSession) -> set[str]:
    return {act.command.__name__ for act in session.acts()}


def test_a_table_is_paused_although_an_altered_record_left_the_tray_short() -> None:
    whole = table().position
    altered = Ledger({INVENTORY: -100_00, "cage": 100_00}, 100_00)
    position = Position(whole.rules, whole.state, altered, whole.sequence, whole.house)
    paused = propose(position, commands.PauseTable("entry 7 is not as it is decided"))
    assert isinstance(paused, Proposal), paused
    assert paused.after.house.pause
    buys = propose(position, commands.BuyChips(3, 100_00))
    assert isinstance(buys, Refusal)
    assert buys.code == "rack_short"


def test_a_paused_table_waits_but_chips_people_and_corrections_go_on() -> None:
    session = table()
    wager(session, (3, "banker", 100_00))
    placed = session.position.sequence
    session.execute(commands.PauseTable("a dispute"), Stamp((DEALER,)))
    for waits in (
        commands.CallNoMoreBets(),
        commands.PlaceWager(3, "tie", 5_00),
        commands.BuyChips(3, 100_00),
        commands.LeaveTable(3),
        commands.CloseTable(),
    ):
        assert refused_by_house(session, waits) == "paused"
    assert refused_by_house(session, commands.PauseTable("again")) == "paused"
    assert offered(session) <= WHILE_PAUSED - {"PauseTable"}
    assert offered(session) >= {"ResumeTable", "RequestFill", "WriteNote", "CorrectWager"}
    session.execute(commands.RequestFill(1, {100_00: 1}))
    session.execute(commands.RelieveDealer("Goran"))
    session.execute(commands.CorrectWager(placed, 3, "banker", 120_00, "keyed"))
    session.execute(commands.WriteNote("the patron has seen the tape"))
    assert refused_by_house(session, commands.ResumeTable(), CAMERA) == "not_your_office"
    session.execute(commands.ResumeTable(), Stamp((FLOOR,)))
    session.execute(commands.CallNoMoreBets())
    assert refused_by_house(session, commands.ResumeTable()) == "not_paused"
    assert "ResumeTable" not in offered(session) >= {"PauseTable", "DrawCard"}


def test_what_goes_on_is_named_by_commands_that_there_are() -> None:
    assert OFFICES.keys() >= WHILE_PAUSED
    assert not any("Wager" in name and name != "CorrectWager" for name in WHILE_PAUSED)


@pytest.mark.parametrize("watch", [CAMERA, VAULT])
def test_what_surveillance_has_paused_it_consents_to_resume(watch: Actor) -> None:
    session = table()
    session.execute(commands.PauseTable("an alarm"), Stamp((watch,)))
    assert refused_by_house(session, commands.ResumeTable(), FLOOR) == "consent_needed"
    session.execute(commands.ResumeTable(), Stamp((FLOOR, CAMERA)))
    assert session.position.house.paused_by == ()


def test_a_pause_is_in_a_snapshot_and_has_a_reason() -> None:
    session = table()
    assert refused_by_house(session, commands.PauseTable(" ")) == "reason"
    session.execute(commands.ReserveSeat(5, "Rosa", NOON))
    session.execute(commands.PauseTable("an alarm"), Stamp((CAMERA,)))
    read = read_snapshot(snapshot("h", session.position, "s"), "h", session.rules)
    assert read is not None
    assert read.position.house == session.position.house


def test_a_note_is_about_an_entry_that_there_is() -> None:
    session = table()
    before = session.position
    assert refused_by_house(session, commands.WriteNote("")) == "text"
    assert refused_by_house(session, commands.WriteNote("x" * 501)) == "text"
    assert refused_by_house(session, commands.WriteNote("x", of=before.sequence + 1)) == "entry"
    assert refused_by_house(session, commands.WriteNote("x", of=0)) == "entry"
    proposal = session.propose(commands.WriteNote("x" * 500, of=2), Stamp((CAMERA,)))
    assert not isinstance(proposal, Refusal)
    assert proposal.stamp.corrects == 2
    assert proposal.events == (NoteWritten("x" * 500, 2, ()),)
    assert proposal.after.state == before.state


def test_a_seat_is_kept_for_one_patron() -> None:
    session = table()
    session.execute(commands.ReserveSeat(5, "Rosa"))
    assert refused_by_house(session, commands.SeatPatron(5, "Siem")) == "reserved"
    assert refused_by_house(session, commands.ChangeSeat(3, 5)) == "reserved"
    assert refused_by_house(session, commands.ReserveSeat(5, "Siem")) == "reserved"
    assert refused_by_house(session, commands.ReserveSeat(3, "Siem")) == "seat_taken"
    assert refused_by_house(session, commands.ReserveSeat(99, "Siem")) == "no_seat"
    assert refused_by_house(session, commands.ReserveSeat(6, " ")) == "patron"
    naive = datetime(2011, 2, 22)  # noqa: DTZ001
    assert refused_by_house(session, commands.ReserveSeat(6, "Siem", naive)) == "until"
    session.execute(commands.SeatPatron(5, "Rosa"))
    session.execute(commands.LeaveTable(5))
    # Whoever came has had the seat, and it is kept no longer.
    session.execute(commands.SeatPatron(5, "Siem"))


def test_a_seat_is_released_by_the_floor_or_by_the_time() -> None:
    session = table()
    assert refused_by_house(session, commands.ReleaseSeat(5)) == "not_reserved"
    session.execute(commands.ReserveSeat(5, "Rosa"), Stamp((DEALER,)))
    assert refused_by_house(session, commands.ReleaseSeat(5), DEALER) == "not_your_office"
    session.execute(commands.ReleaseSeat(5), Stamp((FLOOR,)))
    session.execute(commands.SeatPatron(5, "Siem"))
    now = [NOON]
    session.clock = lambda: now[0]
    session.execute(commands.WriteNote("the clock runs"))
    assert refused_by_house(session, commands.ReserveSeat(6, "Rosa", NOON)) == "until"
    session.execute(commands.ReserveSeat(6, "Rosa", NOON + timedelta(hours=1)))
    now[0] += timedelta(minutes=59)
    assert refused_by_house(session, commands.SeatPatron(6, "Ada")) == "reserved"
    now[0] += timedelta(minutes=1)
    session.execute(commands.SeatPatron(6, "Ada"))
