"""The geometry of a layout: boxes on a plane, without markup.

From the patrons' side, the dealer is at the top and seats run counterclockwise from the dealer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.law.usage import currency_in_use, money

WIDTH: Final = 1200
"""The width of a drawing in its own units."""

Felt = Mapping[str, Any]
"""A layout as plain data, as printed by ``croupier layout --format json``."""

PRINTED: Final = 7
"""Maximum number of seats side by side on paper, for type of at least 8 points."""

Kind = Literal[
    "area", "space", "hand", "card", "shoe", "rack", "tray", "slot", "seat", "name", "chip"
]

_MARGIN: Final = 40
_ARC: Final = 70
_WIDEST: Final = 150
_GAP: Final = 4
_MAIN: Final = 15
"""Height of a main wager's area without its two lines of type."""
_SIDE: Final = 8
_DISC: Final = 40
_ZONE: Final = 230
_NO_ZONE: Final = 24
_SPACES: Final = 36
_CARD: Final = (46, 64)

SIZE: Final = 12
"""The smallest type of a drawing."""

_SIZES: Final = ((158, 21), (138, 18), (110, 15))
"""Type sizes in an area by the width of a seat."""
_BESIDE: Final = 20
"""The largest type in front of the dealer."""

HANDS: Final = {"player": 290, "banker": 620}
"""Positions of the cards of each hand, seen by patrons. No regulation specifies the side."""

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/1 -")
_WIDE: Final = frozenset("mwMW@%—…")


def line_of(size: int) -> int:
    """Distance from one line of type to the next.

    >>> line_of(12), line_of(21)
    (14, 24)
    """
    return size * 7 // 6


def type_size(felt: Felt) -> int:
    return next((size for pitch, size in _SIZES if _pitch(felt) >= pitch), SIZE)


@lru_cache(4096)
def text_width(text: str, size: int = SIZE) -> float:
    """Maximum width of a line of type."""
    ems = (
        0.42 if one in _NARROW else 0.95 if one in _WIDE else 0.76 if one.isupper() else 0.64
        for one in text
    )
    return size * sum(ems)


class Lying(Struct, frozen=True):
    """Stakes, markers, patrons, and cards on a layout, amounts in cents.

    ``"??"`` is a card face down; ``won`` are winning areas by seat and wager.
    """

    stakes: Mapping[tuple[int, str], int] = field(default_factory=dict)
    markers: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    player: Sequence[str] = ()
    banker: Sequence[str] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    won: frozenset[tuple[int, str]] = frozenset()


class Box(Struct, frozen=True):
    """A rectangle with lines of type.

    ``wager`` is the wager's id, or the hand of cards; ``size`` is that of the type.
    """

    kind: Kind
    x: float
    y: float
    wide: float
    high: float
    lines: tuple[str, ...] = ()
    seat: int = 0
    wager: str = ""
    title: str = ""
    won: bool = False
    size: int = SIZE

    def turned(self, high: float) -> Box:
        return replace(self, x=WIDTH - self.x - self.wide, y=high - self.y - self.high)


def height_of(felt: Felt, *, dealer: bool = True) -> float:
    return _zone(felt, dealer=dealer) + _column(felt) + _ARC + type_size(felt) + 8


def plan_of(
    felt: Felt,
    lying: Lying | None = None,
    side: Literal["patrons", "dealer"] = "patrons",
    *,
    dealer: bool = True,
) -> list[Box]:
    """Boxes of a layout, or of a part without a dealer, from one side."""
    state, high = lying or Lying(), height_of(felt, dealer=dealer)

    def visible(boxes: Iterable[Box]) -> list[Box]:
        # Seen from the other side, chips and cards stay in their areas: only the areas turn.
        return [box.turned(high) for box in boxes] if side == "dealer" else [*boxes]

    zone = _zone(felt, dealer=dealer)
    column = _rows(felt), zone + _column(felt)
    boxes = visible(_dealers(felt, state)) if dealer else []
    boxes += _cards(boxes, state)
    boxes += visible(_spaces(felt, state, zone)) if felt["marker_spaces"] else []
    for place in range(len(felt["seats"])):
        areas = visible(_areas(felt, column, place, state))
        boxes += [*areas, *_chips(areas, state)]
    return boxes


def _zone(felt: Felt, *, dealer: bool) -> float:
    return (_ZONE if dealer else _NO_ZONE) + (_SPACES if felt["marker_spaces"] else 0)


def _pitch(felt: Felt) -> float:
    return (WIDTH - 2 * _MARGIN) / len(felt["seats"])


def _area_width(felt: Felt) -> float:
    return min(_WIDEST, _pitch(felt) - 8)


def _rows(felt: Felt) -> list[tuple[Mapping[str, Any], ...]]:
    rows: list[tuple[Mapping[str, Any], ...]] = []
    half, size = (_area_width(felt) - _GAP) / 2, type_size(felt)
    for area in felt["areas"]:
        is_narrow = not area["main"] and _fits(area, half, size)
        if is_narrow and rows and len(rows[-1]) == 1:
            (last_area,) = rows[-1]
            if not last_area["main"] and _fits(last_area, half, size):
                rows[-1] = (last_area, area)
                continue
        rows.append((area,))
    return rows


def _fits(area: Mapping[str, Any], width: float, size: int) -> bool:
    texts = (area["title"], area["pays"], *area["chairs"].values())
    return all(text_width(text, size) <= width - 8 for text in texts)


@lru_cache(1024)
def _title(title: str, width: float, size: int) -> tuple[str, ...]:
    lines: list[str] = []
    for word in title.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width - 8:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(_shortened(line, width - 8, size) for line in lines)


