"""The roads of a shoe as SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count, takewhile
from operator import itemgetter
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.reports.figures import coordinate as _at
from croupier.reports.figures import in_markup, visible

Road = Mapping[str, Any]
"""The roads of a shoe as plain data, as printed by ``croupier road --format json``."""

_ROWS: Final = 6
_CELL: Final = 20
_SMALL: Final = 10
_GAP: Final = 20
_CAPTION: Final = 20
_LINE: Final = 22
_LEGEND: Final = 56

_BEAD_COLUMNS: Final = 14
_FEWEST: Final = 6
"""Minimum number of columns of a road that is drawn by itself."""
_ALL: Final = 10**6

_INK: Final = "#1c2733"
_RULE: Final = "#d5dbe1"
_RED: Final = "#bf2f24"
_BLUE: Final = "#1f6fb2"
_GREEN: Final = "#1d7d46"
_PAPER: Final = "#ffffff"
_FOUND: Final = "#ffdc8a"

_LETTERS: Final = {"banker": "B", "player": "P", "tie": "T"}
_COLOURS: Final = {"banker": _RED, "player": _BLUE, "tie": _GREEN}
_DERIVED: Final = ("big_eye_boy", "small_road", "cockroach_pig")
ROADS: Final = ("bead_plate", "big_road", *_DERIVED)
_IN_A_CORNER: Final = ("pair of Banker, of Player", "natural in either hand")
_TITLES: Final = {
    "bead_plate": "Bead plate",
    "big_road": "Big road",
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
}


class _Sizes(Struct, frozen=True):
    """Columns and type of the big road. A wider road continues in another band.

    Up to ``most`` bands of each road are drawn, from ``first`` on.
    """

    columns: int
    title: int
    words: int
    letter: int
    number: int
    first: int = 0
    most: int = _ALL

    @property
    def width(self) -> int:
        return self.columns * _CELL


SCREEN: Final = _Sizes(48, 12, 11, 10, 9)
PAPER: Final = _Sizes(39, 13, 13, 13, 13)
"""On a page of A4, this type is 8 points high."""
_TALLEST, _BANDS = 940, 2
"""Maximum height of roads on a Letter page in such type, and bands per part of taller ones."""


class _Board(Struct, frozen=True):
    x: float
    y: float
    cell: int
    columns: int
    first: int = 0
    most: int = _ALL

    def at(self, cell: Mapping[str, Any]) -> tuple[float, float]:
        band, column = divmod(cell["column"] - self.first * self.columns, self.columns)
        return self.x + column * self.cell, self.y + (band * (_ROWS + 1) + cell["row"]) * self.cell

    def has(self, cell: Mapping[str, Any]) -> bool:
        return bool(0 <= cell["column"] // self.columns - self.first < self.most)

    def bands(self, cells: Sequence[Mapping[str, Any]]) -> int:
        last_band = max((cell["column"] // self.columns for cell in cells), default=-1)
        return min(max(last_band + 1 - self.first, not self.first), self.most)

    def height(self, cells: Sequence[Mapping[str, Any]]) -> float:
        return (self.bands(cells) * (_ROWS + 1) - 1) * self.cell

    def lines(self, cells: Sequence[Mapping[str, Any]]) -> str:
        width, path = self.columns * self.cell, ""
        for band in range(self.bands(cells)):
            top = self.y + band * (_ROWS + 1) * self.cell
            path += "".join(
                f"M{_at(self.x)} {_at(top + row * self.cell)}h{width}" for row in range(_ROWS + 1)
            )
            path += "".join(
                f"M{_at(self.x + column * self.cell)} {_at(top)}v{_ROWS * self.cell}"
                for column in range(self.columns + 1)
            )
        return f'<path class="grid" d="{path}" stroke="{_RULE}" fill="none"/>'


def draw_roads(name: str, title: str, road: Road, found: Collection[int] = (), *, font: str) -> str:
    return _drawn(name, title, road, found, font, SCREEN)[1]


def print_roads(
    name: str, title: str, road: Road, found: Collection[int] = (), *, font: str
) -> list[str]:
    """Five roads for print, in parts if they are taller than a page."""
    height, picture = _drawn(name, title, road, found, font, PAPER)
    if height <= _TALLEST:
        return [picture]
    sizes = (replace(PAPER, first=first, most=_BANDS) for first in count(0, _BANDS))
    parts = (_drawn(f"{name}-{one.first}", title, road, found, font, one) for one in sizes)
    return [part for _, part in takewhile(itemgetter(0), parts)]


def _drawn(  # noqa: PLR0913, PLR0917  (what is drawn, and how)
    name: str, title: str, road: Road, found: Collection[int], font: str, sizes: _Sizes
) -> tuple[float, str]:
    """Height of the roads from a band on, 0 if they end before it, and their drawing."""
    window = sizes.first, sizes.most
    boards = {"big_road": _Board(0, _CAPTION, _CELL, sizes.columns, *window)}
    top, left = _below(boards["big_road"], road["big_road"]), _BEAD_COLUMNS * _CELL + _GAP
    boards["bead_plate"] = _Board(0, top, _CELL, _BEAD_COLUMNS, *window)
    for part in _DERIVED:
        boards[part] = _Board(left, top, _SMALL, (sizes.width - left) // _SMALL, *window)
        top = _below(boards[part], road[part])
    shapes = [f"<defs>{''.join(_marks(name, sizes))}</defs>"]
    for part, board in boards.items():
        if board.bands(road[part]):
            words = _TITLES[part] + (", continued" if sizes.first else "")
            shapes.append(_text(board.x, board.y - 7, words, sizes.title))
            shapes.append(_grounds(board, _grounded(part, road, found)))
            shapes.append(board.lines(road[part]))
    for part in ("bead_plate", "big_road", *_DERIVED):
        shapes += _marked(name, part, boards[part], road, sizes)
    legend = _below(boards["bead_plate"], road["bead_plate"]) - _CAPTION
    height = max(top - _GAP, legend) - _CAPTION + 1
    if not sizes.first:
        shapes += _legend(name, legend, sizes.words, marked=bool(found))
        height = max(height, legend + 7 * _LINE + 1)
    return max(height, 0), _svg(name, title, (sizes.width, height), road, font, shapes)


def draw_road(name: str, part: str, road: Road, *, font: str) -> str:
    """One road's marks alone.

    ``part`` is ``bead_plate``, ``big_road``, ``big_eye_boy``, ``small_road``, or
    ``cockroach_pig``.
    """
    cells = road[part]
    cell = _SMALL if part in _DERIVED else _CELL
    columns = max(_FEWEST, max((one["column"] for one in cells), default=0) + 2)
    board = _Board(0, 0, cell, columns)
    shapes = _marked(name, part, board, road, SCREEN)
    marks = [mark for mark in _marks(name) if f'href="#{_id_of(mark)}"' in "".join(shapes)]
    label = _TITLES[part] + ("" if cells else ": no marks yet")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart road" role="img"'
        f' viewBox="0 0 {columns * cell} {_ROWS * cell}"'
        f' font-family="{in_markup(font)}" aria-label="{in_markup(label)}">'
        f"<defs>{''.join(marks)}</defs>{''.join(shapes)}</svg>"
    )


def draw_mark(name: str, part: str, mark: str) -> str:
    mark_id = f"{name}-{part}-{mark}"
    shape = next(one for one in _marks(name) if _id_of(one) == mark_id)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="road glyph" aria-hidden="true"'
        f' viewBox="0 0 {_SMALL} {_SMALL}">{shape}</svg>'
    )


def _id_of(mark: str) -> str:
    return mark.partition(' id="')[2].partition('"')[0]


def _below(board: _Board, cells: Sequence[Mapping[str, Any]]) -> float:
    return board.y + (board.height(cells) + _GAP + _CAPTION if board.bands(cells) else 0)


def roads_alt_text(road: Road) -> str:
    """Alternative text of the roads.

    >>> roads_alt_text({"bead_plate": [{"winner": "banker"}, {"winner": "tie"}]})
    '2 rounds, in order: Banker, Tie'
    """
    beads = road["bead_plate"]
    rounds = "1 round" if len(beads) == 1 else f"{len(beads):,} rounds, in order"
    return f"{rounds}: {', '.join(bead['winner'].capitalize() for bead in beads) or 'none'}"


def _grounded(part: str, road: Road, found: Collection[int]) -> list[Mapping[str, Any]]:
    if part == "bead_plate":
        return [cell for cell in road[part] if cell["round"] in found]
    if part != "big_road" or not road[part]:
        return []
    numbers, wins = set(), 0
    for bead in road["bead_plate"]:
        # A tie is marked in the cell of the previous win, or in the first cell.
        wins += bead["winner"] != "tie"
        if bead["round"] in found:
            numbers.add(max(wins - 1, 0))
    return [road[part][number] for number in sorted(numbers)]


def _grounds(board: _Board, cells: Iterable[Mapping[str, Any]]) -> str:
    path = "".join(
        "M{} {}h{c}v{c}h-{c}z".format(*map(_at, board.at(cell)), c=board.cell)
        for cell in filter(board.has, cells)
    )
    return f'<path class="found" d="{path}" fill="{_FOUND}"/>' if path else ""


def _marked(name: str, part: str, board: _Board, road: Road, sizes: _Sizes) -> list[str]:
    if part == "big_road":
        return _drawn_big(name, board, road, sizes)
    cells = filter(board.has, road[part])
    if part in _DERIVED:
        return [_use(f"{name}-{part}-{cell['mark']}", *board.at(cell)) for cell in cells]
    return [
        f"<g><title>{in_markup(_bead_title(cell))}</title>"
        f"{_use(name + '-bead-' + cell['winner'], *board.at(cell))}{_dots(name, board, cell)}</g>"
        for cell in cells
    ]


def _bead_title(cell: Mapping[str, Any]) -> str:
    number = "" if cell["round"] is None else f"Round {cell['round']}: "
    marks = ("natural", "player_pair", "banker_pair", "corrected")
    suffix = "".join(f", {mark.replace('_', ' ')}" for mark in marks if cell[mark])
    return f"{number}{cell['winner'].capitalize()}{suffix}"


def _drawn_big(name: str, board: _Board, road: Road, sizes: _Sizes) -> list[str]:
    shapes = []
    for number, cell in enumerate(road["big_road"]):
        if not board.has(cell):
            continue
        place = board.at(cell)
        shapes += [_use(f"{name}-big-{cell['winner']}", *place), _dots(name, board, cell)]
        ties = cell["ties"] + (road["leading_ties"] if number == 0 else 0)
        shapes += _ties(name, place, ties, sizes.number)
    if not road["big_road"]:
        at = board.at({"row": 0, "column": 0})
        shapes += _ties(name, at, road["leading_ties"], sizes.number)
    return shapes


def _ties(name: str, place: tuple[float, float], ties: int, size: int) -> list[str]:
    x, y = place
    if not ties:
        return []
    stroke = _use(f"{name}-tie", x, y)
    if ties == 1:
        return [stroke]
    return [
        stroke,
        (
            f'<text class="tie" x="{_at(x + _CELL - 1.5)}" y="{_at(y + _CELL - 1.5)}"'
            f' font-size="{size}" font-weight="bold" text-anchor="end"'
            f' fill="{_GREEN}">{ties}</text>'
        ),
    ]


def _dots(name: str, board: _Board, cell: Mapping[str, Any]) -> str:
    marks = ("banker_pair", "player_pair", "natural")
    return "".join(_use(f"{name}-{mark}", *board.at(cell)) for mark in marks if cell[mark])


def _marks(name: str, sizes: _Sizes = SCREEN) -> list[str]:
    middle, radius = _CELL / 2, 7.5
    shapes = []
    for winner, letter in _LETTERS.items():
        color = _COLOURS[winner]
        shapes.append(
            f'<g id="{name}-bead-{winner}"><circle class="{winner} full" cx="{_at(middle)}"'
            f' cy="{_at(middle)}" r="{radius}" fill="{color}"/>'
            f"{_letter(middle, letter, _PAPER, sizes.letter)}</g>"
        )
        if winner != "tie":
            shapes.append(
                f'<g id="{name}-big-{winner}"><circle class="{winner} ring" cx="{_at(middle)}"'
                f' cy="{_at(middle)}" r="{radius}" fill="none" stroke="{color}"'
                f' stroke-width="1.8"/>{_letter(middle, letter, color, sizes.letter, winner)}</g>'
            )
    shapes += [
        (
            f'<path id="{name}-tie" class="tie ring" d="M3 17L17 3" stroke="{_GREEN}"'
            ' stroke-width="2" fill="none"/>'
        ),
        (
            f'<circle id="{name}-banker_pair" class="banker spot" cx="4" cy="4" r="2.8"'
            f' fill="{_RED}" stroke="{_PAPER}" stroke-width="0.8"/>'
        ),
        (
            f'<circle id="{name}-player_pair" class="player spot" cx="16" cy="16" r="2.8"'
            f' fill="{_BLUE}" stroke="{_PAPER}" stroke-width="0.8"/>'
        ),
        f'<path id="{name}-natural" class="ink" d="M13.5 1H19v5.5z" fill="{_INK}"/>',
    ]
    half = _SMALL / 2
    for mark, color, hand in (("red", _RED, "banker"), ("blue", _BLUE, "player")):
        blue = mark == "blue"
        slant = "M1.8 1.8L8.2 8.2" if blue else "M1.8 8.2L8.2 1.8"
        ringed = f'<circle class="{hand} full" cx="{half}" cy="{half}" r="1.2" fill="{color}"/>'
        holed = f'<circle class="hole" cx="{half}" cy="{half}" r="1.3" fill="{_PAPER}"/>'
        shapes += [
            (
                f'<g id="{name}-big_eye_boy-{mark}"><circle class="{hand} ring" cx="{half}"'
                f' cy="{half}" r="3.5" fill="none" stroke="{color}" stroke-width="1.4"/>'
                f"{ringed if blue else ''}</g>"
            ),
            (
                f'<g id="{name}-small_road-{mark}"><circle class="{hand} full" cx="{half}"'
                f' cy="{half}" r="3.8" fill="{color}"/>{holed if blue else ""}</g>'
            ),
            (
                f'<path id="{name}-cockroach_pig-{mark}" class="{hand} ring" d="{slant}"'
                f' stroke="{color}" stroke-width="1.8" fill="none"/>'
            ),
        ]
    return shapes


def _letter(middle: float, letter: str, color: str, size: int, winner: str = "") -> str:
    class_ = f' class="{winner} full"' if winner else ' class="on"'
    return (
        f'<text{class_} x="{_at(middle)}" y="{_at(middle + 0.36 * size)}" font-size="{size}"'
        f' font-weight="bold" text-anchor="middle" fill="{color}">{letter}</text>'
    )


def _legend(name: str, y: float, size: int, *, marked: bool) -> list[str]:
    rows: list[tuple[list[tuple[str, float]], str]] = [
        ([("big-banker", 0), ("big-player", 22)], "Banker, Player"),
        ([("tie", 11)], "tie; with a number if several"),
        ([("banker_pair", 11), ("player_pair", 11)], _IN_A_CORNER[0]),
        ([("natural", 11)], _IN_A_CORNER[1]),
    ]
    for mark, words in (("red", "the big road repeats itself"), ("blue", "it does not")):
        rows.append(
            ([(f"{which}-{mark}", 1 + 15 * at) for at, which in enumerate(_DERIVED)], words)
        )
    shapes = []
    for number, (marks, words) in enumerate(rows):
        top = y + number * _LINE
        if words in _IN_A_CORNER:
            frame = f"M11 {_at(top)}h{_CELL}v{_CELL}h-{_CELL}z"
            shapes.append(f'<path class="grid" d="{frame}" stroke="{_RULE}" fill="none"/>')
        drop = 5 if words.startswith(("the", "it")) else 0
        shapes += [_use(f"{name}-{mark}", x, top + drop) for mark, x in marks]
        shapes.append(_text(_LEGEND, top + 14, words, size))
    if marked:
        top = y + len(rows) * _LINE
        shapes.append(f'<path class="found" d="M12 {_at(top + 1)}h18v18h-18z" fill="{_FOUND}"/>')
        shapes.append(_text(_LEGEND, top + 14, "a finding in this round", size))
    return shapes


def _use(mark: str, x: float, y: float) -> str:
    return f'<use href="#{mark}" x="{_at(x)}" y="{_at(y)}"/>'


def _text(x: float, base: float, text: str, size: int) -> str:
    return (
        f'<text class="ink" x="{_at(x)}" y="{_at(base)}" font-size="{size}" fill="{_INK}">'
        f"{in_markup(text)}</text>"
    )


def _svg(  # noqa: PLR0913, PLR0917  (the parts of one element)
    name: str, title: str, size: tuple[int, float], road: Road, font: str, shapes: Iterable[str]
) -> str:
    width, height = size
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart road" role="img"'
        f' viewBox="-1 0 {width + 2} {_at(height)}" width="{width + 2}" height="{_at(height)}"'
        f' font-family="{in_markup(font)}" aria-labelledby="{name}-title"'
        f' aria-describedby="{name}-told">'
        f'<title id="{name}-title">{in_markup(visible(title))}</title>'
        f'<desc id="{name}-told">{in_markup(visible(roads_alt_text(road)))}</desc>'
    )
    return head + "".join(shapes) + "</svg>"
