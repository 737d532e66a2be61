"""The documentation site as it is built: opened from a folder, on a screen, a phone, and paper."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_plus

import pytest

from croupier.law.resolve import instruments
from support.axe import violations
from support.browsers import chromium
from support.project import ROOT
from support.volume import MOST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NJ: Final = "laws/us-nj-minibaccarat-2011-02-22"
PAGES: Final = (
    "index.html",
    "search.html?q=third+card",
    "cookbook.html",
    "laws/index.html",
    f"{NJ}/index.html",
    f"{NJ}/section-7-9.html",
    f"{NJ}/rules.html",
    "laws/states.html",
    "laws/dates.html",
    "laws/interpretations.html",
    "par-sheets/index.html",
    "par-sheets/nj-minibaccarat.html",
    "see/replay.html",
    "see/drill.html",
    "api/croupier/money/index.html",
    "converted/dispute.html",
    "converted/vendor-records.html",
    "views.html",
    "release-0.1.0.html",
)
QUESTIONS: Final = {
    "third card": "tutorials/dealer-school",
    "my payouts include the stake": "cookbook",
    "10 million rounds": "cookbook",
    "the dealer entered the wrong card": "cookbook",
    "house edge of the tie": "cookbook",
    "count a side bet": "tutorials/side-bet-designer",
    "write my own regulation": "tutorials/own-regulation",
    "run a table": "tutorials/pit",
    "settle a round in Python": "python",
    "is this submission allowed": "tutorials/compliance-analyst",
    "exam paper": "tutorials/dealer-school",
}
"""What people ask, and the guide that answers."""

BEYOND: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site from a copy of the documents: a build writes pages between them.

    The whole check has just built it by the same command.
    """
    if built := os.environ.get("CROUPIER_SITE"):
        return ROOT / built
    root = tmp_path_factory.mktemp("project")
    for path in ROOT.iterdir():
        if path.name not in {"docs", "build"}:
            (root / path.name).symlink_to(path)
    shutil.copytree(ROOT / "docs", root / "docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(  # noqa: S603  (our own documents)
        [*command, "docs", "site"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return root / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def at(site: Path, name: str) -> str:
    path, mark, query = name.partition("?")
    return f"{(site / path).as_uri()}{mark}{query}"


def test_pages_are_read_by_anyone_fit_a_phone_and_load_nothing_from_elsewhere(
    site: Path, browser: Browser
) -> None:
    wrong, asked = [], list[str]()
    for wide, scheme in ((390, "light"), (1280, "dark")):
        context = browser.new_context(
            viewport={"width": wide, "height": 844},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        opened = context.new_page()
        opened.on("request", lambda request: asked.append(request.url))
        for number, name in enumerate(PAGES):
            opened.goto(at(site, name))
            if opened.evaluate(BEYOND):
                wrong.append(f"{name} at {wide}: scrolls sideways")
            # Pages share their style: every other one is read in the dark, the rest in the light.
            if MOST or number % 2 == (scheme == "dark"):
                wrong += [f"{name} at {wide}: {one}" for one in violations(opened)]
        context.close()
    assert wrong == []
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize(("wide", "high"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_has_a_live_round_and_three_commands(
    wide: int, high: int, scheme: str, site: Path, browser: Browser
) -> None:
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    opened = context.new_page()
    opened.goto(at(site, "index.html"))
    opened.wait_for_load_state()
    other = {"light": "dark", "dark": "light"}[scheme]
    for screen in ("board", f"dealer.only-{scheme}", f"phone.only-{scheme}"):
        picture = opened.locator(f".scene img.{screen}")
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= high, screen
        assert picture.evaluate("one => one.naturalWidth") > 0
    assert not opened.locator(f".scene img.only-{other}").first.is_visible()
    box = opened.locator(".highlight-text pre").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= high
    assert len(opened.locator(".highlight-text pre").first.inner_text().split("\n")) >= 3
    context.close()


def test_the_search_ranks_the_guide_that_answers_among_the_first_three(
    site: Path, page: Page
) -> None:
    wrong = []
    for question, guide in QUESTIONS.items():
        page.goto(at(site, f"search.html?q={quote_plus(question)}"))
        links = page.locator("#results li a").evaluate_all(
            "all => all.slice(0, 3).map(one => one.getAttribute('href'))"
        )
        if not any(link.startswith(f"{guide}.html") for link in links):
            wrong.append(f"{question}: {links}")
    assert wrong == []


def test_the_search_finds_a_clause_and_names_no_page_twice_more(site: Path, page: Page) -> None:
    page.goto(at(site, "search.html?q=7.9(c)"))
    assert page.locator("#results li a").first.inner_text() == "7.9(c)"
    page.goto(at(site, "search.html?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+zzzz"))
    assert page.locator("#results img").count() == 0
    page.goto(at(site, "search.html?q=zzzzqq"))
    assert page.locator("#found").inner_text().startswith("No section has these words")


def test_the_book_has_every_clause_each_with_the_one_before_and_after(site: Path) -> None:
    for law in instruments():
        folder = site / "laws" / re.sub(r"[^a-z0-9]+", "-", law.key)
        text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("section-*.html"))
        assert text.count('<p class="says">') == len(law.clauses)
        after = re.findall(r'href="([^"]*)">[^<]* →</a>', text)
        before = re.findall(r'href="([^"]*)">← ', text)
        assert len(set(after)) == len(set(before)) == len(law.clauses) - 1


def test_a_clause_has_readings_rules_acts_tests_and_other_states(site: Path, page: Page) -> None:
    page.goto(at(site, f"{NJ}/section-7-9.html"))
    clause = page.locator(
        "section", has=page.get_by_role("heading", name=re.compile(r"^7\.9\(c\)"))
    )
    text = clause.last.text_content() or ""
    for words in (
        "Banker draws or stays by Table 2",
        "T10",
        "A natural ends the drawing before either table applies.",
        "DrawCard",
        "ThirdCardRuled",
        "bankers hand follows every cell of table 2",
        "Massachusetts minibaccarat 2026",
        "New York mini and midi baccarat 2021",
    ):
        assert words in text, words
    # Table 2: on 6 and a third card of 6 or 7 alone, Banker draws; it stays without one.
    row = page.locator("table.draws tr", has=page.get_by_role("rowheader", name="6", exact=True))
    assert row.first.locator("td").all_inner_texts() == [*"SSSSSSSDDSS"]
    outside = (site / "laws/us-ny-mini-midi-baccarat-2021-06-02/section-a.html").read_text()
    assert "People check outside the table" in outside
    face_up = (site / NJ / "section-7-11.html").read_text(encoding="utf-8")
    assert "Ten further cards, as for the burn." in face_up


def test_states_and_dates_are_compared_with_links(site: Path) -> None:
    states = (site / "laws" / "states.html").read_text(encoding="utf-8")
    # Vigorish is rounded to a nickel in New Jersey minibaccarat, to a quarter in Massachusetts.
    at_five = states.partition("Unit to which vigorish at five percent is rounded")[2]
    quarter, nickel = at_five.index("<p>0.25</p>"), at_five.index("<p>0.05</p>")
    assert (
        quarter < at_five.index("Massachusetts") < nickel < at_five.index("New Jersey minibaccarat")
    )
    dates = (site / "laws" / "dates.html").read_text(encoding="utf-8")
    assert "amount, gaming date, pit, table, patron" in dates


def test_every_submission_has_its_par_sheet(site: Path) -> None:
    index = (site / "par-sheets" / "index.html").read_text(encoding="utf-8")
    for path in (ROOT / "submissions").glob("*.toml"):
        has = (site / "par-sheets" / f"{path.stem}.html").is_file()
        assert has or f"submissions/{path.name}</span>" in index, path.name
    sheet = (site / "par-sheets" / "nj-minibaccarat.html").read_text(encoding="utf-8")
    # The edges that are published of eight decks.
    for edge in ("1.2351%", "1.0579%", "14.3596%"):
        assert edge in sheet


def test_a_drill_says_what_is_right_and_why(site: Path, page: Page) -> None:
    page.goto(at(site, "see/drill.html"))
    first = page.locator(".question").first
    # Player 3, queen, 5; Banker 4 and 2: on 6, Banker draws on a third card of 6 or 7 alone.
    assert "3♠ Q♦ 5♣" in first.inner_text()
    assert not first.locator("details").evaluate("one => one.open")
    first.get_by_role("button", name="Banker's Hand draws a third card").click()
    assert "Not" in first.locator(".verdict").inner_text()
    first.get_by_role("button", name="No more cards").click()
    assert "Right" in first.locator(".verdict").inner_text()
    assert first.locator("details a", has_text="7.9(c)").is_visible()


def test_a_replay_goes_on_from_a_folder(site: Path, page: Page) -> None:
    page.goto(at(site, "see/replay.html"))
    shoe = page.frame_locator("iframe.shoe")
    before = shoe.locator("#here").inner_text()
    shoe.locator("#on").click()
    assert shoe.locator("#here").inner_text() != before
    shoe.locator("#felt").press("Shift+ArrowRight")
    assert shoe.locator("#slider").evaluate("one => Number(one.value)") > 1


def test_paper_has_the_text_with_what_was_folded_away(site: Path, page: Page) -> None:
    page.goto(at(site, f"{NJ}/section-7-9.html"))
    page.emulate_media(media="print")
    assert not page.locator(".sidebar-drawer").is_visible()
    assert not page.locator(".near").first.is_visible()
    assert not page.locator(".skip-to-content").is_visible()
    box = page.locator("details p").first.bounding_box()
    assert box is not None
    assert box["height"] > 0
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_report_is_black_on_paper_also_in_a_dark_room(site: Path, browser: Browser) -> None:
    context = browser.new_context(color_scheme="dark")
    opened = context.new_page()
    opened.goto(at(site, "par-sheets/nj-minibaccarat.html"))
    fill = "one => getComputedStyle(one).fill"
    label = opened.locator(".report .ink").first
    assert label.evaluate(fill) != "rgb(0, 0, 0)"
    opened.emulate_media(media="print")
    assert label.evaluate(fill) == "rgb(0, 0, 0)"
    context.close()
