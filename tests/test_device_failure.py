"""A shuffling device that fails: under the register, and under a law that says what is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.model import Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.values import Kind, parse_value
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.stage import Stage
from croupier.table import Phase, Refusal, legal
from croupier.table.cards.device import Device
from croupier.table.people.offices import Actor, may

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
CLAUSE = "NJ-MINI:7.1(d)4"
SHUFFLER: dict[str, Any] = {"device": "shuffler", "decks": 16}
CONTINUOUS: dict[str, Any] = {"device": "continuous", "device__approval": "letter 5"}
COMPLETED = {"other-device": "completed", "no-device": "completed", "disadvantage": "void"}


def report(case: str = "no-device", damaged: int = 0) -> acts.ReportDeviceFailure:
    return acts.ReportDeviceFailure(case, "Flo", "it jammed", damaged)


WORKS = acts.RestoreDevice("Flo")


@contextmanager
def ruled(**said: Any) -> Iterator[TableRules]:
    """Give New Jersey's rules with a rule on the failure of the device."""
    rules = {
        "device.failure": (Kind.PROCEDURE, None),
        "device.failure.round": (Kind.TABLE, said.get("round", COMPLETED)),
        "device.failure.shuffle": (Kind.WORD, said.get("shuffle", "by-hand")),
        "device.failure.damaged": (Kind.WORD, said.get("damaged", "replaced")),
    }
    added = {
        name: Rule(name, kind, name, (CLAUSE,), None if raw is None else parse_value(kind, raw))
        for name, (kind, raw) in rules.items()
    }
    text = resolve(LAW, on=DAY)
    with substituted(replace(text, rules={**text.rules, **added})):
        yield table_rules(default_submission(LAW, DAY, **SHUFFLER, **said.get("elected", {})))


def betting(rules: TableRules) -> Stage:
    stage = Stage(rules)
    stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", DAY))
    stage.execute(acts.SeatPatron(1, "Ann"), acts.BuyChips(1, 1_000_000))
    stage.until(Phase.BETTING)
    return stage


def of_new_jersey(readings: str = "", **elected: Any) -> Stage:
    submission = default_submission(LAW, DAY, **elected)
    if readings:
        submission = replace(submission, readings={"C233": readings})
    return betting(table_rules(submission))


def done(stage: Stage, command: acts.Command) -> tuple[Any, ...]:
    answer = stage.try_execute(command)
    assert not isinstance(answer, Refusal), answer
    return answer


