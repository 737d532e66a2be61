"""A table at one entry of its record, and the effect of a command on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.acts import AdoptElections, Command
from croupier.acts.command import TERMS
from croupier.law.mechanisms import MechanismError, reserve
from croupier.law.usage import called_under, money
from croupier.money.ledger import INVENTORY, Ledger
from croupier.rules import TableRules, table_rules
from croupier.table.elections.election_changes import rules_after
from croupier.table.machine.bookkeeping import booked
from croupier.table.machine.core import (
    Answer,
    Events,
    Refusal,
    decide,
    decides,
    evolve_all,
    mechanism_failed,
    new_table,
)
from croupier.table.machine.house import Entry, FormerElections, House, noted
from croupier.table.machine.state import Phases, TableState
from croupier.table.people.offices import Actor as Actor  # noqa: PLC0414  (for importers)
from croupier.table.people.offices import may, remembered


class Stamp(Struct, frozen=True):
    """The actors and idempotency key of a command, and the entry that it corrects."""

    by: tuple[Actor, ...] = ()
    key: str | None = None
    corrects: int | None = None


class Position(Struct, frozen=True):
    """A table after one entry."""

    rules: TableRules
    state: TableState
    ledger: Ledger
    sequence: int = 0
    house: House = field(default_factory=House)

    @property
    def at(self) -> datetime | None:
        """The time of the last entry in UTC; ``None`` without a clock."""
        return self.state.at


class Proposal(Struct, frozen=True):
    """A permitted command with its consequences, not yet carried out."""

    before: Position
    command: Command
    events: Events
    after: Position
    stamp: Stamp


NO_STAMP: Final = Stamp()
"""The stamp of a command without actors or key."""


# --- acts of the house -------------------------------------------------------------------------
#
# Comparing counts with the ledger needs the ledger, so acts of the house are decided from the
# position. They cite no clause.

HouseDecider: TypeAlias = Callable[[Position, Any], Answer]
Decided = TypeVar("Decided", bound=Callable[..., Answer])

_HOUSE: Final[dict[type[Command], tuple[Phases, HouseDecider]]] = {}


def house_decides(command: type[Command], phases: Phases) -> Callable[[Decided], Decided]:
    """Register the decider of an act of the house, and its phases."""

    def register(function: Decided) -> Decided:
        reserve(function, "@house_decides")
        _HOUSE[command] = phases, function
        decides(command, phases)(_needs_ledger)
        return function

    return register


Guard: TypeAlias = "Callable[[Position, Any], Refusal | None]"
_GUARDS: Final[dict[type[Command], Guard]] = {}


def guards(command: type[Command]) -> Callable[[Guard], Guard]:
    """Register a reason of the house to refuse a permitted act."""

    def register(function: Guard) -> Guard:
        reserve(function, "@guards")
        _GUARDS[command] = function
        return function

    return register


def _held_up(position: Position, command: Command) -> Refusal | None:
    paused = position.house.pause
    if paused and not TERMS[type(command).__name__].while_paused:
        return Refusal("paused", (), f"the table is paused ({paused}): the floorperson resumes it")
    guard = _GUARDS.get(type(command))
    return None if guard is None else guard(position, command)


def _needs_ledger(_state: TableState, command: Command, _rules: TableRules) -> Answer:
    message = f"{type(command).__name__} is an act of the house: it is decided with the ledger"
    return Refusal("house", (), message)


# --- from one position to the next -------------------------------------------------------------


def opening_position(rules: TableRules) -> Position:
    return Position(rules, new_table(rules), Ledger())


def propose(
    position: Position, command: Command, stamp: Stamp = NO_STAMP, at: datetime | None = None
) -> Proposal | Refusal:
    """Return the effect of a command on a position, or its refusal. Pure.

    A time before the last entry is replaced by that entry's.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier import acts
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> closed = opening_position(rules)
    >>> opening = propose(closed, acts.OpenTable(5_000_000, "Lee", "Ray", date(2011, 2, 22)))
    >>> opening.after.ledger.balance("inventory"), closed.ledger.balance("inventory")
    (5000000, 0)
    """
    try:
        now, usage = at_moment(position, at), position.rules.law.usage
        answer = called_under(usage, _proposed, now, position, command, stamp)
    except MechanismError as error:
        answer = mechanism_failed(error)
    if isinstance(answer, Refusal) and position.rules.law.usage.offices:
        fields = (getattr(command, name) for name in command.__struct_fields__)
        people = {one.person for one in stamp.by} | {one for one in fields if isinstance(one, str)}
        message = position.rules.law.usage.named(answer.message, people)
        return replace(answer, message=message)
    return answer


def _proposed(
    now: Position, position: Position, command: Command, stamp: Stamp
) -> Proposal | Refusal:
    if stamp.corrects is None and (entry := getattr(command, "of", None)) is not None:
        stamp = replace(stamp, corrects=entry)
    answer = allowed(now, command, stamp)
    if isinstance(answer, Refusal):
        return answer
    after = advanced(now, command, answer, stamp.by)
    refusal = rack_short(after)
    # A shortage from an altered record does not hold up an act that moves no money.
    if refusal is not None and after.ledger != now.ledger:
        return refusal
    return Proposal(position, command, answer, after, stamp)


def _misdirected(position: Position, command: Command, stamp: Stamp) -> Refusal | None:
    corrected_entry, entry = stamp.corrects, getattr(command, "of", None)
    if entry is None and (corrected_entry is None or 0 < corrected_entry <= position.sequence):
        return None
    if entry is not None and corrected_entry == entry:
        return None
    message = (
        f"its stamp is about entry {corrected_entry}, which is not recorded"
        if entry is None
        else f"the command is about entry {entry}, and its stamp about entry {corrected_entry}"
    )
    return Refusal("corrects", (), message)


def allowed(position: Position, command: Command, stamp: Stamp) -> Answer:
    """Decide a command: first whom it names and who gives it, then the rules or the house."""
    for name, office in TERMS[type(command).__name__].names.items():
        person = getattr(command, name)
        if person and not person.strip():
            return Refusal("nobody", (), f"'{name}' is blank: name the {office.value}")
    return allowed_unnamed(position, command, stamp)


def allowed_unnamed(position: Position, command: Command, stamp: Stamp) -> Answer:
    """Decide a command although it may name a blank person, as older programs did."""
    state, rules = position.state, position.rules
    if refusal := (
        _misdirected(position, command, stamp)
        or may(state, command, stamp.by, rules, position.house)
        or _held_up(position, command)
    ):
        return refusal
    if (house := _HOUSE.get(type(command))) is None:
        return decide(state, command, rules)
    phases, function = house
    if state.phase not in phases:
        return Refusal("not_now", (), f"not now: the table is {state.phase.value}")
    return function(position, command)


def rack_short(after: Position) -> Refusal | None:
    missing = after.ledger.short
    if missing is None:
        return None
    account, cents = missing
    if account != INVENTORY:
        return Refusal("short", (), f"{account} has {money(cents)} less than this takes")
    message = f"the tray is short of {money(cents)}: request a fill, receive it, and go on"
    return Refusal("rack_short", (), message)


def at_moment(position: Position, moment: datetime | None) -> Position:
    """Position at a time; a clock set back has no effect."""
    last = position.state.at
    if moment is None or (last is not None and moment <= last):
        return position
    state = replace(position.state, at=moment)
    return replace(position, state=state)


def when_settled(position: Position, entry: int) -> Position:
    """Position under the elections and limits in force at an entry of its gaming day."""
    for former_elections in position.house.former:
        if entry < former_elections.until:
            rules = position.rules
            choices = {"elections": former_elections.elections, "limits": former_elections.limits}
            rules = table_rules(replace(rules.submission, **choices), rules.law)
            return replace(position, rules=rules)
    return position


def advanced(
    position: Position, command: Command, events: Events, actors: tuple[Actor, ...] = ()
) -> Position:
    rules, number, before = position.rules, position.sequence + 1, position.state
    after = remembered(evolve_all(before, events), command, actors)
    offices = tuple(actor.office for actor in actors)
    house = noted(position.house, events, Entry(number, offices, before, after))
    if type(command) is AdoptElections:
        submission = rules.submission
        former_elections = FormerElections(number, submission.elections, submission.limits)
        house = replace(house, former=(*house.former, former_elections))
        rules = rules_after(rules, events)
    return Position(rules, after, booked(position.ledger, events), number, house)
