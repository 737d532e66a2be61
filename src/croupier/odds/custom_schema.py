"""The JSON Schema of a custom wager file, with every fact and its values."""

from __future__ import annotations

from typing import Any

from croupier.baccarat.wagers import FACTS, SIGNS, Fact

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAME = "[A-Za-z0-9_]+"
_AMOUNT = "^[0-9]+([.][0-9]{2})?$"


def own_wager() -> dict[str, Any]:
    return {
        "$schema": _DIALECT,
        "title": "Custom wager",
        "type": "object",
        "properties": {
            "wager": _object(
                {
                    "id": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
                    "title": {"type": "string", "minLength": 1},
                    "source": {
                        "type": "string",
                        "description": "Where its pay table is published.",
                    },
                    "stake": {"type": "string", "pattern": _AMOUNT},
                    "limits": {
                        "type": "array",
                        "minItems": 2,
                        "maxItems": 2,
                        "items": {"type": ["string", "integer"]},
                        "description": "The minimum and maximum stake, in the law's currency.",
                    },
                    "award_is": {"enum": ["to-one", "for-one"]},
                },
                "id",
                "title",
            ),
            "meter": {
                "type": "object",
                "additionalProperties": _object(
                    {
                        "seed": {"type": "string", "pattern": _AMOUNT},
                        "increment": {"type": "string", "pattern": "^[0-9]+([.][0-9]+)?%$"},
                    },
                    "seed",
                ),
            },
            "line": {"type": "array", "minItems": 1, "items": _line()},
        },
        "required": ["wager", "line"],
        "additionalProperties": False,
        "$defs": {"when": _when()},
    }


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _line() -> dict[str, Any]:
    return _object(
        {
            "name": {"type": "string", "not": {"enum": ["lose", "push"]}},
            "when": {"$ref": "#/$defs/when"},
            "pays": {
                "anyOf": [
                    {"const": "push"},
                    {"type": "string", "pattern": "^[1-9][0-9]*:[1-9][0-9]*$"},
                    {"type": "string", "pattern": "^[$][0-9,]+([.][0-9]{2})?$"},
                    _object({"meter": {"type": "string"}}, "meter"),
                ]
            },
        },
        "when",
        "pays",
    )


def _when() -> dict[str, Any]:
    inner = {"$ref": "#/$defs/when"}
    several = {"type": "array", "minItems": 1, "items": inner}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": {
            **{name: _fact(fact) for name, fact in FACTS.items()},
            "any": several,
            "all": several,
            "not": inner,
        },
        "patternProperties": {
            rf"^{_NAME}( *({'|'.join(SIGNS)}) *{_NAME})+$": {"type": "boolean"},
        },
        "additionalProperties": False,
    }


def _fact(fact: Fact) -> dict[str, Any]:
    values = {"enum": list(fact.values)}
    found = [values, {"type": "array", "minItems": 1, "items": values}]
    return {"anyOf": [*found, _object({"from": values, "to": values}, "from", "to")]}
