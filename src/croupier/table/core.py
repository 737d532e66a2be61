"""decide, evolve and legal: three pure functions, put together from the parts of the procedure.

Each part of the procedure (preparing, cutting, wagering, dealing ...) keeps together what it
decides, what its events change, and what may be done next, and registers them here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from croupier.frozen import frozen
from croupier.law.cite import bind
from croupier.rules import TableRules
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.state import Course, Phase, Progressive, TableState

__all__ = [
    "Action", "Refusal", "applies", "decide", "decides", "due", "evolve", "evolve_all", "legal",
    "new_table", "offers",
]  # fmt: skip

Events = tuple[Event, ...]
Decider = Callable[[TableState, Any, TableRules], "Events | Refusal"]
Evolver = Callable[[TableState, Any], TableState]
Offerer = Callable[[TableState, TableRules], "Iterable[Action]"]
DeciderType = TypeVar("DeciderType", bound=Decider)
EvolverType = TypeVar("EvolverType", bound=Evolver)
OffererType = TypeVar("OffererType", bound=Offerer)


@frozen
class Refusal:
    """Why a command changes nothing: a code for programs, clauses, and a message for people."""

    code: str
    clauses: tuple[str, ...]
    message: str

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return self.message + law


class Action(NamedTuple):
    """Something that may be done next, or ``must`` be before anything else goes on."""

    command: type[Command]
    who: str
    clauses: tuple[str, ...]
    must: bool = True
    seat: int | None = None


class _Decision(NamedTuple):
    phases: frozenset[Phase]
    rules: tuple[str, ...]
    function: Decider


_DECIDERS: dict[type[Command], _Decision] = {}
_EVOLVERS: dict[type[Event], Evolver] = {}
_OFFERERS: dict[Phase, list[Offerer]] = {phase: [] for phase in Phase}
_OPTIONAL: dict[Phase, list[Offerer]] = {phase: [] for phase in Phase}


def decides(
    command: type[Command], *phases: Phase, cites: tuple[str, ...] = ()
) -> Callable[[DeciderType], DeciderType]:
    """Register what decides a command, the phases it belongs to, and the rules it carries out.

    The first rule's clauses answer a command that comes at the wrong time.
    """

    def register(function: DeciderType) -> DeciderType:
        for rule_id in cites:
            bind(rule_id, function)
        _DECIDERS[command] = _Decision(frozenset(phases), cites, function)
        return function

    return register


def applies(*events: type[Event]) -> Callable[[EvolverType], EvolverType]:
    """Register what an event changes in the state."""

    def register(function: EvolverType) -> EvolverType:
        for event in events:
            _EVOLVERS[event] = function
        return function

    return register


def offers(*phases: Phase, optional: bool = False) -> Callable[[OffererType], OffererType]:
    """Register what may be done next in some phases; ``optional`` where none of it must be."""

    def register(function: OffererType) -> OffererType:
        for phase in phases:
            (_OPTIONAL if optional else _OFFERERS)[phase].append(function)
        return function

    return register


def new_table(rules: TableRules) -> TableState:
    """Return the state of a table that has not been opened."""
    verifies, spread = rules.applies("opening.verify"), rules.applies("opening.spread")
    seals = verifies and not rules.applies("opening.preshuffled")
    course = Course(verifies, spread, seals, rules.batches)
    return TableState(rules.tableau, course, progressive=Progressive(rules.meter_seeds))


def decide(state: TableState, command: Command, rules: TableRules) -> Events | Refusal:
    """Answer a command: the events that it brings about, or a refusal that names its clauses.

    Pure. Nothing changes before the events go through ``evolve``, so a refusal changes nothing.
    """
    decision = _DECIDERS[type(command)]
    if state.phase not in decision.phases:
        clauses = rules.cites(decision.rules[0]) if decision.rules else ()
        return Refusal("not_now", clauses, f"not now: the table is {state.phase.value}")
    return decision.function(state, command, rules)


def evolve(state: TableState, event: Event) -> TableState:
    """Return the state after an event. Total: every event has its effect in every state."""
    return _EVOLVERS[type(event)](state, event)


def evolve_all(state: TableState, events: Events) -> TableState:
    """Return the state after several events."""
    for event in events:
        state = _EVOLVERS[type(event)](state, event)
    return state


def legal(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    """Return what may or must be done next and by whom, with the clauses."""
    offerers = (*_OFFERERS[state.phase], *_OPTIONAL[state.phase])
    return tuple(action for offerer in offerers for action in offerer(state, rules))


def due(state: TableState, rules: TableRules) -> Action | None:
    """Return the first thing that must be done next, without listing all that may be."""
    for offerer in _OFFERERS[state.phase]:
        for action in offerer(state, rules):
            if action.must:
                return action
    return None
