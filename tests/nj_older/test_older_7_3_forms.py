"""19:47-7.3(c)3 as it stood in 2001: the Complimentary Vigorish Form, without gaming date and pit."""

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    ComplimentaryRecorded,
    DuplicatesForwarded,
    FormDropped,
    FormPrepared,
    FormsCompared,
    FormsReceived,
    FormVoided,
    VigorishDocumented,
)
from croupier.rules import TableLayout
from croupier.table import Phase
from support.older_excerpts import MadeTable, made, older
from support.table import every, form, only, refused

pytestmark = pytest.mark.under("us-nj/minibaccarat@1999-07-06")

FORM, SERIES = "NJ-OLD:19:47-7.3(c)3.i~old", ("NJ-OLD:19:47-7.3(c)3.ii~old",)
DROP = acts.DropForm(101, "Bo", "Clark")


def owing() -> MadeTable:
    """Seats 1 and 2 owe five and seven dollars; the pit clerk Clark holds Forms 101 to 103."""
    rules = older(vigorish__collection="deferred", layout=TableLayout(pit="12", table="MB-1204"))
    table = made(rules, Phase.BETTING, owed={1: 500, 2: 700})
    table.execute(acts.ReceiveForms("Clark", 101, 103))
    return table


def with_form() -> MadeTable:
    """Form 101 documents what seat 1 owed."""
    table = owing()
    table.execute(form())
    return table


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3~old")
@pytest.mark.parametrize("documented", [False, True])
def test_vigorish_that_is_not_collected_counts_in_the_tables_win_as_if_it_were(
    *, documented: bool
) -> None:
    table = owing()
    events = table.execute(form() if documented else acts.CollectVigorish(1))
    assert table.ledger.table_win_cents == 500
    if documented:
        recorded = only(events, VigorishDocumented)
        assert (recorded.seat, recorded.cents, recorded.serial) == (1, 500, 101)
        assert "NJ-OLD:19:47-7.3(c)3~old" in recorded.clauses
        assert "NJ-OLD:19:47-7.3(c)2~old#4" in recorded.clauses
    assert table.state.seats[1].owed_cents == 0


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.i~old")
def test_the_form_records_amount_and_patron_and_neither_gaming_date_nor_pit_nor_table() -> None:
    assert older().value("forms.fields", tuple) == ("amount", "patron")
    prepared = only(owing().execute(form()), FormPrepared)
    assert (prepared.serial, prepared.cents, prepared.patron) == (101, 500, "Patron 1")
    assert (prepared.gaming_date, prepared.pit, prepared.table) == (None, "", "")
    assert (prepared.dealer, prepared.pit_boss, prepared.pit_clerk) == ("Dana", "Bo", "Clark")
    assert prepared.clauses == (FORM,)


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.i~old")
def test_dealer_pit_boss_and_pit_clerk_sign_it_and_the_patron_or_a_statement_instead() -> None:
    for unsigned, code in (
        (form(dealer=""), "signatures"),
        (form(pit_boss=""), "signatures"),
        (form(patron_signed=False), "patron_signature"),
    ):
        assert refused(owing(), unsigned, code).clauses == (FORM,)
    # No clause speaks of a Form about nothing.
    assert refused(owing(), form(seat=3), "nothing_owed").clauses == ()
    assert older().value("forms.signatures", tuple) == ("dealer", "pit boss", "pit clerk")
    stated = replace(form(patron_signed=False), statement="left in haste", stated_by="Bo")
    assert only(owing().execute(stated), FormPrepared).statement == "left in haste"


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.ii~old")
def test_forms_are_accounted_for_held_by_the_pit_clerk_and_used_in_sequence() -> None:
    received = only(
        made(older(), Phase.BETTING).execute(acts.ReceiveForms("Clark", 7, 9)), FormsReceived
    )
    assert (received.pit_clerk, received.first, received.last) == ("Clark", 7, 9)
    assert received.clauses == SERIES
    table = owing()
    assert refused(table, form(102), "sequence").clauses == SERIES
    assert refused(table, form(pit_clerk="Cleo"), "custody").clauses == SERIES
    nobody = acts.ReceiveForms("", 104, 105)
    assert refused(table, nobody, "custody").clauses == SERIES
    assert refused(table, acts.ReceiveForms("Clark", 104, 105), "series_open").clauses == SERIES
    table.execute(form(101))
    refused(table, form(101, seat=2), "sequence")
    table.execute(form(102, seat=2))
    for serial in (101, 102):
        table.execute(acts.DropForm(serial, "Bo", "Clark"))
    forwarded = only(table.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void, forwarded.unused) == ((101, 102), (), (103,))
    assert SERIES[0] in forwarded.clauses


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.iii~old")
def test_the_dealer_drops_the_original_before_those_who_signed_it() -> None:
    table = with_form()
    own = ("NJ-OLD:19:47-7.3(c)3.iii~old",)
    for pit_boss, pit_clerk in (("Bea", "Clark"), ("Bo", "Cleo")):
        other = acts.DropForm(101, pit_boss, pit_clerk)
        assert refused(table, other, "witnesses").clauses == own
    assert refused(table, acts.EndGamingDay("Clark"), "undropped").clauses == own
    assert only(table.execute(DROP), FormDropped).clauses == own
    assert refused(table, DROP, "no_original").clauses == own


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.iii~old", "NJ-OLD:19:47-7.3(c)3.vii~old")
def test_every_original_is_dropped_before_the_day_ends_and_every_patron_is_recorded() -> None:
    table = with_form()
    table.execute(form(102, seat=2))
    table.execute(DROP)
    refusal = refused(table, acts.EndGamingDay("Clark"), "undropped")
    assert refusal.message == "the originals of 102 are not in the drop box"
    table.execute(acts.DropForm(102, "Bo", "Clark"))
    recorded = every(table.execute(acts.EndGamingDay("Clark")), ComplimentaryRecorded)
    assert [(one.patron, one.cents) for one in recorded] == [("Patron 1", 500), ("Patron 2", 700)]


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.ii~old")
def test_a_series_follows_the_last_one_and_repeats_none_of_its_numbers() -> None:
    table = with_form()
    table.execute(form(102, seat=2))
    table.execute(acts.VoidForm(103, "Clark", "Bo"))
    again = acts.ReceiveForms("Clark", 103, 105)
    assert refused(table, again, "series").clauses == SERIES
    backward = acts.ReceiveForms("Clark", 105, 104)
    assert refused(table, backward, "series").clauses == SERIES
    assert table.execute(acts.ReceiveForms("Clark", 104, 105))


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.iv~old")
def test_the_pit_clerk_forwards_the_duplicate_and_accounting_compares_it() -> None:
    table = with_form()
    own = ("NJ-OLD:19:47-7.3(c)3.iv~old",)
    table.execute(DROP)
    assert refused(table, acts.EndGamingDay("Cleo"), "custody").clauses == own
    forwarded = only(table.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.pit_clerk, forwarded.duplicates) == ("Clark", (101,))
    compared = only(table.execute(acts.CompareForms((101, 102))), FormsCompared)
    assert (compared.matched, compared.without_duplicate) == ((101,), (102,))
    assert compared.clauses == own


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.vi~old")
def test_a_void_form_is_signed_by_pit_boss_and_pit_clerk_kept_and_forwarded() -> None:
    table = owing()
    own = ("NJ-OLD:19:47-7.3(c)3.vi~old",)
    assert refused(table, acts.VoidForm(101, "Clark", ""), "signatures").clauses == own
    voided = only(table.execute(acts.VoidForm(101, "Clark", "Bo")), FormVoided)
    assert (voided.serial, voided.clauses) == (101, own)
    assert table.state.seats[1].owed_cents == 500
    ended = table.execute(acts.EndGamingDay("Clark"))
    forwarded = only(ended, DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void) == ((), (101,))
    assert not every(ended, ComplimentaryRecorded)
    assert own[0] in forwarded.clauses


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.vi~old", "NJ-OLD:19:47-7.3(c)3.vii~old")
def test_what_a_void_form_had_is_owed_again_and_no_complimentary() -> None:
    table = with_form()
    table.execute(acts.VoidForm(101, "Clark", "Bo"))
    assert table.state.seats[1].owed_cents == 500
    table.execute(acts.CollectVigorish(1))
    ended = table.execute(acts.EndGamingDay("Clark"))
    assert only(ended, DuplicatesForwarded).void == (101,)
    assert not every(ended, ComplimentaryRecorded)


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)3.vii~old")
def test_waived_vigorish_is_recorded_as_a_cash_complimentary_by_the_end_of_the_gaming_day() -> None:
    table = with_form()
    table.execute(DROP)
    recorded = only(table.execute(acts.EndGamingDay("Clark")), ComplimentaryRecorded)
    assert (recorded.patron, recorded.cents) == ("Patron 1", 500)
    assert recorded.clauses == ("NJ-OLD:19:47-7.3(c)3.vii~old",)
    assert table.ledger.balance("complimentary:Patron 1") == 500
    next_day = acts.EndGamingDay("Clark", "Sue", "the table stays open")
    assert not every(table.execute(next_day), ComplimentaryRecorded)
