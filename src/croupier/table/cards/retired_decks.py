"""Sets that left the table: sealed by two, examined by surveillance, destroyed before it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from croupier.acts import (
    DecksDestroyed,
    DecksExamined,
    DecksSealed,
    DestroyDecks,
    ExamineDecks,
    SealDecks,
)
from croupier.acts.retired_decks import ENDS
from croupier.acts.roles import Role
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import RetiredDecks, RetiredSet, name_key, records_removed
from croupier.table.machine.core import Action, Events, Refusal, applies
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import ANY_TIME, TableState, with_slice


def _cites(rules: TableRules) -> tuple[str, ...]:
    return (rules.entry("removed_decks.record"),)


def _set_of(
    position: Position, command: SealDecks | ExamineDecks | DestroyDecks, *, sealed: bool = True
) -> RetiredSet | Refusal:
    rules, number = position.rules, command.removed
    if not records_removed(rules):
        message = "the licensee records elsewhere what becomes of removed decks"
        return Refusal("not_elected", _cites(rules), message)
    found = position.state[RetiredDecks].sets.get(number)
    if found is None:
        message = f"no removed set {number} is waiting at this table"
        return Refusal("no_set", _cites(rules), message)
    if bool(found.envelope) is not sealed:
        message = (
            f"set {number} is in {found.envelope} already"
            if found.envelope
            else f"set {number} is not sealed: the floorperson seals it first, with the dealer"
        )
        return Refusal("sealed", _cites(rules), message)
    return found


def _now(state: TableState, number: int, found: RetiredSet) -> TableState:
    kept = state[RetiredDecks]
    return with_slice(state, replace(kept, sets={**kept.sets, number: found}))


@house_decides(SealDecks, ANY_TIME)
def _seal(position: Position, command: SealDecks) -> Events | Refusal:
    found = _set_of(position, command, sealed=False)
    if isinstance(found, Refusal):
        return found
    clauses, number = _cites(position.rules), command.removed
    used = {name_key(one.envelope) for one in position.state[RetiredDecks].sets.values()}
    if name_key(command.envelope) in {*used, ""}:
        message = "name the envelope: each has a number of its own"
        return Refusal("envelope", clauses, message)
    if command.cards < 0:
        return Refusal("cards", clauses, "count the cards: there are none or more")
    missing = found.cards - command.cards
    told = (command.envelope, command.cards, missing, found.shoes, found.reason, clauses)
    return (DecksSealed(number, found.name, *told),)


@applies(DecksSealed)
def _sealed(state: TableState, event: DecksSealed) -> TableState:
    found = state[RetiredDecks].sets[event.removed]
    sealed = replace(found, envelope=event.envelope, missing=event.missing)
    return _now(state, event.removed, sealed)


@house_decides(ExamineDecks, ANY_TIME)
def _examine(position: Position, command: ExamineDecks) -> Events | Refusal:
    found = _set_of(position, command)
    if isinstance(found, Refusal):
        return found
    clauses = (*_cites(position.rules), position.rules.entry("removed_decks.examined"))
    if not command.finding.strip():
        return Refusal("reason", clauses, "say what was found: it stays on record")
    told = (command.finding, command.intact, command.keep, clauses)
    return (DecksExamined(command.removed, *told),)


@applies(DecksExamined)
def _examined(state: TableState, event: DecksExamined) -> TableState:
    found = state[RetiredDecks].sets[event.removed]
    return _now(state, event.removed, replace(found, examined=True, kept=event.keep))


def _unexamined(found: RetiredSet, rules: TableRules) -> bool:
    every = rules.reading("removed_decks.examined") == "every"
    return not found.examined and (every or found.flawed or found.missing != 0)


@house_decides(DestroyDecks, ANY_TIME)
def _destroy(position: Position, command: DestroyDecks) -> Events | Refusal:
    found = _set_of(position, command)
    if isinstance(found, Refusal):
        return found
    rules, number = position.rules, command.removed
    clauses = _cites(rules)
    if command.how not in ENDS:
        message = f"{command.how!r} is not an end of cards: {', '.join(ENDS)}"
        return Refusal("how", clauses, message)
    if name_key(command.envelope) != name_key(found.envelope):
        message = f"set {number} is not in {command.envelope or 'an unnamed envelope'}"
        return Refusal("envelope", clauses, message)
    if found.kept:
        message = f"surveillance has set {number} kept for the regulator: it releases it first"
        return Refusal("kept", clauses, message)
    if _unexamined(found, rules):
        clauses = (*clauses, rules.entry("removed_decks.examined"))
        message = f"surveillance examines set {number} first"
        return Refusal("unexamined", clauses, message)
    return (DecksDestroyed(number, found.name, found.envelope, command.how, clauses),)


@applies(DecksDestroyed)
def _destroyed(state: TableState, event: DecksDestroyed) -> TableState:
    kept = state[RetiredDecks]
    sets = {number: one for number, one in kept.sets.items() if number != event.removed}
    return with_slice(state, replace(kept, sets=sets))


# --- what may be done next ---------------------------------------------------------------------


@also_offers(ANY_TIME)
def _may_be_done(state: TableState, rules: TableRules) -> Iterator[Action]:
    sets = state[RetiredDecks].sets.values()
    if not sets or not records_removed(rules):
        return
    if not all(one.envelope for one in sets):
        yield Action(SealDecks, Role.FLOORPERSON, _cites(rules), must=False)
    if any(one.envelope for one in sets):
        yield Action(ExamineDecks, Role.SURVEILLANCE, _cites(rules), must=False)
    if any(one.envelope and not one.kept and not _unexamined(one, rules) for one in sets):
        yield Action(DestroyDecks, Role.SUPERVISOR, _cites(rules), must=False)


@fills_in("removed")
def _which(of: Situation, name: str) -> Field:
    seals = of.action.command is SealDecks
    sets = of.state[RetiredDecks].sets.items()
    fit = [number for number, one in sets if bool(one.envelope) is not seals]
    choices = tuple((one, f"Set {one}") for one in fit)
    return Field(name, "choice", choices=choices, default=next(iter(fit), None))


@fills_in("cards", "envelope")
def _by_hand(of: Situation, name: str) -> Field:
    """Leave the count and the envelope to a person: what a form shows is not looked up."""
    del of
    return Field(name, "count" if name == "cards" else "text", source="person", needed=True)


@fills_in("how")
def _how(of: Situation, name: str) -> Field:
    del of
    return Field(name, "choice", choices=tuple(ENDS.items()), default=next(iter(ENDS)))
