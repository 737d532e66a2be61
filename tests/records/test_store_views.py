"""SQL views in a store: the rows of an export, on both kinds of store, and no way to the record."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from croupier.files.write import locked
from croupier.records.export.tables import FORMAT, TABLES
from croupier.records.export.views import SCHEMA
from croupier.records.stores.sqlite_store import SQLiteStore
from support.command_line import told_with
from support.databases import cluster
from support.forged_logs import event_of, forged, has, read, where
from support.project import ROOT
from support.served import served
from support.tables import a_day, make_table

ROYAL: Final = ROOT / "submissions" / "ma-royal-9.toml"
HOUSE: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
Rows = list[tuple[str, ...]]


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with two tables, with dealer errors, meters, and corrections."""
    store = tmp_path_factory.mktemp("dealt") / "pit.sqlite"
    for name, submission in (("A", HOUSE), ("B", ROYAL)):
        told_with(0, "deal", submission, "--seed", 4, "--patrons", 4, "--dealer-errors", 12,
                  "-o", store, "--table", name, "--quiet")  # fmt: skip
    return store


class Views:
    """A store with views, of either kind."""

    def __init__(self, store: Path, place: str) -> None:
        self.store = store
        self.place = place
        self.is_file = place == str(store)

    def connect(self) -> Any:
        if self.is_file:
            return closing(sqlite3.connect(f"file:{self.place}.views?mode=ro", uri=True))
        return closing(
            psycopg.connect(self.place, options=f"-c search_path={SCHEMA} -c timezone=UTC")
        )

    def rows(self, table: str) -> Rows:
        columns = TABLES[table]
        with self.connect() as connection:
            found = connection.execute(f"select * from {table}").fetchall()  # noqa: S608
        return sorted(
            tuple(_text(value, one.unit) for value, one in zip(row, columns, strict=True))
            for row in found
        )

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with self.connect() as connection:
            return [tuple(row) for row in connection.execute(query).fetchall()]

    def write(self, statement: str) -> None:
        """Change what the views read, as whoever keeps the store can."""
        place = f"{self.place}.views" if self.is_file else self.place
        with closing((sqlite3 if self.is_file else psycopg).connect(place)) as connection:
            connection.execute(
                statement if self.is_file else f"set search_path={SCHEMA};{statement}"
            )
            connection.commit()


def _text(value: Any, unit: str) -> str:
    if value is None:
        return ""
    if unit == "flag":
        return "true" if value else "false"
    if unit == "time" and not isinstance(value, str):
        return f"{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03}Z"
    return str(value)


@pytest.fixture(params=["file", "database"])
def views(request: pytest.FixtureRequest, dealt: Path, tmp_path: Path) -> Views:
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    if request.param == "file":
        return Views(store, str(store))
    place = cluster().database()
    told_with(0, "store", "restore", store, place)
    return Views(store, place)


@pytest.mark.parametrize(("in_file", "in_database", "lacking"), [
    ("drop trigger line_stands", "alter table line disable trigger line_stands",
     "trigger line_stands"),
    (("drop trigger line_stays; create trigger line_stays before delete on line when 0"
     " begin select raise(abort, ''); end"),
     ("drop trigger line_stays on line; create trigger line_stays before delete on line"
     " for each row when (false) execute function entry_stays()"), "trigger line_stays"),
    ("alter table line rename to l; create view line as select * from l where number < 20",
     "alter table line rename to l; create view line as select * from l where number < 20",
     "table line"),
    ("drop trigger line_stands; update line set number = number + 2000 where stream = 1",
     ("alter table line disable trigger line_stands;"
     " update line set number = number + 2000 where stream = 1"), "trigger line_stands"),
], ids=["disabled", "of another condition", "a view", "renumbered"])  # fmt: skip
def test_a_store_that_no_longer_keeps_its_lines_is_reported(
    views: Views, in_file: str, in_database: str, lacking: str
) -> None:
    if views.is_file:
        with closing(sqlite3.connect(views.place)) as connection:
            connection.executescript(in_file)
    else:
        with psycopg.connect(views.place, autocommit=True) as connection:
            connection.execute(in_database)
    report = json.loads(told_with(1, "store", "check", views.place, "--format", "json").stdout)
    (fault,) = report["wrong"]
    assert lacking in fault
    assert fault.endswith("missing, changed, or disabled: what is stored can be changed or deleted")
    hidden = {one["record"]: one["judgment"] for one in report["records"] if not one["is_clean"]}
    is_moved = "+ 2000" in in_file
    assert hidden == ({"A": "its first line is missing, others are not"} if is_moved else {})


