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
    from croupier.records.view.documents import ActSeen, CardOpened, EntrySeen, FieldSeen

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


def seen_acts(viewer: Viewer, acts: Iterable[Act], actor: Actor | None = None) -> list[ActSeen]:
    """Return acts that a viewer gives or consents to; ``actor`` names whoever gives them."""
    own_acts = (act for act in acts if _gives(viewer, act) or _is_of(viewer.office, act.also))
    return [_act(viewer, act, actor) for act in own_acts]


def _act(viewer: Viewer, act: Act, actor: Actor | None) -> ActSeen:
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
        "fields": [_named(act, seen_field(field), actor) for field in act.fields],
    }


def _is_own(viewer: Viewer, act: Act, office: Role) -> bool:
    is_alone = act.terms.consents_of(office) == 1
    return is_alone and office in act.who and includes(viewer.office, office)


def _named(act: Act, field: FieldSeen, actor: Actor | None) -> FieldSeen:
    office = act.terms.names.get(field["name"])
    if actor is None or office is None or not includes(actor.office, office):
        return field
    return {**field, "default": actor.person}


def seen_field(field: Field) -> FieldSeen:
    """Leave out defaults that would disclose cards."""
    is_hidden = field.source in _NO_EYE
    return {
        "name": field.name,
        "kind": field.kind,  # type: ignore[typeddict-item]  # one of a few words
        "label": field.label,
        "choices": [{"value": _plain(value), "label": label} for value, label in field.choices],
        "least": field.least,
        "most": field.most,
        "unit": field.unit,
        "default": None if is_hidden else _plain(field.default),
        "source": field.source,
        "needed": field.needed or is_hidden,
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
    old_position, next_position, actors = entry.before, entry.after, entry.stamp.by
    context = Around(old_position.state, next_position.state, entry.events, old_position.rules)
    events = [masked(event, viewer, context) for event in entry.events]
    acts = viewer.sees_actors({actor.office for actor in actors})
    by = [{"person": actor.person, "office": actor.office, "seat": actor.seat} for actor in actors]
    return dump(
        {
            "format": "croupier-entry-view/1",
            "seq": next_position.sequence,
            "at": moment(next_position.at) if acts and next_position.at is not None else None,
            "by": by if acts else None,
            "corrects": entry.stamp.corrects,
            "command": masked(entry.command, viewer, context),
            "events": [Raw(versioned(event)) for event in events],
            "opened": [*_opened(context)],
            "narration": [*narrate(events, old_position.rules.wagers)],
            "open_point": is_open(next_position),
        }
    )


def _opened(context: Around) -> Iterator[CardOpened]:
    old_round, new_round = context.before.round, context.after.round
    if old_round is None or new_round is None or old_round.number != new_round.number:
        return
    old_places = closed_places(context.before, context.rules)
    opened_places = old_places - closed_places(context.after, context.rules)
    for hand, place in sorted(opened_places, key=lambda place: (place[0] is Hand.BANKER, place[1])):
        cards = new_round.coup.hand(hand)
        if place < len(cards):
            yield {"hand": hand.value, "ordinal": place + 1, "card": cards[place].notation}


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
    next_name = TERMS[type(answer.command).__name__].then
    due_act = act_due(answer.after.state, answer.before.rules)
    return next_name if due_act is not None and due_act.command.__name__ == next_name else None
