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
from croupier.verify.verdict import LogDivergence
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
    wrong: dict[bytes, LogDivergence]

    def __init__(self, path: Path, header: bytes) -> None:
        assert header.decode() == f"{path.name} 0"
        self.through = 0
        self.divergence: LogDivergence | None = None

    def follow(self, lines: Sequence[bytes]) -> LogDivergence | None:
        self.judged.extend(lines)
        for line in lines:
            self.divergence = self.divergence or self.wrong.get(line)
        return self.divergence


def test_what_is_verified_at_once_ends_with_the_gaming_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched_days(monkeypatch, {})
    # Of both days in one turn, without waiting for another entry.
    assert [line.decode() for line in Verdict.judged] == [
        *(f"first {at}" for at in range(1, 51)),
        *(f"second {at}" for at in range(1, 31)),
    ]


def test_a_later_day_is_verified_after_a_record_that_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alarm, "_AT_ONCE", 20)
    first, second = (LogDivergence(at, 0, "event", (), "") for at in (31, 21))
    wrong = {b"first 30": first, b"second 20": second}
    watching, paused = watched_days(monkeypatch, wrong)
    # The batches end with entries 19, 39, 50, and 70, which is line 20 of the second day.
    assert [line.decode() for line in Verdict.judged] == [
        *(f"first {at}" for at in range(1, 40)),
        *(f"second {at}" for at in range(1, 21)),
    ]
    assert [reason.partition(" is ")[0] for reason in paused] == ["entry 30", "entry 70"]
    assert (watching.divergence, watching.entry, watching.lag) == (second, 70, 0)


def watched_days(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[bytes, LogDivergence]
) -> tuple[Alarm, list[str]]:
    """Return what watched both days, and why it paused the table."""
    monkeypatch.setattr(Verdict, "judged", [], raising=False)
    monkeypatch.setattr(Verdict, "wrong", wrong, raising=False)
    monkeypatch.setattr(alarm, "RunningVerdict", Verdict)
    paused: list[str] = []
    durable, days = SimpleNamespace(sequence=LAST), SimpleNamespace(all=DAYS[:1])
    desk: Any = SimpleNamespace(
        days=days, durable=durable, listeners=[], name="MB-101", lost="",
        pause=lambda reason, _: paused.append(reason),
    )  # fmt: skip
    store: Any = Store()
    watching = Alarm(desk, store)
    days.all = DAYS

    async def watch() -> None:
        task = asyncio.create_task(watching.watch(0.001, asyncio.Lock()))
        await asyncio.sleep(0.2)
        task.cancel()

    asyncio.run(watch())
    return watching, paused


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
            # A refused line leaves this until the leases are looked at again.
            house.service.desks["MB-101"].lost = "MB-101: another process serves this table now"
            told = problem(floor.does("MB-101", note), 503, "not_owner")
            assert "cannot be followed" in told["detail"]
            assert "owner" not in told
            epochs.add(house.service.store.lease("MB-101"))
            sleep(0.05)
        assert len({lease.epoch for lease in epochs if lease}) == 1
