"""The store is removed, replaced, or truncated under a living service: nothing is acknowledged."""

from __future__ import annotations

import os
import secrets
import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import httpx
import psycopg
import pytest

from croupier.records.stores.backup import back_up
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, LostError
from croupier.records.stores.stream import StoreError
from support.databases import cluster
from support.served import Person, Served, problem, served
from support.tables import opened

KEPT = "kept.sqlite"


def note(text: str) -> dict[str, object]:
    return {"type": "WriteNote", "text": text}


def removed(store: Path) -> None:
    for end in ("", "-wal", "-shm"):
        Path(f"{store}{end}").unlink()


def moved(store: Path) -> None:
    store.rename(store.with_name("elsewhere.sqlite"))


def replaced(store: Path) -> None:
    store.with_name(KEPT).replace(store)


def overwritten(store: Path) -> None:
    shutil.copyfile(store.with_name(KEPT), store)


def truncated(store: Path) -> None:
    os.truncate(store, 0)


def shortened(store: Path) -> None:
    os.truncate(store, store.stat().st_size - 4096)


def without_log(store: Path) -> None:
    Path(f"{store}-wal").unlink()


def log_truncated(store: Path) -> None:
    os.truncate(f"{store}-wal", 0)


def log_hollowed(store: Path) -> None:
    # As SQLite leaves it that writes on behind what was truncated: as long as before.
    log = Path(f"{store}-wal")
    size = log.stat().st_size
    os.truncate(log, 0)
    os.truncate(log, size)


def without_index(store: Path) -> None:
    Path(f"{store}-shm").unlink()


def without_lock(store: Path) -> None:
    Path(f"{store}.lock").unlink()


LOSSES = [removed, moved, replaced, overwritten, truncated, shortened, without_log, log_truncated,
          log_hollowed, without_index, without_lock]  # fmt: skip


def until_unready(one: Served, store: str, seconds: float = 5) -> float:
    """Wait until the service says that it is not ready; return how long that took."""
    begin = monotonic()
    with httpx.Client(base_url=one.place) as http:
        while (answer := http.get("/readyz")).status_code == 200:
            assert monotonic() - begin < seconds, "it stays ready"
            sleep(0.02)
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "tables": 1, "store": store}
    return monotonic() - begin


@pytest.mark.parametrize("loss", LOSSES)
def test_nothing_is_acknowledged_after_the_store_is_lost(
    tmp_path: Path, loss: Callable[[Path], None]
) -> None:
    store = tmp_path / "pit.sqlite"
    with served(store) as one:
        dealer, _ = opened(one)
        floor_grant = one.person("licensee", "Lee")
        back_up(str(store), store.with_name(KEPT))
        assert dealer.does("MB-101", note("before"), key="before").status_code == 200
        after: list[int] = []
        acknowledged: list[str] = []
        lost, ends = threading.Event(), threading.Event()

        def send() -> None:
            sender = Person(one.place, dealer.token)
            while not ends.is_set():
                is_after, text = lost.is_set(), secrets.token_hex(8)
                answer = sender.does("MB-101", note(text))
                if answer.status_code == 200:
                    acknowledged.append(text)
                if is_after:
                    after.append(answer.status_code)
            sender.http.close()

        senders = [threading.Thread(target=send) for _ in range(3)]
        for sender in senders:
            sender.start()
        end = monotonic() + 10
        while not acknowledged:
            assert monotonic() < end
            sleep(0.02)
        loss(store)
        lost.set()
        assert until_unready(one, "lost") < 2
        sleep(0.1)
        ends.set()
        for sender in senders:
            sender.join()
        assert after
        assert {*after} == {503}
        # What was acknowledged before is not acknowledged again either, and no grant is made.
        problem(dealer.does("MB-101", note("before"), key="before"), 503, "no_store")
        made = floor_grant.http.post("/v1/grants", json={"person": "Al", "office": "floorperson"})
        problem(made, 503, "no_store")
        assert dealer.http.get("/healthz").status_code == 200
    assert acknowledged
    if loss in {moved, without_index, without_lock}:
        # The entries have their names again: every one that was acknowledged is there.
        if loss is moved:
            store.with_name("elsewhere.sqlite").rename(store)
        with SQLiteStore(store) as kept:
            lines = b"".join(kept.lines("MB-101"))
        assert [one for one in acknowledged if one.encode() not in lines] == []


@pytest.mark.parametrize("loss", LOSSES)
def test_a_store_writes_nothing_into_files_that_lost_their_names(
    tmp_path: Path, loss: Callable[[Path], None]
) -> None:
    path = tmp_path / "pit.sqlite"
    with SQLiteStore(path) as store:
        store.create("T").append(0, [b"header"])
        back_up(str(path), path.with_name(KEPT))
        store.commit([Append("T", 1, [b"entry"])])
        store.check()
        loss(path)
        with pytest.raises(LostError):
            store.commit([Append("T", 2, [b"lost"])])
        for act in (store.check, lambda: store.create("U")):
            with pytest.raises(LostError):
                act()
        with pytest.raises(StoreError):
            store.put("grant", "a", b"")
        assert store.count("T") == 2


def test_an_idle_service_notices_within_a_second(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    with served(store) as one:
        opened(one)
        removed(store)
        # A second, and what a busy machine takes.
        assert until_unready(one, "lost") < 2


@pytest.mark.parametrize(
    "query",
    [
        "drop table line cascade",
        "drop schema public cascade; create schema public",
        "alter table line rename to line_before; create table line (like line_before including all)",
    ],
)
def test_a_database_without_its_tables_acknowledges_nothing(query: str) -> None:
    address = cluster().database()
    with served(PostgresStore(address)) as one:
        dealer, _ = opened(one)
        assert dealer.does("MB-101", note("before"), key="before").status_code == 200
        with closing(psycopg.connect(address, autocommit=True)) as other:
            for each in query.split("; "):
                other.execute(each.encode())
        assert until_unready(one, "lost") < 3
        problem(dealer.does("MB-101", note("after")), 503, "no_store")
        problem(dealer.does("MB-101", note("before"), key="before"), 503, "no_store")


def test_a_store_that_cannot_be_written_is_not_ready_until_it_can_be(
    tmp_path: Path,
) -> None:
    with served(tmp_path / "pit.sqlite") as one:
        dealer, _ = opened(one)
        store = one.service.store
        assert isinstance(store, SQLiteStore)
        # So many pages and no more, as on a full disk.
        (pages,) = store.connection.execute("pragma page_count").fetchone()
        store.connection.execute(f"pragma max_page_count = {pages}")
        number = 0
        while (answer := dealer.does("MB-101", note(f"{number:500}"))).status_code == 200:
            number += 1
            assert number < 500
        problem(answer, 507, "disk_full")
        until_unready(one, "failing")
        store.connection.execute("pragma max_page_count = 1000000")
        end = monotonic() + 10
        while dealer.http.get("/readyz").status_code != 200:
            assert monotonic() < end
            sleep(0.05)
        assert dealer.does("MB-101", note("after")).status_code == 200
