"""What is kept for a patron who had left is paid to that patron: by the cage, once, to the cent."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Difference, Event, KeptAmountPaid, SettlementCorrected
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.money import ledger
from croupier.records.entry import SteppedClock
from croupier.records.narration import narrate
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.records.view.sight import Viewer, masked
from croupier.table import Phase
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from croupier.table.settling.unclaimed_amounts import KeptAmount, KeptAmounts
from support.accounts import accounts_of
from support.games import advance
from support.logs import recorded
from support.table import code_of, deal, only, ready, rules_of, wager
from support.verified import verify_log

FLOOR, DEALER = Actor("Flo", Role.FLOORPERSON), Actor("Dana", Role.DEALER)
CAGE, EYE = Actor("Carl", Role.CAGE), Actor("Vito", Role.SURVEILLANCE)
ALL: Final = (CAGE, FLOOR, EYE)


def low(of: int, value: str = "7d") -> acts.CorrectSettlement:
    """Say that Banker's first card was not the 9 that it was recorded as."""
    return acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of(value))


def one_who_left(session: TableSession, seat: int = 3) -> int:
    """Have a patron lose $200 on Player, with 8 against 9, and leave; return what settled it."""
    wager(session, (seat, "player", 200_00))
    deal(session, "8h 9d Kh Ks")
    session.execute(acts.SettleWagers())
    of = session.position.sequence
    session.execute(acts.ClearLayout())
    session.execute(acts.LeaveTable(seat))
    return of


def kept(*seats: int) -> tuple[TableSession, acts.PayKeptAmount]:
    """Return a table that keeps $400 for the patron who sat at 3, and the act that pays it."""
    session = ready(3, *seats)
    for actor in (CAGE, EYE):
        session.execute(acts.AssignOffice(actor.office, actor.person))
    of = one_who_left(session)
    (one,) = only(session.execute(low(of)), SettlementCorrected).differences
    # Player's 8 beats 7: $200 are won instead of lost.
    assert (one.patron, one.now, one.cents, one.outcome) == ("Patron 3", None, 400_00, "unpaid")
    assert session.ledger.balance(ledger.UNPAID) == 400_00
    pay = acts.PayKeptAmount(of, 3, "Patron 3", "passport 12", slip=7)
    return session, pay


def test_the_cage_pays_it_before_floorperson_and_surveillance_and_once() -> None:
    session, pay = kept()
    win = session.ledger.table_win_cents
    for by in ((CAGE,), (CAGE, FLOOR), (CAGE, EYE)):
        assert code_of(session, pay, *by) == "consent_needed"
    assert code_of(session, pay, FLOOR, EYE) == "not_your_office"
    assert code_of(session, pay, *ALL, DEALER) == "not_your_office"
    assert code_of(session, pay, CAGE, Actor("Carl", Role.FLOORPERSON), EYE) == "not_on_duty"
    paid = only(session.execute(pay, Stamp(ALL, corrects=pay.of)), KeptAmountPaid)
    assert (paid.entry, paid.seat, paid.patron, paid.slip) == (pay.of, 3, "Patron 3", 7)
    assert (paid.cents, paid.left_cents, paid.clauses) == (400_00, 0, ("C113",))
    assert session.ledger.balance(ledger.UNPAID) == 0
    assert session.ledger.balance(ledger.PAID_LATER) == 400_00
    # It was the table's loss when it was kept.
    assert session.ledger.table_win_cents == win
    assert session.ledger.in_balance
    again = replace(pay, slip=8)
    assert code_of(session, again, *ALL) == "nothing_kept"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seat": 5}, "nothing_kept"),
        ({"of": 1}, "nothing_kept"),
        ({"patron": "Patron 4"}, "another_patron"),
        ({"patron": ""}, "another_patron"),
        ({"identified": " "}, "identity"),
        ({"cents": 0}, "amount"),
        ({"cents": -1}, "amount"),
        ({"cents": 400_01}, "amount"),
        ({"slip": 0}, "slip"),
    ],
)
def test_what_is_refused_leaves_everything(changes: dict[str, object], code: str) -> None:
    session, pay = kept()
    assert code_of(session, replace(pay, **changes), *ALL) == code


