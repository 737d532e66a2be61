"""Optional acts, which ``legal`` does not list: people, verbal wagers, closing, the house."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier import acts
from croupier.acts.roles import Role
from croupier.rules import TableRules
from croupier.table.house.tray import ACTS_OF_SLIPS, Tray
from croupier.table.machine import hooks
from croupier.table.machine.core import Action, Refusal, decide
from croupier.table.machine.offered import also_offers
from croupier.table.machine.state import ANY_TIME, AT_TABLE, BETWEEN_ROUNDS, Phase, TableState
from croupier.table.people.duty import Duty
from croupier.table.settling.awards import HandPays
from croupier.table.settling.unclaimed_amounts import KeptAmounts

_GONE: Final = "the patron has walked away"


def _may(
    command: type[acts.Command], role: Role, seat: int | None = None, *, awaited: bool = False
) -> Action:
    return Action(command, role, (), must=False, seat=seat, awaited=awaited)


def _allowed(
    state: TableState, rules: TableRules, command: acts.Command, role: Role, seat: int | None = None
) -> Iterator[Action]:
    answer = decide(state, command, rules)
    if not isinstance(answer, Refusal):
        clauses = answer[0].clauses if answer else ()
        yield Action(type(command), role, clauses, must=False, seat=seat)


@also_offers(AT_TABLE)
def _people(state: TableState, rules: TableRules) -> Iterator[Action]:
    free = [seat for seat in range(1, rules.submission.layout.seats + 1) if seat not in state.seats]
    # The spread cards wait for the first patron, and wagers for that patron's chips.
    before_play = state.phase is Phase.BETTING and not (state.rounds or state.stakes)
    before_play = before_play and not any(patron.chips_cents for patron in state.seats.values())
    if free:
        first = not state.seats and (before_play or state.phase is Phase.SPREAD_UP)
        yield _may(acts.SeatPatron, Role.DEALER, awaited=first)
    for seat, patron in state.seats.items():
        if not patron.away:
            yield _may(acts.BuyChips, Role.DEALER, seat, awaited=before_play)
        yield from _allowed(state, rules, acts.LeaveTable(seat), Role.PATRON, seat)
        if free:
            yield from _allowed(state, rules, acts.ChangeSeat(seat, free[0]), Role.PATRON, seat)
        dismissed = acts.DismissPatron(seat, Role.FLOORPERSON, _GONE)
        yield from _allowed(state, rules, dismissed, Role.SUPERVISOR, seat)


@also_offers(Phase.BETTING)
def _spoken(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not rules.applies("wagers.verbal"):
        return
    clauses = rules.cites_for("wagers.verbal", "confirmed")
    if state.present:
        yield Action(acts.PlaceVerbalWager, Role.DEALER, clauses, must=False)


@also_offers(BETWEEN_ROUNDS)
def _closing(state: TableState, rules: TableRules) -> Iterator[Action]:
    yield from _allowed(state, rules, acts.CloseTable(), Role.FLOORPERSON)


@also_offers(ANY_TIME)
def _elections(_state: TableState, _rules: TableRules) -> Iterator[Action]:
    yield _may(acts.RecordNotice, Role.LICENSEE)
    yield _may(acts.AdoptElections, Role.LICENSEE)


@also_offers(ANY_TIME)
def _of_the_house(state: TableState, _rules: TableRules) -> Iterator[Action]:
    yield _may(acts.AssignOffice, Role.FLOORPERSON)
    if any(state[Duty].posts.values()):
        yield _may(acts.EndAssignment, Role.FLOORPERSON)
    yield _may(acts.WriteNote, Role.FLOORPERSON)
    yield _may(acts.CountInventory, Role.DEALER)
    yield _may(acts.RemoveDrop, Role.ACCOUNTING)
    tray = state[Tray]
    if tray.uncounted:
        yield _may(acts.CountDrop, Role.ACCOUNTING, awaited=True)
    for on_slip in dict.fromkeys((slip.kind, slip.is_issued) for slip in tray.slips.values()):
        yield _may(*ACTS_OF_SLIPS[on_slip], awaited=True)
    if tray.slips:
        yield _may(acts.VoidSlip, Role.FLOORPERSON)


@also_offers(ANY_TIME)
def _of_corrections(state: TableState, rules: TableRules) -> Iterator[Action]:
    if any(rules.linkable(wager) for wager in rules.offers):
        yield _may(acts.ReadMeters, Role.MACHINE)
    if state.stakes or (state.round is not None and state.phase is not Phase.SETTLED):
        yield _may(acts.CorrectWager, Role.FLOORPERSON)
    if state.rounds:
        yield _may(acts.CorrectSettlement, Role.FLOORPERSON)
    if state[HandPays].due:
        yield _may(acts.PayByHand, Role.CAGE, awaited=True)
    if state[KeptAmounts].due:
        yield _may(acts.PayKeptAmount, Role.CAGE)
    if hooks.meters_shown.ask(state):
        yield _may(acts.ReconcileMeters, Role.ACCOUNTING)


@also_offers(AT_TABLE)
def _of_an_open_table(state: TableState, _rules: TableRules) -> Iterator[Action]:
    yield _may(acts.PauseTable, Role.FLOORPERSON)
    yield _may(acts.ResumeTable, Role.FLOORPERSON)
    yield _may(acts.ReserveSeat, Role.FLOORPERSON)
    yield _may(acts.ReleaseSeat, Role.FLOORPERSON)
    yield _may(acts.RelieveDealer, Role.FLOORPERSON)
    yield _may(acts.RelieveFloorperson, Role.PIT_BOSS)
    yield _may(acts.ChangeShift, Role.FLOORPERSON)
    yield _may(acts.RequestFill, Role.FLOORPERSON)
    yield _may(acts.RequestCredit, Role.FLOORPERSON)
    if state.seats:
        yield _may(acts.ChangeChips, Role.DEALER)
