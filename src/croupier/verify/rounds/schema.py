"""JSON Schemas of external round records and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from croupier.records.json_schema import DIALECT, Schema, schema_of
from croupier.records.rounds.mapping import (
    AMOUNTS,
    COLUMNS,
    ENTRY_KEYS,
    FORMATS,
    MANY_COLUMNS,
    MOST_ABOVE,
    ROW_WAGER,
    TABLES,
    VALUES,
)
from croupier.rules.documents import Keywords
from croupier.verify.rounds.documents import RoundRecord


def round_record() -> Schema:
    amount = {"type": ["number", "string", "null"]}
    hands = [{"required": ["player", "banker"]}, {"required": ["cards"]}, {"required": ["marks"]}]
    named = {f"^({'|'.join(AMOUNTS)}):": amount, "^meter[.:]": amount}
    line = Annotated[RoundRecord, Keywords(patternProperties=named, anyOf=hands)]
    return schema_of(line, "Round record")


def round_mapping() -> Schema:
    one = {"type": "string", "minLength": 1}
    several = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
    parts: dict[str, Any] = {
        table: _optional(
            {key: {"enum": list(allowed)} if allowed else one for key, allowed in keys.items()}
        )
        for table, keys in TABLES.items()
    }
    parts["file"]["properties"]["format"] = {"enum": list(FORMATS)}
    parts["file"]["properties"]["header"] = {"type": "integer", "minimum": 1, "maximum": MOST_ABOVE}
    parts["file"]["properties"]["skip"] = {"type": "array", "items": one}
    parts["columns"] = _optional(
        {name: several if name in MANY_COLUMNS else one for name in (*COLUMNS, *ROW_WAGER)}
    )
    amounts = _optional(dict.fromkeys(AMOUNTS, one)) | {"required": ["stake"]}
    fixed = {"type": "number", "exclusiveMinimum": 0, "description": "The same in every round."}
    amounts["properties"]["stake"] = {"anyOf": [one, fixed]}
    parts["wagers"] = {"type": "object", "additionalProperties": amounts}
    parts["entries"] = _optional(dict.fromkeys(ENTRY_KEYS, one))
    parts["meters"] = {"type": "object", "additionalProperties": one}
    parts["values"] = _optional(
        {
            # A custom wager may have any name.
            name: {
                "type": "object",
                "additionalProperties": one if name == "wager" else {"enum": list(ours)},
            }
            for name, ours in VALUES.items()
        }
    )
    return {
        "$schema": DIALECT,
        "title": "Mapping of rounds",
        "description": "The columns and values of external rounds.",
        **_optional(parts),
    }


def _optional(properties: Mapping[str, object]) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}
