"""The patron's phone: every wager in one view, chips to tap, and what a round came to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from croupier.server.resources.page_calls import PAGES
from support.moments import asked
from support.page_forms import browser_of, form_of, sent
from support.served import MA_EZ, NJ, PUNTO_BANCO, Served, served
from support.tables import make_table
from support.windows import SCROLLED, Opened, dealt, prepared, windows

if TYPE_CHECKING:
    import httpx
    from playwright.sync_api import Browser, Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

OUT_OF_VIEW: Final = """() => {
  const bar = document.getElementById('answer').getBoundingClientRect().top;
  return [...document.querySelectorAll('#next p, .hand, #bets li, #bets button, #own p, .drawer > summary')]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.top < 0 || box.left < 0 || box.bottom > bar + 1 || box.right > innerWidth)
    .map(([one]) => one.outerHTML.slice(0, 80)); }"""

CUT: Final = """() => [...document.querySelectorAll('.hand h3, .bets .name, .row button')]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
SIDEWAYS: Final = ((740, 360), (667, 375))
SIZE: Final = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def phone(opened: Opened) -> Page:
    page = opened.page("patron", "Patron 1", seat=1, tables=("MB-101",), has_touch=True)
    page.locator("body[data-state=live]").wait_for()
    page.set_viewport_size({"width": 360, "height": 740})
    return page


def stakes(house: Served) -> dict[str, int]:
    state = house.service.tables["MB-101"].desk.durable.state
    return {wager: stake.cents for (seat, wager), stake in state.stakes.items() if seat == 1}


def chosen(page: Page) -> dict[str, str]:
    fields = page.evaluate(
        "[...document.querySelectorAll('.bets input')].map((one) => [one.id.slice(4), one.value])"
    )
    return {name: value for name, value in fields if value}


def test_all_wagers_are_placed_without_scrolling(opened: Opened, house: Served) -> None:
    page = phone(opened)
    assert page.locator("#bets li").count() == 8
    assert page.evaluate("document.documentElement.scrollHeight") == 740
    assert page.evaluate(OUT_OF_VIEW) == []
    # Three taps: $25, another $25, and $100 on a wager that needs the first.
    page.tap("label[data-wager=player]")
    page.tap("label[data-wager=player]")
    page.tap("[data-chip='10000']")
    page.tap("label[data-wager=bonus_player]")
    page.tap("label[data-wager=bonus_player]")
    page.tap("[data-bets=undo]")
    assert chosen(page) == {"player": "50", "bonus_player": "100"}
    assert page.inner_text("#bet-total") == "$150"
    page.tap("[data-bets=double]")
    assert chosen(page) == {"player": "100", "bonus_player": "200"}
    page.tap("#bets .primary")
    page.locator("#bet", has_text="Placed $200").wait_for()
    assert stakes(house) == {"player": 10_000, "bonus_player": 20_000}
    assert chosen(page) == {}
    assert page.evaluate(OUT_OF_VIEW) == []


def test_a_phone_held_sideways_has_the_table_in_one_view(opened: Opened, house: Served) -> None:
    page = phone(opened)
    wagers = {(1, wager): 2_500 for wager in ("player", "banker", "tie", "bonus_player")}
    for moment in ("betting", "decided"):
        if moment == "decided":
            dealt(house, "9h 2c Ts 3d", wagers, upto="SettleWagers")
            page.locator("#cards .won").wait_for()
        for width, height in SIDEWAYS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SIZE) == [width, height], moment
            assert page.evaluate(OUT_OF_VIEW) == [], moment
            # The names of wagers and of who won have room.
            assert page.evaluate(CUT) == [], moment
    assert page.locator("#bets li").count() == 8


def test_nothing_moves_when_cards_come_or_play_stops(opened: Opened, house: Served) -> None:
    page = phone(opened)
    places = """() => ['bets', 'own', 'cards'].map((one) =>
      document.getElementById(one).getBoundingClientRect().top)"""
    page.locator(".prompt", has_text="Wagers are open").wait_for()
    before = page.evaluate(places)
    dealt(house, "2h 3c", {(2, "player"): 10_000}, upto="SettleWagers")
    page.locator("#cards .card").nth(1).wait_for()
    assert page.evaluate(places) == before
    reason = {"type": "PauseTable", "reason": "a patron disputes the last card"}
    assert house.person("floorperson").does("MB-101", reason).status_code == 200
    page.locator(".prompt", has_text="The table is paused.").wait_for()
    assert page.evaluate(places) == before
    assert page.evaluate("document.documentElement.scrollHeight") == 740


