"""What the open pages of a table cost the process that serves them, for each event.

    .venv/bin/python bench/renewals.py [--entries 60] [--windows 20] [--repeat 3]

An autopilot deals a table of seven patrons, and the windows of one office follow it by their
streams, as its script does; there is no socket. Each figure is the processor time of an entry, less
that without any window: with one window, which is what drawing the parts takes, and for each window
more. The floor is what the same streams take for the entry itself, as the API sends it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from croupier.records.clock import system_clock
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.app import Application
from croupier.server.calls import Front
from croupier.server.grants import HOURS_12, Grant
from croupier.server.limits import Limits
from croupier.server.page_calls import PAGES
from croupier.server.pilot import Dealt
from croupier.server.service import Opened, Service
from croupier.table.shuffling import Chance
from yardstick import print_yardstick

FREELY = Limits(per_second=1e9, burst=1e9, streams_of_a_grant=1000)
HOST = "127.0.0.1:1"
PARTS = "/tables/MB-101/renewals"
MOST_SECONDS = 20
"""How long a window may wait at most for an entry."""
OFFICES = ("dealer", "patron", "board", "floorperson", "surveillance")


class Window:
    """An open page, or a listener of the API: a stream that is read as it comes."""

    def __init__(self, application: Application, path: str, token: str) -> None:
        self.sent = 0
        self.told = asyncio.Event()
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
            self.told.set()
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
    await service.grants.make(grant, now)
    return (await service.grants.token(grant, now))[0]


async def followed(
    service: Service, pilot: Autopilot, windows: list[Window], entries: int
) -> float:
    """Deal entries to windows; return the median of what each took of the processor."""
    (table,) = service.tables.values()
    took = []
    for _ in range(entries):
        for one in windows:
            one.told.clear()
        begun = time.process_time()
        pilot.step()
        await table.desk.settled()
        for one in windows:
            await asyncio.wait_for(one.told.wait(), MOST_SECONDS)
        took.append(time.process_time() - begun)
    return statistics.median(took)


async def run(folder: Path, asked: argparse.Namespace) -> dict[str, tuple[float, float, float]]:
    """Return what one window costs an entry, what one more does, and the bytes it is sent."""
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
    found = {}
    for office, path in (("API", "/v1/tables/MB-101/events"), *((one, PARTS) for one in OFFICES)):
        seat = 1 if office == "patron" else None
        token = await token_of(
            service, f"g-{office}", "dealer" if office == "API" else office, seat
        )
        windows: list[Window] = []
        medians = []
        for number in (0, 1, 1 + asked.windows):
            while len(windows) < number:
                windows.append(Window(application, path, token))
                await asyncio.sleep(0.02)
            sent = sum(one.sent for one in windows)
            medians.append(await followed(service, pilot, windows, asked.entries))
            sent = sum(one.sent for one in windows) - sent
        for one in windows:
            await one.end()
        none, alone, many = medians
        found[office] = (
            alone - none, (many - alone) / asked.windows, sent / asked.entries / len(windows)
        )  # fmt: skip
    await service.stop()
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=60)
    parser.add_argument("--windows", type=int, default=20, help="windows of an office, beyond one")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print_yardstick()
    runs = []
    for _ in range(options.repeat):
        with tempfile.TemporaryDirectory() as folder:
            runs.append(asyncio.run(run(Path(folder), options)))
    floor = min(one["API"][1] for one in runs)
    print(
        f"least of {options.repeat}; floor: an entry to a listener of the API, {1e6 * floor:.0f} us"
    )
    for office in OFFICES:
        first, more = (min(one[office][at] for one in runs) for at in (0, 1))
        print(
            f"{office:13} one window {1e6 * first:7.0f} us ({first / floor:6.1f} times the floor),"
            f" each more {1e6 * more:5.0f} us ({more / floor:4.1f} times; bar: 40 us),"
            f" {runs[0][office][2]:7,.0f} bytes"
        )


if __name__ == "__main__":
    main()
