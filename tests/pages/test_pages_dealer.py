"""The dealer's screen: all that a round needs in one view, at each size, and nothing that moves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.acts import ClearLayout, SettleWagers
from croupier.records.stores.store import Answer
from croupier.server.desks.desk import Desk
from croupier.server.pages.forms import commands_of
from croupier.server.pages.pieces import amount
from croupier.server.resources.page_calls import PAGES
from croupier.table.machine.state import Phase
from support.moments import ROYAL_9, royal_9
from support.page_forms import browser_of, form_of, sent
from support.served import PUNTO_BANCO, Served, served
from support.tables import make_table
from support.windows import SCROLLED, Opened, dealt, prepared, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

SIZES: Final = ((1280, 800), (1024, 768), (360, 740))
SIDEWAYS: Final = ((740, 360), (667, 375))
WAGERS: Final = (
    "player", "banker", "tie", "four_cards", "five_cards", "six_cards", "bonus_player",
    "bonus_banker",
)  # fmt: skip
FULL: Final = {(seat, wager): 5_000 for seat in range(1, 8) for wager in WAGERS}
OUT_OF_VIEW: Final = """() => {
  const bar = document.getElementById('answer').getBoundingClientRect().top;
  return [...document.querySelectorAll('#desk .card, #desk .slot, #desk td, #desk th,'
      + ' #next .prompt, #next button, #next .ranks span, .consent button, .drawers summary')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.top < 0 || box.left < 0 || box.bottom > bar + 1
      || box.right > innerWidth + 1)
    .map(([one]) => one.outerHTML.slice(0, 80)); }"""
COVERED: Final = """() => [...document.querySelectorAll('#desk .card, #next .prompt, #next button,'
    + ' #next .ranks label, main .drawer > summary')].filter((one) => one.checkVisibility()).filter((one) => {
  const box = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)); })
  .map((one) => one.outerHTML.slice(0, 80))"""
"""What a round needs at once, and cannot be seen and touched without scrolling."""
CUT_OFF: Final = """() => [...document.querySelectorAll('.consent h3')].filter((one) =>
  one.getBoundingClientRect().bottom > one.parentElement.getBoundingClientRect().bottom)
  .map((one) => one.textContent)"""
"""Sentences of consents that are not seen whole."""
LINES: Final = """(all) => all.map((one) => { const said = document.createRange();
  said.selectNodeContents(one);
  return new Set([...said.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top / 8))).size; })"""
"""In how many lines something is written."""
SCROLLS: Final = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
LARGE: Final = """(said) => document.querySelectorAll('.grid td').forEach((cell) =>
  [...cell.children].filter((one) => one.tagName !== 'I').forEach((one) => (one.innerHTML = said)))"""
"""Writes an amount into every cell of the grid."""
PLACES: Final = """() => Object.fromEntries(['#seats', '#cards', '#next', '#next .prompt', '.drawers',
    '#answer', '#calls', 'header', '#desk .hand.player p', '#desk tbody']
  .map((one) => [one, document.querySelector(one).getBoundingClientRect()])
  .map(([one, box]) => [one, [box.left, box.top, box.width].map(Math.round)]))"""
WATCHES: Final = """() => { window.moved = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) for (const source of one.sources)
    if (source.node?.id) moved.push(source.node.id); })
  .observe({type: 'layout-shift', buffered: false}); }"""
"""Notes what moves, also right after a key or a click."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """Serve a table with a patron in each of its seven seats."""
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 7))
        yield one


def desk(opened: Opened, office: str = "dealer", **more: Any) -> Page:
    page = opened.page(office, **more)
    page.locator("body[data-state=live]").wait_for()
    return page


def is_in_view(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(SCROLLS) == [width, height]
    # Below the pad, a phone shows the sentence of a consent; who asked until when is scrolled to.
    scrolls = "#consent-" if page.locator("#next .ranks").count() else "nothing"
    assert [one for one in page.evaluate(SCROLLED) if scrolls not in one] == []
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OUT_OF_VIEW) == []


def test_a_round_of_seven_seats_and_eight_wagers_is_in_one_view(
    opened: Opened, house: Served
) -> None:
    page, dealer = desk(opened), house.person("dealer")
    dealt(house, "2h 3c 3s", FULL, upto="SettleWagers")
    # The pad is there from the first card on.
    page.locator("#desk .card").nth(2).wait_for()
    assert page.locator("#seats td.stake").count() == 56
    for width, height in SIZES:
        is_in_view(page, width, height)
        heights = page.evaluate(
            "[...document.querySelectorAll('#desk .card')].map((one) => one.offsetHeight)"
        )
        assert len(heights) == 3
        assert min(heights) >= 80
    # A phone held sideways has the cards and what is due, and scrolls to the wagers.
    for width, height in SIDEWAYS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], width
    page.evaluate(LARGE, amount("$1,234,567"))
    is_in_view(page, 360, 740)
    assert not page.get_by_text("Nothing waits for consent.").is_visible()
    # Player 2, 3, 2: 7; Banker 3, 4: 7.
    for card in ("4d", "2d"):
        assert dealer.does("MB-101", {"type": "DrawCard", "card": card}).status_code == 200
    page.locator("#next .primary").wait_for()
    # Four side wagers of each seat lose, first of seat 7; then Tie and five cards are paid.
    assert page.locator("#seats td.takes").count() == 28
    assert page.locator("#seats td.pays").count() == 14
    assert page.text_content("#seats tr.tie td.pays >> nth=0") == "29$50+$400"
    for width, height in SIZES:
        is_in_view(page, width, height)
    for width, height in SIDEWAYS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], width
    # A payment has a line of its own, which ends where the amount does.
    page.evaluate(LARGE, amount("+$1,234,567"))
    page.set_viewport_size({"width": 1280, "height": 800})
    heights = "(all) => all.map((one) => one.offsetHeight)"
    assert max(page.locator("#seats td.pays b").evaluate_all(heights)) < 20
    # A card grows with the screen.
    page.set_viewport_size({"width": 2560, "height": 1440})
    assert page.evaluate("document.querySelector('#desk .card').offsetHeight") > 200


TOUCHED: Final = """() => [...document.querySelectorAll('.consent button, .consent h3, .consent .hint:last-of-type')]
  .map((one) => [one, one.getBoundingClientRect()]).map(([one, box]) =>
    one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)))"""
"""Whether each part of what waits can be seen and touched."""


def test_what_waits_and_what_ended_is_in_view_on_a_phone_held_sideways(
    opened: Opened, house: Served
) -> None:
    dealer = house.person("dealer")
    count = {"type": "CountInventory", "chips": {"2500": 1}}
    assert dealer.does("MB-101", count).status_code == 202
    pages = [desk(opened), desk(opened, "floorperson")]
    for cards in ("", "9h 2c Ts 3d"):
        dealt(house, cards, {(1, "player"): 5_000}, upto="CallNoMoreBets" if not cards else "")
        for page in pages:
            said = "waits for the consent" if page == pages[0] else "asked by"
            page.locator(".consent", has_text="no longer waits" if cards else said).wait_for()
            for width, height in SIDEWAYS:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate("scrollTo(0, 0)")
                assert set(page.evaluate(TOUCHED)) == {True}
    # What has ended is not what is next.
    assert "no longer waits" not in pages[1].inner_text("#next")


def test_no_digit_of_a_large_amount_or_a_long_sign_is_cut_off(
    opened: Opened, house: Served
) -> None:
    marked = '<span class="amount {}">{}<span class="sign{}">{}</span>{}</span>'.format
    assert amount("$500") == marked("short", "", "", "$", "500")
    assert amount("$5,000") == marked("long", "", "", "$", "5,000")
    assert amount("+$1,234,567") == marked("longest", "+", "", "$", "1,234,567")
    assert amount("HK$1,250,000") == marked("longest", "", " letters", "HK$", "1,250,000")
    assert amount("−$37.50") == marked("long", "−", "", "$", "37.50")
    assert amount("[not shown]") == "[not shown]"
    page = desk(opened)
    dealt(house, "2h 3c 4s 4d", FULL, upto="SettleWagers")
    page.locator("#seats td.pays").nth(6).wait_for()
    page.evaluate(
        "document.querySelectorAll('.who').forEach((one) => (one.textContent = 'W'.repeat(40)))"
    )
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for said in ("+$4,787.50", "$1,234,567", "HK$1,250,000", "+A$987,654,400"):
            page.evaluate(LARGE, amount(said))
            cut = "(cells) => cells.filter((one) => one.scrollWidth > one.clientWidth).length"
            assert page.locator("#seats td").evaluate_all(cut) == 0, (width, said)
            # No amount goes on in a second line.
            assert max(page.locator("#seats td b").evaluate_all(LINES)) == 1, (width, said)
            # A phone has all seats beside each other, but where an amount has nine digits.
            wide = "(one) => one.scrollWidth > one.clientWidth"
            assert page.locator(".grid").evaluate(wide) is (width == 360 and len(said) > 11), said
        # The head has one line, whoever works here.
        heads = page.locator("header h1, header .up").evaluate_all(
            "(all) => all.map((one) => one.offsetHeight)"
        )
        assert max(heads) < 45, width


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
def test_a_table_of_twelve_seats_is_no_wider_than_its_screen(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(PUNTO_BANCO.read_text().replace('pit = "11"', 'pit = "1"'))
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        make_table(house, file)
        house.do(prepared(house, "PB-1101", 12))
        page = desk(opened, path="/tables/PB-1101")
        for width, height in ((1280, 800), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SCROLLS)[0] == width


def test_a_consent_stands_where_the_next_act_does(opened: Opened, house: Served) -> None:
    page = desk(opened, "floorperson")
    page.set_viewport_size({"width": 1280, "height": 800})
    dealt(house, "2h 3c", FULL, upto="SettleWagers")
    page.locator("#desk .card").nth(1).wait_for()
    before = page.evaluate(PLACES)
    asks = {
        "type": "CorrectMisreadCard", "recorded": "2h", "actual": "8c", "hand": "player",
        "ordinal": 1, "supervisor": "floorperson",
    }  # fmt: skip
    assert house.person("dealer").does("MB-101", asks).status_code == 202
    yes = page.locator(".consent button[value=yes]")
    yes.wait_for()
    box = yes.bounding_box()
    assert box is not None
    assert box["y"] < 400
    assert page.evaluate(PLACES) == before


def test_nothing_moves_after_an_answer(opened: Opened, house: Served) -> None:
    page = desk(opened)
    page.set_viewport_size({"width": 1280, "height": 800})
    dealt(house, "", FULL, upto="CallNoMoreBets")
    page.locator("#seats td.stake").nth(55).wait_for()
    page.wait_for_timeout(300)
    page.evaluate(WATCHES)
    before = page.evaluate(PLACES)
    for keys in ("Enter", "2h", "3c", "3s", "4d", "2d", "Enter"):
        seq = page.evaluate("document.body.dataset.seq")
        for key in [keys] if keys == "Enter" else keys:
            page.keyboard.press(key)
        page.wait_for_function("(seq) => document.body.dataset.seq !== seq", arg=seq)
        page.locator("#answer", has_text="Done.").wait_for()
        assert page.evaluate(PLACES) == before, keys
    assert page.evaluate("moved") == []
    # The answer is in view, in a line of its own; so is a refusal.
    page.click("#drawer-acts > summary")
    page.click("#other-BuyChips-1 > summary >> nth=0")
    page.fill("#BuyChips-1-cents-cents", "0")
    page.click("#other-BuyChips-1 form button")
    page.locator("#answer.bad").wait_for()
    box = page.locator("#answer").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    assert page.evaluate(PLACES) | {"#answer": 0} == before | {"#answer": 0}
    opened.expect("409", "422")


def test_enter_is_the_next_act_and_a_drawer_is_one_key_away(opened: Opened, house: Served) -> None:
    page = desk(opened)
    for key in ("!", "o", "r", "w", "i"):
        page.keyboard.press(key)
        drawer = page.locator(f".drawer[data-key='{key}'][open]")
        drawer.wait_for()
        assert page.locator(".drawer[open]").count() == 1
        assert page.evaluate("document.activeElement.closest('.sheet') !== null")
        page.keyboard.press("Escape")
        assert page.locator(".drawer[open]").count() == 0
    # A drawer that is closed with the mouse leaves the focus on its handle: Enter goes on.
    for _ in range(2):
        page.click("#drawer-irregular > summary")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    page.locator("#pad").wait_for()
    assert page.locator(".drawer[open]").count() == 0
    # No card is dealt while something else is asked.
    sequence = house.service.tables["MB-101"].desk.durable.sequence
    page.keyboard.press("!")
    for key in "9h":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert house.service.tables["MB-101"].desk.durable.sequence == sequence
    page.keyboard.press("Escape")
    # The last key is said, and one that means nothing.
    page.keyboard.press("9")
    page.locator("#answer.good", has_text="9, then c d h s").wait_for()
    page.keyboard.press("z")
    page.locator("#answer.bad", has_text="“z” is not a key here").wait_for()
    page.keyboard.press("u")
    page.locator("#answer.good", has_not_text="z").wait_for(state="attached")
    for key in "9h":
        page.keyboard.press(key)
    page.locator("#desk .card").wait_for()


@pytest.mark.parametrize("scripts", [True, False])
def test_one_key_settles_and_clears_a_round_with_nothing_open(
    opened: Opened, house: Served, *, scripts: bool
) -> None:
    page = opened.page("dealer", java_script_enabled=scripts)
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 2_500}, upto="SettleWagers")
    if scripts:
        # The page follows the round, and has other forms before.
        page.locator("#next button[name=then]").wait_for()
        page.keyboard.press("Enter")
    else:
        page.reload()
        page.click("#next .primary")
    page.locator("#next form[data-command=CallNoMoreBets]").wait_for()
    table = house.service.tables["MB-101"]
    last = table.desk.durable.sequence
    settled, cleared = house.do(table.past.entries(last - 1, last))
    # Two entries, in the order of the text: payment, then the cards in the discard rack.
    assert [settled.command, cleared.command] == [SettleWagers(), ClearLayout()]
    assert [one.stamp.by[0].office for one in (settled, cleared)] == ["dealer", "dealer"]
    assert all(event.clauses for one in (settled, cleared) for event in one.events)
    assert table.desk.durable.state.round is None


def test_a_round_with_something_open_is_settled_alone(opened: Opened, house: Served) -> None:
    page, dealer = desk(opened), house.person("dealer")
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 2_500}, upto="SettleWagers")
    page.locator("#next button[name=then]").wait_for()
    # A misread card waits for the floorperson: the cards stay on the layout.
    misread = {
        "type": "CorrectMisreadCard", "recorded": "9h", "actual": "8h", "hand": "player",
        "ordinal": 1, "supervisor": "floorperson",
    }  # fmt: skip
    assert dealer.does("MB-101", misread).status_code == 202
    page.locator(".consent").wait_for()
    assert page.locator("#next button[name=then]").count() == 0
    page.keyboard.press("Enter")
    page.locator("#next .primary", has_text="Pick up the cards").wait_for()
    assert house.service.tables["MB-101"].desk.durable.state.round is not None


@pytest.mark.parametrize("meanwhile", ["shown", "asked"])
def test_what_waits_since_the_page_was_shown_keeps_the_cards_on_the_layout(
    house: Served, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 2_500}, upto="SettleWagers")
    browser, floor = browser_of(house, "dealer"), house.person("floorperson")
    form = form_of(browser.get("/tables/MB-101").text, "act-SettleWagers-0")
    misread = {
        "type": "CorrectMisreadCard", "recorded": "9h", "actual": "8h", "hand": "player",
        "ordinal": 1, "supervisor": "floorperson",
    }  # fmt: skip
    dealer, kept_answer = house.person("dealer"), Desk.kept_answer

    async def asked(desk: Desk, grant: str, key: str) -> Answer | None:
        found = await kept_answer(desk, grant, key)
        monkeypatch.setattr(Desk, "kept_answer", kept_answer)
        answer = await asyncio.to_thread(dealer.does, "MB-101", misread)
        assert answer.status_code == 202
        return found

    if meanwhile == "asked":
        # It begins to wait while the key of the form is looked up.
        monkeypatch.setattr(Desk, "kept_answer", asked)
    else:
        assert dealer.does("MB-101", misread).status_code == 202
    path, sends = "/tables/MB-101/acts", form | {"then": "ClearLayout"}
    for _ in range(2):
        assert sent(house, browser, path, sends).status_code == 303
        state = house.service.tables["MB-101"].desk.durable.state
        assert (state.phase, state.round is None) == (Phase.SETTLED, False)
    assert floor.sees("/v1/tables/MB-101/consents")["consents"]


def test_a_form_has_no_more_commands_than_a_request(house: Served) -> None:
    browser = browser_of(house, "dealer")
    form = form_of(browser.get("/tables/MB-101").text, "act-WriteNote-0")
    seats = ["1"] * 65
    many: dict[str, str | list[str]] = {**form, "command": "CollectVigorish", "seats.seat": seats}
    answer = sent(house, browser, "/tables/MB-101/acts", many)
    assert answer.status_code == 422
    assert "64" in answer.text


def test_no_other_act_is_smuggled_in_with_one(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 2_500}, upto="SettleWagers")
    for first, then in (("SettleWagers", "PauseTable"), ("ClearLayout", "SettleWagers")):
        assert commands_of({"command": [first], "then": [then]}) == [{"type": first}]
    # A patron who sends both gives neither.
    patron = browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",))
    page, path = patron.get("/tables/MB-101").text, "/tables/MB-101/acts"
    form = form_of(page, "bets") | {"command": "SettleWagers", "then": "ClearLayout"}
    refused = sent(
        house, patron, path, {name: one for name, one in form.items() if "." not in name}
    )
    assert refused.status_code == 403
    assert house.service.tables["MB-101"].desk.durable.state.phase is Phase.DECIDED


HIT: Final = """() => [...document.querySelectorAll(
    '#consents button, #next button, #next .ranks span, .drawers summary, #desk :is(td, th)'
    + ', #desk :is(.card, .slot, .total), #next .prompt')]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !one.contains(hit) && !hit?.closest('label')?.contains(one); })
  .map((one) => one.outerHTML.slice(0, 80))"""
"""Whatever lies under something else."""


def test_what_waits_for_a_consent_moves_nothing_and_needs_no_scrolling(
    opened: Opened, house: Served
) -> None:
    floor, cage, dealer = map(house.person, ("floorperson", "cage", "dealer"))
    cage_on = {"type": "AssignOffice", "person": "cage", "office": "cage"}
    assert floor.does("MB-101", cage_on).status_code == 200
    fill = {"slip": 1, "chips": {"10000": 10}}
    dealt(house, "", FULL, upto="CallNoMoreBets")
    page = desk(opened)
    page.set_viewport_size({"width": 360, "height": 740})
    cards = iter(("2h", "3c", "3s", "4d", "2d"))
    for moment in ("betting", "dealing", "decided"):
        if moment == "dealing":
            dealt(house, next(cards), {}, upto="SettleWagers")
        elif moment == "decided":
            for card in cards:
                assert dealer.does("MB-101", {"type": "DrawCard", "card": card}).status_code == 200
        if moment == "betting":
            assert floor.does("MB-101", {"type": "RequestFill", **fill}).status_code == 200
            assert cage.does("MB-101", {"type": "IssueFill", **fill}).status_code == 200
            page.locator("#consents summary", has_text="Count the chips of a fill").wait_for()
            is_in_view(page, 360, 740)
        seq = house.service.tables["MB-101"].desk.durable.sequence
        page.wait_for_function("(seq) => Number(document.body.dataset.seq) >= seq", arg=seq)
        places = page.evaluate(PLACES)
        waits = dealer.does("MB-101", {"type": "ReceiveFill", **fill})
        assert waits.status_code == 202
        page.locator(".consent", has_text="Fill 1: ten $100 chips, $1,000").wait_for()
        # It is not listed a second time, as something still to do.
        assert page.locator("#consents summary").count() == 0
        for width, height in SIZES:
            is_in_view(page, width, height)
            assert page.evaluate(HIT) == [], (moment, width)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate(PLACES) == places, moment
        page.evaluate(WATCHES)
        page.click(".consent button >> text=Withdraw")
        page.locator(".consent").wait_for(state="detached")
        assert page.evaluate("moved") == [], moment


COUNT: Final = {"type": "CountInventory", "chips": {"2500": 1}}
MISREAD: Final = {
    "type": "CorrectMisreadCard", "supervisor": "floorperson", "recorded": "2h", "actual": "8h",
    "hand": "player", "ordinal": 1,
}  # fmt: skip


def test_two_acts_that_wait_leave_room_for_a_card_that_is_due(
    opened: Opened, house: Served
) -> None:
    floor, cage, dealer = map(house.person, ("floorperson", "cage", "dealer"))
    fill = {"slip": 1, "chips": {"10000": 10}}
    for person, command in (
        (floor, {"type": "AssignOffice", "person": "cage", "office": "cage"}),
        (floor, {"type": "RequestFill", **fill}),
        (cage, {"type": "IssueFill", **fill}),
    ):
        assert person.does("MB-101", command).status_code == 200
    dealt(house, "2h 3c 3s", FULL, upto="SettleWagers")
    for command in ({"type": "ReceiveFill", **fill}, MISREAD):
        assert dealer.does("MB-101", command).status_code == 202
    page = desk(opened)
    page.locator(".consent >> nth=1").wait_for()
    # A phone has one next to the other.
    for width, height in SIZES[:2]:
        is_in_view(page, width, height)


def test_two_acts_that_wait_leave_room_to_open_a_table(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        make_table(house)
        floor = house.person("floorperson")
        for office in ("floorperson", "dealer"):
            assigned = {"type": "AssignOffice", "person": office, "office": office}
            assert floor.does("MB-101", assigned).status_code == 200
        page = desk(opened, "floorperson")
        for many in range(3):
            if many:
                counts = house.person("dealer").does("MB-101", COUNT | {"chips": {"2500": many}})
                assert counts.status_code == 202
                page.locator(f".consent >> nth={many - 1}").wait_for()
            for width, height in SIZES[:2]:
                is_in_view(page, width, height)
            for width, height in ((360, 740), *SIDEWAYS):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(SCROLLS) == [width, height], (many, width)
                assert page.evaluate(SCROLLED) == [], (many, width)
        page.set_viewport_size({"width": 1280, "height": 800})
        # What is asked for stands in rows.
        tops = "(all) => all.map((one) => one.getBoundingClientRect().top)"
        fields = page.locator("#next .field > input").evaluate_all(tops)
        assert fields[0] == fields[1] != fields[2] == fields[3]


def test_a_card_is_corrected_on_a_phone_without_scrolling(opened: Opened, house: Served) -> None:
    dealt(house, "2h 3c 3s", FULL, upto="SettleWagers")
    page = desk(opened)
    page.set_viewport_size({"width": 360, "height": 740})
    page.click("#desk .hand.player .card >> nth=0")
    page.locator("#act-CorrectMisreadCard-0 button").wait_for()
    assert page.evaluate(SCROLLS) == [360, 740]
    assert page.evaluate(SCROLLED) == []


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_due_by_hand_is_seen_whole_among_the_payments(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        royal_9(house, tmp_path)
        page = desk(opened, path=f"/tables/{ROYAL_9}")
        assert page.inner_text("#pay li li >> nth=-1").startswith("seat 1 Royal 9 $5 pays $10,000")
        # What the meters show is neither collected nor paid; the stake that is kept is collected.
        assert "The meters show" not in page.inner_text("#next")
        assert page.locator("#seats td.takes").count() == 1
        for width, height in (*SIZES, *SIDEWAYS):
            is_in_view(page, width, height)
            cut = "(one) => one.scrollWidth > one.clientWidth"
            assert not page.locator("#next .primary").evaluate(cut)


@pytest.mark.parametrize("size", [(640, 400), (512, 384)])
def test_on_a_low_screen_the_act_that_is_due_is_in_the_first_view(
    opened: Opened, size: tuple[int, int]
) -> None:
    # Screens of 1280 by 800 and 1024 by 768 pixels at 200%.
    page = opened.page("dealer")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("body[data-state=live]").wait_for()
    button = page.locator("#next button.primary").first
    box = button.bounding_box()
    assert box is not None
    # Nothing lies over its lower edge either.
    lowest = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 4]
    assert button.evaluate("(one, at) => one.contains(document.elementFromPoint(...at))", lowest)
