"""The staff of a scenario: who gives a command, and which sets of cards a closing waits for."""

from __future__ import annotations

from croupier import acts
from croupier.acts import Command
from croupier.acts.command import CommandTerms
from croupier.acts.roles import Role, includes
from croupier.rules import TableRules
from croupier.scenarios.plainest import sealing
from croupier.table import TableState
from croupier.table.cards.out_of_use import is_unsealed, leaves_to_close
from croupier.table.machine import hooks
from croupier.table.machine.house import House
from croupier.table.people.duty import Duty, terms_under
from croupier.table.people.offices import NO_HOUSE, Actor, consenting, which


def sets_first(state: TableState, rules: TableRules) -> Command | None:
    """Return the removal or sealing of a set that the closing waits for."""
    if leaves_to_close(state, rules):
        return acts.RemoveCards()
    return acts.SealDecks(**sealing(state)) if is_unsealed(state, rules) else None


def given_by(
    state: TableState, command: Command, rules: TableRules, house: House = NO_HOUSE
) -> tuple[Actor, ...]:
    """Return who gives a command, and who consents to it; empty if an office is vacant."""
    row = terms_under(type(command).__name__, rules)
    if (
        row.alone
        and len(row.does) == 1
        and (actor := _actor(state, command, row, row.does[0], set()))
    ):
        return (actor,)
    # The person whose act is approved cannot approve it.
    excluded = {person for act in row.apart for person in state[Duty].doers(act, which(command))}
    doers = (_actor(state, command, row, role, excluded) for role in row.does)
    doer = next(filter(None, doers), None)
    if doer is None:
        return ()
    actors = [doer]
    for office in consenting(state, row, rules, house):
        if sum(includes(actor.office, office) for actor in actors) >= row.consents_of(office):
            continue
        persons = {*excluded, *(actor.person for actor in actors)}
        if (other := _actor(state, command, row, office, persons)) is None:
            return ()
        actors.append(other)
    return tuple(actors)


def _actor(
    state: TableState, command: Command, row: CommandTerms, office: Role, excluded: set[str]
) -> Actor | None:
    if office is Role.PATRON:
        return _patron(state, getattr(command, "seat", None))
    dealing = hooks.seat_that_deals.ask(state)
    if office is Role.CURATOR:
        return _patron(state, dealing)
    if office is Role.DEALER and Role.CURATOR in row.does and dealing is not None:
        return None
    if office is Role.MACHINE:
        return Actor("vault", office)
    names = [
        person
        for field, its_office in row.names.items()
        if its_office is office and (person := getattr(command, field))
    ]
    persons = [one for one in (*names, *state[Duty].persons(office)) if one not in excluded]
    return Actor(persons[0], office) if persons else None


def _patron(state: TableState, seat: int | None) -> Actor | None:
    patron = None if seat is None else state.seats.get(seat)
    return None if patron is None else Actor(patron.name, Role.PATRON, seat=seat)
