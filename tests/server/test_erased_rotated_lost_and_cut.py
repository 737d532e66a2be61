"""A name erased, a key rotated, a store lost and restored, a last line cut: the next reader reports it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from croupier.records.names import Names, new_names
from croupier.records.stores.places import open_store
from support.command_line import croupier, told_with
from support.databases import cluster
from support.served import Served, served
from support.signed_logs import made_key, trust_file
from support.tables import make_table, open_table

NAME = "Maria Núñez"
run = partial(croupier, "store", columns=400)


@contextmanager
def service(place: str, vault: Path) -> Iterator[Served]:
    with closing(open_store(place)) as store, served(store, names=Names(vault)) as one:
        yield one


@contextmanager
def by_hand(place: str) -> Iterator[Any]:
    """Yield a function that changes a store as whoever has the machine can."""
    if place.startswith("postgresql:"):
        with psycopg.connect(place) as database:
            database.execute("alter table line disable trigger all")
            yield database.execute
        return
    with closing(sqlite3.connect(place)) as file:
        for (name,) in file.execute("select name from sqlite_master where type = 'trigger'"):
            file.execute(f'drop trigger "{name}"')
        yield file.execute
        file.commit()


def new_place(kind: str, folder: Path, name: str) -> str:
    return cluster().database() if kind == "postgres" else str(folder / f"{name}.sqlite")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_next_command_that_reads_reports_it(kind: str, tmp_path: Path) -> None:
    place, vault = new_place(kind, tmp_path, "pit"), tmp_path / "pit.names"
    new_names(vault)
    for key in ("first", "second"):
        made_key(tmp_path, key)
    trust, heads = tmp_path / "trust.toml", tmp_path / "heads"
    trust_file(trust, ("First", tmp_path / "first", ""))

    def sign(key: str) -> Any:
        return run("heads", place, "--key", tmp_path / key, "-o", heads, "--trust", trust)

    def check(at: str = "") -> Any:
        return run("check", at or place, "--heads", heads, "--trust", trust)

    with service(place, vault) as one:
        make_table(one, table="T")
        dealer, _ = open_table(one, "T")
        seat = {"type": "SeatPatron", "seat": 3, "patron": NAME}
        assert NAME in dealer.does("T", seat).text
    assert sign("first").exit_code == 0
    assert check().exit_code == 0

    # A name is erased: the service shows so, and the record is as it was.
    told_with(0, "names", "erase", vault, NAME, "--by", "Ann", "--reason", "asked")
    with service(place, vault) as one:
        text = one.person("floorperson", "Flo").http.get("/v1/tables/T").text
        assert "erased " in text
        assert NAME not in text
        later = one.person("dealer", "Dana").does(
            "T", {"type": "BuyChips", "seat": 3, "cents": 50_000}
        )
        assert later.status_code == 200, later.text
    assert "by Ann: asked" in told_with(0, "names", "list", vault).stdout
    assert check().exit_code == 0

    # A key is rotated: what the old one signs now does not count, and what it signed does.
    copy = tmp_path / "copy.sqlite"
    assert run("backup", place, copy).exit_code == 0
    ended = "valid_until = 2026-01-01T00:00:00Z"
    trust_file(trust, ("First", tmp_path / "first", ended), ("Second", tmp_path / "second", ""))
    refused = sign("first")
    assert (refused.exit_code, "First: it cannot sign: " in refused.output) == (2, True)
    ended_key = check()
    assert (ended_key.exit_code, "the key was valid until 2026-01-01" in ended_key.output) == (
        1,
        True,
    )
    trust_file(trust, ("First", tmp_path / "first", ""), ("Second", tmp_path / "second", ""))
    with service(place, vault) as one:
        one.person("dealer", "Dana").does("T", {"type": "BuyChips", "seat": 3, "cents": 50_000})
    assert sign("second").exit_code == 0
    assert "by Second at" in check().output

    # The store is lost, and an older copy takes its place.
    lost, place = place, new_place(kind, tmp_path, "restored")
    found = run("restore", copy, place, "--heads", heads, "--trust", trust)
    assert "T: the record has" in found.output
    again = check()
    assert (again.exit_code, "T: the record has" in again.output) == (1, True)
    assert check(lost).exit_code == 0

    # The last line is cut.
    with by_hand(lost) as change:
        stream = "(select id from stream where name = 'T')"
        last = f"(select max(number) from line where stream = {stream})"  # noqa: S608
        change(f"delete from line where stream = {stream} and number = {last}")  # noqa: S608
    cut = check(lost)
    assert (cut.exit_code, "T: the record has" in cut.output) == (1, True)
