"""Kills a service at random instants under load, and compares what it told with what it kept.

    .venv/bin/python bench/kill_service.py [--kills 300] [--store sqlite|postgres] [--seed 1]

A child process serves three tables over HTTP. A client of each table sends one command after the
other, each under a key of its own, and sends again what was not answered. The child is killed with
SIGKILL at a random time after its start, so some die before they are ready, and another one goes on
with the same store. In the end the record of each table must hold the commands of its client in the
order in which they were sent, each once, and all that were acknowledged, each at the entry that was
told; and it must verify. After ``--life`` kills a new store is begun. A database is a real one,
made for the run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

from croupier.records.entry import entry_head, unseal
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Store
from croupier.rules import default_submission, table_rules
from croupier.server.desks.leases import Terms
from croupier.server.run import Address, serve
from croupier.server.service import Service
from croupier.verify.log import verify_lines
from serve import FREELY, command, prepared
from yardstick import print_yardstick

TABLES: Final = 3
LONGEST: Final = 0.4
"""Seconds after its first answer in which a child is killed; one in five, after its start."""
EARLY: Final = 0.2
SHORT: Final = Terms(lease=0.3, look=0.1, wait=0.02)
"""Leases that the next child need not wait for long."""

Opens = Callable[[], Store]
Prepares = Callable[[Service, int], Awaitable[list[str]]]
"""Makes so many tables, and returns tokens."""


class Client:
    """Sends commands to one table, and remembers what it was told of each."""

    def __init__(self, number: int, token: str, port: int) -> None:
        self.name: Final = f"T{number}"
        self.told: list[int] = []
        """The entry that each command was acknowledged with, in order."""
        self.again = 0
        """Commands that were answered when they were sent once more."""
        self._token: Final = token
        self._port: Final = port
        self._sent = -1

    async def send(self) -> None:
        """Send commands until the connection is lost; begin with what was not answered."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                try:
                    while True:
                        await self._one(reader, writer)
                finally:
                    writer.close()
            await asyncio.sleep(0.01)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(self.told)
        repeated, self._sent = self._sent == number, number
        body = json.dumps(command(number)).encode()
        writer.write(
            f"POST /v1/tables/{self.name}/commands HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\n"
            f"authorization: Bearer {self._token}\r\nidempotency-key: k{number}\r\n"
            f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [one for one in head.split(b"\r\n") if one.lower().startswith(b"content-length")]
        answer = json.loads(await reader.readexactly(int(lengths[0].split(b":")[1])))
        status = int(head[9:12])
        if status == 503:
            await asyncio.sleep(0.01)
            return
        if status != 200:
            sys.exit(f"{self.name}, command {number}: {status} {answer}")
        self.again += repeated
        self.told.append(answer["seq"])


def child(opens: Opens, port: int, told: int, prepare: Prepares) -> NoReturn:
    """Serve until killed; the first child makes the tables, and tells tokens."""

    async def begin(service: Service, place: str) -> None:
        del place
        if not service.tables:
            os.write(told, json.dumps(await prepare(service, TABLES)).encode() + b"\n")

    service = Service(opens(), terms=SHORT)
    asyncio.run(serve(service, Address(port=port), limits=FREELY, begin=begin))
    os._exit(0)


def started(opens: Opens, port: int, told: int, prepare: Prepares = prepared) -> int:
    """Fork a child, and return its process id."""
    process = os.fork()
    if process == 0:
        try:
            child(opens, port, told, prepare)
        finally:
            os._exit(1)
    return process


def killed(process: int) -> None:
    """Kill a child, and make sure that it had not ended before."""
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
        sys.exit("the child ended by itself")


async def loaded(clients: list[Client], process: int, after: float, *, early: bool) -> None:
    """Send commands to a child, and kill it some time after its start, or its first answer."""
    sending = [asyncio.ensure_future(one.send()) for one in clients]
    known = acknowledged(clients)
    while not early and acknowledged(clients) == known:  # noqa: ASYNC110  (several clients)
        await asyncio.sleep(0.001)
    await asyncio.sleep(after)
    killed(process)
    for one in sending:
        one.cancel()
    for came in await asyncio.gather(*sending, return_exceptions=True):
        if not isinstance(came, asyncio.CancelledError):
            raise came or SystemExit("a client ended")


def acknowledged(clients: list[Client]) -> int:
    """Return how many commands were acknowledged so far."""
    return sum(len(one.told) for one in clients)


def life(opens: Opens, kills: int, chance: random.Random) -> tuple[int, int, int, int]:
    """Kill the children of one store, and judge it; return what was counted."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    read, write = os.pipe()
    process = started(opens, port, write)
    with os.fdopen(read) as told:
        tokens: list[str] = json.loads(told.readline())
    clients = [Client(number, token, port) for number, token in enumerate(tokens)]
    killed(process)
    with closing(opens()) as store:
        before = [store.count(one.name) for one in clients]
    idle = 0
    for _ in range(kills):
        known, early = acknowledged(clients), chance.random() < EARLY
        process = started(opens, port, write)
        try:
            asyncio.run(loaded(clients, process, chance.uniform(0, LONGEST), early=early))
        except BaseException:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            raise
        idle += known == acknowledged(clients)
    os.close(write)
    with closing(opens()) as store:
        entries = sum(judged(store, *pair) for pair in zip(clients, before, strict=True))
    return (
        acknowledged(clients), sum(one.again for one in clients), entries, idle,
    )  # fmt: skip


class Heard(Protocol):
    """What was told of the commands sent to one table."""

    @property
    def name(self) -> str:
        """The table."""

    @property
    def told(self) -> list[int]:
        """The entry that each command was acknowledged with, in order."""


def judged(store: Store, client: Heard, before: int) -> int:
    """Check the record of a table against what its client was told; return its entries."""
    lines = [*store.lines(client.name)]
    keys: list[str | None] = []
    for line in lines[before:]:
        sealed = unseal(line)
        head = None if sealed is None else entry_head(sealed[0])
        keys.append(None if head is None else head.key)
    if keys != [f"k{number}" for number in range(len(keys))]:
        sys.exit(f"{client.name}: commands are lost, twice, or out of order: {keys}")
    # One more may be stored than was answered.
    if len(keys) - len(client.told) not in {0, 1}:
        sys.exit(f"{client.name}: {len(client.told)} acknowledged, {len(keys)} kept")
    if client.told != [*range(before, before + len(client.told))]:
        sys.exit(f"{client.name}: what was told is not where it was told to be")
    verdict = verify_lines(Path(client.name), lines)
    if not verdict.is_clean or verdict.entries != len(lines) - 1:
        sys.exit(f"{client.name}: the record diverges: {verdict.divergence}")
    return len(keys)


@contextmanager
def stores(kind: str) -> Iterator[Callable[[], Opens]]:
    """Give what makes new stores: files in a folder, or databases of a cluster of their own."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:

            def file() -> Opens:
                path = Path(tempfile.mkdtemp(dir=folder)) / "pit.sqlite"
                return lambda: SQLiteStore(path)

            yield file
        return
    with databases() as database:

        def opened() -> Opens:
            address = database()
            return lambda: PostgresStore(address)

        yield opened


@contextmanager
def databases() -> Iterator[Callable[[], str]]:
    """Give what makes new databases of a cluster of their own, and returns their addresses."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from support.databases import Cluster  # noqa: PLC0415  (made as the tests make theirs)

    cluster = Cluster()
    try:
        yield cluster.database
    finally:
        cluster.stop()


def main() -> None:
    """Kill children and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--life", type=int, default=25, help="kills of one store")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    asked: Any = parser.parse_args()
    print_yardstick()
    # Children are forked, and need not read the law again.
    table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    chance = random.Random(asked.seed)
    counted = [0, 0, 0, 0]
    with stores(asked.store) as make:
        for begun in range(0, asked.kills, asked.life):
            found = life(make(), min(asked.life, asked.kills - begun), chance)
            counted = [one + more for one, more in zip(counted, found, strict=True)]
    told, again, entries, idle = counted
    print(
        f"{asked.kills} kills of a service on {asked.store}, {idle} of them before it answered:"
        f" {told} commands acknowledged, {again} of them when they were sent again;"
        f" 0 lost, 0 twice, 0 out of order; {entries} entries kept, every record verified"
    )


if __name__ == "__main__":
    main()
