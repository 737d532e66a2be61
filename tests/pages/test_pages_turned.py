"""A table is seen from the side of the office, and turned by one button that is the same everywhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.reports.words import say
from support.served import Served
from support.windows import Opened, dealt

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

HEADS: Final = (
    "[...document.querySelectorAll('#seats thead th')].slice(1).map(h => h.textContent[0])"
)
HANDS: Final = (
    "[...document.querySelectorAll('#cards .hand h3')].map(h => h.firstChild.textContent)"
)
GRANTS: Final[dict[str, dict[str, Any]]] = {
    "dealer": {}, "floorperson": {}, "surveillance": {},
    "patron": {"seat": 1, "tables": ("MB-101",)},
}  # fmt: skip


def seen(page: Page) -> tuple[str, str]:
    """Return the side that seats and hands are shown from."""
    seats = "".join(page.evaluate(HEADS))
    hands = page.evaluate(HANDS)
    sides = {"1": "patrons", "7": "dealer", "Player": "patrons", "Banker": "dealer"}
    assert sorted(seats) == [*"1234567"]
    return sides[seats[0]], sides[hands[0]]


def turned(page: Page, *, scripts: bool) -> None:
    drawer = page.locator("details:has(form.turn)")
    drawer.locator("summary").first.click()
    page.get_by_role("button", name=say("turn"), exact=True).click()
    page.wait_for_url(re.compile(r"[?&]side="))
    if scripts:
        page.locator("body[data-state=live]").wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("office", GRANTS)
def test_a_page_is_turned_and_turned_back(opened: Opened, office: str, *, scripts: bool) -> None:
    who = "Patron 1" if office == "patron" else ""
    page = opened.page(office, who, java_script_enabled=scripts, **GRANTS[office])
    own = "patrons" if office == "patron" else "dealer"
    other = "dealer" if office == "patron" else "patrons"
    assert seen(page) == (own, own)
    turned(page, scripts=scripts)
    assert seen(page) == (other, other)
    # The page goes on as it was turned, and so do the others of the session.
    dealt(opened.house, "9h 2c Ts 3d", {(1, "player"): 10_000}, upto="ClearLayout")
    if scripts:
        page.locator("#cards .hand .card").first.wait_for()
        assert seen(page) == (other, other)
    page.goto(page.url.partition("?")[0])
    assert seen(page) == (other, other)
    turned(page, scripts=scripts)
    assert seen(page) == (own, own)


def test_two_viewers_of_one_office_have_their_own_sides(opened: Opened) -> None:
    page, other = opened.page("surveillance"), opened.page("surveillance", "Sue")
    turned(page, scripts=True)
    other.reload()
    assert (seen(page)[0], seen(other)[0]) == ("patrons", "dealer")


def test_whoever_leaves_takes_the_side_along(opened: Opened) -> None:
    page = opened.page("dealer")
    turned(page, scripts=True)
    names = [one["name"] for one in page.context.cookies()]
    page.locator(".leave button").click()
    page.get_by_role("status").wait_for()
    left = [one["name"] for one in page.context.cookies()]
    assert ("croupier-side" in names, left) == (True, [])


@pytest.mark.parametrize(
    "query", ["at=3", "q=open&kind=act", "at=3&odds=1", "day=1", "refusals=5", "q=open&until=9"]
)
def test_what_a_page_shows_stays_when_it_is_turned(opened: Opened, query: str) -> None:
    page = opened.page("surveillance", path=f"/tables/MB-101?{query}")
    turned(page, scripts=False)
    assert page.url.endswith(f"?{query}&side=patrons")
    turned(page, scripts=False)
    assert page.url.endswith(f"?{query}&side=dealer")


def test_a_side_that_no_table_has_is_refused(house: Served) -> None:
    with house.anybody() as anybody:
        headers = {"Authorization": f"Bearer {house.token('dealer')}", "Accept": "text/html"}
        answer = anybody.get("/tables/MB-101?side=north", headers=headers)
        # A cookie that says nothing is left alone.
        kept = anybody.get("/tables/MB-101", headers={**headers, "Cookie": "croupier-side=north"})
    assert (answer.status_code, kept.status_code) == (422, 200)
    assert "side: write dealer or patrons" in answer.text
