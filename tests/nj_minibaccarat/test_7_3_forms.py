"""19:47-7.3(c)3: the Complimentary Vigorish Form, from its series to accounting."""

from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec.structs import fields, replace

from croupier import acts
from croupier.acts import (
    ComplimentaryRecorded,
    DuplicatesForwarded,
    FormDropped,
    FormPrepared,
    FormsCarried,
    FormsCompared,
    FormsForwarded,
    FormsHandedOver,
    FormsReceived,
    FormVoided,
    RulingGiven,
    VigorishRestored,
)
from croupier.money import ledger
from croupier.rules import TableLayout
from croupier.table.machine import offered
from croupier.table.machine.session import TableSession
from support.table import MINIBACCARAT, banker_wins, form, only, owing, ready, refused, rules_of

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NEXT_DAY = acts.EndGamingDay("Clark", "Sue", "the table stays open")
"""The end of a second gaming day, which needs a supervisor where no clock shows it."""
DROP = acts.DropForm(101, "Bo", "Clark")


def with_form() -> TableSession:
    """Form 101 documents the five dollars of seat 1; its original is not dropped yet."""
    session = owing()
    session.execute(form())
    return session


# --- (c)3.i: the Form --------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#1")
def test_the_pit_clerk_prepares_a_prenumbered_form() -> None:
    session = owing()
    (action,) = (one for one in session.legal() if one.command is acts.PrepareForm)
    assert (action.who, action.seat) == ("pit clerk", 1)
    prepared = only(session.execute(form()), FormPrepared)
    assert (prepared.serial, prepared.pit_clerk) == (101, "Clark")
    assert "NJ-MINI:7.3(c)3.i#1" in prepared.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#1")
def test_there_is_no_form_without_vigorish_owed() -> None:
    session = owing()
    for seat in (2, 7):
        refusal = refused(session, form(seat=seat), "nothing_owed")
        assert refusal.clauses == ()


@pytest.mark.clause(
    "NJ-MINI:7.3(c)3.i#2", "NJ-MINI:7.3(c)3.i#3", "NJ-MINI:7.3(c)3.i#4", "NJ-MINI:7.3(c)3.i#5"
)
@pytest.mark.parametrize("day", [date(2011, 2, 22), date(2011, 12, 31)])
def test_the_form_records_amount_gaming_date_pit_table_and_patron(day: date) -> None:
    prepared = only(owing(replace(MINIBACCARAT, gaming_date=day)).execute(form()), FormPrepared)
    recorded = (
        prepared.cents,
        prepared.gaming_date,
        prepared.pit,
        prepared.table,
        prepared.patron,
    )
    assert recorded == (500, day, "12", "1204", "Patron 1")
    for number in (2, 3, 4, 5):
        assert f"NJ-MINI:7.3(c)3.i#{number}" in prepared.clauses


@pytest.mark.clause(
    "NJ-MINI:7.3(c)3.i#2", "NJ-MINI:7.3(c)3.i#3", "NJ-MINI:7.3(c)3.i#4", "NJ-MINI:7.3(c)3.i#5"
)
def test_the_form_has_the_entries_that_the_law_lists_in_its_order_and_then_the_signers() -> None:
    rules = rules_of()
    listed = rules.value("forms.fields", tuple) + rules.value("forms.signatures", tuple)
    entries = [
        one.name.replace("_", " ").replace("cents", "amount") for one in fields(FormPrepared)
    ]
    assert entries[0] == "serial"
    assert tuple(entries[1 : 1 + len(listed)]) == listed
    assert listed == (
        "amount", "gaming date", "pit", "table", "patron", "dealer", "pit boss", "pit clerk",
    )  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#2")
def test_the_form_records_all_that_the_marker_shows() -> None:
    session = owing()
    banker_wins(session, (1, 30_000))
    # 5% of 100 and of 300.
    assert only(session.execute(form()), FormPrepared).cents == 2_000


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#6")
@pytest.mark.parametrize("unsigned", [form(dealer=""), form(pit_boss="")], ids=["dealer", "boss"])
def test_a_form_that_a_signer_has_not_signed_is_refused(unsigned: acts.PrepareForm) -> None:
    refusal = refused(owing(), unsigned, "signatures")
    assert refusal.clauses == ("NJ-MINI:7.3(c)3.i#6",)


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#6")
@pytest.mark.parametrize(("dealer", "pit_boss"), [("Dana", "Bo"), ("Dora", "Bea")])
def test_dealer_pit_boss_and_pit_clerk_sign_the_form(dealer: str, pit_boss: str) -> None:
    session = owing(replace(MINIBACCARAT, dealer=dealer))
    prepared = only(session.execute(form(dealer=dealer, pit_boss=pit_boss)), FormPrepared)
    assert (prepared.dealer, prepared.pit_boss, prepared.pit_clerk) == (dealer, pit_boss, "Clark")
    assert "NJ-MINI:7.3(c)3.i#6" in prepared.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#7")
