"""Results as Arrow tables, which pandas, Polars, and others read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

_TYPES: Final = {int: "int64", float: "float64", Fraction: "float64", bool: "bool", str: "string"}
_TEXT: Final = "json"
_NO_PARTS: Final = (NoneType, Ellipsis)

Row = Struct | Mapping[str, Any]
Frame = tuple[tuple[type, ...], Iterable[tuple[Row, ...]]]
"""The kinds of records that a row joins, and the rows."""


def arrow_table(kinds: tuple[type, ...], rows: Iterable[tuple[Row, ...]]) -> Any:
    """Return a table whose rows join a record of each kind.

    Fractions become floating-point numbers. Fields that are records themselves are left out, and
    other objects become JSON text. Raises ``ModuleNotFoundError`` without the extra.
    """
    try:
        arrow = import_module("pyarrow")
    except ImportError as error:
        raise ModuleNotFoundError(
            "a frame requires pyarrow, which is in an extra: pip install 'croupier[parquet]'"
        ) from error
    columns = {name: form for kind in kinds for name, form in _columns(kind).items()}
    data: dict[str, list[Any]] = {name: [] for name in columns}
    for row in rows:
        for kind, record in zip(kinds, row, strict=True):
            for name, form in _columns(kind).items():
                value = record[name] if isinstance(record, Mapping) else getattr(record, name)
                data[name].append(_plain(value, form))
    types = {name: _arrow_type(arrow, form) for name, form in columns.items()}
    return arrow.table(
        [arrow.array(values, types[name]) for name, values in data.items()],
        schema=arrow.schema(list(types.items())),
    )


@cache
def _columns(kind: type) -> Mapping[str, str]:
    hints = get_type_hints(kind)
    forms = {name: _form(hints[name]) for name in getattr(kind, "__struct_fields__", hints)}
    return {name: form for name, form in forms.items() if form}


def _form(hint: Any) -> str:
    origin, parts = get_origin(hint), [part for part in get_args(hint) if part not in _NO_PARTS]
    if origin in {Union, UnionType} and len(parts) == 1:
        return _form(parts[0])
    if origin in {tuple, list} and len(parts) == 1:
        inner = _form(parts[0])
        return f"list {inner}" if inner in _TYPES.values() else inner
    if isinstance(hint, type) and (issubclass(hint, Struct) or hasattr(hint, "__total__")):
        return ""
    return _TYPES.get(hint, _TEXT)


def _arrow_type(arrow: Any, form: str) -> Any:
    if form.startswith("list "):
        return arrow.list_(_arrow_type(arrow, form.removeprefix("list ")))
    return arrow.type_for_alias("string" if form == _TEXT else form)


def _plain(value: Any, form: str) -> Any:
    if value is None or form == "string":
        return value
    if form == _TEXT:
        return msgspec.json.encode(value).decode()
    return float(value) if form == "float64" else value
