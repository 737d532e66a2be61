"""Every report that is a page, as axe-core reads it, and with no part beyond the edge of a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.reports.words import say
from support.axe import violations
from support.browsers import chromium
from support.project import ROOT
from support.volume import spread

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TABLE: Final = str(ROOT / "submissions" / "nj-minibaccarat.toml")
ROYAL: Final = str(ROOT / "submissions" / "ma-royal-9.toml")
WRONG: Final = str(ROOT / "docs" / "examples" / "rounds" / "wrong.csv")
REPORTS: Final = {
    "check": ["check", ROYAL, "--report"],
    "par": ["par", "--submission", ROYAL, "-o"],
    "audit": ["audit", WRONG, "--submission", TABLE, "-o"],
    "round": ["explain", "table.jsonl", "--round", "3", "--report"],
    "external-round": ["explain", WRONG, "--submission", TABLE, "--round", "3", "--report"],
    "replay": ["replay", "table.jsonl", "-o"],
}
BEYOND: Final = """() => document.documentElement.scrollWidth
  - document.documentElement.clientWidth"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports")
    words = ["deal", TABLE, "--seed", "7", "--patrons", "3", "--quiet", "--log"]
    assert CliRunner().invoke(main, [*words, str(made / "table.jsonl")]).exit_code == 0
    return made


@pytest.mark.parametrize("name", spread(REPORTS, 3))
def test_a_report_is_read_by_anyone_and_fits_a_phone(
    name: str, folder: Path, browser: Browser
) -> None:
    page = folder / f"{name}.html"
    words = [str(folder / one) if one == "table.jsonl" else one for one in REPORTS[name]]
    done = CliRunner().invoke(main, [*words, str(page)])
    assert done.exit_code in {0, 1}, done.stderr
    for wide in spread((390, 1280), 1):
        context = browser.new_context(
            viewport={"width": wide, "height": 900}, bypass_csp=True, color_scheme="light"
        )
        try:
            opened = context.new_page()
            opened.goto(page.as_uri())
            assert opened.evaluate(BEYOND) == 0, wide
            assert violations(opened) == []
        finally:
            context.close()


SEEN: Final = """['#felt svg', 'header .head'].map((one) => {
  const box = document.querySelector(one).getBoundingClientRect();
  return [box.left, box.right, box.height]; })"""


def test_a_replay_on_a_phone_shows_all_seats_and_its_head_in_one_line(
    folder: Path, browser: Browser
) -> None:
    page = folder / "phone.html"
    words = ["replay", str(folder / "table.jsonl"), "-o", str(page)]
    assert CliRunner().invoke(main, words).exit_code == 0
    opened = browser.new_page(viewport={"width": 360, "height": 740})
    opened.goto(page.as_uri())
    (left, right, _), (_, head_right, head_height) = opened.evaluate(SEEN)
    assert (left, right) == (0, 360)
    assert (head_right <= 360, head_height < 30) == (True, True)
    # The chips of a small layout cannot be read: below it they can.
    stakes = opened.locator("#stakes li")
    assert stakes.first.inner_text().startswith("Seat 1: ")
    assert stakes.count() == 3
    chips = opened.evaluate("felt.querySelectorAll('.felt-chip').length")
    assert sum(one.count("$") for one in stakes.all_inner_texts()) == chips
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert stakes.first.evaluate(size) >= 12
    opened.set_viewport_size({"width": 1280, "height": 800})
    assert not stakes.first.is_visible()
    opened.set_viewport_size({"width": 360, "height": 740})
    opened.focus("#felt")
    assert opened.evaluate(SEEN)[0][1] > 500, "a touch enlarges it"
    opened.close()


SMALLEST: Final = """() => [...document.querySelectorAll('body *:not(svg *)')]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some(
    (child) => child.nodeType === Node.TEXT_NODE && child.data.trim()))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize) * 72 / 96, one.outerHTML.slice(0, 80)])
  .sort(([one], [other]) => one - other)[0]"""


@pytest.mark.parametrize("name", ["par", "audit", "round"])
def test_no_printed_type_is_smaller_than_8_points(
    name: str, folder: Path, browser: Browser, tmp_path: Path
) -> None:
    page = tmp_path / f"{name}.html"
    words = [str(folder / one) if one == "table.jsonl" else one for one in REPORTS[name]]
    assert CliRunner().invoke(main, [*words, str(page)]).exit_code in {0, 1}
    opened = browser.new_page()
    opened.goto(page.as_uri())
    # What folds is unfolded: a reader may print it so.
    opened.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    opened.emulate_media(media="print")
    points, element = opened.evaluate(SMALLEST)
    assert points >= 8, element
    # On the screen, a page of more than 20 screens of a phone begins with its contents.
    opened.emulate_media(media="screen")
    opened.set_viewport_size({"width": 390, "height": 844})
    screens = opened.evaluate("document.documentElement.scrollHeight / innerHeight")
    assert screens <= 20 or opened.locator("nav.contents").count() == 1
    opened.close()


def test_a_long_page_begins_with_a_list_of_its_sections(browser: Browser, tmp_path: Path) -> None:
    long, short = tmp_path / "par.html", tmp_path / "round.html"
    for words in (
        ["par", "--submission", ROYAL, "-o", str(long)],
        [*REPORTS["external-round"], str(short)],
    ):
        CliRunner().invoke(main, words)
    page = browser.new_page()
    page.goto(long.as_uri())
    links = page.locator("nav.contents a")
    assert links.all_inner_texts() == page.locator("main > section > h2").all_inner_texts()
    for link in links.all():
        link.click()
        target = page.evaluate("document.querySelector(':target').innerText")
        assert target == link.inner_text()
    page.goto(short.as_uri())
    assert page.locator("nav.contents").count() == 0


MIDDLES: Final = """() => Object.fromEntries(['Chips', 'Shoe', '7', '1'].map((words) => {
  const one = [...document.querySelectorAll('.felt text')].find((it) => it.textContent === words);
  const box = one.getBoundingClientRect();
  return [words, [box.x + box.width / 2, box.y + box.height / 2]]; }))"""


def test_the_layout_of_a_round_is_turned(browser: Browser, folder: Path) -> None:
    page, path = browser.new_page(java_script_enabled=False), folder / "turned.html"
    assert CliRunner().invoke(main, [*REPORTS["external-round"], str(path)]).exit_code in {0, 1}
    page.goto(path.as_uri())
    own = page.evaluate(MIDDLES)
    # The floor and surveillance have the dealer below, and seat 7 on the left.
    assert own["Chips"][1] > own["1"][1]
    assert own["7"][0] < own["1"][0]
    page.get_by_label(say("turn"), exact=True).check()
    turned = page.evaluate(MIDDLES)
    assert turned["Chips"][1] < turned["1"][1]
    assert turned["1"][0] < turned["7"][0] < turned["Shoe"][0]
    page.emulate_media(media="print")
    assert not page.get_by_label(say("turn"), exact=True).is_visible()
    page.close()
