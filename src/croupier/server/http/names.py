"""Validation of names and texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from croupier.server.http.problems import Problem

_LONGEST_NAME: Final = 40
_LONGEST_TEXT: Final = 500
_MOST: Final = 10**12
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters without a shape that Python counts as printable."""
_LOOKS_LATIN: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜӀԀҺѴΑΒΕΖΗΙΚΜΝΟΡΤΥΧՕՀՈՍՑⱭꞬ",
    "ABESIJKMHOPCTYXQWIDHVABEZHIKMNOPTYXOHNUGAG",
)
"""Capitals with the shape of a Latin one, or whose small letter has it."""
_SMALL_LATIN: Final = str.maketrans("νυγ", "vuy")
"""Greek letters that look like another Latin one than their capitals."""
_STROKES: Final = str.maketrans("I1|0", "lllO")
"""Signs with the shape of a small l, or of an O."""
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")


def checked_name(field: str, text: object) -> str:
    """Name in composed form (NFC). Raises ``Problem`` if a part of it is invisible.

    >>> checked_name("person", "Lee")
    'Lee'
    """
    name = unicodedata.normalize("NFC", text) if isinstance(text, str) else ""
    is_plain = name == name.strip() and name.isprintable() and not _UNSEEN.search(name)
    if 1 <= len(name) <= _LONGEST_NAME and is_plain:
        return name
    raise Problem(
        "malformed",
        f"{field}: write 1 to {_LONGEST_NAME} characters, with no space around them and no control"
        " or format characters",
    )


def are_alike(name: str, other: str) -> bool:
    """Whether two names look alike.

    >>> are_alike("LEE", "Lee"), are_alike("D\u0430na", "Dana"), are_alike("AIan", "Alan")
    (True, True, True)
    >>> are_alike("Lia", "Ila")
    False
    """
    return not _skeletons(name).isdisjoint(_skeletons(other))


def _skeletons(name: str) -> set[str]:
    shapes = unicodedata.normalize("NFKC", name).translate(_SMALL_LATIN)
    variants = (shapes, shapes.translate(_STROKES))
    folded = (one.casefold().replace(" ", "") for one in variants)
    return {one.upper().translate(_LOOKS_LATIN).casefold() for one in folded}


def checked_key(key: str | None) -> str:
    if key is None:
        raise Problem("key_missing", "send a header Idempotency-Key, new for each request")
    if _KEY.fullmatch(key) is None:
        raise Problem("malformed", "Idempotency-Key: write 1 to 60 of A-Z a-z 0-9 _ -")
    return key


def whole(text: str, digits: int = 15) -> int | None:
    """Return a number of at most some ASCII digits; ``None`` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def checked_texts(command: Mapping[str, Any]) -> None:
    """Raise ``Problem`` for a text or amount beyond the limits, at any depth."""
    for name, value in command.items():
        for text in _within(value):
            if isinstance(text, str):
                # Excludes control, format, direction, and tag characters, and line ends.
                if len(text) > _LONGEST_TEXT or not text.isprintable():
                    raise Problem(
                        "malformed",
                        f"{name}: a text has at most {_LONGEST_TEXT} characters, none of them a"
                        " control or format character",
                    )
            elif isinstance(text, int) and abs(text) >= _MOST:
                raise Problem("malformed", f"{name}: amounts are below {_MOST:,} cents")


def _within(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for item in value:
            yield from _within(item)
    else:
        yield value
