"""What the tables of a pit must have in common, and who must be told before a change."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.acts import AdoptElections, RecordNotice
from croupier.rules import TableLayout, TableRules
from croupier.table.pit import (
    AdmitOtherGame,
    AdmitTable,
    ChangeElections,
    ElectionsChanged,
    GiveNotice,
    TableAdmitted,
    WithdrawTable,
)
from support.logs import recorded
from support.pits import Pit, change
from support.table import MINIBACCARAT, rules_of
from support.verified import verify_log

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NOON = datetime(2011, 2, 22, 12, tzinfo=UTC)
ORDER = "settlement.order"
RESHUFFLE = "shuffle.reshuffle"
SCHEME = "vigorish.scheme"
PLAIN_ORDER = "payment-then-vigorish"
BOTH = ("surveillance", "Commission")
ON, OFF = True, False
Written = str | bool


def after(minutes: int = 0, seconds: int = 0) -> datetime:
    return NOON + timedelta(minutes=minutes, seconds=seconds)


def pit_of(*tables: TableRules) -> Pit:
    """Return a pit whose tables came into use well before noon, after all due notice."""
    pit = Pit()
    early = NOON - timedelta(hours=2)
    pit.tell(ORDER, tables[0].value(ORDER, str), *BOTH, at=early)
    if tables[0].elected(RESHUFFLE, ON):
        pit.tell(RESHUFFLE, ON, *BOTH, at=early)
    for number, rules in enumerate(tables, start=1):
        pit.execute(AdmitTable(f"MB-{number}", rules, early + timedelta(hours=1)))
    assert pit.state.notices == ()
    return pit


# --- 7.5(c): the finish of the shuffle is the pit's --------------------------------------------


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_table_that_finishes_the_shuffle_otherwise_is_not_admitted() -> None:
    pit = pit_of(rules_of(shuffle__finish="lace"))
    feathered = AdmitTable("MB-2", rules_of(shuffle__finish="feather"), NOON)
    refusal = pit.refuses(feathered, "not_uniform", "NJ-MINI:7.5(c)")
    assert "lace at table MB-1" in refusal.message
    assert "feather at table MB-2" in refusal.message


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_table_that_finishes_the_shuffle_alike_is_admitted() -> None:
    pit = pit_of(rules_of(shuffle__finish="feather"))
    event = pit.execute(AdmitTable("MB-2", rules_of(shuffle__finish="feather"), NOON))
    assert pit.elected("shuffle.finish") == ["feather", "feather"]
    assert "NJ-MINI:7.5(c)" in event.clauses


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_change_of_the_finish_reaches_every_table_of_the_pit() -> None:
    pit = pit_of(rules_of(), rules_of(decks=6), rules_of(device="shuffler", decks=16))
    event = pit.execute(change("shuffle.finish", "feather", NOON))
    assert isinstance(event, ElectionsChanged)
    assert pit.elected("shuffle.finish") == ["feather", "feather", "feather"]
    assert pit.elected("decks") == [8, 6, 16]
    # Feathering leaves no room for the reshuffle after lacing.
    assert pit.elected(RESHUFFLE) == [None, None, None]
    assert event.clauses == ("NJ-MINI:7.5(c)",)


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_table_whose_device_shuffles_has_no_finish_to_change() -> None:
    pit = pit_of(rules_of(), rules_of(device="continuous", device__approval="on file"))
    pit.execute(change("shuffle.finish", "feather", NOON))
    assert pit.elected("shuffle.finish") == ["feather", None]


# --- 7.5(b)2.ii: notice of the reshuffle after lacing ------------------------------------------

RESHUFFLE_ON = change(RESHUFFLE, value=ON, at=after(30))


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_the_reshuffle_begins_thirty_minutes_after_notice() -> None:
    pit = pit_of(rules_of(), rules_of())
    pit.tell(RESHUFFLE, ON, *BOTH)
    event = pit.execute(RESHUFFLE_ON)
    assert pit.elected(RESHUFFLE) == [True, True]
    assert set(event.clauses) == {"NJ-MINI:7.5(b)2.ii", "NJ-MINI:7.5(c)"}


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_a_second_less_than_thirty_minutes_is_too_soon() -> None:
    pit = pit_of(rules_of())
    pit.tell(RESHUFFLE, ON, *BOTH)
    early = change(RESHUFFLE, value=ON, at=after(29, 59))
    pit.refuses(early, "notice", "NJ-MINI:7.5(b)2.ii")
    assert pit.elected(RESHUFFLE) == [False]


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
@pytest.mark.parametrize(("told", "missing"), [BOTH, BOTH[::-1]])
def test_both_must_be_told_of_the_reshuffle(told: str, missing: str) -> None:
    pit = pit_of(rules_of())
    pit.tell(RESHUFFLE, ON, told)
    refusal = pit.refuses(RESHUFFLE_ON, "notice", "NJ-MINI:7.5(b)2.ii")
    assert refusal.message.endswith(f"before: {missing}")


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_both_must_be_told_in_time() -> None:
    pit = pit_of(rules_of())
    pit.tell(RESHUFFLE, ON, "surveillance")
    pit.tell(RESHUFFLE, ON, "Commission", at=after(seconds=1))
    pit.refuses(RESHUFFLE_ON, "notice", "NJ-MINI:7.5(b)2.ii")
    pit.execute(change(RESHUFFLE, value=ON, at=after(30, 1)))


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_giving_up_the_reshuffle_needs_notice_too() -> None:
    pit = pit_of(rules_of(shuffle__reshuffle=True))
    given_up = change(RESHUFFLE, value=OFF, at=after(30))
    pit.refuses(given_up, "notice", "NJ-MINI:7.5(b)2.ii")
    pit.tell(RESHUFFLE, OFF, *BOTH)
    pit.execute(given_up)
    assert pit.elected(RESHUFFLE) == [False]


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_a_change_to_feathering_gives_up_the_reshuffle() -> None:
    pit = pit_of(rules_of(shuffle__reshuffle=True))
    feather = change("shuffle.finish", "feather", after(30))
    pit.refuses(feather, "notice", "NJ-MINI:7.5(b)2.ii")
    pit.tell(RESHUFFLE, OFF, *BOTH)
    pit.execute(feather)
    assert pit.elected("shuffle.finish") == ["feather"]


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_a_table_that_takes_up_the_reshuffle_needs_notice() -> None:
    pit = Pit()
    pit.tell(ORDER, PLAIN_ORDER, *BOTH)
    admit = AdmitTable("MB-1", rules_of(shuffle__reshuffle=True), after(30))
    pit.refuses(admit, "notice", "NJ-MINI:7.5(b)2.ii")
    pit.tell(RESHUFFLE, ON, *BOTH)
    pit.execute(AdmitTable("MB-1", rules_of(shuffle__reshuffle=True), after(30)))


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_lacing_without_the_reshuffle_needs_no_notice() -> None:
    pit = pit_of(rules_of(shuffle__finish="feather"))
    pit.execute(change("shuffle.finish", "lace", NOON, {RESHUFFLE: OFF}))
    assert pit.elected("shuffle.finish") == ["lace"]


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_lacing_with_the_reshuffle_needs_notice() -> None:
    pit = pit_of(rules_of(shuffle__finish="feather"))
    lace = change("shuffle.finish", "lace", after(30), {RESHUFFLE: ON})
    pit.refuses(lace, "notice", "NJ-MINI:7.5(b)2.ii")
    pit.tell(RESHUFFLE, ON, *BOTH)
    pit.execute(lace)
    assert pit.elected(RESHUFFLE) == [True]


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
def test_a_notice_serves_one_change() -> None:
    pit = pit_of(rules_of())
    pit.tell(RESHUFFLE, ON, *BOTH)
    pit.execute(RESHUFFLE_ON)
    pit.tell(RESHUFFLE, OFF, *BOTH, at=after(30))
    pit.execute(change(RESHUFFLE, value=OFF, at=after(60)))
    again = change(RESHUFFLE, value=ON, at=after(120))
    pit.refuses(again, "notice", "NJ-MINI:7.5(b)2.ii")


# --- 7.10(c)1 and 7.10(c)2: the order of settlement is the pit's -------------------------------


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_table_that_settles_in_another_order_is_not_admitted() -> None:
    pit = pit_of(rules_of(settlement__order="payments-first"))
    pit.tell(ORDER, "vigorish-first", *BOTH)
    other = AdmitTable("MB-2", rules_of(settlement__order="vigorish-first"), after(30))
    pit.refuses(other, "not_uniform", "NJ-MINI:7.10(c)1")


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_change_of_the_order_reaches_every_table_of_the_pit() -> None:
    pit = pit_of(rules_of(), rules_of(vigorish__scheme="tie-25%"))
    pit.tell(ORDER, "vigorish-first", *BOTH)
    event = pit.execute(change(ORDER, "vigorish-first", after(30)))
    assert pit.elected(ORDER) == ["vigorish-first", "vigorish-first"]
    assert pit.elected(SCHEME) == ["5%", "tie-25%"]
    assert set(event.clauses) == {"NJ-MINI:7.10(c)1", "NJ-MINI:7.10(c)3"}


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_table_that_left_the_pit_binds_nobody() -> None:
    pit = pit_of(rules_of(settlement__order="payments-first"))
    pit.tell(ORDER, "vigorish-first", *BOTH)
    pit.execute(WithdrawTable("MB-1"))
    pit.execute(AdmitTable("MB-2", rules_of(settlement__order="vigorish-first"), after(30)))
    assert pit.elected(ORDER) == ["vigorish-first"]


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_beside_punto_banco_a_table_settles_in_its_order() -> None:
    pit = Pit()
    pit.tell(ORDER, "vigorish-first", *BOTH)
    pit.tell(ORDER, PLAIN_ORDER, *BOTH)
    pit.execute(AdmitOtherGame("PB-1", "punto-banco", {ORDER: "vigorish-first"}, NOON))
    departing = AdmitTable("MB-1", rules_of(), after(30))
    refusal = pit.refuses(departing, "not_uniform", "NJ-MINI:7.10(c)2")
    assert "vigorish-first at table PB-1" in refusal.message
    following = rules_of(settlement__order="vigorish-first")
    event = pit.execute(AdmitTable("MB-1", following, after(30)))
    assert "NJ-MINI:7.10(c)2" in event.clauses


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_a_punto_banco_table_comes_only_where_its_order_is_used() -> None:
    pit = pit_of(rules_of())
    other = AdmitOtherGame("PB-1", "punto-banco", {ORDER: "payments-first"}, NOON)
    pit.refuses(other, "not_uniform", "NJ-MINI:7.10(c)2")
    pit.execute(AdmitOtherGame("PB-1", "punto-banco", {ORDER: PLAIN_ORDER}, NOON))
    assert list(pit.state.tables) == ["MB-1", "PB-1"]


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_tables_of_a_third_game_bind_nobody_and_are_not_bound() -> None:
    pit = pit_of(rules_of())
    for number, order in enumerate(("payments-first", "vigorish-first")):
        pit.execute(AdmitOtherGame(f"PG-{number}", "pai-gow", {ORDER: order}, NOON))
    assert list(pit.state.tables) == ["MB-1", "PG-0", "PG-1"]


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_a_change_of_the_order_takes_the_punto_banco_table_with_it() -> None:
    pit = pit_of(rules_of())
    pit.execute(AdmitOtherGame("PB-1", "punto-banco", {ORDER: PLAIN_ORDER}, NOON))
    pit.tell(ORDER, "payments-first", *BOTH)
    event = pit.execute(change(ORDER, "payments-first", after(30)))
    assert pit.elected(ORDER) == ["payments-first", "payments-first"]
    assert "NJ-MINI:7.10(c)2" in event.clauses


# --- 7.10(c)3: notice of the order of settlement -----------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(c)3")
@pytest.mark.parametrize(
    ("moment", "admitted"), [(after(29, 59), False), (after(30), True), (after(300), True)]
)
def test_the_first_order_of_a_pit_is_used_thirty_minutes_after_notice(
    moment: datetime, *, admitted: bool
) -> None:
    pit = Pit()
    pit.tell(ORDER, PLAIN_ORDER, *BOTH)
    admit = AdmitTable("MB-1", rules_of(), moment)
    if not admitted:
        pit.refuses(admit, "notice", "NJ-MINI:7.10(c)3")
        return
    event = pit.execute(admit)
    assert isinstance(event, TableAdmitted)
    assert len(event.spent) == 2
    assert "NJ-MINI:7.10(c)3" in event.clauses


@pytest.mark.clause("NJ-MINI:7.10(c)3")
@pytest.mark.parametrize(("moment", "changed"), [(after(29, 59), False), (after(30), True)])
def test_another_order_is_used_thirty_minutes_after_notice(
    moment: datetime, *, changed: bool
) -> None:
    pit = pit_of(rules_of())
    pit.tell(ORDER, "payments-first", *BOTH)
    the_change = change(ORDER, "payments-first", moment)
    if changed:
        pit.execute(the_change)
    else:
        pit.refuses(the_change, "notice", "NJ-MINI:7.10(c)3")
    assert pit.elected(ORDER) == ["payments-first" if changed else PLAIN_ORDER]


@pytest.mark.clause("NJ-MINI:7.10(c)3")
@pytest.mark.parametrize(("told", "missing"), [BOTH, BOTH[::-1]])
def test_both_must_be_told_of_the_order(told: str, missing: str) -> None:
    pit = pit_of(rules_of())
    pit.tell(ORDER, "payments-first", told, "patrons")
    the_change = change(ORDER, "payments-first", after(30))
    refusal = pit.refuses(the_change, "notice", "NJ-MINI:7.10(c)3")
    assert refusal.message.endswith(f"before: {missing}")


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_notice_of_one_order_is_no_notice_of_another() -> None:
    pit = pit_of(rules_of())
    pit.tell(ORDER, "payments-first", *BOTH)
    other = change(ORDER, "vigorish-first", after(30))
    pit.refuses(other, "notice", "NJ-MINI:7.10(c)3")


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_table_that_joins_in_the_order_of_the_pit_needs_no_notice_of_its_own() -> None:
    pit = pit_of(rules_of())
    pit.execute(AdmitTable("MB-2", rules_of(), NOON))
    assert pit.elected(ORDER) == [PLAIN_ORDER, PLAIN_ORDER]


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_thirty_minutes_pass_where_the_clocks_go_forward() -> None:
    """At two the clocks there show three: from 1:45 to 3:14 is twenty-nine minutes."""
    night = Clocks()
    pit = pit_of(rules_of())
    at = datetime(2011, 3, 13, 1, 45, tzinfo=night)
    pit.tell(ORDER, "payments-first", *BOTH, at=at)
    early = change(ORDER, "payments-first", at.replace(hour=3, minute=14))
    pit.refuses(early, "notice", "NJ-MINI:7.10(c)3")
    pit.execute(change(ORDER, "payments-first", at.replace(hour=3, minute=15)))


class Clocks(tzinfo):
    """Five hours behind UTC, and four from two in the morning of 13 March 2011."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        assert moment is not None
        forward = moment.replace(tzinfo=None) >= datetime(2011, 3, 13, 2)  # noqa: DTZ001
        return timedelta(hours=-4 if forward else -5)

    def dst(self, moment: datetime | None) -> timedelta:
        return self.utcoffset(moment) + timedelta(hours=5)

    def tzname(self, moment: datetime | None) -> str:
        return str(self.utcoffset(moment))


