"""JSON Schemas in the words of a table of a document."""

from __future__ import annotations

from typing import Final

from croupier.records.entry import FIRST
from croupier.records.json_schema import Schema

PLAIN: Final = {
    "string": "text",
    "boolean": "flag",
    "null": "`null`",
    "integer": "integer",
    "number": "number",
}


def kind_of(schema: Schema) -> str:
    """Return what a value is, in a few words."""
    if "const" in schema:
        const = schema["const"]
        return "64 zeros" if const == FIRST else f"`{const}`"
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if several := schema.get("anyOf"):
        kinds = [kind_of(one) for one in several]
        # A command or an event is one of very many.
        return " or ".join(kinds) if len(kinds) < 5 else "object"
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        return " or ".join(PLAIN[one] for one in kind)
    if kind == "array":
        return f"list of {kind_of(schema['items'])}"
    if kind == "object":
        return "object"
    pattern = str(schema.get("pattern", ""))
    if pattern == "^[0-9a-f]{64}$":
        return "SHA-256"
    if schema.get("format") == "date":
        return "date"
    return "time" if "T" in pattern else PLAIN[kind]
