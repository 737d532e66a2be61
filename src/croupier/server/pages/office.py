"""Selection of the page for each office."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.reports.words import say
from croupier.server.pages.board import board_parts
from croupier.server.pages.books import books_parts
from croupier.server.pages.dealer import desk_parts, prompt_words
from croupier.server.pages.house import floor_parts
from croupier.server.pages.html import Html
from croupier.server.pages.seat import seat_parts, seat_prompt
from croupier.server.pages.watch import watch_parts

if TYPE_CHECKING:
    from croupier.server.pages.looked import Looked


def parts_of(look: Looked) -> list[Html]:
    """Return the sections of the viewer's page."""
    match look.session.office:
        case "dealer":
            return desk_parts(look)
        case "patron":
            return seat_parts(look)
        case "board" | "machine":
            return board_parts(look)
        case "floorperson" | "pit boss" | "supervisor":
            return floor_parts(look)
        case "surveillance":
            return watch_parts(look)
        case _:
            return books_parts(look)


def prompt_of(look: Looked) -> str:
    """Return the next act in words, for screen readers."""
    match look.session.office:
        case "patron":
            return seat_prompt(look)
        case "board" | "machine":
            return ""
        case _:
            return prompt_words(look)


def keys_of(look: Looked) -> str:
    """Return the page's set of keyboard shortcuts; empty if it has none."""
    match look.session.office:
        case "dealer":
            return say("keys.dealer")
        case "patron":
            return say("keys.seat")
        case "surveillance":
            return say("keys.watch")
        case "floorperson" | "pit boss" | "supervisor":
            return say("keys.floor")
        case "board" | "machine":
            return ""
        case _:
            return say("keys.books")
