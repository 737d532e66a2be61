"""Small SVG charts from figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.reports.figures import coordinate as _at
from croupier.reports.figures import in_markup, visible

FONT: Final = "system-ui, sans-serif"
PDF_FONT: Final = "Libertinus Serif"
"""Embedded in Typst."""

WIDTH: Final = 440
"""The width of a chart in its own units, readable on a phone."""

_SIZE: Final = 13
_LETTER: Final = 0.56 * _SIZE
"""The approximate width of a letter, because no font is available to measure."""

_ROW: Final = 24
_THICK: Final = 14
_GAP: Final = 8

_INK: Final = "#1c2733"
_FAINT: Final = "#8a949e"
_BLUE: Final = "#1f6fb2"
_LIGHT_BLUE: Final = "#a9d1f0"
_ORANGE: Final = "#d5761a"
_GREY: Final = "#c3c8cd"
_PAPER: Final = "#ffffff"


class Bar(Struct, frozen=True):
    label: str
    value: Fraction
    written: str


class Segment(Struct, frozen=True):
    label: str
    share: Fraction
    written: str
    kind: str


class _Drawing(Struct, frozen=True):
    name: str
    title: str
    size: tuple[float, float]
    shapes: Sequence[str]
    font: str


def bars(
    name: str, title: str, items: Sequence[Bar], *, font: str = FONT, width: int = WIDTH
) -> str:
    labels = min(max((_wide(item.label) for item in items), default=0), 0.4 * width)
    values = max((_wide(item.written) for item in items), default=0)
    left, right = labels + _GAP, width - values - 2 * _GAP
    lowest = min((item.value for item in items), default=Fraction())
    highest = max((item.value for item in items), default=Fraction())
    lowest, highest = min(lowest, Fraction()), max(highest, Fraction())
    scale = (right - left) / float(highest - lowest) if highest > lowest else 0.0
    zero = left - float(lowest) * scale
    height = _ROW * len(items)
    shapes = []
    for number, item in enumerate(items):
        middle = _ROW * number + _ROW / 2
        long = max(abs(float(item.value)) * scale, 1.0 if item.value else 0.0)
        start = zero - long if item.value < 0 else zero
        color = _ORANGE if item.value < 0 else _BLUE
        shapes += [
            _text(0, middle, _clipped(item.label, labels)),
            _rectangle(start, middle - _THICK / 2, long, _THICK, color),
            _text(width, middle, item.written, anchor="end"),
        ]
    shapes.append(
        f'<path class="rule" d="M{_at(zero)} 0V{_at(height)}" stroke="{_FAINT}" stroke-width="1"/>'
    )
    return _svg(_Drawing(name, title, (width, height), shapes, font), items)


def stack(
    name: str, title: str, parts: Sequence[Segment], *, font: str = FONT, width: int = WIDTH
) -> str:
    colors = _colors(parts)
    thick, legend = 34, 34 + 10
    total = sum((part.share for part in parts), Fraction()) or Fraction(1)
    shapes, start = [], 0.0
    for part, color in zip(parts, colors, strict=True):
        wide = float(part.share / total) * width
        # Segments are separated by a gap, except those narrower than the gap.
        drawn_width = wide - 1 if wide > 3 else max(wide, 0.5 if part.share else 0.0)
        shapes.append(_rectangle(start, 0, drawn_width, thick, color))
        if _wide(part.written) + _GAP < wide:
            ink = _INK if _is_light(color) else _PAPER
            shapes.append(
                _text(start + wide / 2, thick / 2, part.written, anchor="middle", fill=ink)
            )
        start += wide
    columns, cell = 2, (width - 2 * _GAP) / 2
    text_left = _THICK + 2 * _GAP
    if any(text_left + _wide(part.label) + _wide(part.written) > cell for part in parts):
        columns, cell = 1, float(width)
    rows = -(-len(parts) // columns)
    for number, (part, color) in enumerate(zip(parts, colors, strict=True)):
        x = (number // rows) * (cell + 2 * _GAP)
        middle = legend + _ROW * (number % rows) + _ROW / 2
        room = cell - text_left - _wide(part.written)
        shapes += [
            _rectangle(x, middle - _THICK / 2, _THICK, _THICK, color),
            _text(x + _THICK + _GAP, middle, _clipped(part.label, room)),
            _text(x + cell, middle, part.written, anchor="end"),
        ]
    return _svg(_Drawing(name, title, (width, legend + _ROW * rows), shapes, font), parts)


def chart_alt_text(items: Iterable[Bar | Segment]) -> str:
    """Alternative text of a chart.

    >>> chart_alt_text([Bar("Tie", Fraction(1436, 10_000), "14.36%")])
    'Tie 14.36%'
    """
    return "; ".join(f"{item.label} {item.written}" for item in items)


def _colors(parts: Sequence[Segment]) -> list[str]:
    wins = sum(part.kind == "win" for part in parts)
    won = 0
    colors = []
    for part in parts:
        if part.kind == "win":
            colors.append(_between(_BLUE, _LIGHT_BLUE, won / max(wins - 1, 1)))
            won += 1
        else:
            colors.append(_GREY if part.kind == "push" else _ORANGE)
    return colors


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _between(first: str, second: str, share: float) -> str:
    channels = (
        round(a + (b - a) * share) for a, b in zip(_channels(first), _channels(second), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _is_light(color: str) -> bool:
    red, green, blue = _channels(color)
    return 0.299 * red + 0.587 * green + 0.114 * blue > 125


def _wide(text: str) -> float:
    return len(text) * _LETTER


def _clipped(text: str, room: float) -> str:
    if _wide(text) <= room + 0.5:
        return text
    return text[: max(int(room / _LETTER) - 1, 1)].rstrip() + "…"


def _rectangle(x: float, y: float, wide: float, high: float, color: str) -> str:
    return (
        f'<rect x="{_at(x)}" y="{_at(y)}" width="{_at(wide)}" height="{_at(high)}" fill="{color}"/>'
    )


def _text(x: float, middle: float, text: str, *, anchor: str = "start", fill: str = "") -> str:
    ink = f'fill="{fill}"' if fill else f'class="ink" fill="{_INK}"'
    return (
        f'<text x="{_at(x)}" y="{_at(middle + 0.35 * _SIZE)}" text-anchor="{anchor}"'
        f" {ink}>{_safe(text)}</text>"
    )


def _safe(text: str) -> str:
    return in_markup(visible(text))


def _svg(drawing: _Drawing, items: Iterable[Bar | Segment]) -> str:
    name, (width, height) = drawing.name, map(_at, drawing.size)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img"'
        f' viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{in_markup(drawing.font)}" font-size="{_SIZE}"'
        f' aria-labelledby="{name}-title" aria-describedby="{name}-told">'
        f'<title id="{name}-title">{_safe(drawing.title)}</title>'
        f'<desc id="{name}-told">{_safe(chart_alt_text(items))}</desc>'
    )
    return head + "".join(drawing.shapes) + "</svg>"
