"""19:47-3.3(c)2 to (c)4: markers, what becomes of vigorish that is owed, and the Form."""

from datetime import date
from typing import Any

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
    PatronLeft,
    VigorishCollected,
    VigorishDocumented,
    VigorishMarked,
)
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.punto_banco import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    at,
    banker_wins,
    load_short_shoe,
    play,
    play_out,
    ready,
)
from support.table import due, every, only, refused, wager
from support.table import form as form_of

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")


def form(serial: int = 101, seat: int = 1, **changes: Any) -> acts.PrepareForm:
    """A Form that everybody signs; Petra deals at this table."""
    return form_of(serial, seat, **{"dealer": "Petra", **changes})


DROP = acts.DropForm(101, "Bo", "Clark")
SERIES = ("NJ-PB:3.3(c)3.ii#1", "NJ-PB:3.3(c)3.ii#2", "NJ-PB:3.3(c)3.ii#3")


def owing(**elections: Any) -> TableSession:
    """Seat 1 owes five dollars of deferred vigorish; the pit clerk Clark holds Forms 101 to 103."""
    pit = TableLayout(pit="12", table="PB-1204")
    session = ready(1, 2, layout=pit, vigorish__collection="deferred", **elections)
    banker_wins(session, (1, 10_000))
    session.execute(acts.ReceiveForms("Clark", 101, 103))
    return session


def with_form() -> TableSession:
    """Form 101 documents what seat 1 owed."""
    session = owing()
    session.execute(form())
    return session


def owing_at_end_of_shoe(**elections: Any) -> TableSession:
    """A completed shoe, with five dollars owed in seat 1 and seven and a half in seat 2."""
    session = at(Phase.TO_CUT, 1, 2, vigorish__collection="deferred", **elections)
    load_short_shoe(session)
    session.execute(acts.AcceptShoe(1))
    banker_wins(session, (1, 10_000), (2, 15_000))
    play_out(session, PLAYER_WINS)
    session.execute(acts.ReceiveForms("Clark", 101, 103))
    return session


# --- (c)2: the marker --------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(c)2#3")
def test_vigorish_not_collected_with_the_payment_is_shown_by_a_marker_that_adds_up() -> None:
    session = ready(1, 2, vigorish__collection="deferred")
    shown = []
    for stakes in (((1, 10_000),), ((1, 20_000), (2, 4_000))):
        for marked in every(banker_wins(session, *stakes), VigorishMarked):
            shown.append((marked.seat, marked.cents, marked.owed_cents))
            assert "NJ-PB:3.3(c)2#3" in marked.clauses
            assert "NJ-PB:3.3(c)2#4" not in marked.clauses
    # Five percent of 100 dollars, then of 200 on top of it; seat 2: five percent of 40.
    assert sorted(shown) == [(1, 500, 500), (1, 1_000, 1_500), (2, 200, 200)]
    assert session.state.seats[1].chips_cents == 1_030_000


@pytest.mark.clause("NJ-PB:3.3(c)2#3", "NJ-PB:3.3(c)1#1")
def test_a_marker_shows_vigorish_as_it_is_rounded() -> None:
    session = ready(1, vigorish__collection="deferred", vigorish__rounded=True)
    assert only(banker_wins(session, (1, 700)), VigorishMarked).owed_cents == 50


@pytest.mark.clause("NJ-PB:3.3(c)2#4")
def test_the_marker_stays_through_rounds_that_are_lost_void_or_sat_out() -> None:
    session = owing()
    wager(session, (1, "banker", 5_000))
    play(session, PLAYER_WINS)
    wager(session, (1, "banker", 5_000), (2, "tie", 1_000))
    play(session, TIE)
    play(session, BANKER_WINS)
    assert session.state.seats[1].owed_cents == 500


@pytest.mark.clause("NJ-PB:3.3(c)2#4")
@pytest.mark.parametrize("documented", [False, True])
def test_the_marker_is_removed_when_its_vigorish_is_collected_or_documented(
    *, documented: bool
) -> None:
    session = owing()
    events = session.execute(form() if documented else acts.CollectVigorish(1))
    removed: VigorishDocumented | VigorishCollected = (
        only(events, VigorishDocumented) if documented else only(events, VigorishCollected)
    )
    assert removed.cents == 500
    assert "NJ-PB:3.3(c)2#4" in removed.clauses
    assert "NJ-PB:3.3(c)2#3" not in removed.clauses
    assert session.state.seats[1].owed_cents == 0
    assert session.state.seats[1].chips_cents == (1_010_000 if documented else 1_009_500)


# --- (c)2 and (c)4: before the reshuffle, and when the patron leaves ---------------------------


@pytest.mark.clause("NJ-PB:3.3(c)2#2", "NJ-PB:3.3(c)4")
@pytest.mark.parametrize("finish", ["lace", "three-dealers"])
def test_the_cards_are_not_reshuffled_while_vigorish_is_outstanding(finish: str) -> None:
    session = owing_at_end_of_shoe(shuffle__finish=finish)
    first = acts.ShuffleCards() if finish == "lace" else acts.WashCards()
    for settle in (acts.CollectVigorish(1), form(seat=2)):
        refusal = refused(session, first, "vigorish_outstanding")
        assert {"NJ-PB:3.3(c)2#2", "NJ-PB:3.3(c)4"} <= set(refusal.clauses)
        assert acts.CollectVigorish in due(session)
        session.execute(settle)
    session.execute(first)