def code(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


def playing(stage: Stage) -> None:
    stage.execute(acts.PlaceWager(1, "player", 10_000), acts.CallNoMoreBets())


def must(stage: Stage) -> set[type[acts.Command]]:
    return {one.command for one in legal(stage.state, stage.rules) if one.must}


def to_the_end_of_the_shoe(stage: Stage) -> None:
    """Deal until a shuffle, or the device, is due."""
    for _ in range(3_000):
        if stage.state.phase is Phase.SHOE_COMPLETED:
            return
        if stage.state.phase is Phase.BETTING and not stage.state.stakes:
            stage.execute(acts.PlaceWager(1, "player", 2_500))
        stage.go_on()
    raise AssertionError(stage.state.phase)


def test_a_law_that_decides_it_leaves_no_reading_to_elect() -> None:
    """Otherwise the election would be accepted and listed, and the law's rule carried out."""
    with ruled() as rules:
        assert "C233" not in rules.readings
        with pytest.raises(SubmissionError) as raised:
            table_rules(replace(rules.submission, readings={"C233": "void"}))
    message = "this regulation decides it: remove it"
    assert raised.value.errors == (ErrorDetail("interpretations.C233", message, (CLAUSE,)),)


def test_a_table_without_a_device_has_none_that_fails() -> None:
    stage = of_new_jersey()
    assert code(stage.try_execute(report())) == "no_device"
    assert code(stage.try_execute(WORKS)) == "device_works"


def test_the_round_in_hand_is_completed_and_the_batch_is_shuffled_by_hand() -> None:
    stage = of_new_jersey(**SHUFFLER)
    playing(stage)
    (failed,) = done(stage, report())
    assert (failed.outcome, failed.clauses) == ("completed", ("C233",))
    stage.deal("9h 8d Kh Ks")
    stage.until(Phase.BETTING)
    to_the_end_of_the_shoe(stage)
    batch = stage.state.batch
    assert code(stage.try_execute(acts.ExchangeBatches())) == "device_down"
    stage.until(Phase.BETTING)
    assert stage.state.batch == batch
    stage.execute(WORKS)
    to_the_end_of_the_shoe(stage)
    assert acts.ExchangeBatches in must(stage)
    stage.until(Phase.BETTING)
    assert stage.state.batch != batch


def test_the_next_shoe_waits_for_the_device_by_the_other_readings() -> None:
    stage = of_new_jersey("wait", **SHUFFLER)
    stage.execute(report())
    to_the_end_of_the_shoe(stage)
    assert must(stage) == {acts.RestoreDevice}
    assert code(stage.try_execute(acts.ShuffleCards())) == "exchange"
    stage.execute(WORKS)
    assert acts.ExchangeBatches in must(stage)


def test_the_round_in_hand_is_void_by_a_reading_but_not_after_its_result() -> None:
    stage = of_new_jersey("void", **SHUFFLER)
    playing(stage)
    failed, voided, back = done(stage, report())
    assert (failed.outcome, voided.reshuffle) == ("void", False)
    assert [one.line for one in back.stakes] == ["void"]
    assert stage.state.seats[1].chips_cents == 1_000_000
    stage.until(Phase.BETTING)
    stage.execute(WORKS)
    playing(stage)
    stage.deal("2h 9d Kh Ks")
    assert stage.state.phase is Phase.DECIDED
    (failed,) = done(stage, report())
    assert failed.outcome == "completed"
    stage.until(Phase.BETTING)
    assert stage.state.seats[1].chips_cents == 990_000


def test_no_round_begins_while_a_continuous_device_is_down() -> None:
    stage = of_new_jersey(**CONTINUOUS)
    stage.execute(acts.PlaceWager(1, "player", 10_000), report())
    assert code(stage.try_execute(acts.CallNoMoreBets())) == "device_down"
    assert must(stage) == {acts.RestoreDevice}
    stage.execute(acts.WithdrawWager(1, "player"), acts.LeaveTable(1), acts.CloseTable())


def test_another_device_takes_its_place_at_once() -> None:
    stage = of_new_jersey(**CONTINUOUS)
    playing(stage)
    stage.execute(report("other-device"))
    stage.deal("9h 8d Kh Ks")
    stage.until(Phase.BETTING)
    stage.execute(acts.ReturnDiscards())
    playing(stage)


def test_what_the_law_says_of_a_case_decides_with_its_clause() -> None:
    with ruled() as rules:
        stage = betting(rules)
        playing(stage)
        failed, *_ = done(stage, report("disadvantage"))
        assert (failed.outcome, failed.clauses) == ("void", (CLAUSE,))


def test_wagers_are_taken_back_where_the_law_says_so_until_the_result() -> None:
    with ruled(round={**COMPLETED, "no-device": "withdrawable"}) as rules:
        stage = betting(rules)
        stage.execute(acts.SeatPatron(2, "Bea"), acts.BuyChips(2, 1_000_000))
        stage.execute(acts.PlaceWager(2, "player", 10_000))
        playing(stage)
        assert code(stage.try_execute(acts.WithdrawWager(1, "player"))) == "no_more_bets"
        stage.execute(report())
        (taken,) = done(stage, acts.WithdrawWager(1, "player"))
        assert taken.clauses == (CLAUSE,)
        assert code(stage.try_execute(acts.PlaceWager(1, "player", 10_000))) == "no_more_bets"
        stage.deal("2h 9d Kh Ks")
        assert code(stage.try_execute(acts.WithdrawWager(2, "player"))) == "no_more_bets"
        stage.until(Phase.BETTING)
        assert [one.chips_cents for one in stage.state.seats.values()] == [1_000_000, 990_000]


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (acts.ReportDeviceFailure("no-device", "", "jam"), "nobody"),
        (acts.ReportDeviceFailure("no-device", "Flo", " "), "nobody"),
        (acts.ReportDeviceFailure("soon", "Flo", "jam"), "case"),
        (acts.ReportDeviceFailure("no-device", "Flo", "jam", 2), "damaged"),
    ],
)
def test_a_report_that_does_not_hold_is_refused(command: acts.Command, refused: str) -> None:
    assert code(of_new_jersey(**SHUFFLER).try_execute(command)) == refused


def test_damaged_cards_are_replaced_only_by_a_law_that_says_so() -> None:
    with ruled() as rules:
        (failed,) = done(betting(rules), report(damaged=2))
        assert failed.damaged == 2
    with ruled(damaged="out-of-use") as rules:
        assert code(betting(rules).try_execute(report(damaged=2))) == "damaged"


