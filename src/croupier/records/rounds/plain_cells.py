"""Cells of an external record as plain text."""

from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

import msgspec

from croupier.files.text import broken_byte

LONGEST_CELL: Final = 2_000
"""Maximum length of a cell; a longer one has absorbed others."""

_LONGEST_LIST: Final = 100_000
_LISTED: Final = re.compile(r"\s*\[\s*[{\]]")


def readable(value: object, most: int = 60) -> str:
    text = value if isinstance(value, str) else repr(value) if _is_small(value) else "…"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= most else f"{text[:most]}…"


def _is_small(value: object) -> bool:
    if isinstance(value, int):
        return value.bit_length() < 128
    return value is None or isinstance(value, Decimal | float)


def listed_in_cell(value: Any) -> Any:
    if isinstance(value, str) and _LISTED.match(value) and len(value) <= _LONGEST_LIST:
        with suppress(ValueError, RecursionError):
            return msgspec.json.decode(value)
    return value


def plain(value: object) -> str:
    """Strip a cell to text, empty for ``None``."""
    if type(value) is str and len(value) <= LONGEST_CELL and value.isascii():
        return value.strip()  # Nearly every cell.
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal | float):
        raise ValueError(f"{readable(value)!r} is neither text nor a number")
    if not isinstance(value, str) and not _is_small(value):
        raise ValueError("not a finite number")
    text = str(value).strip()
    if len(text) > LONGEST_CELL:
        raise ValueError(f"a cell of {len(text):,} characters")
    if not text.isascii() and (broken := broken_byte(text)):
        raise ValueError(broken)
    return text
