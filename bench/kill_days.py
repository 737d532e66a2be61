"""Kills a service as the gaming days of a table end, and compares what it told with what it kept.

    .venv/bin/python bench/kill_days.py [--kills 200] [--store sqlite|postgres] [--seed 1]

A client opens and closes a table over HTTP and ends its day, again and again, and sends again what
was not answered. The service is killed with SIGKILL up to 30 ms after it was asked to end a day,
and another one goes on with the same store. In the end there is a record for each day whose end was
acknowledged, and for at most one more; each continues the one before it, verifies, and has every
command of its day once. After ``--life`` kills a new store is begun.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import random
import signal
import socket
import sys
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx

from croupier.records.codec import from_json
from croupier.records.grants import Grant, grant_command
from croupier.records.header import day_of
from croupier.records.stores.store import Store
from croupier.rules import default_submission, table_rules
from croupier.server.grants import HOURS_12
from croupier.server.service import Opened, Service
from croupier.verify.continues import compare_days
from croupier.verify.log import verify_lines
from kill_service import Opens, killed, started, stores
from yardstick import print_yardstick

TABLE: Final = "T"
WITHIN: Final = 0.03
"""Seconds after it was asked to end a day in which a service is killed."""
PEOPLE: Final = {"dealer": "Dana", "floorperson": "Flo"}
FIRST: Final = date(2011, 2, 22)
OPENS: Final = {
    "type": "OpenTable", "inventory_cents": 5_000_000, "dealer": "Dana", "floorperson": "Flo",
}  # fmt: skip
DAY: Final = (OPENS, {"type": "CloseTable"})
"""What the floorperson does on a day before it ends, with the dealer's consent."""


async def prepared(service: Service, tables: int) -> list[str]:
    """Make a table, and return the tokens of its dealer and its floorperson."""
    del tables
    rules, now = table_rules(default_submission("us-nj/minibaccarat", FIRST)), service.now()
    noticed = datetime(2026, 1, 1, tzinfo=UTC)
    await service.create(rules, Opened("1"), TABLE, (), noticed)
    tokens = []
    for office, person in PEOPLE.items():
        grant = Grant(office, person, office, "1", (TABLE,), until=now + HOURS_12)
        await service.note(grant.pit, grant_command(grant, now), ())
        await service.grants.make(grant, now)
        tokens.append((await service.grants.token(grant, now))[0])
    return tokens


class Floor:
    """The floorperson and the dealer of a table, and what they were told of its days."""

    def __init__(self, place: str, tokens: list[str]) -> None:
        self.days = 0
        """The days whose end was acknowledged."""
        self.again = 0
        """Requests that were answered when they were sent once more."""
        self.timers: list[threading.Timer] = []
        self._step = 0
        self._consent: str | None = None
        self._lost = 0
        self._sent = ""
        self._tokens: Final = dict(zip(PEOPLE, tokens, strict=True))
        self._place: Final = f"{place}/v1/tables/{TABLE}"

    def begin(self) -> None:
        """Connect to the service, which may be another one than before."""
        self._http = httpx.Client(timeout=20)

    def goes_on(self, process: int | None, after: float) -> bool:
        """Do the next thing of a day; return whether it was the end of one.

        With a process, that is killed so many seconds after it is asked to end a day.
        """
        if self._step < len(DAY):
            command = dict(DAY[self._step])
            if self._step == 0:
                command["gaming_date"] = (FIRST + timedelta(self.days)).isoformat()
            if self._consent is None:
                key = f"s{self._step}" + "again" * self._lost
                answer = self._asked("floorperson", "commands", key, command)
                if "consent" not in answer:
                    sys.exit(f"no consent is asked for: {answer}")
                self._consent = answer["consent"]["id"]
            place = f"consents/{self._consent}"
            given = self._asked("dealer", place, f"c{self._consent}", {"consent": True})
            self._consent = None
            # A kill that came late forgets what waited for a consent: it is asked for again.
            self._lost, self._step = (
                (self._lost + 1, self._step) if given is None else (0, self._step + 1)
            )
            return False
        if process is not None:
            self.timers.append(threading.Timer(after, os.kill, (process, signal.SIGKILL)))
            self.timers[-1].start()
        answer = self._asked("floorperson", "days", "end", None)
        if answer["ended"] != self.days + 1:
            sys.exit(f"day {self.days + 1} ends: {answer}")
        self.days, self._step = self.days + 1, 0
        return True

    def _asked(self, office: str, what: str, key: str, body: Any) -> Any:
        key = f"d{self.days}-{key}"
        repeated, self._sent = self._sent == key, key
        headers = {"Authorization": f"Bearer {self._tokens[office]}", "Idempotency-Key": key}
        while True:
            answer = self._http.post(f"{self._place}/{what}", json=body, headers=headers)
            if answer.status_code != 503:
                break
            time.sleep(0.01)
        if answer.status_code == 410:
            return None
        if answer.status_code not in {200, 202}:
            sys.exit(f"{key}: {answer.status_code} {answer.text}")
        self.again += repeated
        return answer.json()