def _row_height(row: tuple[Mapping[str, Any], ...], width: float, size: int) -> int:
    line = line_of(size)
    height = 2 * line + (_MAIN if row[0]["main"] else _SIDE)
    # Two areas share a row only if each name fits on one line.
    return height + (line * (len(_title(row[0]["title"], width, size)) - 1) if len(row) == 1 else 0)


def _column(felt: Felt) -> float:
    width, size = _area_width(felt), type_size(felt)
    return _DISC + _GAP + sum(_row_height(row, width, size) + _GAP for row in _rows(felt))


def _areas(
    felt: Felt, column: tuple[list[tuple[Mapping[str, Any], ...]], float], place: int, state: Lying
) -> Iterator[Box]:
    pitch, width, size = _pitch(felt), _area_width(felt), type_size(felt)
    (rows, lowest), seat = column, felt["seats"][place]
    middle = _MARGIN + pitch * (place + 0.5)
    across = (2 * place + 1) / len(felt["seats"]) - 1
    bottom = lowest + _ARC * (1 - across**2)
    yield Box("seat", middle - _DISC / 2, bottom - _DISC, _DISC, _DISC, (str(seat),), seat, size=21)
    if name := _shortened(state.names.get(seat, ""), pitch - 6, size):
        left = middle - pitch / 2 + 3
        yield Box("name", left, bottom + 2, pitch - 6, line_of(size), (name,), seat, size=size)
    top = bottom - _DISC - _GAP
    for row in rows:
        height = _row_height(row, width, size)
        top -= height
        part = (width - _GAP * (len(row) - 1)) / len(row)
        for number, area in enumerate(row):
            left = middle - width / 2 + number * (part + _GAP)
            staked = state.stakes.get((seat, area["wager"]))
            lines = _area_lines(area, seat, part, staked, size)
            yield Box(
                "area", left, top, part, height, lines, seat, area["wager"],
                f"Seat {seat}, {area['title']}: {area['pays']}",
                (seat, area["wager"]) in state.won, size,
            )  # fmt: skip
        top -= _GAP


def _area_lines(
    area: Mapping[str, Any], seat: int, width: float, staked: int | None, size: int
) -> tuple[str, ...]:
    pays = _shortened(area["chairs"].get(str(seat), area["pays"]), width - 8, size)
    room = width - 8 - (0 if staked is None else _chip_width(staked, width, size) + 4)
    return (*_title(area["title"], width, size), pays if text_width(pays, size) <= room else "")


@lru_cache(4096)
def _shortened(text: str, width: float, size: int) -> str:
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def _dealers(felt: Felt, state: Lying) -> Iterator[Box]:
    size = min(_BESIDE, type_size(felt))
    yield Box("tray", 420, 12, 360, 34, ("Chips",), size=size)
    yield Box("slot", 800, 16, 90, 26, ("Drop",), size=size)
    yield Box("shoe", 1040, 56, 120, 84, ("Shoe",), size=size)
    yield Box("rack", 40, 56, 120, 84, ("Discards",), size=size)
    for hand, x in HANDS.items():
        total = state.totals.get(hand)
        lines = (hand.capitalize(), "" if total is None else str(total))
        yield Box("hand", x, 62, 290, 108, lines, wager=hand)
    sign = felt["sign"]
    if sign:
        size_of_sign = max(SIZE, min(size, int(412 / text_width(sign, 1))))
        yield Box("slot", 390, 178, 420, 28, (sign,), size=size_of_sign)


def _spaces(felt: Felt, state: Lying, zone: float) -> Iterator[Box]:
    seats = felt["seats"]
    width, size = min(124.0, _pitch(felt) - 8), min(_BESIDE, type_size(felt))
    for place, seat in enumerate(seats):
        marker = state.markers.get(seat)
        lines = (str(seat), "" if marker is None else _amount(marker, width - 2 * size, size))
        x = _MARGIN + _pitch(felt) * (place + 0.5) - width / 2
        yield Box("space", x, zone - _SPACES - 16, width, 28, lines, seat,
                  title=f"Vigorish of seat {seat}", size=size)  # fmt: skip


def _chips(boxes: Sequence[Box], state: Lying) -> Iterator[Box]:
    for box in boxes:
        cents = state.stakes.get((box.seat, box.wager)) if box.kind == "area" else None
        if cents is None:
            continue
        size = box.size
        amount, width = _amount(cents, box.wide - 18, size), _chip_width(cents, box.wide, size)
        height = size + 6
        yield Box(
            "chip", box.x + box.wide - width - 3, box.y + box.high - height - 2, width, height,
            (amount,), box.seat, box.wager, f"{box.title}; stake {money(cents, short=True)}",
            size=size,
        )  # fmt: skip


def _chip_width(cents: int, width: float, size: int) -> float:
    return max(size + 6, text_width(_amount(cents, width - 18, size), size) + 12)


def _cards(boxes: Sequence[Box], state: Lying) -> Iterator[Box]:
    width, height = _CARD
    for box in boxes:
        if box.kind != "hand":
            continue
        for place, card in enumerate(getattr(state, box.wager)):
            yield Box(
                "card", box.x + 100 + place * (width + 12), box.y + (box.high - height) / 2, width,
                height, (card,), wager=box.wager,
            )  # fmt: skip


def _amount(cents: int, width: float, size: int) -> str:
    texts, hundred = [money(cents, short=True)], 100 * currency_in_use().minor
    if cents % hundred == 0:
        thousands, hundreds = divmod(cents // hundred, 10)
        sign = currency_in_use().sign
        texts.append(f"{sign}{thousands:,}{f'.{hundreds}' if hundreds else ''}k")
    return next((one for one in texts if text_width(one, size) <= width), "")
