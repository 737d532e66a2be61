"""JSON Schemas of types. Only ``total=False`` dictionaries may have other keys: they are input."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import Enum
from inspect import getdoc
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import Struct

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_PLAIN: Final[Mapping[object, Schema]] = {
    str: {"type": "string"},
    date: {"type": "string", "format": "date"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    object: {},
    Any: {},
    dict: {"type": "object"},
}


def schema_of(
    kind: object,
    title: str = "",
    *,
    leaves: Mapping[type, Schema] | None = None,
    tagged_types: tuple[type, ...] = (),
) -> Schema:
    """Return the JSON Schema of a document by its type.

    ``leaves`` are the schemas of types with a form of their own. Structs that descend from a
    ``tagged_types`` one have a key ``type`` and, with a ``VERSION``, ``v``. Raises ``TypeError``.
    """
    maker = _Maker(leaves or {}, tagged_types)
    schema = maker.of(kind)
    if "$ref" in schema:
        schema = maker.defs.pop(schema.pop("$ref").rpartition("/")[2]) | schema
        title = title or schema["properties"]["format"]["const"]
    head = {"$schema": DIALECT, "title": title, **schema}
    return head | {"$defs": dict(sorted(maker.defs.items()))} if maker.defs else head


class _Maker:
    def __init__(self, leaves: Mapping[type, Schema], tagged_types: tuple[type, ...]) -> None:
        self.defs: dict[str, Schema] = {}
        self._leaves = leaves
        self._tagged = tagged_types

    def of(self, kind: Any) -> Schema:
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if isinstance(kind, type) and (
            kind in self._leaves
            or is_typeddict(kind)
            or issubclass(kind, Struct)
            or issubclass(kind, Enum)
            or hasattr(kind, "_fields")
        ):
            return self._named(kind)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in {Union, UnionType}:
            schemas = [self.of(argument) for argument in arguments]
            types = [schema["type"] for schema in schemas if set(schema) == {"type"}]
            return {"type": types} if len(types) == len(schemas) else {"anyOf": schemas}
        if origin is Annotated:
            return self._annotated(*arguments)
        if origin is Literal:
            choices = list(arguments)
            return {"const": choices[0]} if len(choices) == 1 else {"enum": choices}
        if origin is list or (origin is tuple and arguments[1:] == (...,)):
            return {"type": "array", "items": self.of(arguments[0])}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(*arguments)
        raise TypeError(f"{kind} has no JSON form")

    def _annotated(self, kind: Any, *words: Any) -> Schema:
        schema = self.of(kind)
        for word in words:
            if isinstance(word, str):
                schema |= {"description": word}
            elif isinstance(word, dict):
                schema |= word
        return schema

    def _mapping(self, key: Any, value: Any) -> Schema:
        # A key of JSON is text, that of a number too.
        is_number = key is int or (get_origin(key) is Annotated and get_args(key)[0] is int)
        names = {"pattern": "^-?[0-9]+$"} if is_number else self.of(key)
        name_rule = {} if names == {"type": "string"} else {"propertyNames": names}
        return {"type": "object", **name_rule, "additionalProperties": self.of(value)}

    def _named(self, kind: type) -> Schema:
        if kind.__name__ not in self.defs:
            # It stands there before it is made: a type may hold others of itself.
            self.defs[kind.__name__] = {}
            self.defs[kind.__name__] = self._leaves.get(kind) or self._definition(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _definition(self, kind: type) -> Schema:
        description = {"description": " ".join((getdoc(kind) or "").split())}
        if issubclass(kind, Enum):
            return description | {"enum": [member.value for member in kind]}
        hints = get_type_hints(kind, include_extras=True)
        if issubclass(kind, Struct):
            # In the order of the fields, and without what is of the class alone.
            hints = {name: hints[name] for name in kind.__struct_fields__}
        properties: Schema = {}
        if issubclass(kind, self._tagged):
            properties["type"] = {"const": kind.__name__}
            if (version := getattr(kind, "VERSION", None)) is not None:
                properties["v"] = {"const": version}
        # A dictionary of which no key is needed is one that is read: it may have others.
        is_total = getattr(kind, "__total__", True)
        mandatory = list(properties)
        # Fields that came later are left out while they have their defaults, as in older logs.
        is_sparse = issubclass(kind, Struct) and kind.__struct_config__.omit_defaults
        for name, hint in hints.items():
            has_mark = get_origin(hint) in {Required, NotRequired}
            properties[name] = self.of(get_args(hint)[0] if has_mark else hint)
            if get_origin(hint) is Required or (is_total and not has_mark and not is_sparse):
                mandatory.append(name)
        schema = description | {"type": "object", "properties": properties, "required": mandatory}
        return schema | {"additionalProperties": False} if is_total else schema
