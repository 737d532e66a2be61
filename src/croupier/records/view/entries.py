"""Entries as a viewer may see them, and that of the next required act, ready for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from croupier.acts.command import TERMS
from croupier.baccarat.hand import Hand
from croupier.records.entry import moment
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