def test_it_is_paid_in_parts_each_on_its_own_slip() -> None:
    session, pay = kept()
    first = only(session.execute(replace(pay, cents=150_00), Stamp(ALL)), KeptAmountPaid)
    assert (first.cents, first.left_cents) == (150_00, 250_00)
    assert code_of(session, replace(pay, cents=1_00), *ALL) == "slip"
    assert code_of(session, replace(pay, slip=8, cents=250_01), *ALL) == "amount"
    last = only(session.execute(replace(pay, slip=8), Stamp(ALL)), KeptAmountPaid)
    assert (last.cents, last.left_cents) == (250_00, 0)
    assert session.ledger.balance(ledger.PAID_LATER) == 400_00


@pytest.mark.parametrize("typed", ["patron 3", "PATRON 3", "  Patron   3 ", "Patron\t3"])
def test_letter_case_and_spacing_make_no_other_patron(typed: str) -> None:
    session, pay = kept()
    paid = only(session.execute(replace(pay, patron=typed), Stamp(ALL)), KeptAmountPaid)
    # What is recorded is the name under which it was kept.
    assert (paid.patron, paid.left_cents) == ("Patron 3", 0)


def test_two_patrons_of_one_seat_are_paid_each_for_the_own_round() -> None:
    session, pay = kept()
    session.execute(acts.SeatPatron(3, "Rosa"))
    session.execute(acts.BuyChips(3, 10_000_00))
    later = one_who_left(session)
    (one,) = only(session.execute(low(later)), SettlementCorrected).differences
    assert (one.patron, one.now, one.cents, one.outcome) == ("Rosa", None, 400_00, "unpaid")
    assert session.ledger.balance(ledger.UNPAID) == 800_00
    assert code_of(session, replace(pay, patron="Rosa"), *ALL) == "another_patron"
    assert code_of(session, replace(pay, of=later), *ALL) == "another_patron"
    session.execute(replace(pay, of=later, patron="Rosa"), Stamp(ALL))
    assert session.state[KeptAmounts].due == (KeptAmount(pay.of, 3, "Patron 3", 400_00),)
    session.execute(replace(pay, slip=8), Stamp(ALL))
    assert session.ledger.balance(ledger.UNPAID) == 0


def test_of_two_patrons_of_one_name_the_other_is_not_paid_at_the_table() -> None:
    session, _ = kept(5)
    of = one_who_left(session, 5)
    # Somebody else of that name sits down where the first one sat.
    session.execute(acts.SeatPatron(5, "Patron 5"))
    (one,) = only(session.execute(low(of)), SettlementCorrected).differences
    assert (one.patron, one.now, one.outcome) == ("Patron 5", None, "unpaid")
    assert session.state.seats[5].chips_cents == 0
    # Whoever claims it is identified, and it is kept once, whoever has the name.
    pay = acts.PayKeptAmount(of, 5, "Patron 5", "passport 12", slip=7)
    session.execute(pay, Stamp(ALL))
    other = replace(pay, identified="driver's license 4", slip=8)
    assert code_of(session, other, *ALL) == "nothing_kept"


def test_a_slip_is_used_once_on_whatever_day() -> None:
    session, pay = kept()
    session.execute(replace(pay, cents=100_00), Stamp(ALL))
    session.execute(acts.CloseTable())
    tray = session.ledger.balance(ledger.INVENTORY)
    session.execute(acts.OpenTable(tray, "Dana", "Flo", date(2011, 2, 23)))
    assert code_of(session, replace(pay, cents=100_00), *ALL) == "slip"
    # In parts over the days: one on this day, and the rest on the next.
    session.execute(replace(pay, slip=8, cents=100_00), Stamp(ALL))
    session.execute(acts.CloseTable())
    session.execute(acts.OpenTable(tray, "Dana", "Flo", date(2011, 2, 24)))
    assert code_of(session, replace(pay, slip=8), *ALL) == "slip"
    last = only(session.execute(replace(pay, slip=9), Stamp(ALL)), KeptAmountPaid)
    assert (last.cents, last.left_cents) == (200_00, 0)
    assert session.ledger.balance(ledger.PAID_LATER) == 400_00


def test_it_is_paid_while_play_waits_and_at_a_closed_table() -> None:
    session, pay = kept()
    session.execute(acts.PauseTable("a dispute"))
    session.execute(replace(pay, cents=1_00), Stamp(ALL))
    session.execute(acts.ResumeTable())
    session.execute(acts.CloseTable())
    session.execute(replace(pay, slip=8), Stamp(ALL))
    assert session.ledger.balance(ledger.UNPAID) == 0


