"""Offices and their acts: a guard in front of every command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from croupier import acts as every
from croupier.acts import Command
from croupier.acts.command import BEFORE_TIME, ONCE_DRAWN, PAUSED_BY_WATCH, TERMS, CommandTerms
from croupier.acts.roles import Role, includes, offices_in_words
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import cards_flawed
from croupier.table.machine import hooks
from croupier.table.machine.core import Refusal
from croupier.table.machine.house import House
from croupier.table.machine.state import Phase, TableState, with_slice
from croupier.table.people.duty import Duty, terms_under

NO_HOUSE: Final = House()
"""The house's book if none is known."""


class Actor(Struct, frozen=True):
    """A person in an office, or patron at a ``seat``, and the device of the command."""

    person: str
    office: str
    device: str = ""
    seat: int | None = None


@cache
def _approved() -> frozenset[str]:
    return frozenset(approved for act in TERMS.values() for approved in act.apart)


def may(
    state: TableState,
    command: Command,
    by: tuple[Actor, ...],
    rules: TableRules,
    house: House = NO_HOUSE,
) -> Refusal | None:
    """Return why these actors may not give a command; ``None`` if they may.

    Without ``by``, only the persons named by the command are checked. Codes: ``not_your_office``,
    ``not_your_seat``, ``not_on_duty``, ``two_persons``, ``consent_needed``.
    """
    act = terms_under(type(command).__name__, rules)
    if not by and not act.names:
        return None
    if act.alone and _plainly(state, command, by, act):
        return None
    clauses = _clauses(act, rules)
    return (
        _misnamed(state, command, act, clauses)
        or (_doer(state, command, by, act, clauses) if by else None)
        or (_company((state, rules, house), command, by, act, clauses) if by else None)
    )


def _clauses(act: CommandTerms, rules: TableRules) -> tuple[str, ...]:
    return rules.cites(act.rule) if act.rule in rules.in_force else ()


def _plainly(state: TableState, command: Command, by: tuple[Actor, ...], act: CommandTerms) -> bool:
    # The fast path for most commands of a round.
    if not by or not _gives_own(state, command, by[0], act):
        return False
    if len(by) == 1:
        return True
    patron, dealer = by[0], by[1]
    return (
        len(by) == 2
        and patron.office == Role.PATRON
        and dealer.office == Role.DEALER
        and dealer.seat is None
        and patron.person != dealer.person
        and dealer.person in state[Duty].persons(Role.DEALER)
    )


def _gives_own(state: TableState, command: Command, actor: Actor, act: CommandTerms) -> bool:
    if actor.seat != (getattr(command, "seat", None) if actor.office == Role.PATRON else None):
        return False
    return actor.office in act.does and is_on_duty(state, actor)


def remembered(state: TableState, command: Command, by: tuple[Actor, ...]) -> TableState:
    act = type(command).__name__
    if not by or act not in _approved():
        return state
    persons = tuple(actor.person for actor in by)
    return with_slice(state, state[Duty].having_done(act, which(command), persons))


def which(command: Command) -> str:
    """Box or Form of an act; empty if there is only one at a time."""
    number = getattr(command, "box", None) or getattr(command, "serial", None)
    return "" if number is None else str(number)


def _named(command: Command, act: CommandTerms) -> Iterator[tuple[Role, str]]:
    for name, office in act.names.items():
        person = getattr(command, name)
        if person:
            yield office, person


def _misnamed(
    state: TableState, command: Command, act: CommandTerms, clauses: tuple[str, ...]
) -> Refusal | None:
    if not act.names:
        return None
    duty, seen = state[Duty], dict[str, Role]()
    for office, person in _named(command, act):
        if person in seen:
            message = f"{person} cannot be {seen[person]} and {office} at once: two persons do this"
            return Refusal("two_persons", clauses, message)
        seen[person] = office
        office_held = duty.office_of(person)
        if office_held is not None and not includes(office_held, office):
            message = f"{person} is {office_held} at this table, and cannot act as {office}"
            return Refusal("two_persons", clauses, message)
    return None


