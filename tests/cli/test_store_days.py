"""``croupier store check`` compares the gaming days of a table, and a pit with its tables.

On both stores.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from croupier.records.stores.places import open_store
from support.command_line import croupier
from support.databases import cluster
from support.served import NJ, served
from support.tables import a_day, ends, make_table

TABLES = ("MB-101", "MB-102")
DATES = ("2011-02-22", "2011-02-23", "2011-02-24")


@pytest.fixture
def place(dealt: str, tmp_path: Path) -> str:
    """A store that a test may change."""
    if dealt.startswith("postgres"):
        return cluster().database(like=dealt)
    return str(shutil.copy(dealt, tmp_path / "pit.sqlite"))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def dealt(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with three days of two tables, and the fourth begun."""
    kind, tmp_path = request.param, tmp_path_factory.mktemp("days")
    found = cluster().database() if kind == "postgres" else str(tmp_path / "pit.sqlite")
    text = NJ.read_text(encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text(text.replace('"MB-101"', '"MB-102"'), encoding="utf-8")
    with served(open_store(found)) as house:
        for file, table in zip((NJ, other), TABLES, strict=True):
            make_table(house, file)
            for date in DATES:
                _, floor = a_day(house, date, table)
                assert ends(floor, table=table).status_code == 200
        house.end_grants()
    return found


def forged(place: str, *statements: str) -> None:
    """Change a store, as somebody does who may do everything with it, and puts its guards back."""
    if place.startswith("postgres"):
        with psycopg.connect(place) as database:
            database.execute("alter table line disable trigger all")
            for one in statements:
                database.execute(one.encode())
            database.execute("alter table line enable trigger all")
        return
    with closing(sqlite3.connect(place)) as file:
        guards = [
            one for (one,) in file.execute("select sql from sqlite_master where type = 'trigger'")
        ]
        file.executescript("drop trigger line_stays; drop trigger line_stands;")
        file.executescript(";".join(statements))
        file.executescript(";".join([*guards, ""]))


def named(old: str, new: str) -> str:
    return " ".join(("update stream set name =", f"'{new}'", "where name =", f"'{old}'"))


def checked(place: str) -> tuple[int, dict[str, str]]:
    """Return the exit status, and what is said of each record."""
    told = croupier("store", "check", place)
    # A long line goes on in the next one.
    words = re.sub(r"\n(?!(?:M[\w/-]+|pit:1): )", " ", told.output.strip())
    return told.exit_code, dict(line.split(": ", 1) for line in words.splitlines())


def swapped(one: str, other: str) -> tuple[str, ...]:
    return named(one, "aside"), named(other, one), named("aside", other)


def test_days_that_each_continue_the_one_before_are_clean(place: str) -> None:
    code, told = checked(place)
    assert code == 0, told
    assert [name for name in told if name.startswith("MB-101")] == [
        "MB-101", "MB-101/2", "MB-101/3", "MB-101/4",
    ]  # fmt: skip
    assert all(one.endswith("verified") for one in told.values())


def test_a_pit_is_judged_with_all_days_of_its_tables(place: str) -> None:
    code, told = checked(place)
    # It has admitted two tables, and nothing else was done in it.
    assert (code, told["pit:1"]) == (0, "2 entries, 2 tables, verified")


def test_a_table_that_its_pit_has_not_admitted_is_told(place: str) -> None:
    last = "select max(number) from line join stream on stream.id = stream where name = 'pit:1'"
    of_it = "stream = (select id from stream where name = 'pit:1')"
    forged(place, f"delete from line where {of_it} and number = ({last})")  # noqa: S608  (ours)
    code, told = checked(place)
    assert code == 1
    message = "table MB-102, entry 0: the pit has not admitted the table with this record"
    assert told["pit:1"].startswith(message)
    assert [name for name in told if not told[name].endswith("verified")] == ["pit:1"]


def test_a_table_of_which_no_record_is_left_is_told(place: str) -> None:
    of_it = "where stream in (select id from stream where name like 'MB-102%')"
    tables = ("answer", "refusal", "snapshot", "lease", "line")
    rows = [f"delete from {table} {of_it}" for table in tables]  # noqa: S608  (our own names)
    forged(place, *rows, "delete from stream where name like 'MB-102%'")
    code, told = checked(place)
    message = "table MB-102: the pit admitted it, and it has no record here"
    assert (code, told["pit:1"]) == (1, message)


def test_a_day_that_is_missing_is_told(place: str) -> None:
    of_it = "where stream = (select id from stream where name = 'MB-101/2')"
    tables = ("answer", "refusal", "snapshot", "lease", "line")
    rows = [f"delete from {table} {of_it}" for table in tables]  # noqa: S608  (our own names)
    forged(place, *rows, "delete from stream where name = 'MB-101/2'")
    code, told = checked(place)
    assert code == 1
    assert told["MB-101/3"] == "line 1: MB-101/2, the day before it, is missing"
    assert [name for name in told if not told[name].endswith("verified")] == ["MB-101/3"]


def test_days_that_were_swapped_are_told(place: str) -> None:
    forged(place, *swapped("MB-101/2", "MB-101/3"))
    code, told = checked(place)
    assert code == 1
    wrong = {name for name in told if not told[name].endswith("verified")}
    # Three, which was two, continues one; two, which was three, continues neither; four neither.
    assert wrong == {"MB-101/2", "MB-101/3", "MB-101/4"}
    assert all("it continues another log than" in told[name] for name in wrong)


def test_a_first_day_that_was_swapped_is_told(place: str) -> None:
    forged(place, *swapped("MB-101", "MB-101/2"))
    code, told = checked(place)
    assert code == 1
    assert told["MB-101/2"] == "line 1: its header continues no log, and MB-101 comes before"


def test_a_name_begins_no_line_of_its_own(place: str) -> None:
    forged(place, named("MB-102", "MB-102\nMB-9: 7 entries verified"))
    told = croupier("store", "check", place)
    assert told.exit_code == 1
    assert "MB-102\\nMB-9: 7 entries verified" in told.output
    assert not re.search("^MB-9", told.output, re.MULTILINE)


def test_a_day_of_another_table_is_told(place: str) -> None:
    forged(place, *swapped("MB-101/2", "MB-102/2"))
    code, told = checked(place)
    assert code == 1
    wrong = {name for name in told if not told[name].endswith("verified")}
    assert wrong == {"MB-101/2", "MB-101/3", "MB-102/2", "MB-102/3"}


def test_a_last_day_named_as_another_table_is_told(place: str) -> None:
    """It may have been dealt under that name, so that is no divergence."""
    forged(place, named("MB-101/4", "MB-109"))
    code, told = checked(place)
    assert code == 0
    words = told["MB-109"].partition("; ")[2]
    assert words == "it continues MB-101/3: if not dealt so, name it MB-101/4"
    assert [name for name in told if not told[name].endswith("verified")] == ["MB-109"]


def test_a_day_that_goes_on_elsewhere_than_it_ended_is_told(place: str) -> None:
    """The last line of a day is taken away: it is open, and nothing continues an open log."""
    forged(
        place,
        "delete from line where stream = (select id from stream where name = 'MB-101/2') and number"
        " = (select max(number) from line join stream on stream.id = stream where name ="
        " 'MB-101/2')",
    )
    code, told = checked(place)
    assert code == 1
    assert "the log is still open, or was truncated" in told["MB-101/3"]


def test_a_day_that_was_named_and_not_begun_is_none(place: str) -> None:
    """A service that is killed as a day ends may leave the name of the next one, and no line."""
    with closing(open_store(place)) as store:
        store.create("MB-101/5")
    code, told = checked(place)
    assert (code, told["MB-101/5"]) == (0, "not begun")
