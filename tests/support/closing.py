"""The closing of a table by its staff alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.acts.roles import SEATED, Role
from croupier.rules import TableRules
from croupier.scenarios.people import DEALER, FLOORPERSON, PIT_BOSS, PIT_CLERK
from croupier.scenarios.plainest import hand_meant, plainest, sets_first
from croupier.table import Action, Refusal, TableState, decide, legal
from croupier.table.house.tray import Tray
from croupier.table.machine.position import Position, propose
from croupier.table.machine.state import BETWEEN_ROUNDS
from croupier.table.parts.forms import FormBook
from croupier.table.people.duty import Duty
from croupier.table.settling.settling import owed_by_the_shoe

_REASON: Final = "the table closes"
_FORMS: Final = 1_000
_FILL: Final = {100_000: 1_000}


def closing_command(position: Position) -> Command:
    """Return the staff's next command to end the current round and close the table.

    A paused table is resumed, and a short tray is filled. Raises ``RuntimeError`` if the staff
    cannot continue.
    """
    if position.house.pause:
        return acts.ResumeTable()
    tray = position.state[Tray]
    for number, slip in tray.slips.items():
        if slip.kind == "fill":
            arrives = acts.ReceiveFill if slip.is_issued else acts.IssueFill
            return arrives(number, slip.chips)
    command = _next(position.state, position.rules)
    answer = propose(position, command)
    if isinstance(answer, Refusal) and answer.code == "rack_short":
        return acts.RequestFill(max(tray.used, default=0) + 1, _FILL)
    return command


def _next(state: TableState, rules: TableRules) -> Command:
    if state.phase in BETWEEN_ROUNDS and owed_by_the_shoe(state, rules) is None:
        return _ending(state, rules)
    actions = legal(state, rules)
    for action in actions:
        if action.must and action.who not in SEATED:
            command = plainest(state, rules, action)
            drawn = isinstance(command, acts.EndProgressiveRound | acts.ReplaceMystery)
            if drawn and isinstance(decide(state, command, rules), Refusal):
                return acts.ReplaceMystery("the secret is lost")
            return command
    return _without_patrons(state, actions)


def _ending(state: TableState, rules: TableRules) -> Command:
    for seat, patron in state.seats.items():
        if any(staked == seat for staked, _ in state.stakes):
            return acts.ReturnWagers(seat, FLOORPERSON, _REASON)
        if patron.owed_cents:
            return _settled(state, seat, rules)
        return acts.DismissPatron(seat, FLOORPERSON, _REASON)
    return sets_first(state, rules) or acts.CloseTable()


def _settled(state: TableState, seat: int, rules: TableRules) -> Command:
    if not rules.applies("forms.prepared"):
        return acts.WriteOffVigorish(seat, FLOORPERSON, _REASON)
    book = state[FormBook]
    clerk = book.custodian or PIT_CLERK
    if book.next_serial is None:
        first = book.last_serial + 1
        return acts.ReceiveForms(clerk, first, first + _FORMS)
    dealer = _on_duty(state, Role.DEALER, DEALER)
    boss = _on_duty(state, Role.PIT_BOSS, PIT_BOSS)
    return acts.PrepareForm(
        book.next_serial, seat, clerk, dealer, boss, patron_signed=False, statement=_REASON,
        stated_by=dealer,
    )  # fmt: skip


def _on_duty(state: TableState, office: Role, otherwise: str) -> str:
    return next(iter(state[Duty].persons(office)), otherwise)


def _without_patrons(state: TableState, actions: Iterable[Action]) -> Command:
    for action in actions:
        seat = action.seat or 0
        match action.command:
            case acts.PassOver:
                return acts.PassOver(seat)
            case acts.RequireRelinquishment:
                return acts.RequireRelinquishment(seat, hand_meant(state), "dealer", "delay")
            case acts.RecallHand:
                return acts.RecallHand(hand_meant(state), FLOORPERSON, _REASON)
            case acts.DealForCurator:
                return acts.DealForCurator(FLOORPERSON, _REASON)
    raise RuntimeError(f"the staff has no way on: the table is {state.phase.value}")
