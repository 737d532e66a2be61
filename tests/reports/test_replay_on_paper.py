"""The page of a record where there is little room: on a phone, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.browsers import chromium
from support.project import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOG = ROOT / "tests" / "data" / "logs" / "ny-mini.format-2.jsonl.gz"
HANDS = """() => { const felt = document.getElementById('felt').getBoundingClientRect();
  return [...document.querySelectorAll('#felt text')]
    .filter((one) => ['(P)', '(B)'].includes(one.textContent.trim()))
    .map((one) => one.getBoundingClientRect())
    .map((one) => felt.left <= one.left && one.right <= felt.right); }"""
"""Whether the name of each hand is in sight."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Open the page of a round, at an entry of it, on a phone."""
    out: Path = tmp_path_factory.mktemp("replay") / "replay.html"
    words = ["replay", str(LOG), "-o", str(out), "--round", "1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    with chromium() as browser:
        one = browser.new_page(viewport={"width": 360, "height": 740})
        one.goto(out.as_uri())
        yield one


@pytest.mark.parametrize("width", [360, 320])
def test_the_hands_are_in_sight_on_a_phone_at_every_entry(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.reload()
    for key in ("Home", "]", "]", "End"):
        page.keyboard.press(key)
        assert page.evaluate(HANDS) == [True, True]


def test_paper_says_which_entry_it_shows(page: Page) -> None:
    page.emulate_media(media="print")
    assert page.locator("#here").is_visible()
    assert page.locator("#here").inner_text().startswith("Entry ")
    assert page.locator("#facts dt").first.is_visible()
    assert not page.locator("#controls").is_visible()
    below = "(id) => document.getElementById(id).getBoundingClientRect().top"
    assert page.evaluate(below, "panel") < page.evaluate(below, "roads")
