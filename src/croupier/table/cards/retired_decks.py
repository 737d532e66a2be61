"""Sets that left the table: sealed by two, examined by surveillance, destroyed before it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import RetiredDecks, RetiredSet, is_unsealed, records_removed
from croupier.table.machine import core
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import ANY_TIME, Phase, TableState, with_slice
from croupier.table.people.seating import name_key, same_name


def _cites(rules: TableRules) -> tuple[str, ...]:
    return (rules.entry("removed_decks.record"),)


def _set_of(
    state: TableState, number: int, rules: TableRules, *, sealed: bool = True
) -> RetiredSet | Refusal:
    retired_set, clauses = state[RetiredDecks].sets.get(number), _cites(rules)
    if not records_removed(rules):
        message = "what becomes of removed sets is recorded elsewhere, not at this table"
        return Refusal("not_elected", clauses, message)
    if retired_set is None:
        return Refusal("no_set", clauses, f"no removed set {number} is kept at this table")
    if bool(retired_set.envelope) is not sealed:
        message = f"set {number} is {'not sealed yet' if sealed else f'in {retired_set.envelope}'}"
        return Refusal("sealed", clauses, message)
    return retired_set


@core.decides(acts.SealDecks, ANY_TIME)
def _seal(state: TableState, command: acts.SealDecks, rules: TableRules) -> Answer:
    retired_set, clauses = _set_of(state, command.removed, rules, sealed=False), _cites(rules)
    if isinstance(retired_set, Refusal):
        return retired_set
    used = {name_key(retired_set.envelope) for retired_set in state[RetiredDecks].sets.values()}
    if name_key(command.envelope) in {*used, ""}:
        return Refusal("envelope", clauses, "name the envelope: each has a number of its own")
    if command.cards < 0:
        return Refusal("cards", clauses, "count the cards: there are none or more")
    missing = retired_set.cards - command.cards
    contents = (command.cards, missing, retired_set.shoes, retired_set.reason, clauses)
    return (acts.DecksSealed(command.removed, retired_set.name, command.envelope, *contents),)


@core.decides(acts.ExamineDecks, ANY_TIME)
def _examine(state: TableState, command: acts.ExamineDecks, rules: TableRules) -> Answer:
    retired_set = _set_of(state, command.removed, rules)
    if isinstance(retired_set, Refusal):
        return retired_set
    clauses = (*_cites(rules), rules.entry("removed_decks.examined"))
    if not command.finding.strip():
        return Refusal("reason", clauses, "say what was found: it stays on record")
    findings = (command.finding, command.intact, command.keep)
    return (acts.DecksExamined(command.removed, *findings, clauses),)


@core.decides(acts.DestroyDecks, ANY_TIME)
def _destroy(state: TableState, command: acts.DestroyDecks, rules: TableRules) -> Answer:
    number = command.removed
    decks, clauses = _set_of(state, number, rules), _cites(rules)
    if isinstance(decks, Refusal):
        return decks
    if not same_name(command.envelope, decks.envelope):
        message = f"set {number} is in another envelope than {command.envelope!r}"
        return Refusal("envelope", clauses, message)
    if decks.kept:
        message = f"set {number} is kept for the regulator: surveillance releases it first"
        return Refusal("kept", clauses, message)
    examines_every_set = rules.reading("removed_decks.examined") == "every"
    if not decks.examined and (examines_every_set or decks.flawed or decks.missing):
        clauses = (*clauses, rules.entry("removed_decks.examined"))
        return Refusal("unexamined", clauses, f"surveillance examines set {number} first")
    return (acts.DecksDestroyed(number, decks.name, decks.envelope, command.canceled, clauses),)


@core.applies(acts.DecksSealed, acts.DecksExamined, acts.DecksDestroyed)
def _moved_on(
    state: TableState, event: acts.DecksSealed | acts.DecksExamined | acts.DecksDestroyed
) -> TableState:
    retired_decks = state[RetiredDecks]
    sets, retired_set = dict(retired_decks.sets), retired_decks.sets.get(event.removed)
    if retired_set is None:
        return state
    match event:
        case acts.DecksSealed(envelope=envelope, missing=missing):
            sets[event.removed] = replace(retired_set, envelope=envelope, missing=missing)
        case acts.DecksExamined(keep=keep):
            sets[event.removed] = replace(retired_set, examined=True, kept=keep)
        case acts.DecksDestroyed():
            del sets[event.removed]
    return with_slice(state, replace(retired_decks, sets=sets))


@also_offers(ANY_TIME)
def _may_be_done(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not records_removed(rules):
        return
    sealed = {bool(retired_set.envelope) for retired_set in state[RetiredDecks].sets.values()}
    if False in sealed:
        yield Action(acts.SealDecks, Role.FLOORPERSON, _cites(rules), must=False)
    if True in sealed:
        yield Action(acts.ExamineDecks, Role.SURVEILLANCE, _cites(rules), must=False)
        yield Action(acts.DestroyDecks, Role.SUPERVISOR, _cites(rules), must=False)


@core.offers(Phase.OPEN)
def _before_others(state: TableState, rules: TableRules) -> Iterator[Action]:
    if is_unsealed(state, rules) and rules.reading("removed_decks.sealed") == "before-others":
        yield Action(acts.SealDecks, Role.FLOORPERSON, _cites(rules))


@fills_in("removed")
def _removed_set(situation: Situation, name: str) -> Field:
    seals = situation.action.command is acts.SealDecks
    sets = situation.state[RetiredDecks].sets.items()
    numbers = [number for number, retired_set in sets if bool(retired_set.envelope) is not seals]
    choices = tuple((number, f"Set {number}") for number in numbers)
    return Field(name, "choice", choices=choices, default=next(iter(numbers), None))


@fills_in("cards", "envelope")
def _by_hand(_situation: Situation, name: str) -> Field:
    """Leave the count and the envelope to a person: what a form shows is not looked up."""
    return Field(name, "count" if name == "cards" else "text", source="person", needed=True)