@pytest.mark.parametrize("office", ["patron", "dealer"])
def test_a_phone_whose_service_is_gone_says_so_without_moving(
    opened: Opened, house: Served, office: str
) -> None:
    dealt(house, "2h 3c", {(2, "player"): 10_000}, upto="SettleWagers")
    page = phone(opened) if office == "patron" else opened.page("dealer")
    page.locator("body[data-state=live]").wait_for()
    page.set_viewport_size({"width": 360, "height": 740})
    top = "document.getElementById('next').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.evaluate("become('no_owner')")
    page.locator("#state", has_text="No service answers for this table").wait_for()
    assert page.evaluate(top) == before
    assert page.evaluate(SIZE) == [360, 740]
    assert page.locator("#connection").evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_repeat_in_two_windows_places_the_wagers_once(opened: Opened, house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000, (1, "tie"): 500})
    token = house.token("patron", "Patron 1", seat=1, tables=("MB-101",))
    one, two = (opened.window(token, "/tables/MB-101") for _ in range(2))
    two.locator("body[data-state=live]").wait_for()
    # The second window has not heard of the wagers of the first one yet.
    two.evaluate("window.renew = () => {}")
    one.locator("body[data-state=live]").wait_for()
    one.click("[data-bets=repeat]")
    one.locator("#bet", has_text="Placed $100").wait_for()
    two.click("[data-bets=repeat]")
    two.locator("#answer.good", has_text="Done").wait_for()
    assert stakes(house) == {"player": 10_000, "tie": 500}


def test_repeat_in_two_windows_at_different_entries_places_the_wagers_once(house: Served) -> None:
    desk = house.service.tables["MB-101"].desk
    browser = browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",))
    one, two = (form_of(browser.get("/tables/MB-101").text, "bets") for _ in range(2))
    browser.headers["Accept"] = "application/json"

    def repeats(form: dict[str, str], seq: int) -> httpx.Response:
        """Send what the script of the page sends at an entry."""
        more = {"stakes.stakes.player": "100", "key": f"repeat-{seq}", "onto_none": "1"}
        return sent(house, browser, "/tables/MB-101/acts", form | more)

    seq = desk.durable.sequence
    # Chips of another seat are no reason to ask.
    other = {"type": "PlaceWager", "seat": 2, "wager": "player", "cents": 2_500}
    assert house.person("dealer").does("MB-101", other).status_code == 200
    assert repeats(one, seq).json()["refused"] is False
    last = desk.durable.sequence
    for at, status in ((seq + 1, 412), (last, 412), (seq, 200)):
        answer = repeats(two, at)
        assert (answer.status_code, answer.json()["clauses"]) == (status, []), answer.text
        assert (desk.durable.sequence, stakes(house)) == (last, {"player": 10_000})
        assert ("chips lie at your seat already" in answer.text) is (status == 412)
    # What is placed by hand is added.
    by_hand = {name: value for name, value in two.items() if name != "onto_none"}
    answer = sent(house, browser, "/tables/MB-101/acts", by_hand | {"stakes.stakes.player": "100"})
    assert (answer.status_code, stakes(house)) == (200, {"player": 20_000})


