"""What each office sees: all table data except ``/log`` leave the service here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec

from croupier.acts.roles import POSTED, Access, Role, has_access
from croupier.law.sight import Sight
from croupier.records.codec import dump, from_json
from croupier.records.pit_log import pit_command_data, pit_event_data
from croupier.records.view.documents import ActSeen, EntrySeen, PlayWaits
from croupier.records.view.seen import encoded_entry, seen_entry, seen_field
from croupier.records.view.seen import seen_acts as acts_seen_by
from croupier.records.view.sight import Viewer, asks_of_closed, is_open
from croupier.server.pages.once import Once, once
from croupier.table.machine.offered import Act, acts
from croupier.table.machine.position import Actor, Position, Proposal
from croupier.table.people.offices import is_open_to
from croupier.table.pit import KEPT, PitProposal

__all__ = [
    "SEEN", "SeenEntries", "Viewer", "asks_of_closed", "is_open", "play_waits", "seen_acts",
    "seen_balances", "seen_entry", "seen_field", "seen_pit_entry", "sees_pit",
]  # fmt: skip

_OF_SEATS: Final = ("patron:", "layout:", "owed:")


class SeenEntries:
    """Entries as viewers see them, made once for equal viewers."""

    def __init__(self) -> None:
        self._kept: Final = Once[_Seen](4096)

    def of(self, viewer: Viewer, entry: Proposal) -> EntrySeen:
        found = self._found(viewer, entry)
        if found.document is None:
            found.document = from_json(self.encoded(viewer, entry))
        return found.document

    def encoded(self, viewer: Viewer, entry: Proposal) -> bytes:
        found = self._found(viewer, entry)
        if not found.encoded:
            found.encoded = encoded_entry(viewer, entry)
        return found.encoded

    def _found(self, viewer: Viewer, entry: Proposal) -> _Seen:
        # The cached value refers to the entry, so its id is not reused.
        return self._kept.of((id(entry), viewer), lambda: _Seen(entry))


class _Seen(msgspec.Struct):
    entry: Proposal
    document: EntrySeen | None = None
    encoded: bytes = b""


SEEN: Final = SeenEntries()


def seen_acts(viewer: Viewer, position: Position, by: Actor, today: date) -> list[ActSeen]:
    own_acts = (
        act
        for act in _acts(position, today)
        if act.command not in KEPT and is_open_to(position.state, act.command, by)
    )
    return [*map(_same, acts_seen_by(viewer, own_acts, by))]


def _same(act: ActSeen) -> ActSeen:
    """Reuse the document of an equal act; documents are never modified."""
    return _EQUALS.of(msgspec.json.encode(act), lambda: act)


_EQUALS: Final = Once["ActSeen"](4096)


@once(64, lambda position, today: ((id(position), today), position))
def _acts(position: Position, today: date) -> Sequence[Act]:
    return acts(position.state, position.rules, position.house, today)


def play_waits(viewer: Viewer, position: Position, today: date) -> PlayWaits | None:
    """Return whose act play waits for, which the dealer alone is told."""
    found = next((one for one in _acts(position, today) if one.must), None)
    if found is None or viewer.office != Role.DEALER:
        return None
    return {"who": [role.value for role in found.who], "words": found.words}


def sees_pit(viewer: Viewer) -> bool:
    return viewer.office in POSTED


def seen_pit_entry(viewer: Viewer, entry: PitProposal) -> dict[str, Any]:
    people = entry.stamp.by if has_access(viewer.office, Access.PEOPLE) else ()
    readers = entry.command.readers
    command, events = pit_command_data(entry.command), [*map(pit_event_data, entry.events)]
    if readers is not None and viewer.office not in readers:
        command, events = {"type": command["type"]}, []
    given: dict[str, Any] = from_json(
        dump(
            {
                "seq": entry.after.sequence,
                "at": entry.after.at,
                "by": [{"person": actor.person, "office": actor.office} for actor in people],
                "command": command,
                "events": events,
            }
        )
    )
    return given


def seen_balances(viewer: Viewer, balances: Mapping[str, int]) -> dict[str, int]:
    """Visible accounts; those of seats only with their chips."""
    if viewer.sees(Sight.CHIPS):
        return dict(balances)
    return {name: cents for name, cents in balances.items() if not name.startswith(_OF_SEATS)}
