"""Stores that were laid out by older programs: copied, restored, checked, and gone on with."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pytest

from croupier.records.stores.places import open_store
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, Learned
from support.command_line import croupier
from support.databases import cluster

run = partial(croupier, "store")
DATA = Path(__file__).parents[1] / "data"
LAYOUTS = ("sqlite-1", "sqlite-2", "sqlite-3", "postgres-1")
"""Each as the program of its time laid it out, in the words of that program."""
INTO = ("sqlite", "postgres")
KNOWN = Learned("1", "Pat", "law", "clause", 2, "2026-11-22")


def lines() -> list[bytes]:
    log = gzip.decompress((DATA / "logs/ny-mini.format-2.jsonl.gz").read_bytes())
    return log.splitlines(keepends=True)


def older(layout: str, folder: Path) -> str:
    """Return the place of a store of that layout, with one record."""
    schema = (DATA / f"stores/{layout}.sql").read_text()
    if layout.startswith("postgres"):
        place = cluster().database()
        with psycopg.connect(place) as database, database.cursor() as cursor:
            cursor.execute(schema.encode())
            cursor.execute("insert into stream (name) values ('T') returning id")
            cursor.execute("insert into lease (stream) select id from stream")
            cursor.executemany(
                "insert into line (stream, number, content, epoch) select id, %s, %s, 0 from stream",
                [*enumerate(lines())],
            )
        return place
    place = str(folder / "older.sqlite")
    with closing(sqlite3.connect(place)) as file:
        file.executescript(schema)
        file.execute("insert into stream (name) values ('T')")
        query = "insert into line (stream, number, content) values (1, ?, ?)"
        if layout == "sqlite-3":
            query = "insert into line (stream, number, content, epoch) values (1, ?, ?, 0)"
        file.executemany(query, [*enumerate(lines())])
        file.commit()
    return place


@pytest.fixture(params=LAYOUTS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return older(request.param, tmp_path)


def test_an_older_store_is_checked_and_left_as_it_is(place: str) -> None:
    told = run("check", place)
    assert told.exit_code == 0, told.output
    assert told.output.startswith("T: 757 entries, 66 rounds, verified")
    if place.startswith("postgres"):
        with psycopg.connect(place) as database:
            assert database.execute("select version from layout").fetchone() == (1,)
            assert database.execute("select to_regclass('learned')").fetchone() == (None,)


@pytest.mark.parametrize("into", INTO)
def test_a_copy_of_an_older_store_is_restored_and_gone_on_with(
    place: str, tmp_path: Path, into: str
) -> None:
    copy = tmp_path / "copy.sqlite"
    target = cluster().database() if into == "postgres" else str(tmp_path / "new.sqlite")
    made = run("backup", place, copy)
    assert made.exit_code == 0, made.output
    # A long path breaks the line.
    assert " ".join(made.output.split()).endswith(f"has {len(lines()) - 1:,} entries")
    back = run("restore", copy, target)
    assert back.exit_code == 0, back.output
    assert run("check", target).exit_code == 0
    with closing(open_store(target)) as store:
        assert [*store.lines("T")] == lines()
        epoch = store.take("T", "me", "", 10, free=True)
        assert store.commit([Append("T", len(lines()), [b"more"], epoch)]) == {}
        store.learn([KNOWN])
        assert store.learned("1") == (KNOWN,)


def test_an_older_file_itself_is_restored(tmp_path: Path) -> None:
    """What an older program wrote as its copy is one too."""
    for layout in LAYOUTS[:-1]:
        folder = tmp_path / layout
        folder.mkdir()
        copy, target = older(layout, folder), cluster().database()
        assert run("restore", copy, target).exit_code == 0
        with closing(PostgresStore(target)) as store:
            assert [*store.lines("T")] == lines()


def test_an_older_store_has_the_layout_of_a_new_one_once_it_is_opened(
    place: str, tmp_path: Path
) -> None:
    new = tmp_path / "new.sqlite"
    if place.startswith("postgres"):
        other = cluster().database()
        for one in (place, other):
            PostgresStore(one).close()
        assert columns_of(place) == columns_of(other)
        return
    SQLiteStore(new).close()
    SQLiteStore(Path(place)).close()
    found = []
    for path in (new, Path(place)):
        with closing(sqlite3.connect(path)) as file:
            found.append(sorted(file.execute("select type, name, sql from sqlite_master")))
    assert found[0] == found[1]


def columns_of(place: str) -> list[tuple[object, ...]]:
    with psycopg.connect(place) as database:
        return database.execute(
            "select table_name, column_name, data_type, is_nullable from"
            " information_schema.columns where table_schema = 'public' order by 1, 2"
        ).fetchall()


def test_an_empty_database_is_no_store_and_stays_empty(tmp_path: Path) -> None:
    place = cluster().database()
    for words in (("check", place), ("backup", place, tmp_path / "copy.sqlite")):
        told = run(*words)
        assert (told.exit_code, "there is no store in this database" in told.output) == (2, True)
    with psycopg.connect(place) as database:
        assert database.execute("select to_regclass('layout')").fetchone() == (None,)