@pytest.mark.parametrize("statement", [None, ""])
def test_a_form_with_neither_the_patrons_signature_nor_a_statement_is_refused(
    statement: str | None,
) -> None:
    unsigned = form(patron_signed=False, statement=statement)
    refusal = refused(owing(), unsigned, "patron_signature")
    assert refusal.clauses == ("NJ-MINI:7.3(c)3.i#7",)


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#7")
def test_the_patron_signs_or_a_statement_says_why_he_could_not() -> None:
    signed = only(owing().execute(form()), FormPrepared)
    assert (signed.patron_signed, signed.statement) == (True, None)
    assert "NJ-MINI:7.3(c)3.i#7" in signed.clauses
    stated = only(
        owing().execute(form(patron_signed=False, statement="left in haste", stated_by="Bo")),
        FormPrepared,
    )
    assert (stated.patron_signed, stated.statement) == (False, "left in haste")


# --- (c)3.ii: the series -----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1")
def test_the_serial_numbers_of_all_forms_received_are_accounted_for() -> None:
    session = owing()
    received = only(ready().execute(acts.ReceiveForms("Clark", 101, 103)), FormsReceived)
    assert (received.pit_clerk, received.first, received.last) == ("Clark", 101, 103)
    assert "NJ-MINI:7.3(c)3.ii#1" in received.clauses
    session.execute(form(101))
    session.execute(acts.VoidForm(102, "Clark", "Bo"))
    session.execute(DROP)
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void, forwarded.unused) == ((101,), (102,), (103,))
    assert "NJ-MINI:7.3(c)3.ii#1" in forwarded.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1")
def test_the_forms_accounted_for_on_one_day_are_not_accounted_for_again_on_the_next() -> None:
    session = with_form()
    session.execute(DROP)
    session.execute(acts.EndGamingDay("Clark"))
    banker_wins(session, (2, 10_000))
    session.execute(form(102, seat=2))
    session.execute(acts.DropForm(102, "Bo", "Clark"))
    forwarded = only(session.execute(NEXT_DAY), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void, forwarded.unused) == ((102,), (), (103,))


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1")
def test_a_new_series_does_not_hide_what_became_of_the_last_one() -> None:
    session = with_form()
    session.execute(DROP)
    session.execute(acts.EndGamingDay("Clark"))
    for serial in (102, 103):
        session.execute(acts.VoidForm(serial, "Clark", "Bo"))
    session.execute(acts.ReceiveForms("Clark", 201, 202))
    compared = only(session.execute(acts.CompareForms((101,))), FormsCompared)
    assert compared.matched == (101,)
    forwarded = only(session.execute(NEXT_DAY), DuplicatesForwarded)
    assert (forwarded.void, forwarded.unused) == ((102, 103), (201, 202))


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1")
@pytest.mark.parametrize(("first", "last"), [(103, 110), (101, 103), (50, 60), (110, 109)])
def test_no_serial_number_is_received_twice_or_out_of_sequence(first: int, last: int) -> None:
    session = owing()
    for serial in (101, 102, 103):
        session.execute(acts.VoidForm(serial, "Clark", "Bo"))
    refusal = refused(session, acts.ReceiveForms("Clark", first, last), "series")
    assert refusal.clauses == ("NJ-MINI:7.3(c)3.ii#3",)
    session.execute(acts.ReceiveForms("Clark", 104, 104))
    session.execute(form(104))


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#2")
def test_nobody_but_the_pit_clerk_who_holds_the_forms_has_access_to_them() -> None:
    session = owing()
    for command in (form(pit_clerk="Bill"), acts.VoidForm(101, "Dirk", "Bo")):
        refusal = refused(session, command, "custody")
        assert "NJ-MINI:7.3(c)3.ii#2" in refusal.clauses
    session.execute(form(pit_clerk="Clark"))


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#2")
def test_forms_are_received_by_a_pit_clerk_and_not_by_nobody() -> None:
    refusal = refused(ready(), acts.ReceiveForms("", 101, 103), "custody")
    assert "NJ-MINI:7.3(c)3.ii#2" in refusal.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#3")
