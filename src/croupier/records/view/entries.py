"""Entries as a viewer may see them, ready for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.baccarat.hand import Hand
from croupier.records.entry import moment
from croupier.records.narration import narrate
from croupier.records.view.closed import Around, closed_places, is_open
from croupier.records.view.masking import masked
from croupier.records.view.sight import Viewer
from croupier.table.machine.position import Actor, Proposal

if TYPE_CHECKING:
    from croupier.records.view.documents import ActorSeen, CardOpened, EntrySeen


def seen_entry(viewer: Viewer, entry: Proposal) -> EntrySeen:
    """Return a durable entry for a viewer: one document each, so that numbers have no gaps."""
    before, after = entry.before, entry.after
    around = Around(before.state, after.state, entry.events, before.rules)
    events = [masked(event, viewer, around) for event in entry.events]
    command = masked(entry.command, viewer, around)
    acts = viewer.sees_actors({actor.office for actor in entry.stamp.by})
    return {
        "format": "croupier-entry-view/1",
        "seq": after.sequence,
        "at": moment(after.at) if acts and after.at is not None else None,
        "by": [_actor(actor) for actor in entry.stamp.by] if acts else None,
        "corrects": entry.stamp.corrects,
        "command": command.to_dict(),
        "events": [event.to_dict() for event in events],
        "opened": list(_opened(around)),
        "narration": [
            {
                "kind": line.kind,  # type: ignore[typeddict-item]  # one of a few words
                "text": line.text,
                "clauses": list(line.clauses),
                "details": list(line.details),
            }
            for line in narrate(events, before.rules.wagers)
        ],
        "open_point": is_open(after),
    }


def _actor(actor: Actor) -> ActorSeen:
    return {"person": actor.person, "office": actor.office, "seat": actor.seat}


def _opened(around: Around) -> Iterator[CardOpened]:
    before, after = around.before.round, around.after.round
    if before is None or after is None or before.number != after.number:
        return
    closed = closed_places(around.before, around.rules)
    turned = closed - closed_places(around.after, around.rules)
    for hand, at in sorted(turned, key=lambda place: (place[0] is Hand.BANKER, place[1])):
        cards = after.coup.hand(hand)
        if at < len(cards):
            yield {"hand": hand.value, "ordinal": at + 1, "card": cards[at].notation}
