"""What the floor and the books look at: the pit at a glance, slips, counts, win and hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.server.resources.page_calls import PAGES
from support.moments import ended
from support.page_forms import part_of, rows_of
from support.served import Person, Served, served
from support.tables import make_table
from support.windows import SCROLLED, Opened, dealt, windows, with_clerks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
# Player 9 against 5, so both stay: $100 on Player wins $100, $50 on Banker loses.
NATURAL: Final = "9h 2c Ts 3d"
WAGERS: Final = {(1, "player"): 10_000, (2, "banker"): 5_000}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with with_clerks(tmp_path) as one:
        yield one


def text_of(person: Person, path: str = T) -> str:
    answer = person.http.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def done(person: Person, consents: Person | None = None, /, **command: Any) -> None:
    """Give a command, and have another person consent to it."""
    answer = person.does("MB-101", command)
    if consents is None:
        assert answer.status_code == 200, answer.text
        return
    assert answer.status_code == 202, answer.text
    name = answer.json()["consent"]["id"]
    headers = {"Idempotency-Key": consents.key()}
    told = consents.http.post(
        f"/v1/tables/MB-101/consents/{name}", json={"consent": True}, headers=headers
    )
    assert told.status_code == 200, told.text


def test_a_fill_is_followed_from_the_request_to_the_tray(house: Served) -> None:
    people = {one: house.person(one) for one in ("floorperson", "cage", "dealer", "accounting")}
    chips = {"10000": 10}  # ten chips of $100
    done(people["floorperson"], type="RequestFill", slip=7, chips=chips)
    slip = {"slip": 7, "chips": chips}
    for state in ("requested", "issued", "received"):
        if state == "issued":
            done(people["cage"], type="IssueFill", **slip)
        if state == "received":
            done(people["dealer"], people["floorperson"], type="ReceiveFill", **slip)
        for office in ("cage", "accounting"):
            (row,) = rows_of(text_of(people[office]), "slips")[1:]
            assert row[:4] == ["7", "fill", "$1,000", state]
    days = rows_of(text_of(people["accounting"]), "wins")
    at = days[0].index("Fills")
    assert days[1][at] == "$1,000"


@pytest.mark.parametrize("office", ["accounting", "cage", "licensee", "pit clerk"])
def test_papers_and_what_is_next_are_in_one_view(
    opened: Opened, house: Served, office: str
) -> None:
    floor = house.person("floorperson")
    for slip in range(1, 16):
        done(floor, type="RequestFill", slip=slip, chips={"10000": slip})
    dealt(house, NATURAL, WAGERS)
    page = opened.page(office)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("body[data-state=live]").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") == 800
    for part in ("#facts", "#next", "#drawer-acts", "#drawer-table"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 760
    # What is longer moves in itself, also by keys.
    page.locator("#desk").focus()
    page.keyboard.press("End")
    last = page.locator("#desk > section").last
    page.wait_for_function(
        "(one) => one.getBoundingClientRect().bottom < 760", arg=last.element_handle()
    )
    # All else is in a drawer, one key away.
    for key, part in (("i", "limits"), *([("m", "forms")] if office != "pit clerk" else [])):
        page.keyboard.press(key)
        page.locator(f"#{part}").wait_for()


def test_a_form_at_the_end_of_a_shoe_leaves_nothing_to_scroll(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        make_table(house)
        house.do(ended(house))
        page = opened.page("pit clerk")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator("body[data-state=live]").wait_for()
        assert page.evaluate(SCROLLED) == []
        page.keyboard.press("o")
        page.locator("#acts summary").first.wait_for()


def test_a_count_that_differs_stands_out(house: Served) -> None:
    expected = house.service.tables["MB-101"].desk.durable.ledger.balance("inventory")
    chips = {"2500": expected // 2500 - 1}  # one chip of $25 is missing
    done(house.person("dealer"), house.person("floorperson"), type="CountInventory", chips=chips)
    row = rows_of(text_of(house.person("accounting")), "counts")[1]
    assert (row[1], row[4]) == ("tray", "−$25")


def test_win_and_hold_are_told_by_day_by_shoe_and_by_table(house: Served) -> None:
    dealt(house, NATURAL, WAGERS)
    # Both patrons bought in for $5,000; the table paid $100 and took $50.
    books = house.person("accounting")
    text = text_of(books)
    heads, day, _, shoe = rows_of(text, "wins")
    told = dict(zip(heads, day, strict=True))
    assert (told["Table win"], told["Drop"], told["Hold"]) == ("−$50", "$10,000", "−0.50%")
    assert shoe == ["2011-02-22, shoe 1", "1", "−$50", "−0.50%"]
    assert "The win follows from drop, Forms, fills, credits, and tray." in text
    (row,) = rows_of(text_of(books, "/tables"), "wins")[1:]
    assert row[:4] == ["MB-101", "−$50", "$10,000", "−0.50%"]
    # Who has no duty to see money sees none of it.
    for office in ("dealer", "pit clerk", "board"):
        other = house.person(office)
        assert 'id="wins"' not in text_of(other) + text_of(other, "/tables")


NAMED: Final = """() => Array.from(document.querySelectorAll('#wins tbody tr'), (row) =>
    Array.from(row.cells, (cell) => [getComputedStyle(cell, '::before').content, cell.innerText]))"""


NINE_DIGITS: Final = """() => [...document.querySelectorAll('td, dd')]
  .filter((one) => one.textContent.includes('$'))
  .map((one) => (one.textContent = '−$987,654,321')).length"""
"""Writes an amount wherever there is one, and returns how many there are."""


def test_each_figure_of_a_day_is_named_on_a_phone(opened: Opened, house: Served) -> None:
    dealt(house, NATURAL, WAGERS)
    page = opened.page("accounting", width=360)
    page.locator("#wins").wait_for()
    day, shoe = page.evaluate(NAMED)
    assert day[0] == ["none", "2011-02-22"]
    assert [*day[2], *day[3]] == ['"Table win"', "−$50", '"Drop"', "$10,000"]
    assert shoe[2:] == [['"Table win"', "−$50"], ['"Share of the day\'s drop"', "−0.50%"]]
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("office", ["cage", "accounting"])
def test_no_amount_of_nine_digits_makes_a_page_of_money_wider_than_its_screen(
    opened: Opened, house: Served, office: str
) -> None:
    dealt(house, NATURAL, WAGERS)
    page = opened.page(office)
    page.locator("#wins").wait_for()
    assert page.evaluate(NINE_DIGITS) > 5
    for width in (360, 1024):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_pit_shows_the_win_within_what_the_wagers_predict(house: Served) -> None:
    assert 'class="band"' not in text_of(house.person("pit boss"), "/tables")
    dealt(house, NATURAL, WAGERS)
    text = text_of(house.person("pit boss"), "/tables")
    # The house wins $50 less $100 if Player wins, and $100 less 95% of $50 if Banker wins.
    player, banker = 0.446247, 0.458597
    mean = -50 * player + 52.5 * banker
    spread = (2500 * player + 52.5**2 * banker - mean**2) ** 0.5
    (said,) = re.findall(r'class="band".*?<title>(.*?)</title>', text)
    amounts = [float(one.replace("−", "-")) for one in re.findall("(−?)[$]([0-9.]+)", said)
               for one in ["".join(one)]]  # fmt: skip
    assert amounts == pytest.approx([-50, mean, mean - 2 * spread, mean + 2 * spread], abs=0.006)
    assert f"−{(50 + mean) / spread:.1f} deviations" in text
    # Win is money: an office without access to it sees no band.
    for office in ("dealer", "pit clerk"):
        assert "deviations" not in text_of(house.person(office), "/tables")


def test_the_pit_shows_how_each_table_stands_and_what_waits(house: Served) -> None:
    for _ in range(3):
        dealt(house, NATURAL, WAGERS)
    dealer, floor = house.person("dealer"), house.person("floorperson")
    text = text_of(floor, "/tables")
    (row,) = rows_of(text, "duties")[1:]
    assert row[:3] == ["MB-101", "Player", "3"]
    assert re.fullmatch(r"[\d,]+ rounds an hour", row[3])
    assert row[4] == "0"
    assert row[5].startswith("Dealer: dealer; Floorperson: ")
    assert "Acts that wait for you" not in text
    asked = {"type": "CountInventory", "chips": {"2500": 1}, "closing": False}
    assert dealer.does("MB-101", asked).status_code == 202
    done(floor, type="PauseTable", reason="a spilled drink")
    text = text_of(floor, "/tables")
    assert "Acts that wait for you: 1" in text
    assert '<p class="wrong">Paused</p>' in text
    done(floor, type="ResumeTable")
    dealt(house, NATURAL, {(1, "player"): 10_000}, upto="SettleWagers")
    # Four cards decide a natural: a fifth is drawn in error.
    done(dealer, type="DrawCardInError", card="4c", disclosed=True)
    assert rows_of(text_of(floor, "/tables"), "duties")[1][4] == "1"


def test_the_floor_has_its_acts_by_what_they_are_about(house: Served) -> None:
    text = text_of(house.person("floorperson"))
    acts = part_of(text, "acts")
    groups = re.split(r"<h3>", acts)[1:]
    by_title = {one.partition("<")[0]: re.findall(r'id="other-(\w+)-', one) for one in groups}
    assert "RequestFill" in by_title["Fills, credits, and counts"]
    assert "RelieveDealer" in by_title["Who stands where"]
    # Play that goes on is not resumed.
    assert "ResumeTable" not in acts


def test_a_pit_shows_the_notices_of_its_licensee(house: Served) -> None:
    licensee = house.person("licensee")
    notice = {"type": "GiveNotice", "elections": {"bonus.paytable": "B"}, "to": "surveillance"}
    answer = licensee.http.post(
        "/v1/pits/1/commands", json=notice, headers={"Idempotency-Key": licensee.key()}
    )
    assert answer.status_code == 200, answer.text
    row = rows_of(text_of(house.person("floorperson"), "/tables"), "pit")[1]
    assert row[:3] == ["bonus.paytable", "B", "surveillance"]
    for office in ("patron", "board"):
        grant: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
        who = "Patron 1" if office == "patron" else ""
        assert 'id="pit"' not in text_of(house.person(office, who, **grant), "/tables")
