"""A validator of JSON Schema that finds the one of many forms which an object names as its type.

It looks once at what is the same again: a view of a table has the seats of the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]  # no types

_KEYWORDS: Final = Draft202012Validator.VALIDATORS


class SchemaValidator:
    """What holds instances against one schema, and each definition against an instance once."""

    def __init__(self, schema: Mapping[str, Any], **how: Any) -> None:
        # With a registry, a definition of one name may be of several documents.
        known = {} if how else {"$ref": self._refer}
        kind = validators.extend(Draft202012Validator, {"anyOf": self._any_of, **known})
        self._validator: Any = kind(schema, **how)
        self._right: set[tuple[str, bytes]] = set()
        self._forms: dict[int, dict[str, Any]] = {}
        self.is_valid = self._validator.is_valid
        self.validate = self._validator.validate
        self.iter_errors = self._validator.iter_errors

    def _refer(self, validator: Any, ref: str, instance: Any, schema: Any) -> Iterator[Any]:
        key = ref, msgspec.json.encode(instance)
        if key in self._right:
            return
        is_right = True
        for error in _KEYWORDS["$ref"](validator, ref, instance, schema):
            is_right = False
            yield error
        if is_right:
            self._right.add(key)

    def _any_of(
        self, validator: Any, forms: Sequence[Any], instance: Any, schema: Any
    ) -> Iterator[Any]:
        """Try the form of the object's own type first: the order of the forms means nothing.

        Of a hundred kinds of event each would else be tried in turn, with all its faults told.
        """
        if isinstance(instance, dict) and isinstance(kind := instance.get("type"), str):
            named = self._forms.get(id(forms))
            if named is None:
                named = self._forms[id(forms)] = {
                    form.get("$ref", "").rpartition("/")[2]: form for form in forms
                }
            if kind in named and validator.evolve(schema=named[kind]).is_valid(instance):
                return
        yield from _KEYWORDS["anyOf"](validator, forms, instance, schema)