# --- 7.3(e)#1 and 7.3(f)#2: notice of vigorish to patrons --------------------------------------

CHANGED, UNCHARGED = "NJ-MINI:7.3(e)#1", "NJ-MINI:7.3(f)#2"


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
def test_an_increase_of_vigorish_needs_notice_to_patrons() -> None:
    pit = pit_of(rules_of(vigorish__scheme="4%"))
    pit.tell(SCHEME, "5%", *BOTH)
    refusal = pit.refuses(change(SCHEME, "5%", after(60)), "notice", CHANGED)
    assert refusal.message.endswith("before: patrons")
    pit.tell(SCHEME, "5%", "patrons")
    event = pit.execute(change(SCHEME, "5%", after(seconds=1)))
    assert pit.elected(SCHEME) == ["5%"]
    assert "NJ-MINI:7.3(e)#1" in event.clauses


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
def test_notice_at_the_moment_of_the_increase_is_not_before_it() -> None:
    pit = pit_of(rules_of(vigorish__scheme="4%"))
    pit.tell(SCHEME, "5%", "patrons")
    pit.refuses(change(SCHEME, "5%", NOON), "notice", CHANGED)


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
def test_a_decrease_of_vigorish_needs_no_notice() -> None:
    pit = pit_of(rules_of(vigorish__scheme="5%"))
    pit.execute(change(SCHEME, "4%", NOON))
    assert pit.elected(SCHEME) == ["4%"]


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
@pytest.mark.parametrize(("before", "then"), [("5%", "tie-25%"), ("tie-25%", "4%")])
def test_a_change_in_the_kind_of_vigorish_needs_notice(before: str, then: str) -> None:
    pit = pit_of(rules_of(vigorish__scheme=before))
    also: dict[str, Written] = (
        {"vigorish.rounded": False, "vigorish.collection": "at-once"} if then == "4%" else {}
    )
    the_change = change(SCHEME, then, after(1), also)
    pit.refuses(the_change, "notice", CHANGED)
    pit.tell(SCHEME, then, "patrons")
    pit.execute(the_change)
    assert pit.elected(SCHEME) == [then]


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
@pytest.mark.parametrize(("before", "then", "needed"), [("4%", "5%", True), ("5%", "4%", False)])
def test_the_rate_of_those_who_earn_no_waiver_is_a_rate_too(
    before: str, then: str, *, needed: bool
) -> None:
    total_cards = rules_of(
        vigorish__scheme="total-cards",
        wagers__total_cards__offered=True,
        vigorish__rate_unwaived=before,
    )
    pit = pit_of(total_cards)
    the_change = change("vigorish.rate_unwaived", then, after(1))
    if needed:
        pit.refuses(the_change, "notice", CHANGED)
        pit.tell("vigorish.rate_unwaived", then, "patrons")
    pit.execute(the_change)


