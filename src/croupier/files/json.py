"""JSON documents with size limits, and line and column of errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from croupier.files.text import read_text
from croupier.files.toml import MAX_DIGITS, MAX_NESTING

_TEXT: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_LONG_NUMBER: Final = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_BRACKET: Final = re.compile(r"[\[\]{}]")


class JsonError(ValueError):
    """Text that is not JSON, or beyond the limits; the message has the place."""


def parse_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Raise ``JsonError``; ``pairs`` makes an object from its members."""
    _check(text)
    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise JsonError(f"not JSON: {error.msg} at {line}column {error.colno}") from error
    except RecursionError as error:  # The depth was checked: this is a caller deep down already.
        raise JsonError("not JSON: nested too deep") from error
    except ValueError as error:
        raise JsonError(str(error)) from error


def read_json(path: Path) -> Any:
    """Raise ``FileError`` or ``JsonError``."""
    return parse_json(read_text(path))


def _no_number(name: str) -> Any:
    raise ValueError(f"not JSON: {name} is not a number")


def _check(text: str) -> None:
    deep = text.count("[") + text.count("{") > MAX_NESTING
    if not deep and _LONG_NUMBER.search(text) is None:
        return
    outside = _TEXT.sub('""', text)
    if _LONG_NUMBER.search(outside):
        raise JsonError(f"a number may have {MAX_DIGITS} digits, but this one has more")
    depth = 0
    for match in _BRACKET.finditer(outside):
        depth += 1 if match[0] in "[{" else -1
        if depth > MAX_NESTING:
            raise JsonError(f"not JSON: nested more than {MAX_NESTING} deep")
