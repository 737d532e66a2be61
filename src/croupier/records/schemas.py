"""JSON Schemas of the records: a line of a table log, an answer of a run, a rules submission.

That of a submission is made of what the laws leave open. A submission is TOML; its schema is that
of the same data as JSON, with dates as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from croupier.baccarat.wagers import WAGERS
from croupier.json_schema import DIALECT, Schema
from croupier.law.interpretations import interpretations
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import instruments
from croupier.law.values import Kind
from croupier.records.documents import answer_of_run, layout_written, table_log
from croupier.records.view.documents import acts_seen, entry_seen, table_seen

__all__ = ["SCHEMAS", "rules_submission"]

_ODDS: Final = "^[1-9][0-9]{0,5}:[1-9][0-9]{0,5}$"
_RATE: Final = "^([0-9]{1,3}([.][0-9]{1,4})?%|[0-9]+/[1-9][0-9]*)$"
_MONEY: Final = r"^[0-9]{1,12}(\.[0-9]{2})?$"


def _object(properties: Mapping[str, object], *, optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


# --- the rules submission ----------------------------------------------------------------------


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
            "drawing_table": {"type": "string"},
        },
        optional=("title", "drawing_table"),
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
        "table": {name: value for name, value in layout_written().items() if name != "required"},
        "limits": _object(dict.fromkeys(WAGERS, pair), optional=tuple(WAGERS)),
    }
    return {
        "$schema": DIALECT,
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
    "run-answer": answer_of_run,
    "table-view": table_seen,
    "entry-view": entry_seen,
    "acts-view": acts_seen,
    "rules-submission": rules_submission,
}
"""Every schema, by the name under which it is asked for."""
