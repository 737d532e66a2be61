"""The age of the decks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import count
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import Moment, Word
from croupier.acts.roles import Role
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import (
    RetiredDecks,
    cards_flawed,
    leaves_to_close,
    records_removed,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Refusal, not_now
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import (
    AT_TABLE,
    BETWEEN_ROUNDS,
    IN_PLAY,
    NONE_HELD,
    WITH_CARDS,
    WITH_SHOE,
    Cut,
    Phase,
    TableState,
    with_slice,
)
from croupier.table.people.seating import name_key
from croupier.table.settling.settling import owed_by_the_shoe

# Between rounds, and while the cards of an idle table or a finished shoe wait for the shuffle.
_AT_LEISURE = (
    Phase.SPREAD_DOWN, Phase.SPREAD_UP, Phase.TO_SHUFFLE, Phase.BETTING, Phase.SHOE_COMPLETED,
    Phase.OUT_OF_USE,
)  # fmt: skip
# Expired decks are changed at any step before they are dealt.
_REMOVABLE = (
    *_AT_LEISURE, Phase.VIEWED, Phase.TO_EXCHANGE, Phase.TO_FINISH, Phase.FEATHERED, Phase.LACED,
    Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN,
)  # fmt: skip


@core.keeps("timed_decks", past_closing=True)
class TimedDecks(Struct, frozen=True):
    """The last clock reading; opening times of the decks in use and of each named set."""

    now: Moment | None = None
    received: Moment | None = None
    name: Word = ""
    known: Annotated[Mapping[str, datetime], Sight.OPEN] = field(default_factory=dict)
    removed: Annotated[tuple[str, ...], Sight.OPEN] = ()


def _now(state: TableState) -> datetime | None:
    return state[TimedDecks].now if state.at is None else state.at


@hooks.before_receipt.join
def _not_these(state: TableState, name: str | None, rules: TableRules) -> Refusal | None:
    """``name`` is ``None`` to ask whether any decks can be received."""
    timed_decks, clauses = state[TimedDecks], rules.cites("decks.change")
    now, timed = _now(state), rules.applies("decks.change")
    if timed and now is None:
        message = "the decks have a time limit: record the time before they are received"
        return Refusal("time_unknown", clauses, message)
    if name is None:
        return None
    if refusal := _came_back(state, name, rules):
        return refusal
    opening_time = _open_since(timed_decks, name, now)
    if timed and _is_too_old(now, opening_time, rules):
        message = f"decks {name or 'without a name'} were opened at {opening_time}: receive others"
        return Refusal("decks_too_old", clauses, message)
    return None


def _came_back(state: TableState, name: str, rules: TableRules) -> Refusal | None:
    names = state[TimedDecks].removed if rules.applies("decks.change") else ()
    names_gone = state[RetiredDecks].gone if records_removed(rules) else names
    clauses = rules.cites("decks.change") if names else ()
    clauses = clauses or (*rules.cites("opening.receive"), rules.entry("removed_decks.record"))
    if not name_key(name):
        if not names and (not names_gone or rules.reading("removed_decks.record") != "named"):
            return None
        message = "decks were taken off this table: name those received, which must be others"
        return Refusal("decks_unnamed", clauses, message)
    if name_key(name) not in map(name_key, names_gone):
        return None
    message = f"decks {name} were taken off this table: receive others"
    return Refusal("decks_removed", clauses, message)


def others(state: TableState, rules: TableRules) -> str:
    """Name for new decks; empty if none is required."""
    timed_decks, now = state[TimedDecks], _now(state)
    timed = rules.applies("decks.change")
    too_old = timed and _is_too_old(now, _open_since(timed_decks, "", now), rules)
    names_gone = state[RetiredDecks].gone
    if not names_gone and not too_old:
        return ""
    names = {*names_gone, *timed_decks.known}
    numbers = count(max(2, len(names_gone) + 1))
    return next(name for number in numbers if (name := f"set {number}") not in names)


@fills_in("ReceiveCards.name")
def _set(situation: Situation, name: str) -> Field:
    return Field(name, "text", default=others(situation.state, situation.rules))


def _open_since(timed_decks: TimedDecks, name: str, now: datetime | None) -> datetime | None:
    """Unnamed decks are assumed to be those in use before the table was closed."""
    if name:
        return timed_decks.known.get(name, now)
    is_same_set = timed_decks.received is not None and not timed_decks.name
    return timed_decks.received if is_same_set else now


def _is_too_old(now: datetime | None, opening_time: datetime | None, rules: TableRules) -> bool:
    if now is None or opening_time is None:
        return False
    return now - opening_time >= timedelta(hours=rules.value("decks.changed_within", int))


@hooks.before_round.join
@hooks.cards_worn_out.join
def _too_old(state: TableState, rules: TableRules) -> Refusal | None:
    if not rules.applies("decks.change"):
        return None
    if not _is_too_old(_now(state), state[TimedDecks].received, rules):
        return None
    hours = rules.value("decks.changed_within", int)
    message = f"the decks have been in use for {hours} hours: change them first"
    return Refusal("decks_too_old", rules.cites("decks.change"), message)


@core.decides(acts.RecordTime, AT_TABLE, cites=("decks.change",))
def _note(state: TableState, command: acts.RecordTime, rules: TableRules) -> Answer:
    clauses = rules.cites("decks.change")
    if not rules.applies("decks.change"):
        return Refusal("no_such_procedure", (), "this table has no time limits")
    if command.at.tzinfo is None or command.at.utcoffset() != timedelta(0):
        return Refusal("time", clauses, f"{command.at}: the time must be in UTC")
    now = state[TimedDecks].now
    if now is not None and command.at < now:
        return Refusal("time", clauses, f"{command.at} is before {now}, the last recorded time")
    return (acts.TimeRecorded(command.at, clauses),)


@core.applies(acts.TimeRecorded)
def _noted(state: TableState, event: acts.TimeRecorded) -> TableState:
    return with_slice(state, replace(state[TimedDecks], now=event.at))


@core.hears(acts.CardsReceived)
def _received(state: TableState, event: acts.CardsReceived) -> TableState:
    timed_decks = state[TimedDecks]
    opening_time = _open_since(timed_decks, event.name, _now(state))
    opening_times = timed_decks.known
    if event.name and opening_time is not None:
        opening_times = {**opening_times, event.name: opening_time}
    after = replace(timed_decks, received=opening_time, name=event.name, known=opening_times)
    return state if after == timed_decks else with_slice(state, after)


@core.decides(acts.RemoveCards, *_REMOVABLE, cites=("decks.change",))
def _remove(state: TableState, _command: acts.RemoveCards, rules: TableRules) -> Answer:
    refusal = cards_flawed(state, rules)
    clauses = rules.cites("decks.change") if refusal is None else refusal.clauses
    is_last_removal = leaves_to_close(state, rules)
    if is_last_removal:
        clauses = (rules.entry("removed_decks.sealed"),)
    elif refusal is None and not rules.applies("decks.change"):
        message = "this regulation has no time for a deck change: a supervisor orders other decks"
        return Refusal("no_such_procedure", (rules.entry("fresh_decks.when"),), message)
    if state.phase not in _AT_LEISURE and not (is_last_removal or _out_of_use(state, rules)):
        return not_now(state)
    return _not_yet(state, rules) or (acts.CardsRemoved(clauses),)


def _not_yet(state: TableState, rules: TableRules) -> Refusal | None:
    if state.stakes:
        order_clauses = (rules.entry("ordered_decks.when"),) if state[RetiredDecks].ordered else ()
        return Refusal("wagers", order_clauses, "wagers are on the layout: withdraw them first")
    if refusal := owed_by_the_shoe(state, rules):
        return refusal
    if state.owed_cents:
        clauses = rules.cites_for("vigorish.before_reshuffle", "reshuffle")
        message = "vigorish is outstanding: collect it first"
        return Refusal("vigorish_outstanding", clauses, message)
    return None


@core.decides(acts.OrderDecks, WITH_CARDS, cites=("opening.receive",))
def _order(state: TableState, command: acts.OrderDecks, rules: TableRules) -> Answer:
    clauses = (*rules.cites("duties.order_decks"), rules.entry("fresh_decks.when"))
    if rules.reading("fresh_decks.when") == "closed":
        message = "this table changes its decks only while it is closed"
        return Refusal("not_elected", clauses, message)
    if not (command.supervisor.strip() and command.reason.strip()):
        return Refusal("nobody", clauses, "name the supervisor who orders other decks, and say why")
    if state.phase not in _REMOVABLE and state.phase not in IN_PLAY:
        return not_now(state)
    in_shoe = state.phase in WITH_SHOE
    if in_shoe:
        clauses = (*clauses, rules.entry("ordered_decks.when"))
    if state[RetiredDecks].ordered:
        message = "other decks are ordered already: they come when these have been removed"
        return Refusal("decks_ordered", clauses, message)
    order = acts.DecksOrdered(command.supervisor, command.reason, clauses)
    if in_shoe:
        return (order,)
    return _not_yet(state, rules) or (order, acts.CardsRemoved(clauses))


# The decks are removed in the same act, or at the end of the shoe.
core.no_effect(acts.DecksOrdered)


@core.applies(acts.CardsRemoved)
def _removed(state: TableState, _event: acts.CardsRemoved) -> TableState:
    timed_decks = state[TimedDecks]
    removed = tuple(dict.fromkeys((*timed_decks.removed, timed_decks.name)))
    clock = replace(timed_decks, received=None, name="", removed=removed)
    return replace(
        with_slice(state, clock),
        phase=Phase.OPEN,
        decks=0,
        preshuffled=False,
        flawed="",
        hands_left=None,
        cutting_card_out=False,
        idle=False,
        inspection_offered=False,
        worked=(),
        cut=Cut(),
        from_back=None,
        to_burn=None,
        shoe=replace(state.shoe, remaining=0, cards_behind=None),
        **NONE_HELD,
    )


def _removal(state: TableState, rules: TableRules, *, must: bool) -> tuple[Action, ...]:
    refusal = _not_yet(state, rules)
    flaw = cards_flawed(state, rules)
    is_last_removal = leaves_to_close(state, rules)
    if refusal or (flaw is None and not is_last_removal and not rules.applies("decks.change")):
        return ()
    clauses = rules.cites("decks.change") if flaw is None else flaw.clauses
    return (Action(acts.RemoveCards, Role.DEALER, clauses, must),)


@core.offers(*_REMOVABLE)
def _next_of_decks(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    return _removal(state, rules, must=True) if _out_of_use(state, rules) else ()


@core.offers(*_REMOVABLE, optional=True)
def _change_in_time(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.phase not in _AT_LEISURE and not leaves_to_close(state, rules):
        return ()
    return () if _out_of_use(state, rules) else _removal(state, rules, must=False)


@core.offers(WITH_CARDS, optional=True)
def _others_on_order(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    at_set = state.phase in _REMOVABLE or state.phase in IN_PLAY
    must_wait = state[RetiredDecks].ordered or (
        state.phase not in WITH_SHOE and _not_yet(state, rules) is not None
    )
    if not at_set or must_wait or rules.reading("fresh_decks.when") == "closed":
        return ()
    return (Action(acts.OrderDecks, Role.SUPERVISOR, rules.cites("opening.receive"), must=False),)


def _out_of_use(state: TableState, rules: TableRules) -> bool:
    return (cards_flawed(state, rules) or _too_old(state, rules)) is not None


@core.offers(Phase.OPEN)
def _clock_first(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if _not_these(state, None, rules) is None:
        return ()
    return (Action(acts.RecordTime, Role.FLOORPERSON, rules.cites("decks.change")),)


@core.offers(BETWEEN_ROUNDS, optional=True)
def _clock(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.at is not None or not rules.applies("decks.change"):
        return ()
    return (Action(acts.RecordTime, Role.FLOORPERSON, rules.cites("decks.change"), must=False),)


@fills_in("RecordTime.at")
def _clock_time(situation: Situation, name: str) -> Field:
    time = situation.state[TimedDecks].now or situation.state.at
    missing = time is None
    return Field(name, "time", default=time, source="clock", needed=missing)


@also_offers(AT_TABLE)
def _clock_may_be_read(_state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not rules.applies("decks.change"):
        return ()
    return (Action(acts.RecordTime, Role.FLOORPERSON, rules.cites("decks.change"), must=False),)
