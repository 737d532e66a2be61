"""The gaming days of a table on its pages: who ends one, and what a day looks like later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from croupier.acts.command import TERMS
from croupier.reports.words import say
from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, form_of, part_of, rows_of, sent
from support.served import Person, Served, served
from support.tables import CLOSE, COUNT, NOTIFIED, OPEN, a_day, given, make_table
from support.windows import Opened

pytest_plugins = ["support.page_fixtures"]

T: Final = "/tables/MB-101"
DAYS: Final = f"{T}/days"
LOOK: Final = ("surveillance", "licensee", "accounting", "floorperson", "pit boss")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        yield one


def text_of(browser: httpx.Client, query: str = "") -> str:
    answer = browser.get(T + query)
    assert answer.status_code == 200, answer.text
    return answer.text


def ends_day(house: Served, browser: httpx.Client) -> httpx.Response:
    """Send the form that ends the gaming day, as the page has it."""
    return sent(house, browser, DAYS, form_of(text_of(browser), "end-day"))


def days(browser: httpx.Client, query: str = "") -> list[list[str]]:
    return rows_of(text_of(browser, query), "days")[1:]


@pytest.mark.parametrize("office", ["floorperson", "pit boss"])
def test_the_day_of_a_closed_table_is_ended_by_a_form(house: Served, office: str) -> None:
    a_day(house)
    browser = browser_of(house, office)
    form = form_of(text_of(browser), "end-day")
    answer = sent(house, browser, DAYS, form)
    assert (answer.status_code, answer.headers["location"]) == (303, T)
    # What a form was sent for is done once, however often it is sent.
    assert sent(house, browser, DAYS, form).status_code == 303
    assert days(browser) == [["Day 2", "none", "under way"], ["Day 1", "1 to 3", "ended"]]
    assert len(house.service.tables["MB-101"].desk.days.all) == 2


def test_why_a_day_does_not_end_is_said_in_the_place_of_the_form(house: Served) -> None:
    browser = browser_of(house, "floorperson")
    dealer, floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    for command, why in ((None, "has not been opened"), (OPEN, "close it first")):
        if command is not None:
            given(floor, dealer, command)
        part = part_of(text_of(browser), "days")
        assert "end-day" not in part
        assert why in part
    given(floor, dealer, CLOSE)
    form = form_of(text_of(browser), "end-day")
    given(floor, dealer, OPEN)
    # A page that was left open sends it all the same.
    refused = sent(house, browser, DAYS, form)
    assert refused.status_code == 409
    assert "close it first" in refused.text
    assert len(house.service.tables["MB-101"].desk.days.all) == 1


def test_the_forms_of_a_day_and_the_day_of_a_table_end_by_acts_of_different_names() -> None:
    forms, day, amended = (TERMS["EndGamingDay"].title, say("day.end"), say("day.amend"))
    assert "Forms" in forms
    assert [one.startswith("Begin the next gaming day") for one in (forms, day, amended)] == [
        False, True, True,
    ]  # fmt: skip
    assert len({forms, day, amended}) == 3
    assert len({terms.title for terms in TERMS.values()}) == len(TERMS)


def test_notice_of_elections_without_a_submission_is_refused(house: Served) -> None:
    _, floor = a_day(house)
    browser = browser_of(house, "floorperson", "Flo")
    form = form_of(text_of(browser), "end-day")
    by_page = sent(house, browser, DAYS, form | {"notified": NOTIFIED})
    key = {"Idempotency-Key": "notified"}
    place = "/v1/tables/MB-101/days"
    by_call = floor.http.post(place, params={"notified": NOTIFIED}, headers=key)
    assert by_call.json()["code"] == "malformed"
    for answer in (by_page, by_call):
        assert answer.status_code == 422
        assert "send it with a submission, or leave it out" in answer.text
    assert len(house.service.tables["MB-101"].desk.days.all) == 1
    # The same keys serve for the request without it.
    assert floor.http.post(place, headers=key).status_code == 200
    assert len(house.service.tables["MB-101"].desk.days.all) == 2


@pytest.mark.parametrize(
    "office", ["dealer", "board", "pit clerk", "cage", "accounting", "surveillance", "licensee"]
)
def test_who_may_not_end_a_day_has_no_form_for_it(house: Served, office: str) -> None:
    a_day(house)
    browser = browser_of(house, office)
    text = text_of(browser)
    assert "end-day" not in text
    assert ('id="days"' in text) is (office in LOOK)
    form = {**form_of(text_of(browser_of(house, "floorperson")), "end-day")}
    # The form of another session is refused as such, so it is the office that the API is asked of.
    key = {"Idempotency-Key": form["key"]}
    refused = house.person(office).http.post("/v1/tables/MB-101/days", headers=key)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


def two_days(house: Served) -> None:
    """End a day in which the tray was counted once; count it twice on the next one, with a loss."""
    dealer, floor = a_day(house)
    assert ends_day(house, browser_of(house, "floorperson", "Flo")).status_code == 303
    given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
    given(dealer, floor, {"type": "CountInventory", "chips": {"10000": 499}, "closing": False})
    given(floor, dealer, CLOSE)
    given(dealer, floor, COUNT)


def counted(text: str) -> list[str]:
    return [row[1] for row in rows_of(text, "counts")[1:]]


def test_accounting_looks_at_a_day_by_itself(house: Served) -> None:
    two_days(house)
    books = browser_of(house, "accounting")
    assert counted(text_of(books)) == ["tray, at the close", "tray", "tray, at the close"]
    first, second = text_of(books, "?day=1"), text_of(books, "?day=2")
    assert counted(first) == ["tray, at the close"]
    assert counted(second) == ["tray, at the close", "tray"]
    dates = [[row[0] for row in rows_of(one, "wins")[1:2]] for one in (first, second)]
    assert dates == [["2011-02-22"], ["2011-02-23"]]
    # A day that is over is looked at, and nothing is done in it.
    assert "Day 1" in part_of(first, "back")
    assert re.findall(r'<form [^>]*action="([^"]+)"', first) == ["/leave"]
    assert 'id="next"' in second
    assert books.get(f"{T}?day=3").status_code == 404


@pytest.mark.parametrize("office", LOOK)
def test_a_day_that_is_over_is_shown_as_it_ended(house: Served, office: str) -> None:
    two_days(house)
    browser = browser_of(house, office)
    text = text_of(browser, "?day=1")
    assert 'data-seq="3"' in text
    assert "data-events" not in text
    assert 'data-seq="7"' in text_of(browser, "?day=2")


def test_who_does_not_see_the_days_is_shown_the_table_as_it_is(house: Served) -> None:
    two_days(house)
    for office in ("dealer", "board", "cage"):
        assert 'data-seq="7"' in text_of(browser_of(house, office), "?day=1")


def test_a_part_of_a_day_follows_what_happens_in_it(house: Served) -> None:
    two_days(house)
    person: Person = house.person("accounting")
    told = person.sees(f"{T}/parts", day=2)
    assert counted(told["html"]) == ["tray, at the close", "tray"]


def test_a_day_ends_on_a_page_that_follows_the_table(opened: Opened, house: Served) -> None:
    a_day(house)
    floor = opened.page("floorperson", "Flo", width=360)
    floor.locator("body[data-state=live]").wait_for()
    floor.click("#drawer-more > summary")
    floor.click("#day-ends > summary")
    floor.click("#end-day button")
    floor.locator("#days", has_text="Day 2").wait_for(state="attached")
    assert floor.locator("#end-day").count() == 0
    assert "has not been opened" in (floor.text_content("#days") or "")
    assert floor.inner_text("#answer") == "Done."