@pytest.mark.clause("NJ-MINI:7.3(f)#2")
def test_play_without_vigorish_on_ones_own_terms_needs_notice() -> None:
    pit = pit_of(rules_of())
    the_change = change(SCHEME, "six-pays-half", after(1))
    pit.refuses(the_change, "notice", UNCHARGED)
    pit.tell(SCHEME, "six-pays-half", "patrons")
    event = pit.execute(the_change)
    assert pit.elected(SCHEME) == ["six-pays-half"]
    # There is no vigorish left to be rounded.
    assert pit.elected("vigorish.rounded") == [None]
    assert "NJ-MINI:7.3(f)#2" in event.clauses


@pytest.mark.clause("NJ-MINI:7.3(f)#2")
def test_the_waiver_for_total_cards_needs_notice() -> None:
    pit = pit_of(rules_of(wagers__total_cards__offered=True))
    the_change = change(SCHEME, "total-cards", after(1), {"vigorish.rate_unwaived": "5%"})
    pit.refuses(the_change, "notice", UNCHARGED)
    pit.tell(SCHEME, "total-cards", "patrons")
    pit.execute(the_change)
    assert pit.elected(SCHEME) == ["total-cards"]
    assert pit.elected("vigorish.rate_unwaived") == [Fraction(1, 20)]


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
def test_a_table_that_leaves_and_comes_back_has_changed_what_it_charges() -> None:
    pit = pit_of(rules_of(vigorish__scheme="4%"))
    pit.execute(WithdrawTable("MB-1"))
    back = AdmitTable("MB-1", rules_of(vigorish__scheme="5%"), after(1))
    pit.refuses(back, "notice", CHANGED)
    pit.tell(SCHEME, "5%", "patrons")
    pit.execute(back)


