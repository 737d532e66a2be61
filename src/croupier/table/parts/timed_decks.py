"""The age of the decks: the clock of the pit, and the decks that are changed in time."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.frozen import frozen
from croupier.rules import TableRules
from croupier.table import hooks
from croupier.table.acts import Field, Situation, also_offers, fills_in
from croupier.table.commands import RecordTime, RemoveCards
from croupier.table.core import (
    Action,
    Events,
    Refusal,
    applies,
    decides,
    hears,
    keeps,
    offers,
)
from croupier.table.events import CardsReceived, CardsRemoved, TimeRecorded
from croupier.table.flawed import cards_flawed
from croupier.table.roles import Role
from croupier.table.settling import owed_by_the_shoe
from croupier.table.state import (
    AT_TABLE,
    BETWEEN_ROUNDS,
    Phase,
    TableState,
    changed,
    with_slice,
)
from croupier.table.wording import LABELS

__all__ = ["TimedDecks"]

# Between rounds, and while the cards of an idle table or of a finished shoe wait for the shuffle.
_REMOVABLE = (
    Phase.SPREAD_DOWN, Phase.SPREAD_UP, Phase.TO_SHUFFLE, Phase.BETTING, Phase.SHOE_COMPLETED,
)  # fmt: skip


@keeps("timed_decks")
@frozen
class TimedDecks:
    """What the clock last showed, and when the decks in use were received."""

    now: datetime | None = None
    received: datetime | None = None


@hooks.before_receipt.join
def _time_unknown(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why decks cannot be received yet: they must be changed in time, and no clock was read."""
    if state[TimedDecks].now is not None or not rules.applies("decks.change"):
        return None
    message = "the decks have a time limit: record the time before they are received"
    return Refusal("time_unknown", rules.cites("decks.change"), message)


@hooks.before_round.join
@hooks.cards_worn_out.join
def _too_old(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why nothing more is dealt from decks that are due to be changed."""
    if not rules.applies("decks.change"):
        return None
    clock = state[TimedDecks]
    if clock.now is None or clock.received is None:
        return None
    hours = rules.value("decks.changed_within", int)
    if clock.now - clock.received < timedelta(hours=hours):
        return None
    message = f"the decks have been in use for {hours} hours: change them first"
    return Refusal("decks_too_old", rules.cites("decks.change"), message)


@decides(RecordTime, AT_TABLE, cites=("decks.change",))
def _note(state: TableState, command: RecordTime, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("decks.change")
    if not rules.applies("decks.change"):
        return Refusal("no_such_procedure", (), "this table has no time limits")
    if command.at.tzinfo is None or command.at.utcoffset() != timedelta(0):
        return Refusal("time", clauses, f"{command.at}: the time must be in UTC")
    now = state[TimedDecks].now
    if now is not None and command.at < now:
        return Refusal("time", clauses, f"{command.at} is before {now}, the last recorded time")
    return (TimeRecorded(command.at, clauses),)


@applies(TimeRecorded)
def _noted(state: TableState, event: TimeRecorded) -> TableState:
    return with_slice(state, changed(state[TimedDecks], now=event.at))


@hears(CardsReceived)
def _received(state: TableState, event: CardsReceived) -> TableState:
    del event
    clock = state[TimedDecks]
    # A table whose decks have no time keeps none.
    return state if clock.now is None else with_slice(state, changed(clock, received=clock.now))


@decides(RemoveCards, *_REMOVABLE, cites=("decks.change",))
def _remove(state: TableState, command: RemoveCards, rules: TableRules) -> Events | Refusal:
    del command
    flawed = cards_flawed(state, rules)
    clauses = rules.cites("decks.change") if flawed is None else flawed.clauses
    if flawed is None and not rules.applies("decks.change"):
        message = "this regulation has no deck change at an open table: close it first"
        return Refusal("no_such_procedure", (), message)
    if state.stakes:
        return Refusal("wagers", (), "wagers are on the layout: withdraw them first")
    if refusal := owed_by_the_shoe(state, rules):
        return refusal
    if state.owed_cents:
        due_first = rules.cites_for("vigorish.before_reshuffle", "reshuffle")
        return Refusal(
            "vigorish_outstanding", due_first, "vigorish is outstanding: collect it first"
        )
    return (CardsRemoved(clauses),)


@applies(CardsRemoved)
def _removed(state: TableState, event: CardsRemoved) -> TableState:
    """Leave the table open and without cards; what was held for a next hand goes with them."""
    del event
    clock = changed(state[TimedDecks], received=None)
    return changed(
        with_slice(state, clock),
        phase=Phase.OPEN,
        decks=0,
        preshuffled=False,
        held=(),
        to_discard=0,
        simulate_with=(),
        flawed="",
        hands_left=None,
        cutting_card_out=False,
        idle=False,
        inspection_offered=False,
        worked=(),
        shoe=changed(state.shoe, remaining=0, cards_behind=None),
    )


def _removal(state: TableState, rules: TableRules, *, must: bool) -> tuple[Action, ...]:
    waits = state.stakes or state.owed_cents or owed_by_the_shoe(state, rules)
    flawed = cards_flawed(state, rules)
    if waits or (flawed is None and not rules.applies("decks.change")):
        return ()
    clauses = rules.cites("decks.change") if flawed is None else flawed.clauses
    return (Action(RemoveCards, Role.DEALER, clauses, must),)


@offers(*_REMOVABLE)
def _next_of_decks(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    return _removal(state, rules, must=True) if _out_of_use(state, rules) else ()


@offers(*_REMOVABLE, optional=True)
def _change_in_time(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    return () if _out_of_use(state, rules) else _removal(state, rules, must=False)


def _out_of_use(state: TableState, rules: TableRules) -> bool:
    return (cards_flawed(state, rules) or _too_old(state, rules)) is not None


@offers(Phase.OPEN)
def _clock_first(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if _time_unknown(state, rules) is None:
        return ()
    return (Action(RecordTime, Role.FLOORPERSON, rules.cites("decks.change")),)


@offers(BETWEEN_ROUNDS, optional=True)
def _clock(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    del state
    if not rules.applies("decks.change"):
        return ()
    return (Action(RecordTime, Role.FLOORPERSON, rules.cites("decks.change"), must=False),)


@fills_in("RecordTime.at")
def _read_off(of: Situation, name: str) -> Field:
    """Return the time that the clock shows: never before the last one that it showed."""
    known = of.state[TimedDecks].now or of.state.at
    missing = known is None
    return Field(name, "time", LABELS[name], default=known, source="clock", needed=missing)


@also_offers(AT_TABLE)
def _clock_may_be_read(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    del state
    if not rules.applies("decks.change"):
        return ()
    return (Action(RecordTime, Role.FLOORPERSON, rules.cites("decks.change"), must=False),)
