"""Suggestions for misspelled names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 80
_MOST: Final = 3
_CLOSE: Final = 0.75


def near(word: str, known: Iterable[str]) -> list[str]:
    """Return up to three known names that are close to a word, the closest first.

    >>> near("7.5f", ["7.5(e)", "7.5(f)"]), near("scheem", ["table", "vigorish.scheme"])
    (['7.5(f)'], ['vigorish.scheme'])
    >>> near("bonus", ["bonus_banker", "bonus_player", "tie"]), near("zzz", ["table"])
    (['bonus_banker', 'bonus_player'], [])
    """
    if not 1 < len(word) <= _LONGEST:
        return []
    names = list(dict.fromkeys(known))
    bare = _bare(word)
    same = [name for name in names if bare and _bare(name) == bare]
    if same:
        return same[:_MOST]
    begun = [name for name in names if name.startswith((f"{word}_", f"{word}."))]
    if begun:
        return begun[:_MOST]
    from difflib import get_close_matches  # noqa: PLC0415  (a start without a slip needs none of it)

    # Ids share parts, so a small difference may be another id.
    close = get_close_matches(
        word, names, _MOST, 7 / 8 if "." in word and word[0].isalpha() else _CLOSE
    )
    if not close and "." not in word:
        ends = {name.rpartition(".")[2]: name for name in reversed(names)}
        close = [ends[end] for end in get_close_matches(word, ends, _MOST, _CLOSE)]
    return close


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suffix for a message, empty if no known name is close."""
    names = near(word, known)
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _bare(name: str) -> str:
    return "".join(character for character in name if character.isalnum()).casefold()