@pytest.mark.clause("NJ-MINI:7.3(e)#1")
def test_each_table_may_charge_its_own_vigorish_from_the_start() -> None:
    pit = pit_of(rules_of(vigorish__scheme="5%"))
    pit.execute(AdmitTable("MB-2", rules_of(vigorish__scheme="tie-25%"), NOON))
    assert pit.elected(SCHEME) == ["5%", "tie-25%"]


# --- what else is refused ----------------------------------------------------------------------


def test_an_election_that_the_law_forbids_is_refused_with_its_clauses() -> None:
    pit = pit_of(rules_of())
    forbidden = change("wagers.tie.pays", "7:1", after(1))
    pit.refuses(forbidden, "elections", "NJ-MINI:7.3(b)")


def test_one_table_that_cannot_follow_keeps_all_from_changing() -> None:
    pit = pit_of(rules_of(), rules_of(wagers__bonus__offered=True))
    pit.tell(SCHEME, "dragon-7", "patrons")
    the_change = change(SCHEME, "dragon-7", after(1), {"wagers.dragon_7.pays": "40:1"})
    pit.refuses(the_change, "elections", "NJ-MINI:7.2(a)6.iii")
    assert pit.elected(SCHEME) == ["5%", "5%"]


def test_an_election_that_no_table_has_cannot_be_changed() -> None:
    pit = pit_of(rules_of(shuffle__finish="feather"))
    the_change = ChangeElections(("MB-1",), {RESHUFFLE: ON}, NOON)
    pit.refuses(the_change, "elections", "NJ-MINI:7.5(b)2.i")


