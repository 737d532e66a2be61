"""19:47-3.3(d) and (e), 3.5(a)1.ii and (b), 3.10(c): what a pit has in common, and its notices."""

from typing import Any

import pytest

from croupier.rules import TableRules, pit_errors
from croupier.table.pit import AdmitTable, TableAdmitted
from support.pits import BOTH, NOON, ORDER, RESHUFFLE, SCHEME, Pit, after, change, pit_of
from support.punto_banco import rules_of
from support.table import rules_of as minibaccarat

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

PLAIN_ORDER = "payment-then-vigorish"
ON, OFF = True, False


# --- 3.5(b): one way of mixing the cards -------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.5(b)")
@pytest.mark.parametrize(
    ("rule_id", "one", "other"),
    [
        ("shuffle.finish", {}, {"shuffle__finish": "three-dealers"}),
        ("shuffle.reshuffle", {}, {"shuffle__reshuffle": True}),
    ],
)
def test_all_tables_of_a_pit_mix_the_cards_alike(
    rule_id: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    tables = (rules_of(**one), rules_of(**other))
    assert [(detail.where, detail.clauses) for detail in pit_errors(tables)] == [
        (rule_id, ("NJ-PB:3.5(b)",))
    ]
    pit = pit_of(tables[0])
    pit.tell(RESHUFFLE, ON, *BOTH)
    pit.refuses(AdmitTable("T-2", tables[1], after(30)), "not_uniform", "NJ-PB:3.5(b)")
    pit.execute(AdmitTable("T-2", rules_of(**one, decks=6), after(30)))


@pytest.mark.clause("NJ-PB:3.5(b)")
def test_a_change_of_the_procedure_reaches_every_table_of_the_pit() -> None:
    pit = pit_of(rules_of(), rules_of(decks=6))
    event = pit.execute(change("shuffle.finish", "three-dealers", NOON))
    assert pit.elected("shuffle.finish") == ["three-dealers", "three-dealers"]
    # With three dealers nothing is laced, and so nothing shuffled again after lacing.
    assert pit.elected(RESHUFFLE) == [None, None]
    assert event.clauses == ("NJ-PB:3.5(b)",)


@pytest.mark.clause("NJ-PB:3.5(b)")
def test_a_table_of_minibaccarat_beside_it_finishes_the_shuffle_in_its_own_way() -> None:
    pit = pit_of(rules_of(shuffle__finish="three-dealers"))
    pit.tell(ORDER, PLAIN_ORDER, *BOTH)
    pit.execute(AdmitTable("MB-1", minibaccarat(shuffle__finish="feather"), after(30)))
    assert pit.elected("shuffle.finish") == ["three-dealers", "feather"]


# --- 3.5(a)1.ii: notice of the reshuffle after lacing ------------------------------------------


@pytest.mark.clause("NJ-PB:3.5(a)1.ii")
@pytest.mark.parametrize(("before", "then"), [(OFF, ON), (ON, OFF)])
def test_the_reshuffle_after_lacing_begins_and_ends_thirty_minutes_after_notice(
    *, before: bool, then: bool
) -> None:
    pit = pit_of(rules_of(shuffle__reshuffle=before))
    pit.refuses(change(RESHUFFLE, then, after(30)), "notice", "NJ-PB:3.5(a)1.ii")
    pit.tell(RESHUFFLE, then, *BOTH)
    pit.refuses(change(RESHUFFLE, then, after(29, 59)), "notice", "NJ-PB:3.5(a)1.ii")
    event = pit.execute(change(RESHUFFLE, then, after(30)))
    assert pit.elected(RESHUFFLE) == [then]
    assert set(event.clauses) == {"NJ-PB:3.5(a)1.ii", "NJ-PB:3.5(b)"}


@pytest.mark.clause("NJ-PB:3.5(a)1.ii")
@pytest.mark.parametrize(("told", "missing"), [BOTH, BOTH[::-1]])
def test_both_surveillance_and_the_commission_are_told_of_it(told: str, missing: str) -> None:
    pit = pit_of(rules_of())
    pit.tell(RESHUFFLE, ON, told)
    refusal = pit.refuses(change(RESHUFFLE, ON, after(30)), "notice", "NJ-PB:3.5(a)1.ii")
    assert refusal.message.endswith(f"before: {missing}")


@pytest.mark.clause("NJ-PB:3.5(a)1.ii")
def test_going_over_to_three_dealers_ends_the_reshuffle_and_needs_notice_of_that() -> None:
    pit = pit_of(rules_of(shuffle__reshuffle=True))
    three = change("shuffle.finish", "three-dealers", after(30))
    pit.refuses(three, "notice", "NJ-PB:3.5(a)1.ii")
    pit.tell(RESHUFFLE, OFF, *BOTH)
    pit.execute(three)


# --- 3.10(c): the order of settlement ----------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.10(c)", "NJ-PB:3.10(c)1")
def test_any_of_the_procedures_may_be_used_and_all_tables_of_a_pit_use_the_same() -> None:
    for order in ("payments-first", "vigorish-first", PLAIN_ORDER, "vigorish-then-payment"):
        pit = pit_of(rules_of(settlement__order=order))
        assert pit.elected(ORDER) == [order]
    # The last of them is used at the first table of this pit.
    pit.tell(ORDER, "payments-first", *BOTH)
    other = rules_of(settlement__order="payments-first")
    pit.refuses(AdmitTable("T-2", other, after(30)), "not_uniform", "NJ-PB:3.10(c)1")
    same = rules_of(settlement__order="vigorish-then-payment")
    event = pit.execute(AdmitTable("T-2", same, after(30)))
    assert "NJ-PB:3.10(c)1" in event.clauses


@pytest.mark.clause("NJ-PB:3.10(c)2")
def test_the_first_order_of_a_pit_is_used_thirty_minutes_after_both_were_told() -> None:
    pit = Pit()
    pit.tell(ORDER, PLAIN_ORDER, "surveillance")
    pit.tell(ORDER, PLAIN_ORDER, "Commission", at=after(5))
    pit.refuses(AdmitTable("T-1", rules_of(), after(34, 59)), "notice", "NJ-PB:3.10(c)2")
    event = pit.execute(AdmitTable("T-1", rules_of(), after(35)))
    assert isinstance(event, TableAdmitted)
    assert len(event.spent) == 2
    assert "NJ-PB:3.10(c)2" in event.clauses


@pytest.mark.clause("NJ-PB:3.10(c)2", "NJ-PB:3.10(c)1")
def test_another_order_is_used_thirty_minutes_after_notice_at_every_table_of_the_pit() -> None:
    pit = pit_of(rules_of(), rules_of(decks=6))
    pit.refuses(change(ORDER, "payments-first", after(30)), "notice", "NJ-PB:3.10(c)2")
    pit.tell(ORDER, "payments-first", *BOTH)
    pit.refuses(change(ORDER, "payments-first", after(29, 59)), "notice", "NJ-PB:3.10(c)2")
    pit.refuses(change(ORDER, "vigorish-first", after(30)), "notice", "NJ-PB:3.10(c)2")
    event = pit.execute(change(ORDER, "payments-first", after(30)))
    assert pit.elected(ORDER) == ["payments-first", "payments-first"]
    assert set(event.clauses) == {"NJ-PB:3.10(c)1", "NJ-PB:3.10(c)2"}


# --- punto banco and minibaccarat in one pit ---------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_minibaccarat_beside_punto_banco_takes_its_order_of_settlement() -> None:
    punto_banco = rules_of(settlement__order="vigorish-first")
    departing = minibaccarat(settlement__order="payments-first")
    (detail,) = pit_errors((punto_banco, departing))
    assert (detail.where, detail.clauses) == (ORDER, ("NJ-MINI:7.10(c)2",))
    pit = pit_of(punto_banco)
    for order in ("payments-first", "vigorish-first"):
        pit.tell(ORDER, order, *BOTH)
    refusal = pit.refuses(
        AdmitTable("MB-1", departing, after(30)), "not_uniform", "NJ-MINI:7.10(c)2"
    )
    assert "vigorish-first at table T-1" in refusal.message
    following = minibaccarat(settlement__order="vigorish-first")
    event = pit.execute(AdmitTable("MB-1", following, after(30)))
    assert pit.elected(ORDER) == ["vigorish-first", "vigorish-first"]
    assert "NJ-MINI:7.10(c)2" in event.clauses


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_a_punto_banco_table_comes_only_where_its_order_is_used_at_the_minibaccarat_tables() -> (
    None
):
    pit = pit_of(minibaccarat(settlement__order="vigorish-first"))
    pit.tell(ORDER, "payments-first", *BOTH)
    other = rules_of(settlement__order="payments-first")
    pit.refuses(AdmitTable("PB-1", other, after(30)), "not_uniform", "NJ-MINI:7.10(c)2")
    pit.tell(ORDER, "vigorish-first", *BOTH)
    pit.execute(AdmitTable("PB-1", rules_of(settlement__order="vigorish-first"), after(30)))


@pytest.mark.clause("NJ-MINI:7.10(c)2", "NJ-PB:3.10(c)2")
def test_a_change_of_the_order_takes_both_games_with_it_after_the_notice_of_both_laws() -> None:
    pit = pit_of(rules_of(), minibaccarat())
    pit.refuses(change(ORDER, "payments-first", after(30)), "notice", "NJ-PB:3.10(c)2")
    pit.tell(ORDER, "payments-first", *BOTH)
    event = pit.execute(change(ORDER, "payments-first", after(30)))
    assert pit.elected(ORDER) == ["payments-first", "payments-first"]
    assert {"NJ-PB:3.10(c)2", "NJ-MINI:7.10(c)2", "NJ-MINI:7.10(c)3"} <= set(event.clauses)


# --- 3.3(d)#1 and (e)#2: notice of vigorish ----------------------------------------------------

INCREASE, WITHOUT = "NJ-PB:3.3(d)#1", "NJ-PB:3.3(e)#2"


@pytest.mark.clause("NJ-PB:3.3(d)#1")
@pytest.mark.parametrize(
    ("before", "then"),
    [("4%", "5%"), ("six-pays-half", "4%"), ("dragon-7", "5%")],
)
def test_an_increase_of_the_percentage_needs_notice(before: str, then: str) -> None:
    pit = pit_of(rules_of(vigorish__scheme=before))
    also: dict[str, str | bool] = {}
    if before != "4%":
        # Where none was taken nothing was said of rounding it, or of when to collect it.
        also = {"vigorish__rounded": False, "vigorish__collection": "at-once"}
    raised = change(SCHEME, then, after(seconds=1), also)
    refusal = pit.refuses(raised, "notice", INCREASE)
    assert refusal.message.endswith("before: patrons")
    pit.tell(SCHEME, then, "patrons")
    pit.refuses(change(SCHEME, then, NOON, also), "notice", INCREASE)
    assert INCREASE in pit.execute(raised).clauses


@pytest.mark.clause("NJ-PB:3.3(d)#1")
def test_a_decrease_of_the_percentage_needs_none() -> None:
    pit = pit_of(rules_of(vigorish__scheme="5%"))
    assert pit.execute(change(SCHEME, "4%", NOON)).clauses == ()


@pytest.mark.clause("NJ-PB:3.3(d)#1")
@pytest.mark.parametrize(("before", "then"), [("4%", "5%"), ("5%", "4%")])
def test_the_percentage_of_those_who_earn_no_waiver_is_one_too(before: str, then: str) -> None:
    pit = pit_of(waiver(before))
    lowered = change("vigorish.rate_unwaived", then, after(1))
    if then == "5%":
        pit.refuses(lowered, "notice", INCREASE)
        pit.tell("vigorish.rate_unwaived", then, "patrons")
    pit.execute(lowered)


def waiver(rate: str) -> TableRules:
    return rules_of(
        vigorish__scheme="total-cards",
        vigorish__rate_unwaived=rate,
        wagers__total_cards__offered=True,
    )


@pytest.mark.clause("NJ-PB:3.3(e)#2")
@pytest.mark.parametrize("then", ["six-pays-half", "total-cards"])
@pytest.mark.parametrize("before", ["5%", "dragon-7"])
def test_play_without_vigorish_under_one_of_the_two_options_needs_notice(
    before: str, then: str
) -> None:
    offered = then == "total-cards" and before != "dragon-7"
    pit = pit_of(rules_of(vigorish__scheme=before, wagers__total_cards__offered=offered))
    also: dict[str, str | bool] = {}
    if then == "total-cards":
        also = {"vigorish__rate_unwaived": "5%", "wagers__total_cards__offered": True}
        if before == "dragon-7":
            also |= {"vigorish__rounded": False, "vigorish__collection": "at-once"}
    taken_up = change(SCHEME, then, after(1), also)
    pit.refuses(taken_up, "notice", WITHOUT)
    pit.tell(SCHEME, then, "patrons")
    assert pit.execute(taken_up).clauses == (WITHOUT,)


@pytest.mark.clause("NJ-PB:3.3(d)#1", "NJ-PB:3.3(e)#2", "NJ-PB:3.3(h)#1")
@pytest.mark.parametrize("before", ["5%", "six-pays-half"])
def test_the_dragon_7_variation_needs_none_as_nothing_is_increased_and_no_option_taken_up(
    before: str,
) -> None:
    pit = pit_of(rules_of(vigorish__scheme=before))
    event = pit.execute(change(SCHEME, "dragon-7", NOON, {"wagers.dragon_7.pays": "40:1"}))
    assert (pit.elected(SCHEME), event.clauses) == (["dragon-7"], ())


@pytest.mark.clause("NJ-PB:3.3(d)#1", "NJ-PB:3.3(e)#2")
@pytest.mark.parametrize("scheme", ["5%", "six-pays-half"])
def test_the_first_scheme_of_a_table_changes_nothing_and_needs_no_notice(scheme: str) -> None:
    pit = Pit()
    pit.tell(ORDER, PLAIN_ORDER, *BOTH)
    pit.execute(AdmitTable("T-1", rules_of(vigorish__scheme=scheme), after(30)))