@pytest.mark.parametrize("serial", [100, 102, 103, 104])
def test_forms_are_used_in_sequence(serial: int) -> None:
    session = owing()
    for command in (form(serial), acts.VoidForm(serial, "Clark", "Bo")):
        refusal = refused(session, command, "sequence")
        assert "NJ-MINI:7.3(c)3.ii#3" in refusal.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#3")
def test_a_form_used_or_void_is_not_used_again_and_the_series_ends_with_its_last() -> None:
    session = owing()
    banker_wins(session, (2, 10_000))
    session.execute(acts.VoidForm(101, "Clark", "Bo"))
    refused(session, form(101), "sequence")
    session.execute(form(102))
    refused(session, form(102, seat=2), "sequence")
    refused(session, acts.ReceiveForms("Clark", 104, 110), "series_open")
    session.execute(form(103, seat=2))
    refusal = refused(session, acts.VoidForm(104, "Clark", "Bo"), "no_forms")
    assert refusal.clauses == ()


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#3")
def test_without_a_series_at_hand_there_is_no_form() -> None:
    session = ready(1, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000))
    assert refused(session, form(), "no_forms").clauses == ()


# --- (c)3.iii: the drop ------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.iii")
@pytest.mark.parametrize(
    ("pit_boss", "pit_clerk"), [("Bea", "Clark"), ("Bo", "Cleo"), ("Clark", "Bo"), ("", "")]
)
def test_the_original_is_dropped_before_none_but_those_who_signed_it(
    pit_boss: str, pit_clerk: str
) -> None:
    session = with_form()
    refusal = refused(session, acts.DropForm(101, pit_boss, pit_clerk), "witnesses")
    assert refusal.clauses == ("NJ-MINI:7.3(c)3.iii",)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iii")
def test_the_original_is_dropped_once() -> None:
    session = with_form()
    dropped = only(session.execute(DROP), FormDropped)
    assert (dropped.serial, dropped.pit_boss, dropped.pit_clerk) == (101, "Bo", "Clark")
    assert dropped.clauses == ("NJ-MINI:7.3(c)3.iii",)
    assert refused(session, DROP, "no_original").clauses == ("NJ-MINI:7.3(c)3.iii",)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iii")
def test_there_is_no_original_to_drop_of_a_form_that_is_unused_or_void() -> None:
    session = owing()
    refused(session, DROP, "no_original")
    session.execute(acts.VoidForm(101, "Clark", "Bo"))
    refused(session, DROP, "no_original")


@pytest.mark.clause("NJ-MINI:7.3(c)3.iii")
def test_the_gaming_day_does_not_end_before_every_original_is_in_the_drop_box() -> None:
    session = with_form()
    refusal = refused(session, acts.EndGamingDay("Clark"), "undropped")
    assert refusal.clauses == ("NJ-MINI:7.3(c)3.iii",)
    session.execute(DROP)
    session.execute(acts.EndGamingDay("Clark"))


# --- (c)3.iv: the duplicate --------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1")
def test_the_pit_clerk_keeps_the_duplicate_and_forwards_it_at_the_end_of_the_gaming_day() -> None:
    session = with_form()
    session.execute(DROP)
    refusal = refused(session, acts.EndGamingDay("Cleo"), "custody")
    assert "NJ-MINI:7.3(c)3.iv#1" in refusal.clauses
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.pit_clerk, forwarded.duplicates) == ("Clark", (101,))
    assert "NJ-MINI:7.3(c)3.iv#1" in forwarded.clauses


