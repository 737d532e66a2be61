"""The tables of docs/table-log.md, made of the classes of commands and events."""

from __future__ import annotations

import gzip
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
from croupier.records.documents import table_log
from croupier.records.json_schema import Schema
from croupier.records.pit_log import PIT_COMMANDS
from croupier.rules import TableRules
from croupier.table.pit import AccessEvent, PitEvent
from croupier.verify.verdict import LogDivergence
from support.project import ROOT
from support.schema_words import kind_of

DOCUMENT: Final = ROOT / "docs" / "table-log.md"

WORDS: Final[dict[Any, str]] = {
    int: "integer",
    str: "text",
    bool: "flag",
    Card: "card",
    date: "date",
    datetime: "moment",
    Choice: "choice",
    TableRules: "submission",
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
        # The rules of a table are recorded as its submission.
        name = "submission" if hints[field.name] is TableRules else field.name
        told.append(f"`{name}` {kind_in_words(hints[field.name])}{default}")
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


def line_schema(name: str) -> Schema:
    found: Schema = table_log()["$defs"][name]
    return found


def header_schema() -> Schema:
    """Return the schema of a header, its keys in the order in which they are written."""
    schema = line_schema("HeaderLine")
    kept = gzip.decompress((ROOT / "tests/data/logs/ny-mini.format-2.jsonl.gz").read_bytes())
    written = [*json.loads(kept.partition(b"\n")[0])]
    place, at = {}, 0
    for name in schema["properties"]:
        # A key that may be missing follows the one before it.
        at = written.index(name) if name in written else at
        place[name] = at
    in_order = sorted(schema["properties"].items(), key=lambda pair: place[pair[0]])
    return schema | {"properties": dict(in_order)}


def keys_table(schema: Schema) -> str:
    rows = ["| key | value | meaning |", "|---|---|---|"]
    for name, one in schema["properties"].items():
        kind = kind_of(one) + ("" if name in schema["required"] else ", may be missing")
        of_part = line_schema(one["$ref"].rpartition("/")[2]) if "$ref" in one else {}
        meaning = one.get("description") or of_part.get("description", "")
        rows.append(f"| `{name}` | {kind} | {meaning} |")
    return "\n".join(rows)


def kinds_of_divergence() -> str:
    described = re.findall(r"- ``(.+)``: (.+)", LogDivergence.__doc__ or "")
    rows = (f"| `{kind}` | {meaning} |" for kind, meaning in described)
    return "\n".join(["| kind | what it means |", "|---|---|", *rows])


def pit_events() -> list[type]:
    """Return the classes of events of a pit that have no classes below them."""
    below = [*PitEvent.__subclasses__()]
    for one in below:
        below.extend(one.__subclasses__())
    return [one for one in below if one is not AccessEvent and not one.__subclasses__()]


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "header": lambda: keys_table(header_schema()),
    "continues": lambda: keys_table(line_schema("ContinuesWritten")),
    "entries": lambda: keys_table(line_schema("EntryLine")),
    "last line": lambda: keys_table(line_schema("LastLine")),
    "commands": lambda: table("command", COMMANDS.values()),
    "events": lambda: table("event", EVENTS.values()),
    "divergences": kinds_of_divergence,
    "parts": lambda: table("object", parts()),
    "pit commands": lambda: table("command of a pit", PIT_COMMANDS.values()),
    "pit events": lambda: table("event of a pit", pit_events()),
}


def filled(text: str, name: str) -> str:
    """Return a document with one of its tables as expected."""
    return with_table(text, name, TABLES[name]())


def with_table(text: str, name: str, table: str) -> str:
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    between = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", flags=re.DOTALL)
    assert len(between.findall(text)) == 1, f"no place, or more than one, for {name}"
    return between.sub(lambda _: f"{begin}{table}\n{end}", text)
