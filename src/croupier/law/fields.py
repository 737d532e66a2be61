"""Parsing of fields in law file tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Any, TypeAlias, TypeGuard, TypeVar

from croupier.law.model import Amendment, Correction

Word = TypeVar("Word", bound=Enum)
Table: TypeAlias = Mapping[str, Any]


def only_keys(table: Table, known: Sequence[str]) -> None:
    """Raise ``ValueError`` if a table has unknown keys."""
    if unknown := sorted(set(table) - set(known)):
        raise ValueError(
            f"unknown key {', '.join(map(repr, unknown))}; the keys are {', '.join(known)}"
        )


def needed_key(table: Table, key: str) -> Any:
    """Return the value of a key. Raises ``ValueError`` if it is missing."""
    if key not in table:
        raise ValueError(f"{key!r} is missing")
    return table[key]


def one_of(words: type[Word], raw: Any) -> Word:
    """Return the enumeration's member of a value."""
    try:
        return words(raw)
    except ValueError:
        known = ", ".join(str(member.value) for member in words)
        raise ValueError(f"{raw!r} is not one of {known}") from None


def text_of(table: Table, key: str) -> str:
    """Return a nonempty string."""
    text = needed_key(table, key)
    if not isinstance(text, str) or not text:
        raise ValueError(f"{key!r} must be a nonempty string")
    return text


def texts_of_key(table: Table, key: str) -> tuple[str, ...]:
    """Return a list of strings, empty if the key is missing."""
    texts = table.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{key!r} must be a list of strings")
    return tuple(texts)


def names_of(table: Table, key: str) -> Mapping[str, Any]:
    """Return a table of names, empty if missing."""
    names = table.get(key, {})
    if not isinstance(names, Mapping):
        raise ValueError(f"{key!r} must be a table of names")
    return names


def are_days(raw: Any) -> TypeGuard[list[date]]:
    """Return whether a value is a list of dates."""
    return isinstance(raw, list) and all(type(day) is date for day in raw)


def amendment(table: Table, amended: Sequence[date]) -> Amendment:
    """Read an amendment in force from one of the given dates."""
    only_keys(table, ("on", "sections", "by", "note"))
    if type(needed_key(table, "on")) is not date:
        raise ValueError("'on' must be a date, such as 2011-02-22")
    if table["on"] not in amended:
        raise ValueError("is not one of the dates in 'amended'")
    if not (sections := texts_of_key(table, "sections")):
        raise ValueError("'sections' is empty")
    by, note = (text_of(table, key) if key in table else None for key in ("by", "note"))
    return Amendment(table["on"], sections, by, note)


def correction(table: Table) -> Correction:
    """Read a correction of a law file."""
    only_keys(table, ("on", "of", "why", "binds"))
    if type(needed_key(table, "on")) is not date:
        raise ValueError("'on' must be a date, such as 2026-11-22")
    if not (of := texts_of_key(table, "of")):
        raise ValueError("'of' does not name a rule or clause")
    if type(needed_key(table, "binds")) is not bool:
        raise ValueError("'binds' must be true or false")
    return Correction(table["on"], of, text_of(table, "why"), table["binds"])
