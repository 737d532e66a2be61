"""The tables of docs/table-log.md, made of the classes of commands and events."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from croupier.acts import Choice
from croupier.baccarat.cards import Card
from croupier.law.sight import Key
from croupier.records.codec import COMMANDS, EVENTS
from support.project import ROOT

DOCUMENT: Final = ROOT / "docs" / "table-log.md"

WORDS: Final[dict[Any, str]] = {
    int: "integer",
    str: "text",
    bool: "flag",
    Card: "card",
    date: "date",
    datetime: "moment",
    Choice: "choice",
}


def kind_in_words(kind: Any) -> str:
    if kind in WORDS:
        return WORDS[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return kind_in_words(parts[0])
    if origin in {Union, types.UnionType}:
        given = [kind_in_words(part) for part in parts if part is not types.NoneType]
        return " or ".join([*given, "null"] if types.NoneType in parts else given)
    if origin is tuple:
        return f"list of {kind_in_words(parts[0])}"
    if origin is Mapping:
        return f"{kind_in_words(parts[1])} by {key_in_words(parts[0])}"
    assert issubclass(kind, (Enum, Struct))
    return kind.__name__.lower() if issubclass(kind, Enum) else f"`{kind.__name__}`"


def key_in_words(kind: Any) -> str:
    """Return what the keys of a mapping are, as their type says; a name has no ``Key``."""
    if kind is str:
        return "name"
    return next(one.what for one in kind.__metadata__ if isinstance(one, Key))


def fields_in_words(made: Any) -> str:
    hints = get_type_hints(made, include_extras=True)
    told = []
    for field in fields(made):
        if field.name == "clauses":
            continue
        default = "" if field.required else f" [{json.dumps(_default(field))}]"
        told.append(f"`{field.name}` {kind_in_words(hints[field.name])}{default}")
    return ", ".join(told)


def _default(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def table(title: str, made: Iterable[type]) -> str:
    rows = [f"| {title} | fields | what it is |", "|---|---|---|"]
    for one in sorted(made, key=lambda each: each.__name__):
        told = " ".join((one.__doc__ or "").split()).replace("``", "`").replace("`None`", "`null`")
        rows.append(f"| `{one.__name__}` | {fields_in_words(one)} | {told} |")
    return "\n".join(rows)


def parts() -> list[type]:
    """Return what lists in events are made of."""
    found = {
        part
        for made in EVENTS.values()
        for kind in get_type_hints(made).values()
        for part in get_args(kind)
        if isinstance(part, type) and issubclass(part, Struct)
    }
    return sorted((one for one in found if isinstance(one, type)), key=lambda one: one.__name__)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "commands": lambda: table("command", COMMANDS.values()),
    "events": lambda: table("event", EVENTS.values()),
    "parts": lambda: table("object", parts()),
}


def filled(text: str, name: str) -> str:
    """Return a document with one of its tables as expected."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    between = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", flags=re.DOTALL)
    assert len(between.findall(text)) == 1, f"no place, or more than one, for {name}"
    return between.sub(lambda _: f"{begin}{TABLES[name]()}\n{end}", text)