def _doer(
    state: TableState,
    command: Command,
    by: tuple[Actor, ...],
    act: CommandTerms,
    clauses: tuple[str, ...],
) -> Refusal | None:
    if not any(_fits(state, command, actor, act.does) for actor in by):
        if any(actor.office == Role.PATRON for actor in by) and Role.PATRON in act.does:
            message = f"this belongs to seat {getattr(command, 'seat', '')}"
            return Refusal("not_your_seat", clauses, message)
        seat, why = getattr(command, "seat", None), ""
        if by[0].office == Role.DEALER and Role.PATRON in act.does and seat is not None:
            why = f": nobody sits at seat {seat}" if seat not in state.seats else ""
        return _not_theirs(act, by, clauses, why)
    for one in by:
        if one.seat is not None and one.office != Role.PATRON:
            message = f"{one.person} acts as {one.office}, and only a patron acts from a seat"
            return Refusal("not_your_seat", clauses, message)
        enters = one.office == Role.DEALER and Role.PATRON in act.does
        if not enters and not _fits(state, command, one, (*act.does, *act.together, *act.besides)):
            message = f"the {one.office} has no part in {type(command).__name__}"
            return Refusal("not_your_office", clauses, message)
        if refusal := _off_duty(state, command, one, clauses):
            return refusal
    return None


def _not_theirs(
    act: CommandTerms, by: tuple[Actor, ...], clauses: tuple[str, ...], why: str = ""
) -> Refusal:
    offices = offices_in_words(act.does, "or")
    offices_given = ", ".join(actor.office for actor in by)
    message = f"{act.command.__name__} is for {offices}, not for the {offices_given}{why}"
    return Refusal("not_your_office", clauses, message)


def never_gives(name: str, actor: Actor, rules: TableRules) -> Refusal | None:
    """Refuse an act, by its name, to an office that never gives it, whatever its fields are."""
    act = terms_under(name, rules)
    # A dealer enters the acts of patrons, and a patron with the shoe deals.
    by_seat = {Role.DEALER: Role.PATRON, Role.PATRON: Role.CURATOR}.get(Role(actor.office))
    if by_seat in act.does or any(includes(actor.office, office) for office in act.does):
        return None
    return _not_theirs(act, (actor,), _clauses(act, rules))


def _fits(state: TableState, command: Command, actor: Actor, offices: tuple[Role, ...]) -> bool:
    if actor.office == Role.PATRON:
        if actor.seat is None:
            return False
        deals = Role.CURATOR in offices and actor.seat == hooks.seat_that_deals.ask(state)
        return deals or (Role.PATRON in offices and actor.seat == getattr(command, "seat", None))
    return any(includes(actor.office, office) for office in offices)


def consenting(
    state: TableState, act: CommandTerms, rules: TableRules, house: House = NO_HOUSE
) -> tuple[Role, ...]:
    others = (office for office, case in act.besides.items() if _CASES[case](state, rules, house))
    return (*act.together, *others)


_CASES: Final[Mapping[str, Callable[[TableState, TableRules, House], bool]]] = {
    BEFORE_TIME: lambda state, rules, _house: (
        not (cards_flawed(state, rules) or hooks.cards_worn_out.ask(state, rules))
        and rules.reading("early_change.by") == "floorperson"
    ),
    ONCE_DRAWN: lambda state, _rules, _house: (
        state.round is not None and bool(state.round.coup.player)
    ),
    PAUSED_BY_WATCH: lambda _state, _rules, house: (
        not {Role.SURVEILLANCE, Role.MACHINE}.isdisjoint(house.paused_by)
    ),
}


def asked_by_name(
    command: Command, by: tuple[Actor, ...], rules: TableRules
) -> tuple[tuple[Role, str], ...]:
    """Persons whom a command names, each for an office, apart from those who gave it."""
    given = {actor.person for actor in by}
    act = terms_under(type(command).__name__, rules)
    return tuple((office, person) for office, person in _named(command, act) if person not in given)


