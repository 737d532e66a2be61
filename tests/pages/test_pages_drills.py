"""The pages of the drills in a browser: without scripts, by keys alone, narrow, and in the dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from support.axe import violations
from support.volume import spread
from support.windows import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PAPERS: Final = "/drills/papers?table=MB-101&kind=counts&count=2&seed=7"
UNNAMED: Final = """() => [...document.querySelectorAll('input:not([type=hidden]),select,button,a')]
  .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel))
  .map((one) => one.outerHTML)"""
TWICE: Final = """() => [...document.querySelectorAll('[id]')].map((one) => one.id)
  .filter((one, at, all) => all.indexOf(one) !== at)"""
DANGLING: Final = """() => [...document.querySelectorAll('[for],[aria-describedby]')]
  .map((one) => one.htmlFor || one.getAttribute('aria-describedby'))
  .filter((id) => !document.getElementById(id))"""
SMALL: Final = """() => [...document.querySelectorAll('button, select, nav a, a.button, .choices label')]
  .filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)"""
PALE: Final = """() => {
  const light = (text) => { const [r, g, b] = text.match(/[0-9.]+/g).map((one) => one / 255)
      .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (one) => { for (; one; one = one.parentElement) {
      const found = getComputedStyle(one).backgroundColor;
      if (!found.startsWith('rgba(0, 0, 0, 0')) return found; } return 'rgb(255, 255, 255)'; };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), pale = [];
  for (let text; (text = texts.nextNode());) {
    const one = text.parentElement;
    if (!text.data.trim() || !one.checkVisibility()) continue;
    const pair = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) pale.push(`${ratio.toFixed(2)} ${one.outerHTML}`);
  }
  return pale; }"""
NARROW: Final = """() => [...document.querySelector('main').children]
  .filter((one) => one.offsetWidth < document.querySelector('main').clientWidth)
  .map((one) => one.outerHTML)"""
"""What has not the width of the page: a letter a line is within any width, too."""
LEVELS: Final = """() => [...document.querySelectorAll('h1,h2,h3,h4')].map((one) => +one.tagName[1])
  .filter((level, at, all) => at && level > all[at - 1] + 1)"""


def looked_over(page: Page, width: int) -> None:
    """Hold a page to what whoever reads it needs."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for faults in (UNNAMED, TWICE, DANGLING, SMALL, PALE, LEVELS, NARROW):
        assert page.evaluate(faults) == [], page.url
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.title()
    for one in ("h1", "main"):
        assert page.locator(one).count() == 1
    # Every group of choices has a name that is read out with it.
    for group in page.get_by_role("group").all():
        assert group.aria_snapshot().split("\n")[0].startswith('- group "'), page.url


@pytest.mark.parametrize(
    ("width", "scheme"), spread([(320, "dark"), (320, "light"), (1280, "dark")], 1)
)
def test_a_drill_by_keys_alone_without_scripts(opened: Opened, width: int, scheme: str) -> None:
    page = opened.page(
        "floorperson", "Flo", "/drills", width=width, java_script_enabled=False,
        color_scheme=scheme,
    )  # fmt: skip
    looked_over(page, width)

    def tab_to(name: str, value: str = "") -> None:
        wanted = f"([name='{name}']" + (f"[value='{value}']" if value else "") + ")"
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.locator(f":focus:is{wanted}").count():
                return
        raise AssertionError(f"no way to {name} by Tab")

    def enter() -> None:
        with page.expect_navigation():
            page.keyboard.press("Enter")

    # All are chosen at first; these five are left out.
    for kind in ("third-card", "allowed", "payouts", "vigorish", "order"):
        tab_to("kind", kind)
        page.keyboard.press("Space")
    tab_to("count")
    page.keyboard.press("Control+A")
    page.keyboard.type("3")
    tab_to("seed")
    page.keyboard.type("7")
    enter()
    for number in (1, 2, 3):
        assert page.locator("h1").inner_text() == f"Question {number} of 3"
        page.wait_for_load_state()
        looked_over(page, width)
        # The browser gives it once the page is there.
        page.locator("input:focus, fieldset:focus").wait_for(timeout=5000)
        if page.locator("fieldset:focus").count():
            # Enter alone answers nothing; the first choice is one step away.
            page.keyboard.press("Tab")
        elif page.locator("input[type=radio]:focus").count():
            page.keyboard.press("Space")
        else:
            page.keyboard.type("1")
        enter()
        assert "right." in page.get_by_role("status").inner_text().lower()
        looked_over(page, width)
        assert page.locator("a.button:focus").count() == 1
        enter()
    assert page.locator("h1").inner_text().endswith("of 3 right")
    looked_over(page, width)
    page.goto(f"{opened.house.place}{PAPERS}")
    assert "2 questions, seed 7" in page.get_by_role("status").inner_text()
    looked_over(page, width)


