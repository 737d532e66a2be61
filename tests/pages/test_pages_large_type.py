"""Pages for whoever has set type of twice the usual size: nothing is cut, and nothing overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.server.resources.page_calls import PAGES
from support.browsers import chromium
from support.project import ROOT
from support.served import Served, served
from support.tables import make_table
from support.volume import spread
from support.windows import UNFOLD, dealt, prepared, ready, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

OFFICES: Final = (
    "patron", "dealer", "board", "cage", "floorperson", "pit boss", "accounting", "surveillance",
)  # fmt: skip
CUT: Final = """() => [...document.querySelectorAll('body, body *')]
  .filter((one) => !one.closest('.scroll, .newest, svg, .unseen, .skip, .up, caption, #calls, #desk h2'))
  .filter((one) => one.checkVisibility() && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1
    && !one.querySelector('.scroll'))
  .map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`)"""
"""What is wider than its place: it is cut, or lies over what is beside it. What a finger meets of a
link in a line is wider than the link; what the line of calls cuts off is in the history."""

LONG: Final = """() => document.querySelectorAll('#next > .clauses > summary').forEach((one) =>
  (one.textContent = '7.7(c)#1, 7.7(c)1#1, 7.7(c)1#2'))"""
"""Has an act rest on three clauses, as a card does."""
OVER: Final = """() => [...document.querySelectorAll('#next > .clauses')].filter((one) =>
  one.getBoundingClientRect().bottom > one.nextElementSibling.getBoundingClientRect().top + 4).length"""
"""How many lists of clauses lie over what is next."""
BROKEN: Final = """() => [...document.querySelectorAll('.row button, .consent button')]
  .filter((one) => one.checkVisibility() && !one.textContent.includes(' '))
  .map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return [one.textContent, text.getBoundingClientRect().height, parseFloat(getComputedStyle(one).fontSize)];
  }).filter(([, high, size]) => high > 2 * size)"""
"""Buttons whose one word is broken."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium("--blink-settings=defaultFontSize=32") as one:
        yield one


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table with a round to pay."""
    with ready(tmp_path_factory.mktemp("large")) as one:
        wagers = {(1, "player"): 10_000, (2, "banker"): 450_000, (2, "tie"): 2_500}
        dealt(one, "9h 2c Ts 3d", wagers)
        dealt(one, "As Ah 6c 6d", {(1, "player"): 10_000}, upto="SettleWagers")
        misread = {"recorded": "6d", "actual": "6h", "hand": "banker", "ordinal": 2}
        asked = {"type": "CorrectMisreadCard", "supervisor": "floorperson", **misread}
        assert one.person("dealer").does("MB-101", asked).status_code == 202
        yield one


@pytest.mark.parametrize("office", spread(OFFICES, 4))
def test_a_page_has_room_for_type_of_twice_the_size(
    browser: Browser, house: Served, office: str
) -> None:
    grant: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
    with windows(browser, house) as opened:
        page = opened.page(office, "Patron 1" if grant else "", **grant)
        page.locator("body[data-state=live]").wait_for()
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == [], f"{width} pixels wide"
            assert page.evaluate(BROKEN) == []
        page.evaluate(LONG)
        assert page.evaluate(OVER) == 0
        if office == "dealer":
            first, second = (page.locator(f"#seats thead th >> nth={at}") for at in (0, 1))
            # Beside the names of the wagers there is a seat: others are scrolled to.
            left, right = (
                one.evaluate("(at) => at.getBoundingClientRect().x") for one in (first, second)
            )
            assert left + 360 > right + 32
        page.evaluate(UNFOLD)
        assert page.evaluate(CUT) == []


def test_the_sign_of_a_failed_device_has_room_for_type_of_twice_the_size(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        text = (ROOT / "submissions" / "nj-minibaccarat-continuous.toml").read_text()
        (tmp_path / "table.toml").write_text(text.replace('pit = "7"', 'pit = "1"'))
        make_table(house, tmp_path / "table.toml")
        house.do(prepared(house, "MB-701", 1))
        failed = {"case": "no-device", "supervisor": "floorperson", "reason": "x", "damaged": 0}
        for office, command in (
            ("dealer", {"type": "PlaceWager", "seat": 1, "wager": "tie", "cents": 500}),
            ("dealer", {"type": "CallNoMoreBets"}),
            ("floorperson", {"type": "ReportDeviceFailure", **failed}),
        ):
            assert house.person(office).does("MB-701", command).status_code == 200
        page = opened.page("dealer", path="/tables/MB-701")
        page.locator(".down").wait_for()
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == [], f"{width} pixels wide"
            assert page.evaluate(OVER) == 0


def test_a_question_has_room_for_type_of_twice_the_size(browser: Browser, house: Served) -> None:
    with windows(browser, house) as opened:
        drill = opened.page("floorperson", "Flo", "/drills", width=360)
        for one in drill.locator("[name=kind]").all():
            one.set_checked(one.get_attribute("value") == "order")
        drill.get_by_label("Seed").fill("3")
        drill.get_by_label("Number of questions").fill("1")
        for name in ("Begin", "Answer"):
            drill.get_by_role("button", name=name).click()
            drill.wait_for_load_state()
            assert drill.evaluate(CUT) == []
            assert drill.evaluate("document.documentElement.scrollWidth") <= 360