@pytest.mark.clause("NJ-PB:3.3(c)4")
def test_a_patron_does_not_leave_before_his_vigorish_is_collected_or_documented() -> None:
    session = owing()
    banker_wins(session, (2, 10_000))
    for seat, settle in ((1, form(seat=1)), (2, acts.CollectVigorish(2))):
        refusal = refused(session, acts.LeaveTable(seat), "vigorish_outstanding")
        assert refusal.clauses == ("NJ-PB:3.3(c)4",)
        session.execute(settle)
        left = only(session.execute(acts.LeaveTable(seat)), PatronLeft)
        assert left.chips_cents == (1_010_000 if seat == 1 else 1_009_500)


# --- (c)3: the table's win ---------------------------------------------------------------------


# 100.00 are lost to the winner; 5.00 come back, in chips or on paper.
@pytest.mark.clause("NJ-PB:3.3(c)3")
@pytest.mark.parametrize("documented", [False, True])
def test_vigorish_that_is_not_collected_counts_in_the_tables_win(*, documented: bool) -> None:
    session = owing()
    assert session.ledger.table_win_cents == -10_000
    events = session.execute(form() if documented else acts.CollectVigorish(1))
    assert session.ledger.table_win_cents == -9_500
    if documented:
        assert "NJ-PB:3.3(c)3" in only(events, VigorishDocumented).clauses
    assert session.ledger.in_balance


# --- (c)3.i: the Form --------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(c)3.i#1")
def test_the_pit_clerk_prepares_a_prenumbered_form_for_what_is_owed_and_for_nothing_else() -> None:
    prepared = only(owing().execute(form()), FormPrepared)
    assert (prepared.serial, prepared.pit_clerk) == (101, "Clark")
    assert "NJ-PB:3.3(c)3.i#1" in prepared.clauses
    for seat in (2, 7):
        refusal = refused(owing(), form(seat=seat), "nothing_owed")
        assert refusal.clauses == ()


@pytest.mark.clause("NJ-PB:3.3(c)3.i#2", "NJ-PB:3.3(c)3.i#3")
def test_the_form_records_amount_gaming_date_pit_table_and_patron() -> None:
    session = owing()
    banker_wins(session, (1, 30_000))
    prepared = only(session.execute(form()), FormPrepared)
    # Five percent of 100 and of 300 dollars.
    assert prepared.cents == 2_000
    assert (prepared.gaming_date, prepared.pit, prepared.table) == (
        date(2011, 3, 5),
        "12",
        "PB-1204",
    )
    assert prepared.patron == "Patron 1"
    listed = ("amount", "gaming date", "pit", "table", "patron")
    assert session.rules.value("forms.fields", tuple) == listed
    assert prepared.clauses == tuple(f"NJ-PB:3.3(c)3.i#{number}" for number in (1, 2, 3, 4))


@pytest.mark.clause("NJ-PB:3.3(c)3.i#3")
@pytest.mark.parametrize("unsigned", [form(dealer=""), form(pit_boss="")], ids=["dealer", "boss"])
def test_dealer_pit_boss_and_pit_clerk_sign_the_form(unsigned: acts.PrepareForm) -> None:
    refusal = refused(owing(), unsigned, "signatures")
    assert refusal.clauses == ("NJ-PB:3.3(c)3.i#3",)
    assert refusal.message.endswith("dealer, pit boss, pit clerk")
    prepared = only(owing().execute(form()), FormPrepared)
    assert (prepared.dealer, prepared.pit_boss, prepared.pit_clerk) == ("Petra", "Bo", "Clark")


@pytest.mark.clause("NJ-PB:3.3(c)3.i#4")
def test_the_patron_signs_the_form_or_a_statement_says_why_he_could_not() -> None:
    without = form(patron_signed=False)
    refusal = refused(owing(), without, "patron_signature")
    assert refusal.clauses == ("NJ-PB:3.3(c)3.i#4",)
    stated = only(
        owing().execute(replace(without, statement="left in haste", stated_by="Petra")),
        FormPrepared,
    )
    assert (stated.patron_signed, stated.statement) == (False, "left in haste")
    assert "NJ-PB:3.3(c)3.i#4" in stated.clauses


# --- (c)3.ii: the series -----------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(c)3.ii#1")
def test_the_serial_numbers_of_all_forms_received_are_accounted_for() -> None:
    received = only(ready().execute(acts.ReceiveForms("Clark", 101, 103)), FormsReceived)
    assert (received.first, received.last, received.clauses) == (101, 103, SERIES)
    session = with_form()
    session.execute(acts.VoidForm(102, "Clark", "Bo"))
    session.execute(DROP)
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void, forwarded.unused) == ((101,), (102,), (103,))
    assert "NJ-PB:3.3(c)3.ii#1" in forwarded.clauses