def two_forwarded() -> TableSession:
    """The duplicates of Forms 101 and 102 have gone to accounting."""
    session = owing()
    banker_wins(session, (2, 10_000))
    for serial, seat in ((101, 1), (102, 2)):
        session.execute(form(serial, seat))
        session.execute(acts.DropForm(serial, "Bo", "Clark"))
    session.execute(acts.EndGamingDay("Clark"))
    return session


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#2")
@pytest.mark.parametrize(
    ("originals", "matched", "without_original", "without_duplicate"),
    [
        ((101, 102), (101, 102), (), ()),
        ((102,), (102,), (101,), ()),
        ((102, 103, 101), (101, 102), (), (103,)),
        ((), (), (101, 102), ()),
    ],
)
def test_accounting_compares_the_duplicates_with_the_originals_in_the_drop_box(
    originals: tuple[int, ...],
    matched: tuple[int, ...],
    without_original: tuple[int, ...],
    without_duplicate: tuple[int, ...],
) -> None:
    compared = only(two_forwarded().execute(acts.CompareForms(originals)), FormsCompared)
    assert compared.matched == matched
    assert compared.without_original == without_original
    assert compared.without_duplicate == without_duplicate
    assert "NJ-MINI:7.3(c)3.iv#2" in compared.clauses


# --- (c)3.vi: void Forms -----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#1", "NJ-MINI:7.3(c)3.vi#2")
def test_a_void_form_is_marked_and_signed_by_pit_boss_and_pit_clerk() -> None:
    session = owing()
    unsigned = refused(session, acts.VoidForm(101, "Clark", ""), "signatures")
    assert "NJ-MINI:7.3(c)3.vi#2" in unsigned.clauses
    voided = only(session.execute(acts.VoidForm(101, "Clark", "Bo")), FormVoided)
    assert (voided.serial, voided.pit_boss, voided.pit_clerk) == (101, "Bo", "Clark")
    assert {"NJ-MINI:7.3(c)3.vi#1", "NJ-MINI:7.3(c)3.vi#2"} <= set(voided.clauses)
    # It documents nothing: the marker still lies there.
    assert session.state.seats[1].owed_cents == 500


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#3")
def test_void_forms_are_kept_and_forwarded_at_the_end_of_the_gaming_day() -> None:
    session = owing()
    session.execute(acts.VoidForm(101, "Clark", "Bo"))
    session.execute(acts.VoidForm(102, "Clark", "Bo"))
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void, forwarded.unused) == ((), (101, 102), (103,))
    assert "NJ-MINI:7.3(c)3.vi#3" in forwarded.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#3", "NJ-MINI:7.3(c)3.iv#2")
def test_a_void_form_has_no_original_in_the_drop_box_to_be_compared() -> None:
    session = owing()
    session.execute(acts.VoidForm(101, "Clark", "Bo"))
    session.execute(acts.EndGamingDay("Clark"))
    compared = only(session.execute(acts.CompareForms((101,))), FormsCompared)
    assert (compared.matched, compared.without_duplicate) == ((), (101,))


# --- (c)3.vii: the complimentary ---------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.vii")
def test_documented_vigorish_is_recorded_as_a_complimentary_to_each_patron() -> None:
    session = owing()
    banker_wins(session, (2, 30_000))
    for serial, seat in ((101, 1), (103, 2)):
        if serial == 103:
            session.execute(acts.VoidForm(102, "Clark", "Bo"))
        session.execute(form(serial, seat))
        session.execute(acts.DropForm(serial, "Bo", "Clark"))
    events = session.execute(acts.EndGamingDay("Clark"))
    recorded = [event for event in events if isinstance(event, ComplimentaryRecorded)]
    assert [(one.serial, one.patron, one.cents) for one in recorded] == [
        (101, "Patron 1", 500),
        (103, "Patron 2", 1_500),
    ]
    assert all(one.clauses == ("NJ-MINI:7.3(c)3.vii",) for one in recorded)
    assert session.ledger.balance("complimentary:Patron 1") == 500
    assert session.ledger.balance("complimentary:Patron 2") == 1_500
    again = session.execute(NEXT_DAY)
    assert not [event for event in again if isinstance(event, ComplimentaryRecorded)]


@pytest.mark.clause("NJ-MINI:7.3(c)3.vii")
def test_vigorish_that_was_collected_is_no_complimentary() -> None:
    session = owing()
    session.execute(acts.CollectVigorish(1))
    (forwarded,) = session.execute(acts.EndGamingDay("Clark"))
    assert isinstance(forwarded, DuplicatesForwarded)


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#1", "NJ-MINI:7.3(c)3.iv#1")
def test_the_forms_outlast_the_closing_of_the_table() -> None:
    session = with_form()
    session.execute(DROP)
    for seat in (1, 2):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.unused) == ((101,), (102, 103))