def life(opens: Opens, kills: int, chance: random.Random) -> tuple[int, int]:
    """Kill services on one store as days end; return the days, and what was sent again."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    read, write = os.pipe()
    process = started(opens, port, write, prepared)
    with os.fdopen(read) as told:
        floor = Floor(f"http://127.0.0.1:{port}", json.loads(told.readline()))
    killed(process)
    for _ in range(kills):
        process = started(opens, port, write, prepared)
        # A service that outlives this program would keep its output open.
        atexit.register(ended, process)
        # One day ends while nobody is killed: the service has taken up what the last one left.
        while not tried(floor, None):
            time.sleep(0.01)
        while tried(floor, process, chance.uniform(0, WITHIN)) is not None:
            pass  # It was answered before the kill came.
        for one in floor.timers:
            one.join()
        floor.timers.clear()
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            sys.exit("the service ended by itself")
    os.close(write)
    with closing(opens()) as store:
        judged(store, floor)
    return floor.days, floor.again


def ended(process: int) -> None:
    """End a service that may be gone."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def tried(floor: Floor, process: int | None, after: float = 0.0) -> bool | None:
    """Go on to the end of a day; return whether it came, and ``None`` if the service is gone."""
    try:
        floor.begin()
        while not floor.goes_on(process, after):
            pass
    except httpx.TransportError:
        return None
    return True


def judged(store: Store, floor: Floor) -> None:
    """Check the records of a table against what the floorperson was told of its days."""
    # A record that was named and not begun is what a kill leaves.
    names = [name for name in store.names if day_of(name)[0] == TABLE and store.count(name)]
    # The last record is that of the day to come; one more day may have ended than was told.
    if len(names) - 1 - floor.days not in {0, 1}:
        sys.exit(f"{floor.days} days ended as was told, but there are {len(names)} records")
    for number, name in enumerate(names):
        lines = [*store.lines(name)]
        verdict = verify_lines(Path(name), lines)
        compare_days(verdict, name, store)
        if not verdict.is_clean or (number and not verdict.continued):
            sys.exit(f"{name}: the record diverges: {verdict.divergence}")
        keys = [one["key"] for one in map(from_json, lines[1:]) if "key" in one]
        if number + 1 < len(names) and len(keys) != len(DAY):
            sys.exit(f"{name}: commands are lost or twice: {keys}")
        if len({*keys}) != len(keys) or any(not one.startswith(f"d{number}-") for one in keys):
            sys.exit(f"{name}: it has commands of another day: {keys}")


def main() -> None:
    """Kill services and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--life", type=int, default=25, help="kills of one store")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    asked: Any = parser.parse_args()
    print_yardstick()
    # Services are forked, and need not read the law again.
    table_rules(default_submission("us-nj/minibaccarat", FIRST))
    chance = random.Random(asked.seed)
    days = again = 0
    with stores(asked.store) as make:
        for begun in range(0, asked.kills, asked.life):
            more, repeated = life(make(), min(asked.life, asked.kills - begun), chance)
            days, again = days + more, again + repeated
    print(
        f"{asked.kills} kills of a service on {asked.store} as a day ends: {days} days ended,"
        f" {again} requests answered when they were sent again; 0 days lost, twice, or torn,"
        " every record continues the one before it"
    )


if __name__ == "__main__":
    main()