@pytest.mark.clause("NJ-PB:3.3(c)3.ii#2")
def test_nobody_but_the_pit_clerk_who_holds_them_has_access_to_unused_forms() -> None:
    session = owing()
    for command in (form(pit_clerk="Cleo"), acts.VoidForm(101, "Cleo", "Bo")):
        assert "NJ-PB:3.3(c)3.ii#2" in refused(session, command, "custody").clauses
    nobody = refused(ready(), acts.ReceiveForms("", 101, 103), "custody")
    assert "NJ-PB:3.3(c)3.ii#2" in nobody.clauses


@pytest.mark.clause("NJ-PB:3.3(c)3.ii#3")
@pytest.mark.parametrize("serial", [100, 102, 104])
def test_forms_are_used_in_sequence(serial: int) -> None:
    session = owing()
    assert "NJ-PB:3.3(c)3.ii#3" in refused(session, form(serial), "sequence").clauses
    session.execute(form(101))
    banker_wins(session, (2, 10_000))
    refused(session, form(101, seat=2), "sequence")
    session.execute(form(102, seat=2))


# --- (c)3.iii, iv and vi: the original, the duplicate, the void Form ---------------------------


@pytest.mark.clause("NJ-PB:3.3(c)3.iii")
def test_the_dealer_drops_the_original_before_those_who_signed_it() -> None:
    session = with_form()
    for pit_boss, pit_clerk in (("Bea", "Clark"), ("Bo", "Cleo"), ("", "")):
        refusal = refused(session, acts.DropForm(101, pit_boss, pit_clerk), "witnesses")
        assert refusal.clauses == ("NJ-PB:3.3(c)3.iii",)
    undropped = refused(session, acts.EndGamingDay("Clark"), "undropped")
    assert undropped.clauses == ("NJ-PB:3.3(c)3.iii",)
    assert only(session.execute(DROP), FormDropped).clauses == ("NJ-PB:3.3(c)3.iii",)
    refused(session, DROP, "no_original")


@pytest.mark.clause("NJ-PB:3.3(c)3.iv")
def test_the_pit_clerk_keeps_and_forwards_the_duplicate_and_accounting_compares_it() -> None:
    session = with_form()
    session.execute(DROP)
    refusal = refused(session, acts.EndGamingDay("Cleo"), "custody")
    assert refusal.clauses == ("NJ-PB:3.3(c)3.iv",)
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.pit_clerk, forwarded.duplicates) == ("Clark", (101,))
    compared = only(session.execute(acts.CompareForms((102,))), FormsCompared)
    assert (compared.matched, compared.without_original) == ((), (101,))
    assert compared.without_duplicate == (102,)
    assert compared.clauses == ("NJ-PB:3.3(c)3.iv",)


@pytest.mark.clause("NJ-PB:3.3(c)3.iv")
def test_the_next_gaming_day_does_not_begin_before_the_duplicates_are_forwarded() -> None:
    session = with_form()
    session.execute(DROP)
    for seat in (1, 2):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    again = acts.OpenTable(100_000_000, "Dana", "Flo", date(2011, 3, 6))
    assert refused(session, again, "gaming_day").clauses == ("NJ-PB:3.3(c)3.iv",)
    session.execute(acts.EndGamingDay("Clark"))
    session.execute(again)


@pytest.mark.clause("NJ-PB:3.3(c)3.vi")
def test_a_void_form_is_signed_by_pit_boss_and_pit_clerk_kept_and_forwarded() -> None:
    session = owing()
    unsigned = refused(session, acts.VoidForm(101, "Clark", ""), "signatures")
    assert unsigned.clauses == ("NJ-PB:3.3(c)3.vi",)
    voided = only(session.execute(acts.VoidForm(101, "Clark", "Bo")), FormVoided)
    assert (voided.pit_boss, voided.pit_clerk) == ("Bo", "Clark")
    assert voided.clauses == ("NJ-PB:3.3(c)3.vi",)
    # It documents nothing: the marker still lies there.
    assert session.state.seats[1].owed_cents == 500
    forwarded = only(session.execute(acts.EndGamingDay("Clark")), DuplicatesForwarded)
    assert (forwarded.duplicates, forwarded.void) == ((), (101,))
    assert "NJ-PB:3.3(c)3.vi" in forwarded.clauses


# --- (c)3.vii: the complimentary ---------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(c)3.vii")
def test_vigorish_that_was_documented_is_recorded_as_a_cash_complimentary_to_that_patron() -> None:
    session = with_form()
    session.execute(DROP)
    recorded = only(session.execute(acts.EndGamingDay("Clark")), ComplimentaryRecorded)
    assert (recorded.patron, recorded.cents) == ("Patron 1", 500)
    assert recorded.clauses == ("NJ-PB:3.3(c)3.vii",)
    assert session.ledger.balance("complimentary:Patron 1") == 500
    again = acts.EndGamingDay("Clark", "Sue", "the table stays open")
    assert not every(session.execute(again), ComplimentaryRecorded)
