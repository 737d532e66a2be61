"""The pictures of the pages of a live table, made anew by ``make pictures``.

A service deals a few rounds, and Chromium takes a picture of the page of each office. It needs
playwright, and Debian's chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

_ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(_ROOT / "tests"))

from croupier.server.resources.page_calls import PAGES  # noqa: E402
from support.browsers import chromium  # noqa: E402
from support.served import Served, served  # noqa: E402
from support.tables import make_table  # noqa: E402
from support.windows import dealt, prepared, windows  # noqa: E402

__all__ = ["make_page_pictures"]

_ROUNDS: Final = (
    "9h 2c Ts 3d",
    "2h 3c 4s 4d",
    "Kh 5c 3d 6s 8c 4d",
    "7c 2d 9s Jh 5d",
    "As Ah 6c 6d",
)
_WAGERS: Final = {(1, "player"): 10_000, (2, "banker"): 25_000, (2, "tie"): 2_500}
_PAGES: Final[tuple[tuple[str, str, int, int, dict[str, Any]], ...]] = (
    ("dealer", "/tables/MB-101", 1280, 820, {}),
    ("patron", "/tables/MB-101", 390, 844, {"seat": 1, "tables": ("MB-101",)}),
    ("board", "/tables/MB-101", 1280, 720, {}),
    ("floorperson", "/tables", 1280, 640, {}),
    ("surveillance", "/tables/MB-101", 1280, 1180, {}),
    ("accounting", "/tables/MB-101", 1280, 900, {}),
)


def make_page_pictures(folder: Path) -> None:
    """Write a picture of the page of each office to a folder."""
    with TemporaryDirectory() as name, served(Path(name) / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        for cards in _ROUNDS:
            dealt(house, cards, _WAGERS)
        dealt(house, "8d Tc Kd 4h", _WAGERS, upto="SettleWagers")
        _take(house, folder)


def _take(house: Served, folder: Path) -> None:
    with chromium() as browser, windows(browser, house) as opened:
        for office, path, wide, high, grant in _PAGES:
            who = "Patron 1" if office == "patron" else ""
            page = opened.page(office, who, path, **grant)
            page.set_viewport_size({"width": wide, "height": high})
            page.locator("body[data-state=live]").wait_for()
            # The record is decided again before surveillance looks at it.
            page.wait_for_timeout(6000 if office == "surveillance" else 200)
            page.screenshot(path=folder / f"page-{office}.png")


if __name__ == "__main__":
    make_page_pictures(_ROOT / "docs" / "pictures")
