"""Every page of every office: no violation by axe-core, in light, in dark, and on a phone; one screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from support.axe import violations
from support.browsers import chromium
from support.served import Served
from support.volume import spread
from support.windows import SCROLLED, UNFOLD, Opened, dealt, ready, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OFFICES: Final = (
    "dealer", "patron", "board", "floorperson", "pit boss", "surveillance", "pit clerk", "cage",
    "accounting", "licensee",
)  # fmt: skip
EVERYWHERE: Final = spread(OFFICES, 3, 5)
"""Offices whose pages are read in the dark and on a phone, too."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table in its third round, with something to pay, to mark, and to consent to."""
    folder: Path = tmp_path_factory.mktemp("pages")
    with ready(folder) as one:
        wagers = {(1, "player"): 10_000, (2, "banker"): 5_000, (2, "tie"): 2_500}
        dealt(one, "9h 2c Ts 3d", wagers)
        dealt(one, "2h 3c 4s 4d", wagers)
        dealt(one, "As Ah 6c 6d", wagers, upto="SettleWagers")
        count = {"type": "CountInventory", "chips": {"2500": 1}}
        fill = {"type": "RequestFill", "slip": 1, "chips": {"10000": 10}}
        assert one.person("floorperson").does("MB-101", fill).status_code == 200
        one.person("dealer").does("MB-101", count)
        yield one


@pytest.fixture
def opened(browser: Browser, house: Served) -> Iterator[Opened]:
    with windows(browser, house) as one:
        yield one


SIZES: Final = {
    "dealer": ((1280, 800), (1024, 768), (360, 740)),
    "patron": ((360, 740), (1280, 800)),
    "board": ((1280, 800), (1920, 1080)),
}
"""Sizes at which an office has its table, or its tables, on one screen; for all others 1280 by 800."""


def check_one_screen(page: Page, office: str, path: str) -> None:
    sizes = SIZES.get(office, ((1280, 800),)) if path != "/tables" else ((1280, 800),)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        scrolled = [one for one in page.evaluate(SCROLLED) if "#consent-" not in one or width > 360]
        assert scrolled == [], (path, width)


def page_of(opened: Opened, office: str, path: str, **more: Any) -> Page:
    grant = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
    who = "Patron 1" if office == "patron" else ""
    page = opened.page(office, who, path, **grant, **more)
    page.locator("body[data-state=live]").wait_for()
    size = page.viewport_size
    check_one_screen(page, office, path)
    page.set_viewport_size(size or {"width": 1280, "height": 900})
    page.evaluate(UNFOLD)
    return page


@pytest.mark.parametrize("office", spread(OFFICES, 6))
def test_a_page_has_no_violation(opened: Opened, office: str) -> None:
    desk = page_of(opened, office, "/tables/MB-101")
    assert violations(desk) == []
    if office not in EVERYWHERE:
        return
    # The same page in the dark, and the pit on a phone.
    desk.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert violations(desk) == []
    assert violations(page_of(opened, office, "/tables", width=320)) == []


SMALL: Final = """() => [...document.querySelectorAll('a, button, summary, select, input')]
  .filter((one) => !(one.labels?.length || one.matches('.skip')))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width && Math.min(box.width, box.height) < 24)
  .map(([one, box]) => `${one.textContent} ${box.width} x ${box.height}`)"""
"""What is pressed and is less than 24 pixels wide or high."""
CUT: Final = """() => [...document.querySelectorAll('.hand h3')]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""


@pytest.mark.parametrize("office", spread(OFFICES, 4))
def test_what_is_pressed_is_large_enough_on_a_phone(opened: Opened, office: str) -> None:
    phone = page_of(opened, office, "/tables/MB-101", width=360)
    assert phone.evaluate(SMALL) == []
    # The round that is shown is a tie, which the title of each hand says.
    for width in (360, 320):
        phone.set_viewport_size({"width": width, "height": 800})
        assert phone.evaluate(CUT) == []
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("query", ["?at=40&odds=1", "?q=wagers", "?odds=1"])
def test_what_surveillance_asks_for_has_no_violation(opened: Opened, query: str) -> None:
    page = opened.page("surveillance", "", f"/tables/MB-101{query}", width=390)
    page.evaluate(UNFOLD)
    assert violations(page) == []


def test_the_page_of_people_has_no_violation(opened: Opened) -> None:
    page = opened.page("floorperson", "", "/people", width=360)
    page.fill("#people-person", "Dora")
    page.select_option("#people-office", "dealer")
    page.click("#new-grant button")
    page.wait_for_selector("#people-waiting form")
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_page_for_whoever_has_no_session_has_no_violation(opened: Opened) -> None:
    for path in ("/enter?link=x", "/tables/MB-101"):
        page = opened.window("none", path)
        assert violations(page) == []
    opened.expect("401")


def test_violations_are_found_where_there_are_any(opened: Opened) -> None:
    page = page_of(opened, "dealer", "/tables/MB-101")
    page.evaluate(
        "document.querySelector('h1').outerHTML = '<img src=/icon.svg><button></button>'"
        " + '<p id=main style=color:#ccc>pale</p>'"
    )
    found = {one.partition(" ")[0] for one in violations(page)}
    assert {"image-alt", "button-name"} <= found
    # Its own style was refused by the policy of the page, so there is a fault in the console.
    opened.faults.clear()
