"""Base of all results: printing, notebook display, and JSON conversion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from html import escape
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Self, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from croupier.files.arguments import checks_types
from croupier.records.codec import given_json

__all__ = ["Figures", "ResultError", "TypedResult", "to_frame"]


class ResultError(ValueError):
    """Data that are not a result of the requested kind; the message has place and reason."""


class Figures(NamedTuple):
    """A table for display: its title, headings, and rows of text."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def percent(share: Fraction) -> str:
    """Return a share as a percentage with four decimals.

    >>> percent(Fraction(1, 3))
    '33.3333%'
    """
    return f"{float(share * 100):.4f}%"


class TypedResult(Struct, frozen=True):
    """A frozen result. ``str`` gives text, ``to_dict`` plain data with named keys.

    Fractions are texts such as ``"19/20"`` in the data, and ``Fraction`` in Python.
    """

    def figures(self) -> Iterator[Figures]:
        """Yield the result's tables for display."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        data: dict[str, Any] = msgspec.json.decode(self.to_json())
        return data

    def _frame(self) -> Frame:
        return (type(self),), [(self,)]

    def to_frame(self) -> Any:
        """Return the result as a ``pyarrow.Table``; requires the extra ``croupier[parquet]``.

        Every library that reads the Arrow C stream takes the result itself:
        ``polars.DataFrame(result)``. Fractions are floating-point numbers in a frame.
        """
        return to_frame(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return to_frame(self).__arrow_c_stream__(requested_schema)

    def to_json(self) -> str:
        """Return the result as JSON text."""
        return msgspec.json.encode(self, enc_hook=_encode).decode()

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Return the result of ``to_dict`` data. Raises ``ResultError``."""
        try:
            result = cls._read(data)
        except (msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
            raise ResultError(f"not a {cls.__name__}: {error}") from error
        if result.to_dict() != data:
            raise ResultError(f"not a {cls.__name__}: it has keys or values of another version")
        return result

    @classmethod
    def _read(cls, data: object) -> Self:
        return msgspec.convert(data, cls, dec_hook=_decode)

    @classmethod
    @checks_types
    def from_json(cls, text: str | bytes) -> Self:
        """Return the result from the text of ``to_json``."""
        try:
            data = given_json(text)
        except ValueError as error:
            raise ResultError(str(error)) from error
        return cls.from_dict(data)

    def __str__(self) -> str:
        return "\n\n".join(map(_text, self.figures()))

    def _repr_html_(self) -> str:
        return "".join(map(_html, self.figures()))


class _Index(Struct, frozen=True):
    index: int


@checks_types
def to_frame(results: TypedResult | Iterable[TypedResult]) -> Any:
    """Return a result, or several of one kind, as a ``pyarrow.Table``.

    The rows of several have the position of their result from 0 as ``index``. Raises
    ``ModuleNotFoundError`` without the extra ``croupier[parquet]``, and ``TypeError`` for results
    of several kinds or none.
    """
    if isinstance(results, TypedResult):
        return arrow_table(*results._frame())  # noqa: SLF001  (of this module)
    several = tuple(results)
    if not several:
        raise TypeError("there is no result, whose kind would tell the columns of an empty frame")
    if len({*map(type, several)}) != 1 or not isinstance(several[0], TypedResult):
        raise TypeError("give a result, or several results of one kind")
    frames = [result._frame() for result in several]  # noqa: SLF001
    rows = ((_Index(place), *row) for place, (_, rows) in enumerate(frames) for row in rows)
    return arrow_table((_Index, *frames[0][0]), rows)


def _encode(value: object) -> str:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def _decode(wanted: type, value: object) -> object:
    if wanted is Fraction and isinstance(value, str):
        return Fraction(value)
    raise ValueError(f"{value!r} is no {wanted.__name__}")


def _text(figures: Figures) -> str:
    rows = [figures.headings, *figures.rows] if figures.headings else list(figures.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join([figures.title, *(f"  {line}".rstrip() for line in lines)])


def _html(figures: Figures) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        row_text = "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)
        return f"<tr>{row_text}</tr>"

    head = f"<thead>{row(figures.headings, 'th')}</thead>" if figures.headings else ""
    body = "".join(row(cells, "td") for cells in figures.rows)
    return f"<table><caption>{escape(figures.title)}</caption>{head}<tbody>{body}</tbody></table>"


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
        item_form = _form(parts[0])
        return f"list {item_form}" if item_form in _TYPES.values() else item_form
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
