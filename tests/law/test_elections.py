"""A rules submission is refused with every fault at once, each with the clauses behind it."""

import re
from typing import Any

import pytest

from croupier.law.elect import Fault, SubmissionError, elect
from croupier.law.interpretations import interpretations
from croupier.law.load import LawError
from croupier.law.resolve import resolve
from croupier.law.values import Odds
from croupier.rules import plain_submission, submission_of, table_rules

LAW = resolve("us-nj/minibaccarat")
PLAIN = dict(plain_submission(LAW.id).elections)


def faults(elections: dict[str, Any]) -> dict[str, Fault]:
    with pytest.raises(SubmissionError) as refused:
        elect(LAW, elections)
    found = {fault.where: fault for fault in refused.value.faults}
    assert len(found) == len(refused.value.faults), "one fault for each place"
    return found


def the_fault(departures: dict[str, Any]) -> Fault:
    (fault,) = faults(PLAIN | departures).values()
    return fault


def test_the_plain_game_is_accepted() -> None:
    assert elect(LAW, PLAIN)["wagers.tie.pays"] == Odds(8, 1)


@pytest.mark.clause("NJ-MINI:7.1(a)#1", "NJ-MINI:7.3(b)", "NJ-MINI:7.2(a)6.iii", "NJ-MINI:7.3(h)#2")
def test_every_fault_is_told_in_one_go_each_with_its_clauses() -> None:
    found = faults(
        {
            **{name: value for name, value in PLAIN.items() if name != "cut.recut_by"},
            "decks": 5,
            "wagers.tie.pays": "7:1",
            "vigorish.scheme": "dragon-7",
            "vigorish.rounded": True,
            "vigorish.collection": "at-once",
            "wagers.dragon_7.pays": "39:1",
            "wagers.total_cards.offered": True,
            "wagers.bonus.offered": True,
            "wagers.bonus.needs_base": "yes",
            "wagers.bonus.paytable": "D",
            "wagers.player.pays": "2:1",
            "wagers.panda_8.pays": "25:1",
        }
    )
    assert {where: fault.clauses for where, fault in found.items()} == {
        "decks": ("NJ-MINI:7.1(a)#1",),
        "wagers.tie.pays": ("NJ-MINI:7.3(b)",),
        "vigorish.rounded": ("NJ-MINI:7.3(c)1",),
        "vigorish.collection": ("NJ-MINI:7.3(c)2#1",),
        "wagers.dragon_7.pays": ("NJ-MINI:7.3(j)",),
        "vigorish.scheme with wagers.total_cards.offered": ("NJ-MINI:7.2(a)6.iii",),
        "vigorish.scheme with wagers.bonus.offered": ("NJ-MINI:7.2(a)6.iii",),
        "wagers.bonus.needs_base": ("NJ-MINI:7.2(b)#2",),
        "wagers.bonus.paytable": ("NJ-MINI:7.3(h)#2",),
        "wagers.player.pays": ("NJ-MINI:7.3(a)",),
        "wagers.panda_8.pays": ("NJ-MINI:7.2(b)#1",),
        "cut.recut_by": ("NJ-MINI:7.5(g)#2",),
    }


def test_an_unknown_key_is_refused() -> None:
    assert the_fault({"wagers.panda_8.pays": "25:1"}).message == "no rule of this law has that name"


def test_a_slip_in_a_name_is_told_with_the_name_that_is_near() -> None:
    fault = the_fault({"vigorish.roundd": True})
    assert fault.message.endswith("; did you mean vigorish.rounded?")


def test_a_missing_choice_tells_what_may_be_chosen() -> None:
    elections = {name: value for name, value in PLAIN.items() if name != "settlement.order"}
    (fault,) = faults(elections).values()
    assert fault.where == "settlement.order"
    assert "a choice is missing" in fault.message
    assert "payments-first, vigorish-first, payment-then-vigorish" in fault.message


def test_an_empty_submission_misses_every_choice_of_the_plain_game_that_hangs_on_no_other() -> None:
    assert set(faults({})) == {rule.id for rule in LAW.elections if not rule.applies_when}


def test_a_choice_that_does_not_apply_is_refused_with_what_it_needs() -> None:
    fault = the_fault({"wagers.bonus.paytable": "A"})
    assert fault.where == "wagers.bonus.paytable"
    assert "only with wagers.bonus.offered = true" in fault.message


