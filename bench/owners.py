"""Suspends the owner of tables again and again, and holds what came of it to one order per table.

    .venv/bin/python bench/owners.py [--minutes 30] [--tables 4] [--seed 1]

Two processes serve tables on one PostgreSQL, each table in a pit of its own. A client of each table
sends one command after the other, each under a key of its own, to whichever process answers. The
process that owns tables is suspended (SIGSTOP) for up to six seconds, twice as long as a lease, and
resumed (SIGCONT); then it answers whoever asks it. Half of the time clients rest meanwhile, so that
nothing but its epoch keeps an owner that was relieved from writing when they ask it again. In the
end each record must hold the commands of its client in the order in which they were sent, each
once, and all that were acknowledged at the entry that was told; it must verify. A trigger of the
bench's own notes every line of another epoch than that of the lease: there must be none.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from typing import Any, Final, NoReturn

import httpx
import psycopg

from croupier.records.grants import Grant, grant_command
from croupier.records.stores.postgres_store import PostgresStore
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.pilot import Dealt
from croupier.server.grants import HOURS_12
from croupier.server.run import Address, serve
from croupier.server.service import Opened, Service
from croupier.table.cards.chance import Chance
from kill_service import databases, judged
from serve import FREELY, command
from yardstick import print_yardstick

LAW: Final = ("us-nj/minibaccarat", date(2011, 2, 22))
WATCH: Final = """
create table fenced (name text, number bigint, written bigint, lease bigint);
create function is_fenced() returns trigger language plpgsql as $$
  begin
    insert into fenced select stream.name, new.number, new.epoch, lease.epoch
      from lease join stream on stream.id = lease.stream
      where lease.stream = new.stream and lease.epoch <> new.epoch;
    return new;
  end; $$;
create trigger line_fenced after insert on line for each row execute function is_fenced();
"""
LONGEST: Final = 6.0
"""Seconds for which an owner is suspended at most."""
REST: Final = 2.0
"""Seconds in which both processes are at work, at most."""
RESTS: Final = 0.5
"""How often clients rest while an owner is suspended."""
PATIENCE: Final = 1.5
"""Seconds after which a client asks the other process."""


class Client:
    """Sends commands to one table, at one process or the other."""

    def __init__(self, number: int, token: str, places: list[str]) -> None:
        self.name: Final = f"T{number}"
        self.told: list[int] = []
        """The entry that each command was acknowledged with, in order."""
        self.answers: Counter[str] = Counter()
        self._places: Final = places
        self._headers: Final = {"Authorization": f"Bearer {token}"}
        self._at = number % len(places)

    async def send(self, ends: float, goes: asyncio.Event) -> None:
        """Send commands until a time, while they go."""
        async with httpx.AsyncClient(timeout=PATIENCE, headers=self._headers) as http:
            while time.monotonic() < ends:
                await goes.wait()
                number = len(self.told)
                try:
                    answer = await http.post(
                        f"{self._places[self._at]}/v1/tables/{self.name}/commands",
                        json=command(number),
                        headers={"Idempotency-Key": f"k{number}"},
                    )
                except httpx.TransportError:
                    self.answers["none"] += 1
                    self._at = (self._at + 1) % len(self._places)
                    continue
                if answer.status_code == 200:
                    self.answers["done"] += 1
                    self.told.append(answer.json()["seq"])
                    continue
                code = answer.json().get("code", "")
                self.answers[code] += 1
                if answer.status_code != 503:
                    sys.exit(f"{self.name}, command {number}: {answer.status_code} {answer.text}")
                self._at = (self._at + 1) % len(self._places)
                await asyncio.sleep(0.02)


def child(address: str, tables: int, told: int) -> NoReturn:
    """Serve until killed; the first child makes the tables. Tell the place, and tokens."""
    tokens: list[str] = []

    async def begin(service: Service, place: str) -> None:
        del place
        if service.tables:
            return
        now, rules = service.now(), table_rules(default_submission(*LAW))
        for number in range(tables):
            name, pit = f"T{number}", str(number + 1)
            noticed = datetime(2026, 1, 1, tzinfo=UTC)
            table = await service.create(rules, Opened(pit), name, (), noticed)
            Autopilot(Dealt(table.desk), Chance(number), patrons=2).open(LAW[1])
            await table.desk.settled()
            grant = Grant(f"g{number}", "dealer", "dealer", pit, (name,), until=now + HOURS_12)
            await service.note(grant.pit, grant_command(grant, now), ())
            await service.grants.make(grant, now)
            tokens.append((await service.grants.token(grant, now))[0])

    def begun(_: object, place: str) -> None:
        os.write(told, json.dumps([place, tokens]).encode() + b"\n")

    service = Service(PostgresStore(address))
    asyncio.run(serve(service, Address(port=0), limits=FREELY, begin=begin, started=begun))
    os._exit(0)


def started(address: str, tables: int) -> tuple[int, str, list[str]]:
    """Fork a child; return its process id, its place, and tokens if it made the tables."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            child(address, tables, write)
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read) as told:
        place, tokens = json.loads(told.readline())
    return process, place, tokens


