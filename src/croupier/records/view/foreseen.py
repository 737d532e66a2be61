"""Preview of the next required act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from croupier.acts.command import TERMS
from croupier.records.view.closed import is_open
from croupier.records.view.entries import seen_entry
from croupier.records.view.sight import Viewer
from croupier.table.machine.offered import act_due
from croupier.table.machine.position import Position, Proposal, propose

if TYPE_CHECKING:
    from croupier.records.view.documents import EntrySeen

_PREVIEWED: Final = {"CallNoMoreBets", "CollectVigorish", "SettleHouseMoney", "SettleWagers"}
"""Narration kinds shown in advance: calls, collections, and payments."""


def foreseen(viewer: Viewer, answer: Proposal | None) -> EntrySeen | None:
    """Return the entry of the due act as a viewer would see it, unless a card is face down."""
    return None if answer is None or not is_open(answer.after) else seen_entry(viewer, answer)


def due_answer(position: Position) -> Proposal | None:
    """Return the due act if it needs no input, with its consequences."""
    act = act_due(position.state, position.rules)
    if act is None or act.command.__name__ not in _PREVIEWED:
        return None
    if any(field.source or field.needed for field in act.fields):
        return None
    answer = propose(position, act.plain())
    return answer if isinstance(answer, Proposal) else None


def next_act(answer: Proposal | None) -> str | None:
    """Return the act that the same press gives after the due one, if play requires it next."""
    if answer is None:
        return None
    then = TERMS[type(answer.command).__name__].then
    due = act_due(answer.after.state, answer.before.rules)
    return then if due is not None and due.command.__name__ == then else None
