"""Runs a pit for a long time at the pace of a casino, with kills, a full disk, and an upgrade.

    .venv/bin/python bench/long_run.py [--minutes 2] [--tables 64] [--every 120]
                                       [--store sqlite|postgres] [--before SRC]

Each table has eight clients over TLS: a dealer, who gives the commands of real rounds, 70 an hour,
each under a key of its own; one client that looks at the table every five seconds; and six that
follow its events. Each reconnects by itself. The service runs in a process of its own. At the given
interval it is killed and started again; with PostgreSQL, it and the database take turns. A quarter
into the run the disk of the store is full for two seconds, if a file system may be mounted. After a
third, the clock jumps by an hour; after half, the certificate is renewed; and after three quarters,
the service is upgraded: it ends, its store is copied, and the program of this folder replaces that
in ``--before``, the ``src`` folder of an older version. At the end, the record of each table must
have each command once, in the order of the answers, and must verify, as must the copy; each
follower must have received each entry once. The benchmark prints the gaps in which a table was not
answered, by disturbance, and how long commands took otherwise. Exit status 1 means a loss; no
figure changes the status.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import quantiles
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

import croupier
from croupier.acts import Command
from croupier.records.codec import dump
from croupier.records.entry import system_clock
from croupier.records.stores.backup import back_up
from croupier.records.stores.places import open_store
from croupier.server import clocks
from croupier.server.desks.leases import Terms
from croupier.server.run import Address, bind, serve
from croupier.server.service import Service
from hour import rounds_of
from kill_service import judged
from serve import FREELY, prepared
from yardstick import print_yardstick

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.certificates import make_certificate

if TYPE_CHECKING:
    from support.databases import Cluster

HOST: Final = "localhost"
ROUND_SECONDS: Final = 3600 / 70
LOOK_SECONDS: Final = 5.0
FOLLOWERS: Final = 6
PATRONS: Final = 2
JUMP: Final = 3600
FULL_SECONDS: Final = 2.0
DISK: Final = 8 << 30
"""Bytes of the disk that fills up, of which the run takes what it writes."""
AFTER: Final = 5.0
"""Seconds after the service answers again that still count as disturbed."""


# --- the service, in a process of its own ---


async def run_service(place: str, port: int, tls: tuple[Path, Path], asked: Any) -> None:
    """Serve until killed; the first one makes the tables and prints their tokens."""
    jumped, real = [asked.ahead], clocks.offset
    asyncio.get_running_loop().add_signal_handler(
        signal.SIGUSR1, lambda: jumped.__setitem__(0, JUMP)
    )
    clocks.offset = lambda: real() + jumped[0]
    service = Service(
        open_store(place), clock=lambda: system_clock() + timedelta(seconds=jumped[0]),
        terms=Terms(lease=2.0, look=0.3, wait=0.05),
    )  # fmt: skip

    async def begin(service: Service, _: str) -> None:
        if not service.tables:
            tokens = await prepared(service, asked.tables, PATRONS)
            counts = [service.store.count(name) for name in service.tables]
            print(json.dumps([tokens, counts]), flush=True)

    address = Address(port=port, tls=tls, names=(HOST,))
    limits = replace(FREELY, judge_seconds=5.0)
    await serve(service, address, limits=limits, begin=begin)


# --- clients ---


class Pit(NamedTuple):
    """What all clients share."""

    port: int
    trusted: ssl.SSLContext
    ends: float
    took: list[tuple[float, float]]
    """When each command was sent first, and how long its answer took."""

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a new connection."""
        return await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.trusted, server_hostname=HOST
        )

    async def answering(self) -> asyncio.StreamWriter:
        """Return a new connection, once the service answers."""
        while True:
            with suppress(OSError):
                return (await self.connected())[1]
            await asyncio.sleep(0.1)


