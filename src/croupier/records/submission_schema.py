"""JSON Schema of a rules submission, with one schema for each key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby
from typing import Final

from croupier.law import model
from croupier.law.contracts import implemented_order
from croupier.law.resolve import instruments
from croupier.law.values import Kind, Value
from croupier.records.documents import layout_written
from croupier.records.json_schema import DIALECT, Schema
from croupier.rules import (
    SubmissionDraft,
    as_elected,
    choices_of,
    condition_text,
    draft_rules,
    key_of,
    offered_when,
)

_RATE: Final = "^([0-9]{1,3}([.][0-9]{1,4})?%|[0-9]+/[1-9][0-9]*)$"
_AMOUNT: Final[Schema] = {
    "type": ["integer", "string"],
    "minimum": 0,
    "pattern": r"^[0-9]{1,12}(\.[0-9]{2})?$",
}

_Path = tuple[str, ...]


def rules_submission() -> Schema:
    """Return a schema, which cannot express every rule of the check."""
    texts = instruments()
    properties = _object(
        {
            "law": {
                "description": "The id of the regulation.",
                "enum": sorted({law.id for law in texts}),
            },
            "on": {
                "description": "A date on which the regulation is known to have been in force.",
                "type": "string",
                "format": "date",
            },
            "title": {"description": "The title of the table in reports.", "type": "string"},
            "drawing_table": {
                "description": "For an excerpt: the regulation whose third-card rules apply.",
                "type": "string",
            },
        },
        optional=("title", "drawing_table"),
    )
    parts = {
        "submission": properties,
        "elections": _outline(texts),
        "interpretations": {"type": "object"},
        "table": {name: value for name, value in layout_written().items() if name != "required"},
        "limits": {"type": "object"},
        "unsupported": _object({"by_hand": {"type": "array", "items": {"type": "string"}}}),
        "documents": {
            "type": "object",
            "propertyNames": {"pattern": "^[A-Za-z0-9_-]+$"},
            "additionalProperties": _document(),
        },
    }
    return {
        "$schema": DIALECT,
        "title": "Rules submission",
        "description": "A licensee's elections under a regulation: a TOML file, here as JSON.",
        **_object(
            parts, optional=("interpretations", "table", "limits", "unsupported", "documents")
        ),
        "allOf": [*map(_dated, sorted({law.id for law in texts})), *map(_branch, texts)],
        "$defs": {law.key: _text(law) for law in texts},
    }


def _object(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _document() -> Schema:
    text, day = (
        {"type": "string", "pattern": r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"},
        {"type": "string", "format": "date"},
    )
    parts: dict[str, Schema] = {
        "title": text,
        "clauses": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "number": text,
        "dated": day,
        "expires": day,
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    return _object(parts, optional=("number", "dated", "expires", "sha256"))


# --- texts and their days ------------------------------------------------------------------------


def _named(law_id: str, **on: object) -> Schema:
    facts = {"law": {"const": law_id}, **on}
    return {
        "properties": {"submission": {"properties": facts, "required": list(facts)}},
        "required": ["submission"],
    }


def _dated(law_id: str) -> Schema:
    texts = [law for law in instruments() if law.id == law_id]
    spans = ", ".join(f"{law.in_force_from} to {law.in_force_known}" for law in texts)
    pattern = {
        "description": f"Known to have been in force: {spans}.",
        "pattern": "|".join(days(law.in_force_from, law.in_force_known) for law in texts),
    }
    consequence = {"properties": {"submission": {"properties": {"on": pattern}}}}
    return {"if": _named(law_id), "then": consequence}


def _branch(law: model.Instrument) -> Schema:
    span = {"pattern": days(law.in_force_from, law.in_force_known)}
    name = law.key.replace("~", "~0").replace("/", "~1")
    return {"if": _named(law.id, on=span), "then": {"$ref": f"#/$defs/{name}"}}


def days(start: date, end: date) -> str:
    """Return a pattern of the dates of a span, as YYYY-MM-DD.

    >>> pattern = days(date(1999, 7, 6), date(2001, 1, 16))
    >>> [bool(re.search(pattern, day)) for day in ("1999-07-05", "2000-02-29", "2001-01-17")]
    [False, True, False]
    """
    return f"^({'|'.join(_between(start.isoformat(), end.isoformat()))})$"


def _between(low: str, high: str) -> Iterator[str]:
    if low == high:
        yield low
        return
    prefix = next(at for at, (one, other) in enumerate(zip(low, high, strict=True)) if one != other)
    start, next_place = low[:prefix], prefix + 1
    yield from (f"{start}{low[prefix]}{bound}" for bound in _bounded(low[next_place:], upward=True))
    if int(high[prefix]) - int(low[prefix]) > 1:
        yield f"{start}[{int(low[prefix]) + 1}-{int(high[prefix]) - 1}]{_any(low[next_place:])}"
    yield from (f"{start}{high[prefix]}{one}" for one in _bounded(high[next_place:], upward=False))


def _bounded(text: str, *, upward: bool) -> Iterator[str]:
    yield text
    for place, mark in enumerate(text):
        minimum, maximum = (int(mark) + 1, 9) if upward and mark != "-" else (0, -1)
        if not upward and mark != "-":
            minimum, maximum = 0, int(mark) - 1
        if minimum <= maximum:
            yield f"{text[:place]}[{minimum}-{maximum}]{_any(text[place + 1 :])}"


def _any(text: str) -> str:
    return re.sub(r"\d", "[0-9]", text)


def _outline(texts: Iterable[model.Instrument]) -> Schema:
    schemas: dict[_Path, Schema] = {}
    for law in texts:
        for rule in law.elections:
            schema: Schema = {"title": rule.title}
            if choices := choices_of(rule):
                schema["examples"] = list(choices)
            schemas.setdefault(key_of(law, rule.id), schema)
    return _tables(schemas, is_open=True)


def _tables(schemas: Mapping[_Path, Schema], *, is_open: bool = False) -> Schema:
    properties: Schema = {}
    for key, group in groupby(sorted(schemas, key=_first), key=_first):
        parts = {path[1:]: schemas[path] for path in group}
        # One text's election may be a table of elections in another text.
        properties[key] = parts[()] if () in parts else _tables(parts, is_open=is_open)
    if is_open:
        return {"type": "object", "properties": properties}
    return _object(properties, optional=tuple(properties))


# --- one text ------------------------------------------------------------------------------------


def _text(law: model.Instrument) -> Schema:
    readings = [entry for entry in law.concerned.values() if entry.readings]
    wagers = _wagers(law)
    pair = {
        "description": f"The minimum and the maximum, in {law.currency.unit}.",
        "type": "array",
        "items": _AMOUNT,
        "minItems": 2,
        "maxItems": 2,
    }
    parts = {
        "elections": _tables({key_of(law, rule.id): _choice(law, rule) for rule in law.elections}),
        "interpretations": _tables(
            {path: _reading(entry) for entry in readings for path in _names(entry)}
        ),
        "limits": _object(dict.fromkeys(wagers, pair), optional=tuple(wagers)),
    }
    conditions = [
        *_elected(law),
        *_posted(law, wagers),
        *_acknowledged(readings),
        *(_tied(law, constraint) for constraint in law.constraints if constraint.kind in _TIES),
    ]
    return {
        "title": f"{law.title}, as of {law.in_force_from}",
        "properties": parts,
        **({"allOf": conditions} if conditions else {}),
    }


def _first(path: _Path) -> str:
    return path[0]


def _choice(law: model.Instrument, rule: model.Rule) -> Schema:
    schema: Schema = {"title": rule.title, "description": ", ".join(rule.cites)}
    if rule.default is not None:
        schema["default"] = rule.default
    if tables := (*rule.at_least_any.values(), *rule.one_of.values()):
        lines = law.rules[tables[0]].value
        own = _object(dict.fromkeys(lines if isinstance(lines, Mapping) else (), _ODDS))
        named = {"if": {"type": "string"}, "then": {"enum": list(choices_of(rule))}, "else": own}
        return {**schema, "type": ["string", "object"], **named}
    if rule.choices:
        return {**schema, "enum": list(choices_of(rule))}
    if rule.kind is Kind.ORDER and (words := implemented_order(rule.id)):
        return {**schema, **_BY_KIND[Kind.ORDER], "items": {"enum": words}}
    return schema | (_count(rule) if rule.kind is Kind.COUNT else _BY_KIND[rule.kind])


def _count(rule: model.Rule) -> Schema:
    if rule.between is not None:
        return {"type": "integer", "minimum": rule.between[0], "maximum": rule.between[1]}
    minimum = rule.at_least if isinstance(rule.at_least, int) else 0
    return {"type": "integer", "minimum": minimum}


_ODDS: Final[Schema] = {"type": "string", "pattern": "^[1-9][0-9]{0,5}:[1-9][0-9]{0,5}$"}
_TEXT: Final[Schema] = {"type": "string", "pattern": r"\S"}

_ROWS: Final[Schema] = {"type": "object", "minProperties": 1}

_BY_KIND: Final[Mapping[Kind, Schema]] = {
    Kind.MONEY: _AMOUNT,
    Kind.ODDS: _ODDS,
    Kind.RATE: {"type": "string", "pattern": _RATE},
    Kind.FLAG: {"type": "boolean"},
    Kind.WORD: _TEXT,
    Kind.TEXT: _TEXT,
    Kind.WORDS: _TEXT,
    Kind.TABLE: _ROWS,
    Kind.PAYTABLE: _ROWS,
    Kind.AWARDS: _ROWS,
    Kind.ORDER: {"type": "array", "items": {"type": "string"}, "minItems": 1},
    Kind.GROUPS: {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "minItems": 1,
    },
}


def _reading(entry: model.Interpretation) -> Schema:
    text = " ".join(f"{name}: {meaning}" for name, meaning in entry.readings.items())
    default = {} if entry.acknowledge else {"default": entry.reading}
    return {"title": entry.title, "description": text, "enum": list(entry.readings), **default}


def _names(entry: model.Interpretation) -> Iterator[_Path]:
    yield (entry.id,)
    yield tuple(entry.name.split("."))


# --- what depends on what ------------------------------------------------------------------------

_TIES: Final = frozenset({model.ConstraintKind.REQUIRES, model.ConstraintKind.EXCLUDES})


def _barred(law: model.Instrument, condition: model.Condition) -> Schema:
    return {"enum": [f"only with {condition_text(law, condition)}"]}


def _at(path: _Path, schema: object, *, required: bool) -> Schema:
    inner_schema: object = schema if len(path) == 1 else _at(path[1:], schema, required=required)
    outer_schema: Schema = {"properties": {path[0]: inner_schema}}
    return {**outer_schema, "required": [path[0]]} if required else outer_schema


def _place(law: model.Instrument, rule_id: str) -> _Path:
    if rule_id == "layout.seats":
        return ("table", "seats")
    return ("elections", *key_of(law, rule_id))


def _raw(law: model.Instrument, rule_id: str, values: tuple[Value, ...]) -> list[object]:
    return [as_elected(law.rules[rule_id], value) for value in values]


def _holds(law: model.Instrument, condition: model.Condition) -> Schema:
    conditions: list[Schema] = []
    for name, values in condition.items():
        rule = law.rules[name]
        if rule.value is not None:
            continue
        raw_values = _raw(law, name, values)
        is_default = rule.may_be_left_out and rule.default in raw_values
        conditions.append(_at(_place(law, name), {"enum": raw_values}, required=not is_default))
        if is_default:
            conditions.append(_holds(law, rule.applies_when))
    return {"allOf": conditions} if conditions else {}


def _elected(law: model.Instrument) -> Iterator[Schema]:
    by_condition: dict[str, list[model.Rule]] = {}
    for rule in law.elections:
        by_condition.setdefault(repr(sorted(rule.applies_when.items())), []).append(rule)
    for rules in by_condition.values():
        requirements = [
            _at(_place(law, one.id), {}, required=True) for one in rules if not one.may_be_left_out
        ]
        if condition := rules[0].applies_when:
            consequence = {"then": {"allOf": requirements}} if requirements else {}
            reason = _barred(law, condition)
            bars = [_at(_place(law, rule.id), reason, required=False) for rule in rules]
            yield {"if": _holds(law, condition), **consequence, "else": {"allOf": bars}}
        else:
            yield from requirements


def _wagers(law: model.Instrument) -> Mapping[str, model.Condition | None]:
    if not law.elections:
        return {}
    rules = draft_rules(SubmissionDraft(law, {}, {}, {}))
    return {
        wager.id: None if f"{wager.offered_by}.stake" in law.rules else condition
        for wager in rules.wagers.values()
        if (condition := offered_when(law, wager)) is not None
    }


def _posted(
    law: model.Instrument, wagers: Mapping[str, model.Condition | None]
) -> Iterator[Schema]:
    for wager, condition in wagers.items():
        if condition is not None:
            limit_schema = _at(("limits", wager), {}, required=True)
            holds = _holds(law, condition)
            bar = {"else": _at(("limits", wager), _barred(law, condition), required=False)}
            yield {"if": holds, "then": limit_schema, **bar} if holds else limit_schema


def _acknowledged(readings: list[model.Interpretation]) -> Iterator[Schema]:
    for entry in readings:
        if entry.acknowledge:
            by_name, by_id = (
                _at(("interpretations", *path), {}, required=True)
                for path in reversed(list(_names(entry)))
            )
            yield {"if": by_name, "else": by_id}


def _tied(law: model.Instrument, tie: model.Constraint) -> Schema:
    consequences: list[Schema] = []
    for name, values in tie.then.items():
        choices = (
            values
            if tie.kind is model.ConstraintKind.REQUIRES
            else tuple(value for value in law.rules[name].values if value not in values)
        )
        if choices:
            bound_schema = {"enum": _raw(law, name, choices)}
            consequences.append(_at(_place(law, name), bound_schema, required=False))
    for keyword, bounds in (
        ("minimum", tie.at_least),
        ("maximum", tie.at_most),
        ("multipleOf", tie.multiple_of),
    ):
        consequences += [
            _at(_place(law, name), {keyword: number}, required=False)
            for name, number in bounds.items()
        ]
    return {"description": tie.says, "if": _holds(law, tie.when), "then": {"allOf": consequences}}
