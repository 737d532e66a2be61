"""A service with a table that is ready for wagers, and a browser that opens its pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from croupier.scenarios.autopilot import Autopilot
from croupier.server.desk import Desk
from croupier.server.page_calls import PAGES
from croupier.server.pilot import Dealt
from croupier.table.commands import Command, InsertCuttingCards
from croupier.table.core import Events, Refusal
from croupier.table.position import Stamp
from croupier.table.shuffling import Chance
from croupier.table.state import Phase
from support.served import Served, served
from support.tables import make_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium")


@dataclass
class Opened:
    """The windows that a test opened, and whatever their consoles said."""

    browser: Browser
    house: Served
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(
        self, office: str, person: str = "", path: str = "/tables/MB-101", **more: Any
    ) -> Page:
        """Open a page for somebody of an office, in a window of its own."""
        grant = {name: more.pop(name) for name in ("seat", "tables") if name in more}
        token = self.house.token(office, person, **grant)
        return self.window(token, path, **more)

    def window(self, token: str, path: str, width: int = 1280, **more: Any) -> Page:
        """Open a page of a session."""
        size = {"width": width, "height": 900}
        context = self.browser.new_context(viewport=size, **more)  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        self.contexts.append(context)
        context.add_cookies([{"name": "croupier", "value": token, "url": self.house.place}])
        page = context.new_page()
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(self.house.place + path)
        return page


@contextmanager
def chromium(*settings: str) -> Iterator[Browser]:
    """Run a browser until the block ends; the test is skipped where there is none."""
    if CHROMIUM is None and os.environ.get("CROUPIER_CHECK") != "whole":
        pytest.skip("a browser opens the pages: install chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (slow to import)

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *settings]
        )
        yield found
        found.close()


@contextmanager
def windows(browser: Browser, house: Served) -> Iterator[Opened]:
    """Open windows until the block ends; none of them may have had a fault."""
    opened = Opened(browser, house)
    yield opened
    for context in opened.contexts:
        context.close()
    assert opened.faults == []


@contextmanager
def ready(folder: Path) -> Iterator[Served]:
    """Serve a table with cards in its shoe and two patrons, before any wager."""
    with served(folder / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 2))
        yield one


async def prepared(house: Served, name: str, patrons: int, from_back: int | None = None) -> None:
    """Bring a table from its opening to where patrons may place wagers.

    The cutting card lies ``from_back`` cards from the back; a shoe is the shorter, the more there
    are.
    """
    desk = house.service.tables[name].desk
    session = Dealt(desk) if from_back is None else _Shorter(desk, from_back)
    pilot = Autopilot(session, Chance(7), patrons=patrons)
    pilot.open(date(2011, 2, 22))
    while desk.ahead.state.phase is not Phase.BETTING or len(desk.ahead.state.seats) < patrons:
        pilot.step()
    await desk.settled()


class _Shorter(Dealt):
    """A table whose cutting card is put farther from the back than it must be."""

    def __init__(self, desk: Desk, from_back: int) -> None:
        super().__init__(desk)
        self._from_back = from_back

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        if isinstance(command, InsertCuttingCards):
            command = InsertCuttingCards(self._from_back)
        return super().try_execute(command, stamp)


def dealt(house: Served, cards: str, wagers: Mapping[tuple[int, str], int], upto: str = "") -> None:
    """Deal a round at table MB-101: wagers in cents by seat and wager, and cards as they fall.

    It ends before the command ``upto``.
    """
    dealer = house.person("dealer")
    commands: list[dict[str, Any]] = [
        *(
            {"type": "PlaceWager", "seat": seat, "wager": wager, "cents": cents}
            for (seat, wager), cents in wagers.items()
        ),
        {"type": "CallNoMoreBets"},
        *({"type": "DrawCard", "card": card} for card in cards.split()),
        {"type": "SettleWagers"},
        {"type": "ClearLayout"},
    ]
    for command in commands:
        if command["type"] == upto:
            return
        answer = dealer.does("MB-101", command)
        assert answer.status_code == 200, answer.text
