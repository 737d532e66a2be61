"""What each office sees: every byte about a table that leaves the service goes through here.

It is ``croupier.records.view`` that decides what is shown; nothing else of the service writes a
command, an event, or a state into an answer. The record itself leaves by ``/log`` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from croupier.records.codec import dump, from_json, to_json
from croupier.records.pit_codec import pit_command_data, pit_event_data
from croupier.records.view.acts import seen_acts as acts_seen_by
from croupier.records.view.closed import asks_of_closed, is_open
from croupier.records.view.entries import seen_entry
from croupier.records.view.masking import masked
from croupier.records.view.projection import projection
from croupier.records.view.sight import Sight, Viewer
from croupier.server.grants import Grant
from croupier.table.acts import acts
from croupier.table.commands import Command
from croupier.table.pit import PitProposal
from croupier.table.position import Position
from croupier.table.roles import Role

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, TableSeen

__all__ = [
    "Viewer", "asks_of_closed", "is_open", "seen_acts", "seen_balances", "seen_command",
    "seen_entry", "seen_pit_entry", "seen_position", "sees_money", "sees_pit", "sees_stakes",
    "viewer_of",
]  # fmt: skip


_OUTSIDE: Final = (Role.PATRON, Role.MACHINE, "board")
"""Who sees the tables of a pit, and nothing of how it is run."""
_SEES_WHO: Final = (Role.FLOORPERSON, Role.LICENSEE, Role.PIT_BOSS, Role.SURVEILLANCE)
_OF_SEATS: Final = ("patron:", "layout:", "owed:")


def viewer_of(grant: Grant) -> Viewer:
    """Return as whom a grant sees a table."""
    return Viewer.of(grant.office, grant.seat)


def seen_position(viewer: Viewer, position: Position) -> TableSeen:
    """Return what a viewer sees of a table as it stands."""
    return projection(position, viewer)


def seen_acts(viewer: Viewer, position: Position) -> list[ActSeen]:
    """Return what a viewer may do next, or consent to."""
    return acts_seen_by(viewer, acts(position.state, position.rules))


def sees_pit(viewer: Viewer) -> bool:
    """Return whether a viewer sees what a pit decides: its staff do."""
    return viewer.office not in _OUTSIDE


def seen_pit_entry(viewer: Viewer, entry: PitProposal) -> dict[str, Any]:
    """Return an entry of a pit's record as a viewer sees it."""
    by = entry.stamp.by if viewer.office in _SEES_WHO else ()
    shown: dict[str, Any] = from_json(
        dump(
            {
                "seq": entry.after.sequence,
                "at": entry.after.at,
                "by": [{"person": one.person, "office": one.office} for one in by],
                "command": pit_command_data(entry.command),
                "events": [pit_event_data(one) for one in entry.events],
            }
        )
    )
    return shown


def seen_command(viewer: Viewer, command: Command) -> dict[str, Any]:
    """Return a command that waits, as a viewer may see it."""
    plain: dict[str, Any] = from_json(dump(to_json(masked(command, viewer, None))))
    return plain


def seen_balances(viewer: Viewer, balances: Mapping[str, int]) -> dict[str, int]:
    """Return the accounts of a table that a viewer sees: those of seats only with their chips."""
    if viewer.sees(Sight.CHIPS):
        return dict(balances)
    return {name: cents for name, cents in balances.items() if not name.startswith(_OF_SEATS)}


def sees_stakes(viewer: Viewer) -> bool:
    """Return whether a viewer sees what lies on the layout, and what it was paid."""
    return viewer.sees(Sight.STAKE)


def sees_money(viewer: Viewer) -> bool:
    """Return whether a viewer sees the accounts of a table."""
    return viewer.sees(Sight.HOUSE)
