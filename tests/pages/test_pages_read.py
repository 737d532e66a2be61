"""What a page is held to whoever reads it: room, labels, contrast, size, and whose forms it takes."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from croupier.server.pages.forms import FormError, command_of
from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, form_of, sent
from support.project import ROOT
from support.served import Person, Served, served
from support.tables import make_table
from support.volume import spread
from support.windows import UNFOLD, Opened, prepared

pytest_plugins = ["support.page_fixtures"]

OFFICES: Final = (
    "dealer", "patron", "board", "floorperson", "pit boss", "surveillance", "pit clerk", "cage",
    "accounting", "licensee",
)  # fmt: skip
BOOKS: Final = {"pit clerk", "cage", "accounting", "licensee"}
"""Offices that do not see the amounts of wagers."""
ACTS: Final = "/tables/MB-101/acts"
FIRST_VIEW: Final = 60_000
STYLE: Final = (files("croupier.server.pages") / "style.css").read_text()


def grant_of(office: str) -> dict[str, Any]:
    return {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}


# --- by eye and by ear -----------------------------------------------------------------------------

UNNAMED: Final = """() => [...document.querySelectorAll('input:not([type=hidden]),select,button,a')]
  .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel))
  .map((one) => one.outerHTML)"""
TWICE: Final = """() => [...document.querySelectorAll('[id]')].map((one) => one.id)
  .filter((one, at, all) => all.indexOf(one) !== at)"""
SMALL: Final = """() => [...document.querySelectorAll('button, select, input[type=text], summary')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML)"""


@pytest.mark.parametrize("office", spread(OFFICES, 5))
def test_a_page_has_room_at_320_pixels_and_a_name_for_everything(
    opened: Opened, office: str
) -> None:
    page = opened.page(office, "Patron 1" if office == "patron" else "", width=320,
                       **grant_of(office))  # fmt: skip
    page.locator("body[data-state=live]").wait_for()
    for path in ("/tables/MB-101", "/tables"):
        page.goto(opened.house.place + path)
        page.locator("body[data-state=live]").wait_for()
        page.evaluate(UNFOLD)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(TWICE) == []
        assert page.evaluate(SMALL) == []
        assert page.locator("h1").count() == 1
        assert page.locator("main").count() == 1
        for name, role in (("answer", "alert"), ("calls", "status"), ("due", "alert")):
            assert page.get_attribute(f"#{name}", "role") == role


def luminance(color: str) -> float:
    """Return the relative luminance of a color, as WCAG 2.2 defines it."""
    digits = color if len(color) == 6 else "".join(one * 2 for one in color)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = [
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_wcag_has_it() -> None:
    assert contrast("fff", "000") == pytest.approx(21)
    assert contrast("777777", "ffffff") == pytest.approx(4.48, abs=0.01)


ON: Final = (
    *((ink, ground, 4.5) for ink in ("ink", "faint", "link", "good", "bad", "warn")
      for ground in ("paper", "raised")),
    *((ink, "area", 4.5) for ink in ("ink", "player", "banker", "tie")),
    ("player", "raised", 4.5), ("banker", "raised", 4.5), ("tie", "raised", 4.5),
    ("felt-ink", "felt", 4.5), ("felt-line", "felt", 3.0), ("edge", "paper", 3.0),
    ("edge", "raised", 3.0), ("area-line", "area", 3.0), ("red", "card", 4.5),
    ("black", "card", 4.5), ("on-link", "link", 4.5),
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_read_stands_out_from_its_ground(scheme: str) -> None:
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
    told = dict(re.findall(r"--([\w-]+): #(\w+)", light))
    if scheme == "dark":
        told |= dict(re.findall(r"--([\w-]+): #(\w+)", dark))
    poor = {
        (ink, ground): round(contrast(told[ink], told[ground]), 2)
        for ink, ground, least in ON
        if contrast(told[ink], told[ground]) < least
    }
    assert poor == {}
    # One ring of the focus stands out from whatever lies below.
    assert contrast(told["focus"], told["black"]) >= 7


# --- what is sent ----------------------------------------------------------------------------------


@pytest.fixture
def seat(house: Served) -> httpx.Client:
    """A patron's browser, without scripts: a cookie, and forms."""
    token = house.token("patron", "Patron 1", **grant_of("patron"))
    one = house.anybody()
    one.cookies.set("croupier", token)
    return one


def stake_of(seat: httpx.Client) -> dict[str, str]:
    """Return the form of the seat's wagers, filled in for $25 on one of them."""
    return {**form_of(seat.get("/tables/MB-101").text, "bets"), "stakes.stakes.player": "25"}


def test_a_form_is_taken_from_its_own_page_alone_and_once(
    seat: httpx.Client, house: Served
) -> None:
    form = stake_of(seat)

    def stakes() -> list[int]:
        placed = house.service.tables["MB-101"].desk.durable.state.stakes
        return [one.cents for one in placed.values()]

    assert sent(house, seat, ACTS, form, "https://elsewhere.example").status_code == 403
    assert sent(house, seat, ACTS, {**form, "form": "0" * 64}).status_code == 403
    assert sent(house, seat, ACTS, {**form, "form": ""}).status_code == 403
    assert stakes() == []
    for _ in range(2):
        answer = sent(house, seat, ACTS, form)
        assert (answer.status_code, answer.headers["location"]) == (303, "/tables/MB-101")
    assert stakes() == [2_500]