class Suspended:
    """How often owners were suspended, and for how long."""

    def __init__(self, address: str, processes: dict[str, int], chance: random.Random) -> None:
        self.times = 0
        self.relieved = 0
        """How often a table had another owner when the one that was suspended went on."""
        self._address: Final = address
        self._processes: Final = processes
        self._chance: Final = chance
        self.goes: Final = asyncio.Event()
        """Whether clients are at work."""

    async def until(self, ends: float) -> None:
        """Suspend owners until a time."""
        self.goes.set()
        while time.monotonic() < ends:
            await asyncio.sleep(self._chance.uniform(0.2, REST))
            before = await asyncio.to_thread(self._owners)
            place = self._chance.choice(sorted({place for place, _ in before.values()}))
            process = self._processes[place]
            if self._chance.random() < RESTS:
                self.goes.clear()
                await asyncio.sleep(PATIENCE)  # What was sent is answered.
            os.kill(process, signal.SIGSTOP)
            try:
                await asyncio.sleep(self._chance.uniform(0.2, LONGEST))
            finally:
                now = await asyncio.to_thread(self._owners)
                os.kill(process, signal.SIGCONT)
                self.goes.set()
            self.times += 1
            self.relieved += sum(
                place == was and now[name] != (was, epoch) for name, (was, epoch) in before.items()
            )

    def _owners(self) -> dict[str, tuple[str, int]]:
        """Return the address of the owner of each table, and the epoch of its lease."""
        query = (
            "select name, address, epoch from lease join stream on stream.id = stream"
            " where name like 'T%'"
        )
        with psycopg.connect(self._address) as database:
            found = {name: (address, epoch) for name, address, epoch in database.execute(query)}
        return {name: one for name, one in found.items() if one[0] in self._processes}


def watch(address: str) -> None:
    """Have a database note every line of another epoch than that of the lease of its record."""
    with psycopg.connect(address) as database:
        database.execute(WATCH)


def epochs(address: str) -> int:
    """Return in how many epochs records were written. Exits if one was not that of a lease."""
    with psycopg.connect(address) as database:
        fenced = database.execute("select name, number, written, lease from fenced").fetchall()
        if fenced:
            sys.exit(f"owners that were relieved have written: {fenced}")
        found = database.execute(
            "select count(*) from (select distinct stream, epoch from line) each"
        ).fetchone()
    return 0 if found is None else int(found[0])


async def run(clients: list[Client], suspended: Suspended, seconds: float) -> None:
    """Have clients send, and owners be suspended, for some time."""
    ends = time.monotonic() + seconds
    sending = (one.send(ends, suspended.goes) for one in clients)
    await asyncio.gather(suspended.until(ends), *sending)


def main() -> None:
    """Suspend owners and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked: Any = parser.parse_args()
    print_yardstick()
    # Services are forked, and need not read the law again.
    table_rules(default_submission(*LAW))
    with databases() as database:
        address = database()
        first, place, tokens = started(address, asked.tables)
        second, other, _ = started(address, asked.tables)
        processes = {place: first, other: second}
        watch(address)
        with closing(PostgresStore(address)) as store:
            before = [store.count(f"T{number}") for number in range(asked.tables)]
        try:
            clients = [Client(at, token, [*processes]) for at, token in enumerate(tokens)]
            suspended = Suspended(address, processes, random.Random(asked.seed))
            asyncio.run(run(clients, suspended, 60 * asked.minutes))
        finally:
            for process in processes.values():
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)
                    os.kill(process, signal.SIGTERM)
                os.waitpid(process, 0)
        with closing(PostgresStore(address)) as store:
            entries = sum(
                judged(store, client, at) for client, at in zip(clients, before, strict=True)
            )
        written = epochs(address)
    answers: Counter[str] = sum((one.answers for one in clients), Counter())
    print(", ".join(f"{code} {count:,}" for code, count in sorted(answers.items())))
    print(
        f"owners suspended {suspended.times} times in {asked.minutes:g} minutes; {asked.tables}"
        f" tables had another owner {suspended.relieved} times, and were written in {written}"
        f" epochs; {entries} entries kept: one order for each table, 0 lost, 0 twice, 0 writes of"
        " an owner that was relieved, every record verified"
    )


if __name__ == "__main__":
    main()
