"""Surveillance: layout, last entries, slider, and verdict in one view; filters; a wall of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import pytest

from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, part_of, rows_of
from support.served import Served, served
from support.tables import make_table
from support.windows import SCROLLED, Opened, dealt, prepared, windows

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
WAGERS: Final = {(1, "player"): 10_000, (2, "banker"): 25_000, (2, "tie"): 2_500}
CUT: Final = """() => [...document.querySelectorAll('#desk td, #desk .card, #slider, #back a, #paid p, #alarm p,'
    + ' #entries tbody tr, .drawers summary')]
  .filter((one) => one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.top < 0 || box.bottom > Math.min(document.querySelector('#answer')
      .getBoundingClientRect().top, one.closest('section')?.getBoundingClientRect().bottom ?? 800) + 1
    || box.right > innerWidth + 1)
  .map(([one]) => one.outerHTML.slice(0, 80))"""


def watching(opened: Opened) -> Page:
    page = opened.page("surveillance")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("body[data-state=live]").wait_for()
    return page


def test_layout_entries_slider_and_verdict_are_in_one_view(opened: Opened, house: Served) -> None:
    for cards in ("9h 2c Ts 3d", "2h 3c 4s 4d", "As Ah 6c 6d"):
        dealt(house, cards, WAGERS)
    dealt(house, "9h 2c Ts 3d", WAGERS, upto="SettleWagers")
    on = {"type": "AssignOffice", "person": "surveillance", "office": "surveillance"}
    assert house.person("floorperson").does("MB-101", on).status_code == 200
    error = {"type": "DrawCardInError", "card": "Qs", "disclosed": True}
    assert house.person("dealer").does("MB-101", error).status_code == 200
    note = {"type": "WriteNote", "text": "a cover card is bent"}
    for person in ("Dana Whitfield", "Fay Moreno"):
        on = {"type": "AssignOffice", "person": person, "office": "floorperson"}
        assert house.person("floorperson").does("MB-101", on).status_code == 200
        assert house.person("floorperson", person).does("MB-101", note).status_code == 200
    page = watching(opened)
    page.locator("#entries tbody tr").nth(14).wait_for()
    assert page.locator("#entries tbody tr").count() == 15
    # So does a tablet, with the links to what was irregular.
    for width, height in ((1024, 768), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SCROLLED) == [], width
    assert page.evaluate("document.documentElement.scrollHeight") == 800
    assert page.evaluate(CUT) == []
    # No time, and no name or office, is cut.
    cut = """(cells) => cells.filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent)"""
    for column in (1, 2, 3):
        cells = page.locator(f"#entries tr > :nth-child({column})")
        assert cells.count() == 16
        assert cells.evaluate_all(cut) == []
    # A longer name has two lines at most, and all of it in an entry that is chosen.
    names = "'Maximiliana Alexandra von Hohenlohe-Langenburg, Bartholomew Featherstonehaugh'"
    cells = page.locator("#entries td:nth-child(3) > span")
    cells.evaluate_all(f"(all) => all.forEach((one) => (one.textContent = {names}))")
    assert max(cells.evaluate_all("(all) => all.map((one) => one.offsetHeight)")) < 30
    assert page.evaluate("document.documentElement.scrollHeight") == 800
    page.reload()
    page.locator("#entries tbody tr").nth(14).wait_for()
    # The last card has five lines in one; with the focus in it, all of it is shown.
    row = page.locator("#entries tbody tr >> nth=6")
    short = row.bounding_box()
    assert short is not None
    assert short["height"] < 30
    row.locator("a").focus()
    tall = row.bounding_box()
    assert tall is not None
    assert tall["height"] > 2 * short["height"]
    cell = "(one) => one.scrollWidth <= one.clientWidth"
    assert row.locator("td >> nth=-1").evaluate(cell)
    # Nothing is next for surveillance: it goes on at the entries.
    for _ in "oo":
        page.keyboard.press("o")
    page.locator("#entries-title:focus").wait_for()
    # The irregularity has a mark on the slider, and a link to its entry, where its report is.
    seq = house.service.tables["MB-101"].desk.durable.sequence - 4
    assert page.locator("#back .marks rect").count() == 1
    page.click(f"#back a >> text={seq}")
    assert f"at={seq}" in page.url
    page.locator("#clip-pdf button").wait_for()


def found(house: Served, **asked: Any) -> list[list[str]]:
    with browser_of(house, "surveillance") as browser:
        return rows_of(browser.get(f"{T}?{urlencode(asked)}").text, "entries")[1:]


def test_entries_are_filtered_by_seat_office_kind_and_amount(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", WAGERS)
    seat = found(house, seat=2)
    assert seat
    assert all("seat 1 " not in what.casefold() or "seat 2 " in what.casefold()
               for *_, what in seat)  # fmt: skip
    calls = found(house, kind="spoken", office="dealer")
    assert {"dealer (dealer)"} == {by for _, _, by, _ in calls}
    assert any("No More Bets" in what for *_, what in calls)
    # $250 were placed at seat 2; $100 and $25 are less.
    many = found(house, kind="money", amount="$250", seat=2)
    assert any("Banker $250" in what for *_, what in many)
    assert not any("Tie $25" in what for _, _, by, what in many if "Wagers" in what)
    # What is no amount filters nothing, and nothing fails.
    assert found(house, amount="x", seat=2) == seat
    assert found(house, office="cage") == []
    with browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",)) as patron:
        assert "look-for" not in patron.get(f"{T}?seat=2").text


def test_a_wall_of_six_tables_is_in_one_view(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        for at in range(6):
            make_table(house, table=f"T-{at}")
            house.do(prepared(house, f"T-{at}", 2))
        with windows(browser, house) as opened:
            page = opened.page("surveillance", path="/tables")
            page.set_viewport_size({"width": 1280, "height": 800})
            page.locator(".glances .hands").nth(5).wait_for()
            bottoms = page.evaluate(
                "[...document.querySelectorAll('.glances li')]"
                ".map((one) => one.getBoundingClientRect().bottom)"
            )
            assert len(bottoms) == 6
            assert max(bottoms) <= 756
            assert page.evaluate(SCROLLED) == []
            page.click(".glances h3 a >> nth=0")
            page.locator("#entries").wait_for()


def test_the_floor_has_no_hands_on_its_pit_page(house: Served) -> None:
    with browser_of(house, "floorperson") as floor:
        assert 'class="hands"' not in part_of(floor.get("/tables").text, "tables")


def test_a_phase_in_many_words_moves_nothing_on_the_pit_page(opened: Opened) -> None:
    page = opened.page("floorperson", path="/tables")
    page.locator("body[data-state=live]").wait_for()
    tops = []
    for words in ("in the deal", "waiting for the layout to be cleared"):
        phase = page.locator(".glances li > div > p:first-child >> nth=0")
        phase.evaluate("(one, words) => (one.textContent = words)", words)
        tops.append(
            page.locator(".glances .facts > div >> nth=0").evaluate("(one) => one.offsetTop")
        )
    assert tops[0] == tops[1]
