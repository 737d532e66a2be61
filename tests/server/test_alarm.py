"""The record of each gaming day is verified by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from croupier.records.stores.postgres_store import PostgresStore
from croupier.server.desks import alarm
from croupier.server.desks.alarm import Alarm
from support.databases import cluster
from support.served import problem, served
from support.tables import opened

DAYS = [SimpleNamespace(record="first", before=0), SimpleNamespace(record="second", before=50)]
LAST = 80
"""Entries 1 to 50 are of the first day, 51 to 80 of the second."""


class Store:
    """The lines of both records: a header, then an entry on each line."""

    def lines(self, record: str, first: int, last: int) -> list[bytes]:
        length = {"first": 50, "second": 30}[record]
        return [f"{record} {at}".encode() for at in range(first, min(last, length) + 1)]


class Verdict:
    """Notes which lines of a record are verified."""

    judged: list[bytes]

    def __init__(self, path: Path, header: bytes) -> None:
        assert header.decode() == f"{path.name} 0"
        self.through = 0

    def follow(self, lines: Sequence[bytes]) -> None:
        self.judged.extend(lines)


def test_what_is_verified_at_once_ends_with_the_gaming_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Verdict, "judged", [], raising=False)
    monkeypatch.setattr(alarm, "RunningVerdict", Verdict)
    durable, days = SimpleNamespace(sequence=LAST), SimpleNamespace(all=DAYS[:1])
    desk: Any = SimpleNamespace(days=days, durable=durable, listeners=[], name="MB-101")
    store: Any = Store()
    watching = Alarm(desk, store)
    days.all = DAYS

    async def watch() -> None:
        task = asyncio.create_task(watching.watch(0.001, asyncio.Lock()))
        await asyncio.sleep(0.2)
        task.cancel()

    asyncio.run(watch())
    # Of both days in one turn, without waiting for another entry.
    assert [line.decode() for line in Verdict.judged] == [
        *(f"first {at}" for at in range(1, 51)),
        *(f"second {at}" for at in range(1, 31)),
    ]


def test_a_record_that_cannot_be_followed_is_an_alarm_and_not_said_to_have_another_owner() -> None:
    address = cluster().database()
    with served(PostgresStore(address)) as house:
        _, floor = opened(house)
        with psycopg.connect(address, autocommit=True) as other:
            other.execute(
                "insert into line select id, 2, 1, '{}' from stream where name = 'MB-101'"
            )
        note = {"type": "WriteNote", "text": "the drop box is full"}
        problem(floor.does("MB-101", note), 503, "not_owner")
        end, epochs = monotonic() + 15, set()
        while "croupier_alarms 1.0" not in house.anybody().get("/metrics").text:
            assert monotonic() < end
            sleep(0.05)
        for _ in range(3):
            told = problem(floor.does("MB-101", note), 503, "not_owner")
            assert "cannot be followed" in told["detail"]
            assert "owner" not in told
            epochs.add(house.service.store.lease("MB-101"))
            sleep(0.05)
        assert len({lease.epoch for lease in epochs if lease}) == 1
