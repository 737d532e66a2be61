"""Commands on stores: a name that ends in .sqlite holds the records of many tables."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.verify.log import verify_log
from support.command_line import croupier
from support.project import PLAIN

OPEN = (
    '{"type": "OpenTable", "inventory_cents": 11000000, "dealer": "Theo", "floorperson": "Noor",'
    ' "gaming_date": "2011-02-22"}\n'
)
SEAT = '{"type": "SeatPatron", "seat": 6, "patron": "Ines"}\n'
CLOSE = '{"type": "LeaveTable", "seat": 6}\n{"type": "CloseTable"}\n'


run = partial(croupier, columns=200)


def names(store: Path) -> tuple[str, ...]:
    with SQLiteStore(store) as opened:
        return opened.names


def lines(store: Path, name: str) -> list[bytes]:
    with SQLiteStore(store) as opened:
        return list(opened.lines(name))


def test_a_store_and_a_file_hold_the_same_record(tmp_path: Path) -> None:
    store, log = tmp_path / "pit.sqlite", tmp_path / "log.jsonl"
    options = (PLAIN, "--seed", 31, "--patrons", 2, "--quiet")
    dealt = run("deal", *options, "-o", store, "--format", "json")
    assert dealt.exit_code == 0, dealt.output
    (name,) = names(store)
    assert name == "MB-101"
    log.write_bytes(b"".join(lines(store, name)))
    assert verify_log(log).is_clean
    told, again = (
        json.loads(run("verify", one, "--format", "json").output) for one in (store, log)
    )
    told.pop("reproduce")
    again.pop("reproduce")
    assert told == again
    assert run("verify", store, "--head", told["head"]["sha256"]).exit_code == 0
    assert run("verify", store, "--head", "0" * 64).exit_code == 1
    told_round = run("explain", store, "--round", 5).output
    assert told_round.replace(str(store), str(log)) == run("explain", log, "--round", 5).output
    sheets = [json.loads(run("audit", one, "--format", "json").output) for one in (store, log)]
    assert sheets[0]["rounds"] == sheets[1]["rounds"]


def test_a_store_has_many_tables_and_one_is_named(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    for table in ("MB-1", "MB-2"):
        made = run("run", PLAIN, "-", "-o", store, "--table", table, text=OPEN + SEAT)
        assert made.exit_code == 0, made.output
    assert names(store) == ("MB-1", "MB-2")
    unnamed = run("verify", store)
    assert unnamed.exit_code == 2
    assert "name one of its records with --table; it holds MB-1, MB-2" in unnamed.output
    assert "--submission" not in unnamed.output
    assert run("verify", store, "--table", "MB-2").exit_code == 0
    other = run("verify", store, "--table", "MB-3")
    assert (other.exit_code, "no record is named MB-3" in other.output) == (2, True)
    # One goes on to its end, and the other is as it was.
    before = lines(store, "MB-1")
    assert run("run", PLAIN, "-", "--resume", store, "--table", "MB-2", text=CLOSE).exit_code == 0
    assert lines(store, "MB-1") == before
    assert "still open" not in run("verify", store, "--table", "MB-2").output
    assert "still open" in run("verify", store, "--table", "MB-1").output
    closed = run("run", PLAIN, "-", "--resume", store, "--table", "MB-2", text=CLOSE)
    assert (closed.exit_code, "the log is closed" in closed.output) == (2, True)


def test_a_record_in_a_store_is_never_replaced(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    assert run("run", PLAIN, "-", "-o", store, text=OPEN).exit_code == 0
    before = lines(store, "MB-101")
    for force in ((), ("--force",)):
        refused = run("run", PLAIN, "-", "-o", store, *force, text=OPEN)
        assert refused.exit_code == 2
        assert (
            "a record with that name exists: MB-101; give the table another name" in refused.output
        )
    assert lines(store, "MB-101") == before


def test_of_a_table_on_which_nothing_was_done_no_record_stays(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    refused = run("run", PLAIN, "-", "-o", store, text=SEAT)
    assert refused.exit_code == 2
    assert names(store) == ()


def test_a_table_in_a_store_is_dealt_on(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    whole = tmp_path / "whole.sqlite"
    options = (PLAIN, "--seed", 32, "--patrons", 2, "--quiet")
    assert run("deal", *options, "-o", whole).exit_code == 0
    dealt = lines(whole, "MB-101")
    with SQLiteStore(store) as opened:
        opened.create("MB-101").append(0, dealt[:301])
    result = run("deal", *options, "--resume", store)
    assert result.exit_code == 0, result.output
    assert lines(store, "MB-101") == dealt


def test_only_a_store_has_tables_to_name(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    named = ("--table", "MB-101")
    refused = run("run", PLAIN, "-", "-o", log, *named, text=OPEN)
    assert (refused.exit_code, "leave out --table" in refused.output) == (2, True)
    assert not log.exists()
    assert run("run", PLAIN, "-", "-o", log, text=OPEN).exit_code == 0
    for command in (
        ("verify", log, *named),
        ("explain", log, "--round", 1, *named),
        ("audit", log, *named),
        ("run", PLAIN, "-", "--resume", log, *named),
    ):
        refused = run(*command, text=SEAT)
        assert (refused.exit_code, "leave out --table" in refused.output) == (2, True), command


@pytest.mark.parametrize("content", [b"", b"no database, certainly none of ours" * 100])
def test_what_is_no_store_is_unreadable_and_stays_as_it_was(tmp_path: Path, content: bytes) -> None:
    store = tmp_path / "pit.sqlite"
    store.write_bytes(content)
    refused = run("verify", store)
    assert refused.exit_code == 2
    assert f"{store}: " in refused.output
    assert store.read_bytes() == content


HOLDS = """
import sys
from pathlib import Path
from croupier.records.stores.sqlite_store import SQLiteStore