# --- the gaming day, the shift, and a Form that is spoilt ------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#3")
def test_a_form_is_of_the_gaming_day_on_which_it_is_prepared() -> None:
    session = with_form()
    session.execute(DROP)
    ended = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (ended.gaming_date, ended.next_date) == (date(2011, 2, 22), date(2011, 2, 23))
    # The table stays open, and the next gaming day has begun.
    banker_wins(session, (2, 10_000))
    prepared = only(session.execute(form(102, seat=2)), FormPrepared)
    assert prepared.gaming_date == date(2011, 2, 23)


def test_a_gaming_day_ends_between_rounds_and_once() -> None:
    session = owing()
    session.execute(form())
    session.execute(DROP)
    session.execute(acts.PlaceWager(2, "player", 2_500))
    session.execute(acts.CallNoMoreBets())
    assert refused(session, acts.EndGamingDay("Clark"), "not_now").clauses == ()
    closed = TableSession(rules_of())
    assert refused(closed, acts.EndGamingDay("Clark"), "day_ended").clauses == ()


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#2", "NJ-MINI:7.3(c)3.iv#1")
def test_pit_clerks_hand_the_forms_over_at_the_end_of_a_shift() -> None:
    session = with_form()
    access = ("NJ-MINI:7.3(c)3.ii#2",)
    assert refused(session, acts.HandOverForms("Cleo", "Dora"), "custody").clauses == access
    assert refused(session, acts.HandOverForms("Clark", "Clark"), "two_persons").clauses
    handed = only(session.execute(acts.HandOverForms("Clark", "Dora")), FormsHandedOver)
    assert (handed.first, handed.used) == (102, (101,))
    assert "NJ-MINI:7.3(c)3.iv#1" in handed.clauses
    # Dora has the pad and the duplicate now; who signed Form 101 still witnesses its drop.
    banker_wins(session, (2, 10_000))
    assert refused(session, form(102, seat=2), "custody").clauses == access
    session.execute(form(102, seat=2, pit_clerk="Dora"))
    session.execute(DROP)
    session.execute(acts.DropForm(102, "Bo", "Dora"))
    refused(session, acts.EndGamingDay("Clark"), "custody")
    ended = only(session.execute(acts.EndGamingDay("Dora")), DuplicatesForwarded)
    assert (ended.pit_clerk, ended.duplicates) == ("Dora", (101, 102))


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#6", "NJ-MINI:7.3(c)3.i#7")
def test_those_who_sign_are_assigned_and_a_statement_has_its_author() -> None:
    session = owing()
    signed = ("NJ-MINI:7.3(c)3.i#6",)
    assert refused(session, form(dealer="Nobody"), "not_on_duty").clauses == signed
    session.execute(acts.AssignOffice("pit boss", "Bea"))
    assert refused(session, form(), "not_on_duty").clauses == signed
    unsaid = form(pit_boss="Bea", patron_signed=False, statement="left in haste")
    for author in (None, "Clark", "Bo"):
        stated = replace(unsaid, stated_by=author)
        assert refused(session, stated, "statement").clauses == ("NJ-MINI:7.3(c)3.i#7",)
    prepared = only(session.execute(replace(unsaid, stated_by="Bea")), FormPrepared)
    assert (prepared.statement, prepared.stated_by) == ("left in haste", "Bea")


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#2")
def test_a_form_documents_a_part_and_the_marker_shows_the_rest() -> None:
    session = owing()
    for cents in (0, -1, 501):
        refused(session, form(cents=cents), "amount")
    assert only(session.execute(form(cents=200)), FormPrepared).cents == 200
    assert session.state.seats[1].owed_cents == 300
    assert session.ledger.balance(ledger.FORMS) == 200
    session.execute(acts.CollectVigorish(1))
    assert session.state.seats[1].owed_cents == 0
    assert session.ledger.balance(ledger.VIGORISH_TAKEN) == 300


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#1", "NJ-MINI:7.3(c)3.vi#3")
def test_a_form_that_is_spoilt_is_void_and_its_vigorish_is_owed_again() -> None:
    session = with_form()
    other = acts.VoidForm(101, "Dora", "Bo")
    assert "NJ-MINI:7.3(c)3.iv#1" in refused(session, other, "custody").clauses
    events = session.execute(acts.VoidForm(101, "Clark", "Bo"))
    restored = only(events, VigorishRestored)
    assert (restored.seat, restored.cents) == (1, 500)
    assert session.state.seats[1].owed_cents == 500
    assert session.ledger.balance(ledger.FORMS) == 0
    assert refused(session, DROP, "no_original").clauses
    session.execute(form(102))
    session.execute(acts.DropForm(102, "Bo", "Clark"))
    refused(session, acts.VoidForm(102, "Clark", "Bo"), "dropped")
    ended = session.execute(acts.EndGamingDay("Clark"))
    forwarded = only(ended, DuplicatesForwarded)
    assert (forwarded.void, forwarded.duplicates) == ((101,), (102,))
    # What was waived is recorded once.
    assert only(ended, ComplimentaryRecorded).cents == 500


