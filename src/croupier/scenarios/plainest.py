"""The default next command, and the staff who give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier import acts
from croupier.acts import Command
from croupier.acts.command import CommandTerms
from croupier.acts.roles import Role, includes
from croupier.money.stax import commitment_to, mystery_cents
from croupier.rules import TableRules
from croupier.scenarios.people import NOON, SECRET
from croupier.table import Action, TableState
from croupier.table.cards.out_of_use import RetiredDecks, is_unsealed, leaves_to_close
from croupier.table.machine import hooks
from croupier.table.machine.house import House
from croupier.table.machine.inputs import drawn_unseen, spare_card
from croupier.table.machine.offered import Act, hand_meant
from croupier.table.parts.progressive import Progressive
from croupier.table.people.duty import Duty, terms_under
from croupier.table.people.offices import NO_HOUSE, Actor, consenting, which

__all__ = ["drawn_unseen", "hand_meant", "plainest", "spare_card"]


def plainest(state: TableState, rules: TableRules, action: Action) -> Command:
    """Default command for a required action.

    Patrons accept offers, all secrets are kept, no payout is added to a wager, and the burn is an
    ace and a two. A mystery value to be revealed that an earlier round hit is replaced without a
    draw.
    """
    if action.command is acts.EndProgressiveRound and _hit_before(state, rules):
        return acts.ReplaceMystery("its secret was withheld", secret_of(state))
    fields = _FIELDS.get(action.command)
    return Act(action, state, rules).make(**fields(state, rules) if fields else {})


def secret_of(state: TableState) -> str:
    """Secret of the current commitment, or of the next: each is used once."""
    number = len(state[Progressive].spent)
    return commitment_to(f"{number:064x}") if number else SECRET


def sealing(state: TableState) -> dict[str, Any]:
    """Fields that seal the first set that is not sealed, with all of its cards."""
    sets = state[RetiredDecks].sets.items()
    number, retired_set = next(item for item in sets if not item[1].envelope)
    return {"removed": number, "cards": retired_set.cards, "envelope": f"envelope {number}"}


def _revealed(state: TableState, rules: TableRules) -> Mapping[str, Any]:
    must_hit_by = rules.value("wagers.royal_9.stax.must_hit_by", int)
    progressive = state[Progressive]
    is_hit = progressive.commitment and progressive.meters["stax"] >= must_hit_by
    return {"secret": secret_of(state)} if is_hit else {}


def _hit_before(state: TableState, rules: TableRules) -> bool:
    progressive = state[Progressive]
    maximum = rules.value("wagers.royal_9.stax.must_hit_by", int)
    if not progressive.opening or progressive.meters["stax"] < maximum:
        return False
    value = mystery_cents(secret_of(state), progressive.opening, progressive.above_cents, maximum)
    return progressive.stax_before >= value


_FIELDS: Final[Mapping[type[Command], Callable[[TableState, TableRules], Mapping[str, Any]]]] = {
    acts.CommitMystery: lambda state, _: {"commitment": commitment_to(secret_of(state))},
    acts.EndProgressiveRound: _revealed,
    acts.SealDecks: lambda state, _: sealing(state),
    acts.RecordTime: lambda _, __: {"at": NOON},
}
"""Fields from a vault or a clock; others have defaults."""


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
