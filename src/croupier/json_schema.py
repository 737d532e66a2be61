"""The words in which JSON Schemas are written here, whatever they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = [
    "COUNT", "DIALECT", "FRACTION", "HASH", "NUMBER", "SHARE", "TEXT", "TEXTS", "WORD",
    "Schema", "described", "list_of", "object_of", "or_null",
]  # fmt: skip

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def object_of(properties: Mapping[str, object]) -> Schema:
    """Return the schema of an object with these properties; a later version may add to them."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def list_of(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def described(description: str, schema: Schema) -> Schema:
    """Return a schema that says what its value means."""
    return schema | {"description": description}


TEXT: Final[Schema] = {"type": "string"}
WORD: Final[Schema] = {"type": "string", "pattern": r"\S"}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
FRACTION: Final[Schema] = {"type": "string", "pattern": "^-?[0-9]+/[1-9][0-9]*$"}
SHARE: Final[Schema] = {"type": "string", "pattern": "^[0-9]+/[1-9][0-9]*$"}
HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TEXTS: Final[Schema] = {"type": "object", "additionalProperties": TEXT}


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be missing."""
    return {"anyOf": [schema, {"type": "null"}]}
