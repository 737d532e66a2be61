"""The disk of a service fills up, and has room again: nothing is lost, and nothing done twice."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

import httpx
import psycopg
import pytest

from croupier.records.stores import postgres_reading
from croupier.records.stores.postgres_store import PostgresStore
from croupier.verify.log import verify_lines
from support.databases import Cluster, new_cluster
from support.served import Person, Served, problem, served
from support.tables import opened

SMALL, LARGE = "600k", "16m"
SAYS_NOTHING = {(503, "no_store"), (503, "not_owner")}
"""Refusals that do not say whether anything was done."""


def mount(folder: Path, size: str, *more: str) -> None:
    program = shutil.which("mount") or ""
    options = ",".join([*more, f"size={size}"])
    command = [program, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Make a folder a small file system of its own."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    folder.mkdir()
    try:
        mount(folder, size)
    except subprocess.CalledProcessError:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run([shutil.which("umount") or "", "-l", str(folder)], check=True)  # noqa: S603


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", SMALL) as folder:
        yield folder


@pytest.fixture
def database() -> Iterator[Cluster]:
    made = new_cluster()
    yield made
    made.stop()


def acts(number: int) -> dict[str, object]:
    """Seat a patron, and have them leave."""
    if number % 2:
        return {"type": "LeaveTable", "seat": 3}
    return {"type": "SeatPatron", "seat": 3, "patron": "Pat"}


def test_a_full_disk_is_told_and_gone_on_from(disk: Path) -> None:
    with served(disk / "pit.sqlite") as one:
        dealer, _ = opened(one)
        for number in range(2_000):
            answer = dealer.does("MB-101", acts(number), key=f"k{number}")
            if answer.status_code != 200:
                break
            assert answer.json()["seq"] == number + 2
        problem(answer, 507, "disk_full")
        # Nothing of it was done, and everything that was told is shown.
        assert dealer.sees("/v1/tables/MB-101")["seq"] == number + 1
        problem(dealer.does("MB-101", acts(number), key=f"k{number}"), 507, "disk_full")
        mount(disk, LARGE, "remount")
        for more in (number, number + 1):
            assert dealer.does("MB-101", acts(more), key=f"k{more}").json()["seq"] == more + 2
        again = dealer.does("MB-101", acts(number), key=f"k{number}")
        assert again.headers["idempotent-replay"] == "true"
        lines = [*one.service.store.lines("MB-101")]
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.entries) == (True, number + 3)


def note(number: int) -> dict[str, object]:
    return {"type": "WriteNote", "text": f"{number:500}"}


def until_refused(dealer: Person) -> tuple[int, httpx.Response]:
    """Write notes until one is refused; return how many were stored, and the refusal."""
    for number in range(20_000):
        answer = dealer.does("MB-101", note(number), key=f"k{number}")
        if answer.status_code != 200:
            return number, answer
        assert answer.json()["seq"] == number + 2
    raise AssertionError(number)


def until_ready(house: Served, *, ready: bool) -> None:
    end = monotonic() + 20
    while (answer := house.anybody().get("/readyz")).json()["ready"] is not ready:
        assert monotonic() < end, answer.text
        sleep(0.1)
    text = house.anybody().get("/metrics").text
    assert f"croupier_ready {float(ready)}\n" in text


def goes_on(house: Served, dealer: Person, stored: int) -> None:
    """Check that the refused note and the next are stored once, and that the record verifies."""
    end = monotonic() + 30
    for number in (stored, stored + 1):
        while (answer := dealer.does("MB-101", note(number), key=f"k{number}")).status_code != 200:
            assert monotonic() < end, answer.text
            sleep(0.1)
        assert answer.json()["seq"] == number + 2
    again = dealer.does("MB-101", note(stored), key=f"k{stored}")
    assert again.headers["idempotent-replay"] == "true"
    until_ready(house, ready=True)
    verdict = verify_lines(Path("log"), [*house.service.store.lines("MB-101")])
    assert (verdict.is_clean, verdict.entries) == (True, stored + 3)


def test_a_database_whose_disk_is_full_says_so_and_goes_on(database: Cluster) -> None:
    with mounted(database.folder / "small", "12m") as small:
        address = database.database(on=small)
        with served(PostgresStore(address)) as house:
            dealer, _ = opened(house)
            (small / "ballast").write_bytes(bytes(shutil.disk_usage(small).free - 200_000))
            stored, answer = until_refused(dealer)
            problem(answer, 507, "disk_full")
            until_ready(house, ready=False)
            # It stays so, although what is small finds room in pages that are there.
            for _ in range(10):
                problem(dealer.does("MB-101", note(stored), key=f"k{stored}"), 507, "disk_full")
                assert house.anybody().get("/readyz").json()["store"] == "failing"
                sleep(0.1)
            assert dealer.sees("/v1/tables/MB-101")["seq"] == stored + 1
            mount(small, "64m", "remount")
            goes_on(house, dealer, stored)


def test_a_database_without_room_for_its_own_log_is_gone_until_it_is_started(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL ends if it cannot write its log, and is started once there is room."""
    monkeypatch.setattr(postgres_reading, "PATIENCE", 1)
    address, log = database.database(), database.folder / "c" / "pg_wal"
    database.kill()
    with mounted(database.folder / "small", "64m") as small:
        shutil.chown(small, "postgres", "postgres")
        database.run("/bin/mv", log, small)
        database.run("/bin/ln", "-s", small / "pg_wal", log)
        database.start()
        with served(PostgresStore(address)) as house:
            dealer, _ = opened(house)
            # Most of its second file of 16 MB is used, and there is no room for a third.
            with closing(psycopg.connect(address, autocommit=True)) as connection:
                connection.execute("select pg_switch_wal()")
                connection.execute(
                    "select pg_logical_emit_message(true, '', repeat('x', 15000000))"
                )
            (small / "ballast").write_bytes(bytes(shutil.disk_usage(small).free - (1 << 20)))
            stored, answer = until_refused(dealer)
            # It may have committed before it ended: "nothing was done" would be a guess.
            problem(answer, 503, "not_owner")
            until_ready(house, ready=False)
            for _ in range(3):
                answer = dealer.does("MB-101", note(stored), key=f"k{stored}")
                assert (answer.status_code, answer.json()["code"]) in SAYS_NOTHING, answer.text
            # Without room it does not start either.
            end = monotonic() + 20
            while (database.folder / "c" / "postmaster.pid").exists():
                assert monotonic() < end
                sleep(0.1)
            mount(small, "200m", "remount")
            database.start()
            goes_on(house, dealer, stored)
