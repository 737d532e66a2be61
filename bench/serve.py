"""What a durable command costs over HTTP, beside what nobody can do without.

    .venv/bin/python bench/serve.py [--tables 64] [--commands 40] [--batch 1] [--minimal]

So many tables each take wagers from one dealer, one request after the other, over a connection of
their own. The floor is measured in the same run on the same machine: the same server answers the
same requests with a copy of one answer, its headers included, and the rows that were stored are
written again, so many in a transaction as were in a commit on average. The bar is twice the floor
for a command alone, and three times in batches, of what the processor was used for: elapsed time,
which is printed too, depends on what else the machine does. Client and server share the processor,
in both, and the client does the same with both.
Beside it: what the server takes of the processor for a command, how much of that decides and seals
it, and what an entry takes of the disk. ``--listeners`` follow each table meanwhile; what they add
is what they cost. ``--minimal`` asks for answers without entries. ``--judged`` has every entry
decided again for the alarm, as a service does five seconds later in a thread of its own: without
it a run of more than five seconds would count what a shorter one does not. ``--parts`` prints what
each part of a command takes, by samples of the server's stack.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import signal
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from types import FrameType
from typing import Any, NamedTuple, Self

import uvicorn
from msgspec.structs import replace
from starlette.types import Receive, Scope, Send

from croupier.records.codec import decode_command
from croupier.records.entry import sealed_entry, system_clock
from croupier.records.grants import Grant, grant_command
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Answer, Append
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.desk import actors
from croupier.server.desks.pilot import Dealt
from croupier.server.grants import HOURS_12
from croupier.server.http.limits import Limits
from croupier.server.run import Address, listening, serve, spare_collecting
from croupier.server.service import Opened, Service
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Stamp, propose
from croupier.table.machine.session import TableSession
from yardstick import print_yardstick

FREELY = Limits(per_second=1e9, burst=1e9, streams_of_a_grant=1000, judge_seconds=0)


class Answered(NamedTuple):
    """An answer as it came: its headers and its body."""

    headers: list[tuple[bytes, bytes]]
    body: bytes


# --- the server, in a process of its own ---


async def prepared(service: Service, tables: int, patrons: int = 2) -> list[str]:
    """Make tables that are open for wagers, and return a dealer's token for each."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    tokens, now = [], service.now()
    for number in range(tables):
        noticed = datetime(2026, 1, 1, tzinfo=UTC)
        table = await service.create(rules, Opened("1"), f"T{number}", (), noticed)
        Autopilot(Dealt(table.desk), Chance(number), patrons=patrons).open(date(2011, 2, 22))
        await table.desk.settled()
        grant = Grant(f"g{number}", "dealer", "dealer", "1", (f"T{number}",), until=now + HOURS_12)
        await service.note(grant.pit, grant_command(grant, now), ())
        await service.grants.make(grant, now)
        tokens.append((await service.grants.token(grant, now))[0])
    return tokens


PARTS = {
    ("h11_impl", "data_received"): "take the request",
    ("h11_impl", "send"): "send the answer",
    ("calls", "grant"): "find the grant",
    ("calls", "body"): "take the body",
    ("table_calls", "_objects"): "read commands",
    ("table_calls", "_decoded"): "read commands",
    ("desk", "kept_answer"): "look up the key",
    ("position", "allowed"): "decide",
    ("position", "advanced"): "move on",
    ("entry", "sealed_entry"): "write and seal the entry",
    ("views", "encoded"): "show it to the office",
    ("commits", "_commit"): "have it committed, and answer",
}
"""What a sample counts for, by module and function on the stack."""


