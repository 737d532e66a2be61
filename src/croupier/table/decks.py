"""The age of the decks: the clock of the pit, and the decks that are changed in time."""

from __future__ import annotations

from datetime import timedelta

from croupier.rules import TableRules
from croupier.table.commands import NoteTime, RemoveCards
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.events import CardsRemoved, TimeNoted
from croupier.table.state import IN_PLAY, Phase, TableState, changed

__all__ = ["decks_too_old", "time_unknown"]

_AT_TABLE = tuple(phase for phase in Phase if phase is not Phase.CLOSED)
# Between rounds, and while the cards of an idle table or of a finished shoe wait for the shuffle.
_REMOVABLE = (
    Phase.SPREAD_DOWN, Phase.SPREAD_UP, Phase.TO_SHUFFLE, Phase.BETTING, Phase.SHOE_COMPLETED,
)  # fmt: skip


def time_unknown(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why decks cannot be received yet: they must be changed in time, and no clock was read."""
    if state.now is not None or not rules.applies("decks.change"):
        return None
    message = "the decks are changed by the clock: note the time before they are received"
    return Refusal("time_unknown", rules.cites("decks.change"), message)


def decks_too_old(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why nothing more is dealt from decks that are due to be changed."""
    if not rules.applies("decks.change") or state.now is None or state.opened is None:
        return None
    hours = rules.value("decks.changed_within", int)
    if state.now - state.opened < timedelta(hours=hours):
        return None
    message = f"the decks have been in use for {hours} hours: they are changed first"
    return Refusal("decks_too_old", rules.cites("decks.change"), message)


@decides(NoteTime, *_AT_TABLE, cites=("decks.change",))
def _note(state: TableState, command: NoteTime, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("decks.change")
    if not rules.applies("decks.change"):
        return Refusal("not_formalised", (), "nothing at this table goes by the clock")
    if command.at.tzinfo is None or command.at.utcoffset() != timedelta(0):
        return Refusal("time", clauses, f"{command.at}: the time is told in UTC")
    if state.now is not None and command.at < state.now:
        return Refusal("time", clauses, f"{command.at} is before {state.now}, which was noted last")
    return (TimeNoted(command.at, clauses),)


@applies(TimeNoted)
def _noted(state: TableState, event: TimeNoted) -> TableState:
    return changed(state, now=event.at)


@decides(RemoveCards, *_REMOVABLE, cites=("decks.change",))
def _remove(state: TableState, command: RemoveCards, rules: TableRules) -> Events | Refusal:
    del command
    clauses = rules.cites("decks.change")
    if not rules.applies("decks.change"):
        message = "this text has no change of decks while the table is open: close it first"
        return Refusal("not_formalised", (), message)
    if state.stakes:
        return Refusal("wagers", clauses, "wagers lie on the layout: withdraw them first")
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
    return changed(
        state,
        phase=Phase.OPEN,
        decks=0,
        preshuffled=False,
        opened=None,
        held=(),
        to_discard=0,
        simulate_with=(),
        hands_left=None,
        cutting_card_out=False,
        idle=False,
        inspection_offered=False,
        worked=(),
        shoe=changed(state.shoe, remaining=0, behind=None),
    )


def _removal(state: TableState, rules: TableRules, *, must: bool) -> tuple[Action, ...]:
    if not rules.applies("decks.change") or state.stakes or state.owed_cents:
        return ()
    return (Action(RemoveCards, "dealer", rules.cites("decks.change"), must),)


@offers(*_REMOVABLE)
def _next_of_decks(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    return _removal(state, rules, must=True) if decks_too_old(state, rules) else ()


@offers(*_REMOVABLE, optional=True)
def _change_in_time(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    return () if decks_too_old(state, rules) else _removal(state, rules, must=False)


@offers(*(phase for phase in _AT_TABLE if phase not in IN_PLAY), optional=True)
def _clock(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    del state
    if not rules.applies("decks.change"):
        return ()
    return (Action(NoteTime, "floorperson", rules.cites("decks.change"), must=False),)
