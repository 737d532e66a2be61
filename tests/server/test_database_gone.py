"""The database of a service is killed, and comes back: nothing is lost, and nothing done twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from croupier.records.stores import postgres_connection, postgres_reading
from croupier.records.stores.postgres_store import PostgresStore
from croupier.verify.log import verify_lines
from support.databases import Cluster, new_cluster
from support.served import Heard, Person, listen, problem, served
from support.tables import opened
from support.volume import volume


@pytest.fixture
def database() -> Iterator[Cluster]:
    made = new_cluster()
    yield made
    made.stop()


def seat(number: int) -> dict[str, object]:
    return {"type": "SeatPatron", "seat": number, "patron": f"Pat {number}"}


def in_the_end(dealer: Person, number: int, key: str) -> httpx.Response:
    """Ask again under one key until it is answered."""
    end = monotonic() + 30
    while True:
        answer = dealer.does("MB-101", seat(number), key=key)
        if answer.status_code == 200:
            return answer
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] in {"no_store", "not_stored", "not_owner"}
        assert monotonic() < end
        sleep(0.2)


def test_a_database_that_is_killed_and_comes_back(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Half of it is waited for a connection by each request while the database is gone.
    monkeypatch.setattr(postgres_reading, "PATIENCE", volume(5, 1))
    address = database.database()
    with served(PostgresStore(address)) as one:
        dealer, _ = opened(one)
        assert dealer.does("MB-101", seat(3)).json()["seq"] == 2
        watcher = one.person("surveillance")
        database.kill()
        problem(dealer.does("MB-101", seat(4), key="k4"), 503, "no_store")
        problem(watcher.http.get("/v1/tables/MB-101/refusals"), 503, "no_store")
        # What is in memory is shown all the same, and the process is alive.
        assert dealer.sees("/v1/tables/MB-101")["seq"] == 2
        assert dealer.http.get("/healthz").status_code == 200
        database.start()
        assert in_the_end(dealer, 4, "k4").json()["seq"] == 3
        assert in_the_end(dealer, 4, "k4").headers["idempotent-replay"] == "true"
        assert in_the_end(dealer, 5, "k5").json()["seq"] == 4
        lines = [*one.service.store.lines("MB-101")]
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.entries) == (True, 4)


def test_a_database_that_is_away_is_tried_often_and_by_one_at_a_time(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts, connect = list[float](), postgres_connection.WatchedConnection.connect

    def counted(*words: Any, **more: Any) -> postgres_connection.WatchedConnection:
        attempts.append(monotonic())
        return connect(*words, **more)

    monkeypatch.setattr(postgres_connection.WatchedConnection, "connect", counted)
    with PostgresStore(database.database()) as store, ThreadPoolExecutor(8) as threads:
        monkeypatch.setattr(postgres_reading, "PATIENCE", 60)
        database.kill()
        attempts.clear()
        begun = monotonic()
        reading = [threads.submit(store.now) for _ in range(8)]
        sleep(1)
        database.start()
        started = monotonic()
        assert all(one.result() for one in reading)
        assert monotonic() - started < 1
    # Readers that wait for the database do not each ask it; four of them connect at the end.
    assert len(attempts) <= (attempts[-1] - begun) / 0.1 + 1 + 4


def test_a_database_that_is_gone_is_not_waited_for_by_table_at_the_end(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_reading, "PATIENCE", 1)
    store, kept = PostgresStore(database.database()), list[str]()
    keep = store.keep
    with served(store) as one:
        opened(one)
        database.kill()
        end = monotonic() + 20
        while one.anybody().get("/readyz").status_code == 200:
            assert monotonic() < end
            sleep(0.1)

        def watched(name: str, snapshot: bytes | None) -> None:
            kept.append(name)
            keep(name, snapshot)

        monkeypatch.setattr(store, "keep", watched)
    assert kept == []


@contextmanager
def stopped(database: Cluster) -> Iterator[None]:
    """Stop every process of a database, which keeps its connections open and answers nothing."""
    children = Path(f"/proc/{database.pid}/task/{database.pid}/children")
    os.kill(database.pid, signal.SIGSTOP)
    processes = [database.pid, *map(int, children.read_text(encoding="ascii").split())]
    for process in processes[1:]:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def moves(dealer: Person, acknowledged: list[int], longest: list[float], ends: Event) -> None:
    """Move a patron again and again, and ask again under the same key until it is done."""
    while not ends.is_set():
        seats = (3, 5) if len(acknowledged) % 2 else (5, 3)
        command = {"type": "ChangeSeat", "seat": seats[1], "to": seats[0]}
        key, status = f"m{len(acknowledged)}", 503
        while status == 503:
            begun = monotonic()
            answer = dealer.does("MB-101", command, key=key)
            longest.append(monotonic() - begun)
            status = answer.status_code
        assert status == 200, answer.text
        acknowledged.append(answer.json()["seq"])


def test_readiness_does_not_wait_as_long_as_commands_for_a_database_that_is_stopped(
    database: Cluster,
) -> None:
    with served(PostgresStore(database.database())) as one, ThreadPoolExecutor() as threads:
        dealer, _ = opened(one)
        probe = one.anybody()
        with stopped(database):
            begun = monotonic()
            asked = threads.submit(dealer.does, "MB-101", seat(3), key="k3")
            while probe.get("/readyz").status_code == 200:
                # A check begins each half second, and has two.
                assert monotonic() - begun < 5
                sleep(0.05)
            assert probe.get("/readyz").json()["store"] == "failing"
            assert not asked.done()
        # The command was held, and is done: the database went on before its time was up.
        assert asked.result().json()["seq"] == 2
        while probe.get("/readyz").status_code != 200:
            assert monotonic() - begun < 20
            sleep(0.05)


def test_a_database_that_is_stopped_and_goes_on(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = volume(11, 1)
    monkeypatch.setattr(postgres_connection, "PATIENCE", wait)
    monkeypatch.setattr(postgres_reading, "PATIENCE", volume(5, 1))
    # A connection takes at most 5 s each: to settle what is in doubt, and for what waited.
    bound = wait + 5 + 5 + 5
    acknowledged, last, longest, ends = list[int](), list[int](), [0.0], Event()
    with served(PostgresStore(database.database())) as one, ThreadPoolExecutor() as threads:
        dealer, _ = opened(one)
        assert dealer.does("MB-101", seat(3)).json()["seq"] == 2
        probe, watcher = one.anybody(), one.person("surveillance")

        def until(entries: list[Heard]) -> bool:
            return bool(last) and len(entries) >= last[0]

        following = threads.submit(listen, watcher, "/v1/tables/MB-101/events?after=0", until)
        moving = threads.submit(moves, dealer, acknowledged, longest, ends)
        try:
            for _ in range(volume(3, 2)):
                known, end = len(acknowledged), monotonic() + 60
                while len(acknowledged) < known + 20 and not moving.done():
                    assert monotonic() < end
                    sleep(0.01)
                with stopped(database):
                    end = monotonic() + bound
                    while probe.get("/readyz").status_code == 200:
                        assert monotonic() < end
                        assert probe.get("/healthz").status_code == 200
                        sleep(0.05)
                    # What is in memory is shown, and what is not is refused.
                    assert watcher.http.get("/v1/tables/MB-101").status_code == 200
                    problem(watcher.http.get("/v1/tables/MB-101/refusals"), 503, "no_store")
                    assert dealer.does("MB-101", seat(7), key="k7").status_code == 503
        finally:
            ends.set()
            moving.exception()
            last.append(in_the_end(dealer, 7, "k7").json()["seq"])
        moving.result()
        events = following.result()
        lines = [*one.service.store.lines("MB-101")]
    assert max(longest) < bound
    # Every answer is an entry of its own, in the order of the commands, and nothing else is there.
    assert [*acknowledged, *last] == [*range(3, last[0] + 1)]
    assert [int(number) for number, _, _ in events] == [*range(1, last[0] + 1)]
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.entries) == (True, last[0])
