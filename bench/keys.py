"""Keys and clicks that a round needs, by office and event, counted in a real browser.

Run it with the extra ``server`` and playwright: ``python bench/keys.py``.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.server.resources.page_calls import PAGES

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.browsers import chromium  # noqa: E402
from support.presses import Presses, corrects  # noqa: E402
from support.served import Served, served  # noqa: E402
from support.tables import make_table  # noqa: E402
from support.windows import Opened, prepared, windows  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWN: Final = {4: "9h 2c Ts 3d", 5: "2h 3c 3s 4d 2d", 6: "Kh 5c 3d 6s 8c 4d"}
"""Cards of a round, by their number."""
BET: Final = {"type": "PlaceWager", "seat": 1, "wager": "player", "cents": 2_500}


def bets(house: Served) -> None:
    """Place one wager."""
    house.person("patron", "Patron 1", seat=1, tables=("MB-101",)).does("MB-101", BET)


def by_hand(house: Served, dealer: Page, cards: str) -> int:
    """Deal a round by the pad, from the call to the cleared layout."""
    bets(house)
    presses = Presses(house)
    presses.act(dealer, "Enter")
    for card in cards.split():
        presses.act(dealer, *card)
    presses.act(dealer, "Enter")
    return presses.count


def by_reader(house: Served, dealer: Page, cards: str) -> int:
    """Deal a round whose cards a reader reports."""
    bets(house)
    presses = Presses(house)
    presses.act(dealer, "Enter")
    reader = house.person("machine", "shoe 1", tables=("MB-101",), device="reader")
    lines = "\n".join(f"c{at} {card}" for at, card in enumerate(cards.split()))
    told = reader.http.post(
        "/v1/tables/MB-101/reader", content=lines, headers={"Content-Type": "text/plain"}
    )
    told.raise_for_status()
    presses.act(dealer, "Enter")
    return presses.count


def corrected(house: Served, dealer: Page, floor: Page) -> int:
    """Correct the first card of a round."""
    bets(house)
    dealing = Presses(house)
    for keys in (["Enter"], "2h", "3c", "3s"):
        dealing.act(dealer, *keys)
    presses = Presses(house)
    corrects(presses, dealer, floor)
    return presses.count


def repeated(house: Served, patron: Page) -> int:
    """Place the wagers of the round before again."""
    presses = Presses(house)
    before = house.service.tables["MB-101"].desk.durable.sequence
    presses.click(patron, "[data-bets=repeat]")
    patron.wait_for_function("(seq) => Number(document.body.dataset.seq) > seq", arg=before)
    return presses.count


def counted(opened: Opened, house: Served) -> Iterator[tuple[str, int]]:
    """Yield what was done, and the keys and clicks that it took."""
    dealer, floor = opened.page("dealer"), opened.page("floorperson")
    for many, cards in SHOWN.items():
        yield f"dealer, by hand, {many} cards", by_hand(house, dealer, cards)
    patron = opened.page("patron", "Patron 1", seat=1, tables=("MB-101",))
    yield "patron, last wagers again, placed", repeated(house, patron)
    yield "dealer and floorperson, a card corrected", corrected(house, dealer, floor)


def main() -> None:
    """Print each."""
    for cards in ("dealer", "reader"):
        with (
            tempfile.TemporaryDirectory() as folder,
            served(Path(folder) / "pit.sqlite", more=PAGES) as house,
            chromium() as browser,
            windows(browser, house) as opened,
        ):
            make_table(house, cards=cards)
            house.do(prepared(house, "MB-101", 2))
            if cards == "reader":
                dealer = opened.page("dealer")
                print(f"dealer, with a reader, 4 cards: {by_reader(house, dealer, SHOWN[4])}")
                continue
            for done, many in counted(opened, house):
                print(f"{done}: {many}")


if __name__ == "__main__":
    main()
