"""Pages in the colors that a reader forces on them: what is chosen or due is told by its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from support.windows import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

LOOK: Final = """(one) => { const { color, borderStyle, borderWidth, outlineStyle } =
  getComputedStyle(one); return { color, borderStyle, borderWidth, outlineStyle }; }"""


def look(page: Page, which: str) -> dict[str, str]:
    found: dict[str, str] = page.locator(which).first.evaluate(LOOK)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_due_and_refused_is_told_without_colors(opened: Opened, scheme: str) -> None:
    dealer = opened.page("dealer", forced_colors="active", color_scheme=scheme)
    dealer.locator("body[data-state=live]").wait_for()
    assert look(dealer, "#next button.primary")["borderWidth"] == "3px"
    dealer.keyboard.press("Enter")
    dealer.locator("#next", has_text="Draw the first card").wait_for()
    goes = look(dealer, ".suits button")
    # The page may be drawn anew at any time: in one step it is held and looked at.
    held = dealer.locator(".suits button").first.evaluate(
        f"(one) => {{ one.ariaDisabled = 'true'; return ({LOOK})(one); }}"
    )
    assert (goes["borderStyle"], held["borderStyle"]) == ("solid", "dashed")
    assert goes["color"] != held["color"]
    dealer.keyboard.press("9")
    dealer.locator(".ranks input:checked").wait_for(state="attached")
    assert look(dealer, ".ranks input:checked + span")["outlineStyle"] == "solid"
    for card in ("h", "2c"):
        for key in card:
            dealer.keyboard.press(key)
    dealer.locator(".hand .card").nth(1).wait_for()
    assert look(dealer, ".card.red")["color"] != look(dealer, ".card:not(.red)")["color"]


def test_the_way_on_from_a_question_looks_like_a_button_and_a_refusal_has_one(
    opened: Opened,
) -> None:
    page = opened.page("floorperson", "Flo", "/drills", forced_colors="active")
    for one in page.locator("[name=kind]").all():
        one.set_checked(one.get_attribute("value") == "holder")
    begin = page.get_by_role("button", name="Begin")
    begin.click()
    # Nobody holds a hand at this table, so there is no such question: the way back is a link.
    assert "leave no room" in page.get_by_role("alert").inner_text()
    page.get_by_role("link", name="Drills").click()
    for one in page.locator("[name=kind]").all():
        one.set_checked(one.get_attribute("value") == "counts")
    begin.click()
    page.get_by_role("button", name="Answer").click()
    page.locator("a.button").wait_for()
    page.wait_for_load_state()
    assert look(page, "a.button")["borderWidth"] == "3px"
    # The clauses of several sentences in a row stand once, after the last.
    cited = page.locator("section", has_text="would have come to").locator("small")
    assert cited.count() == 1
    opened.expect("404")