REPLACE = acts.ReplaceForm(
    102, 101, "Clark", "Dana", "Bo", patron_signed=False, statement="has left", stated_by="Bo"
)


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#1", "NJ-MINI:7.3(c)3.vi#2", "NJ-MINI:7.3(c)4")
def test_a_form_that_is_spoilt_after_its_patron_left_is_void_and_another_takes_its_place() -> None:
    session = with_form()
    assert refused(session, REPLACE, "patron_here").clauses == ()
    session.execute(acts.LeaveTable(1))
    # Another patron of the same name is not the one who owed it.
    session.execute(acts.SeatPatron(1, "Patron 1"))
    # What is deferred is documented when the patron leaves, so no Form goes without another.
    left = refused(session, acts.VoidForm(101, "Clark", "Bo"), "patron_left")
    assert left.clauses == ("NJ-MINI:7.3(c)4",)
    for changes, code in (
        ({"serial": 103}, "sequence"),
        ({"spoilt": 99}, "no_original"),
        ({"pit_clerk": "Dora"}, "custody"),
        ({"pit_boss": ""}, "signatures"),
        ({"statement": None}, "patron_signature"),
        ({"stated_by": "Clark"}, "statement"),
    ):
        refused(session, replace(REPLACE, **changes), code)
    ledger_before = session.ledger
    events = session.execute(REPLACE)
    voided, prepared = only(events, FormVoided), only(events, FormPrepared)
    assert (voided.serial, voided.pit_boss, voided.pit_clerk) == (101, "Bo", "Clark")
    assert (prepared.serial, prepared.patron, prepared.cents) == (102, "Patron 1", 500)
    assert (prepared.statement, prepared.stated_by) == ("has left", "Bo")
    # It was documented before and is documented now.
    assert session.ledger == ledger_before
    refused(session, REPLACE, "sequence")
    refused(session, replace(REPLACE, serial=103), "no_original")
    session.execute(acts.DropForm(102, "Bo", "Clark"))
    refused(session, replace(REPLACE, serial=103, spoilt=102), "no_original")
    ended = session.execute(acts.EndGamingDay("Clark"))
    forwarded = only(ended, DuplicatesForwarded)
    assert (forwarded.void, forwarded.duplicates) == ((101,), (102,))
    assert only(ended, ComplimentaryRecorded).cents == 500


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#1")
def test_a_form_follows_its_patron_to_another_seat() -> None:
    session = with_form()
    session.execute(acts.ChangeSeat(1, 5))
    restored = only(session.execute(acts.VoidForm(101, "Clark", "Bo")), VigorishRestored)
    assert restored.seat == 5
    assert session.state.seats[5].owed_cents == 500


@pytest.mark.clause("NJ-MINI:7.3(c)3.vi#1")
def test_the_replacement_of_a_form_is_offered_once_its_patron_has_left() -> None:
    session = with_form()
    assert acts.ReplaceForm not in {one.command for one in session.acts()}
    session.execute(acts.LeaveTable(1))
    (act,) = (one for one in session.acts() if one.command is acts.ReplaceForm)
    made = act.make(pit_clerk="Clark", pit_boss="Bo", dealer="Dana", stated_by="Dana")
    assert only(session.execute(made), FormPrepared).cents == 500


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#2")
def test_accounting_compares_the_amounts_of_both_copies() -> None:
    session = two_forwarded()
    compare = acts.CompareForms((101, 102), {101: 500, 102: 400})
    compared = only(session.execute(compare), FormsCompared)
    assert (compared.matched, compared.differing) == ((101,), (102,))


def test_a_table_opens_on_no_day_before_the_regulation_is_in_force() -> None:
    """The text was last amended with effect from February 22, 2011; of later days it says nothing."""
    for early in (date(1955, 1, 1), date(2011, 2, 21)):
        opening = acts.OpenTable(100_000, "Dana", "Flo", early)
        assert refused(TableSession(rules_of()), opening, "gaming_day").clauses == ()
    for day in (date(2011, 2, 22), date(2026, 11, 22)):
        TableSession(rules_of()).execute(acts.OpenTable(100_000, "Dana", "Flo", day))


