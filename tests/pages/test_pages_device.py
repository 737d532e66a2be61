"""A shuffling device that failed is told on each page of its table until one works again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, part_of
from support.project import ROOT
from support.served import Served, served
from support.tables import make_table
from support.windows import SCROLLED, prepared, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "MB-701"
SEATED: Final[dict[str, Any]] = {"person": "Patron 1", "seat": 1, "tables": (T,)}
FAILED: Final[dict[str, Any]] = {
    "type": "ReportDeviceFailure", "case": "no-device", "supervisor": "floorperson",
    "reason": "it jammed", "damaged": 0,
}  # fmt: skip
SIGN: Final = "Shuffling device failed"


def told(house: Served) -> set[str]:
    """Return the offices whose page has the sign, where each of them looks first."""
    parts = {"dealer": "next", "floorperson": "next", "patron": "own"}
    return {
        office
        for office, part in parts.items()
        if SIGN in part_of(
            browser_of(house, office, **SEATED if office == "patron" else {})
            .get(f"/tables/{T}").text, part)
    }  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Any:
    file = tmp_path / "table.toml"
    text = (ROOT / "submissions" / "nj-minibaccarat-continuous.toml").read_text()
    file.write_text(text.replace('pit = "7"', 'pit = "1"'))
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one, file)
        one.do(prepared(one, T, 2))
        yield one


def do(house: Served, office: str, command: dict[str, Any]) -> None:
    answer = house.person(office).does(T, command)
    assert answer.status_code == 200, answer.text


def test_a_failed_device_is_told_until_one_works(house: Served) -> None:
    assert told(house) == set()
    # Where another takes its place at once, none is missing.
    do(house, "floorperson", FAILED | {"case": "other-device"})
    assert told(house) == set()
    do(house, "dealer", {"type": "PlaceWager", "seat": 1, "wager": "banker", "cents": 5_000})
    do(house, "dealer", {"type": "CallNoMoreBets"})
    do(house, "floorperson", FAILED)
    everyone = {"dealer", "floorperson", "patron"}
    # However much is entered after it, in the round and after it.
    for card in ("As", "Ah", "6c", "6d"):
        do(house, "dealer", {"type": "DrawCard", "card": card})
    assert told(house) == everyone
    for name in ("SettleWagers", "ClearLayout"):
        do(house, "dealer", {"type": name})
    assert told(house) == everyone
    view = f"/v1/tables/{T}"
    assert house.person("dealer").sees(view)["seen"]["device_down"] is True
    do(house, "floorperson", {"type": "RestoreDevice", "supervisor": "floorperson"})
    assert told(house) == set()
    assert house.person("dealer").sees(view)["seen"]["device_down"] is False


def test_the_sign_moves_nothing_and_covers_nothing(house: Served, browser: Browser) -> None:
    top = "(one) => one.getBoundingClientRect().top"
    over = """([one, other]) => { const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
      return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top; }"""
    do(house, "dealer", {"type": "PlaceWager", "seat": 1, "wager": "banker", "cents": 5_000})
    do(house, "dealer", {"type": "CallNoMoreBets"})
    with windows(browser, house) as opened:
        page = opened.page("dealer", path=f"/tables/{T}")
        page.locator("body[data-state=live]").wait_for()
        sizes, tops = ((1280, 800), (1024, 768), (360, 740)), []
        for _ in range(2):
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                tops.append(page.locator("#next .ranks").evaluate(top))
                assert page.evaluate(SCROLLED) == [], width
                if len(tops) > len(sizes):
                    sign, clauses = (page.query_selector(f"#next > .{one}") for one in
                                     ("down", "clauses summary"))  # fmt: skip
                    assert page.evaluate(over, [sign, clauses]) is False, width
            if len(tops) == len(sizes):
                do(house, "floorperson", FAILED)
                page.locator(".down").wait_for()
        assert tops[:3] == tops[3:]
