"""Keys and clicks of people at pages, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Presses:
    """What people press at the pages of one table."""

    def __init__(self, house: Served) -> None:
        self._desk = house.service.tables["MB-101"].desk
        self.count = 0

    def click(self, page: Page, selector: str) -> None:
        page.click(selector)
        self.count += 1

    def keys(self, page: Page, *keys: str) -> None:
        """Press keys, once a page shows the newest entry."""
        page.wait_for_function(
            "(seq) => Number(document.body.dataset.seq) >= seq", arg=self._desk.durable.sequence
        )
        for key in keys:
            page.keyboard.press(key)
            self.count += 1

    def act(self, page: Page, *keys: str) -> None:
        """Press the keys of one act, and wait until it is in the record."""
        before = self._desk.durable.sequence
        self.keys(page, *keys)
        page.wait_for_function("(seq) => Number(document.body.dataset.seq) > seq", arg=before)


def corrects(presses: Presses, dealer: Page, floor: Page) -> None:
    """Correct the first card of Player's Hand to an eight of clubs."""
    presses.click(dealer, "#desk .hand.player .card >> nth=0")
    presses.keys(dealer, "8", "c", "Enter")
    floor.locator(".consent button[value=yes]").wait_for()
    # Enter consents only to what has been in view for a second.
    floor.wait_for_timeout(1200)
    presses.act(floor, "Enter")
