"""What the act that must be done next would bring: whom to pay, before anyone is paid."""

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
    """Return the entry that the act due would make, as a viewer would see it; nothing changes.

    There is none where nothing must be done, where the act has to be told something, and while a
    card lies face down. Nothing of it is in the record.
    """
    if not is_open(position):
        return None
    act = act_due(position.state, position.rules)
    if act is None or act.fields:
        return None
    proposal = propose(position, act.plain())
    return seen_entry(viewer, proposal) if isinstance(proposal, Proposal) else None
