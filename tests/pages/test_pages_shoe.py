"""A whole shoe in the browser: dealer, three seats, floor, and cage, each in a window.

Once by keys alone, where one seat has no connection for up to half a minute; and once without scripts, by
forms and links. An irregularity, a relief, and a fill come in between. The cutting card lies far
from the back, as the text allows, so the shoe is a short one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import pytest

from croupier.baccarat.cards import DECK
from croupier.reports.words import dollars as dollars_of
from croupier.server.desks.hub import Listener
from croupier.server.resources.page_calls import PAGES
from croupier.table.machine.state import Phase
from support.project import ROOT
from support.served import Served, served
from support.tables import make_table
from support.volume import spread, volume
from support.windows import Opened, prepared, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PICTURES: Final = ROOT / "build" / "pages"
OFFLINE_SECONDS: Final = volume(30, 8)
CUT: Final = ("ERR_INTERNET_DISCONNECTED", "ERR_INCOMPLETE_CHUNKED_ENCODING")
"""What a console says of a connection that is lost."""
MOST_SECONDS: Final = 300
MOST_TABS: Final = 120
WATCHES_SHIFTS: Final = """() => { window.shifts = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput)
    shifts.push([one.value, ...one.sources.map((source) => source.node?.id || source.node?.className)]); })
  .observe({type: 'layout-shift', buffered: true}); }"""


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 3, from_back=request.param))
        for office in ("cage", "surveillance"):
            assigned = {"type": "AssignOffice", "person": office, "office": office}
            assert one.person("floorperson").does("MB-101", assigned).status_code == 200
        yield one


class Shoe:
    """The cards that are still in the shoe, as they will come."""

    def __init__(self, house: Served, table: str = "MB-101") -> None:
        self.desk = house.service.tables[table].desk
        self.hub = house.service.tables[table].hub
        left = [
            card.notation
            for card, many in zip(DECK, self.desk.durable.state.shoe.unseen, strict=True)
            for _ in range(many)
        ]
        random.Random(5).shuffle(left)
        self._left = left

    def draw(self) -> str:
        return self._left.pop()


async def cut(listeners: Iterable[Listener]) -> None:
    """End streams of events."""
    for one in listeners:
        one.is_dropped.set()


def sequence(page: Page) -> int:
    return int(page.locator("body").get_attribute("data-seq") or 0)


def is_live(page: Page) -> None:
    page.locator("body[data-state=live]").wait_for()


class Way(Protocol):
    """How a person does what a page offers."""

    def comes_to(self, page: Page, seq: int) -> None:
        """Wait until a page shows an entry."""

    def goes_on(self, page: Page) -> None:
        """Do what is next."""

    def enters(self, page: Page, card: str) -> None:
        """Enter the card that is due."""

    def fills_in(self, page: Page, act: str, **fields: str) -> None:
        """Open an act that is folded up, fill in its fields, and do it."""

    def wagers(self, page: Page, wager: str, dollars: str) -> None:
        """Place a wager."""

    def reports(self, page: Page) -> None:
        """Open the questions about irregularities."""

    def consents(self, page: Page) -> None:
        """Consent to the act that waits."""


class Keys:
    """By keys alone, on pages that renew themselves."""

    def comes_to(self, page: Page, seq: int) -> None:
        page.wait_for_function("(seq) => Number(document.body.dataset.seq) >= seq", arg=seq)

    def goes_on(self, page: Page) -> None:
        page.keyboard.press("Enter")

    def enters(self, page: Page, card: str) -> None:
        page.keyboard.press(card[0])
        page.keyboard.press(card[1])

    def fills_in(self, page: Page, act: str, **fields: str) -> None:
        page.locator(f"#{act}").wait_for(state="attached")
        drawer = page.locator(f".drawer:has(#{act}):not([open])")
        if drawer.count():
            page.locator("h1").press(drawer.get_attribute("data-key") or "")
        self._tab_to(page, f"#{act} > summary")
        if page.locator(f"#{act}[open]").count() == 0:
            page.keyboard.press("Enter")
        for name, value in fields.items():
            self._tab_to(page, f"#{act} [name$='.{name}']")
            if page.evaluate("document.activeElement.tagName") == "SELECT":
                page.keyboard.type(value)
            else:
                page.keyboard.press("Control+A")
                page.keyboard.type(value)
        self._tab_to(page, f"#{act} form button")
        page.keyboard.press("Enter")

    def _tab_to(self, page: Page, selector: str) -> None:
        """Go on with the tabulator until what is wanted has the focus."""
        page.locator(selector).first.wait_for()
        for _ in range(MOST_TABS):
            if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"the tabulator does not reach {selector}")

    def wagers(self, page: Page, wager: str, dollars: str) -> None:
        self._tab_to(page, f"#bet-{wager}")
        page.keyboard.type(dollars)
        page.keyboard.press("Enter")

    def reports(self, page: Page) -> None:
        page.locator("h1").press("!")

    def consents(self, page: Page) -> None:
        page.locator(".consent button[value=yes]").wait_for()
        page.locator("h1").press("y")


class Forms:
    """By forms and links, on pages that stand as they were sent: nothing runs in the browser."""

    def comes_to(self, page: Page, seq: int) -> None:
        if sequence(page) < seq:
            page.click("#connection a")
        assert sequence(page) >= seq

    def goes_on(self, page: Page) -> None:
        page.click("#next form.must button.primary")

    def enters(self, page: Page, card: str) -> None:
        page.click(f".ranks label:has(input[value='{card[0]}'])")
        page.click(f".suits button[value={card[1]}]")

    def fills_in(self, page: Page, act: str, **fields: str) -> None:
        for closed in (f".drawer:has(#{act}):not([open])", f"#{act}:not([open])"):
            if page.locator(closed).count():
                page.click(f"{closed} > summary")
        for name, value in fields.items():
            field = page.locator(f"#{act} [name$='.{name}']")
            if field.evaluate("(one) => one.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)
        page.click(f"#{act} form button")

    def wagers(self, page: Page, wager: str, dollars: str) -> None:
        page.fill(f"#bet-{wager}", dollars)
        page.click("#bets button.primary")

    def reports(self, page: Page) -> None:
        page.click("#drawer-irregular > summary")

    def consents(self, page: Page) -> None:
        page.click("#connection a")
        page.click(".consent button[value=yes]")


def goes_on(way: Way, dealer: Page, shoe: Shoe) -> None:
    """Do what is next at the table: deal the card that is due, or what must be done."""
    # What a page shows a moment later is not yet what is next.
    way.comes_to(dealer, shoe.desk.durable.sequence)
    before = sequence(dealer)
    if dealer.locator("#pad").count():
        way.enters(dealer, shoe.draw())
    else:
        dealer.locator("#next form.must button.primary").wait_for()
        way.goes_on(dealer)
    way.comes_to(dealer, before + 1)


def until(way: Way, dealer: Page, shoe: Shoe, phase: Phase) -> None:
    for _ in range(30):
        if shoe.desk.durable.state.phase is phase:
            return
        goes_on(way, dealer, shoe)
    raise AssertionError(f"the table does not come to {phase}")


def a_round(way: Way, dealer: Page, shoe: Shoe) -> None:
    rounds = shoe.desk.durable.state.rounds
    goes_on(way, dealer, shoe)
    while shoe.desk.durable.state.phase.in_play or shoe.desk.durable.state.rounds == rounds:
        goes_on(way, dealer, shoe)


def places(way: Way, page: Page, wager: str, dollars: str) -> None:
    way.wagers(page, wager, dollars)
    page.locator("#bet", has_text=f"Placed ${dollars}").wait_for()


def patron(opened: Opened, seat: int, table: str = "MB-101") -> Page:
    person, path = f"Patron {seat}", f"/tables/{table}"
    return opened.page("patron", person, path, seat=seat, tables=(table,), width=360)


def goes_astray(way: Way, dealer: Page, shoe: Shoe) -> None:
    """A card leaves the shoe when none is due, and the dealer reports it."""
    before = sequence(dealer)
    way.reports(dealer)
    way.fills_in(dealer, "ask-DrawCardInError-0", card=shoe.draw())
    way.comes_to(dealer, before + 1)
    assert "is drawn in error" in (dealer.text_content("#told") or "")


def is_relieved(way: Way, floor: Page) -> None:
    """The floor has Dana relieve the dealer."""
    before = sequence(floor)
    way.fills_in(floor, "other-RelieveDealer-0", dealer="Dana")
    way.comes_to(floor, before + 1)


def is_filled(way: Way, floor: Page, cage: Page, dealer: Page) -> None:
    """The floor asks for chips, the cage issues them, and the dealer takes them with the floor."""
    before = sequence(floor)
    # Ten chips of $100.
    way.fills_in(floor, "other-RequestFill-0", **{"10000": "10"})
    way.comes_to(floor, before + 1)
    # It is next for the cage.
    way.comes_to(cage, sequence(floor))
    before = sequence(cage)
    way.goes_on(cage)
    way.comes_to(cage, before + 1)
    way.comes_to(dealer, sequence(cage))
    way.fills_in(dealer, "other-ReceiveFill-0")
    way.comes_to(floor, sequence(cage))
    before = sequence(floor)
    way.consents(floor)
    way.comes_to(floor, before + 1)
    way.comes_to(cage, before + 1)
    assert "received" in cage.inner_text("#slips")


@pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")
def test_a_whole_shoe_of_midi_baccarat_is_dealt_by_keys_alone(
    browser: Browser, tmp_path: Path
) -> None:
    file, table, keys = tmp_path / "midi.toml", "MD-601", Keys()
    text = (ROOT / "submissions" / "ny-midi.toml").read_text("utf-8")
    file.write_text(text.replace('pit = "6"', 'pit = "1"'), encoding="utf-8")
    with served(tmp_path / "midi.sqlite", more=PAGES) as house, windows(browser, house) as opened:
        make_table(house, file)
        back = volume(372, 393, most=320)
        house.do(prepared(house, table, 2, from_back=back, day=date(2024, 11, 2)))
        shoe, dealer = Shoe(house, table), opened.page("dealer", path=f"/tables/{table}")
        seats = {seat: patron(opened, seat, table) for seat in (1, 2)}
        for page in (dealer, *seats.values()):
            is_live(page)
        returned = set()
        while (state := shoe.desk.durable.state).phase is not Phase.SHOE_COMPLETED:
            if state.phase is Phase.BETTING:
                # Each seat is the highest bettor on a hand, and turns it.
                for page, wager in zip(seats.values(), ("player", "banker"), strict=True):
                    places(keys, page, wager, "100")
            for seat, page in seats.items():
                keys.comes_to(page, before := shoe.desk.durable.sequence)
                if page.locator("#next form.must", has_text="return the").count():
                    # Whoever has it has not turned it: it is face down on every page.
                    assert dealer.locator(".hand .back").count() > 0
                    returned.add((seat, page.inner_text("#next .primary")))
                    keys.goes_on(page)
                    keys.comes_to(page, before + 1)
                    break
            else:
                goes_on(keys, dealer, shoe)
        assert {(1, "Seat 1: return the Player's Hand, face up"),
                (2, "Seat 2: return the Banker's Hand, face up")} == returned  # fmt: skip
        assert shoe.desk.durable.state.shoe.cards_behind is None
        assert shoe.desk.durable.state.rounds > volume(5, 2, most=9)


# 416 cards less 352: some 64 are dealt before the cutting card appears.
@pytest.mark.parametrize("house", [volume(352, 393, most=320)], indirect=True, ids=["keys"])
def test_a_whole_shoe_is_dealt_by_keys_alone(opened: Opened, house: Served) -> None:
    begun, shoe, keys = time.monotonic(), Shoe(house), Keys()
    dealer, floor = opened.page("dealer"), opened.page("floorperson")
    cage = opened.page("cage", width=360)
    seats = [patron(opened, seat) for seat in (1, 2)]
    for page in (dealer, floor, cage, *seats):
        is_live(page)
    others = set(shoe.hub._listeners)  # noqa: SLF001  (the next one is of the third seat)
    seats.append(patron(opened, 3))
    is_live(seats[2])
    pages = [dealer, floor, cage, *seats]
    for page in pages:
        page.evaluate(WATCHES_SHIFTS)
    # Nothing moved while they were loaded.
    assert [page.evaluate("shifts") for page in pages] == [[]] * len(pages)

    # The first round, with a wager of each seat; then one seat has no connection.
    bets = (("player", "100"), ("banker", "50"), ("tie", "10"))
    for page, (wager, dollars) in zip(seats, bets, strict=True):
        places(keys, page, wager, dollars)
    until(keys, dealer, shoe, Phase.DECIDED)
    takes_pictures(opened)
    until(keys, dealer, shoe, Phase.BETTING)
    away = seats[2]
    away.context.set_offline(True)
    # A browser that is told to be offline goes on reading a stream that is open: it is cut, too.
    house.do(cut(shoe.hub._listeners - others))  # noqa: SLF001  (whose stream it is)
    gone = time.monotonic()
    away.locator("#state", has_text="Reconnecting").wait_for()
    away.locator("#bets button.primary[aria-disabled=true]").wait_for()

    goes_astray(keys, dealer, shoe)
    a_round(keys, dealer, shoe)
    is_relieved(keys, floor)
    # Dana finds the table as it is.
    dana = opened.page("dealer", "Dana", width=360)
    is_live(dana)
    assert "Dana" in (dana.text_content("#facts") or "")
    places(keys, seats[1], "banker", "100")
    a_round(keys, dana, shoe)
    is_filled(keys, floor, cage, dana)

    # The rest of the shoe, to the hand after the cutting card.
    while shoe.desk.durable.state.phase is Phase.BETTING:
        a_round(keys, dana, shoe)
    state = shoe.desk.durable.state
    assert state.shoe.cards_behind is None
    assert state.rounds > volume(7, 3, most=12)

    # Later the seat that was away has all of it.
    away.wait_for_timeout(max(0.0, OFFLINE_SECONDS - (time.monotonic() - gone)) * 1000)
    away.locator("#state", has_text="Out of date since").wait_for()
    away.context.set_offline(False)
    is_live(away)
    keys.comes_to(away, shoe.desk.durable.sequence)
    assert away.inner_text("#roads-twin") == seats[0].inner_text("#roads-twin")
    assert away.inner_text("#held") == ""
    # Parts keep their place while others act: what moved is less than a tenth of a screen a round.
    for page in seats:
        assert sum(moved for moved, *_ in page.evaluate("shifts")) < 0.1 * state.rounds
    opened.expect(*CUT)
    assert time.monotonic() - begun < MOST_SECONDS


@pytest.mark.parametrize("house", [volume(386, 396, most=376)], indirect=True, ids=["short"])
def test_a_whole_shoe_is_dealt_without_scripts(opened: Opened, house: Served) -> None:
    begun, shoe, forms = time.monotonic(), Shoe(house), Forms()

    def window(office: str, person: str = "", **more: Any) -> Page:
        return opened.page(office, person, java_script_enabled=False, **more)

    dealer, floor = window("dealer"), window("floorperson")
    cage = window("cage", width=360)
    tables = {"tables": ("MB-101",)}
    seats = [window("patron", f"Patron {one}", seat=one, width=360, **tables) for one in (1, 2, 3)]
    bets = (("player", "100"), ("banker", "50"), ("tie", "10"))

    def has_no_wider_page(*pages: Page) -> None:
        """Look at pages on a phone and on a desk: none of them scrolls sideways."""
        for page in pages:
            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 900})
                # A window of a busy machine may have its new width a moment later.
                page.wait_for_function(f"document.documentElement.scrollWidth <= {width}")

    # A round with a wager of each seat.
    for page, (wager, dollars) in zip(seats, bets, strict=True):
        places(forms, page, wager, dollars)
    until(forms, dealer, shoe, Phase.DECIDED)
    has_no_wider_page(dealer, *seats)
    until(forms, dealer, shoe, Phase.BETTING)
    for page in seats:
        forms.comes_to(page, shoe.desk.durable.sequence)
    # A round with an irregularity; then the dealer is relieved, and the new one has a phone.
    goes_astray(forms, dealer, shoe)
    a_round(forms, dealer, shoe)
    forms.comes_to(floor, shoe.desk.durable.sequence)
    is_relieved(forms, floor)
    dana = window("dealer", "Dana", width=360)
    assert "Dana" in (dana.text_content("#facts") or "")
    dealer.click("#connection a")
    assert dealer.locator("#next form").count() == 0
    forms.comes_to(seats[1], shoe.desk.durable.sequence)
    places(forms, seats[1], "banker", "100")
    a_round(forms, dana, shoe)
    forms.comes_to(cage, shoe.desk.durable.sequence)
    is_filled(forms, floor, cage, dana)
    has_no_wider_page(floor, cage)

    # The rest of the shoe, to the hand after the cutting card.
    while shoe.desk.durable.state.phase is Phase.BETTING:
        a_round(forms, dana, shoe)
    state = shoe.desk.durable.state
    assert state.shoe.cards_behind is None
    assert state.rounds > volume(3, 2, most=5)
    # Each window shows the same shoe, and each patron what they have.
    for page in seats:
        forms.comes_to(page, shoe.desk.durable.sequence)
    assert len({page.locator("#roads-twin").text_content() for page in (dana, *seats)}) == 1
    for seat, page in enumerate(seats, start=1):
        cents = state.seats[seat].chips_cents
        assert page.inner_text("#own .big") == dollars_of(cents)
    assert time.monotonic() - begun < MOST_SECONDS


def takes_pictures(opened: Opened) -> None:
    """Keep a picture of pages as they stand, at the widths of a phone and a desk."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    offices = ("dealer", "patron", "board", "floorperson", "pit boss", "surveillance",
               "pit clerk", "cage", "accounting", "licensee")  # fmt: skip
    for office in spread(offices, 2):
        grant: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
        page = opened.page(office, "Patron 1" if office == "patron" else "", **grant)
        is_live(page)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(path=PICTURES / f"{office.replace(' ', '-')}-{width}.png",
                            full_page=True)  # fmt: skip
        page.context.close()
