"""JSON Schemas of rounds that others dealt: a line of them, a mapping, and a judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.json_schema import (
    COUNT,
    DIALECT,
    NUMBER,
    TEXT,
    Schema,
)
from croupier.records.rounds.mapping import (
    AMOUNTS,
    COLUMNS,
    ENTRY_KEYS,
    FORMATS,
    MANY_COLUMNS,
    TABLES,
    VALUES,
)
from croupier.verify.rounds.audit_schema import account
from croupier.verify.rounds.findings import KINDS

__all__ = ["round_mapping", "round_record", "rounds_verification"]


def _object(properties: Mapping[str, object]) -> Schema:
    """Return the schema of an object that has all of these and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _open_object(properties: Mapping[str, object], required: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object that may have these, and others that nobody reads."""
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def round_record() -> Schema:
    """Return the schema of one line of rounds in JSON Lines, under our own names.

    >>> round_record()["title"]
    'Round record'
    """
    name = {"type": ["string", "integer"]}
    cards = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
    amount = {"anyOf": [NUMBER, TEXT, {"type": "null"}]}
    total = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 99}, TEXT, {"type": "null"}]}
    mark = {"anyOf": [TEXT, _open_object({"kind": TEXT, "card": TEXT}, ("kind",))]}
    seat = {"anyOf": [COUNT, TEXT, {"type": "null"}]}
    kinds: dict[str, Any] = {
        "shoe": name,
        "round": name,
        "player": cards,
        "banker": cards,
        "winner": {"type": ["string", "null"]},
        "player_total": total,
        "banker_total": total,
        "seat": seat,
        "burned": cards,
        "marks": {"anyOf": [TEXT, {"type": "array", "items": mark}]},
        "cards": cards,
    }
    cents = {f"{name}_cents": {"type": ["integer", "null"]} for name in AMOUNTS}
    entry = {key: amount for key in ENTRY_KEYS if key in AMOUNTS}
    wager = _open_object({"seat": seat, "wager": TEXT, **entry, **cents}, ("wager",))
    properties = {key: kinds[key] | {"description": COLUMNS[key]} for key in kinds}
    properties["wagers"] = {"type": "array", "items": wager, "description": COLUMNS["wagers"]}
    hands = [{"required": ["player", "banker"]}, {"required": ["cards"]}, {"required": ["marks"]}]
    return {
        "$schema": DIALECT,
        "title": "Round record",
        "description": "One round that somebody dealt: one object on each line.",
        **_open_object(properties),
        "patternProperties": {f"^({'|'.join(AMOUNTS)}):": amount, "^meter[.:]": amount},
        "anyOf": hands,
    }


def round_mapping() -> Schema:
    """Return the schema of a mapping file, which is TOML; here as JSON."""
    one = {"type": "string", "minLength": 1}
    several = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
    parts: dict[str, Any] = {
        table: _optional(
            {key: {"enum": list(allowed)} if allowed else one for key, allowed in keys.items()}
        )
        for table, keys in TABLES.items()
    }
    parts["file"]["properties"]["format"] = {"enum": list(FORMATS)}
    parts["columns"] = _optional(
        {name: several if name in MANY_COLUMNS else one for name in COLUMNS}
    )
    amounts = _optional(dict.fromkeys(AMOUNTS, one)) | {"required": ["stake"]}
    parts["wagers"] = {"type": "object", "additionalProperties": amounts}
    parts["entries"] = _optional(dict.fromkeys(ENTRY_KEYS, one))
    parts["meters"] = {"type": "object", "additionalProperties": one}
    parts["values"] = _optional(
        {
            name: {"type": "object", "additionalProperties": {"enum": list(ours)}}
            for name, ours in VALUES.items()
        }
    )
    return {
        "$schema": DIALECT,
        "title": "Mapping of rounds",
        "description": "What somebody else calls the columns and values of his rounds.",
        **_optional(parts),
    }


def _optional(properties: Mapping[str, object]) -> Schema:
    return _object(properties) | {"required": []}


def rounds_verification() -> Schema:
    """Return the schema of what ``croupier verify --format json`` says of rounds."""
    name = {"type": ["integer", "string", "null"]}
    perhaps = {"type": ["string", "null"]}
    texts = {"type": "array", "items": TEXT}
    divergence = _object(
        {
            "line": COUNT,
            "shoe": name,
            "round": name,
            "kind": {"enum": list(KINDS)},
            "hand": {"enum": ["player", "banker", None]},
            "seat": {"type": ["integer", "null"]},
            "wager": perhaps,
            "clause": perhaps,
            "clauses": texts,
            "expected": {},
            "found": {},
            "message": TEXT,
            "follows": {"type": "array", "items": {"enum": list(KINDS)}},
        }
    )
    counts = {"type": "object", "additionalProperties": COUNT}
    verification = _object(
        {
            "law": TEXT,
            "in_force_from": {"type": "string", "format": "date"},
            "rules_sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "readings": {"type": "object", "additionalProperties": TEXT},
            "warnings": texts,
            "rounds": COUNT,
            "shoes": COUNT,
            "clean": {"type": "boolean"},
            "divergences": {"type": "array", "items": divergence},
            "divergences_left_out": COUNT,
            "by_kind": counts | {"propertyNames": {"enum": list(KINDS)}},
            "unverified": counts,
            "hints": texts,
            "census": _census(),
        }
    )
    # These come with a repair, or a list of differences, alone.
    repair = {"file": TEXT, "rounds": COUNT, "wagers": COUNT, "left": counts}
    verification["properties"] |= {
        "repair": {"anyOf": [_object(repair), {"type": "null"}]},
        "differences": _object(account()),
    }
    return {
        "$schema": DIALECT,
        "title": "Judgement of rounds",
        "description": "What came of judging rounds that somebody dealt.",
        **verification,
    }


def _census() -> Schema:
    number = {"type": ["number", "null"]}
    statistic = _object({"statistic": NUMBER, "degrees_of_freedom": COUNT, "p": NUMBER})
    return _object(
        {
            "rounds": COUNT,
            "shoe_cards": COUNT,
            "classes": {
                "type": "array",
                "items": _object({"class": TEXT, "expected": NUMBER, "found": COUNT}),
            },
            "chi_square": {"anyOf": [statistic, {"type": "null"}]},
            "wagers": {
                "type": "array",
                "items": _object(
                    {
                        "wager": TEXT,
                        "expected": NUMBER,
                        "found": NUMBER,
                        "z": number,
                        "p": number,
                    }
                ),
            },
            "warning": TEXT,
        }
    )
