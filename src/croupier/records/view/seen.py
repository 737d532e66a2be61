"""What a viewer sees as JSON: the acts on offer with their fields, and recorded entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import Raw

from croupier.acts.command import TERMS
from croupier.acts.roles import SEATED, Role, includes
from croupier.baccarat.coup import Hand
from croupier.records.codec import dump, from_json
from croupier.records.entry import moment, versioned
from croupier.records.narration import narrate
from croupier.records.view.sight import Around, Viewer, closed_places, is_open, masked
from croupier.table.machine.offered import Act, Field, act_due
from croupier.table.machine.position import Actor, Position, Proposal, propose

if TYPE_CHECKING:
    from croupier.records.view.documents import ActorSeen, ActSeen, CardOpened, EntrySeen, FieldSeen

_NO_EYE: Final = {"reader", "vault"}
"""Field sources whose defaults would disclose the next card."""


def _gives(viewer: Viewer, act: Act) -> bool:
    if viewer.office == Role.PATRON and act.seat not in {None, viewer.seat}:
        return False
    return _may_give(viewer.office, act.who)


@cache
def _may_give(office: str, offices: tuple[Role, ...]) -> bool:
    patrons = any(office in SEATED for office in offices)
    if office == Role.PATRON:
        return patrons
    return _is_of(office, offices) or (office == Role.DEALER and patrons)


@cache
def _is_of(office: str, offices: tuple[Role, ...]) -> bool:
    return any(includes(office, role) for role in offices)


def seen_acts(viewer: Viewer, acts: Iterable[Act], by: Actor | None = None) -> list[ActSeen]:
    """Return acts that a viewer gives or consents to, only those open to ``by``."""
    own = (act for act in acts if _gives(viewer, act) or _is_of(viewer.office, act.also))
    return [_act(viewer, act, by) for act in own if by is None or act.is_open_to(by)]


def _act(viewer: Viewer, act: Act, by: Actor | None) -> ActSeen:
    return {
        "command": act.command.__name__,
        "must": act.must,
        "awaited": act.awaited,
        "seat": act.seat,
        "words": act.words,
        "clauses": list(act.clauses),
        "who": [role.value for role in act.who],
        "also": [role.value for role in act.also if not _is_own(viewer, act, role)],
        "gives": _gives(viewer, act),
        "fields": [_named(act, seen_field(field), by) for field in act.fields],
    }


def _is_own(viewer: Viewer, act: Act, office: Role) -> bool:
    alone = act.terms.consents_of(office) == 1
    return alone and office in act.who and includes(viewer.office, office)


def _named(act: Act, field: FieldSeen, by: Actor | None) -> FieldSeen:
    office = act.terms.names.get(field["name"])
    if by is None or office is None or not includes(by.office, office):
        return field
    return {**field, "default": by.person}


def seen_field(field: Field) -> FieldSeen:
    """Leave out defaults that would disclose cards."""
    hidden = field.source in _NO_EYE
    return {
        "name": field.name,
        "kind": field.kind,  # type: ignore[typeddict-item]  # one of a few words
        "label": field.label,
        "choices": [{"value": _plain(value), "label": label} for value, label in field.choices],
        "least": field.least,
        "most": field.most,
        "unit": field.unit,
        "default": None if hidden else _plain(field.default),
        "source": field.source,
        "needed": field.needed or hidden,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


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
