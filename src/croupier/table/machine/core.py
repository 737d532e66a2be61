"""``decide``, ``evolve``, and ``legal``, assembled from the parts of the procedure.

Functions of a mechanism act only at tables whose law names the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from itertools import product
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, Event
from croupier.acts.elections import OpeningProcedure
from croupier.acts.roles import Role
from croupier.law.cite import Refusal as Refusal  # noqa: PLC0414  (for importers)
from croupier.law.cite import register_implementation
from croupier.law.mechanisms import MechanismError, after_loading, claim, owner_of, reserve
from croupier.law.usage import called_under
from croupier.rules import TableRules
from croupier.table.machine.state import AnyPhase, Phases, TableState

Function = TypeVar("Function", bound=Callable[..., Any])


def guarded(
    function: Function, is_valid: Callable[[Any], bool], fallback: Callable[..., Any]
) -> Function:
    """Make a mechanism's function answer ``otherwise`` unless the table's law names it."""
    owner = owner_of(function)
    if not owner:
        return function
    safe = checked(function, is_valid)

    @wraps(function)
    def answer(*args: Any) -> Any:
        return safe(*args) if any(_in_use(owner, arg) for arg in args) else fallback(*args)

    return answer  # type: ignore[return-value]


def checked(function: Function, is_valid: Callable[[Any], bool]) -> Function:
    """Make a mechanism's function raise ``MechanismError`` if it fails or does not fit."""
    owner = owner_of(function)
    if not owner:
        return function

    @wraps(function)
    def answer(*args: Any) -> Any:
        try:
            answer = function(*args)
            if isinstance(answer, (Iterator, list)):
                # A generator would fail outside the guard.
                answer = tuple(answer)
        except (Exception, SystemExit) as error:
            raise _failed(owner, function, f"{type(error).__name__}: {error}") from error
        if not is_valid(answer):
            raise _failed(owner, function, f"it returned {answer!r}")
        return answer

    return answer  # type: ignore[return-value]


def _in_use(owner: str, arg: object) -> bool:
    if isinstance(arg, TableRules):
        return owner in arg.law.mechanisms
    # An evolver is given no rules: the slice of a mechanism exists at its own tables.
    return isinstance(arg, TableState) and any(owner == owner_of(kind) for kind in arg.slices)


def _failed(owner: str, function: Callable[..., Any], why: str) -> MechanismError:
    return MechanismError(f"mechanism {owner}: {function.__name__} failed: {why}")


def no_answer(*_: object) -> None:
    """Answer for a mechanism that is not in use."""


def are_events(answer: object) -> bool:
    return isinstance(answer, tuple) and all(isinstance(event, acts.Event) for event in answer)


def are_postings(answer: object) -> bool:
    return isinstance(answer, tuple) and all(
        isinstance(posting, tuple) and [*map(type, posting)] == [str, str, int] and posting[2] >= 0
        for posting in answer
    )


def is_decision(answer: object) -> bool:
    return isinstance(answer, Refusal) or are_events(answer)


def is_state(answer: object) -> bool:
    return isinstance(answer, TableState)


Events = tuple[Event, ...]
Answer = Events | Refusal
"""The events of a command, or why it is refused."""
Decider = Callable[[TableState, Any, TableRules], Answer]
Evolver = Callable[[TableState, Any], TableState]
Release = Callable[[TableState, Events, TableRules], Events]
Offerer = Callable[[TableState, TableRules], "Iterable[Action]"]
DeciderType = TypeVar("DeciderType", bound=Decider)
EvolverType = TypeVar("EvolverType", bound=Evolver)
OffererType = TypeVar("OffererType", bound=Offerer)
Slice = TypeVar("Slice")


class Action(NamedTuple):
    """An act that may be done next, or ``must`` be done before others.

    Other offices wait for one that is ``awaited``, and play goes on meanwhile.
    """

    command: type[Command]
    who: Role
    clauses: tuple[str, ...]
    must: bool = True
    seat: int | None = None
    awaited: bool = False


class _Decision(NamedTuple):
    phases: frozenset[AnyPhase] | Phases
    rules: tuple[str, ...]
    function: Decider


class _Offerer(NamedTuple):
    phases: frozenset[AnyPhase] | Phases
    optional: bool
    function: Offerer


class Kept(NamedTuple):
    """A slice of the state kept by a part."""

    name: str
    at_first: Callable[[TableRules], object] | None
    past_closing: bool


