"""Chips come and go by slips, and whatever is counted is held against the record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.acts.roles import Role
from croupier.money import ledger
from croupier.table import Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from support.table import rules_of

RACK: Final = 40_000_00
FILL: Final = {100_00: 50, 25_00: 80}
FILL_CENTS: Final = 5_000_00 + 2_000_00

FLOOR, DEALER = Actor("Femke", Role.FLOORPERSON), Actor("Dunja", Role.DEALER)
CAGE, COUNT, SECOND = (
    Actor("Carl", Role.CAGE),
    Actor("Asta", Role.ACCOUNTING),
    Actor("Ylva", Role.ACCOUNTING),
)
THIRD: Final = Actor("Omar", Role.ACCOUNTING)


def opened(rack: int = RACK) -> TableSession:
    """Return a table that is open, with a cage and three people of accounting."""
    session = TableSession(rules_of())
    session.execute(
        acts.OpenTable(rack, "Dunja", "Femke", date(2011, 2, 22)), Stamp((FLOOR, DEALER))
    )
    for one in (CAGE, COUNT, SECOND, THIRD):
        session.execute(acts.AssignOffice(one.office, one.person), Stamp((FLOOR,)))
    return session


def did(session: TableSession, command: Command, *by: Actor) -> None:
    """Carry out a command of these persons."""
    session.execute(command, Stamp(by))


def code(session: TableSession, command: Command, *by: Actor) -> str:
    """Return the code with which a command of these persons is refused, and nothing changes."""
    before = session.position
    answer = session.try_execute(command, Stamp(by))
    assert isinstance(answer, Refusal), answer
    assert session.position is before
    assert answer.clauses == ()
    return answer.code


def filled(session: TableSession, slip: int, chips: Mapping[int, int]) -> None:
    """Carry out a fill from request to receipt."""
    did(session, acts.RequestFill(slip, chips), FLOOR)
    did(session, acts.IssueFill(slip, chips), CAGE)
    did(session, acts.ReceiveFill(slip, chips), DEALER, FLOOR)


def test_a_fill_goes_from_the_cage_to_the_tray_and_wins_nothing() -> None:
    session = opened()
    did(session, acts.RequestFill(71, FILL), FLOOR)
    assert session.ledger.balance(ledger.INVENTORY) == RACK
    did(session, acts.IssueFill(71, FILL), CAGE)
    assert session.ledger.balance(ledger.IN_TRANSIT) == FILL_CENTS
    assert session.ledger.table_win_cents == 0
    did(session, acts.ReceiveFill(71, FILL), DEALER, FLOOR)
    assert session.ledger.balance(ledger.INVENTORY) == RACK + FILL_CENTS
    assert session.ledger.balance(ledger.IN_TRANSIT) == 0
    assert session.ledger.table_win_cents == 0
    assert session.ledger.in_balance


def test_a_credit_goes_from_the_tray_to_the_cage_and_loses_nothing() -> None:
    session = opened()
    did(session, acts.RequestCredit(8, FILL), FLOOR)
    did(session, acts.IssueCredit(8, FILL), DEALER, FLOOR)
    assert session.ledger.balance(ledger.INVENTORY) == RACK - FILL_CENTS
    did(session, acts.ReceiveCredit(8, FILL), CAGE)
    assert session.ledger.balance(ledger.CREDITS) == FILL_CENTS
    assert session.ledger.table_win_cents == 0


def test_what_is_not_on_the_slip_is_not_sent_and_not_received() -> None:
    session = opened()
    did(session, acts.RequestFill(71, FILL), FLOOR)
    one_less = {100_00: 50, 25_00: 79}
    same_value = {100_00: 52, 25_00: 72}
    assert code(session, acts.IssueFill(71, one_less), CAGE) == "differs"
    assert code(session, acts.IssueFill(71, same_value), CAGE) == "differs"
    did(session, acts.IssueFill(71, FILL), CAGE)
    assert code(session, acts.ReceiveFill(71, one_less), DEALER, FLOOR) == "differs"
    did(session, acts.VoidSlip(71, "one chip short at the table"), FLOOR, CAGE)
    assert session.ledger.balance(ledger.IN_TRANSIT) == 0
    assert session.ledger.balance(ledger.FILLS) == 0
    assert session.ledger.balance(ledger.INVENTORY) == RACK


def test_a_voided_credit_comes_back_to_the_tray() -> None:
    session = opened()
    did(session, acts.RequestCredit(3, FILL), FLOOR)
    did(session, acts.IssueCredit(3, FILL), DEALER, FLOOR)
    did(session, acts.VoidSlip(3, "the runner was called off"), FLOOR, CAGE)
    assert session.ledger.balance(ledger.INVENTORY) == RACK


def test_a_slip_is_used_once_and_in_its_order() -> None:
    session = opened()
    assert code(session, acts.IssueFill(5, FILL), CAGE) == "slip"
    did(session, acts.RequestFill(5, FILL), FLOOR)
    assert code(session, acts.RequestFill(5, FILL), FLOOR) == "slip"
    assert code(session, acts.ReceiveFill(5, FILL), DEALER, FLOOR) == "slip"
    assert code(session, acts.IssueCredit(5, FILL), DEALER, FLOOR) == "slip"
    did(session, acts.IssueFill(5, FILL), CAGE)
    assert code(session, acts.IssueFill(5, FILL), CAGE) == "slip"
    did(session, acts.ReceiveFill(5, FILL), DEALER, FLOOR)
    assert code(session, acts.ReceiveFill(5, FILL), DEALER, FLOOR) == "slip"
    assert code(session, acts.RequestCredit(5, FILL), FLOOR) == "slip"


def test_a_fill_takes_the_cage_and_the_table() -> None:
    session = opened()
    assert code(session, acts.RequestFill(1, FILL), DEALER) == "not_your_office"
    did(session, acts.RequestFill(1, FILL), FLOOR)
    assert code(session, acts.IssueFill(1, FILL), FLOOR) == "not_your_office"
    did(session, acts.IssueFill(1, FILL), CAGE)
    assert code(session, acts.ReceiveFill(1, FILL), DEALER) == "consent_needed"
    assert code(session, acts.ReceiveFill(1, FILL), FLOOR) == "not_your_office"


def test_more_than_the_tray_holds_is_not_given_away() -> None:
    session = opened(rack=300_00)
    chips = {100_00: 4}
    did(session, acts.RequestCredit(2, chips), FLOOR)
    answer = session.try_execute(acts.IssueCredit(2, chips), Stamp((DEALER, FLOOR)))
    assert isinstance(answer, Refusal)
    assert answer.code == "rack_short"
    assert "$100.00" in answer.message


def test_more_than_the_tray_holds_is_not_sold_and_a_fill_mends_it() -> None:
    session = opened(rack=300_00)
    did(session, acts.SeatPatron(4, "Rosa"), DEALER)
    assert code(session, acts.BuyChips(4, 450_00), DEALER) == "rack_short"
    filled(session, 12, {50_00: 3})
    did(session, acts.BuyChips(4, 450_00), DEALER)
    assert session.ledger.balance(ledger.INVENTORY) == 0


def test_a_count_in_between_books_nothing() -> None:
    session = opened()
    did(session, acts.CountInventory({100_00: 399}), DEALER, FLOOR)
    assert session.ledger.balance(ledger.INVENTORY) == RACK
    assert session.ledger.balance(ledger.VARIANCE) == 0


def test_the_closing_count_is_what_the_next_day_opens_with() -> None:
    session = opened()
    assert (
        code(session, acts.CountInventory({100_00: 399}, closing=True), DEALER, FLOOR) == "not_now"
    )
    session.execute(acts.CloseTable(), Stamp((FLOOR, DEALER)))
    did(session, acts.CountInventory({100_00: 399}, closing=True), DEALER, FLOOR)
    assert session.ledger.balance(ledger.INVENTORY) == 399_00_00
    assert session.ledger.balance(ledger.VARIANCE) == 100_00
    assert session.ledger.table_win_cents == -100_00
    assert (
        code(session, acts.CountInventory({100_00: 400}, closing=True), DEALER, FLOOR) == "counted"
    )
    day = date(2011, 2, 23)
    both = (FLOOR, DEALER)
    assert code(session, acts.OpenTable(RACK, "Dunja", "Femke", day), *both) == "differs"
    did(session, acts.OpenTable(399_00_00, "Dunja", "Femke", day), *both)
    assert session.ledger.balance(ledger.INVENTORY) == 399_00_00
    assert session.ledger.table_win_cents == -100_00


def test_a_table_with_open_slips_is_not_counted_for_the_night() -> None:
    session = opened()
    did(session, acts.RequestFill(9, FILL), FLOOR)
    session.execute(acts.CloseTable(), Stamp((FLOOR, DEALER)))
    chips = {100_00: 400}
    assert code(session, acts.CountInventory(chips, closing=True), DEALER, FLOOR) == "slips_open"
    did(session, acts.VoidSlip(9, "the table closed"), FLOOR, CAGE)
    did(session, acts.CountInventory(chips, closing=True), DEALER, FLOOR)


def test_the_drop_is_removed_by_one_and_counted_by_two_others() -> None:
    session = opened()
    did(session, acts.SeatPatron(2, "Ines"), DEALER)
    did(session, acts.BuyChips(2, 620_00), DEALER)
    did(session, acts.RemoveDrop("A-17", "A-18"), COUNT)
    assert session.ledger.balance(ledger.DROP) == 0
    assert session.ledger.balance(ledger.drop_box("A-17")) == 620_00
    count = acts.CountDrop("A-17", 600_00)
    assert code(session, count, SECOND) == "consent_needed"
    assert code(session, count, COUNT, SECOND) == "two_persons"
    did(session, count, SECOND, THIRD)
    assert session.ledger.balance(ledger.COUNT_ROOM) == 600_00
    assert session.ledger.balance(ledger.VARIANCE) == 20_00
    assert session.ledger.table_win_cents == -20_00
    assert code(session, count, SECOND, THIRD) == "box"
    assert code(session, acts.RemoveDrop("A-17", "A-19"), COUNT) == "box"
    did(session, acts.RemoveDrop("A-18", "A-17"), COUNT)


def test_chips_change_at_their_value() -> None:
    session = opened()
    did(session, acts.SeatPatron(7, "Theo"), DEALER)
    did(session, acts.BuyChips(7, 100_00), DEALER)
    before = dict(session.ledger.balances)
    assert code(session, acts.ChangeChips(7, {25_00: 4}, {5_00: 19}), DEALER) == "unequal"
    assert code(session, acts.ChangeChips(7, {25_00: 5}, {5_00: 25}), DEALER) == "chips"
    assert code(session, acts.ChangeChips(6, {25_00: 4}, {5_00: 20}), DEALER) == "seat_empty"
    did(session, acts.ChangeChips(7, {25_00: 4}, {5_00: 20}), DEALER)
    assert dict(session.ledger.balances) == before


def test_each_box_is_counted_by_others_than_those_who_removed_it_also_on_the_next_day() -> None:
    session = opened()
    did(session, acts.RemoveDrop("1", "2"), COUNT)
    did(session, acts.RemoveDrop("2", "3"), SECOND)
    # Whoever removed the later box has not removed the earlier one, and the other way about.
    assert code(session, acts.CountDrop("1", 0), COUNT, THIRD) == "two_persons"
    assert code(session, acts.CountDrop("2", 0), SECOND, THIRD) == "two_persons"
    did(session, acts.CountDrop("1", 0), SECOND, THIRD)
    session.execute(acts.CloseTable(), Stamp((FLOOR, DEALER)))
    did(session, acts.OpenTable(RACK, "Dunja", "Femke", date(2011, 2, 23)), FLOOR, DEALER)
    assert code(session, acts.CountDrop("2", 0), SECOND, THIRD) == "two_persons"
    did(session, acts.CountDrop("2", 0), COUNT, THIRD)