class Table:
    """A table: the answers to its dealer, and the entries that its followers received."""

    def __init__(self, pit: Pit, number: int, token: str) -> None:
        self.name: Final = f"T{number}"
        self.told: list[int] = []
        self.heard: Final[list[list[int]]] = [[] for _ in range(FOLLOWERS)]
        self.again = self.looks = 0
        self._pit: Final = pit
        self._number: Final = number
        self._head: Final = f"host: {HOST}:{pit.port}\r\nauthorization: Bearer {token}\r\n"

    async def deal(self) -> None:
        """Give the commands of one round after the other, at a dealer's pace."""
        pick = random.Random(self._number)
        await asyncio.sleep(pick.uniform(0, ROUND_SECONDS))
        line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for command in _commands(self._number, pick):
            if command is None or time.monotonic() > self._pit.ends:
                break
            pause, given = command
            await asyncio.sleep(pause)
            line = await self._send(line, given)
        if line is not None:
            line[1].close()

    async def _send(
        self, line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None, command: Command
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        body, begun, tries = dump(command.to_dict()), time.monotonic(), 0
        head = (
            f"POST /v1/tables/{self.name}/commands HTTP/1.1\r\n{self._head}"
            f"idempotency-key: k{len(self.told)}\r\ncontent-length: {len(body)}\r\n\r\n"
        ).encode()
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                line = await self._pit.connected() if line is None else line
                line[1].write(head + body)
                status, answer = await _answer(line[0])
                if status == 200:
                    self.told.append(json.loads(answer)["seq"])
                    self._pit.took.append((begun, time.monotonic() - begun))
                    self.again += tries > 0
                    return line
                if status not in {503, 507}:
                    sys.exit(f"{self.name} {command}: {status} {answer!r}")
                tries += 1
                await asyncio.sleep(0.05)
                continue
            line, tries = None, tries + 1
            await asyncio.sleep(0.05)

    async def look(self) -> None:
        """Look at the table every few seconds."""
        while time.monotonic() < self._pit.ends:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self._pit.connected()
                with closing(writer):
                    while time.monotonic() < self._pit.ends:
                        writer.write(
                            f"GET /v1/tables/{self.name}/look HTTP/1.1\r\n{self._head}\r\n".encode()
                        )
                        status, _ = await _answer(reader)
                        self.looks += status == 200
                        await asyncio.sleep(LOOK_SECONDS)
            await asyncio.sleep(0.2)

    async def follow(self, heard: list[int]) -> None:
        """Follow the events; resume after the last one that was heard."""
        path = f"/v1/tables/{self.name}/events"
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self._pit.connected()
                with closing(writer):
                    last = f"last-event-id: {heard[-1]}\r\n" if heard else ""
                    writer.write(f"GET {path} HTTP/1.1\r\n{self._head}{last}\r\n".encode())
                    while line := await reader.readline():
                        if line.startswith(b"id: "):
                            heard.append(int(line[4:]))
            await asyncio.sleep(0.2)

    def missed(self) -> int:
        """Return how many entries a follower heard twice, or not."""
        found = 0
        for one in self.heard:
            whole = [*range(one[0], one[-1] + 1)] if one else []
            found += len(whole) - len(set(one)) + len(one) - len(set(one)) + (one != sorted(one))
        return found


def _commands(number: int, pick: random.Random) -> Iterator[tuple[float, Command] | None]:
    for commands in rounds_of(number, PATRONS):
        for command in commands:
            yield pick.uniform(0.5, 1.5) * ROUND_SECONDS / len(commands), command
    yield None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
    return int(head[9:12]), await reader.readexactly(int(length or b"0"))


# --- what happens to them ---


class Machine:
    """Where a store is: on a disk that can be filled up, in a file or in a database."""

    def __init__(self, folder: Path, cluster: Cluster | None, disk: Path | None) -> None:
        self.cluster: Final = cluster
        self.disk: Final = disk
        file = (disk or folder) / "pit.sqlite"
        if cluster is None:
            self.place = str(file)
        else:
            self.place = cluster.database(on=disk and disk / "data")

    async def filled(self) -> None:
        """Fill the disk for some seconds."""
        if self.disk is None:
            raise TypeError(self.disk)
        ballast = self.disk / "ballast"
        with ballast.open("wb") as file:
            # What is left after the first try is less than a block of the file system.
            for size in (shutil.disk_usage(self.disk).free, 1 << 20, 1 << 12):
                with suppress(OSError):
                    while True:
                        os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), max(1, size))
        await asyncio.sleep(FULL_SECONDS)
        ballast.unlink()


