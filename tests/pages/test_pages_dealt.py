"""Rounds dealt from the pages alone: by keys, without scripts, over a lost connection."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from support.volume import spread
from support.windows import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


def patron(opened: Opened, seat: int, **more: Any) -> Page:
    return opened.page("patron", f"Patron {seat}", seat=seat, tables=("MB-101",), **more)


def is_live(page: Page) -> None:
    """Wait until a page follows its table."""
    page.locator("body[data-state=live]").wait_for()


def shows(page: Page, part: str, text: str) -> None:
    """Wait until a part of a page says something."""
    page.locator(f"#{part}", has_text=text).wait_for()


def stakes(page: Page, wager: str, dollars: str) -> None:
    """Place a wager by keys alone: to its field by the tabulator, then digits and Enter."""
    for _ in range(60):
        if page.evaluate("document.activeElement.id") == f"bet-{wager}":
            break
        page.keyboard.press("Tab")
    page.keyboard.type(dollars)
    page.keyboard.press("Enter")
    shows(page, "bet", f"${dollars}")


def deals(page: Page, cards: str) -> None:
    """Enter cards by keys: a rank, then a suit."""
    for number, card in enumerate(cards.split(), start=1):
        page.keyboard.press(card[0])
        page.keyboard.press(card[1])
        page.locator(".hand .card").nth(number - 1).wait_for()


@pytest.mark.parametrize("width", spread([1280, 360], 1))
def test_rounds_are_dealt_by_keys_in_three_windows(opened: Opened, width: int) -> None:
    dealer = opened.page("dealer", width=width)
    seats = {seat: patron(opened, seat, width=width) for seat in (1, 2)}
    for page in (dealer, *seats.values()):
        is_live(page)
    # Player 9 against 5: a natural, so four cards. $100 on Player wins $100, $50 on Banker loses.
    stakes(seats[1], "player", "100")
    stakes(seats[2], "banker", "50")
    dealer.locator("#seats .banker .stake", has_text="$50").wait_for()
    dealer.keyboard.press("Enter")
    shows(dealer, "next", "Draw the first card to Player's Hand")
    shows(seats[1], "next", "Wagers are closed")
    deals(dealer, "9h 2c Ts 3d")
    shows(dealer, "next", "seat 1 Player $100 pays $100 (1 to 1)")
    assert "seat 2 Banker $50" in dealer.inner_text("#next .steps > li:first-child")
    dealer.keyboard.press("Enter")
    shows(seats[1], "own", "$5,100")
    shows(seats[2], "own", "$4,950")
    # The cards are in the rack: settling and clearing are one key.
    shows(dealer, "next", "Call “no more bets”")
    # Banker 7 against 6: $100 on Banker wins $100, of which 5% is marked as vigorish.
    stakes(seats[2], "banker", "100")
    dealer.locator("#seats .banker .stake", has_text="$100").wait_for()
    dealer.keyboard.press("Enter")
    shows(dealer, "next", "Draw the first card")
    deals(dealer, "2h 3c 4s 4d")
    shows(dealer, "next", "seat 2 Banker $100 pays $100")
    dealer.keyboard.press("Enter")
    shows(seats[2], "own", "Vigorish owed: $5")
    assert seats[1].inner_text("#own .big") == "$5,100"
    # Nobody is shown what others have.
    assert "$5,050" not in seats[1].inner_text("body")


def test_a_round_is_dealt_by_forms_without_scripts(opened: Opened) -> None:
    dealer = opened.page("dealer", java_script_enabled=False)
    seat = patron(opened, 1, java_script_enabled=False, width=360)
    seat.fill("#bet-tie", "10")
    seat.click("#bets button.primary")
    assert "$10" in seat.inner_text("#bet label[for=bet-tie]")
    dealer.click("#connection a")
    dealer.click("#next button.primary")
    for card in ["9h", "2c", "7s", "4d"]:
        dealer.click(f".ranks label:has(input[value='{card[0]}'])")
        dealer.click(f".suits button[value={card[1]}]")
    # Player 6, Banker 6: both stay, and the Tie pays 8 to 1.
    assert "seat 1 Tie $10 pays $80 (8 to 1)" in dealer.inner_text("#next")
    dealer.click("#next button.primary")
    seat.click("#connection a")
    assert seat.inner_text("#own .big") == "$5,080"
    # A refusal stays on the page.
    seat.click("#connection a")
    seat.fill("#bet-tie", "1")
    seat.click("#bets button.primary")
    assert "$1.00 is outside the limits" in seat.inner_text("#answer")
    assert seat.inner_text("#own .big") == "$5,080"
    opened.expect("409")


def test_a_lost_connection_is_told_and_nothing_is_sent_until_it_is_back(opened: Opened) -> None:
    dealer = opened.page("dealer")
    seat = patron(opened, 1)
    for page in (dealer, seat):
        is_live(page)
    region = seat.evaluate_handle("document.getElementById('calls')")
    seat.context.set_offline(True)
    seat.locator("#state", has_text="Reconnecting").wait_for()
    button = seat.locator("#bets button.primary")
    assert button.get_attribute("aria-disabled") == "true"
    assert "nothing can be sent" in seat.inner_text("#held")
    is_live(dealer)
    dealer.keyboard.press("Enter")
    shows(dealer, "next", "Draw the first card")
    seat.wait_for_timeout(2500)
    seat.context.set_offline(False)
    is_live(seat)
    shows(seat, "next", "Wagers are closed")
    assert seat.inner_text("#held") == ""
    # The region that is read out is the one of the first byte.
    assert seat.evaluate("(one) => one === document.getElementById('calls')", region)
    opened.expect("ERR_INTERNET_DISCONNECTED")


def test_what_was_not_answered_is_sent_again_and_done_once(opened: Opened) -> None:
    seat = patron(opened, 1)
    is_live(seat)
    sent = []

    def lost(route: Route) -> None:
        sent.append(route.request.post_data)
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    seat.route("**/acts", lost)
    stakes(seat, "player", "100")
    shows(seat, "answer", "Done.")
    assert len(sent) == 2
    keys = {re.search(r"key=([\w-]+)", one or "")[1] for one in sent}  # type: ignore[index]
    assert len(keys) == 1
    table = opened.house.service.tables["MB-101"].desk.durable.state
    assert [one.cents for one in table.stakes.values()] == [10_000]
    opened.expect("ERR_FAILED")


def test_an_act_whose_form_is_gone_before_its_answer_comes_is_folded_up(opened: Opened) -> None:
    floor = opened.page("floorperson")
    is_live(floor)

    def late(route: Route) -> None:
        answer = route.fetch()
        floor.locator("#ask-PauseTable-0").wait_for(state="detached")
        route.fulfill(response=answer)

    floor.route("**/acts", late)
    floor.keyboard.press("p")
    floor.locator(".drawer[open]").wait_for()
    floor.keyboard.type("a spilled drink")
    floor.keyboard.press("Enter")
    shows(floor, "answer", "Done.")
    assert floor.locator(".drawer[open]").count() == 0
    assert floor.evaluate("document.activeElement.id") == "next-title"
