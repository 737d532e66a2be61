"""Errors in files with their places, and suggestions for misspelled names."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, NamedTuple

MAX_FAULTS: Final = 100
"""Maximum number of errors listed for a file; one with more is likely of another kind."""


CALLED_IN_PYTHON: Final = ContextVar("called_in_python", default=False)
"""Whether a public function runs: its caller gives arguments, where a command has options."""


def by_caller(option: str, argument: str) -> str:
    """Return the part of a message that fits a command, or a program that calls a function."""
    return argument if CALLED_IN_PYTHON.get() else option


class Place(NamedTuple):
    """A place in a file: line and column, if known, each counted from 1."""

    file: str | Path
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part is not None)


class PicklableError(Exception):
    """An error that another process can raise, whatever its constructor takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self), *self.args), vars(self)


class ListedError(ValueError):
    """An error for several reasons; ``errors`` lists every one."""

    def __init__(self, *errors: str) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class FileError(ListedError):
    """An unreadable file, with every error in ``errors``, each with its place."""


class TornError(FileError):
    """A truncated or broken file; everything before the break was read."""


_LONGEST: Final = 80
_MOST: Final = 3
_CLOSE: Final = 0.75


def near(word: str, known_names: Iterable[str]) -> list[str]:
    """Return up to three known names that are close to a word, the closest first.

    >>> near("7.5f", ["7.5(e)", "7.5(f)"]), near("scheem", ["table", "vigorish.scheme"])
    (['7.5(f)'], ['vigorish.scheme'])
    >>> near("bonus", ["bonus_banker", "bonus_player", "tie"]), near("zzz", ["table"])
    (['bonus_banker', 'bonus_player'], [])
    """
    word = str(word)  # The key of a mapping of a program may be a number.
    if not 1 < len(word) <= _LONGEST:
        return []
    names = list(dict.fromkeys(known_names))
    letters = _bare(word)
    matches = [name for name in names if letters and _bare(name) == letters]
    if matches:
        return matches[:_MOST]
    prefixed_names = [name for name in names if name.startswith((f"{word}_", f"{word}."))]
    if prefixed_names:
        return prefixed_names[:_MOST]
    from difflib import get_close_matches  # noqa: PLC0415  (a start without a slip needs none of it)

    # Ids share parts, so a small difference may be another id.
    candidates = get_close_matches(
        word, names, _MOST, 7 / 8 if "." in word and word[0].isalpha() else _CLOSE
    )
    if not candidates and "." not in word:
        by_end = {name.rpartition(".")[2]: name for name in reversed(names)}
        candidates = [by_end[end] for end in get_close_matches(word, by_end, _MOST, _CLOSE)]
    return candidates


def did_you_mean(word: str, known_names: Iterable[str]) -> str:
    """Return a suffix for a message, empty if no known name is close."""
    names = near(word, known_names)
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()
