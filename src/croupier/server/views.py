"""What each office sees: every byte about a table that leaves the service goes through here.

It is ``croupier.records.view`` that decides what is shown; nothing else of the service writes a
command, an event, or a state into an answer. The record itself leaves by ``/log`` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.records.view.acts import seen_acts as acts_seen_by
from croupier.records.view.closed import asks_of_closed, is_open
from croupier.records.view.entries import seen_entry
from croupier.records.view.projection import projection
from croupier.records.view.sight import Sight, Viewer
from croupier.server.grants import Grant
from croupier.table.acts import acts
from croupier.table.position import Position

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, TableSeen

__all__ = [
    "Viewer", "asks_of_closed", "is_open", "seen_acts", "seen_entry", "seen_position",
    "sees_money", "viewer_of",
]  # fmt: skip


def viewer_of(grant: Grant) -> Viewer:
    """Return as whom a grant sees a table."""
    return Viewer.of(grant.office, grant.seat)


def seen_position(viewer: Viewer, position: Position) -> TableSeen:
    """Return what a viewer sees of a table as it stands."""
    return projection(position, viewer)


def seen_acts(viewer: Viewer, position: Position) -> list[ActSeen]:
    """Return what a viewer may do next, or consent to."""
    return acts_seen_by(viewer, acts(position.state, position.rules))


def sees_money(viewer: Viewer) -> bool:
    """Return whether a viewer sees the accounts of a table."""
    return viewer.sees(Sight.HOUSE)
