"""The plot of a counting study as SVG, identical on every machine."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # It must not import numba.
    from croupier.odds.study import Study

_WIDE, _HIGH, _OFTEN = 720, 300, 110
_LEFT, _TOP, _GAP = 64, 44, 44
_RIGHT: Final = 16
_RAREST: Final = 2000
"""True counts rarer than one in this many rounds are not drawn."""

_INK, _FAINT, _GOOD, _BAD = "#1c2733", "#c3c8cd", "#1f6fb2", "#d5761a"


def study_plot(study: Study, title: str) -> str:
    common = [at for at, one in enumerate(study.bins) if one.rounds * _RAREST >= study.rounds]
    bins = study.bins[common[0] : common[-1] + 1] if common else study.bins
    inner = _WIDE - _LEFT - _RIGHT
    slot = inner / len(bins)
    advantages = [one.advantage for one in bins]
    rule = _rule(min(*advantages, 0.0), max(*advantages, 0.0), 6)
    lowest, highest = rule[0], rule[-1]
    peak = max(one.rounds for one in bins) / study.rounds
    bottom = _TOP + _HIGH
    base = bottom + _GAP + _OFTEN

    def height(gain: float) -> float:
        return bottom - (gain - lowest) / (highest - lowest) * _HIGH

    elements = [_text(_LEFT, 20, title, size=15)]
    for tick in rule:
        y = height(tick)
        elements += [_line(_LEFT, y, _WIDE - _RIGHT, y, _INK if tick == 0 else _FAINT)]
        elements += [_text(_LEFT - 6, y + 4, f"{tick * 100:+.3g}%" if tick else "0%", anchor="end")]
    elements.append(_text(_LEFT, _TOP - 8, "mean advantage per unit"))
    elements.append(_text(_LEFT, bottom + _GAP - 8, f"share of the rounds, up to {peak:.1%}"))
    steps = (part * ten for ten in (1, 10, 100) for part in (1, 2, 4, 10))
    step = next(study.step * part for part in steps if part * 18 >= len(bins))
    for place, bin_ in enumerate(bins):
        middle = _LEFT + (place + 0.5) * slot
        color = _GOOD if bin_.advantage > 0 else _BAD
        often = bin_.rounds / study.rounds / peak * _OFTEN
        elements.append(_rectangle(middle - 0.4 * slot, base - often, 0.8 * slot, often, color))
        elements.append(_mark(middle, height(bin_.advantage), color, good=bin_.advantage > 0))
        if bin_.count % step == 0:
            elements.append(_text(middle, base + 18, f"{float(bin_.count):g}", anchor="middle"))
    elements.append(_text(_LEFT + inner / 2, base + 38, "true count, from", anchor="middle"))
    details = "; ".join(
        f"from {float(one.count):g}: {one.advantage:+.2%} in {one.rounds / study.rounds:.2%}"
        for one in bins
    )
    tall = base + 50
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDE} {tall}"'
        f' width="{_WIDE}" height="{tall}" font-family="system-ui, sans-serif" font-size="12">'
        f"<title>{escape(title, quote=False)}</title><desc>{escape(details, quote=False)}</desc>"
        f'<rect width="{_WIDE}" height="{tall}" fill="#ffffff"/>'
    )
    return "\n".join([head, *elements, "</svg>"]) + "\n"


def _rule(low: float, high: float, parts: int) -> list[float]:
    """Round numbers that span an interval, including zero.

    >>> [round(tick, 2) for tick in _rule(-0.11, 0.26, 6)]
    [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
    """
    span = max(high - low, 1e-9)
    step = next(
        part * 10.0**power
        for power in range(-11, 4)
        for part in (1, 2, 5)
        if part * 10.0**power * parts >= span
    )
    first, last = int(low // step), -int(-high // step)
    return [place * step for place in range(first, max(last, first + 1) + 1)]


def _at(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    place = f'x="{_at(x)}" y="{_at(y)}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{_INK}">{escape(text, quote=False)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, color: str) -> str:
    ends = f'x1="{_at(x)}" y1="{_at(y)}" x2="{_at(to_x)}" y2="{_at(to_y)}"'
    return f'<line {ends} stroke="{color}"/>'


def _rectangle(x: float, y: float, width: float, height: float, color: str) -> str:
    place = f'x="{_at(x)}" y="{_at(y)}" width="{_at(width)}" height="{_at(height)}"'
    return f'<rect {place} fill="{color}"/>'


def _mark(x: float, y: float, color: str, *, good: bool) -> str:
    fill = color if good else "#ffffff"
    place = f'cx="{_at(x)}" cy="{_at(y)}" r="4"'
    return f'<circle {place} fill="{fill}" stroke="{color}" stroke-width="2"/>'