def test_a_database_is_no_file(tmp_path: Path) -> None:
    place = "postgresql://keeper:secret@/pit"
    output = told_with(2, "export", place, "-o", tmp_path / "out").stderr
    assert (
        "reads files, not a database: copy the database into a file first: croupier store backup"
        in " ".join(output.split())
    )
    assert "secret" not in output


def exported(store: Path, folder: Path) -> Callable[[str], Rows]:
    told_with(0, "export", store, "-o", folder, "--format", "csv")

    def rows(table: str) -> Rows:
        with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            return sorted(map(tuple, [*csv.reader(file)][1:]))

    return rows


def lines_of(store: Path, table: str) -> Iterator[tuple[int, bytes]]:
    with closing(sqlite3.connect(store)) as source:
        yield from source.execute(
            "select number, content from line join stream on id = stream where name = ?"
            " order by number",
            (table,),
        ).fetchall()


def test_the_views_are_the_export_row_for_row(views: Views, tmp_path: Path) -> None:
    told_with(0, "store", "views", views.place)
    wanted = exported(views.store, tmp_path / "out")
    for table, columns in TABLES.items():
        rows = views.rows(table)
        assert rows == wanted(table), table
        assert rows
        with views.connect() as connection:
            found = connection.execute(f"select * from {table}")  # noqa: S608
            assert [one[0] for one in found.description] == [one.name for one in columns]


def test_rows_that_come_later_are_added_and_each_record_says_how_far_it_was_read(
    dealt: Path, tmp_path: Path
) -> None:
    """At every cut, in the middle of rounds too, the rows are those of one pass."""
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    rows = [*lines_of(store, "B")]
    with closing(sqlite3.connect(store)) as grown, grown:
        (stream,) = grown.execute("select id from stream where name = 'B'").fetchone()
        grown.execute("drop trigger line_stays")
        grown.execute("delete from line where stream = ?", (stream,))
    views = Views(store, str(store))
    for begin in range(0, len(rows), 97):
        with closing(sqlite3.connect(store)) as grown, grown:
            grown.executemany(
                "insert into line values (?, ?, 0, ?)",
                [(stream, *row) for row in rows[begin : begin + 97]],
            )
        done = told_with(0, "store", "views", store)
        assert ("A:" in done.stdout) is (begin == 0)
        ((entries, fault),) = views.ask("select entries, fault from records where record = 'B'")
        assert (entries, fault) == (min(begin + 97, len(rows) - 1) - 1, None)
    wanted = exported(store, tmp_path / "out")
    for table in TABLES:
        assert views.rows(table) == wanted(table), table
    (before,) = views.ask("select max(refreshed_at) from records")
    told_with(0, "store", "views", store)
    assert views.ask("select max(refreshed_at) from records") > [before]


def test_a_reader_changes_neither_the_views_nor_the_record(views: Views) -> None:
    told_with(0, "store", "views", views.place)
    if views.is_file:
        told_with(2, "store", "views", views.place, "--reader", "auditor")
        with closing(sqlite3.connect(f"{views.place}.views")) as anybody:
            for table in (*TABLES, "records"):
                with pytest.raises(sqlite3.OperationalError, match="it is a view"):
                    anybody.execute(f"delete from {table}")  # noqa: S608
            assert not anybody.execute(
                "select 1 from sqlite_master where name in ('line', 'stream')"
            ).fetchall()
        return
    role = f"auditor_{views.place.partition('@/')[2].partition('?')[0]}"
    with closing(psycopg.connect(views.place, autocommit=True)) as owner:
        owner.execute(f"create role {role} login")
    told_with(0, "store", "views", views.place, "--reader", role)
    with closing(
        psycopg.connect(views.place.replace("postgres@", f"{role}@"), autocommit=True)
    ) as reader:
        for table in (*TABLES, "records"):
            assert reader.execute(f"select * from {SCHEMA}.{table}").fetchall()  # noqa: S608
        for statement in (
            "select * from line", "delete from line", "insert into stream (name) values ('X')",
            "select * from document", "select * from answer",
            "select * from croupier_views.progress", "delete from croupier_views.wagers",
            "update croupier_views.postings set cents = 0", "insert into croupier_views.rounds_rows (record) values ('A')",
            f"drop view {SCHEMA}.rounds", f"create table {SCHEMA}.mine (a integer)",
        ):  # fmt: skip
            with pytest.raises(psycopg.Error):
                reader.execute(statement)
    assert views.ask("select distinct behind from records") == [(0,)]