def test_a_settled_rule_is_refused_with_its_value() -> None:
    fault = the_fault({"burn.exposure": "first"})
    assert "is settled: all" in fault.message
    assert fault.clauses == ("NJ-MINI:7.5(f)#6",)


def test_a_procedure_is_nothing_to_elect() -> None:
    assert "is no choice" in the_fault({"burn.count": 3}).message


def test_a_bound_on_somebody_else_is_nothing_for_the_licensee_to_elect() -> None:
    assert "no election" in the_fault({"cut.from_ends": 20}).message


def test_a_list_of_schemes_is_refused_as_they_exclude_each_other() -> None:
    fault = the_fault({"vigorish.scheme": ["six-pays-half", "total-cards"]})
    assert fault.where == "vigorish.scheme"
    assert "one must be chosen, not several" in fault.message


def test_a_choice_that_hangs_on_a_faulty_one_is_not_called_inapplicable() -> None:
    elections = PLAIN | {"vigorish.scheme": "6%", "vigorish.rounded": True}
    assert set(faults(elections)) == {"vigorish.scheme"}


@pytest.mark.parametrize("decks", [8.0, "8", True, -8, [8]])
def test_a_count_must_be_a_whole_number(decks: object) -> None:
    fault = the_fault({"decks": decks})
    assert (fault.where, "is no count" in fault.message) == ("decks", True)


@pytest.mark.parametrize("odds", [8.0, 8, "8", "8-1", "8:0", "-8:1", "8.5:1", ["8:1"]])
def test_odds_must_be_two_whole_numbers(odds: object) -> None:
    assert the_fault({"wagers.tie.pays": odds}).where == "wagers.tie.pays"


@pytest.mark.clause("NJ-MINI:7.1(d)", "NJ-MINI:7.1(d)2")
@pytest.mark.parametrize(
    ("decks", "clauses"),
    [
        (8, {"NJ-MINI:7.1(d)"}),
        (13, {"NJ-MINI:7.1(d)2"}),
        (11, {"NJ-MINI:7.1(d)", "NJ-MINI:7.1(d)2"}),
        (5, {"NJ-MINI:7.1(a)#1", "NJ-MINI:7.1(d)", "NJ-MINI:7.1(d)2"}),
    ],
)
def test_every_bound_on_the_decks_of_a_shuffler_is_told(decks: int, clauses: set[str]) -> None:
    with pytest.raises(SubmissionError) as refused:
        elect(LAW, PLAIN | {"device": "shuffler", "decks": decks})
    assert {clause for fault in refused.value.faults for clause in fault.clauses} == clauses
    assert {fault.where for fault in refused.value.faults} == {"decks"}


def test_nested_tables_and_dotted_names_elect_the_same() -> None:
    nested: dict[str, Any] = {}
    for name, value in PLAIN.items():
        *tables, key = name.split(".")
        inner = nested
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[key] = value
    assert elect(LAW, nested) == elect(LAW, PLAIN)


def test_a_fault_shows_its_place_its_reason_and_its_clauses() -> None:
    assert str(the_fault({"decks": 5})) == (
        "decks: 5 is less than the law's least, 6 [NJ-MINI:7.1(a)#1]"
    )


# What follows stands beside the elections in a submission.


def submission(**tables: Any) -> dict[str, Any]:
    head = {"law": LAW.id, "on": LAW.in_force_from}
    limits = {wager: [25, 500] for wager in ("player", "banker", "tie")}
    return {"submission": head, "elections": dict(PLAIN), "limits": limits} | tables


def refusal(**tables: Any) -> dict[str, Fault]:
    with pytest.raises(SubmissionError) as refused:
        table_rules(submission_of(submission(**tables)))
    return {fault.where: fault for fault in refused.value.faults}


def test_a_submission_is_accepted_with_the_limits_of_every_wager() -> None:
    rules = table_rules(submission_of(submission()))
    assert str(rules).endswith("the plain game")
    assert len(rules.sha256) == 64


@pytest.mark.parametrize(
    "limit", [[25.0, 500], ["25.5", 500], [500, 25], [0, 500], [25], 25, [-25, 500]]
)
def test_a_limit_is_exact_money_from_the_least_to_the_most(limit: object) -> None:
    limits = {"player": limit, "banker": [25, 500], "tie": [25, 500]}
    assert set(refusal(limits=limits)) == {"limits.player"}