class Sampled:
    """Samples of where the event loop is, and what each part took at the end of a run."""

    def __init__(self) -> None:
        self._found = Counter[str]()

    def begin(self) -> None:
        """Begin to look, each few milliseconds of processor time."""
        self._began = time.thread_time(), time.process_time()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)

    def _look(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            code = frame.f_code
            part = PARTS.get((Path(code.co_filename).stem, code.co_name))
            if part is not None:
                break
            frame = frame.f_back
        self._found[part or "all else"] += 1

    def print(self, commands: int) -> None:
        """Print the parts, in microseconds a command."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        own, every = time.thread_time() - self._began[0], time.process_time() - self._began[1]
        each = 1e6 * own / commands / self._found.total()
        for part in (*dict.fromkeys(PARTS.values()), "all else"):
            print(f"{self._found[part] * each:7.1f} us to {part}")
        print(f"{(every - own) / commands * 1e6:7.1f} us in other threads")


def _serve(path: Path, tables: int, limits: Limits, parts: int, told: Connection) -> None:
    async def run() -> None:
        tokens: list[str] = []
        sampled = Sampled()

        def started(_: object, place: str) -> None:
            if parts:
                sampled.begin()
            told.send((place, tokens))

        async def begin(service: Service, place: str) -> None:
            del place
            tokens.extend(await prepared(service, tables))

        service = Service(path)
        await serve(
            service,
            Address(port=0),
            limits=limits,
            begin=begin,
            started=started,
        )
        if parts:
            sampled.print(parts)

    asyncio.run(run())


def _serve_nothing(answer: Answered, told: Connection) -> None:
    """Serve as the service does, and answer every request with a copy of one answer of its."""

    async def null(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body", False):
            pass
        headers = [*answer.headers]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def run() -> None:
        bound = socket.create_server(("127.0.0.1", 0))
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        told.send((f"http://127.0.0.1:{bound.getsockname()[1]}", []))
        spare_collecting()
        await uvicorn.Server(listening(null, FREELY)).serve([bound])

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


def run_server(target: Callable[..., None], *args: object) -> tuple[Any, str, list[str]]:
    """Start a server; return its process, its address, and tokens."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=target, args=(*args, there))
    process.start()
    place, tokens = here.recv()
    return process, place, tokens


def end(process: Any) -> None:
    """End a server by its process id."""
    os.kill(process.pid, signal.SIGTERM)
    process.join(20)


# --- the client ---


async def post(reader: Any, writer: Any, head: bytes, body: bytes) -> Answered:
    """Send one request over an open connection, and return its answer."""
    writer.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
    stated, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
    headers = [tuple(line.split(b": ", 1)) for line in lines]
    found = Answered(headers, await reader.readexactly(int(dict(headers)[b"content-length"])))
    if int(stated[9:12]) != 200:
        raise SystemExit(f"{stated.decode()} {found.body.decode()}")
    return found


def command(number: int) -> dict[str, Any]:
    """Return a wager, and then its withdrawal."""
    if number % 2:
        return {"type": "WithdrawWager", "seat": 1, "wager": "banker"}
    return {"type": "PlaceWager", "seat": 1, "wager": "banker", "cents": 10_000}


class Load(NamedTuple):
    """What each table is sent: requests of so many commands, and whether it asks for entries.

    ``keys`` begin the idempotency keys: a second load with the same ones would be answered again.
    """

    requests: int
    batch: int
    minimal: bool
    keys: str = "k"


async def at_table(place: str, number: int, token: str, load: Load) -> tuple[list[float], Answered]:
    """Send commands to one table; return how long each request took, and the last answer."""
    host = place.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    requests, batch, minimal, keys = load
    kind = b"application/json" if batch == 1 else b"application/x-ndjson"
    took = []
    for one in range(requests):
        head = (
            f"POST /v1/tables/T{number}/commands HTTP/1.1\r\nhost: {host}\r\n"
            f"authorization: Bearer {token}\r\nidempotency-key: {keys}{one}\r\n"
        ).encode() + b"content-type: " + kind + b"\r\n"  # fmt: skip
        head += b"prefer: return=minimal\r\n" if minimal else b""
        body = "\n".join(json.dumps(command(one * batch + at)) for at in range(batch)).encode()
        begun = time.perf_counter()
        answer = await post(reader, writer, head, body)
        took.append(time.perf_counter() - begun)
    writer.close()
    return took, answer


async def clients(place: str, tokens: list[str], load: Load) -> tuple[list[float], Answered]:
    """Send commands to every table at once; return how long each request took, and an answer."""
    found = await asyncio.gather(
        *(at_table(place, number, token, load) for number, token in enumerate(tokens))
    )
    return [one for took, _ in found for one in took], found[0][1]


async def listened(place: str, number: int, token: str) -> None:
    """Follow a table, until the server ends."""
    host = place.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    writer.write(
        f"GET /v1/tables/T{number}/events HTTP/1.1\r\nhost: {host}\r\n"
        f"authorization: Bearer {token}\r\n\r\n".encode()
    )
    while await reader.read(1 << 16):
        pass
    writer.close()


def listen(place: str, tokens: list[str], listeners: int) -> Any:
    """Start a process that follows every table by so many listeners."""

    async def run() -> None:
        waits = [
            listened(place, number, token)
            for number, token in enumerate(tokens)
            for _ in range(listeners)
        ]
        await asyncio.gather(*waits)

    process = multiprocessing.get_context("fork").Process(target=lambda: asyncio.run(run()))
    process.start()
    time.sleep(1)
    return process


def processor(process: Any) -> float:
    """Return the seconds of processor that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def decided(number: int) -> float:
    """Return the seconds in which so many commands are decided and sealed, and nothing else."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    session = TableSession(rules)
    Autopilot(session, Chance(0), patrons=2).open(date(2011, 2, 22))
    dealer = Grant("g0", "dealer", "dealer", "1")
    position, head = session.position, "0" * 64
    begun = time.perf_counter()
    for at in range(number):
        given = decode_command(command(at))
        stamp = Stamp(actors(dealer, given, position), f"k{at}")
        answer = propose(position, given, stamp, system_clock())
        if isinstance(answer, Refusal):
            raise SystemExit(answer.message)
        head, position = sealed_entry(head, answer)[1], answer.after
    return time.perf_counter() - begun


class Run(NamedTuple):
    """What it took to send all requests: seconds, those of the server's processor, and of each."""

    seconds: float
    spent: float
    took: list[float]
    answer: Answered


def measured(process: Any, place: str, tokens: list[str], load: Load) -> Run:
    """Send commands to every table of a server at once."""
    spent, begun = processor(process), time.perf_counter()
    took, answer = asyncio.run(clients(place, tokens, load))
    seconds = time.perf_counter() - begun
    return Run(seconds, processor(process) - spent, took, answer)


def rows_again(path: Path, folder: Path, first: int, group: int) -> tuple[float, float]:
    """Write the rows of a store again, so many a transaction.

    Returns the seconds that it takes, and those of the processor.
    """
    with SQLiteStore(path) as kept:
        lines = {name: [*kept.lines(name, first)] for name in kept.names}
        answers = {
            name: [
                Answer(*row)
                for row in kept.connection.execute(
                    "select grant_name, key, digest, status, body, at, kept from answer"
                    " where stream = (select id from stream where name = ?)",
                    (name,),
                )
            ]
            for name in kept.names
        }
    with SQLiteStore(folder / "again.sqlite") as store:
        for name in lines:
            store.create(name)
        each = [
            Append(name, at, [line], answers=answers[name][at : at + 1])
            for at in range(max(map(len, lines.values())))
            for name in lines
            for line in lines[name][at : at + 1]
        ]
        begun, spent = time.perf_counter(), time.process_time()
        for at in range(0, len(each), group):
            store.commit(each[at : at + group])
        return time.perf_counter() - begun, time.process_time() - spent


def main() -> None:
    """Print the figures of a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--commands", type=int, default=40, help="requests for each table")
    parser.add_argument("--batch", type=int, default=1, help="commands in a request")
    parser.add_argument("--listeners", type=int, default=0, help="listeners of each table")
    parser.add_argument("--minimal", action="store_true", help="ask for answers without entries")
    parser.add_argument("--judged", action="store_true", help="have every entry decided again")
    parser.add_argument("--parts", action="store_true", help="print what each part takes")
    asked = parser.parse_args()
    limits = replace(FREELY, judge_seconds=0.5) if asked.judged else FREELY
    load = Load(asked.commands, asked.batch, asked.minimal)
    print_yardstick()
    requests = asked.tables * asked.commands
    commands = requests * asked.batch
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        path = folder / "pit.sqlite"
        process, place, tokens = run_server(
            _serve, path, asked.tables, limits, commands if asked.parts else 0
        )
        following = listen(place, tokens, asked.listeners) if asked.listeners else None
        with Commits(place) as before:
            run = measured(process, place, tokens, load)
            groups = before.groups()
        end(process)
        if following is not None:
            following.join(20)
        process, place, _ = run_server(_serve_nothing, run.answer)
        null = measured(process, place, tokens, load)
        end(process)
        with SQLiteStore(path) as kept:
            first = kept.count("T0") - asked.commands * asked.batch
            size = path.stat().st_size / sum(map(kept.count, kept.names))
        group = max(1, round(commands / max(1, groups)))
        rows, of_rows = rows_again(path, folder, first, group)
    print(f"{asked.tables} tables, {requests} requests of {asked.batch} commands")
    cuts = quantiles(run.took, n=100)
    print(
        f"service: {commands / run.seconds:,.0f} commands/s, p50 {1000 * cuts[49]:.1f} ms,"
        f" p99 {1000 * cuts[98]:.1f} ms, {group} commands a commit"
    )
    each, floor = 1e6 / commands, null.seconds + rows
    print(f"floor: {floor:.2f} s: {null.seconds:.2f} s for requests, {rows:.2f} s for rows")
    print(
        f"processor: {run.spent * each:.0f} us a command, {decided(2000) / 2000 * 1e6:.0f} of them"
        f" to decide and seal it; floor {null.spent * each:.0f} us for requests,"
        f" {of_rows * each:.0f} for rows; {size:,.0f} bytes an entry"
    )
    bar = 2 if asked.batch == 1 else 3
    of_processor = run.spent / (null.spent + of_rows)
    print(f"ratio: of processor {of_processor:.2f} (bar: {bar}), in time {run.seconds / floor:.2f}")


class Commits:
    """Counts the commits of a service by its metrics."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._before = self._now()

    def _now(self) -> int:
        return asyncio.run(self._read())

    async def _read(self) -> int:
        host = self._place.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(f"GET /metrics HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        text = (await reader.read()).decode()
        writer.close()
        line = next(one for one in text.splitlines() if "croupier_commit_seconds_count" in one)
        return int(float(line.split()[-1]))

    def groups(self) -> int:
        """Return the commits since this began."""
        return self._now() - self._before

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return


if __name__ == "__main__":
    main()
