"""A card that was entered wrongly: corrected by a click on it, and the consent of a supervisor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from support.page_forms import browser_of, form_of, part_of, sent
from support.presses import Presses, corrects
from support.served import Served
from support.windows import Opened, dealt

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
FORM: Final = "act-CorrectMisreadCard-0"
SAID: Final = (
    "Correct a card that was misread. Recorded as 2♥, in truth 8♣, supervisor"
    " floorperson, Player's Hand, card 1"
)


def misread(house: Served) -> None:
    """Deal a two of hearts, a three, and a three: the first one was an eight of clubs."""
    dealt(house, "2h 3c 3s", {(1, "player"): 10_000}, upto="SettleWagers")


def hands(house: Served) -> list[str]:
    round_ = house.service.tables["MB-101"].desk.durable.state.round
    assert round_ is not None
    return [one.notation for one in (*round_.coup.player, *round_.coup.banker)]


def live(opened: Opened, office: str) -> Page:
    page = opened.page(office)
    page.locator("body[data-state=live]").wait_for()
    return page


def test_a_card_is_corrected_by_one_click_and_four_keys(opened: Opened, house: Served) -> None:
    misread(house)
    dealer, floor = live(opened, "dealer"), live(opened, "floorperson")
    presses = Presses(house)
    corrects(presses, dealer, floor)
    assert presses.count == 5
    # Whoever answered goes on at what is next.
    floor.locator("#next-title:focus").wait_for()
    dealer.locator("#desk .hand.player .card >> nth=0", has_text="8").wait_for()
    assert hands(house) == ["8c", "3s", "3c"]
    assert dealer.text_content("#calls") == "The floorperson finds that 2♥ was 8♣"
    # The drawer is closed again, and the next card is due.
    assert dealer.locator(".drawer[open]").count() == 0
    for key in "4d":
        dealer.keyboard.press(key)
    dealer.locator("#desk .hand.banker .card >> nth=1").wait_for()


def test_enter_consents_to_nothing_that_has_just_come(opened: Opened, house: Served) -> None:
    misread(house)
    dealer, floor = live(opened, "dealer"), live(opened, "floorperson")
    presses = Presses(house)
    presses.click(dealer, "#desk .hand.player .card >> nth=0")
    presses.keys(dealer, "8", "c", "Enter")
    floor.locator(".consent", has_text=SAID).wait_for()
    floor.keyboard.press("Enter")
    floor.wait_for_timeout(300)
    assert hands(house) == ["2h", "3s", "3c"]
    # Withdrawn by the dealer, it waits no more.
    presses.click(dealer, ".consent button >> text=Withdraw")
    floor.locator(".consent").wait_for(state="detached")
    assert hands(house) == ["2h", "3s", "3c"]


def test_a_card_is_corrected_by_the_floorperson_alone_and_by_keys_alone(
    opened: Opened, house: Served
) -> None:
    misread(house)
    floor = live(opened, "floorperson")
    card = floor.locator("#desk .hand.player .card >> nth=0")
    assert card.get_attribute("aria-label") == "2 of hearts: correct what was entered"
    for _ in range(60):
        floor.keyboard.press("Tab")
        if floor.evaluate("document.activeElement.matches('.hand.player .card')"):
            break
    for key in ("Enter", "8", "c", "Enter"):
        floor.keyboard.press(key)
    floor.locator("#desk .hand.player .card >> nth=0", has_text="8").wait_for()
    assert hands(house) == ["8c", "3s", "3c"]


def test_a_card_is_corrected_without_scripts(house: Served) -> None:
    misread(house)
    with browser_of(house, "dealer") as dealer, browser_of(house, "floorperson") as floor:
        text = dealer.get(T).text
        assert 'href="#ask-CorrectMisreadCard-0"' in part_of(text, "cards")
        assert "A card that was entered wrongly" in part_of(text, "irregular")
        places = re.findall(r'<option value="([^"]*recorded[^"]*)"', part_of(text, "irregular"))
        # Ten cards were burned, and three lie on the layout.
        assert len(places) == 13
        form = form_of(text, FORM) | {"card.actual": "8c"}
        form["json.recorded"] = '{"recorded": "2h", "hand": "player", "ordinal": 1}'
        assert sent(house, dealer, f"{T}/acts", form).status_code == 202
        text = floor.get(T).text
        assert SAID in part_of(text, "consents").replace("&#x27;", "'")
        (waits,) = re.findall(r'id="(consent-[^"]+)"', text)
        agreed = form_of(text, waits) | {"consent": "yes"}
        path = f"{T}/consents/{waits.removeprefix('consent-')}"
        assert sent(house, dealer, path, form_of(dealer.get(T).text, waits) | {"consent": "yes"}
                    ).status_code == 403  # fmt: skip
        assert sent(house, floor, path, agreed).status_code == 303
        assert hands(house) == ["8c", "3s", "3c"]
        # The same form again names a card that lies there no more: nothing changes.
        form |= {"key": "another", "card.actual": "9c"}
        assert sent(house, floor, f"{T}/acts", form).status_code in {403, 422}
        again = form_of(floor.get(T).text, FORM) | {
            "json.recorded": form["json.recorded"], "card.actual": "9c"
        }  # fmt: skip
        assert sent(house, floor, f"{T}/acts", again).status_code == 409
        assert hands(house) == ["8c", "3s", "3c"]


def test_only_those_who_correct_a_card_have_links_on_it(house: Served) -> None:
    misread(house)
    for office in ("surveillance", "board"):
        with browser_of(house, office) as browser:
            assert "data-place" not in browser.get(T).text
    with browser_of(house, "dealer") as dealer:
        assert part_of(dealer.get(T).text, "cards").count("data-place") == 3


def test_a_burned_card_is_corrected_without_scripts(house: Served) -> None:
    misread(house)
    with browser_of(house, "floorperson") as floor:
        text = floor.get(T).text
        assert "9♥: burned, card 1" in part_of(text, "irregular")
        form = form_of(text, FORM) | {"card.actual": "Jh"}
        form["json.recorded"] = '{"recorded": "9h", "hand": null, "ordinal": 1}'
        assert sent(house, floor, f"{T}/acts", form).status_code == 303
        text = floor.get(T).text
        assert "J♥: burned, card 1" in part_of(text, "irregular")
