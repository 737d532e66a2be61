"""Each office's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from croupier.acts.roles import OfficePage, Role
from croupier.reports.tags import Html
from croupier.reports.words import say
from croupier.server.pages.board import board_parts
from croupier.server.pages.books import books_parts
from croupier.server.pages.dealer import desk_parts
from croupier.server.pages.house import floor_parts
from croupier.server.pages.looked import Looked
from croupier.server.pages.seat import seat_parts
from croupier.server.pages.watch import watch_parts


class _Made(NamedTuple):
    parts: Callable[[Looked], list[Html]]
    keys: str


_PAGES: Final[Mapping[OfficePage, _Made]] = {
    OfficePage.BOARD: _Made(board_parts, ""),
    OfficePage.BOOKS: _Made(books_parts, "keys.books"),
    OfficePage.DEALER: _Made(desk_parts, "keys.dealer"),
    OfficePage.FLOOR: _Made(floor_parts, "keys.floor"),
    OfficePage.SEAT: _Made(seat_parts, "keys.seat"),
    OfficePage.WATCH: _Made(watch_parts, "keys.watch"),
}


def _page_of(look: Looked) -> _Made:
    page = Role(look.session.office).office.page
    if page is None:
        raise ValueError(look.session.office)
    return _PAGES[page]


def parts_of(look: Looked) -> list[Html]:
    return _page_of(look).parts(look)


def keys_of(look: Looked) -> str:
    keys = _page_of(look).keys
    return say(keys) if keys else ""
