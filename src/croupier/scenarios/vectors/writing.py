"""Canonical JSON with readable differences."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Final

_WIDTH: Final = 400
"""Maximum width of an item on one line; longer ones are split."""

_STEP: Final = "  "


def written(data: object) -> bytes:
    r"""Return plain data as canonical UTF-8 JSON with a final newline.

    Keys keep their order, and short items are on one line. Numbers are integers. Raises
    ``TypeError`` for a float, and for values without a JSON form.

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