def test_every_wager_on_offer_needs_limits_and_no_other_has_any() -> None:
    found = refusal(limits={"player": [25, 500], "banker": [25, 500], "dragon_7": [5, 50]})
    assert set(found) == {"limits.tie", "limits.dragon_7"}
    assert found["limits.dragon_7"].clauses == ("NJ-MINI:7.2(b)#1",)


def test_a_least_wager_that_could_not_be_paid_in_whole_cents_is_refused() -> None:
    # Five percent to the cent wants stakes that go by twenty cents.
    found = refusal(limits={"player": [1, 50], "banker": ["1.10", 50], "tie": [1, 50]})
    assert set(found) == {"limits.banker"}


@pytest.mark.parametrize(("name", "reading"), [("T99", "one"), ("T03", "eleven"), ("T02", "taken")])
def test_an_unknown_reading_is_refused(name: str, reading: str) -> None:
    assert set(refusal(interpretations={name: reading})) == {f"interpretations.{name}"}


def test_a_reading_of_another_text_is_refused() -> None:
    found = refusal(interpretations={"T41": "literal"})
    assert "no rule of this law rests on it" in str(found["interpretations.T41"])


def test_a_faulty_reading_is_told_beside_a_faulty_election() -> None:
    found = refusal(elections=dict(PLAIN) | {"decks": 5}, interpretations={"T03": "eleven"})
    assert set(found) == {"decks", "interpretations.T03"}


def test_a_reading_that_is_elected_is_the_one_in_use() -> None:
    rules = table_rules(submission_of(submission(interpretations={"T03": "ten"})))
    assert rules.readings["T03"] == "ten"
    assert rules.sha256 != table_rules(submission_of(submission())).sha256


@pytest.mark.parametrize(
    "elected", [{"face_up_ten.discards": "ten"}, {"face_up_ten": {"discards": "ten"}}]
)
def test_a_reading_may_be_elected_by_its_name(elected: dict[str, Any]) -> None:
    rules = table_rules(submission_of(submission(interpretations=elected)))
    assert rules.readings["T03"] == "ten"
    assert rules.reading("face_up_ten.discards") == "ten"
    by_id = table_rules(submission_of(submission(interpretations={"T03": "ten"})))
    assert rules.sha256 == by_id.sha256


def test_a_reading_elected_twice_is_refused() -> None:
    found = refusal(interpretations={"T03": "ten", "face_up_ten.discards": "one"})
    assert set(found) == {"interpretations.face_up_ten.discards"}


def test_a_reading_that_no_rule_of_the_law_asks_for_is_none() -> None:
    assert table_rules(submission_of(submission())).reading("drawing_table.damaged_row") is None


def test_a_reading_by_a_name_that_the_register_does_not_have_is_an_error() -> None:
    rules = table_rules(submission_of(submission()))
    with pytest.raises(LawError, match=r"no reading 'disclosed_card.fait'"):
        rules.reading("disclosed_card.fait")


def test_whatever_may_be_elected_has_a_name_of_its_own() -> None:
    electable = [entry for entry in interpretations().values() if entry.readings]
    assert all(re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", entry.name) for entry in electable)
    assert len({entry.name for entry in electable}) == len(electable)


@pytest.mark.parametrize("on", ["2011-02-21", "2012-01-01"])
def test_a_day_whose_law_is_not_known_is_refused(on: str) -> None:
    (fault,) = refusal(submission={"law": LAW.id, "on": type(LAW.in_force_from).fromisoformat(on)})
    assert fault == "submission"


def test_every_fault_of_shape_is_told_in_one_go() -> None:
    with pytest.raises(SubmissionError) as refused:
        submission_of(
            {
                "submission": {"law": 3, "on": "today", "colour": "green"},
                "table": {"seats": 0, "numbering": "upward", "pit": 1},
                "limits": {"player": 5},
                "interpretations": {"T03": 1},
                "extras": {},
            }
        )
    assert {fault.where for fault in refused.value.faults} == {
        "submission.law",
        "submission.on",
        "submission.colour",
        "table.seats",
        "table.numbering",
        "table.pit",
        "limits.player",
        "interpretations.T03",
        "[extras]",
    }
