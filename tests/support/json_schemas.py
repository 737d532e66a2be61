"""A validator of JSON Schema that finds the one of many forms which an object names as its type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]  # no types

__all__ = ["SchemaValidator"]


def _any_of(validator: Any, forms: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """Try the form of the object's own type first: the order of the forms means nothing.

    Of a hundred kinds of event each would else be tried in turn, with all its faults told.
    """
    if isinstance(instance, dict) and isinstance(kind := instance.get("type"), str):
        forms = sorted(forms, key=lambda form: not form.get("$ref", "").endswith(f"/{kind}"))
    yield from Draft202012Validator.VALIDATORS["anyOf"](validator, forms, instance, schema)


SchemaValidator: Final = validators.extend(Draft202012Validator, {"anyOf": _any_of})
