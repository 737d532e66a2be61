"""A controller of meters that fails, and bet sensors that differ from the chips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import AwardNumber, Word
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import ANY_TIME, Phase, TableState, with_slice
from croupier.table.people.patrons import not_there
from croupier.table.settling.unclaimed_amounts import cites_reading, register_entry

_CAUSES: Final = ("reset", "communication")
_WAGERED: Final = (Phase.BETTING, Phase.DEALING)


@core.keeps("controller", past_closing=True)
class Controller(Struct, frozen=True):
    """How the controller failed, what it showed if that differed, and awards due by hand since."""

    lost: Word = ""
    shown: Annotated[Mapping[str, int], Sight.HOUSE] = field(default_factory=dict)
    awards: tuple[AwardNumber, ...] = ()


def _cites(rules: TableRules) -> tuple[str, ...]:
    return cites_reading("controller.lost", rules)


def _differs(rules: TableRules) -> tuple[str, ...]:
    return (*_cites(rules), *register_entry("controller-differs", rules))


def _meters(state: TableState) -> Mapping[str, int]:
    return hooks.meters_shown.ask(state) or {}


def controller_lost(state: TableState, rules: TableRules) -> Refusal | None:
    kept = state[Controller]
    if not kept.lost:
        return None
    first = "accounting reconciles the meters" if kept.shown else "read the controller again"
    message = f"the controller of the meters failed ({kept.lost}): {first} first"
    return Refusal("controller", _differs(rules) if kept.shown else _cites(rules), message)


@hooks.before_wagers.join
def _no_wagers(state: TableState, rules: TableRules, wagers: Iterable[str]) -> Refusal | None:
    if rules.reading("controller.lost") == "recorded" or not rules.meter_shares.keys() & {*wagers}:
        return None
    return controller_lost(state, rules)


@hooks.due_by_hand.join
def _by_hand(state: TableState, rules: TableRules) -> tuple[str, ...] | None:
    failed = controller_lost(state, rules)
    return None if failed is None else failed.clauses


@hooks.before_hand_pay.join
def _waits(state: TableState, number: int, rules: TableRules) -> Refusal | None:
    return controller_lost(state, rules) if number in state[Controller].awards else None


@core.decides(acts.ReportController, ANY_TIME)
def _report(state: TableState, command: acts.ReportController, rules: TableRules) -> Answer:
    if not _meters(state):
        return Refusal("meters", _cites(rules), "this table has no meters")
    if command.cause not in _CAUSES:
        message = f"{command.cause!r}: a controller fails by {' or '.join(_CAUSES)}"
        return Refusal("cause", _cites(rules), message)
    if state[Controller].lost:
        message = f"its failure is on record ({state[Controller].lost}): read it once it is back"
        return Refusal("controller", _cites(rules), message)
    return (acts.ControllerLost(command.cause, _meters(state), _cites(rules)),)


core.applies(acts.ControllerLost)(lambda state, event: with_slice(state, Controller(event.cause)))


@core.decides(acts.ReadController, ANY_TIME)
def _read(state: TableState, command: acts.ReadController, rules: TableRules) -> Answer:
    kept, expected = state[Controller], _meters(state)
    if not kept.lost or kept.shown:
        # A reading that differed is not replaced by another one.
        first = "accounting reconciles the meters" if kept.shown else "no failure is on record"
        return Refusal("controller", _differs(rules), f"{first}: a failure is read once")
    if command.shown.keys() != expected.keys():
        known = ", ".join(expected)
        return Refusal("meters", _cites(rules), f"read every meter of this table: {known}")
    differs = command.shown != expected
    return (acts.ControllerRead(command.shown, expected, (_differs if differs else _cites)(rules)),)


@core.applies(acts.ControllerRead)
def _was_read(state: TableState, event: acts.ControllerRead) -> TableState:
    if event.shown == event.expected:
        return with_slice(state, Controller())
    return with_slice(state, replace(state[Controller], shown=event.shown))


@core.hears(acts.MetersReconciled)
def _reconciled(state: TableState, event: acts.MetersReconciled) -> TableState:
    if not state[Controller].shown or event.shown != event.expected:
        return state
    return with_slice(state, Controller())


@core.hears(acts.HandPayDue)
def _due(state: TableState, event: acts.HandPayDue) -> TableState:
    kept = state[Controller]
    if not kept.lost:
        return state
    return with_slice(state, replace(kept, awards=(*kept.awards, event.number)))


# --- bet sensors ---------------------------------------------------------------------------------


@core.decides(acts.ReportSensor, *_WAGERED)
def _sensor(state: TableState, command: acts.ReportSensor, rules: TableRules) -> Answer:
    clauses, feeding = cites_reading("sensor.differs", rules), rules.feeding
    if feeding is None:
        return Refusal("not_offered", clauses, "no wager of this table has a bet sensor")
    if not command.reason.strip():
        return Refusal("reason", clauses, "say how it was seen: it stays on record")
    if refusal := not_there(state, command.seat):
        return refusal
    stake = state.stakes.get((command.seat, feeding.wager.id))
    if command.lit is (stake is not None):
        lies = "a chip lies there" if stake else "no chip lies there"
        return Refusal("no_difference", clauses, f"{lies}, as the sensor has it")
    cents = 0 if stake is None else stake.cents
    differed = acts.SensorDiffered(command.seat, command.lit, cents, command.reason, clauses)
    dealt = state.round is not None and state.round.coup.player
    if stake is None or dealt or rules.reading("sensor.differs") != "sensor":
        return (differed,)
    wager = (command.seat, feeding.wager.id, stake.chips_cents, stake.coupon_cents)
    return (differed, acts.WagerWithdrawn(*wager, once(clauses, rules.cites("wagers.royal_9"))))


core.no_effect(acts.SensorDiffered)


@also_offers(ANY_TIME)
def _of_the_controller(state: TableState, rules: TableRules) -> Iterator[Action]:
    kept = state[Controller]
    if _meters(state) and not kept.lost:
        yield Action(acts.ReportController, Role.FLOORPERSON, _cites(rules), must=False)
    if kept.lost and not kept.shown:
        yield Action(acts.ReadController, Role.FLOORPERSON, _cites(rules), must=False, awaited=True)


@also_offers(*_WAGERED)
def _of_sensors(state: TableState, rules: TableRules) -> Iterator[Action]:
    if rules.feeding is not None and state.seats:
        clauses = cites_reading("sensor.differs", rules)
        yield Action(acts.ReportSensor, Role.FLOORPERSON, clauses, must=False)


@fills_in("ReportController.cause")
def _how(_of: Situation, name: str) -> Field:
    return Field(name, "choice", choices=tuple((one, one) for one in _CAUSES), default=_CAUSES[1])
