"""What the tables of one pit must have in common."""

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.rules import TableRules, default_submission, pit_errors, table_rules
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


def table(**elections: Any) -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI, **elections))


def errors(*tables: TableRules) -> list[tuple[str, tuple[str, ...]]]:
    return [(detail.where, detail.clauses) for detail in pit_errors(tables)]


def punto_banco(settlement_order: str) -> TableRules:
    """Return a table of another game of the same house, which knows the same rule ids."""
    rules = table(settlement__order=settlement_order)
    return replace(rules, law=replace(rules.law, id="us-nj/punto-banco"))


def test_one_table_is_uniform_with_itself() -> None:
    assert errors(table()) == []
    assert errors() == []


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_tables_of_a_pit_that_finish_the_shuffle_differently_are_refused() -> None:
    laced, feathered = table(shuffle__finish="lace"), table(shuffle__finish="feather")
    assert errors(laced, feathered, laced) == [("shuffle.finish", ("NJ-MINI:7.5(c)",))]
    assert errors(feathered, feathered) == []


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_the_reshuffle_after_lacing_is_part_of_the_option() -> None:
    assert errors(table(shuffle__reshuffle=True), table(shuffle__reshuffle=False)) == [
        ("shuffle.reshuffle", ("NJ-MINI:7.5(c)",))
    ]


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_continuous_device_has_no_finish_to_have_in_common() -> None:
    continuous = table(device="continuous", device__approval="on file")
    assert errors(continuous, table(shuffle__finish="feather")) == []


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_tables_of_a_pit_that_settle_in_different_orders_are_refused() -> None:
    tables = [table(settlement__order=order) for order in ("payments-first", "vigorish-first")]
    assert errors(*tables) == [("settlement.order", ("NJ-MINI:7.10(c)1",))]


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_tables_of_a_pit_may_differ_in_what_the_law_does_not_bind_them_to() -> None:
    assert errors(table(), table(vigorish__scheme="4%", deal__option="hand-over", decks=6)) == []


@pytest.mark.clause("NJ-MINI:7.10(c)2")
def test_beside_a_punto_banco_table_its_order_of_settlement_is_used() -> None:
    assert errors(table(settlement__order="payments-first"), punto_banco("vigorish-first")) == [
        ("settlement.order", ("NJ-MINI:7.10(c)2",))
    ]
    assert errors(table(settlement__order="payments-first"), punto_banco("payments-first")) == []


def test_a_error_tells_which_table_does_what() -> None:
    (detail,) = pit_errors([table(), table(shuffle__finish="feather")])
    assert (
        "lace at table 1 (Default elections); feather at table 1 (Default elections)"
        in detail.message
    )
