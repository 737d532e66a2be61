"""A whole shoe in the browser, by keys alone: dealer, three seats, floor, and cage, each in a window.

An irregularity, a relief, and a fill come in between, and one seat has no connection for half a
minute. The cutting card lies far from the back, as the text allows, so the shoe is a short one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from croupier.cards import DECK
from croupier.server.hub import Listener
from croupier.server.page_calls import PAGES
from croupier.table.state import Phase
from support.project import ROOT
from support.served import Served, served
from support.tables import make_table
from support.windows import Opened, prepared

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest_plugins = ["support.page_fixtures"]
pytestmark = [pytest.mark.slow, pytest.mark.under("us-nj/minibaccarat@2011-02-22")]

PICTURES: Final = ROOT / "build" / "pages"
OFFLINE_SECONDS: Final = 30
CUT: Final = ("ERR_INTERNET_DISCONNECTED", "ERR_INCOMPLETE_CHUNKED_ENCODING")
"""What a console says of a connection that is lost."""
MOST_SECONDS: Final = 300
MOST_TABS: Final = 120
WATCHES_SHIFTS: Final = """() => { window.shifts = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifts.push(one.value); })
  .observe({type: 'layout-shift', buffered: true}); }"""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        # 416 cards less 320: some 95 are dealt before the cutting card appears.
        one.do(prepared(one, "MB-101", 3, from_back=320))
        for office in ("cage", "surveillance"):
            assigned = {"type": "AssignOffice", "person": office, "office": office}
            assert one.person("floorperson").does("MB-101", assigned).status_code == 200
        yield one


class Shoe:
    """The cards that are still in the shoe, as they will come."""

    def __init__(self, house: Served) -> None:
        self.desk = house.service.tables["MB-101"].desk
        self.hub = house.service.tables["MB-101"].hub
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
    return int(page.evaluate("Number(document.body.dataset.seq)"))


def moves_on(page: Page, before: int) -> None:
    """Wait until a page has gone on from an entry."""
    page.wait_for_function("(seq) => Number(document.body.dataset.seq) > seq", arg=before)


def is_live(page: Page) -> None:
    page.locator("body[data-state=live]").wait_for()


def tab_to(page: Page, selector: str) -> None:
    """Go on with the tabulator until what is wanted has the focus."""
    page.locator(selector).first.wait_for()
    for _ in range(MOST_TABS):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator does not reach {selector}")


def fills_in(page: Page, act: str, **fields: str) -> None:
    """Open an act that is folded up, fill in its fields, and do it: by keys alone."""
    tab_to(page, f"#{act} > summary")
    if page.locator(f"#{act}[open]").count() == 0:
        page.keyboard.press("Enter")
    for name, value in fields.items():
        tab_to(page, f"#{act} [name$='.{name}']")
        if page.evaluate("document.activeElement.tagName") == "SELECT":
            page.keyboard.type(value)
        else:
            page.keyboard.press("Control+A")
            page.keyboard.type(value)
    tab_to(page, f"#{act} form button")
    page.keyboard.press("Enter")


def wagers(page: Page, wager: str, dollars: str) -> None:
    tab_to(page, f"#bet-{wager}")
    page.keyboard.type(dollars)
    page.keyboard.press("Enter")
    page.locator("#bet", has_text=f"Placed ${dollars}").wait_for()


def goes_on(dealer: Page, shoe: Shoe) -> None:
    """Do what is next at the table: deal the card that is due, or press Enter."""
    # What a page shows a moment later is not yet what is next.
    moves_on(dealer, shoe.desk.durable.sequence - 1)
    before = sequence(dealer)
    if dealer.locator("#pad").count():
        card = shoe.draw()
        dealer.keyboard.press(card[0])
        dealer.keyboard.press(card[1])
    else:
        dealer.locator("#next form.must button.primary").wait_for()
        dealer.keyboard.press("Enter")
    moves_on(dealer, before)


def until(dealer: Page, shoe: Shoe, phase: Phase) -> None:
    for _ in range(30):
        if shoe.desk.durable.state.phase is phase:
            return
        goes_on(dealer, shoe)
    raise AssertionError(f"the table does not come to {phase}")


def a_round(dealer: Page, shoe: Shoe) -> None:
    rounds = shoe.desk.durable.state.rounds
    goes_on(dealer, shoe)
    while shoe.desk.durable.state.phase.in_play or shoe.desk.durable.state.rounds == rounds:
        goes_on(dealer, shoe)


def patron(opened: Opened, seat: int) -> Page:
    return opened.page("patron", f"Patron {seat}", seat=seat, tables=("MB-101",), width=360)


def goes_astray(dealer: Page, shoe: Shoe) -> None:
    """A card leaves the shoe when none is due, and the dealer reports it."""
    before = sequence(dealer)
    dealer.keyboard.press("!")
    fills_in(dealer, "ask-DrawCardInError-0", card=shoe.draw())
    moves_on(dealer, before)
    assert "is drawn in error" in dealer.inner_text("#told")


def is_relieved(opened: Opened, floor: Page) -> Page:
    """The floor has Dana relieve the dealer, who finds the table as it is."""
    before = sequence(floor)
    fills_in(floor, "other-RelieveDealer-0", dealer="Dana")
    moves_on(floor, before)
    dana = opened.page("dealer", "Dana", width=360)
    is_live(dana)
    assert "Dana" in dana.inner_text("#facts")
    return dana


def is_filled(floor: Page, cage: Page, dealer: Page) -> None:
    """The floor asks for chips, the cage issues them, and the dealer takes them with the floor."""
    before = sequence(floor)
    fills_in(floor, "other-RequestFill-0", chips="100x10")
    moves_on(floor, before)
    before = sequence(cage)
    fills_in(cage, "other-IssueFill-0")
    moves_on(cage, before)
    fills_in(dealer, "other-ReceiveFill-0")
    floor.locator(".consent button[value=yes]").wait_for()
    before = sequence(floor)
    floor.locator("h1").press("y")
    moves_on(floor, before)
    cage.locator("#slips", has_text="received").wait_for()


def test_a_whole_shoe_is_dealt_by_keys_alone(opened: Opened, house: Served) -> None:
    begun, shoe = time.monotonic(), Shoe(house)
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
        wagers(page, wager, dollars)
    until(dealer, shoe, Phase.DECIDED)
    takes_pictures(opened)
    until(dealer, shoe, Phase.BETTING)
    away = seats[2]
    away.context.set_offline(True)
    # A browser that is told to be offline goes on reading a stream that is open: it is cut, too.
    house.do(cut(shoe.hub._listeners - others))  # noqa: SLF001  (whose stream it is)
    gone = time.monotonic()
    away.locator("#state", has_text="Reconnecting").wait_for()
    assert away.locator("#bets button.primary").get_attribute("aria-disabled") == "true"

    goes_astray(dealer, shoe)
    a_round(dealer, shoe)
    dana = is_relieved(opened, floor)
    wagers(seats[1], "banker", "100")
    a_round(dana, shoe)
    is_filled(floor, cage, dana)

    # The rest of the shoe, to the hand after the cutting card.
    while shoe.desk.durable.state.phase is Phase.BETTING:
        a_round(dana, shoe)
    state = shoe.desk.durable.state
    assert state.shoe.cards_behind is None
    assert state.rounds > 12

    # Half a minute later the seat that was away has all of it.
    away.wait_for_timeout(max(0.0, OFFLINE_SECONDS - (time.monotonic() - gone)) * 1000)
    assert "Out of date since" in away.inner_text("#state")
    away.context.set_offline(False)
    is_live(away)
    moves_on(away, shoe.desk.durable.sequence - 1)
    assert away.inner_text("#roads-twin") == seats[0].inner_text("#roads-twin")
    assert away.inner_text("#held") == ""
    # Parts keep their place while others act: what moved is less than a tenth of a screen a round.
    for page in seats:
        assert sum(page.evaluate("shifts")) < 0.1 * state.rounds
    opened.faults[:] = [one for one in opened.faults if not any(why in one for why in CUT)]
    assert time.monotonic() - begun < MOST_SECONDS


def takes_pictures(opened: Opened) -> None:
    """Keep a picture of every page as it stands, at the widths of a phone and a desk."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for office in ("dealer", "patron", "board", "floorperson", "pit boss", "surveillance",
                   "pit clerk", "cage", "accounting", "licensee"):  # fmt: skip
        grant: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
        page = opened.page(office, "Patron 1" if office == "patron" else "", **grant)
        is_live(page)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(path=PICTURES / f"{office.replace(' ', '-')}-{width}.png",
                            full_page=True)  # fmt: skip
        page.context.close()
