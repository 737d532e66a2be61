"""Sample commands: one of each kind that can be read, made from the types of its fields."""

from __future__ import annotations

from typing import Any, Final, get_type_hints

from croupier.acts.fields import offices_named
from croupier.acts.roles import Role
from croupier.records.codec import COMMANDS

_BY_TYPE: Final = {
    "datetime.datetime": "2026-11-20T12:00:00Z",
    "datetime.date": "2026-11-20",
    "Mapping": {},
    "tuple": [],
    "Card": "9h",
    "Hand": "player",
    "bool": True,
    "str": "x",
    "int": 1,
}


def sample_of(name: str) -> dict[str, Any]:
    """Return a command of a kind as JSON, with the person on duty for each office that it names."""
    kind = COMMANDS[name]
    offices = offices_named(kind)
    return {"type": name} | {
        field: str(_on_duty(offices[field])) if field in offices else _sample(field, str(hint))
        for field, hint in get_type_hints(kind).items()
    }


def _on_duty(office: Role) -> Role:
    return Role.FLOORPERSON if office is Role.SUPERVISOR else office


def _sample(field: str, hint: str) -> Any:
    if field == "office":
        return "dealer"
    return next((value for word, value in _BY_TYPE.items() if word in hint), None)
