"""Masking of commands and events by field, as declared in ``fields``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import Difference
from croupier.acts.fields import sight_of
from croupier.law.sight import Sight
from croupier.records.view.closed import CARDS, Around
from croupier.records.view.sight import CLOSED, Viewer, is_seen_by

Recorded = TypeVar("Recorded", bound=Struct)

_LOOKED_INTO: Final = {Sight.CARD, Sight.PARTS}
_NAMES: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.STAFF}


def masked(recorded: Recorded, viewer: Viewer, around: Around | None) -> Recorded:
    """Hide fields; all cards without ``around``. Raises ``LookupError`` for unknown fields."""
    kind = type(recorded)
    asked = _in_question(kind, viewer.office)
    if not asked:
        return recorded
    # A person who has left is not among the occupants of the seat.
    at = recorded.now if isinstance(recorded, Difference) else getattr(recorded, "seat", None)
    seats = (at, getattr(recorded, "to", None))
    changes: dict[str, Any] = {}
    for name, sight in asked:
        held = getattr(recorded, name)
        if held is None:
            continue
        if sight is Sight.PARTS:
            changes[name] = _parts(held, viewer)
        elif sight is Sight.CARD:
            changes[name] = _cards(held, closed=_closed(recorded, name, around))
        elif not viewer.sees(sight, *seats):
            changes[name] = _hidden(recorded, name, held, sight)
    return replace(recorded, **changes) if changes else recorded


@cache
def _in_question(recorded: Any, office: str) -> tuple[tuple[str, Sight], ...]:
    found = []
    for name in recorded.__struct_fields__:
        sight = sight_of(recorded, name)
        if sight is None:
            raise LookupError(f"{recorded.__name__}.{name} is not declared: say who may see it")
        if sight in _LOOKED_INTO or not is_seen_by(office, sight):
            found.append((name, sight))
    return tuple(found)


def _closed(recorded: Struct, name: str, around: Around | None) -> bool | tuple[bool, ...]:
    if around is None:
        return True
    closed = CARDS[f"{type(recorded).__name__}.{name}"]
    return closed if isinstance(closed, bool) else closed(recorded, around)


def _parts(held: Any, viewer: Viewer) -> Any:
    if isinstance(held, tuple):
        return tuple(masked(one, viewer, None) for one in held)
    return masked(held, viewer, None)


def _cards(held: Any, *, closed: bool | tuple[bool, ...]) -> Any:
    if not isinstance(held, tuple):
        return CLOSED if closed else held
    each = closed if isinstance(closed, tuple) else (closed,) * len(held)
    return tuple(CLOSED if down else card for card, down in zip(held, each, strict=False))


def _hidden(recorded: object, name: str, held: Any, sight: Sight) -> Any:
    if sight in _NAMES:
        if not held:
            return held
        office: str = name.replace("_", " ")
        return getattr(recorded, "office", office) if sight is Sight.STAFF else "patron"
    if isinstance(held, Mapping):
        return dict.fromkeys(held) if sight is Sight.STAKE else {}
    if isinstance(held, tuple):
        return ()
    return CLOSED if isinstance(held, str) else None
