"""A patron's countdown: elected by the house, shown from the clearing of a round, and never a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, part_of
from support.served import FREELY, Served, served
from support.tables import make_table
from support.windows import Opened, dealt, prepared

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")
T = "/tables/MB-101"


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    limits = replace(FREELY, wager_seconds=getattr(request, "param", 0))
    with served(tmp_path / "pit.sqlite", more=PAGES, limits=limits) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 2))
        dealt(one, "9h 2c Ts 3d", {(1, "player"): 2_500})
        yield one


def next_of(house: Served) -> str:
    page = browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",)).get(T)
    return part_of(page.text, "next")


def test_without_an_election_there_is_no_countdown(house: Served) -> None:
    assert "data-left" not in next_of(house)


@pytest.mark.parametrize("house", [1], indirect=True)
def test_a_countdown_counts_to_zero_and_refuses_nothing(opened: Opened, house: Served) -> None:
    page = opened.page("patron", "Patron 1", seat=1, tables=("MB-101",))
    page.locator("#left", has_text="0 s").wait_for()
    page.fill("#bet-tie", "5")
    page.click("#bets .primary")
    page.locator("#bet", has_text="Placed $5").wait_for()
    # The dealer's call closes the wagers, and ends the countdown.
    called = house.person("dealer").does("MB-101", {"type": "CallNoMoreBets"})
    assert called.status_code == 200
    page.locator("#left").wait_for(state="detached")


@pytest.mark.parametrize("house", [600], indirect=True)
def test_a_clock_that_is_set_back_gives_no_more_time(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = house.service.now()
    monkeypatch.setattr(house.service, "now", lambda: now - 40 * 60 * 1000)
    assert 'data-left="600"' in next_of(house)


@pytest.mark.parametrize("house", [600], indirect=True)
def test_a_countdown_goes_on_between_two_renewals(opened: Opened, house: Served) -> None:
    page = opened.page("patron", "Patron 1", seat=1, tables=("MB-101",))
    # It has room on a phone, and moves nothing as it ends with the call.
    page.set_viewport_size({"width": 360, "height": 740})
    places = "() => [...document.querySelectorAll('main > *')].map((one) => one.offsetTop)"
    assert page.evaluate("document.documentElement.scrollHeight") == 740
    before = page.evaluate(places)
    page.evaluate("document.querySelector('#left').remove()")
    assert page.evaluate(places) == before
    page.reload()
    left = int(page.get_attribute("#left", "data-left") or "")
    assert 590 <= left <= 600
    page.wait_for_function(
        "(left) => Number(document.querySelector('#left').dataset.left) < left", arg=left - 1
    )
    assert "data-left" in next_of(house)
    # While the table is paused nothing counts.
    paused = {"type": "PauseTable", "reason": "a spill"}
    assert house.person("floorperson").does("MB-101", paused).status_code == 200
    assert "data-left" not in next_of(house)
