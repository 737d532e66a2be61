"""5324.21(c)(5), (c)(7) and (i)(3): notice of a change, and what tables have in common."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import ElectionsAdopted, OtherTable
from croupier.law.elect import ErrorDetail
from croupier.rules import TableLayout, TableRules, pit_errors
from croupier.table import Refusal
from croupier.table.pit import (
    AdmitOtherGame,
    AdmitTable,
    ChangeElections,
    ElectionsChanged,
    PitState,
    decide_pit,
    evolve_pit,
)
from support.new_york import ny, ready, rules_of
from support.pits import Pit, change
from support.table import only, refused

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

NOON: Final = datetime(2024, 11, 2, 12, tzinfo=UTC)
LATER: Final = NOON + timedelta(seconds=1)
SCHEME: Final = "vigorish.scheme"
PAYTABLE: Final = "wagers.bonus.paytable"
ORDER: Final = "settlement.order"
BOTH: Final = ("patrons", "commission")
TAKES_VIGORISH: Final = ("5%", "4%", "tie-25%")


def table(scheme: str = "5%", where: tuple[str, str] = ("1", "1"), **elections: Any) -> TableRules:
    """Rules of a table in a pit, with what else its scheme asks for."""
    if scheme == "six-pays-half":
        elections["vigorish__posting"] = "approved sign"
    pit, name = where
    return rules_of(TableLayout(pit=pit, table=name), vigorish__scheme=scheme, **elections)


def midi(scheme: str = "5%", where: tuple[str, str] = ("2", "9")) -> TableRules:
    return table(scheme, where, game="midi", deal__option="hand-over")


def pit_of(*tables: TableRules) -> Pit:
    pit = Pit(noon=NOON)
    for number, rules in enumerate(tables, start=1):
        pit.execute(AdmitTable(f"MN-{number}", rules, NOON - timedelta(hours=1)))
    return pit


def told(errors: tuple[ErrorDetail, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(detail.where, detail.clauses) for detail in errors]


# --- (c)(5): notice of vigorish ----------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
def test_a_higher_percentage_needs_notice_to_the_patrons_and_to_the_commission() -> None:
    pit = pit_of(table("4%"), table("4%"))
    raised = change(SCHEME, "5%", LATER)
    refusal = pit.refuses(raised, "notice", *ny("(c)(5)#1"))
    assert refusal.message.endswith("before: patrons, commission")
    pit.tell(SCHEME, "5%", "patrons")
    assert pit.refuses(raised, "notice", *ny("(c)(5)#1")).message.endswith("before: commission")
    pit.tell(SCHEME, "5%", "commission")
    event = pit.execute(raised)
    assert pit.elected(SCHEME) == ["5%", "5%"]
    assert event.clauses == ny("(c)(5)#2", "(c)(5)#1")


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
def test_a_lower_percentage_needs_none() -> None:
    pit = pit_of(table("5%"))
    pit.execute(change(SCHEME, "4%", NOON))
    assert pit.elected(SCHEME) == ["4%"]


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
@pytest.mark.parametrize(
    ("before", "after", "also"),
    [
        ("5%", "tie-25%", {}),
        ("tie-25%", "4%", {"vigorish.rounded": False, "vigorish.collection": "at-once"}),
        ("5%", "dragon-7", {"wagers.dragon_7.pays": "40:1"}),
        (
            "4%",
            "six-pays-half",
            {"vigorish.posting": "approved sign", "wagers.banker.pays_on_six": "1:2"},
        ),
    ],
)
def test_another_kind_of_vigorish_needs_notice(
    before: str, after: str, also: dict[str, str | bool | int]
) -> None:
    pit = pit_of(table(before))
    the_change = change(SCHEME, after, LATER, also)
    pit.refuses(the_change, "notice", *ny("(c)(5)#1"))
    pit.tell(SCHEME, after, *BOTH)
    pit.execute(the_change)
    assert pit.elected(SCHEME) == [after]


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
def test_notice_at_the_very_moment_of_the_change_is_too_late() -> None:
    pit = pit_of(table("4%"))
    pit.tell(SCHEME, "5%", *BOTH, at=NOON)
    pit.refuses(change(SCHEME, "5%", NOON), "notice", *ny("(c)(5)#1"))
    pit.execute(change(SCHEME, "5%", LATER))


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
def test_the_first_vigorish_of_a_table_is_no_change() -> None:
    assert pit_of(table("5%")).elected(SCHEME) == ["5%"]
    # Nor is that of an EZ table that comes to stand beside one with vigorish.
    assert pit_of(table("5%"), table("dragon-7")).elected(SCHEME) == ["5%", "dragon-7"]


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#1")
def test_at_the_table_a_change_of_vigorish_waits_for_both_to_be_told() -> None:
    session = ready(1, vigorish__scheme="4%")
    raised = acts.AdoptElections({SCHEME: "5%"})
    for to in BOTH:
        assert refused(session, raised, "notice").clauses == ny("(c)(5)#1")
        session.execute(acts.RecordNotice({SCHEME: "5%"}, to, NOON))
    changed = only(session.execute(raised), ElectionsAdopted)
    assert changed.elections == {SCHEME: "5%"}
    assert [one.to for one in changed.notices] == list(BOTH)
    assert session.rules.value(SCHEME, str) == "5%"


# --- (c)(5): one kind and rate at each table ---------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_all_tables_of_the_licensee_take_vigorish_of_one_kind_and_rate() -> None:
    tables = [table("5%"), table("5%", ("3", "4")), midi("5%")]
    assert pit_errors(tables, across="licensee") == ()
    # Mini in one pit, midi in another: each table of both games is meant.
    (detail,) = pit_errors([*tables, midi("4%", ("7", "2"))], across="licensee")
    assert (detail.where, detail.clauses) == (SCHEME, ny("(c)(5)#2"))
    assert detail.message == (
        "vigorish has the same kind and rate at every mini and midi table that charges any; but: 5% at"
        " table 1 (Default elections) and table 4 (Default elections) and table 9 (Default elections); 4%"
        " at table 2 (Default elections)"
    )


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
@pytest.mark.parametrize("one", TAKES_VIGORISH)
@pytest.mark.parametrize("other", TAKES_VIGORISH)
def test_two_kinds_or_rates_are_one_too_many(one: str, other: str) -> None:
    errors = told(pit_errors([table(one), midi(other)], across="licensee"))
    assert errors == ([] if one == other else [(SCHEME, ny("(c)(5)#2"))])


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2", "NY-MINIMIDI:(c)(6)#1")
@pytest.mark.parametrize("without", ["six-pays-half", "dragon-7"])
def test_tables_that_take_no_vigorish_stand_beside(without: str) -> None:
    tables = [table("5%"), midi(without), table("six-pays-half"), table("dragon-7")]
    assert pit_errors(tables, across="licensee") == ()


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_in_one_pit_it_binds_too() -> None:
    pit = pit_of(table("5%"))
    pit.refuses(AdmitTable("MN-2", midi("4%"), NOON), "not_uniform", *ny("(c)(5)#2"))
    pit.execute(AdmitTable("MN-2", midi("5%"), NOON))
    # A change reaches every table, mini and midi, and leaves them alike.
    pit.execute(change(SCHEME, "4%", NOON))
    assert pit.elected(SCHEME) == ["4%", "4%"]
    event = pit.execute(AdmitTable("EZ-1", table("dragon-7"), NOON))
    assert "NY-MINIMIDI:(c)(5)#2" not in event.clauses


# --- (c)(7): notice of another pay table -------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#2")
@pytest.mark.parametrize(("before", "after"), [("A", "B"), ("B", "C"), ("C", "A")])
def test_another_pay_table_named_by_its_letter_needs_notice_to_the_commission(
    before: str, after: str
) -> None:
    pit = pit_of(table(wagers__bonus__offered=True, wagers__bonus__paytable=before))
    the_change = change(PAYTABLE, after, LATER)
    refusal = pit.refuses(the_change, "notice", *ny("(c)(7)#2"))
    assert refusal.message.endswith("before: commission")
    pit.tell(PAYTABLE, before, "commission")
    pit.tell(PAYTABLE, after, "patrons")
    pit.refuses(the_change, "notice", *ny("(c)(7)#2"))
    pit.tell(PAYTABLE, after, "commission")
    event = pit.execute(the_change)
    assert isinstance(event, ElectionsChanged)
    assert event.clauses == ny("(c)(7)#2")
    law = rules_of().law
    assert pit.elected(PAYTABLE) == [law.rules[f"{PAYTABLE}.{after}"].value]
    # That notice is spent: to go back and forth is another change.
    back = change(PAYTABLE, before, LATER)
    pit.tell(PAYTABLE, before, "commission", at=LATER)
    pit.refuses(back, "notice", *ny("(c)(7)#2"))


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#2")
def test_the_first_pay_table_needs_no_notice() -> None:
    pit = pit_of(table())
    bonus = {"wagers.bonus.on": "either-hand", PAYTABLE: "B"}
    pit.execute(change("wagers.bonus.offered", value=True, at=NOON, also=bonus))


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#1")
def test_tables_need_not_pay_the_bonus_alike() -> None:
    tables = [
        table(wagers__bonus__offered=True, wagers__bonus__paytable=letter) for letter in "ABC"
    ]
    assert pit_errors(tables) == ()


# --- (i)(3): one order of settlement in a pit --------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(i)(3)", "NY-MINIMIDI:(i)(3)(i)")
def test_mini_and_midi_tables_of_a_pit_settle_in_the_same_order() -> None:
    pit = pit_of(table(settlement__order="payments-first"))
    other = rules_of(game="midi", deal__option="hand-over", settlement__order="vigorish-first")
    pit.refuses(AdmitTable("MD-1", other, NOON), "not_uniform", *ny("(i)(3)(i)"))
    same = rules_of(game="midi", deal__option="hand-over", settlement__order="payments-first")
    event = pit.execute(AdmitTable("MD-1", same, NOON))
    assert "NY-MINIMIDI:(i)(3)(i)" in event.clauses


@pytest.mark.clause("NY-MINIMIDI:(i)(3)(i)")
def test_in_another_pit_another_order_is_used() -> None:
    tables = [
        table("5%", ("1", "1"), settlement__order="payments-first"),
        table("5%", ("2", "2"), settlement__order="vigorish-first"),
    ]
    assert told(pit_errors(tables)) == [(ORDER, ny("(i)(3)(i)"))]
    assert pit_errors(tables, across="licensee") == ()


@pytest.mark.clause("NY-MINIMIDI:(i)(3)(i)", "NY-MINIMIDI:(i)(2)#2")
def test_an_ez_table_has_no_order_to_have_in_common() -> None:
    pit = pit_of(table(settlement__order="payments-first"), table("dragon-7"))
    assert pit.elected(ORDER) == ["payments-first", None]


@pytest.mark.clause("NY-MINIMIDI:(i)(3)(i)")
def test_a_change_of_the_order_reaches_every_table_of_the_pit() -> None:
    pit = pit_of(table(), table(), table("dragon-7"))
    event = pit.execute(change(ORDER, "vigorish-first", NOON))
    assert event.clauses == ny("(i)(3)(i)")
    assert pit.elected(ORDER) == ["vigorish-first", "vigorish-first", None]


@pytest.mark.clause("NY-MINIMIDI:(i)(3)(ii)")
def test_beside_a_baccarat_table_its_order_is_used() -> None:
    baccarat = AdmitOtherGame("BC-1", "baccarat", {ORDER: "vigorish-first"}, NOON)
    pit = pit_of(table(settlement__order="payments-first"))
    refusal = pit.refuses(baccarat, "not_uniform", *ny("(i)(3)(ii)"))
    assert "settles in the order of the baccarat table" in refusal.message

    pit = pit_of(table(settlement__order="vigorish-first"))
    assert "NY-MINIMIDI:(i)(3)(ii)" in pit.execute(baccarat).clauses
    away = change(ORDER, "payments-first", NOON)
    pit.execute(away)
    # Both games changed together, for the order of the pit is that of its baccarat table.
    assert pit.elected(ORDER) == ["payments-first", "payments-first"]
    later = AdmitTable("MN-2", table(settlement__order="vigorish-first"), NOON)
    pit.refuses(later, "not_uniform", *ny("(i)(3)(i)", "(i)(3)(ii)"))


@pytest.mark.clause("NY-MINIMIDI:(i)(3)(ii)")
def test_a_table_of_any_other_game_binds_nothing() -> None:
    pit = pit_of(table(settlement__order="payments-first"))
    for game in ("minibaccarat", "blackjack"):
        pit.execute(AdmitOtherGame(game, game, {ORDER: "vigorish-first"}, NOON))


def admitted() -> PitState:
    """Pit 1 with table M."""
    pit = PitState()
    events = decide_pit(pit, AdmitTable("M", table("5%", ("1", "M")), NOON))
    assert not isinstance(events, Refusal)
    for event in events:
        pit = evolve_pit(pit, event)
    return pit


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
@pytest.mark.parametrize("law", ["us-ny/mini-midi-baccarat", "us-ny/mini-midi-baccarat@2021-06-02"])
def test_a_table_of_another_pit_binds_whether_its_law_is_named_with_its_date_or_not(
    law: str,
) -> None:
    session = ready(1, layout=TableLayout(pit="1", table="M"), vigorish__scheme="5%")
    other = OtherTable("D", "mini-midi-baccarat", {SCHEME: "5%"}, "3", law)
    change_to_4 = acts.AdoptElections({SCHEME: "4%"}, {}, None, (other,))
    assert refused(session, change_to_4, "not_uniform").clauses == ny("(c)(5)#2")
    pit = admitted()
    moved = ChangeElections(("M",), {SCHEME: "4%"}, LATER, beside=(other,))
    answer = decide_pit(pit, moved)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.clauses) == ("not_uniform", ny("(c)(5)#2"))


def test_a_law_that_its_jurisdiction_does_not_have_is_refused_and_not_skipped() -> None:
    other = OtherTable("D", "mini-midi-baccarat", {SCHEME: "5%"}, "3", "us-ny/midi-bacarat")
    session = ready(1, layout=TableLayout(pit="1", table="M"), vigorish__scheme="5%")
    change_to_4 = acts.AdoptElections({SCHEME: "4%"}, {}, None, (other,))
    assert (
        "us-ny/midi-bacarat is not a law of us-ny"
        in refused(session, change_to_4, "not_uniform").message
    )
    pit = admitted()
    answer = decide_pit(pit, ChangeElections(("M",), {SCHEME: "4%"}, LATER, beside=(other,)))
    assert isinstance(answer, Refusal)
    assert answer.code == "law"
