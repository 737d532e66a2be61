"""A service with a table that is ready for wagers, and a browser that opens its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from croupier.acts import Command, InsertCuttingCards
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.desk import Desk
from croupier.server.desks.pilot import Dealt
from croupier.server.resources.page_calls import PAGES
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.state import Phase
from support.served import Served, served
from support.tables import make_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Error, Page


UNFOLD: Final = """() => document.querySelectorAll('details').forEach((one) => {
  one.removeAttribute('name'); one.open = true;
  const sheet = one.querySelector(':scope > .sheet');
  if (sheet) { sheet.style.position = 'static'; one.parentElement.style.display = 'block'; } })"""
"""Opens all that is folded up, with the drawers one below another."""


SCROLLED: Final = """() => [document.documentElement, ...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && one.clientHeight > 2 && one.scrollHeight > one.clientHeight + 1
    && (one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowY)))
  .map((one) => `${one.tagName} #${one.id} .${one.className}: ${one.scrollHeight} > ${one.clientHeight}`)"""
"""What of a page has to be scrolled downward to be seen: the page, or a part of it."""


DAY: Final = date(2011, 2, 22)


@dataclass
class Window:
    """A window of a browser, as its options have it; it is used again when a test is over."""

    page: Page
    options: Mapping[str, Any]

    def is_clean(self) -> bool:
        """Leave nothing behind of what was open in it; return whether that is so.

        The page goes first: one that is open still asks for its state again, and turns to the
        way in where its session is gone.
        """
        from playwright.sync_api import Error  # noqa: PLC0415  (slow to import)

        if self.page.is_closed():
            return False
        context = self.page.context
        for one in context.pages:
            if one != self.page:
                one.close()
        self.page.unroute_all()
        try:
            self.page.goto("about:blank")
        except Error:
            # It was on its way there already.
            context.close()
            return False
        context.set_offline(offline=False)
        context.clear_cookies()
        scheme = self.options.get("color_scheme", "null")
        self.page.emulate_media(color_scheme=scheme, reduced_motion="null")
        return True


_SPARE: Final[WeakKeyDictionary[Browser, list[Window]]] = WeakKeyDictionary()
"""Windows that nobody uses: a new one has a process begun, which takes longer than most pages."""


@dataclass
class Opened:
    """The windows that a test opened, and whatever their consoles said."""

    browser: Browser
    house: Served
    faults: list[str] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def page(
        self, office: str, person: str = "", path: str = "/tables/MB-101", **more: Any
    ) -> Page:
        """Open a page for somebody of an office, in a window of its own."""
        grant = {name: more.pop(name) for name in ("seat", "tables") if name in more}
        token = self.house.token(office, person, **grant)
        return self.window(token, path, **more)

    def window(self, token: str, path: str, width: int = 1280, **more: Any) -> Page:
        """Open a page of a session."""
        window = self._empty(more)
        self.windows.append(window)
        page = window.page
        page.set_viewport_size({"width": width, "height": 900})
        page.context.add_cookies([{"name": "croupier", "value": token, "url": self.house.place}])
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.goto(self.house.place + path)
        return page

    def expect(self, *said: str) -> None:
        """Take console messages that contain one of these for no fault, now and when they come later."""
        self.expected += said
        self.faults = [one for one in self.faults if not any(each in one for each in said)]

    def _empty(self, options: Mapping[str, Any]) -> Window:
        spare = _SPARE.setdefault(self.browser, [])
        for one in spare:
            if one.options == options:
                spare.remove(one)
                return one
        context = self.browser.new_context(**options)
        context.set_default_timeout(10_000)
        return Window(context.new_page(), options)

    def _console(self, message: ConsoleMessage) -> None:
        if not any(one in message.text for one in self.expected):
            self.faults.append(message.text)

    def _error(self, error: Error) -> None:
        self.faults.append(str(error))

    def close(self) -> None:
        """Close every page; what is said from here on is nobody's fault."""
        for window in self.windows:
            if not window.page.is_closed():
                # By the time it answers, all that it said has come.
                window.page.title()
            window.page.remove_listener("console", self._console)
            window.page.remove_listener("pageerror", self._error)
            if window.is_clean():
                _SPARE[self.browser].append(window)


@contextmanager
def windows(browser: Browser, house: Served) -> Iterator[Opened]:
    """Open windows until the block ends; none of them may have had a fault."""
    opened = Opened(browser, house)
    yield opened
    opened.close()
    assert not opened.faults, opened.faults


@contextmanager
def ready(folder: Path) -> Iterator[Served]:
    """Serve a table with cards in its shoe and two patrons, before any wager."""
    with served(folder / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 2))
        yield one


@contextmanager
def with_clerks(folder: Path) -> Iterator[Served]:
    """Serve such a table with the cage and accounting on shift."""
    with ready(folder) as one:
        floor = one.person("floorperson")
        for office in ("cage", "accounting"):
            assigned = {"type": "AssignOffice", "person": office, "office": office}
            assert floor.does("MB-101", assigned).status_code == 200
        yield one


async def prepared(
    house: Served, name: str, patrons: int, from_back: int | None = None, day: date = DAY
) -> None:
    """Bring a table from its opening to where patrons may place wagers.

    The cutting card lies ``from_back`` cards from the back; a shoe is the shorter, the more there
    are.
    """
    desk = house.service.tables[name].desk
    session = Dealt(desk) if from_back is None else Shorter(desk, from_back)
    pilot = Autopilot(session, Chance(7), patrons=patrons)
    pilot.open(day)
    while desk.ahead.state.phase is not Phase.BETTING or len(desk.ahead.state.seats) < patrons:
        pilot.step()
    await desk.settled()


class Shorter(Dealt):
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
