"""JSON Schemas of what leaves the program: a line of a table log, and a rules submission.

They are generated from what the program itself uses: the dataclasses of commands and events, and
what the laws leave open. A submission is TOML; its schema is that of the same data as JSON, with
dates as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from typing import Any, Final

import msgspec

from croupier.baccarat.wagers import WAGERS
from croupier.cards import Card, Rank, Suit
from croupier.documents import PROGRAM
from croupier.law.interpretations import interpretations
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import instruments
from croupier.law.values import Kind
from croupier.records.codec import COMMANDS, EVENTS
from croupier.records.entry import FIRST
from croupier.records.header import FORMAT
from croupier.rules import MOST_SEATS

__all__ = ["SCHEMAS", "rules_submission", "table_log"]

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_HASH: Final = "^[0-9a-f]{64}$"
_TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"
_RANKS: Final = "".join(rank.value for rank in Rank)
_SUITS: Final = "".join(suit.value for suit in Suit)
_ODDS: Final = "^[1-9][0-9]{0,5}:[1-9][0-9]{0,5}$"
_RATE: Final = "^([0-9]{1,3}%|[0-9]+/[1-9][0-9]*)$"
_MONEY: Final = r"^[0-9]{1,12}(\.[0-9]{2})?$"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Mapping[str, object], *, optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


# --- the table log -----------------------------------------------------------------------------


def _card(kind: type) -> Schema:
    if kind is Card:
        return _ref("Card")
    raise NotImplementedError(f"{kind.__name__} has no schema")


def _component(name: str, component: Schema) -> Schema:
    """Return what the codec writes of a dataclass: each field, after its type if it has one."""
    described = {"description": " ".join(cleandoc(component["description"]).split())}
    if "properties" not in component:
        return described | {"enum": component["enum"]}
    properties = {
        field: {key: value for key, value in schema.items() if key != "default"}
        for field, schema in component["properties"].items()
    }
    if name in EVENTS:
        properties = {"type": {"const": name}, "v": {"const": EVENTS[name].VERSION}, **properties}
    if name in COMMANDS:
        properties = {"type": {"const": name}, **properties}
    return described | _object(properties)


def _components() -> Schema:
    _, made = msgspec.json.schema_components(
        [*COMMANDS.values(), *EVENTS.values()],
        schema_hook=_card,
        ref_template="#/$defs/{name}",
    )
    return {name: _component(name, made[name]) for name in sorted(made)}


def _entry() -> Schema:
    digest, text = {"type": "string", "pattern": _HASH}, {"type": "string"}
    return _object(
        {
            "seq": {"type": "integer", "minimum": 1},
            "prev": digest,
            "at": {"type": "string", "pattern": _TIME},
            "by": {
                "type": "array",
                "items": _object({"person": text, "office": text, "device": text}),
            },
            "key": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]},
            "corrects": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            "command": {"anyOf": [_ref(name) for name in sorted(COMMANDS)]},
            "events": {
                "type": "array",
                "items": {"anyOf": [_ref(name) for name in sorted(EVENTS)]},
            },
            "sha256": digest,
        }
    )


def table_log() -> Schema:
    """Return the schema of one line of a table log: its header, an entry or its last line.

    >>> [one["$ref"] for one in table_log()["anyOf"]]
    ['#/$defs/header', '#/$defs/entry', '#/$defs/last']
    """
    digest, text = {"type": "string", "pattern": _HASH}, {"type": "string"}
    texts = {"type": "object", "additionalProperties": text}
    cents = {"type": "integer", "minimum": 0}
    limit = _object({"min_cents": cents, "max_cents": cents})
    return {
        "$schema": _DIALECT,
        "title": FORMAT,
        "description": "One line of a table log: its header, an entry, or its last line.",
        "anyOf": [_ref("header"), _ref("entry"), _ref("last")],
        "$defs": {
            "header": _object(
                {
                    "format": {"const": FORMAT},
                    "stream": text,
                    "program": {"const": PROGRAM},
                    "version": text,
                    "law": text,
                    "on": {"type": "string", "format": "date"},
                    "edition": {"type": "integer", "minimum": 1},
                    "title": text,
                    "elections": {"type": "object"},
                    "layout": _layout(),
                    "limits": {
                        "anyOf": [
                            {"type": "object", "additionalProperties": limit},
                            {"type": "null"},
                        ]
                    },
                    "interpretations": texts,
                    "readings": texts,
                    "law_sha256": digest,
                    "binding_sha256": digest,
                    "cited_sha256": digest,
                    "shuffle": text,
                    "prev": {"const": FIRST},
                    "sha256": digest,
                }
            ),
            "entry": _entry(),
            "last": _object({"entries": cents, "prev": digest, "sha256": digest}),
            "Card": {
                "description": "A card: its rank and its suit, such as 9h; T is a ten.",
                "type": "string",
                "pattern": f"^[{_RANKS}][{_SUITS}]$",
            },
            **_components(),
        },
    }


# --- the rules submission ----------------------------------------------------------------------


def _layout(*, optional: bool = False) -> Schema:
    properties = {
        "seats": {"type": "integer", "minimum": 1, "maximum": MOST_SEATS},
        "numbering": {"enum": ["counterclockwise", "clockwise"]},
        "pit": {"type": "string"},
        "table": {"type": "string"},
    }
    return _object(properties, optional=tuple(properties) if optional else ())


def _choice(law: Instrument, rule: Rule) -> Schema:
    """Return the schema of what may be elected for one rule."""
    told = {"title": rule.title, "description": ", ".join(rule.cites)}
    if rule.choices:
        plain = [one if isinstance(one, int | str) else rule.written(one) for one in rule.choices]
        return told | {"enum": plain}
    if tables := {**rule.at_least_any, **rule.one_of}:
        own = _paytables(law, tables.values())
        return told | {"anyOf": [{"enum": list(tables)}, *own]}
    return told | _BY_KIND[rule.kind](rule)


def _paytables(law: Instrument, rule_ids: Iterable[str]) -> list[Schema]:
    """Return the schema of a paytable of the licensee's own: it has the lines of the law's."""
    found = []
    for rule_id in rule_ids:
        rule = law.rules[rule_id]
        lines = rule.value if isinstance(rule.value, Mapping) else ()
        table = _object(dict.fromkeys(lines, _odds(rule)))
        if table not in found:
            found.append(table)
    return found


def _count(rule: Rule) -> Schema:
    if rule.between is not None:
        return {"type": "integer", "minimum": rule.between[0], "maximum": rule.between[1]}
    least = rule.at_least if isinstance(rule.at_least, int) else 0
    return {"type": "integer", "minimum": least}


def _odds(rule: Rule) -> Schema:
    del rule
    return {"type": "string", "pattern": _ODDS}


def _amount() -> Schema:
    return {
        "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": _MONEY}],
    }


_BY_KIND: Final[Mapping[Kind, Callable[[Rule], Schema]]] = {
    Kind.COUNT: _count,
    Kind.MONEY: lambda _: _amount(),
    Kind.ODDS: _odds,
    Kind.RATE: lambda _: {"type": "string", "pattern": _RATE},
    Kind.FLAG: lambda _: {"type": "boolean"},
    Kind.WORD: lambda _: {"type": "string", "pattern": r"\S"},
    Kind.TEXT: lambda _: {"type": "string", "pattern": r"\S"},
    Kind.WORDS: lambda _: {"type": "string", "pattern": r"\S"},
    Kind.TABLE: lambda _: {"type": "object", "minProperties": 1},
    Kind.PAYTABLE: lambda _: {"type": "object", "minProperties": 1},
    Kind.ORDER: lambda _: {"type": "array", "items": {"type": "string"}, "minItems": 1},
}


def _tables(choices: Mapping[tuple[str, ...], Schema]) -> Schema:
    """Return the schema of elections as tables: ids may be parted at any of their dots, or none.

    A name that is a choice itself is never a table: what goes on from it is written whole.
    """
    properties: Schema = {}
    below: dict[str, dict[tuple[str, ...], Schema]] = {}
    for path, schema in choices.items():
        properties[".".join(path)] = schema
        for parts in range(1, len(path)):
            below.setdefault(".".join(path[:parts]), {})[path[parts:]] = schema
    for name, rest in below.items():
        if name not in properties:
            properties[name] = _tables(rest)
    return _object(properties, optional=tuple(properties))


def _elections(law: Instrument) -> Schema:
    choices = {tuple(rule.id.split(".")): _choice(law, rule) for rule in law.elections}
    return _tables(choices)


def rules_submission() -> Schema:
    """Return the schema of a rules submission: its shape, and what each law leaves open.

    Whether a submission is accepted is for `croupier check`: what must be there and what goes
    together depends on what else is elected, and no schema says that.
    """
    laws = sorted({law.id for law in instruments()})
    head = _object(
        {
            "law": {"enum": laws},
            "on": {"type": "string", "format": "date"},
            "title": {"type": "string"},
        },
        optional=("title",),
    )
    readings: dict[tuple[str, ...], Schema] = {}
    for entry in interpretations().values():
        if entry.readings:
            choice = {"title": entry.title, "enum": list(entry.readings)}
            readings |= {(entry.id,): choice, tuple(entry.name.split(".")): choice}
    pair = {"type": "array", "items": _amount(), "minItems": 2, "maxItems": 2}
    parts = {
        "submission": head,
        "elections": {"type": "object"},
        "interpretations": _tables(readings),
        "table": _layout(optional=True),
        "limits": _object(dict.fromkeys(WAGERS, pair), optional=tuple(WAGERS)),
    }
    return {
        "$schema": _DIALECT,
        "title": "Rules submission",
        "description": "A licensee's elections under a regulation: a TOML file, here as JSON.",
        **_object(parts, optional=("interpretations", "table", "limits")),
        "allOf": [_under(law) for law in laws],
    }


def _under(law_id: str) -> Schema:
    """Return the condition that under a law its own choices stand, those of any of its texts."""
    named = {"properties": {"submission": {"properties": {"law": {"const": law_id}}}}}
    texts = [_elections(law) for law in instruments() if law.id == law_id]
    return {"if": named, "then": {"properties": {"elections": {"anyOf": texts}}}}


SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "table-log": table_log,
    "rules-submission": rules_submission,
}
"""Every schema, by the name under which it is asked for."""
