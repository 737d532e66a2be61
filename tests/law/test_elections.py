"""A rules submission is refused with every fault at once, each with the clauses behind it."""

import re
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.law.elect import ErrorDetail, SubmissionError, resolve_elections
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations
from croupier.law.resolve import resolve
from croupier.law.values import Odds
from croupier.rules import default_submission, submission_of, table_rules
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

LAW = resolve("us-nj/minibaccarat", on=NJ_MINI)
PLAIN = dict(default_submission(LAW.id, NJ_MINI).elections)


def errors(elections: dict[str, Any]) -> dict[str, ErrorDetail]:
    with pytest.raises(SubmissionError) as refused:
        resolve_elections(LAW, elections)
    found = {detail.where: detail for detail in refused.value.errors}
    assert len(found) == len(refused.value.errors), "one fault for each place"
    return found


def the_error(departures: dict[str, Any]) -> ErrorDetail:
    (detail,) = errors(PLAIN | departures).values()
    return detail


def test_the_plain_game_is_accepted() -> None:
    assert resolve_elections(LAW, PLAIN)["wagers.tie.pays"] == Odds(8, 1)


@pytest.mark.clause("NJ-MINI:7.1(a)#1", "NJ-MINI:7.3(b)", "NJ-MINI:7.2(a)6.iii", "NJ-MINI:7.3(h)#2")
def test_every_error_is_told_in_one_go_each_with_its_clauses() -> None:
    found = errors(
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
    assert {where: detail.clauses for where, detail in found.items()} == {
        "decks": ("NJ-MINI:7.1(a)#1",),
        "wagers.tie.pays": ("NJ-MINI:7.3(b)",),
        "vigorish.rounded": ("NJ-MINI:7.3(c)1",),
        "vigorish.collection": ("NJ-MINI:7.3(c)2#1",),
        "wagers.dragon_7.pays": ("NJ-MINI:7.3(j)",),
        "wagers.dragon_7.offered with wagers.total_cards.offered": ("NJ-MINI:7.2(a)6.iii",),
        "wagers.dragon_7.offered with wagers.bonus.offered": ("NJ-MINI:7.2(a)6.iii",),
        "wagers.bonus.needs_base": ("NJ-MINI:7.2(b)#2",),
        "wagers.bonus.paytable": ("NJ-MINI:7.3(h)#2",),
        "wagers.player.pays": ("NJ-MINI:7.3(a)",),
        "wagers.panda_8.pays": ("NJ-MINI:7.2(b)#1",),
        "cut.recut_by": ("NJ-MINI:7.5(g)#2",),
    }


def test_an_unknown_key_is_refused() -> None:
    assert (
        the_error({"wagers.panda_8.pays": "25:1"}).message
        == "this regulation has no rule of that name"
    )


def test_a_slip_in_a_name_is_told_with_the_name_that_is_near() -> None:
    detail = the_error({"vigorish.roundd": True})
    assert detail.message.endswith("; did you mean vigorish.rounded?")


def test_a_missing_choice_tells_what_may_be_chosen() -> None:
    elections = {name: value for name, value in PLAIN.items() if name != "settlement.order"}
    (detail,) = errors(elections).values()
    assert detail.where == "settlement.order"
    assert "a choice is missing" in detail.message
    assert "payments-first, vigorish-first, payment-then-vigorish" in detail.message


def test_an_empty_submission_misses_every_choice_of_the_plain_game_that_hangs_on_no_other() -> None:
    assert set(errors({})) == {rule.id for rule in LAW.elections if not rule.applies_when}


def test_a_choice_that_does_not_apply_is_refused_with_what_it_needs() -> None:
    detail = the_error({"wagers.bonus.paytable": "A"})
    assert detail.where == "wagers.bonus.paytable"
    assert "it requires wagers.bonus.offered = true" in detail.message


def test_what_a_choice_requires_is_named_with_its_place_and_what_to_write() -> None:
    detail = the_error({"device": "shuffler"})
    assert detail.where == "decks"
    assert detail.message == (
        "device = shuffler requires decks at least 12, not 8 (device.decks): an automated "
        "shuffler takes twelve decks or more"
    )
    detail = the_error({"vigorish.scheme": "total-cards", "vigorish.rate_unwaived": "5%"})
    assert detail.where == "vigorish.scheme"
    assert detail.message == (
        "vigorish.scheme = total-cards requires wagers.total_cards.offered = true, not false "
        "(vigorish.waiver_needs_total_cards): the waiver is based on the total cards wagers, so "
        "they must be offered"
    )


def test_a_settled_rule_is_refused_with_its_value() -> None:
    detail = the_error({"burn.exposure": "first"})
    assert "is settled: all" in detail.message
    assert detail.clauses == ("NJ-MINI:7.5(f)#6",)


def test_a_procedure_is_nothing_to_elect() -> None:
    assert "is not a choice" in the_error({"burn.count": 3}).message


def test_a_bound_on_somebody_else_is_nothing_for_the_licensee_to_elect() -> None:
    assert "no election" in the_error({"cut.from_ends": 20}).message


def test_a_list_of_schemes_is_refused_as_they_exclude_each_other() -> None:
    detail = the_error({"vigorish.scheme": ["six-pays-half", "total-cards"]})
    assert detail.where == "vigorish.scheme"
    assert "choose only one" in detail.message


def test_a_choice_that_hangs_on_a_invalid_one_is_not_called_inapplicable() -> None:
    elections = PLAIN | {"vigorish.scheme": "6%", "vigorish.rounded": True}
    assert set(errors(elections)) == {"vigorish.scheme"}


@pytest.mark.parametrize("decks", [8.0, "8", True, -8, [8]])
def test_a_count_must_be_a_whole_number(decks: object) -> None:
    detail = the_error({"decks": decks})
    assert (detail.where, "is not a count" in detail.message) == ("decks", True)


@pytest.mark.parametrize("odds", [8.0, 8, "8", "8-1", "8:0", "-8:1", "8.5:1", ["8:1"]])
def test_odds_must_be_two_whole_numbers(odds: object) -> None:
    assert the_error({"wagers.tie.pays": odds}).where == "wagers.tie.pays"


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
        resolve_elections(LAW, PLAIN | {"device": "shuffler", "decks": decks})
    assert {clause for detail in refused.value.errors for clause in detail.clauses} == clauses
    assert {detail.where for detail in refused.value.errors} == {"decks"}


def test_nested_tables_and_dotted_names_elect_the_same() -> None:
    nested: dict[str, Any] = {}
    for name, value in PLAIN.items():
        *tables, key = name.split(".")
        inner = nested
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[key] = value
    assert resolve_elections(LAW, nested) == resolve_elections(LAW, PLAIN)


def test_a_error_shows_its_place_its_reason_and_its_clauses() -> None:
    assert str(the_error({"decks": 5})) == ("decks: 5 is below the minimum of 6 [NJ-MINI:7.1(a)#1]")


# What follows stands beside the elections in a submission.


def submission(**tables: Any) -> dict[str, Any]:
    head = {"law": LAW.id, "on": LAW.in_force_from}
    limits = {wager: [25, 500] for wager in ("player", "banker", "tie")}
    return {"submission": head, "elections": dict(PLAIN), "limits": limits} | tables


def refusal(**tables: Any) -> dict[str, ErrorDetail]:
    with pytest.raises(SubmissionError) as refused:
        table_rules(submission_of(submission(**tables)))
    return {detail.where: detail for detail in refused.value.errors}


def test_a_submission_is_accepted_with_the_limits_of_every_wager() -> None:
    rules = table_rules(submission_of(submission()))
    assert str(rules).endswith("default elections")
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


@pytest.mark.parametrize("decks", [5, 65])
def test_a_wager_that_no_table_has_is_told_beside_an_invalid_election(decks: int) -> None:
    limits = {"player": [25, 500], "bankr": [25, 500], "dragon_7": [5, 50]}
    found = refusal(elections=dict(PLAIN) | {"decks": decks}, limits=limits)
    # Whether Dragon 7 is on offer is known once the elections are.
    assert set(found) == {"decks", "limits.bankr"}
    assert "did you mean banker?" in str(found["limits.bankr"])


def test_a_least_wager_that_could_not_be_paid_in_whole_cents_is_refused() -> None:
    # Five percent to the cent wants stakes that go by twenty cents.
    found = refusal(limits={"player": [1, 50], "banker": ["1.10", 50], "tie": [1, 50]})
    assert set(found) == {"limits.banker"}


@pytest.mark.parametrize(("name", "reading"), [("T99", "one"), ("T03", "eleven"), ("T02", "taken")])
def test_an_unknown_reading_is_refused(name: str, reading: str) -> None:
    assert set(refusal(interpretations={name: reading})) == {f"interpretations.{name}"}


def test_a_reading_of_another_text_is_refused() -> None:
    found = refusal(interpretations={"T41": "literal"})
    assert "no rule of this regulation relies on it" in str(found["interpretations.T41"])


def test_a_invalid_reading_is_told_beside_a_invalid_election() -> None:
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


def test_an_entry_added_later_binds_only_where_another_reading_is_elected() -> None:
    first = interpretations()["T03"]
    later = replace(first, added=date(2026, 11, 22))
    other = next(reading for reading in first.readings if reading != first.reading)
    assert first.bound_as(first.reading) is not None
    assert later.bound_as(first.reading) is None
    assert later.bound_as(other) == other
    rules = table_rules(submission_of(submission()))
    assert "C70" in rules.readings
    assert "C70" not in rules.canonical["readings"]


def test_an_entry_whose_readings_got_names_later_binds_as_it_did() -> None:
    entry = interpretations()["C11"]
    assert (entry.bound_as("third-card"), entry.bound_as("error")) == ("taken", "error")
    assert table_rules(submission_of(submission())).canonical["readings"]["C11"] == "taken"


@pytest.mark.parametrize("on", ["2011-02-21", "2012-01-01"])
def test_a_day_whose_law_is_not_known_is_refused(on: str) -> None:
    (detail,) = refusal(submission={"law": LAW.id, "on": type(LAW.in_force_from).fromisoformat(on)})
    assert detail == "submission"


def test_every_error_of_shape_is_told_in_one_go() -> None:
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
    assert {detail.where for detail in refused.value.errors} == {
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


def test_a_nested_election_replaces_the_default_and_no_two_spellings_differ() -> None:
    dotted = default_submission(LAW.id, NJ_MINI, vigorish__scheme="4%")
    assert default_submission(LAW.id, NJ_MINI, vigorish={"scheme": "4%"}) == dotted
    with pytest.raises(SubmissionError, match=r"vigorish\.scheme: has two values"):
        default_submission(LAW.id, NJ_MINI, vigorish__scheme="5%", vigorish={"scheme": "4%"})
