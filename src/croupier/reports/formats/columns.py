"""Which columns of a table fit a page, and how wide each is, in characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import combining, east_asian_width

from croupier.reports.tree import WORDS, Cell, Figure, Value, shown

GAP: Final = 2
"""Between two columns."""

_LONGEST_WORD: Final = 24
"""Longer words are broken before a column of words takes the room of others."""

Band = list[tuple[int, int]]
"""Columns next to each other: the number of each, and its width."""


def texts_of(columns: Sequence[Figure], row: Sequence[Value | Cell]) -> list[str]:
    """Return a row as it is shown."""
    return [
        shown(value.figure, value.value) if isinstance(value, Cell) else shown(column, value)
        for column, value in zip(columns, row, strict=True)
    ]


def wide(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 1 + (east_asian_width(one) in "WF") for one in text)


def wrapped(text: str, room: int) -> list[str]:
    """Return the lines of a text within a width; a word that is longer is broken."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split():
            while wide(word) > room:
                if line:
                    lines.append(line)
                    line = ""
                at = _fitting(word, room)
                lines.append(word[:at])
                word = word[at:]  # noqa: PLW2901  (the rest of it)
            if line and wide(line) + 1 + wide(word) > room:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return lines


def _fitting(word: str, room: int) -> int:
    """Return how many letters of a word fit, at least one; a fraction breaks after its slash."""
    at = 1
    while at < len(word) and wide(word[: at + 1]) <= room:
        at += 1
    slash = word.rfind("/", 1, at)
    return slash + 1 if slash > at // 3 else at


def bands_of(columns: Sequence[Figure], rows: Sequence[Sequence[str]], room: int) -> list[Band]:
    """Return the columns of a table in bands that fit a width, one below another.

    Columns of figures keep their width, columns of words share the rest. The first column begins
    each band. Columns that are decoration are left out if the table is too wide.
    """
    natural = [_natural(one, [row[at] for row in rows]) for at, one in enumerate(columns)]
    least = [_least(one, [row[at] for row in rows]) for at, one in enumerate(columns)]
    every = [at for at, one in enumerate(columns) if one.unit != "id"]
    for kept in (every, [at for at in every if not columns[at].decoration]):
        if _needs(kept, natural) <= room:
            return [[(at, natural[at]) for at in kept]]
    if _needs(kept, least) <= room:
        return [_shared(kept, natural, least, room)]
    first, *others = kept
    bands: list[list[int]] = [[first]]
    for at in others:
        if len(bands[-1]) > 1 and _needs([*bands[-1], at], least) > room:
            bands.append([first])
        bands[-1].append(at)
    return [_shared(band, natural, least, room) for band in bands]


def _needs(kept: Sequence[int], widths: Sequence[int]) -> int:
    return sum(widths[at] for at in kept) + GAP * (len(kept) - 1)


def _shared(kept: Sequence[int], natural: Sequence[int], least: Sequence[int], room: int) -> Band:
    """Share what room the columns leave among those that are not as wide as they could be."""
    widths = {at: least[at] for at in kept}
    left = room - _needs(kept, least)
    while left > 0 and (wanting := [at for at in kept if widths[at] < natural[at]]):
        each = max(left // len(wanting), 1)
        for at in wanting[:left]:
            more = min(each, natural[at] - widths[at], left)
            widths[at] += more
            left -= more
    # A page that is narrower than one word breaks it.
    return [(at, min(widths[at], max(room, 1))) for at in kept]


def _natural(figure: Figure, texts: Sequence[str]) -> int:
    """Return the width at which no cell wraps; the name of a column of figures may."""
    cells = max((wide(line) for text in texts for line in text.split("\n")), default=0)
    head = figure.title.split() if figure.unit not in WORDS else [figure.title]
    return max(cells, *map(wide, head), 1) if head else max(cells, 1)


def _least(figure: Figure, texts: Sequence[str]) -> int:
    if figure.unit not in {"text", "clauses"}:
        return _natural(figure, texts)
    words = [word for text in (*texts, figure.title) for word in re.split(r"\s+", text)]
    return max(min(max(map(wide, words), default=1), _LONGEST_WORD), 1)