def test_a_table_opens_on_no_gaming_day_that_was_ended_or_is_past() -> None:
    session = with_form()
    session.execute(DROP)
    for seat in (1, 2):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    session.execute(acts.EndGamingDay("Clark"))
    refused(session, acts.EndGamingDay("Clark"), "day_ended")
    for day in (date(2011, 2, 21), date(2011, 2, 22)):
        again = acts.OpenTable(5_000, "Dana", "Flo", day)
        assert refused(session, again, "gaming_day").clauses == ()
    session.execute(acts.OpenTable(5_000, "Dana", "Flo", date(2011, 2, 23)))


# --- several clerks, several tables, and the clock ---------------------------------------------


def two_clerks() -> TableSession:
    """Clark has used 101, the whole of his series, and Dora 102 of hers."""
    pit = TableLayout(pit="12", table="1204")
    session = ready(1, 2, layout=pit, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000), (2, 20_000))
    for command in (
        acts.ReceiveForms("Clark", 101, 101),
        form(),
        DROP,
        acts.ReceiveForms("Dora", 102, 103),
        form(102, 2, pit_clerk="Dora"),
        acts.DropForm(102, "Bo", "Dora"),
    ):
        session.execute(command)
    return session


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1", "NJ-MINI:7.3(c)3.vii")
@pytest.mark.parametrize("order", [("Clark", "Dora"), ("Dora", "Clark")])
def test_each_pit_clerk_forwards_their_own_duplicates_in_either_order(
    order: tuple[str, str],
) -> None:
    session = two_clerks()
    kept = {"Clark": (101, 500), "Dora": (102, 1000)}
    for clerk in order:
        refusal = refused(session, acts.EndGamingDay("Clark"), "custody")
        assert "NJ-MINI:7.3(c)3.iv#1" in refusal.clauses
        events = session.execute(acts.ForwardForms(clerk))
        serial, cents = kept[clerk]
        sent, comp = only(events, FormsForwarded), only(events, ComplimentaryRecorded)
        assert (sent.pit_clerk, sent.duplicates, sent.void) == (clerk, (serial,), ())
        assert (sent.gaming_date, comp.serial, comp.cents) == (date(2011, 2, 22), serial, cents)
        assert "NJ-MINI:7.3(c)3.iv#1" in sent.clauses
        assert session.state.gaming_date == date(2011, 2, 22)
        refused(session, acts.ForwardForms(clerk), "no_forms")
    refused(session, acts.EndGamingDay("Clark"), "custody")  # Dora has the unused Form 103.
    ended = only(session.execute(acts.EndGamingDay("Dora")), DuplicatesForwarded)
    assert (ended.duplicates, ended.unused) == ((), (103,))
    assert session.state.gaming_date == date(2011, 2, 23)
    compared = only(session.execute(acts.CompareForms((101, 102))), FormsCompared)
    assert compared.matched == (101, 102)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1")
def test_a_duplicate_passes_to_another_clerk_only_by_a_hand_over() -> None:
    session = two_clerks()
    handed = only(session.execute(acts.HandOverForms("Clark", "Dora")), FormsHandedOver)
    assert (handed.first, handed.used) == (None, (101,))
    ended = only(session.execute(acts.EndGamingDay("Dora")), DuplicatesForwarded)
    assert ended.duplicates == (101, 102)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1")
def test_a_duplicate_is_not_forwarded_before_its_original_is_dropped() -> None:
    session = with_form()
    assert refused(session, acts.ForwardForms("Clark"), "undropped").clauses == (
        "NJ-MINI:7.3(c)3.iii",
    )