@contextmanager
def _machine(kind: str, folder: Path) -> Iterator[Machine]:
    with ExitStack() as ends:
        cluster = None
        if kind == "postgres":
            from support.databases import Cluster  # noqa: PLC0415  (a service does not need pytest)

            cluster = Cluster()
            ends.callback(cluster.stop)
        disk = (folder if cluster is None else cluster.folder) / "disk"
        image = folder / "disk.img"
        disk.mkdir()
        try:
            with image.open("wb") as file:
                file.truncate(DISK)
            for words in (
                ["mkfs.ext4", "-q", str(image)],
                ["mount", "-o", "loop", str(image), str(disk)],
            ):
                subprocess.run(words, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            yield Machine(folder, cluster, None)
            return
        # The database is stopped after its disk is gone from its folder, and before it is removed.
        ends.callback(subprocess.run, ["umount", "-l", str(disk)], check=True)
        (disk / "data").mkdir()
        yield Machine(folder, cluster, disk)


class Events:
    """Kills, fills, jumps, renews, and upgrades."""

    def __init__(self, command: list[str], folder: Path, machine: Machine, asked: Any) -> None:
        self._command = command
        self._folder: Final = folder
        self._machine: Final = machine
        self._asked: Final = asked
        self._program: str | None = asked.before
        self.process = self.started()
        self.disturbances: list[tuple[str, float, float]] = []
        """What happened, with its begin and end."""
        self.said: list[str] = []
        self.copy: Final = folder / "copy.sqlite"

    def _environment(self) -> dict[str, str]:
        # An installed program is compiled once.
        found = {**os.environ, "PYTHONPYCACHEPREFIX": str(self._folder / "compiled")}
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        return found

    def started(self) -> subprocess.Popen[str]:
        """Start the service."""
        found = self._environment()
        if self._program is not None:
            found["PYTHONPATH"] = self._program
        return subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, env=found)

    async def happen(self, pit: Pit) -> None:
        """Let everything happen until the end."""
        begun = time.monotonic()
        length = pit.ends - begun
        plan: list[tuple[float, Callable[[Pit], Awaitable[None]]]] = [
            (begun + length / 3, self._jump),
            (begun + length / 2, self._renew),
            (begun + 3 * length / 4, self._upgrade),
        ]
        if self._machine.disk is not None:
            plan.append((begun + length / 4, self._fill))
        else:
            self.said.append("NO DISK WAS FULL")
        at, kills = begun + self._asked.every, [self._kill]
        if self._machine.cluster is not None:
            kills.append(self._kill_database)
        while at < pit.ends - 2 * AFTER:
            plan.append((at, kills[0]))
            at, kills = at + self._asked.every, [*kills[1:], kills[0]]
        for when, act in sorted(plan, key=lambda one: one[0]):
            await asyncio.sleep(max(0.0, when - time.monotonic()))
            await act(pit)

    async def _disturbed(self, what: str, begun: float, pit: Pit) -> None:
        (await pit.answering()).close()
        self.disturbances.append((what, begun, time.monotonic()))

    async def _kill(self, pit: Pit) -> None:
        begun = time.monotonic()
        self.process.kill()
        self.process.wait()
        self.process = self.started()
        await self._disturbed("kill of the service", begun, pit)

    async def _kill_database(self, pit: Pit) -> None:
        begun, cluster = time.monotonic(), self._machine.cluster
        if cluster is None:
            raise TypeError(cluster)
        await asyncio.to_thread(cluster.kill)
        await asyncio.to_thread(cluster.start)
        await self._disturbed("kill of the database", begun, pit)

    async def _fill(self, pit: Pit) -> None:
        begun = time.monotonic()
        await self._machine.filled()
        await self._disturbed("full disk", begun, pit)

    async def _upgrade(self, pit: Pit) -> None:
        (await pit.answering()).close()
        # An installation compiles the new version while the old one runs.
        compiles = [sys.executable, "-m", "compileall", "-q", str(Path(croupier.__file__).parent)]
        await asyncio.to_thread(subprocess.run, compiles, env=self._environment(), check=True)
        begun = time.monotonic()
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)
        found = await asyncio.to_thread(back_up, self._machine.place, self.copy)
        took, self._program = time.monotonic() - begun, None
        self.process = self.started()
        await self._disturbed("upgrade", begun, pit)
        self.said.append(f"{found.entries:,} entries were copied for the upgrade in {took:.1f} s")

    async def _jump(self, pit: Pit) -> None:
        # A process that is not ready would end by the signal.
        (await pit.answering()).close()
        self._command += ["--ahead", str(JUMP)]
        os.kill(self.process.pid, signal.SIGUSR1)
        self.said.append("the clock jumped by an hour")

    async def _renew(self, pit: Pit) -> None:
        new, _ = make_certificate(self._folder, HOST)
        pit.trusted.load_verify_locations(new)
        wanted, begun = ssl.PEM_cert_to_DER_cert(new.read_text()), time.monotonic()
        while time.monotonic() - begun < 3 * AFTER:
            with suppress(OSError):
                _, writer = await pit.connected()
                shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
                writer.close()
                if shown == wanted:
                    self.said.append(
                        f"the new certificate was shown after {time.monotonic() - begun:.1f} s"
                    )
                    return
            await asyncio.sleep(0.2)
        self.said.append("THE NEW CERTIFICATE WAS NOT SHOWN")


