"""What the open pages of a table cost the process that serves them, for each event.

    .venv/bin/python bench/renewals.py [--entries 120] [--windows 100] [--repeat 5]

An autopilot deals a table of seven patrons, and the windows of one office follow it by their
streams, as its script does; there is no socket. Each run deals the same entries anew, and of each
entry the least of several runs counts, as others use the machine too. A figure is the mean
processor time of an entry, less that without any window: with one window, which is what drawing the
parts takes, and for each window more. The floor is what the same streams take for the entry itself,
as the API sends it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from croupier.records.entry import system_clock
from croupier.records.grants import Grant, grant_command
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.pilot import Dealt
from croupier.server.grants import HOURS_12
from croupier.server.http.app import Application
from croupier.server.http.calls import Front
from croupier.server.http.limits import Limits
from croupier.server.resources.page_calls import PAGES
from croupier.server.service import Opened, Service
from croupier.table.cards.chance import Chance
from yardstick import print_yardstick

FREELY = Limits(per_second=1e9, burst=1e9, streams_of_a_grant=1000)
HOST = "127.0.0.1:1"
ENTRIES, PARTS = "/v1/tables/MB-101/events", "/tables/MB-101/renewals"
MOST_SECONDS = 20
"""How long the windows may wait at most for an entry."""
WARM = 40
"""Entries before the first that counts: the opening of the table, and what is kept from then on."""
OFFICES = ("dealer", "patron", "board", "floorperson", "surveillance")


class Told:
    """How many windows have not heard of the entry yet."""

    def __init__(self) -> None:
        self._left = 0
        self._all = asyncio.Event()

    def begin(self, windows: int) -> None:
        """Wait for so many windows from now on."""
        self._left = windows
        self._all.clear()

    def hear(self) -> None:
        """Count a window that has heard."""
        self._left -= 1
        if self._left == 0:
            self._all.set()

    async def wait(self) -> None:
        """Wait for all of them; a timer and a task for each would be measured too."""
        if self._left > 0:
            async with asyncio.timeout(MOST_SECONDS):
                await self._all.wait()


class Window:
    """An open page, or a listener of the API: a stream that is read as it comes."""

    def __init__(self, application: Application, path: str, token: str, told: Told) -> None:
        self.sent = 0
        self._told = told
        self._ends = asyncio.Event()
        headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {token}".encode())]
        scope: dict[str, Any] = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
            "query_string": b"", "headers": headers, "http_version": "1.1", "scheme": "http",
        }  # fmt: skip
        self.task = asyncio.ensure_future(application(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._ends.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        body = message.get("body", b"")
        if body.startswith((b"event: parts", b"id: ")):
            self._told.hear()
        self.sent += len(body)

    async def end(self) -> None:
        """Close the window."""
        self._ends.set()
        await self.task


async def token_of(service: Service, name: str, office: str, seat: int | None = None) -> str:
    """Return the token of a new grant."""
    now = service.now()
    person = office if seat is None else f"Patron {seat}"
    tables = () if seat is None else ("MB-101",)
    grant = Grant(name, person, office, "1", tables, seat, until=now + HOURS_12)
    await service.note(grant.pit, grant_command(grant, now), ())
    await service.grants.make(grant, now)
    return (await service.grants.token(grant, now))[0]


async def run(folder: Path, office: str, many: int, entries: int) -> tuple[list[float], int]:
    """Deal entries to windows of an office; return what each took, and the bytes sent."""
    service = Service(folder / "pit.sqlite", clock=system_clock)
    application = Application(Front(service, frozenset({HOST}), FREELY), PAGES)
    await service.start()
    rules = table_rules(
        default_submission("us-nj/minibaccarat", date(2011, 2, 22), wagers__bonus__offered=True)
    )
    table = await service.create(
        rules, Opened("1"), "MB-101", (), system_clock() - timedelta(hours=1)
    )
    pilot = Autopilot(Dealt(table.desk), Chance(1), patrons=7)
    pilot.open(date(2011, 2, 22))
    await table.desk.settled()
    is_api = office == "API"
    seat = 1 if office == "patron" else None
    token = await token_of(service, "g", "dealer" if is_api else office, seat)
    told, path = Told(), ENTRIES if is_api else PARTS
    windows = [Window(application, path, token, told) for _ in range(many)]
    await asyncio.sleep(0.05)
    took, sent = [], 0
    for number in range(WARM + entries):
        if number == WARM:
            sent = sum(one.sent for one in windows)
            gc.collect()
        told.begin(many)
        begun = time.process_time()
        pilot.step()
        await table.desk.settled()
        await told.wait()
        took.append(time.process_time() - begun)
    sent = sum(one.sent for one in windows) - sent
    for one in windows:
        await one.end()
    await service.stop()
    return took[WARM:], sent


def measured(office: str, many: int, asked: argparse.Namespace) -> tuple[float, float]:
    """Return the mean seconds of an entry, each by its least of several runs, and its bytes."""
    runs, sent = [], 0
    for _ in range(asked.repeat):
        with tempfile.TemporaryDirectory() as folder:
            took, sent = asyncio.run(run(Path(folder), office, many, asked.entries))
        runs.append(took)
    least = [min(one) for one in zip(*runs, strict=True)]
    return sum(least) / len(least), sent / max(1, many) / asked.entries


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=120)
    parser.add_argument("--windows", type=int, default=100, help="windows of an office, beyond one")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--offices", nargs="+", default=OFFICES, choices=OFFICES)
    options = parser.parse_args()
    print_yardstick()
    more = options.windows

    def figures(office: str) -> tuple[float, float, float]:
        (alone, _), (all_, sent) = (measured(office, many, options) for many in (1, 1 + more))
        return 1e6 * (alone - none), 1e6 * (all_ - alone) / more, sent

    none, _ = measured("API", 0, options)
    floor = figures("API")[1]
    print(f"without a window: {1e6 * none:.0f} us an entry; least of {options.repeat} runs")
    print(f"floor: an entry to a listener of the API, {floor:.1f} us")
    for office in options.offices:
        first, each, sent = figures(office)
        print(
            f"{office:13} one window {first:6.0f} us, each more {each:5.1f} us"
            f" ({each / floor:4.2f} times the floor; bar: 40 us), {sent:7,.0f} bytes",
            flush=True,
        )


if __name__ == "__main__":
    main()
