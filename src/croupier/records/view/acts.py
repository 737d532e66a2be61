"""A viewer's available acts as JSON, with their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from croupier.acts.roles import SEATED, Role, includes
from croupier.records.entry import moment
from croupier.records.view.sight import Viewer
from croupier.table.machine.offered import Act, Field
from croupier.table.people.offices import Actor

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, FieldSeen

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
