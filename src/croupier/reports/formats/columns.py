"""Columns that fit a page, and their widths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final
from unicodedata import combining, east_asian_width

from croupier.reports.tree import WORDS, Cell, Figure, Value, shown

GAP: Final = 2
"""Between two columns."""

_LONGEST_WORD: Final = 24
"""Longer words are broken before a column of words takes the room of others."""

_SHORTER_WORD: Final = 14
"""Longer words are broken before a table is."""

_WIDEST: Final = 40
"""Longer texts of a table that may be wider than the page are wrapped."""

_NARROWEST: Final = 3

Band = list[tuple[int, int]]
"""Columns next to each other: the number of each, and its width."""


def texts_of(columns: Sequence[Figure], row: Sequence[Value | Cell]) -> list[str]:
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
    """Lines of a text within a width; a word that is longer is broken at a mark.

    >>> wrapped("3=-1,6=-2,7=1.25 NJ-MINI:7.2(a)1.ii", 10)
    ['3=-1,6=-2,', '7=1.25', 'NJ-MINI:7.', '2(a)1.ii']
    """
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


_MARK: Final = re.compile(r"[,;/_]|[.-](?![\d(])")
"""Marks after which a word may be broken: never within a number."""


def _pieces(text: str) -> list[str]:
    """Return the parts of a text that are not broken; a clause, which has a colon, is one."""
    found = []
    for word in text.split():
        ends = [] if ":" in word else [one.end() for one in _MARK.finditer(word)]
        found += [word[a:b] for a, b in pairwise((0, *ends, len(word))) if a < b]
    return found


def _fitting(word: str, room: int) -> int:
    at, fits = 0, 0
    for piece in _pieces(word):
        at += len(piece)
        if wide(word[:at]) > room:
            break
        fits = at
    if fits:
        return fits
    at = 1
    while at < len(word) and wide(word[: at + 1]) <= room:
        at += 1
    return at


def bands_of(
    columns: Sequence[Figure], rows: Sequence[Sequence[str]], room: int, *, free: bool = False
) -> list[Band]:
    """Return a table's columns in bands that fit a width; a ``free`` table may be wider."""
    natural = [_natural(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    least = [_least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    every = [at for at, column in enumerate(columns) if not column.hidden]
    kept = [at for at in every if not columns[at].decoration]
    for at in every:
        more = sorted({*kept, at})
        if columns[at].decoration and _needs(more, natural) <= room:
            kept = more
    if _needs(kept, natural) <= room:
        return [[(at, natural[at]) for at in kept]]
    # The first column names the row.
    shorter = [
        min(least[at], max(_SHORTER_WORD, _unbroken([row[at] for row in rows])))
        if at and column.unit == "text"
        else least[at]
        for at, column in enumerate(columns)
    ]
    for widths in (least, shorter):
        if _needs(kept, widths) <= room:
            return [_shared(kept, (natural, widths), rows, room)]
    if free:
        return [[(at, max(least[at], min(natural[at], _WIDEST))) for at in kept]]
    first, *others = kept
    least[first] = max(least[first], min(natural[first], room // 3))
    bands: list[list[int]] = [[first]]
    for at in others:
        if len(bands[-1]) > 1 and _needs([*bands[-1], at], least) > room:
            bands.append([first])
        bands[-1].append(at)
    return [_shared(band, (natural, least), rows, room) for band in bands]


def _needs(kept: Sequence[int], widths: Sequence[int] | Mapping[int, int]) -> int:
    return sum(widths[at] for at in kept) + GAP * (len(kept) - 1)


def _shared(
    kept: Sequence[int],
    widths: tuple[Sequence[int], Sequence[int]],
    rows: Sequence[Sequence[str]],
    room: int,
) -> Band:
    """Share the remaining room by average text length; ``widths`` are natural and minimum."""
    natural, least = widths
    found = {at: least[at] for at in kept}
    left = room - _needs(kept, least)
    while left > 0 and (wanting := [at for at in kept if found[at] < natural[at]]):
        weights = {at: 1 + sum(len(row[at]) for row in rows) for at in wanting}
        whole = sum(weights.values())
        for at in sorted(wanting, key=lambda at: -weights[at]):
            more = min(max(left * weights[at] // whole, 1), natural[at] - found[at], left)
            found[at] += more
            left -= more
            whole -= weights[at]
            if not left or not whole:
                break
    # A page that is narrower than its words breaks them.
    while _needs(kept, found) > room and max(found.values()) > _NARROWEST:
        found[max(kept, key=lambda at: found[at])] -= 1
    return [(at, found[at]) for at in kept]


def _natural(figure: Figure, texts: Sequence[str]) -> int:
    cells = max((wide(line) for text in texts for line in text.split("\n")), default=0)
    head = figure.title.split() if figure.unit not in WORDS else [figure.title]
    return max(cells, *map(wide, head), 1) if head else max(cells, 1)


def _unbroken(texts: Sequence[str]) -> int:
    pieces = [piece for text in texts for piece in _pieces(text)]
    return max((wide(piece) for piece in pieces if any(map(str.isdigit, piece))), default=0)


def _least(figure: Figure, texts: Sequence[str]) -> int:
    if figure.unit not in {"text", "clauses"}:
        return _natural(figure, texts)
    words = [word for text in (*texts, figure.title) for word in text.split()]
    longest = max(map(wide, words), default=1)
    return max(min(longest, _LONGEST_WORD), _unbroken(texts), 1)
