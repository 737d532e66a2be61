"""From a command to three windows, and how large the first view of each page is.

A dealer, a patron, and the board look at one table in a real browser. A command is sent through
the API, and the time is taken until each window shows it. Run it with the extra ``server`` and
playwright: ``python bench/pages.py``.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from croupier.server.resources.page_calls import PAGES

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.served import Person, served  # noqa: E402
from support.tables import make_table  # noqa: E402
from support.windows import prepared  # noqa: E402

GRANTS: dict[str, dict[str, Any]] = {
    "dealer": {},
    "patron": {"person": "Patron 1", "seat": 1, "tables": ("MB-101",)},
    "board": {},
    "floorperson": {},
    "surveillance": {},
}
WATCH = """() => { window.seen = {};
  new MutationObserver(() => { seen[document.body.dataset.seq] ??= Date.now(); })
    .observe(document.body, {attributes: true}); }"""
PLACE = {"type": "PlaceWager", "seat": 1, "wager": "player", "cents": 2500, "coupon_cents": 0}
MOST_MS = 10_000
"""How long a window may take at most."""
BACK = {"type": "WithdrawWager", "seat": 1, "wager": "player"}


def sizes(person: Person) -> tuple[int, int]:
    """Return how many bytes a first view is as it is sent, and as it is read."""
    packed = plain = 0
    for path in ("/tables/MB-101", "/style.css", "/table.js", "/keys.js"):
        with person.http.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
            packed += sum(map(len, answer.iter_raw()))
        plain += len(person.http.get(path).content)
    return packed, plain


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=100)
    many = parser.parse_args().commands
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (slow to import)

    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "pit.sqlite", more=PAGES) as house,
        sync_playwright() as playwright,
    ):
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        people = {office: house.person(office, **more) for office, more in GRANTS.items()}
        for office, person in people.items():
            packed, plain = sizes(person)
            print(f"first view, {office:13} {packed:7,} bytes sent, {plain:8,} read")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        windows = []
        for office in ("dealer", "patron", "board"):
            context = browser.new_context()
            cookie = {"name": "croupier", "value": people[office].token, "url": house.place}
            context.add_cookies([cookie])  # type: ignore[list-item]
            page = context.new_page()
            page.goto(house.place + "/tables/MB-101")
            page.locator("body[data-state=live]").wait_for()
            page.evaluate(WATCH)
            windows.append(page)
        took = []
        for number in range(many):
            begun = time.time() * 1000
            answer = people["patron"].does("MB-101", BACK if number % 2 else PLACE)
            answer.raise_for_status()
            seq = answer.json()["seq"]
            for page in windows:
                while (at := page.evaluate("(seq) => seen[seq]", seq)) is None:
                    if time.time() * 1000 - begun > MOST_MS:
                        state = page.evaluate("document.body.dataset")
                        raise SystemExit(f"a window never showed entry {seq}: {state}")
                    time.sleep(0.005)
                took.append(at - begun)
        browser.close()
        took.sort()
        print(
            f"command to three windows, {many} times:"
            f" p50 {statistics.median(took):.0f} ms, p99 {took[int(len(took) * 0.99)]:.0f} ms"
        )


if __name__ == "__main__":
    main()
