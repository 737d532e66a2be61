"""Entries as a viewer may see them, and that of the next required act, ready for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Raw

from croupier.acts.command import TERMS
from croupier.baccarat.hand import Hand
from croupier.records.codec import dump, from_json
from croupier.records.entry import moment, versioned
from croupier.records.narration import narrate
from croupier.records.view.closed import Around, closed_places, is_open
from croupier.records.view.masking import masked
from croupier.records.view.sight import Viewer
from croupier.table.machine.offered import act_due
from croupier.table.machine.position import Actor, Position, Proposal, propose

if TYPE_CHECKING:
    from croupier.records.view.documents import ActorSeen, CardOpened, EntrySeen

_PREVIEWED: Final = {"CallNoMoreBets", "CollectVigorish", "SettleHouseMoney", "SettleWagers"}
"""Narration kinds shown in advance: calls, collections, and payments."""


def seen_entry(viewer: Viewer, entry: Proposal) -> EntrySeen:
    """One document for each entry, so that numbers have no gaps."""
    document: EntrySeen = from_json(encoded_entry(viewer, entry))
    return document


def encoded_entry(viewer: Viewer, entry: Proposal) -> bytes:
    """Encode ``seen_entry``, which is sent far more often than it is read here."""
    before, after, by = entry.before, entry.after, entry.stamp.by
    around = Around(before.state, after.state, entry.events, before.rules)
    events = [masked(event, viewer, around) for event in entry.events]
    acts = viewer.sees_actors({actor.office for actor in by})
    return dump(
        {
            "format": "croupier-entry-view/1",
            "seq": after.sequence,
            "at": moment(after.at) if acts and after.at is not None else None,
            "by": [_actor(actor) for actor in by] if acts else None,
            "corrects": entry.stamp.corrects,
            "command": masked(entry.command, viewer, around),
            "events": [Raw(versioned(event)) for event in events],
            "opened": [*_opened(around)],
            "narration": [*narrate(events, before.rules.wagers)],
            "open_point": is_open(after),
        }
    )


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


def foreseen(viewer: Viewer, answer: Proposal | None) -> EntrySeen | None:
    """Show the due act's entry, unless a card is face down."""
    return None if answer is None or not is_open(answer.after) else seen_entry(viewer, answer)


def due_answer(position: Position) -> Proposal | None:
    """Decide the due act if it needs no input."""
    act = act_due(position.state, position.rules)
    if act is None or act.command.__name__ not in _PREVIEWED:
        return None
    if any(field.source or field.needed for field in act.fields):
        return None
    answer = propose(position, act.plain())
    return answer if isinstance(answer, Proposal) else None


def next_act(answer: Proposal | None) -> str | None:
    """Return the act that the same press gives next, if play requires it."""
    if answer is None:
        return None
    then = TERMS[type(answer.command).__name__].then
    due = act_due(answer.after.state, answer.before.rules)
    return then if due is not None and due.command.__name__ == then else None