def _off_duty(
    state: TableState, command: Command, actor: Actor, clauses: tuple[str, ...]
) -> Refusal | None:
    opening = isinstance(command, every.OpenTable) and actor.person in {
        command.dealer,
        command.floorperson,
    }
    if opening or _first(state, type(command)) or is_on_duty(state, actor):
        return None
    if actor.office == Role.PATRON:
        message = f"{actor.person} does not sit in seat {actor.seat}"
        return Refusal("not_your_seat", clauses, message)
    who = actor.person
    message = (
        f"{who} is not assigned as {actor.office} at this table: the floorperson assigns {who}"
    )
    return Refusal("not_on_duty", clauses, message)


def _first(state: TableState, kind: type[Command]) -> bool:
    # The giver of the first assignment is outside the record.
    row = TERMS[every.AssignOffice.__name__]
    return kind is every.AssignOffice and not any(map(state[Duty].persons, row.does))


def is_on_duty(state: TableState, actor: Actor) -> bool:
    if actor.office == Role.MACHINE:
        return True
    if actor.office == Role.PATRON:
        patron = state.seats.get(-1 if actor.seat is None else actor.seat)
        return patron is not None and patron.name == actor.person
    return actor.person in state[Duty].persons(actor.office)


def is_open_to(state: TableState, kind: type[Command], actor: Actor) -> bool:
    act = TERMS[kind.__name__]
    if kind is every.OpenTable:
        return is_on_duty(state, actor) or actor.office in act.names.values()
    if not (is_on_duty(state, actor) or _first(state, kind)):
        return False
    doers = [doer for other_act in act.apart for doer in state[Duty].doers(other_act, "")]
    return actor.office not in act.does or not doers or {*doers} != {actor.person}


def standing(state: TableState, actor: Actor) -> tuple[object, ...]:
    """Return what a person's permissions depend on, apart from the office."""
    persons, did = state[Duty].persons(actor.office), state[Duty].did
    on_duty = is_on_duty(state, actor)
    # A command names its giver if several hold the office, and at an opening.
    named = len(persons) > 1 if on_duty else state.phase is Phase.CLOSED and actor.office in _OPENS
    own_acts = frozenset(name for name, doers in did.items() if actor.person in doers)
    return on_duty, actor.person if named else "", own_acts


_OPENS: Final = frozenset(TERMS[every.OpenTable.__name__].names.values())


def _company(
    circumstances: tuple[TableState, TableRules, House],
    command: Command,
    by: tuple[Actor, ...],
    act: CommandTerms,
    clauses: tuple[str, ...],
) -> Refusal | None:
    state, rules, house = circumstances
    persons = [actor.person for actor in by]
    if len(set(persons)) < len(persons):
        message = f"{max(persons, key=persons.count)} gives it in two offices: another person must"
        return Refusal("two_persons", clauses, message)
    for other_act in act.apart:
        before = state[Duty].doers(other_act, which(command))
        doers = {actor.person for actor in by if _fits(state, command, actor, act.does)}
        if repeaters := doers.intersection(before):
            message = f"{repeaters.pop()} did {other_act}, and another person does this"
            return Refusal("two_persons", clauses, message)
    lacking = [
        office
        for office in consenting(state, act, rules, house)
        if sum(_fits(state, command, actor, (office,)) for actor in by) < act.consents_of(office)
    ]
    if lacking:
        message = f"{type(command).__name__} needs the consent of {offices_in_words(lacking)}"
        if BEFORE_TIME in map(act.besides.get, lacking):
            clauses = (*clauses, rules.entry("early_change.by"))
        return Refusal("consent_needed", clauses, message)
    for office, person in _named(command, act):
        consenters = [actor.person for actor in by if _fits(state, command, actor, (office,))]
        if consenters and person not in consenters:
            message = f"it names {person} as {office}, and {', '.join(consenters)} gives it"
            return Refusal("not_on_duty", clauses, message)
    return None
