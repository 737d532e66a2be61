"""A cell of somebody else's record as plain text, and how a message shows it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from croupier.files.text import broken_byte

LONGEST_CELL: Final = 2_000
"""No cell of a round is longer; one that is has swallowed others."""


def readable(value: object, most: int = 60) -> str:
    """Return a value of a file as a message can show it: short, and whole characters alone."""
    text = value if isinstance(value, str) else repr(value) if _is_small(value) else "…"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= most else f"{text[:most]}…"


def _is_small(value: object) -> bool:
    """Return whether a value can be written out: no nested data, no number without end."""
    if isinstance(value, int):
        return value.bit_length() < 128
    return value is None or isinstance(value, Decimal | float)


def plain(value: object) -> str:
    """Return a cell as text, blanks at its ends left out; nothing for none."""
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