_DECIDERS: dict[type[Command], _Decision] = {}
_RELEASES: list[Release] = []
_REFUSED_IN: dict[tuple[type[Command], AnyPhase], Decider] = {}
_EVOLVERS: dict[type[Event], Evolver] = {}
_HEARERS: dict[type[Event], Evolver] = {}
_OFFERERS: list[_Offerer] = []
_TURNS: dict[str, int] = {}
SLICES: Final[dict[type, Kept]] = {}
"""The slices that parts keep, by class."""


def _phase_set(phases: tuple[AnyPhase | Phases, ...]) -> frozenset[AnyPhase] | Phases:
    if len(phases) == 1 and isinstance(phases[0], Phases):
        return phases[0]
    return frozenset(phase for phase in phases if isinstance(phase, AnyPhase))


def keeps(
    name: str, *, at_first: Callable[[TableRules], object] | None = None, past_closing: bool = False
) -> Callable[[type[Slice]], type[Slice]]:
    """Register a class as a slice of the state, under a name.

    It starts with its defaults, or with ``at_first(rules)``. A new gaming day starts it again
    unless it is kept ``past_closing``. That of a mechanism exists at tables of its law alone.
    """

    def register(kind: type[Slice]) -> type[Slice]:
        is_taken = kind in SLICES or any(entry.name == name for entry in SLICES.values())
        claim(kind, f"the slice {name!r}", is_taken)
        begin = at_first
        if owner_of(kind):
            begin = at_first and guarded(at_first, lambda value: isinstance(value, kind), no_answer)
            begin = begin or (lambda _: kind())
        SLICES[kind] = Kept(name, begin, past_closing)
        return kind

    return register


def decides(
    command: type[Command], *phases: AnyPhase | Phases, cites: tuple[str, ...] = ()
) -> Callable[[DeciderType], DeciderType]:
    """Register the decider of a command, its phases, and the rules it implements."""

    def register(function: DeciderType) -> DeciderType:
        claim(function, command.__name__, command in _DECIDERS)
        for rule_id in cites:
            register_implementation(rule_id, function)
        decider = guarded(function, is_decision, lambda state, *_: not_now(state))
        _DECIDERS[command] = _Decision(_phase_set(phases), cites, decider)
        return function

    return register


def refuses(
    *commands: type[Command], at: Iterable[AnyPhase]
) -> Callable[[DeciderType], DeciderType]:
    """Register a part's answer to general commands in the part's phases."""

    def register(function: DeciderType) -> DeciderType:
        for command, phase in product(commands, at):
            is_taken = (command, phase) in _REFUSED_IN or owner_of(function) != owner_of(command)
            claim(function, command.__name__, is_taken)
            _REFUSED_IN[command, phase] = function
        return function

    return register


def applies(*events: type[Event]) -> Callable[[EvolverType], EvolverType]:
    """Register the effect of an event on the state."""

    def register(function: EvolverType) -> EvolverType:
        for event in events:
            claim(function, event.__name__, event in _EVOLVERS)
            evolver = guarded(function, is_state, lambda state, _: state)
            _EVOLVERS[event] = _followed(evolver, _HEARERS.get(event))
        return function

    return register


def no_effect(*events: type[Event]) -> None:
    """Register events that leave the state as it is."""
    applies(*events)(lambda state, _: state)


def leads_to(phase: AnyPhase, *events: type[Event]) -> None:
    """Register events that only move the table to another phase."""
    applies(*events)(lambda state, _: replace(state, phase=phase))


def hears(event: type[Event]) -> Callable[[EvolverType], EvolverType]:
    """Register the effect of another module's event on a part's slice, after its own effect."""

    def register(function: EvolverType) -> EvolverType:
        hearer = guarded(function, is_state, lambda state, _: state)
        before = _HEARERS.get(event)
        _HEARERS[event] = hearer if before is None else _followed(before, hearer)
        if event in _EVOLVERS:
            _EVOLVERS[event] = _followed(_EVOLVERS[event], hearer)
        return function

    return register


def _followed(first: Evolver, second: Evolver | None) -> Evolver:
    return first if second is None else lambda state, event: second(first(state, event), event)


def offers(
    *phases: AnyPhase | Phases, optional: bool = False
) -> Callable[[OffererType], OffererType]:
    """Register the acts to be offered in some phases."""

    def register(function: OffererType) -> OffererType:
        offerer = guarded(function, are_actions, lambda *_: ())
        _OFFERERS.append(_Offerer(_phase_set(phases), optional, offerer))
        _offerers.cache_clear()
        return function

    return register


def take_turns(*modules: str) -> None:
    """Set the order in which modules list acts, regardless of import order."""
    _TURNS.update({name: turn for turn, name in enumerate(modules)})
    _offerers.cache_clear()


def turn_of(function: Offerer) -> int:
    """Place of a function's module in that order; mechanisms come first."""
    if owner_of(function):
        return -1
    return _TURNS[function.__module__.removeprefix("croupier.table.")]


