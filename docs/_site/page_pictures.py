"""The pictures of the pages of a live table, made anew by ``make pictures``.

A service deals a few rounds, and Chromium takes a picture of the page of each office. With a
folder, the pictures for review are written there: every office at every moment, at its sizes, in
light, dark, and forced colors, and with type of 200%. It needs playwright, and Debian's chromium.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

_ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(_ROOT / "tests"))

from croupier.server.resources.page_calls import PAGES  # noqa: E402
from support.browsers import chromium  # noqa: E402
from support.moments import ROUNDS, WAGERS, ended, moments  # noqa: E402
from support.served import Served, served  # noqa: E402
from support.tables import make_table  # noqa: E402
from support.windows import Opened, dealt, prepared, windows  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["make_page_pictures"]

_PAGES: Final[tuple[tuple[str, str, int, int, dict[str, Any]], ...]] = (
    ("dealer", "/tables/MB-101", 1280, 820, {}),
    ("patron", "/tables/MB-101", 390, 844, {"seat": 1, "tables": ("MB-101",)}),
    ("board", "/tables/MB-101", 1280, 720, {}),
    ("floorperson", "/tables", 1280, 800, {}),
    ("surveillance", "/tables/MB-101", 1280, 800, {}),
    ("accounting", "/tables/MB-101", 1280, 900, {}),
)


def make_page_pictures(folder: Path) -> None:
    """Write a picture of the page of each office to a folder."""
    with TemporaryDirectory() as name, served(Path(name) / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        for cards in ROUNDS:
            dealt(house, cards, WAGERS)
        dealt(house, "8d Tc Kd 4h", WAGERS, upto="SettleWagers")
        _take(house, folder)


def make_front_pictures(folder: Path) -> None:
    """Write the pictures of the start page: one round, as three offices see it."""
    with TemporaryDirectory() as name, served(Path(name) / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        house.do(prepared(house, "MB-101", 7))
        for number, at in enumerate(_SHOE):
            # Other suits in each round, since a shoe has each card eight times.
            suits = str.maketrans("cdhs", ("cdhs" * 2)[number % 4 : number % 4 + 4])
            dealt(house, ROUNDS[at].translate(suits), {(2, "player"): 10_000})
        # Banker has 3, and Player's third card is an ace: Banker draws.
        dealt(house, "Jd 4s Qc 9c Ac", _FRONT, upto="SettleWagers")
        with chromium() as browser:
            for scheme in ("light", "dark"):
                with windows(browser, house) as opened:
                    for office, grant, wide, high in _SCREENS:
                        page = opened.page(office, **grant, color_scheme=scheme)
                        page.set_viewport_size({"width": wide, "height": high})
                        page.locator("body[data-state=live]").wait_for()
                        page.wait_for_timeout(500)
                        # The board is dark in any light.
                        shown = office if office == "board" else f"{office}-{scheme}"
                        page.screenshot(path=folder / f"front-{shown}.png")


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


_SEAT: Final[dict[str, Any]] = {"person": "Patron 1", "seat": 1, "tables": ("MB-101",)}
_SHOE: Final = (0, 1, 2, 0, 0, 0, 3, 1, 4, 2, 1, 0, 1, 0, 0, 4, 3, 2, 0, 3, 0, 2)
_FRONT: Final = {
    (2, "player"): 10_000,
    (4, "player"): 5_000,
    (3, "banker"): 2_500,
    (6, "banker"): 50_000,
    (7, "banker"): 5_000,
    (6, "tie"): 1_000,
    (2, "five_cards"): 2_500,
}
_SCREENS: Final[tuple[tuple[str, dict[str, Any], int, int], ...]] = (
    ("dealer", {}, 1280, 800),
    ("patron", {**_SEAT, "person": "Patron 2", "seat": 2}, 360, 740),
    ("board", {}, 1280, 720),
)
_SIZES: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "dealer": ((1280, 800), (1024, 768), (360, 740)),
    "patron": ((360, 740), (1280, 800)),
    "board": ((1280, 800), (1920, 1080)),
    **dict.fromkeys(("floorperson", "pit boss", "cage", "surveillance"), ((1280, 800),)),
    **dict.fromkeys(("accounting", "pit clerk", "licensee", "pit"), ((1280, 800),)),
}
_LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
    # As a browser shows it at 200%.
    "large": {"color_scheme": "light", "device_scale_factor": 2},
}


def _opened(opened: Opened, office: str, options: dict[str, Any]) -> Page:
    if office == "pit":
        return opened.page("floorperson", path="/tables", **options)
    return opened.page(office, **_SEAT if office == "patron" else {}, **options)


def make_review(folder: Path, only: Collection[str]) -> None:
    """Write a picture of every office at every moment to a folder; of some offices, if named."""
    folder.mkdir(parents=True, exist_ok=True)
    offices = [one for one in _SIZES if not only or one in only]
    with TemporaryDirectory() as name, chromium() as browser:
        with served(Path(name) / "pit.sqlite", more=PAGES) as house:
            make_table(house)
            for moment in moments(house):
                _review(folder, moment, house, browser, offices)
        with served(Path(name) / "short.sqlite", more=PAGES) as house:
            make_table(house)
            house.do(ended(house))
            _review(folder, "end of shoe", house, browser, offices)


def _review(
    folder: Path, moment: str, house: Served, browser: Browser, offices: Collection[str]
) -> None:
    with windows(browser, house) as opened:
        for office in offices:
            for look, options in _LOOKS.items():
                page = _opened(opened, office, options)
                for wide, high in _SIZES[office]:
                    scale = options.get("device_scale_factor", 1)
                    page.set_viewport_size({"width": wide // scale, "height": high // scale})
                    page.wait_for_timeout(300)
                    place = f"{office}-{moment}-{wide}x{high}-{look}.png".replace(" ", "-")
                    page.screenshot(path=folder / place)
                page.close()
        opened.windows.clear()
        opened.faults.clear()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        make_review(Path(sys.argv[1]), sys.argv[2:])
    else:
        make_page_pictures(_ROOT / "docs" / "pictures")
        make_front_pictures(_ROOT / "docs" / "pictures")