with SQLiteStore(Path(sys.argv[1])) as store:
    print(store.count(sys.argv[2]), flush=True)
    for line in sys.stdin:
        with Path(sys.argv[3]).open("rb") as log:
            store.open(sys.argv[2]).append(store.count(sys.argv[2]), log.readlines()[-2:])
        print(store.count(sys.argv[2]), flush=True)
"""


def test_a_store_that_another_process_holds_is_read_and_not_written(tmp_path: Path) -> None:
    store, log = tmp_path / "pit.sqlite", tmp_path / "log.jsonl"
    commands = tmp_path / "commands.jsonl"
    commands.write_text(OPEN + SEAT)
    assert run("run", PLAIN, commands, "-o", store).exit_code == 0
    (name,) = names(store)
    # Two entries more, which the process that has the store is to write.
    log.write_bytes(b"".join(lines(store, name)))
    commands.write_text(SEAT.replace("6", "5") + SEAT.replace("6", "4"))
    assert run("run", PLAIN, commands, "--resume", log).exit_code == 0
    holder = subprocess.Popen(  # noqa: S603  (our own program)
        [sys.executable, "-c", HOLDS, str(store), name, str(log)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "3\n"
        assert "through entry 2; still open" in run("verify", store).output
        holder.stdin.write("go on\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "5\n"
        # What is durable is read, wherever it is: in the write-ahead log, by now.
        for command in ("verify", "ledger"):
            read = run(command, store)
            assert read.exit_code == 0, read.output
        assert "through entry 4; still open" in run("verify", store).output
        held = run("run", PLAIN, commands, "--resume", store)
        assert held.exit_code == 2
        assert "another process has this store open" in held.output
    finally:
        holder.stdin.close()
        holder.stdout.close()
        assert holder.wait(20) == 0
    assert len(lines(store, name)) == 5


def test_a_store_with_an_empty_record_is_told(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    with SQLiteStore(store) as opened:
        opened.create("MB-101")
        empty = run("verify", store)
    assert (empty.exit_code, "the log is empty" in empty.output) == (2, True)


def test_the_checkpoints_of_the_tables_of_a_store_are_told_apart(tmp_path: Path) -> None:
    store, key = tmp_path / "pit.sqlite", tmp_path / "table.key"
    assert run("key", "new", key).exit_code == 0
    for number, table in enumerate(("MB-1", "MB-2")):
        dealt = run(
            *("deal", PLAIN, "--seed", number, "--patrons", 1, "--quiet"),
            *("-o", store, "--table", table, "--sign", key),
        )
        assert dealt.exit_code == 0, dealt.output
    assert run("run", PLAIN, "-", "-o", store, "--table", "MB-3", text=OPEN).exit_code == 0
    vouched = ("--public-key", f"{key}.pub")
    for table in ("MB-1", "MB-2"):
        assert run("verify", store, "--table", table, *vouched).exit_code == 0
    nobody = run("verify", store, "--table", "MB-3", *vouched)
    assert (nobody.exit_code, "no trusted key has signed" in nobody.output) == (1, True)
    with SQLiteStore(store) as opened:
        opened.connection.execute("drop trigger line_stays")
        opened.connection.execute("delete from line where stream = 1 and number > 300")
    assert run("verify", store, "--table", "MB-1", *vouched).exit_code == 1
    assert run("verify", store, "--table", "MB-2", *vouched).exit_code == 0