def test_a_later_correction_takes_back_from_what_is_kept_and_no_more() -> None:
    # Player has 8. With Banker's 9 the patron lost $200, with 7 won $200, and with 8 it is a tie.
    session, pay = kept()
    (one,) = only(session.execute(low(pay.of, "8d")), SettlementCorrected).differences
    assert (one.cents, one.outcome, one.uncollected_cents) == (-200_00, "unpaid", 0)
    assert session.state[KeptAmounts].due == (KeptAmount(pay.of, 3, "Patron 3", 200_00),)
    session.execute(replace(pay, cents=150_00))
    (one,) = only(session.execute(low(pay.of, "9c")), SettlementCorrected).differences
    # $200 too much by now, of which $50 are still there.
    assert (one.cents, one.outcome, one.uncollected_cents) == (-200_00, "unpaid", 150_00)
    assert session.state[KeptAmounts].due == ()
    assert session.ledger.balance(ledger.UNPAID) == 0
    assert session.ledger.balance(ledger.UNCOLLECTED) == 150_00
    assert session.ledger.in_balance
    # And the other way: what was not collected is set off first.
    (one,) = only(session.execute(low(pay.of, "7c")), SettlementCorrected).differences
    assert (one.cents, one.uncollected_cents) == (250_00, -150_00)
    assert session.ledger.balance(ledger.UNPAID) == 250_00


def test_whoever_sits_in_the_seat_now_sees_nothing_of_it() -> None:
    told = Difference(3, "Rosa", None, 400_00, "unpaid", 0, 0, 0, 0)
    neighbor = masked(told, Viewer.of("patron", 3), None)
    assert neighbor.patron == "patron"
    assert str(neighbor.cents) == "None"
    paid = KeptAmountPaid(9, 3, "Rosa", "passport 12", 7, 400_00, 0, ())
    hidden = masked(paid, Viewer.of("patron", 3), None)
    assert "Rosa" not in str(hidden)
    assert "passport" not in str(hidden)
    assert "400" not in str(hidden)
    assert masked(paid, Viewer.of("cage"), None) == paid


def test_it_is_offered_with_what_fits() -> None:
    session, pay = kept()
    (act,) = (one for one in session.acts() if one.command is acts.PayKeptAmount)
    given = act.make(patron="Patron 3", identified="passport 12")
    assert given == replace(pay, slip=1)


def test_on_a_later_day_the_ledger_has_both_days_and_the_log_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    heard: list[Event] = []
    with recorded(path, rules_of()) as record:
        session = TableSession(
            rules_of(), lambda _, told: heard.extend(told), record=record, clock=SteppedClock()
        )
        session.execute(acts.OpenTable(5_000_000_00, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "Patron 3"))
        session.execute(acts.BuyChips(3, 10_000_00))
        advance(session, Phase.BETTING)
        of = one_who_left(session)
        session.execute(low(of))
        session.execute(acts.CloseTable())
        tray = session.ledger.balance(ledger.INVENTORY)
        kept_state = session.state
        session.execute(acts.OpenTable(tray, "Dana", "Flo", date(2011, 2, 23)))
        assert session.state[KeptAmounts] == kept_state[KeptAmounts]
        held = read_snapshot(snapshot("h", session.position, "s"), "h", session.rules)
        assert held is not None
        assert held.position.state[KeptAmounts] == kept_state[KeptAmounts]
        session.execute(acts.PayKeptAmount(of, 3, "Patron 3", "passport 12", 7, 150_00))
    verdict = verify_log(path)
    assert verdict.is_clean, verdict.divergence
    first, second = accounts_of(heard).days
    assert (first.corrected_cents, first.unpaid_cents, first.paid_later_cents) == (
        400_00,
        400_00,
        0,
    )
    assert (second.corrected_cents, second.unpaid_cents) == (0, 0)
    assert (second.paid_later_cents, second.win_cents) == (150_00, 0)
    assert first.reconciles
    assert second.reconciles
    *_, line = narrate(heard, WAGERS)
    assert line.text == (
        f"The cage pays Patron 3 (passport 12) $150.00 that was kept from the round of entry {of},"
        " slip 7, and $250.00 stays there"
    )