def test_a_table_is_admitted_once_and_withdrawn_once() -> None:
    pit = pit_of(rules_of())
    pit.refuses(AdmitTable("MB-1", rules_of(), NOON), "table_known")
    pit.execute(WithdrawTable("MB-1"))
    pit.refuses(WithdrawTable("MB-1"), "no_table")


def test_a_time_without_a_zone_is_refused() -> None:
    Pit().refuses(
        GiveNotice({ORDER: PLAIN_ORDER}, "Commission", NOON.replace(tzinfo=None)), "time_zone"
    )


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_utc_does_not_have_is_refused(at: str) -> None:
    time = datetime.fromisoformat(at)
    pit = Pit()
    pit.refuses(GiveNotice({ORDER: PLAIN_ORDER}, "Commission", time), "time")
    pit.refuses(AdmitTable("MB-1", rules_of(), NOON, time), "time")


def test_a_notice_is_not_backdated() -> None:
    pit = Pit()
    pit.tell(ORDER, PLAIN_ORDER, "surveillance")
    late = NOON.astimezone(timezone(timedelta(hours=2))) - timedelta(seconds=1)
    pit.refuses(GiveNotice({ORDER: PLAIN_ORDER}, "Commission", late), "backdated")


@pytest.mark.clause("NJ-MINI:7.10(c)1")
@pytest.mark.parametrize(("pit", "reported"), [("12", True), ("", False)])
def test_a_change_of_a_table_alone_is_reported_where_its_pit_has_others_to_agree(
    pit: str, tmp_path: Path, *, reported: bool
) -> None:
    path = tmp_path / "table.jsonl"
    rules = rules_of(layout=TableLayout(pit=pit, table="1204"))
    with recorded(path, rules) as record:
        session = MINIBACCARAT.open(rules, record=record)
        session.clock = lambda: after(60)
        for to in BOTH:
            session.execute(RecordNotice({ORDER: "vigorish-first"}, to, NOON))
        session.execute(AdoptElections({ORDER: "vigorish-first"}, at=after(30)))
    verdict = verify_log(path)
    assert verdict.is_clean
    found = [one for one in verdict.findings if one.kind == "pit"]
    assert bool(found) == reported
    if reported:
        assert "settlement.order" in found[0].message
        assert "NJ-MINI:7.10(c)1" in found[0].message
