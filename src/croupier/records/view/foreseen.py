"""Preview of the next required act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.records.view.closed import is_open
from croupier.records.view.entries import seen_entry
from croupier.records.view.sight import Viewer
from croupier.table.machine.offered import act_due
from croupier.table.machine.position import Position, Proposal, propose

if TYPE_CHECKING:
    from croupier.records.view.documents import EntrySeen


def foreseen(viewer: Viewer, position: Position) -> EntrySeen | None:
    """Return the entry of the due act as a viewer would see it, unless a card is face down."""
    if not is_open(position):
        return None
    act = act_due(position.state, position.rules)
    if act is None or act.fields:
        return None
    proposal = propose(position, act.plain())
    return seen_entry(viewer, proposal) if isinstance(proposal, Proposal) else None
