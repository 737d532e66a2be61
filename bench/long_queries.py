"""What commands wait for while long queries run.

    .venv/bin/python bench/long_queries.py [--tables 16] [--commands 200] [--rounds 400]

Some tables take wagers, one after the other from each dealer, while nothing else runs; and again
while ten people, one of each name, verify a table of so many rounds over and over. Both are done
three times in turn, and the ratio of the 99th percentiles is printed, with how many verifications
were answered, and how many were refused because the queue was full.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles

from croupier.records.grants import Grant, grant_command
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.pilot import Dealt
from croupier.server.grants import HOURS_12
from croupier.server.run import Address, serve
from croupier.server.service import Service
from croupier.table.cards.chance import Chance
from serve import FREELY, Load, clients, end, prepared, run_server
from yardstick import print_yardstick

VERIFIERS = 10


def _serve(path: Path, tables: int, rounds: int, told: Connection) -> None:
    async def run() -> None:
        tokens: list[str] = []

        async def begin(service: Service, place: str) -> None:
            del place
            tokens.extend(await prepared(service, tables + 1))
            desk = service.tables[f"T{tables}"].desk
            pilot = Autopilot(Dealt(desk), Chance(tables), patrons=2)
            pilot.take_over()
            while desk.ahead.state.rounds < rounds:
                pilot.step()
                await desk.settled()
            now = service.now()
            for number in range(VERIFIERS):
                grant = Grant(f"v{number}", f"v{number}", "surveillance", "1", until=now + HOURS_12)
                await service.note(grant.pit, grant_command(grant, now), ())
                await service.grants.make(grant, now)
                tokens.append((await service.grants.token(grant, now))[0])
            print(f"a table of {desk.durable.sequence:,} entries is verified")

        def started(_: object, place: str) -> None:
            told.send((place, tokens))

        await serve(Service(path), Address(port=0), limits=FREELY, begin=begin, started=started)

    asyncio.run(run())


async def verified(place: str, table: int, token: str, answers: Counter[int]) -> None:
    """Verify a table over and over; a refusal is followed by a rest."""
    host = place.removeprefix("http://")
    while True:
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(
            f"GET /v1/tables/T{table}/verify HTTP/1.1\r\nhost: {host}\r\n"
            f"authorization: Bearer {token}\r\nconnection: close\r\n\r\n".encode()
        )
        try:
            status = int((await reader.read())[9:12])
        finally:
            writer.close()
        answers[status] += 1
        await asyncio.sleep(0.5 if status == 503 else 0)


async def measured(place: str, tokens: list[str], load: Load, verifiers: int) -> list[float]:
    """Send commands to every table; return the time of each, in milliseconds."""
    answers: Counter[int] = Counter()
    dealers, others = tokens[:-VERIFIERS], tokens[-VERIFIERS:]
    table = len(dealers) - 1
    tasks = [
        asyncio.create_task(verified(place, table, one, answers)) for one in others[:verifiers]
    ]
    await asyncio.sleep(2 if tasks else 0)
    took, _ = await clients(place, dealers[:-1], load)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    cuts = quantiles(took, n=100)
    print(
        f"{verifiers:2} verify: p50 {1000 * cuts[49]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms,"
        f" at most {1000 * max(took):.1f} ms; {answers[200]} verified, {answers[503]} refused"
    )
    return [1000 * one for one in cuts]


def load_of(asked: argparse.Namespace, run: str, verifiers: int) -> Load:
    """Return what tables are sent in one half of a run, under keys of its own."""
    return Load(asked.commands, 1, minimal=False, keys=f"{run}-{verifiers}-")


def main() -> None:
    """Print the figures of three runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--commands", type=int, default=200, help="requests for each table")
    parser.add_argument("--rounds", type=int, default=400, help="of the table that is verified")
    asked = parser.parse_args()
    print_yardstick()
    ratios = []
    with tempfile.TemporaryDirectory() as scratch:
        process, place, tokens = run_server(
            _serve, Path(scratch) / "pit.sqlite", asked.tables, asked.rounds
        )
        for run in "abc":
            alone, beside = (
                asyncio.run(measured(place, tokens, load_of(asked, run, number), number))
                for number in (0, VERIFIERS)
            )
            ratios.append(beside[98] / alone[98])
        end(process)
    print(f"ratio of p99: {', '.join(f'{one:.2f}' for one in ratios)}; median {median(ratios):.2f}")


if __name__ == "__main__":
    main()