def test_a_link_opens_the_page_of_its_office_once(house: Served) -> None:
    browser = browser_of(house, "floorperson")
    fields = form_of(browser.get("/tables/MB-101").text, "make-link")
    made = sent(house, browser, "/tables/MB-101/links", {**fields, "person": "Pat", "seat": "5"})
    code = re.search(r"/enter\?link=([\w-]+)", made.text)
    assert code is not None, made.text
    patron, dealer = house.anybody(), browser_of(house, "dealer")
    (waits,) = re.findall(r'id="(grant-[\w-]+)"', dealer.get("/people").text)
    form = form_of(dealer.get("/people").text, waits)
    place = f"/people/{waits.removeprefix('grant-')}"
    consented = sent(house, dealer, place, {**form, "consent": "yes"})
    second = re.search(r"<code>([0-9A-Z]{4}-[0-9A-Z]{4})</code>", consented.text)
    assert second is not None, consented.text
    entering = patron.get(f"/enter?link={code[1]}").text
    assert 'name="link"' in entering
    assert 'name="code"' in entering
    alone = sent(house, patron, "/enter", {"link": code[1]})
    assert alone.status_code == 403
    both = {"link": code[1], "code": second[1]}
    assert sent(house, dealer, "/enter", both).status_code == 403
    answer = sent(house, patron, "/enter", both)
    assert answer.status_code == 303
    assert {"HttpOnly", "SameSite=strict"} <= set(answer.headers["set-cookie"].split("; "))
    assert "Pat · seat 5" in patron.get("/tables/MB-101").text
    again = sent(house, house.anybody(), "/enter", both)
    assert again.status_code == 410


def test_whoever_has_no_session_is_told_how_to_get_one(house: Served) -> None:
    answer = house.anybody().get("/tables/MB-101")
    assert answer.status_code == 401
    assert "Ask for a new link" in answer.text


@pytest.mark.parametrize("office", OFFICES)
def test_a_first_view_is_small_and_has_nothing_inline(house: Served, office: str) -> None:
    who = "Patron 1" if office == "patron" else ""
    person: Person = house.person(office, who, **grant_of(office))
    sizes = []
    for path in ("/tables/MB-101", "/style.css", "/table.js", "/keys.js"):
        with person.http.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            sizes.append(sum(map(len, answer.iter_raw())))
    assert sum(sizes) < FIRST_VIEW
    text = person.http.get("/tables/MB-101").text
    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]* src=)", text) == []


def test_a_form_that_is_no_command_says_which_field() -> None:
    for sent_, word in (
        ({"cents.cents": ["2,5.0"]}, "Amount"),
        ({"count.position": ["1e3"]}, "position"),
        ({"count.chips.2500": ["some"]}, "2500"),
        ({"serials.originals": ["101 and so on"]}, "originals"),
        ({"suit.card": ["h"]}, "rank"),
        ({"json.seat": ["{"]}, "Seat"),
    ):
        with pytest.raises(FormError, match=word):
            command_of({"command": ["BuyChips"], **sent_})
    counts = {"count.chips.2500": ["4"], "count.chips.10000": ["2"], "count.chips.500": [""]}
    assert command_of({"command": ["X"], **counts})["chips"] == {"2500": 4, "10000": 2}
    sent_ = {"command": ["X"], "serials.originals": ["101, 102"]}
    assert command_of(sent_)["originals"] == [101, 102]


@pytest.mark.parametrize("name", ["table.js", "keys.js"])
def test_a_script_can_be_read_at_a_sitting(name: str) -> None:
    script = (files("croupier.server.pages") / name).read_text()
    assert len(script.splitlines()) < 300


@pytest.mark.parametrize("office", OFFICES)
def test_what_is_not_shown_is_said_in_words_and_why(house: Served, office: str) -> None:
    dealer = house.person("dealer")
    place = {"type": "PlaceWager", "seat": 2, "wager": "player", "cents": 10_000}
    assert dealer.does("MB-101", place).status_code == 200
    who = "Patron 1" if office == "patron" else ""
    text = house.person(office, who, **grant_of(office)).http.get("/tables/MB-101/parts").text
    assert "??" not in text
    assert ("Player $100" in text) is (office not in BOOKS)
    assert ("that your office has no duty to see" in text) is (office in BOOKS)
    # A board lists no seats, so there is nothing to hide there.
    assert ("shown to them and to the staff alone" in text) is (office == "patron")


FACE_DOWN: Final = ROOT / "submissions" / "nj-minibaccarat-total-cards.toml"


def test_a_card_that_lies_face_down_is_in_no_byte_of_a_page(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        file = tmp_path / "face-down.toml"
        file.write_text(re.sub('pit = ".*"', 'pit = "1"', FACE_DOWN.read_text()))
        make_table(house, file)
        (name,) = house.service.tables
        house.do(prepared(house, name, 2))
        dealer = house.person("dealer")
        place = {"type": "PlaceWager", "seat": 1, "wager": "player", "cents": 10_000}
        assert dealer.does(name, place).status_code == 200
        for command in (
            {"type": "CallNoMoreBets"},
            *({"type": "DrawCard", "card": card} for card in ("Kh", "2c", "6d", "5s")),
        ):
            answer = dealer.does(name, command)
            assert answer.status_code == 200, answer.text
        for office in OFFICES:
            more: dict[str, Any] = {"seat": 1, "tables": (name,)} if office == "patron" else {}
            who = "Patron 1" if office == "patron" else ""
            text = house.person(office, who, **more).http.get(f"/tables/{name}/parts").text
            assert "face down" in text or office in BOOKS
            drawn = re.findall(r"(?:K|2|6|5) of \w+|: (?:Kh|2c|6d|5s)\b", text)
            assert drawn == [], office
            # Nobody is left to guess what a mask stands for.
            assert "??" not in text, office
