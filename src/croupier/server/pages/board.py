"""The board above a table: roads, limits, meters, and the last result, to be read from afar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.reports.words import say
from croupier.server.pages.html import Html, tag
from croupier.server.pages.pieces import hands, limits, meters, part, result_words, roads

if TYPE_CHECKING:
    from croupier.server.pages.looked import Looked

__all__ = ["board_parts"]


def board_parts(look: Looked) -> list[Html]:
    """Return the parts of the board."""
    last = result_words(look)
    moving = meters(look)
    return [
        part("last", say("last"), tag("p", last or say("last.none"), class_="big")),
        part("cards", say("hands"), hands(look.seen)),
        part("roads", say("roads"), roads(look)),
        part("limits", say("limits"), limits(look)),
        *([part("meters", say("meters"), moving)] if moving else []),
    ]
