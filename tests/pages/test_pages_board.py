"""The board is a kiosk: one screen at every size, dark, without links, and never without a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from support.axe import violations
from support.served import Served
from support.windows import Opened, dealt

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

SIZES: Final = ((1280, 800), (1920, 1080), (2560, 1440), (3840, 2160))
BOXES: Final = """() => Object.fromEntries([...document.querySelectorAll('main section')]
  .map((one) => [one.id, one.getBoundingClientRect()])
  .map(([id, box]) => [id, [box.left, box.top, box.right, box.bottom]]))"""
CUT: Final = """() => [...document.querySelectorAll('main *')]
  .filter((one) => !one.closest('svg, .newest') && one.clientWidth
    && getComputedStyle(one).display !== 'inline' && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !getComputedStyle(one).clipPath.startsWith('inset'))
  .map((one) => one.outerHTML.slice(0, 80))"""
"""What is wider than its place."""


def board(opened: Opened) -> Page:
    page = opened.page("board")
    page.locator("body[data-state=live]").wait_for()
    return page


def test_all_of_it_is_on_one_screen_and_the_roads_take_most(opened: Opened) -> None:
    wagers = {(1, "player"): 10_000}
    dealt(opened.house, "9h 2c Ts 3d", wagers)
    dealt(opened.house, "2h 3c 3s 4d 2d", wagers, upto="ClearLayout")
    page = board(opened)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        scrolls = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(scrolls) == [width, height]
        assert page.evaluate(CUT) == [], width
        boxes = page.evaluate(BOXES)
        assert set(boxes) == {"status", "roads", "last", "counts", "limits"}
        assert all(right <= width and bottom <= height for _, _, right, bottom in boxes.values())
        left, top, right, bottom = boxes["roads"]
        assert (right - left) * (bottom - top) > 0.6 * width * height
        # No band is without a use: from edge to edge a twentieth of the screen is the most.
        assert top - boxes["status"][3] < height / 20
        assert min(height - boxes[one][3] for one in ("roads", "limits")) < height / 20
        assert boxes["last"][0] - right < width / 20
        # What is read from ten meters is at least a twentieth of the screen.
        size = page.evaluate(
            "parseFloat(getComputedStyle(document.querySelector('.total')).fontSize)"
        )
        assert size >= height / 20


@pytest.mark.parametrize("most", ["$1,000,000", "HK$3,000,000"])
def test_long_limits_have_room(opened: Opened, monkeypatch: pytest.MonkeyPatch, most: str) -> None:
    monkeypatch.setattr("croupier.server.pages.seat.range_of", lambda _: f"$25–{most}")
    page = board(opened)
    assert page.locator("#limits tr").count() == 8
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(BOXES)["limits"][2] <= width
        assert page.locator("#limits td >> nth=-1").evaluate(
            "(one) => one.getBoundingClientRect().bottom <= innerHeight"
        )


def test_a_long_road_shows_its_newest_columns_in_its_place(opened: Opened) -> None:
    dealt(opened.house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    page = board(opened)
    # As wide as a shoe with a hundred columns.
    page.evaluate(
        "document.querySelectorAll('.road[viewBox]').forEach((one) => one.viewBox.baseVal.height > 10"
        " && one.setAttribute('viewBox', `0 0 ${100 * one.viewBox.baseVal.height / 6}"
        " ${one.viewBox.baseVal.height}`))"
    )
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        right = page.evaluate(BOXES)["roads"][2]
        ends = page.evaluate(
            "[...document.querySelectorAll('.newest')].map((one) => one.getBoundingClientRect().right)"
        )
        assert len(ends) == 5
        assert max(ends) <= right


def test_it_is_dark_and_has_no_links(opened: Opened) -> None:
    page = board(opened)
    assert page.locator("a, button, summary, input").count() == 0
    red, green, blue = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(red, green, blue) < 40
    assert violations(page) == []


TOP: Final = "document.querySelector('#last .hand').getBoundingClientRect().top"


def test_the_last_result_stays_until_the_next_one(opened: Opened, house: Served) -> None:
    wagers = {(1, "player"): 10_000}
    page = board(opened)
    assert page.inner_text("#last .big") == "No result yet"
    assert page.text_content("#last .dealt") == "\u00a0"
    top = page.evaluate(TOP)
    # Player 9 (nine and ten) over Banker 5 (two and three).
    dealt(house, "9h 2c Ts 3d", wagers)
    page.locator("#last .big", has_text="Player 9 over 5").wait_for()
    # The result is shown since it was decided, and the layout is cleared later.
    page.locator("#status .state", has_text="Place your bets").wait_for()
    assert "Shoe 1 · Round 2" in page.inner_text("#status")
    dealt(house, "2h 3c", wagers, upto="SettleWagers")
    page.locator("#last .hand.player .card", has_text="2").wait_for()
    assert page.inner_text("#last .big") == "Player 9 over 5"
    # The result of one round is next to the cards of another, and each says of which.
    assert page.inner_text("#last h2").casefold() == "result of round 1"
    assert page.inner_text("#last .dealt") == "Cards of round 2"
    assert page.evaluate(TOP) == top
    assert page.inner_text("#status .state").endswith("No more bets")
    dealer = house.person("dealer")
    # Player 2 and 3, and another 2: 7; Banker 3 and 4: 7.
    for card in ("3s", "4d", "2d"):
        assert dealer.does("MB-101", {"type": "DrawCard", "card": card}).status_code == 200
    page.locator("#last .big", has_text="Tie 7").wait_for()
    for command in ("SettleWagers", "ClearLayout"):
        assert dealer.does("MB-101", {"type": command}).status_code == 200
    page.locator("#status .state", has_text="Place your bets").wait_for()
    assert page.inner_text("#last .big") == "Tie 7"
    counts = page.locator("#counts dd").all_inner_texts()
    assert counts == ["0", "1", "1", "1", "0", "0"]
