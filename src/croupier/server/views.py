"""What each office sees: every byte about a table that leaves the service goes through here.

A card that lies face down is shown to nobody. It is written ``??`` until the record turns it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.records.codec import dump, from_json
from croupier.records.entry import unseal
from croupier.server.grants import BOARD, Grant
from croupier.server.problems import clauses_in_words
from croupier.table import hooks
from croupier.table.acts import Act, Field, acts
from croupier.table.position import Position
from croupier.table.roles import Role
from croupier.table.state import TableState

__all__ = [
    "Viewer", "is_open", "seen_acts", "seen_entry", "seen_position", "sees_money", "sees_names",
    "viewer_of",
]  # fmt: skip

Viewer = tuple[str, int | None]
"""An office, and the seat of a patron."""

_CLOSED: Final = "??"
_NAMES: Final = frozenset({Role.SURVEILLANCE, Role.DEALER, Role.FLOORPERSON, Role.PIT_BOSS})
"""Offices that see the names of patrons."""


def viewer_of(grant: Grant) -> Viewer:
    """Return as whom a grant sees a table."""
    return grant.office, grant.seat


def is_open(state: TableState) -> bool:
    """Return whether no card of a table lies face down or unseen by those who play."""
    return state.round is None and not state.held and not state.simulate_with


def seen_entry(viewer: Viewer, line: bytes) -> dict[str, Any]:
    """Return what a viewer sees of an entry, without its seal and that of the one before."""
    sealed = unseal(line)
    entry: dict[str, Any] = from_json(line if sealed is None else sealed[0])
    shown = {name: entry[name] for name in ("seq", "at", "corrects")}
    if viewer[0] == Role.SURVEILLANCE:
        shown["by"] = entry["by"]
    faces = [one for one in entry["events"] if one["type"] == "CardDealt"]
    is_seen = bool(faces) and all(one.get("face_up") for one in faces)
    shown["command"] = _masked(entry["command"], viewer, is_seen=is_seen)
    shown["events"] = [
        _masked(one, viewer, is_seen=bool(one.get("face_up") or one.get("disclosed")))
        for one in entry["events"]
    ]
    return shown


_HIDES: Final = frozenset({"DrawCard", "DrawCardInError", "CardDealt", "CardDrawnInError"})


def _masked(data: Mapping[str, Any], viewer: Viewer, *, is_seen: bool) -> dict[str, Any]:
    shown = dict(data)
    if data["type"] in _HIDES and not is_seen and shown.get("card") is not None:
        shown["card"] = _CLOSED
    if viewer[0] not in _NAMES:
        for name in ("patron", "name"):
            if name in shown and data["type"] in {"SeatPatron", "PatronSeated"}:
                del shown[name]
    return shown


def seen_position(viewer: Viewer, position: Position) -> dict[str, Any]:
    """Return what a viewer sees of a table as it stands."""
    state = position.state
    office, own = viewer
    seats = [
        {
            "seat": seat,
            **({"patron": patron.name} if office in _NAMES or seat == own else {}),
            **(
                {"chips_cents": patron.chips_cents, "owed_cents": patron.owed_cents}
                if office in _NAMES or seat == own
                else {}
            ),
        }
        for seat, patron in sorted(state.seats.items())
    ]
    return {
        "seq": position.sequence,
        "at": None if position.at is None else position.at.isoformat(timespec="milliseconds"),
        "phase": state.phase.name,
        "phase_words": state.phase.value,
        "gaming_date": None if state.gaming_date is None else state.gaming_date.isoformat(),
        "rounds": state.rounds,
        "seats": seats,
        "stakes": [
            {"seat": seat, "wager": wager, "cents": stake.cents}
            for (seat, wager), stake in state.stakes.items()
        ],
        "shoe": {"number": state.shoe.number, "remaining": state.shoe.remaining},
    }


def seen_acts(viewer: Viewer, position: Position, *, fields: bool = True) -> list[dict[str, Any]]:
    """Return what may be done next by a viewer's office, in words, and with what it takes."""
    state, rules = position.state, position.rules
    found = []
    for act in acts(state, rules):
        if not _gives(viewer, act, state):
            continue
        shown: dict[str, Any] = {
            "command": act.command.__name__,
            "words": act.words,
            "must": act.must,
            "seat": act.seat,
            "who": [*act.who],
            "also": [*act.also],
            "clauses": clauses_in_words(rules.law, act.clauses),
        }
        if fields:
            shown["fields"] = [_field(one) for one in act.fields]
        found.append(shown)
    return found


def _gives(viewer: Viewer, act: Act, state: TableState) -> bool:
    """Return whether a viewer gives an act; the dealer enters what patrons do by hand."""
    office, seat = viewer
    if office == Role.PATRON:
        if Role.CURATOR in act.who and seat == hooks.seat_that_deals.ask(state):
            return True
        return Role.PATRON in act.who and act.seat in {None, seat}
    return office in act.who or (office == Role.DEALER and Role.PATRON in act.who)


_FOR_NO_EYE: Final = frozenset({"reader", "vault"})


def _field(one: Field) -> dict[str, Any]:
    """Return a field of an act; what a reader or a vault would fill in is shown to nobody."""
    shown = {name: getattr(one, name) for name in Field.__match_args__}
    if one.source in _FOR_NO_EYE:
        shown["default"] = None
    plain: dict[str, Any] = from_json(dump(shown))
    return plain


def sees_names(viewer: Viewer) -> bool:
    """Return whether a viewer sees the names of patrons."""
    return viewer[0] in _NAMES


def sees_money(office: str) -> bool:
    """Return whether an office sees the accounts of a table."""
    return office not in {Role.PATRON, Role.MACHINE, Role.DEALER, Role.PIT_CLERK, BOARD}
