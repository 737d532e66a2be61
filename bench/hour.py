"""What an hour of many tables takes of one process: the time of each round, and memory.

    .venv/bin/python bench/hour.py [--tables 500] [--rounds 70] [--patrons 7]

Every table deals 70 rounds, as many as an hour has, one request for each: what patrons wager, the
cards, and the settlement, over a connection of its own and as fast as the server answers. Memory
is that of the server's process, at the start and after each tenth. What a table keeps of its gaming
day, which a correction may ask for, grows with every round; the rest should not.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from croupier.acts import Command
from croupier.records.codec import dump
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.run import Address, serve
from croupier.server.service import Service
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession
from serve import FREELY, end, post, prepared, processor, run_server
from yardstick import print_yardstick

_TENTHS = 10


def _serve(path: Path, tables: int, patrons: int, told: Connection) -> None:
    async def run() -> None:
        tokens: list[str] = []

        async def begin(service: Service, _: str) -> None:
            tokens.extend(await prepared(service, tables, patrons))

        await serve(
            Service(path),
            Address(port=0),
            limits=FREELY,
            begin=begin,
            started=lambda _, place: told.send((place, tokens)),
        )

    asyncio.run(run())


def rounds_of(number: int, patrons: int) -> Iterator[list[Command]]:
    """Yield the commands of each round of a table, which was opened with the same chance."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    given: list[Command] = []

    def hear(command: Command, _: Events) -> None:
        given.append(command)

    session = TableSession(rules, hear)
    pilot = Autopilot(session, Chance(number), patrons=patrons)
    pilot.open(date(2011, 2, 22))
    given.clear()
    while True:
        pilot.play_shoe(1)
        yield given.copy()
        given.clear()


class Hour(NamedTuple):
    """What was dealt, how long each round took, and what is asked after each tenth of it."""

    rounds: int
    patrons: int
    took: list[float]
    commands: list[int]
    dealt: Callable[[], None]


async def at_table(place: str, number: int, token: str, hour: Hour) -> None:
    """Deal the rounds of one table."""
    host = place.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    rounds = rounds_of(number, hour.patrons)
    for one in range(hour.rounds):
        commands = next(rounds)
        head = (
            f"POST /v1/tables/T{number}/commands HTTP/1.1\r\nhost: {host}\r\n"
            f"authorization: Bearer {token}\r\nidempotency-key: r{one}\r\n"
            "content-type: application/x-ndjson\r\n"
        ).encode()
        body = b"\n".join(dump(command.to_dict()) for command in commands)
        begun = time.perf_counter()
        await post(reader, writer, head, body)
        hour.took.append(time.perf_counter() - begun)
        hour.commands[0] += len(commands)
        hour.dealt()
    writer.close()


def memory(process: Any) -> float:
    """Return the megabytes of memory that a process holds."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")


def main() -> None:
    """Print the figures of an hour."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=70)
    parser.add_argument("--patrons", type=int, default=7)
    asked = parser.parse_args()
    print_yardstick()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pit.sqlite"
        process, place, tokens = run_server(_serve, path, asked.tables, asked.patrons)
        every = asked.tables * asked.rounds
        held = [memory(process)]

        def dealt() -> None:
            if len(hour.took) * _TENTHS >= len(held) * every:
                held.append(memory(process))

        hour = Hour(asked.rounds, asked.patrons, [], [0], dealt)

        async def all_tables() -> None:
            await asyncio.gather(
                *(at_table(place, number, token, hour) for number, token in enumerate(tokens))
            )

        spent, begun = processor(process), time.perf_counter()
        asyncio.run(all_tables())
        seconds, spent = time.perf_counter() - begun, processor(process) - spent
        end(process)
    cuts = quantiles(hour.took, n=100)
    print(f"{asked.tables} tables, {asked.rounds} rounds each: {hour.commands[0]:,} commands")
    print(
        f"{seconds:.0f} s, {hour.commands[0] / seconds:,.0f} commands/s, {spent:.0f} s of the"
        f" server's processor; a round p50 {1000 * cuts[49]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms"
    )
    print("memory, MB:", " ".join(f"{one:.0f}" for one in held))
    grown = (held[-1] - held[1]) * 1024 / (every * (_TENTHS - 1) / _TENTHS)
    print(f"from the first tenth on {grown:.1f} KB a round")


if __name__ == "__main__":
    main()
