"""One way of writing JSON: the same data gives the same bytes, and a change touches few lines."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Final

_WIDTH: Final = 400
"""What fits in so many columns stands on one line; anything longer is parted at its items."""

_STEP: Final = "  "


def written(data: object) -> bytes:
    r"""Return plain data as JSON in UTF-8 that ends with a newline, in one way only.

    Keys keep their order. An item that is short stands on one line, so that a row of a table is
    one line of a diff. Numbers are integers: a float has no place in a vector.

    Raises ``TypeError`` for a float, and for what JSON has no form for.

    >>> written({"cases": [{"stake": 5}, {"stake": 10}]})
    b'{"cases": [{"stake": 5}, {"stake": 10}]}\n'
    """
    return (_text(data, "") + "\n").encode()


def _text(data: object, indent: str) -> str:
    if isinstance(data, str):
        return encode_basestring(data)
    deeper = indent + _STEP
    if isinstance(data, dict):
        items = [f"{_key(name)}: {_text(value, deeper)}" for name, value in data.items()]
        first, last = "{}"
    elif isinstance(data, list):
        items = [_text(value, deeper) for value in data]
        first, last = "[]"
    elif isinstance(data, float):
        raise TypeError(f"{data!r}: money and odds are integers")
    else:
        return repr(data) if type(data) is int else json.dumps(data)
    short = len(indent) + sum(map(len, items)) + 2 * len(items) <= _WIDTH
    if short and not any("\n" in item for item in items):
        return f"{first}{', '.join(items)}{last}"
    lines = f",\n{deeper}".join(items)
    return f"{first}\n{deeper}{lines}\n{indent}{last}"


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{name!r}: the names of an object are text")
    return encode_basestring(name)
