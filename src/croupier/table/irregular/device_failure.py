"""The report of a shuffling device that failed, or works again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier import acts
from croupier.acts.roles import Role
from croupier.rules import TableRules
from croupier.table.cards.device import (
    Device,
    failure_cites,
    has_device,
    may_take_back,
    waits_for_device,
)
from croupier.table.irregular.misdrawn import void_round
from croupier.table.machine import core
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.offered import Field, Situation, fills_in
from croupier.table.machine.state import AT_TABLE, IN_THE_DEAL, WITH_CARDS, TableState

_CASES: Final = {
    "other-device": "Another device takes its place",
    "no-device": "There is no other device",
    "disadvantage": "A patron or the house is at a disadvantage",
}


@core.decides(
    acts.ReportDeviceFailure,
    AT_TABLE,
    cites=("device.failure", "device.failure.round", "device.failure.damaged"),
)
def _report(state: TableState, command: acts.ReportDeviceFailure, rules: TableRules) -> Answer:
    clauses = failure_cites(rules)
    if not has_device(rules):
        return Refusal("no_device", (), "this table has no shuffling device")
    if state[Device].down:
        return Refusal("device_down", clauses, "the failure of the device is reported already")
    if not (command.supervisor.strip() and command.reason.strip()):
        message = "name the supervisor who reports it, and say what was found"
        return Refusal("nobody", clauses, message)
    if command.case not in _CASES:
        message = f"{command.case!r} is not a case: one of {', '.join(_CASES)}"
        return Refusal("case", clauses, message)
    replaces_cards = rules.applies("device.failure.damaged")
    replaces_cards = replaces_cards and rules.elected("device.failure.damaged", "replaced")
    if command.damaged and not replaces_cards:
        message = "damaged cards take their decks out of use: report a damaged card"
        return Refusal("damaged", rules.cites("device.failure.damaged") or clauses, message)
    if command.damaged < 0:
        return Refusal("damaged", clauses, f"{command.damaged} is not a number of cards")
    outcome, cites = _outcome(command.case, rules)
    interrupts_deal = state.round is not None and state.phase in IN_THE_DEAL
    interrupts_deal = interrupts_deal and state.round is not None and not state.round.simulated
    # A round without wagers ends as it began, and a result that is known is settled.
    outcome = outcome if interrupts_deal else "completed"
    replaced = command.case == "other-device"
    authority = command.supervisor, command.reason
    failure = acts.DeviceFailed(command.case, outcome, replaced, command.damaged, *authority, cites)
    return (failure, *void_round(state, cites)) if outcome == "void" else (failure,)


def _outcome(case: str, rules: TableRules) -> tuple[str, tuple[str, ...]]:
    outcomes = rules.settled.get("device.failure.round")
    if isinstance(outcomes, Mapping):
        return str(outcomes[case]), rules.cites_for("device.failure.round", case)
    voids = rules.reading("device_failure.play") == "void"
    return "void" if voids else "completed", failure_cites(rules)


@core.decides(acts.RestoreDevice, AT_TABLE, cites=("device.failure",))
def _restore(state: TableState, command: acts.RestoreDevice, rules: TableRules) -> Answer:
    if not state[Device].down:
        return Refusal("device_works", (), "no failure of a device is reported here")
    clauses = failure_cites(rules)
    if not command.supervisor.strip():
        return Refusal("nobody", clauses, "name the supervisor who finds that the device works")
    return (acts.DeviceRestored(command.supervisor, clauses),)


@core.offers(WITH_CARDS)
def _waits(state: TableState, rules: TableRules) -> Iterator[Action]:
    if waits_for_device(state, rules):
        yield Action(acts.RestoreDevice, Role.SUPERVISOR, failure_cites(rules), awaited=True)


@core.offers(AT_TABLE, optional=True)
def _may_fail(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not has_device(rules) or waits_for_device(state, rules):
        return
    act = acts.RestoreDevice if state[Device].down else acts.ReportDeviceFailure
    yield Action(act, Role.SUPERVISOR, failure_cites(rules), must=False)


@core.offers(IN_THE_DEAL, optional=True)
def _may_take_back(state: TableState, rules: TableRules) -> Iterator[Action]:
    if may_take_back(state):
        clauses = rules.cites("device.failure.round")
        for seat in {seat: None for seat, _ in state.stakes if seat in state.present}:
            yield Action(acts.WithdrawWager, Role.PATRON, clauses, must=False, seat=seat)


@fills_in("ReportDeviceFailure.case")
def _case(situation: Situation, name: str) -> Field:
    rename = situation.rules.law.usage.named
    choices = tuple((case, rename(words)) for case, words in _CASES.items())
    return Field(name, "choice", choices=choices, default="no-device")


@fills_in("ReportDeviceFailure.damaged")
def _damaged(_situation: Situation, name: str) -> Field:
    return Field(name, "count", least=0, default=0)