@pytest.mark.parametrize(("width", "scheme"), spread([(320, "dark"), (1280, "light")], 1))
def test_a_page_of_the_drills_has_no_violation(opened: Opened, width: int, scheme: str) -> None:
    page = opened.page("floorperson", "Flo", "/drills", width=width, color_scheme=scheme)
    assert violations(page) == []
    for one in page.locator("[name=kind]").all():
        one.set_checked(one.get_attribute("value") in {"order", "payouts", "irregularities"})
    page.get_by_label("Number of questions").fill("3")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Begin").click()
    for _ in range(3):
        assert violations(page) == []
        page.locator("button.primary, button[data-key=z], button[data-key=a]").last.click()
        assert violations(page) == []
        page.locator("a.button").click()
    assert page.locator("h1").inner_text() == "0 of 3 right"
    assert violations(page) == []
    for path in (PAPERS, "/drills"):
        page.goto(opened.house.place + path)
        assert violations(page) == []


def test_a_letter_answers_and_the_way_on_is_in_view_with_the_verdict(opened: Opened) -> None:
    page = opened.page("floorperson", "Flo", "/drills")
    page.set_viewport_size({"width": 390, "height": 700})
    for one in page.locator("[name=kind]").all():
        one.set_checked(one.get_attribute("value") == "allowed")
    page.get_by_label("Number of questions").fill("6")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Begin").click()
    missed = 0
    for _ in range(6):
        # One key for the question, and Enter for the next one.
        page.locator("button[data-key=a]").wait_for()
        page.wait_for_load_state()
        assert page.locator("button[data-key=a] kbd").is_visible()
        page.keyboard.press("a")
        status = page.get_by_role("status")
        status.wait_for()
        missed += "not right" in status.inner_text().lower()
        for shown in (status, page.locator("a.button")):
            box = shown.bounding_box()
            assert box is not None
            assert 0 <= box["y"] <= box["y"] + box["height"] <= 700
        page.keyboard.press("Enter")
    assert missed
    # The end offers what was missed, first.
    assert page.locator(":focus").inner_text() == f"Again: the {missed} missed"
    page.keyboard.press("Enter")
    page.wait_for_url("**/drills/question")
    assert page.locator("h1").inner_text() == f"Question 1 of {missed}"


def test_an_answer_that_cannot_be_read_is_asked_again(opened: Opened) -> None:
    opened.expect("422")
    page = opened.page("floorperson", "Flo", "/drills")
    for one in page.locator("[name=kind]").all():
        one.set_checked(one.get_attribute("value") == "vigorish")
    page.get_by_label("Number of questions").fill("4")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Begin").click()
    amount = page.locator("input[inputmode=decimal]").first
    amount.fill("a")
    page.locator("button.primary").click()
    assert "an amount in dollars" in page.locator("p.wrong").inner_text()
    assert page.locator("h1").inner_text() == "Question 1 of 4"
    page.locator("input[inputmode=decimal]").first.fill("1")
    page.locator("button.primary").click()
    assert "right" in page.get_by_role("status").inner_text().lower()