def test_a_round_is_one_figure_and_its_wagers_come_again_with_one_tap(
    opened: Opened, house: Served
) -> None:
    page = phone(opened)
    # Player's natural 9 against 5: $100 on Player wins $100, $5 on Tie and $50 on Banker lose.
    wagers = {(1, "player"): 10_000, (1, "tie"): 500, (1, "banker"): 5_000}
    dealt(house, "9h 2c Ts 3d", wagers)
    page.locator("#own .net", has_text="+$45").wait_for()
    assert page.inner_text("#own .big") == "$5,045"
    again = {wager: cents for (_, wager), cents in wagers.items()}
    # One tap places them; one more takes them back; a second one in a row adds nothing.
    for _ in range(2):
        page.tap("[data-bets=repeat]")
        page.locator("#bet", has_text="Placed $50").wait_for()
        assert stakes(house) == again
        page.wait_for_function("() => !document.querySelector('#bet-player').value")
        page.tap("[data-bets=undo]")
        page.wait_for_function("() => !document.querySelector('#bet .placed')")
        assert stakes(house) == {}
    page.evaluate("for (const _ of [1, 2]) document.querySelector('[data-bets=repeat]').click()")
    page.locator("#bet", has_text="Placed $50").wait_for()
    page.wait_for_timeout(300)
    assert stakes(house) == again
    # Chips that lie there already are added to by hand: Repeat only chooses.
    page.tap("[data-bets=repeat]")
    assert chosen(page) == {"player": "100", "tie": "5", "banker": "50"}
    page.wait_for_timeout(300)
    assert stakes(house) == again
    for _ in range(3):
        page.tap("[data-bets=undo]")
    assert chosen(page) == {}
    # All of them lose to Banker's 7: Banker's $50 pays $50.
    dealt(house, "2h 3c 4s 4d", {})
    page.locator("#own .net", has_text="−$55").wait_for()
    assert json.loads(page.get_attribute("#bets", "data-last") or "")["tie"] == 500


def test_a_refusal_is_said_at_its_field(opened: Opened) -> None:
    page = phone(opened)
    page.fill("#bet-tie", "7000")
    page.tap("#bets .primary")
    page.locator("#error-tie", has_text="outside the limits").wait_for()
    assert page.get_attribute("#bet-tie", "aria-invalid") == "true"
    assert page.get_attribute("#bet-player", "aria-invalid") is None
    assert page.evaluate(OUT_OF_VIEW) == []
    page.fill("#bet-tie", "5")
    page.tap("#bets .primary")
    page.locator("#bet", has_text="Placed $5").wait_for()
    assert page.text_content("#error-tie") == ""
    opened.expect("409")


def test_a_seat_says_what_vigorish_it_owes_where_there_is_some(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        for file, name, is_said in ((NJ, "MB-101", True), (MA_EZ, "MA-102", False)):
            make_table(house, file)
            house.do(prepared(house, name, 2))
            own = browser_of(house, "patron", "Patron 1", seat=1, tables=(name,))
            text = own.get(f"/tables/{name}").text
            assert "No round is settled yet." in text
            assert ("Vigorish owed" in text) is is_said, name


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
def test_what_one_of_twelve_patrons_is_asked_fits_on_a_screen(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(PUNTO_BANCO.read_text().replace('pit = "11"', 'pit = "1"'))
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        make_table(house, file)
        dealer = opened.page("dealer", path="/tables/PB-1101")
        for moment, seat in asked(house):
            grant = {"seat": seat, "tables": ("PB-1101",)}
            page = opened.page("patron", f"Patron {seat}", "/tables/PB-1101", **grant)
            page.locator("body[data-state=live]").wait_for()
            for width, height in ((360, 740), (1280, 800), (1024, 768), *SIDEWAYS):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(SIZE) == [width, height], moment
                assert page.evaluate(OUT_OF_VIEW) == [], moment
            dealer.reload()
            for width, height in ((360, 740), (1024, 768)):
                dealer.set_viewport_size({"width": width, "height": height})
                assert dealer.evaluate(SIZE)[1] == height, moment
                assert [one for one in dealer.evaluate(SCROLLED) if "#next" in one] == [], moment
            said = dealer.inner_text("#next .prompt")
            if moment == "looks":
                # What each of the twelve may do is one sentence, and one form.
                assert said == "Seats 1 to 12: look at the cards"
                seats = dealer.locator("#next form option").all_inner_texts()
                assert seats == [f"Seat {number}" for number in range(1, 13)]
            elif moment == "offered":
                assert said == f"Seat {seat}: take the shoe; reject the shoe"
                assert page.locator("#next button").all_inner_texts() == [
                    f"Seat {seat}: take the shoe", f"Seat {seat}: reject the shoe",
                ]  # fmt: skip