def test_a_dealer_cannot_void_a_round_by_a_failure_of_the_device() -> None:
    stage = of_new_jersey("void", **SHUFFLER)
    playing(stage)
    dealer = (Actor("Ida", "dealer"),)
    refused = may(stage.state, report(), dealer, stage.rules)
    assert refused is not None
    assert refused.code == "not_your_office"
    named = acts.ReportDeviceFailure("disadvantage", "Ida", "it jammed")
    refused = may(stage.state, named, (Actor("Ned", "floorperson"),), stage.rules)
    assert refused is not None
    assert refused.code == "two_persons"


def test_a_second_failure_in_a_round_does_not_end_the_right_of_the_first() -> None:
    with ruled(round={**COMPLETED, "no-device": "withdrawable"}) as rules:
        stage = betting(rules)
        playing(stage)
        stage.execute(report(), WORKS, report("other-device"))
        (taken,) = done(stage, acts.WithdrawWager(1, "player"))
        assert taken.clauses == (CLAUSE,)


def test_wagers_on_the_next_round_stay_during_a_simulated_one_after_a_failure() -> None:
    simulated = {"irregularity__disclosed_card": "simulated-round"}
    with ruled(round={**COMPLETED, "no-device": "withdrawable"}, elected=simulated) as rules:
        stage = betting(rules)
        playing(stage)
        stage.execute(report(), WORKS)
        stage.deal("9h 8d Kh Ks")
        stage.until(Phase.BETTING)
        stage.execute(acts.DrawCardInError(Card.of("5c"), disclosed=True))
        stage.execute(acts.PlaceWager(1, "player", 10_000), acts.BeginSimulatedRound())
        assert code(stage.try_execute(acts.WithdrawWager(1, "player"))) == "simulated_round"


def test_no_simulated_round_begins_while_a_continuous_device_is_down() -> None:
    stage = of_new_jersey(irregularity__disclosed_card="simulated-round", **CONTINUOUS)
    stage.execute(acts.DrawCardInError(Card.of("5c"), disclosed=True), report())
    assert code(stage.try_execute(acts.BeginSimulatedRound())) == "device_down"
    assert must(stage) == {acts.RestoreDevice}
    stage.execute(WORKS)
    assert acts.BeginSimulatedRound in must(stage)
    stage.execute(acts.BeginSimulatedRound(), report())
    stage.until(Phase.BETTING)
    assert must(stage) == {acts.RestoreDevice}


def the_next_day(stage: Stage, *before: acts.Command) -> None:
    stage.execute(acts.LeaveTable(1), acts.CloseTable(), *before)
    day = DAY + timedelta(days=1)
    stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", day))
    stage.execute(acts.SeatPatron(1, "Ann"), acts.BuyChips(1, 1_000_000))


@pytest.mark.parametrize(
    ("elected", "waits"), [(SHUFFLER, acts.ExchangeBatches()), (CONTINUOUS, acts.CallNoMoreBets())]
)
def test_a_device_that_is_down_as_the_table_closes_is_down_the_next_day(
    elected: dict[str, Any], waits: acts.Command
) -> None:
    stage = of_new_jersey(**elected)
    stage.execute(report())
    the_next_day(stage)
    assert stage.state[Device].down
    while must(stage) != {acts.RestoreDevice}:
        stage.go_on()
    if elected is CONTINUOUS:
        stage.execute(acts.PlaceWager(1, "player", 10_000))
    assert code(stage.try_execute(waits)) == "device_down"
    stage.execute(WORKS)
    assert not isinstance(stage.try_execute(waits), Refusal)


def test_a_table_that_gave_up_its_device_waits_for_none() -> None:
    stage = of_new_jersey(**CONTINUOUS)
    stage.execute(report())
    by_hand = {"device": "none", "shuffle.finish": "feather", "cut.recut_by": "last-cutter"}
    the_next_day(stage, acts.AdoptElections(by_hand))
    stage.until(Phase.BETTING)
    assert acts.RestoreDevice not in must(stage)
    playing(stage)


def test_a_right_to_take_wagers_back_ends_with_the_gaming_day() -> None:
    with ruled(round={**COMPLETED, "no-device": "withdrawable"}) as rules:
        stage = betting(rules)
        playing(stage)
        stage.execute(report(), WORKS)
        stage.deal("9h 8d Kh Ks")
        stage.until(Phase.BETTING)
        the_next_day(stage)
        stage.until(Phase.BETTING)
        playing(stage)
        assert code(stage.try_execute(acts.WithdrawWager(1, "player"))) == "no_more_bets"