@pytest.mark.clause("NJ-MINI:7.3(c)3.ii#3")
def test_a_pit_clerk_carries_one_series_from_table_to_table() -> None:
    session = with_form()
    refused(session, acts.CarryForms("Dora", "1205"), "custody")
    refused(session, acts.CarryForms("Clark", "1204"), "table")
    carried = only(session.execute(acts.CarryForms("Clark", "1205")), FormsCarried)
    assert (carried.first, carried.last, carried.table) == (102, 103, "1205")
    refused(session, acts.CarryForms("Clark", "1205"), "no_forms")
    refused(session, form(102), "no_forms")
    session.execute(DROP)
    # Form 102 was used at the other table.
    session.execute(acts.ReceiveForms("Clark", 103, 103))
    assert only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded).unused == (103,)


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#3", "NJ-MINI:7.3(c)3.iv#1")
def test_a_gaming_day_ends_once_by_the_clock_of_the_table() -> None:
    clock = datetime(2011, 2, 22, 12, tzinfo=UTC)
    session = owing()
    session.clock = lambda: clock
    session.execute(acts.EndGamingDay("Clark"))
    for later in (timedelta(seconds=2), timedelta(hours=11, minutes=59)):
        clock += later
        refusal = refused(session, acts.EndGamingDay("Clark"), "day_ended")
        assert "NJ-MINI:7.3(c)3.iv#1" in refusal.clauses
        refused(session, acts.EndGamingDay("Clark", supervisor="Sue"), "day_ended")
        clock -= later
    assert session.state.gaming_date == date(2011, 2, 23)
    why = acts.EndGamingDay("Clark", "Sue", "the day before was ended late")
    ruled = only(session.execute(why), RulingGiven)
    assert (ruled.entry, ruled.supervisor) == ("C204", "Sue")
    clock += timedelta(hours=12)
    session.execute(acts.EndGamingDay("Clark"))
    assert session.state.gaming_date == date(2011, 2, 25)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1")
def test_a_page_asks_for_a_supervisor_until_half_a_day_has_passed() -> None:
    clock = datetime(2011, 2, 22, 8, tzinfo=UTC)
    session = owing()
    session.clock = lambda: clock
    session.execute(acts.EndGamingDay("Clark"))
    for hour, asks in ((8, True), (19, True), (20, False)):
        clock = clock.replace(hour=hour)
        # Any entry has the table note the time.
        session.execute(acts.BuyChips(1, 10_000))
        every = offered.acts(session.state, session.rules)
        (ends,) = (one for one in every if one.command is acts.EndGamingDay)
        needed = {one.name: one.needed for one in ends.fields}
        assert (needed["supervisor"], needed["reason"]) == (asks, asks)
    session.execute(acts.EndGamingDay("Clark"))


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#3")
def test_a_table_that_opens_anew_begins_a_day_that_may_end_when_it_closes() -> None:
    clock = datetime(2011, 2, 22, 12, tzinfo=UTC)
    session = MINIBACCARAT.open(rules_of())
    session.clock = lambda: clock
    for opened in (22, 23):
        if opened == 23:
            session.execute(acts.OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, opened)))
        session.execute(acts.CloseTable())
        session.execute(acts.EndGamingDay("Clark"))
        clock += timedelta(hours=4)


@pytest.mark.clause("NJ-MINI:7.3(c)3.i#3", "NJ-MINI:7.3(c)3.iv#1")
def test_a_gaming_day_ends_once_at_a_table_without_a_clock() -> None:
    session = owing()
    for ended in (22, 23):
        if ended == 23:
            refusal = refused(session, acts.EndGamingDay("Clark"), "day_ended")
            assert "NJ-MINI:7.3(c)3.iv#1" in refusal.clauses
            assert "of 2011-02-22 ended: a day ends once" in refusal.message
            for blank in (
                acts.EndGamingDay("Clark", " ", "late"),
                acts.EndGamingDay("Clark", "Sue", " "),
            ):
                refused(session, blank, "day_ended")
        session.execute(NEXT_DAY if ended == 23 else acts.EndGamingDay("Clark"))
        assert session.state.gaming_date == date(2011, 2, ended + 1)
    # The day of a table that closes and opens anew is another one, and needs no supervisor.
    session.execute(acts.CollectVigorish(1))
    for seat in (*session.state.seats,):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    session.execute(acts.OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, 25)))
    session.execute(acts.EndGamingDay("Clark"))
    refused(session, acts.EndGamingDay("Clark"), "day_ended")
    assert session.state.gaming_date == date(2011, 2, 26)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1")
def test_a_clock_that_a_table_was_given_later_does_not_end_the_day_again() -> None:
    session = owing()
    session.execute(acts.EndGamingDay("Clark"))
    session.clock = lambda: datetime(2011, 2, 22, 12, tzinfo=UTC)
    refused(session, acts.EndGamingDay("Clark"), "day_ended")
