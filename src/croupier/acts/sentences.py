"""A command in one sentence, worded by the types of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from croupier.acts.command import TERMS, Command
from croupier.acts.fields import keys_of, label_of, offices_named
from croupier.acts.words import HANDS, short
from croupier.baccarat.cards import Card, face
from croupier.baccarat.coup import Hand
from croupier.money.chips import chips_in_words

_MASK: Final = "??"
_CHIPS: Final = "denomination in cents"
_QUOTES: Final = str.maketrans("“”", "‘’")
"""Inner quotation marks become single, so that a quoted text does not seem to end early."""


def sentence(command: Command, titles: Mapping[str, str]) -> str:
    """Return a command's title and fields in words; ``titles`` are those of the wagers.

    >>> from croupier.acts import ReceiveFill, VoidSlip
    >>> sentence(ReceiveFill(1, {10_000: 10}), {})
    'Count the chips of a fill into the tray. Fill 1: ten $100 chips, $1,000'
    """
    kind, names = type(command), command.__struct_fields__
    title = TERMS[kind.__name__].title.format(seat=getattr(command, "seat", ""))
    phrases = [_phrase(kind, name, getattr(command, name), titles) for name in names]
    first, *others = filter(None, phrases) if any(phrases) else [""]
    if not first:
        return title
    # The other fields describe the slip, seat, Form, or entry.
    stop = ": " if first == phrases[0] and isinstance(getattr(command, names[0]), int) else ", "
    return f"{title}. {first[0].upper()}{first[1:]}{stop if others else ''}{', '.join(others)}"


def _phrase(kind: type, name: str, value: Any, titles: Mapping[str, str]) -> str:
    if value is None or value in ("", (), {}) or (name == "ordinal" and not value):
        return ""
    label = _label(kind, name)
    keys = keys_of(kind, name)
    if isinstance(value, Mapping):
        if _CHIPS in keys:
            return chips_in_words(value)
        parts = (
            f"{titles.get(one, one)} "
            f"{_quoted(held) if isinstance(held, str) else _plain(held, cents=True)}"
            for one, held in value.items()
        )
        return f"{label}: {', '.join(parts)}"
    if "wager" in keys:
        return titles.get(value, value)
    if isinstance(value, bool):
        return f"{label}: {'yes' if value else 'no'}"
    is_money = name.endswith("cents")
    # A name with a comma could read as further fields.
    is_name = name in offices_named(kind) and "," not in value
    if isinstance(value, str) and value != _MASK and not is_name:
        return f"{label} {_quoted(value)}"
    text = _plain(value, cents=is_money)
    return text if name == "cents" or isinstance(value, Hand) else f"{label} {text}"


@cache
def _label(kind: type, name: str) -> str:
    label = label_of(kind, name)
    return label if label == "Form" else label[0].lower() + label[1:]


def _quoted(text: str) -> str:
    return f"“{text.translate(_QUOTES)}”"


def _plain(value: Any, *, cents: bool) -> str:
    if cents and isinstance(value, int):
        return short(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Hand):
        return HANDS[value]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return "not shown" if value == _MASK else face(value) if isinstance(value, Card) else str(value)
