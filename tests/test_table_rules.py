"""The rules of a table: the hash that names them, what they are told by, and what none may have."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.baccarat.wagers import WAGERS
from croupier.law.contracts import MOST_DECKS
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations
from croupier.law.values import Odds
from croupier.rules import (
    Limit,
    Offer,
    TableLayout,
    TableRules,
    default_submission,
    table_rules,
)
from support import massachusetts
from support.table import rules_of
from support.texts import DAYS, MA_MINI, NJ_MINI

LIMITS = {wager: Limit(500, 100_000) for wager in ("player", "banker", "tie")}


def own(rules: TableRules) -> TableRules:
    """The same rules with a wager that somebody has added to them."""
    odds = Odds(3, 2)
    wager = replace(WAGERS["tie"], id="mine")
    offer = Offer(wager, {"win": odds}, None, 2, (), {"win": (), "lose": (), "push": ()})
    return rules.with_offers(offer)


def test_the_hash_is_that_of_the_canonical_text_without_blanks_and_in_the_order_of_its_keys() -> (
    None
):
    rules = rules_of(limits=LIMITS)
    text = json.dumps(rules.canonical, sort_keys=True, separators=(",", ":"))
    assert list(rules.canonical) != sorted(rules.canonical)
    assert rules.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_the_canonical_text_holds_the_value_of_every_rule_and_every_choice() -> None:
    rules = rules_of(limits=LIMITS, readings={"T03": "one"})
    data = rules.canonical
    assert set(data) == {
        "law", "in_force_from", "rules", "procedures", "layout", "limits", "readings",
    }  # fmt: skip
    assert (data["law"], data["in_force_from"]) == ("us-nj/minibaccarat", "2011-02-22")
    assert set(data["rules"]) == set(rules.settled)
    assert data["rules"]["decks"] == 8
    assert data["procedures"] == sorted(set(rules.in_force) - set(rules.settled))
    assert data["layout"] == {
        name: getattr(rules.submission.layout, name) for name in TableLayout.__match_args__
    }
    assert data["limits"] == {wager: [500, 100_000] for wager in LIMITS}
    # What was entered later and is as it was done before binds nobody to anything more.
    later = {name for name in rules.readings if interpretations()[name].added is not None}
    # And a reading that got its name later is still called the one taken.
    renamed = {name for name in rules.readings if interpretations()[name].named is not None}
    assert renamed == {"C11"}
    assert data["readings"] == {
        name: "taken" if name in renamed else reading
        for name, reading in rules.readings.items()
        if name not in later
    }
    assert "C70" in later
    assert data["readings"]["T03"] == "one"


def test_without_limits_there_are_none_in_the_text() -> None:
    assert rules_of().canonical["limits"] == {}


def test_a_wager_of_ones_own_stands_on_the_layout_and_in_the_hash_and_without_one_there_is_no_key() -> (
    None
):
    rules = rules_of()
    mine = own(rules)
    assert list(mine.offers) == [*rules.offers, "mine"]
    assert mine.canonical["own"] == {"mine": {"pays": {"win": "3:2"}}}
    assert mine.canonical == {**rules.canonical, "own": mine.canonical["own"]}
    assert "own" not in rules.canonical
    assert mine.sha256 != rules.sha256


@pytest.mark.parametrize(
    ("elections", "told"),
    [
        ({}, "default elections"),
        ({"wagers__tie__pays": "9:1"}, 'wagers.tie.pays = "9:1"'),
        ({"wagers__tie__pays": "9:1", "decks": 6}, 'decks = 6, wagers.tie.pays = "9:1"'),
    ],
)
def test_rules_are_told_by_what_departs_from_the_plain_game(
    elections: dict[str, Any], told: str
) -> None:
    text = str(rules_of(**elections))
    head, _, departures = text.partition(": ")
    assert head == "New Jersey minibaccarat as of 2011-02-22"
    assert set(departures.split(", ")) == set(told.split(", "))


def test_who_keeps_no_meters_has_no_seeds() -> None:
    assert table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)).meter_seeds == {}


def test_no_table_is_dealt_from_more_decks_than_any_holds() -> None:
    assert rules_of(decks=MOST_DECKS).value("decks", int) == 64
    with pytest.raises(SubmissionError) as refused:
        rules_of(decks=MOST_DECKS + 1)
    (detail,) = refused.value.errors
    # The text has a least number and no most: the most is the program's own.
    assert (detail.where, detail.clauses) == ("decks", ())
    assert "65 decks: the maximum is 64" in str(refused.value)


def test_what_a_submission_may_not_hold_is_told_beside_the_limits_once_all_else_is_right() -> None:
    with pytest.raises(SubmissionError) as refused:
        rules_of(limits={}, decks=MOST_DECKS + 1)
    assert {detail.where for detail in refused.value.errors} == {"decks"}
    with pytest.raises(SubmissionError) as refused:
        rules_of(limits={})
    assert {detail.where for detail in refused.value.errors} == {
        "limits.player", "limits.banker", "limits.tie",
    }  # fmt: skip


def test_a_value_of_another_kind_than_is_asked_for_is_no_value() -> None:
    rules = rules_of()
    for rule_id, kind in (("decks", str), ("no.such.rule", int)):
        with pytest.raises(LawError, match=f"has no {kind.__name__} value for '{rule_id}'"):
            rules.value(rule_id, kind)
    with pytest.raises(LawError, match=r"sets no minimum for 'wagers.tie.pays'"):
        rules.bound("wagers.tie.pays")


def test_rules_and_constraints_alike_stand_on_their_clauses() -> None:
    rules = rules_of()
    cites = {constraint.id: constraint.cites for constraint in rules.law.constraints}
    cites |= {rule.id: rule.cites for rule in rules.law.rules.values()}
    assert {carrier: rules.cites(carrier) for carrier in cites} == cites
    assert all(cites.values())
    assert rules.cites_if_any("no.such.rule") == ()
    with pytest.raises(LawError, match=r"no regulation has a rule 'no\.such\.rule'"):
        rules.cites("no.such.rule")


@pytest.mark.parametrize(
    ("elections", "units"),
    [
        ({"vigorish__rounded": False}, {"player": 1, "banker": 20, "tie": 1}),
        ({"vigorish__rounded": True}, {"player": 1, "banker": 1, "tie": 1}),
        ({"vigorish__scheme": "six-pays-half"}, {"player": 1, "banker": 2, "tie": 1}),
        ({"vigorish__scheme": "tie-25%"}, {"player": 1, "banker": 4, "tie": 1}),
        ({"vigorish__rounded": True, "wagers__tie__pays": "18:2"}, {"tie": 1}),
        ({"vigorish__rounded": True, "wagers__tie__pays": "33:4"}, {"tie": 4}),
    ],
)
def test_a_stake_is_a_multiple_of_what_can_be_paid_and_charged_in_whole_cents(
    elections: dict[str, Any], units: dict[str, int]
) -> None:
    offers = rules_of(**elections).offers
    assert {wager: offers[wager].unit_cents for wager in units} == units


def test_the_unit_of_a_banker_wager_stands_on_the_rounding_too() -> None:
    rounded, exact = rules_of(vigorish__rounded=True), rules_of(vigorish__rounded=False)
    clauses = rounded.cites("vigorish.5_percent.rounds_to")
    assert set(clauses) <= set(rounded.offers["banker"].unit_cites)
    assert exact.vigorish.rounding_unit_cents is None


def test_a_line_that_only_banker_has_is_on_no_other_wager() -> None:
    offers = rules_of(vigorish__scheme="six-pays-half").offers
    assert set(offers["banker"].pays) == {"win", "win_with_six", "dragon_7"}
    assert set(offers["player"].pays) == set(offers["tie"].pays) == {"win"}


@pytest.mark.parametrize("table", ["A", "B", "C"])
def test_a_line_stands_on_the_pay_table_that_was_elected_of_several(table: str) -> None:
    submission = default_submission(
        "us-ma/minibaccarat", MA_MINI, wagers__bonus__offered=True, wagers__bonus__paytable=table
    )
    rules = table_rules(submission)
    for name in "ABC":
        clauses = set(rules.cites(f"wagers.bonus.paytable.{name}"))
        assert (clauses <= set(rules.offers["bonus_player"].cites["win_by_9"])) == (name == table)


@pytest.mark.parametrize("meter", ["star", "spade", "heart"])
def test_a_line_that_a_meter_pays_stands_on_the_clauses_of_its_meter(meter: str) -> None:
    rules = massachusetts.rules_of(**massachusetts.ROYAL_9)
    seed = set(rules.cites(f"wagers.royal_9.meters.{meter}.seed"))
    assert seed
    assert seed <= set(rules.offers["royal_9"].cites[meter])


def test_every_combination_that_is_none_is_told_and_not_the_first_alone() -> None:
    chairs = ["Ks 9s", "Kh Qs", "Kd 9c", "Kc 9d", "Kh 9d", "Kd 9c"]
    with pytest.raises(SubmissionError) as refused:
        massachusetts.rules_of(**massachusetts.ROYAL_9, wagers__royal_9__chairs=chairs)
    assert {detail.where for detail in refused.value.errors} == {"wagers.royal_9.chairs"}
    first, second, third = (detail.message for detail in refused.value.errors)
    assert first.startswith("'Ks 9s' is of one suit")
    assert second.startswith("'Kh Qs' is not a king and a nine")
    assert third == "'Kd 9c' is at two chairs"


def test_a_mystery_value_lies_between_the_seed_and_what_it_is_hit_by() -> None:
    stax = massachusetts.STAX
    rules = massachusetts.rules_of(**stax)
    seed = rules.value("wagers.royal_9.stax.seed", int)
    assert seed % 100 == 0
    with pytest.raises(SubmissionError) as refused:
        massachusetts.rules_of(**stax, wagers__royal_9__stax__must_hit_by=f"{seed // 100}.00")
    (detail,) = refused.value.errors
    assert detail.where == "wagers.royal_9.stax.must_hit_by"
    assert detail.message.startswith("must be greater than the seed")
    assert detail.clauses == rules.cites("wagers.royal_9.stax.must_hit_by")


@pytest.mark.parametrize("law", ["us-nj/minibaccarat", "us-ma/minibaccarat"])
def test_a_pay_table_of_the_plain_game_is_no_departure_from_it(law: str) -> None:
    rules = table_rules(default_submission(law, DAYS[law], wagers__bonus__offered=True))
    assert str(rules).partition(": ")[2] == "wagers.bonus.offered = true"


def test_a_choice_that_hangs_on_another_departure_is_told_beside_it() -> None:
    rules = rules_of(
        vigorish__scheme="total-cards",
        vigorish__rate_unwaived="4%",
        wagers__total_cards__offered=True,
    )
    assert 'vigorish.rate_unwaived = "1/25"' in str(rules)


def test_what_the_plain_game_says_nothing_of_is_told_as_a_departure() -> None:
    rules = rules_of(device="continuous", device__approval="a letter")
    told = str(rules).partition(": ")[2]
    assert told == 'device = "continuous", device.approval = "a letter"'


@pytest.mark.parametrize(
    "asked",
    [
        lambda rules: rules.applies("wagers.tie.pay"),
        lambda rules: rules.elected("wagers.tie.pay", "8:1"),
        lambda rules: rules.cites("wagers.tie.pay"),
    ],
    ids=["applies", "elected", "cites"],
)
def test_a_rule_that_no_text_has_is_a_slip_and_one_of_another_text_is_not_here(
    asked: Callable[[TableRules], object],
) -> None:
    with pytest.raises(LawError, match=r"no regulation has a rule 'wagers\.tie\.pay'"):
        asked(rules_of())
    # Massachusetts alone has House Money.
    rules = rules_of()
    house_money = "wagers.house_money.offered"
    assert not rules.applies(house_money)
    assert not rules.elected(house_money, choice=True)
    assert rules.cites(house_money) == ()
