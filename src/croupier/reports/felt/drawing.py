"""A plan of a layout as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

from croupier.reports.felt.plan import (
    HANDS,
    PRINTED,
    WIDTH,
    Box,
    Felt,
    Lying,
    height_of,
    line_of,
    plan_of,
)
from croupier.reports.figures import in_markup, rank_and_suit, visible
from croupier.reports.tags import tag
from croupier.reports.words import say

_FELT: Final = "#14532d"
_LINE: Final = "#9ccfae"
_FELT_INK: Final = "#ffffff"
_AREA: Final = "#fbf8ef"
_AREA_LINE: Final = "#6b7a70"
_INK: Final = "#1c2733"
_BACK: Final = "#155a96"
_INKS: Final = {"player": "#155a96", "banker": "#a8281e", "tie": "#17653a"}
_RED: Final = "#b3261e"
_BLACK: Final = "#14181c"
_WHITE: Final = "#ffffff"
_CLOSED: Final = "??"

FELT_CSS: Final = """\
@media (prefers-color-scheme: dark) {
  .felt-cloth { fill: #0c3a20; } .felt-line { stroke: #7fae90; } .felt-ink { fill: #eef5f0; }
  .felt-area { fill: #15231b; stroke: #8fa598; } .felt-text { fill: #e4e9ee; }
  .felt-player { fill: #86bdec; } .felt-banker { fill: #ff9d94; } .felt-tie { fill: #7fd3a0; }
}
"""
TURN: Final = tag("label", tag("input", type="checkbox"), f" {say('turn')}", class_="turn")
"""Checkbox that turns the following layout, or that of its stage, on a page with ``TURN_CSS``."""
TURN_CSS: Final = f"""\
{FELT_CSS}.turn {{ display: inline-block; padding: .75rem 0; }}
.turn:has(:checked) + .felt, #stage:has(.turn :checked) .felt {{
  .turns {{ transform: translate(var(--x), var(--y)); }}
  .felt-cloth {{ transform: rotate(180deg); transform-origin: 50% 50%; }}
}}
@media print {{ .turn {{ display: none; }} }}
"""


def draw_felt(  # noqa: PLR0913  (what is drawn, and how)
    name: str,
    felt: Felt,
    lying: Lying | None = None,
    *,
    side: Literal["patrons", "dealer"] = "patrons",
    font: str = "system-ui, sans-serif",
    dealer: bool = True,
    turns: bool = False,
) -> str:
    """Layout as SVG, from the patrons' or the dealer's side; ``name`` begins its ids.

    Without ``dealer``, it is a part of a layout with only seats. One that ``turns`` is seen from
    the other side when ``TURN`` is checked.
    """
    state, height = lying or Lying(), height_of(felt, dealer=dealer)
    alt, boxes = felt_alt_text(felt, state), plan_of(felt, state, side, dealer=dealer)
    return "".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}"',
        f' role="img" aria-labelledby="{name}-title" class="felt"',
        f' font-family="{in_markup(font)}">',
        f'<title id="{name}-title">{in_markup(alt)}</title>',
        _cloth(height, turned=side == "dealer"),
        *(_turning(boxes, height) if turns else map(_drawn, boxes)),
        "</svg>",
    ))  # fmt: skip


def _turning(boxes: Sequence[Box], height: float) -> Iterator[str]:
    places = {(box.seat, box.wager): box for box in boxes if box.kind in {"area", "hand"}}
    for box in boxes:
        # Chips and cards turn with the place where they lie.
        place = places[box.seat, box.wager] if box.kind in {"chip", "card"} else box
        turned = place.turned(height)
        x, y = turned.x - place.x, turned.y - place.y
        yield f'<g class="turns" style="--x:{x:.5g}px;--y:{y:.5g}px">{_drawn(box)}</g>'


def print_felt(
    name: str, felt: Felt, lying: Lying, *, side: Literal["patrons", "dealer"], font: str
) -> list[str]:
    """Layout for print, in parts of neighboring seats if there are many, the top part first.

    The dealer is in the part of the first seats.
    """
    seats = felt["seats"]
    seats_per_part = -(-len(seats) // -(-len(seats) // PRINTED))
    parts = [
        draw_felt(
            f"{name}-{at}",
            {**felt, "seats": seats[at : at + seats_per_part]},
            lying,
            side=side,
            font=font,
            dealer=not at,
        )
        for at in range(0, len(seats), seats_per_part)
    ]
    return parts[::-1] if side == "dealer" else parts


def draw_hands(name: str, hands: Mapping[str, Sequence[str]], font: str) -> str:
    distance = 240
    alt = "; ".join(f"{title}: {' '.join(cards)}" for title, cards in hands.items())
    pictures = (
        _text(at * distance, 13, title, "hand-title", _INK, size=13)
        + "".join(
            _card(Box("card", at * distance + 1 + place * 52, 20, 46, 66, (card,)))
            for place, card in enumerate(cards)
        )
        for at, (title, cards) in enumerate(hands.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * distance} 88" role="img"'
        f' aria-labelledby="{name}-title" class="hands" font-family="{in_markup(font)}">'
        f'<title id="{name}-title">{in_markup(alt)}</title>{"".join(pictures)}</svg>'
    )


def felt_alt_text(felt: Felt, lying: Lying | None = None) -> str:
    state = lying or Lying()
    wagers = ", ".join(f"{area['title']} ({area['pays']})" for area in felt["areas"])
    parts = [f"Layout for {len(felt['seats'])} seats: {wagers}"]
    for hand in HANDS:
        cards = getattr(state, hand)
        if cards:
            texts = ", ".join(
                "face down" if card == _CLOSED else "".join(rank_and_suit(card)) for card in cards
            )
            parts.append(f"{hand.capitalize()}'s Hand: {texts}")
    return ". ".join(parts)


def _cloth(height: float, *, turned: bool) -> str:
    round_, straight = 130, 16
    top, bottom = (round_, straight) if turned else (straight, round_)
    path = (
        f"M{top} 1H{WIDTH - top}Q{WIDTH - 1} 1 {WIDTH - 1} {top}V{height - bottom:g}"
        f"Q{WIDTH - 1} {height - 1:g} {WIDTH - bottom} {height - 1:g}H{bottom}"
        f"Q1 {height - 1:g} 1 {height - bottom:g}V{top}Q1 1 {top} 1z"
    )
    return (
        f'<path class="felt-cloth felt-line" d="{path}" fill="{_FELT}" stroke="{_LINE}"'
        f' stroke-width="2"/>'
    )


@lru_cache(maxsize=4096)
def _drawn(box: Box) -> str:
    match box.kind:
        case "area" | "space":
            return _grouped(box, _rectangle(box) + _area_text(box))
        case "hand":
            return _rectangle(box) + _hand_text(box)
        case "card":
            return _card(box)
        case "seat":
            return _seat(box)
        case "name":
            return _middle(box, box.lines[0], "felt-ink", _FELT_INK, box.size)
        case "chip":
            return _grouped(box, _chip(box))
        case _:
            return _outline(box) + _middle(box, box.lines[0], "felt-ink", _FELT_INK, box.size)


def _grouped(box: Box, markup: str) -> str:
    if not box.title:
        return markup
    return f"<g><title>{in_markup(visible(box.title))}</title>{markup}</g>"


def _rectangle(box: Box) -> str:
    thick = 3 if box.won else 1
    return (
        f'<rect class="felt-area" x="{box.x:.4g}" y="{box.y:.4g}" width="{box.wide:.4g}"'
        f' height="{box.high:.4g}" rx="4" fill="{_AREA}" stroke="{_AREA_LINE}"'
        f' stroke-width="{thick}"/>'
    )


def _outline(box: Box) -> str:
    return (
        f'<rect class="felt-line" x="{box.x:.4g}" y="{box.y:.4g}" width="{box.wide:.4g}"'
        f' height="{box.high:.4g}" rx="4" fill="none" stroke="{_LINE}"/>'
    )


def _text(  # noqa: PLR0913  (what a line of type has)
    x: float, y: float, text: str, kind: str, ink: str, *, anchor: str = "start", size: int = 12,
    weight: int = 400,
) -> str:  # fmt: skip
    if not text:
        return ""
    return (
        f'<text class="{kind}" x="{x:.4g}" y="{y:.4g}" font-size="{size}" font-weight="{weight}"'
        f' text-anchor="{anchor}" fill="{ink}">{in_markup(visible(text))}</text>'
    )


def _middle(box: Box, text: str, kind: str, ink: str, size: int = 12) -> str:
    x, y = box.x + box.wide / 2, box.y + box.high / 2 + size * 0.36
    return _text(x, y, text, kind, ink, anchor="middle", size=size)


def _area_text(box: Box) -> str:
    kind = f"felt-{box.wager}" if box.wager in _INKS else "felt-text"
    *titles, second = box.lines
    left, height, size = box.x + 5, box.high, box.size
    if box.kind == "space":
        (title,) = titles
        middle = box.y + height / 2 + size * 0.36
        return _text(left, middle, title, "felt-text", _INK, weight=600, size=size) + _text(
            box.x + box.wide - 5, middle, second, "felt-text", _INK, anchor="end", size=size
        )
    lines = "".join(
        _text(left, box.y + size + 2 + line_of(size) * line, said, kind, _INKS.get(box.wager, _INK),
              weight=600, size=size)
        for line, said in enumerate(titles)
    )  # fmt: skip
    return lines + _text(left, box.y + height - size / 2, second, "felt-text", _INK, size=size)


def _hand_text(box: Box) -> str:
    text, total = box.lines
    kind, ink = f"felt-{box.wager}", _INKS[box.wager]
    return (
        _text(box.x + 12, box.y + 28, text, kind, ink, size=20, weight=600)
        + _text(box.x + 12, box.y + 50, f"({text[0]})", kind, ink, size=20)
        + _text(box.x + 12, box.y + box.high - 14, total, kind, ink, size=32, weight=600)
    )


def _card(box: Box) -> str:
    (card,) = box.lines
    frame = (
        f'<rect x="{box.x:.4g}" y="{box.y:.4g}" width="{box.wide:.4g}" height="{box.high:.4g}"'
        f' rx="4" fill="{_WHITE}" stroke="{_BLACK}"/>'
    )
    if card == _CLOSED:
        inner = (
            f'<rect x="{box.x + 5:.4g}" y="{box.y + 5:.4g}" width="{box.wide - 10:.4g}"'
            f' height="{box.high - 10:.4g}" rx="2" fill="{_BACK}"/>'
        )
        mark = _middle(box, "?", "felt-back", _WHITE, 24)
        return f"<g><title>A card face down</title>{frame}{inner}{mark}</g>"
    rank, suit = rank_and_suit(card)
    ink = _RED if suit in {"♦", "♥"} else _BLACK
    x, y = box.x + box.wide / 2, box.y
    return (
        f"<g><title>{rank}{suit}</title>{frame}"
        + _text(x, y + 28, rank, "felt-card", ink, anchor="middle", size=24, weight=600)
        + _text(x, y + 56, suit, "felt-card", ink, anchor="middle", size=24)
        + "</g>"
    )  # fmt: skip


def _seat(box: Box) -> str:
    x, y, r = box.x + box.wide / 2, box.y + box.high / 2, box.wide / 2
    return (
        f'<circle class="felt-line" cx="{x:.4g}" cy="{y:.4g}" r="{r - 1:.4g}" fill="none"'
        f' stroke="{_LINE}" stroke-width="2"/>'
        + _middle(box, box.lines[0], "felt-ink", _FELT_INK, box.size)
    )


def _chip(box: Box) -> str:
    text = box.lines[0]
    return (
        f'<rect x="{box.x:.4g}" y="{box.y:.4g}" width="{box.wide:.4g}" height="{box.high:.4g}"'
        f' rx="{box.high / 2:.4g}" fill="{_BLACK}" stroke="{_WHITE}" stroke-width="2"'
        ' stroke-dasharray="4 3"/>' + _middle(box, text, "felt-chip", _WHITE, box.size)
    )
