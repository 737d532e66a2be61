"""The database of a service is killed, and comes back: nothing is lost, and nothing done twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from croupier.records.stores import postgres_reading
from croupier.records.stores.postgres_store import PostgresStore
from croupier.verify.log import verify_lines
from support.databases import Cluster, new_cluster
from support.served import Person, problem, served
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