def test_nothing_that_verifies_believes_the_rows(views: Views, tmp_path: Path) -> None:
    """Changed rows change no verdict and no export; they go as the rows are made anew."""
    told_with(0, "store", "views", views.place)
    true = views.rows("wagers")
    views.write("update wagers_rows set paid_cents = 99999999")
    assert views.rows("wagers") != true
    told_with(0, "store", "check", views.place)
    assert exported(views.store, tmp_path / "out")("wagers") == true
    told_with(0, "store", "views", views.place, "--anew")
    assert views.rows("wagers") == true
    views.write("update progress set state = '{}'")
    told_with(0, "store", "views", views.place)
    assert views.rows("wagers") == true


def test_rows_end_before_a_changed_line_and_say_so(dealt: Path, tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    with closing(sqlite3.connect(store)) as forged, forged:
        forged.execute("drop trigger line_stands")
        forged.execute(
            'update line set content = cast(replace(cast(content as text), \'"at":"2\', \'"at":"3\')'
            " as blob) where number = 60 and stream = 1"
        )
    done = told_with(1, "store", "views", store)
    assert "A: line 61: the line's hash does not match its content" in done.output
    views = Views(store, str(store))
    found = views.ask("select record, entries, fault is null from records order by record")
    assert found[0] == ("A", 59, 0)
    assert found[1][2] == 1
    assert views.ask("select max(entry) from entries where stream in (select stream from records"
                     " where record = 'A')") == [(59,)]  # fmt: skip
    told_with(1, "store", "views", store)
    # Every reader of several records says which of them it is.
    for words in (("rounds", store), ("export", store, "-o", tmp_path / "export")):
        assert f"{store}: A:61: the line's hash" in " ".join(told_with(1, *words).stderr.split())


@pytest.mark.parametrize("anew", [(), ("--anew",)])
@pytest.mark.parametrize("how", ["symlink", "another database"])
def test_another_database_in_the_place_of_the_views_is_left_as_it_is(
    dealt: Path, tmp_path: Path, how: str, anew: tuple[str, ...]
) -> None:
    """The store is the worst: all that it has would be dropped for rows that can be made anew."""
    store, target = tmp_path / "pit.sqlite", tmp_path / "pit.sqlite.views"
    shutil.copy(dealt, store)
    if how == "symlink":
        target.symlink_to(store)
    else:
        shutil.copy(dealt, target)
    before = [*lines_of(store, "A")]
    done = told_with(2, "store", "views", store, *anew)
    assert ("a link" if how == "symlink" else "another database") in done.output
    assert [*lines_of(store, "A")] == before == [*lines_of(target, "A")]


def test_views_of_another_format_are_made_anew_when_that_is_said(views: Views) -> None:
    told_with(0, "store", "views", views.place)
    views.write("update export set format = 1")
    assert "views of format 1" in told_with(2, "store", "views", views.place).stderr
    told_with(0, "store", "views", views.place, "--anew")
    assert views.ask("select format from export") == [(FORMAT,)]


def test_a_record_without_a_header_keeps_no_other_from_its_rows(
    dealt: Path, tmp_path: Path
) -> None:
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    told_with(0, "store", "views", store)
    with closing(sqlite3.connect(store)) as forged, forged:
        forged.execute("drop trigger line_stands")
        forged.execute("update line set content = x'7b' where number = 0 and stream = 1")
    done = told_with(1, "store", "views", store, "--anew")
    assert "A: A:1: not a table log header" in done.output
    views = Views(store, str(store))
    assert views.ask("select record from records") == [("B",)]
    assert views.rows("rounds")


@pytest.mark.parametrize(
    ("cents", "status", "message"),
    [(-500, 1, "the amounts of this entry cannot be booked"), (2**63, 2, "more than 64 bits")],
)
def test_amounts_that_no_table_has_are_reported(
    cents: int, status: int, message: str, dealt: Path, tmp_path: Path
) -> None:
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    forge(store, "ChipsBought", "cents", cents)
    told = told_with(status, "store", "views", store)
    assert message in " ".join(told.output.split())


def forge(store: Path, event: str, field: str, value: object) -> int:
    """Change the first such event of table A, and seal all again; return the number of its line."""
    lines = read(b"".join(line for _, line in lines_of(store, "A")))
    place = where(lines, has(event))
    event_of(lines[place], event)[field] = value
    with closing(sqlite3.connect(store)) as source, source:
        source.execute("drop trigger if exists line_stands")
        for number, line in enumerate(forged(lines).splitlines(keepends=True)):
            source.execute(
                "update line set content = ? where number = ? and stream = 1", (line, number)
            )
    return place + 1


@pytest.mark.parametrize(("name", "is_stored"), [("A\0n", False), ("A\\u0000n", True)])
def test_a_name_that_a_database_cannot_store_is_named_with_its_entry(
    name: str,
    is_stored: bool,  # noqa: FBT001  (a parameter)
    dealt: Path,
    tmp_path: Path,
) -> None:
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    number = forge(store, "PatronSeated", "patron", name)
    told_with(0, "store", "restore", store, place := cluster().database())
    told = told_with(0 if is_stored else 1, "store", "views", place)
    fault = f"A: line {number}: a text of this entry has the character NUL"
    assert (fault in " ".join(told.output.split())) != is_stored
    found = Views(store, place).ask("select record, fault is null from records order by record")
    assert found == [("A", is_stored), ("B", True)]


def test_progress_that_somebody_changed_is_not_followed(views: Views) -> None:
    told_with(0, "store", "views", views.place)
    true = views.rows("wagers")
    ((state,),) = views.ask("select state from progress where record = 'A'")
    changed = json.loads(state)
    for event in ({"type": "Nope"}, {"type": "CardDealt"}, {}):
        changed["tables"][7] = [event]
        views.write(f"update progress set state = '{json.dumps(changed)}' where record = 'A'")  # noqa: S608
        told_with(0, "store", "views", views.place)
        assert views.rows("wagers") == true


def test_a_role_with_other_rights_to_the_store_is_no_reader(dealt: Path, tmp_path: Path) -> None:
    """Nothing is made for it, nor for a role that does not exist, and --anew drops nothing."""
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    views = Views(store, cluster().database())
    told_with(0, "store", "restore", store, views.place)
    name = views.place.partition("@/")[2].partition("?")[0]
    with closing(psycopg.connect(views.place, autocommit=True)) as owner:
        exists = "select to_regclass('croupier_views.progress')"
        for role, right in (("writer", "insert on line"), ("watcher", "select on document")):
            owner.execute(f"create role {role}_{name}")
            owner.execute(f"grant {right} to {role}_{name}")
        for role in (f"writer_{name}", f"watcher_{name}", "postgres", f"nobody_{name}"):
            told_with(2, "store", "views", views.place, "--reader", role)
            assert owner.execute(exists).fetchone() == (None,)
        told_with(0, "store", "views", views.place)
        true = views.rows("rounds")
        for role in (f"writer_{name}", f"nobody_{name}"):
            done = told_with(2, "store", "views", views.place, "--anew", "--reader", role)
            assert role in done.output
            assert views.rows("rounds") == true


def test_a_record_that_was_replaced_is_read_anew(dealt: Path, tmp_path: Path) -> None:
    """Yesterday's copy brought back, and another record under the same name."""
    store = tmp_path / "pit.sqlite"
    shutil.copy(dealt, store)
    told_with(0, "store", "views", store)
    with closing(sqlite3.connect(store)) as cut, cut:
        cut.execute("drop trigger line_stays")
        cut.execute("delete from line where stream = 1 and number > 40")
        cut.execute("update stream set name = case name when 'B' then 'C' else name end")
    told_with(0, "store", "views", store)
    views = Views(store, str(store))
    assert views.ask("select record, entries from records where record in ('A', 'B')") == [
        ("A", 40)
    ]
    wanted = exported(store, tmp_path / "out")
    for table in TABLES:
        assert views.rows(table) == wanted(table), table


def test_two_commands_do_not_refresh_at_once(views: Views) -> None:
    if views.is_file:
        held = locked(Path(f"{views.place}.views.lock"))
        told_with(2, "store", "views", views.place)
        os.close(held)
    else:
        with closing(psycopg.connect(views.place, autocommit=True)) as other:
            other.execute("select pg_advisory_lock(710214)")
            assert "another command" in told_with(2, "store", "views", views.place).output
    told_with(0, "store", "views", views.place)


def test_the_record_of_a_pit_has_no_rows(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    with served(SQLiteStore(store)) as house:
        make_table(house)
        a_day(house)
        told_with(0, "store", "views", store)
    assert Views(store, str(store)).ask("select record, entries from records") == [("MB-101", 3)]
    told_with(0, "export", store, "-o", tmp_path / "out", "--format", "csv")
    assert (tmp_path / "out" / "entries.csv").read_text().count("\n") == 4
    told_with(0, "rounds", store)