async def _lived(tables: list[Table], pit: Pit, events: Events) -> None:
    following = [asyncio.ensure_future(one.follow(heard)) for one in tables for heard in one.heard]
    others = [asyncio.ensure_future(one.look()) for one in tables]
    happening = asyncio.ensure_future(events.happen(pit))
    await asyncio.gather(*(one.deal() for one in tables), happening, *others)
    await asyncio.sleep(2)
    for one in following:
        one.cancel()
    await asyncio.gather(*following, return_exceptions=True)


def _near(pit: Pit, disturbances: list[tuple[str, float, float]]) -> list[float]:
    """Return how long the commands took that were sent when something happened, or soon after."""
    spans = [(begin - 0.5, end + AFTER) for _, begin, end in disturbances]
    return [took for begun, took in pit.took if any(low < begun < high for low, high in spans)]


def _reported(tables: list[Table], pit: Pit, events: Events) -> int:
    near = _near(pit, events.disturbances)
    apart = sorted(took for _, took in pit.took)
    for one in near:
        apart.remove(one)
    cuts = quantiles(apart, n=1000, method="inclusive")
    missed = sum(one.missed() for one in tables)
    print(
        f"{len(tables)} tables, {8 * len(tables)} clients: {len(pit.took):,} commands acknowledged,"
        f" {sum(one.again for one in tables)} of them when they were sent again;"
        f" {sum(one.looks for one in tables):,} looks,"
        f" {sum(len(heard) for one in tables for heard in one.heard):,} events heard"
    )
    for what in dict.fromkeys(one for one, _, _ in events.disturbances):
        several = [one for one in events.disturbances if one[0] == what]
        longest = max(_near(pit, several), default=0)
        again = max(end - begin for _, begin, end in several)
        print(
            f"{len(several)} x {what}: longest gap {longest:.2f} s (bar 5 s),"
            f" a new connection after {again:.2f} s at most"
        )
    print("; ".join(events.said))
    print(
        f"apart from these: p50 {1000 * cuts[499]:.0f} ms, p99 {1000 * cuts[989]:.0f} ms (bar 100),"
        f" p99.9 {1000 * cuts[998]:.0f} ms, longest {1000 * max(apart):.0f} ms"
    )
    used = [sum(getrusage(who)[:2]) for who in (RUSAGE_CHILDREN, RUSAGE_SELF)]
    print(
        f"processor: {used[0]:.0f} s of the service and its starts, {used[1]:.0f} s of the clients"
    )
    print(f"entries that a follower missed or heard twice: {missed}")
    return missed


def main() -> None:
    """Run the pit, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--every", type=float, default=120.0, help="seconds between kills")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--before", help="src folder of the version that is upgraded")
    parser.add_argument("--serve", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--ahead", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        place, port, chain, key = asked.serve
        asyncio.run(run_service(place, int(port), (Path(chain), Path(key)), asked))
        return
    print_yardstick()
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        machine = ends.enter_context(_machine(asked.store, folder))
        chain, key = make_certificate(folder, HOST)
        with closing(bind("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        events = Events(
            [sys.executable, __file__, "--tables", str(asked.tables), "--serve", machine.place,
             str(port), str(chain), str(key)],
            folder, machine, asked,
        )  # fmt: skip
        try:
            tokens, before = json.loads(next(iter(events.process.stdout or ())))
            trusted = ssl.create_default_context(cafile=chain)
            pit = Pit(port, trusted, time.monotonic() + 60 * asked.minutes, [])
            tables = [Table(pit, number, token) for number, token in enumerate(tokens)]
            asyncio.run(_lived(tables, pit, events))
        finally:
            events.process.terminate()
            events.process.wait()
        missed = _reported(tables, pit, events)
        with closing(open_store(machine.place)) as store:
            kept = sum(judged(store, *pair) for pair in zip(tables, before, strict=True))
        _check_copy(events.copy)
        print(f"{kept:,} entries kept: 0 lost, 0 twice, 0 out of order; every record verifies")
        sys.exit(1 if missed else 0)


def _check_copy(copy: Path) -> None:
    words = [sys.executable, "-m", "croupier", "store", "check", str(copy)]
    if copy.exists() and subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit("the copy does not verify")


if __name__ == "__main__":
    main()
