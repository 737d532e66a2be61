"""What each office sees: all table data except ``/log`` leave the service here."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.acts.roles import POSTED, Access, has_access
from croupier.law.sight import Sight
from croupier.records.codec import dump, from_json
from croupier.records.pit_codec import pit_command_data, pit_event_data
from croupier.records.view.acts import seen_acts as acts_seen_by
from croupier.records.view.acts import seen_field
from croupier.records.view.closed import asks_of_closed, is_open
from croupier.records.view.entries import seen_entry
from croupier.records.view.projection import projection
from croupier.records.view.sight import Viewer
from croupier.server.grants import Grant
from croupier.table.machine.offered import Act, acts
from croupier.table.machine.position import Actor, Position, Proposal
from croupier.table.pit import KEPT, PitProposal

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, EntrySeen, TableSeen

__all__ = [
    "SEEN", "SeenEntries", "Viewer", "asks_of_closed", "is_open", "seen_acts", "seen_balances",
    "seen_entry", "seen_field", "seen_pit_entry", "seen_position",
    "sees_money", "sees_pit",
    "sees_stakes", "viewer_of",
]  # fmt: skip


_ENTRIES: Final = 4096
"""Entries of all tables that are kept as viewers see them."""
_POSITIONS: Final = 64
"""Positions of all tables of which it is kept what may be done next."""
_ACTS: Final[OrderedDict[int, tuple[Position, Sequence[Act]]]] = OrderedDict()
_EQUALS: Final = 4096
"""Acts of which it is kept what they are to whoever may do them."""
_EQUAL: Final[OrderedDict[bytes, ActSeen]] = OrderedDict()
_OF_SEATS: Final = ("patron:", "layout:", "owed:")


class SeenEntries:
    """Entries as viewers see them, made once for equal viewers."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, Viewer], _Seen] = OrderedDict()

    def of(self, viewer: Viewer, entry: Proposal) -> EntrySeen:
        found = self._found(viewer, entry)
        if found.document is None:
            found.document = seen_entry(viewer, entry)
        return found.document

    def encoded(self, viewer: Viewer, entry: Proposal) -> bytes:
        found = self._found(viewer, entry)
        if not found.encoded:
            found.encoded = dump(seen_entry(viewer, entry))
        return found.encoded

    def _found(self, viewer: Viewer, entry: Proposal) -> _Seen:
        # What is kept holds its entry, so that no other has its identity.
        place = (id(entry), viewer)
        found = self._kept.get(place)
        if found is None:
            found = self._kept[place] = _Seen(entry)
            if len(self._kept) > _ENTRIES:
                self._kept.popitem(last=False)
        return found


class _Seen:
    __slots__ = ("document", "encoded", "entry")

    def __init__(self, entry: Proposal) -> None:
        self.entry: Final = entry
        self.document: EntrySeen | None = None
        self.encoded = b""


SEEN: Final = SeenEntries()
"""Those of this process."""


def viewer_of(grant: Grant) -> Viewer:
    return Viewer.of(grant.office, grant.seat)


def seen_position(viewer: Viewer, position: Position) -> TableSeen:
    return projection(position, viewer)


def seen_acts(viewer: Viewer, position: Position, by: Actor) -> list[ActSeen]:
    """Return the acts a person may do or consent to."""
    own = (act for act in _acts(position) if act.command not in KEPT)
    return [*map(_same, acts_seen_by(viewer, own, by))]


def _same(act: ActSeen) -> ActSeen:
    """Return the equal act's document made before. Nothing changes a document."""
    written = msgspec.json.encode(act)
    found = _EQUAL.setdefault(written, act)
    if len(_EQUAL) > _EQUALS:
        _EQUAL.popitem(last=False)
    return found


def _acts(position: Position) -> Sequence[Act]:
    found = _ACTS.get(id(position))
    if found is None or found[0] is not position:
        paused = bool(position.house.pause)
        found = _ACTS[id(position)] = (
            position,
            acts(position.state, position.rules, paused=paused),
        )
        if len(_ACTS) > _POSITIONS:
            _ACTS.popitem(last=False)
    return found[1]


def sees_pit(viewer: Viewer) -> bool:
    return viewer.office in POSTED


def seen_pit_entry(viewer: Viewer, entry: PitProposal) -> dict[str, Any]:
    by = entry.stamp.by if has_access(viewer.office, Access.PEOPLE) else ()
    readers = entry.command.readers
    command, events = pit_command_data(entry.command), [*map(pit_event_data, entry.events)]
    if readers is not None and viewer.office not in readers:
        command, events = {"type": command["type"]}, []
    shown: dict[str, Any] = from_json(
        dump(
            {
                "seq": entry.after.sequence,
                "at": entry.after.at,
                "by": [{"person": actor.person, "office": actor.office} for actor in by],
                "command": command,
                "events": events,
            }
        )
    )
    return shown


def seen_balances(viewer: Viewer, balances: Mapping[str, int]) -> dict[str, int]:
    """Return the visible accounts; those of seats only with their chips."""
    if viewer.sees(Sight.CHIPS):
        return dict(balances)
    return {name: cents for name, cents in balances.items() if not name.startswith(_OF_SEATS)}


def sees_stakes(viewer: Viewer) -> bool:
    return viewer.sees(Sight.STAKE)


def sees_money(viewer: Viewer) -> bool:
    return viewer.sees(Sight.HOUSE)