@cache
def _offerers(phase: AnyPhase) -> tuple[tuple[Offerer, ...], tuple[Offerer, ...]]:
    turns = sorted(_OFFERERS, key=lambda offerer: turn_of(offerer.function))
    current_turns = [turn for turn in turns if phase in turn.phases]
    must = tuple(offerer.function for offerer in current_turns if not offerer.optional)
    return must, tuple(offerer.function for offerer in current_turns if offerer.optional)


def new_table(rules: TableRules) -> TableState:
    verifies, spread = rules.applies("opening.verify"), rules.applies("opening.spread")
    seals = verifies and (
        not rules.applies("opening.preshuffled")
        or rules.reading("preshuffled.verified") == "floorperson"
    )
    course = OpeningProcedure(verifies, spread, seals, rules.batches)
    mechanisms = {"", *rules.law.mechanisms}
    entries = (entry for kind, entry in SLICES.items() if owner_of(kind) in mechanisms)
    slices = [entry.at_first(rules) for entry in entries if entry.at_first is not None]
    return TableState(rules.tableau, course, slices={type(value): value for value in slices})


def past_closing(state: TableState) -> Mapping[type, object]:
    slices = {kind: value for kind, value in state.slices.items() if SLICES[kind].past_closing}
    return slices | {kind: kind() for kind in state.slices if kind not in slices and owner_of(kind)}


def decide(state: TableState, command: Command, rules: TableRules) -> Answer:
    """Answer a command with its events, or with a refusal that cites clauses."""
    decision = _DECIDERS[type(command)]
    if state.phase not in decision.phases:
        if refused_here := _REFUSED_IN.get((type(command), state.phase)):
            return refused_here(state, command, rules)
        return not_now(state, due(state, rules))
    try:
        answer = called_under(rules.law.usage, decision.function, state, command, rules)
    except MechanismError as error:
        return mechanism_failed(error)
    if not isinstance(answer, Refusal) and state.kept:
        return (*answer, *(event for add in _RELEASES for event in add(state, answer, rules)))
    return answer


def mechanism_failed(error: MechanismError) -> Refusal:
    return Refusal("mechanism_failed", (), str(error))


def are_actions(answer: object) -> bool:
    return isinstance(answer, tuple) and all(isinstance(action, Action) for action in answer)


@after_loading
def _check(name: str) -> None:
    """Refuse a mechanism with a command or event of its own that nothing decides or applies."""
    for kind, functions in ((Command, _DECIDERS), (Event, _EVOLVERS)):
        for subclass in kind.__subclasses__():
            if owner_of(subclass) == name and subclass not in functions:
                raise MechanismError(f"mechanism {name}: {subclass.__name__} lacks a function")


def releases(function: Release) -> Release:
    """Register what becomes of cards kept for a hand, added to the events of a command."""
    reserve(function, "@releases")
    _RELEASES.append(function)
    return function


def not_now(state: TableState, first: Action | None = None) -> Refusal:
    hint = "" if first is None else f"; next comes {first.command.__name__}"
    return Refusal("not_now", (), f"not at this moment: the table is {state.phase.value}{hint}")


def not_there(state: TableState, seat: int) -> Refusal | None:
    patron = state.seats.get(seat)
    if patron is None:
        return Refusal("seat_empty", (), f"seat {seat} is empty")
    if patron.away:
        return Refusal("walked_away", (), f"{patron.name} has walked away from seat {seat}")
    return None


def no_seat(seat: int, rules: TableRules) -> Refusal | None:
    last = rules.submission.layout.seats
    if 1 <= seat <= last:
        return None
    return Refusal("no_seat", (), f"seat {seat}: the seats are 1 to {last}")


def deciders() -> Mapping[type[Command], tuple[Decider, tuple[str, ...]]]:
    return {command: (decider.function, decider.rules) for command, decider in _DECIDERS.items()}


def evolve(state: TableState, event: Event) -> TableState:
    """State after an event. Every event applies in every state."""
    return _EVOLVERS[type(event)](state, event)


def evolve_all(state: TableState, events: Events) -> TableState:
    for event in events:
        state = _EVOLVERS[type(event)](state, event)
    return state


def legal(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    """Return what may or must be done next, by whom, with the clauses."""
    must, optional = _offerers(state.phase)
    return tuple(action for offerer in (*must, *optional) for action in offerer(state, rules))


def due(state: TableState, rules: TableRules) -> Action | None:
    for offerer in _offerers(state.phase)[0]:
        for action in offerer(state, rules):
            if action.must:
                return action
    return None
