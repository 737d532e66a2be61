"""``croupier store``: copies of a store in use, and what becomes of them."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from croupier.records.stores.places import open_store
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from support.command_line import croupier
from support.databases import cluster
from support.served import Person, problem, served
from support.tables import opened

run = partial(croupier, "store")


def place_of(kind: str, folder: Path) -> str:
    return cluster().database() if kind == "postgres" else str(folder / "pit.sqlite")


def seat(number: int) -> dict[str, object]:
    return {"type": "SeatPatron", "seat": number, "patron": f"Pat {number}"}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("into", ["sqlite", "postgres"])
def test_a_copy_of_a_service_at_work_is_gone_on_with(tmp_path: Path, kind: str, into: str) -> None:
    place, copy = place_of(kind, tmp_path), tmp_path / "copy.sqlite"
    with served(open_store(place)) as one:
        dealer, _ = opened(one)
        one.record_grants()
        ends = threading.Event()

        def deal() -> None:
            while not ends.is_set():
                dealer.does("MB-101", seat(3))
                dealer.does("MB-101", {"type": "LeaveTable", "seat": 3})

        thread = threading.Thread(target=deal)
        thread.start()
        try:
            made = run("backup", place, copy)
            checked = run("check", place)
        finally:
            ends.set()
            thread.join()
        answered = dealer.does("MB-101", seat(7), key="after")
        assert answered.status_code == 200, answered.text
        token = dealer.token
    assert (made.exit_code, checked.exit_code) == (0, 0), made.output + checked.output
    assert "verified" in checked.output
    target = (
        place_of(into, tmp_path / "new") if into == "postgres" else str(tmp_path / "new.sqlite")
    )
    back = run("restore", copy, target)
    assert back.exit_code == 0, back.output
    assert run("check", target).exit_code == 0
    # The table goes on where the copy was made, under new grants.
    with served(open_store(target)) as one:
        former = Person(one.place, token)
        problem(former.http.get("/v1/tables/MB-101"), 401, "no_token")
        former.http.close()
        dealer = one.person("dealer", "Dana")
        before = dealer.sees("/v1/tables/MB-101")["seq"]
        assert before >= 1
        assert dealer.does("MB-101", seat(7), key="after").json()["seq"] == before + 1
    with open_store(place) as first, open_store(target) as second:
        lines = [*first.lines("MB-101")]
        assert [*second.lines("MB-101")][: before + 1] == lines[: before + 1]


def test_nothing_is_replaced(tmp_path: Path) -> None:
    place, copy = tmp_path / "pit.sqlite", tmp_path / "copy.sqlite"
    with SQLiteStore(place) as store:
        store.create("T").append(0, [b"header"])
    assert run("backup", place, copy).exit_code == 0
    again = run("backup", place, copy)
    assert (again.exit_code, "is not replaced" in again.output) == (2, True)
    over = run("restore", copy, place)
    assert (over.exit_code, "is not replaced" in over.output) == (2, True)
    address = cluster().database()
    with PostgresStore(address) as database:
        database.create("T")
    full = run("restore", copy, address)
    assert (full.exit_code, "it has records" in full.output) == (2, True)
    assert sorted(one.name for one in tmp_path.iterdir() if "draft" in one.name) == []


def test_a_document_does_not_have_the_password_of_its_database(tmp_path: Path) -> None:
    address = cluster().database()
    with PostgresStore(address) as database:
        database.create("T")
    secret = address.replace("postgres@", "postgres:hush@")
    assert secret != address
    for words in (["check", secret], ["backup", secret, str(tmp_path / "copy.sqlite")]):
        result = croupier("store", *words, "--format", "json")
        assert f"croupier store {words[0]} DATABASE" in result.stdout
        assert "hush" not in result.stdout + result.stderr


def test_a_copy_that_is_damaged_or_none_is_refused(tmp_path: Path) -> None:
    bad, new = tmp_path / "bad.sqlite", tmp_path / "new.sqlite"
    bad.write_bytes(b"no database at all" * 100)
    told = run("restore", bad, new)
    assert (told.exit_code, new.exists()) == (2, False), told.output
    missing = run("backup", tmp_path / "none.sqlite", new)
    assert (missing.exit_code, "there is no store" in missing.output) == (2, True)


def test_a_record_that_was_changed_is_found(tmp_path: Path) -> None:
    place = tmp_path / "pit.sqlite"
    with served(place) as one:
        dealer, _ = opened(one)
        dealer.does("MB-101", seat(3))
    with closing(sqlite3.connect(place)) as forger, forger:
        forger.execute("drop trigger line_stands")
        forger.execute(
            "update line set content = cast(replace(content, 'Pat 3', 'Pit 3') as blob)"
            " where number = 2"
        )
    told = run("check", place)
    assert told.exit_code == 1, told.output
    assert "MB-101: line 3: " in told.output
