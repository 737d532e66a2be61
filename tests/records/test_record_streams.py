"""One contract of a record, kept by every store: memory, a file, SQLite."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

from croupier.records.header import new_header
from croupier.records.recorder import Recorder
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.places import create_stream, open_stream
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, LostError
from croupier.records.stores.stream import PositionError, StoreError, Stream
from croupier.rules import read_rules
from support.command_line import croupier
from support.project import ROOT
from support.streams import InFile, InSQLite, MemoryStream

PLAIN = ROOT / "submissions" / "nj-minibaccarat.toml"
HEADER, ENTRY, OTHER = b'{"header":1}\n', b'{"seq":1}\n', b'{"seq":2}\n'


class Place(Protocol):
    """Where a store keeps one stream: made once, opened again at will."""

    def make(self) -> Stream: ...

    def again(self) -> Stream: ...


class InMemory:
    def __init__(self, folder: Path) -> None:
        del folder
        self.stream = MemoryStream("table 3")

    def make(self) -> Stream:
        return self.stream

    def again(self) -> Stream:
        return self.stream


@pytest.fixture(params=[InMemory, InFile, InSQLite])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made = request.param(tmp_path)
    yield made
    if isinstance(made, InSQLite):
        made.close()


def test_a_new_stream_is_empty(place: Place) -> None:
    stream = place.make()
    assert (stream.count, list(stream.lines())) == (0, [])


def test_what_is_appended_is_there_in_order(place: Place) -> None:
    stream = place.make()
    stream.append(0, [HEADER])
    stream.append(1, [ENTRY, OTHER])
    assert stream.count == 3
    assert list(stream.lines()) == [HEADER, ENTRY, OTHER]


def test_what_is_appended_is_there_when_it_is_opened_again(place: Place) -> None:
    stream = place.make()
    stream.append(0, [HEADER, ENTRY])
    stream.close()
    again = place.again()
    assert (again.count, list(again.lines())) == (2, [HEADER, ENTRY])
    again.append(2, [OTHER])
    assert list(again.lines()) == [HEADER, ENTRY, OTHER]


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_an_append_at_another_position_is_refused_and_changes_nothing(
    place: Place, expected: int
) -> None:
    stream = place.make()
    stream.append(0, [HEADER, ENTRY])
    with pytest.raises(PositionError, match="another program has written to it"):
        stream.append(expected, [OTHER])
    assert list(stream.lines()) == [HEADER, ENTRY]
    stream.append(2, [OTHER])
    assert stream.count == 3


def test_nothing_appended_is_nothing_changed(place: Place) -> None:
    stream = place.make()
    stream.append(0, [])
    assert stream.count == 0


# --- a file --------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"evidence")
    with pytest.raises(StoreError, match="the file exists"):
        FileStream.create(path)
    assert path.read_bytes() == b"evidence"


def test_a_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"evidence")
    FileStream.create(path, replace=True).close()
    assert path.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [path]


def killed_while_replacing(path: Path, *lines: bytes, renamed_only: bool = False) -> None:
    """Leave a folder as a process does that is killed while its log replaces another."""
    path.write_bytes(HEADER + ENTRY)
    program = (
        "import os; from pathlib import Path; from croupier.records.stores.file_stream import FileStream;"
        f"stream = FileStream.create(Path({str(path)!r}), replace=True);"
        f"stream.append(0, {list(lines)!r});"
        + (f"os.unlink({str(path)!r});" if renamed_only else "")
        + "os.kill(os.getpid(), 9)"
    )
    told = subprocess.run([sys.executable, "-c", program], check=False)  # noqa: S603  (that)
    assert told.returncode == -9


@pytest.mark.parametrize("renamed_only", [False, True])
def test_a_log_whose_replacement_was_killed_before_it_had_an_entry_is_there_again(
    tmp_path: Path, *, renamed_only: bool
) -> None:
    path = tmp_path / "log.jsonl"
    killed_while_replacing(path, OTHER, renamed_only=renamed_only)
    with FileStream.open(path) as stream:
        assert list(stream.lines()) == [HEADER, ENTRY]
    assert list(tmp_path.iterdir()) == [path]
    killed_while_replacing(path, OTHER)
    with pytest.raises(StoreError, match="the file exists"):
        FileStream.create(path)
    assert path.read_bytes() == HEADER + ENTRY
    killed_while_replacing(path, OTHER)
    with FileStream.create(path, replace=True) as stream:
        stream.append(0, [HEADER, OTHER])
    assert path.read_bytes() == HEADER + OTHER
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_that_replaced_another_and_was_killed_after_its_first_entry_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.jsonl"
    killed_while_replacing(path, OTHER)
    # The old one is removed after the first entry is durable, and there the process was killed.
    path.write_bytes(OTHER + ENTRY)
    with FileStream.open(path) as stream:
        assert list(stream.lines()) == [OTHER, ENTRY]
    assert list(tmp_path.iterdir()) == [path]


def test_a_replacement_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(HEADER + ENTRY)
    with FileStream.create(path, replace=True) as stream:
        stream.append(0, [OTHER])
        for replace in (False, True):
            with pytest.raises(StoreError):
                FileStream.create(path, replace=replace)
        with pytest.raises(StoreError, match="another command is writing this log"):
            FileStream.open(path)
        stream.append(1, [ENTRY])
    assert path.read_bytes() == OTHER + ENTRY
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("replace", [False, True])
def test_no_symlink_is_followed(tmp_path: Path, *, replace: bool) -> None:
    victim, path = tmp_path / "victim", tmp_path / "log.jsonl"
    victim.write_bytes(b"precious")
    path.symlink_to(victim)
    with pytest.raises(StoreError, match="symlink"):
        FileStream.create(path, replace=replace)
    with pytest.raises(StoreError):
        FileStream.open(path)
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize("replace", [False, True])
def test_a_second_writer_of_a_file_is_refused(tmp_path: Path, *, replace: bool) -> None:
    path = tmp_path / "log.jsonl"
    with FileStream.create(path) as stream:
        stream.append(0, [HEADER])
        with pytest.raises(StoreError):
            FileStream.create(path, replace=replace)
        with pytest.raises(StoreError, match="another command is writing this log"):
            FileStream.open(path)
        stream.append(1, [ENTRY])
    assert path.read_bytes() == HEADER + ENTRY


def test_a_torn_line_is_taken_away_when_a_line_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    torn = HEADER + ENTRY + OTHER[:5]
    path.write_bytes(torn)
    with FileStream.open(path) as stream:
        assert (stream.count, list(stream.lines())) == (2, [HEADER, ENTRY])
        stream.append(2, [])
        assert path.read_bytes() == torn
        stream.append(2, [OTHER])
        stream.append(3, [OTHER])
    assert path.read_bytes() == HEADER + ENTRY + OTHER + OTHER


def test_a_file_that_is_no_log_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    notes, packed = tmp_path / "notes.txt", tmp_path / "log.jsonl.gz"
    notes.write_bytes(b"First line\nlast line without an end")
    packed.write_bytes(gzip.compress(HEADER * 50 + b"\n") + b"\n\0")
    for path in (notes, packed):
        content = path.read_bytes()
        result = croupier("table", PLAIN, "--log", path, "--as", "Dana (dealer)")
        assert (result.exit_code, path.read_bytes()) == (2, content)


def test_what_somebody_else_writes_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with FileStream.create(path) as stream:
        stream.append(0, [HEADER])
        with path.open("ab") as file:
            file.write(b"more")
        with pytest.raises(StoreError, match="another program has written"):
            stream.append(1, [ENTRY])


def failing(name: str, at: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Have a system call fail from its ``at``-th time on; return what mends it."""
    true, calls = getattr(os, name), [0]

    def call(*arguments: object) -> object:
        calls[0] += 1
        if calls[0] >= at:
            raise OSError(28, "No space left on device")
        return true(*arguments)

    monkeypatch.setattr(os, name, call)
    return lambda: monkeypatch.setattr(os, name, true)


@pytest.mark.parametrize("name", ["write", "fsync"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt(2, "stop")]
)
def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException
) -> None:
    path = tmp_path / "log.jsonl"
    with FileStream.create(path) as stream:
        stream.append(0, [HEADER])
        true = getattr(os, name)
        calls = [0]

        def once(*arguments: object) -> object:
            calls[0] += 1
            if calls[0] == 1:
                raise error
            return true(*arguments)

        monkeypatch.setattr(os, name, once)
        with pytest.raises(
            (StoreError, KeyboardInterrupt), match=" ".join(map(str, error.args[1:]))
        ):
            stream.append(1, [ENTRY])
        assert path.read_bytes() == HEADER
        stream.append(1, [OTHER])
        assert path.read_bytes() == HEADER + OTHER


def test_a_write_that_comes_short_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, true = tmp_path / "log.jsonl", os.write
    monkeypatch.setattr(os, "write", lambda file, data: true(file, bytes(data)[:3]))
    with FileStream.create(path) as stream:
        stream.append(0, [HEADER, ENTRY])
    assert path.read_bytes() == HEADER + ENTRY


def test_a_file_whose_failed_write_cannot_be_taken_back_is_written_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    with FileStream.create(path) as stream:
        stream.append(0, [HEADER])
        mend = failing("fsync", 1, monkeypatch)
        with pytest.raises(StoreError):
            stream.append(1, [ENTRY])
        mend()
        with pytest.raises(StoreError, match="close the log, verify it, and resume it"):
            stream.append(1, [ENTRY])


# --- SQLite --------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    with SQLiteStore(tmp_path / "pit.sqlite") as made:
        yield made


def test_the_lines_of_several_tables_are_durable_in_one_transaction(store: SQLiteStore) -> None:
    for name in ("A", "B"):
        store.create(name)
    failed = store.commit([Append("A", 0, [HEADER]), Append("B", 0, [HEADER, ENTRY])])
    assert failed == {}
    assert (store.count("A"), store.count("B")) == (1, 2)


def test_a_table_that_fails_takes_no_other_with_it(store: SQLiteStore) -> None:
    for name in ("A", "B"):
        store.create(name)
    failed = store.commit([Append("A", 5, [HEADER]), Append("B", 0, [HEADER])])
    assert list(failed) == ["A"]
    assert (store.count("A"), store.count("B")) == (0, 1)


def test_a_table_may_come_twice_in_a_transaction(store: SQLiteStore) -> None:
    store.create("A")
    assert store.commit([Append("A", 0, [HEADER]), Append("A", 1, [ENTRY])]) == {}
    assert list(store.lines("A")) == [HEADER, ENTRY]


def test_a_name_is_taken_once(store: SQLiteStore) -> None:
    store.create("A")
    with pytest.raises(StoreError, match="a record with that name exists"):
        store.create("A")
    with pytest.raises(StoreError, match="no record is named Z; it contains A"):
        store.open("Z")


def test_a_second_process_is_refused(store: SQLiteStore, tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from croupier.records.stores.sqlite_store import SQLiteStore;"
        f"SQLiteStore(Path({str(tmp_path / 'pit.sqlite')!r}))"
    )
    told = subprocess.run(  # noqa: S603  (the program above)
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "another process has this store open" in told.stderr
    store.create("A")


def test_a_full_disk_leaves_the_store_as_it_was(store: SQLiteStore) -> None:
    store.create("A")
    store.commit([Append("A", 0, [HEADER])])
    pages = store.connection.execute("pragma page_count").fetchone()[0]
    store.connection.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        store.commit([Append("A", 1, [b"x" * 100_000])])
    assert (store.count("A"), list(store.lines("A"))) == (1, [HEADER])
    store.connection.execute("pragma max_page_count = 100000")
    store.commit([Append("A", 1, [ENTRY])])
    assert store.count("A") == 2


def test_every_commit_is_synchronized_in_full(store: SQLiteStore) -> None:
    assert store.connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert store.connection.execute("pragma synchronous").fetchone() == (2,)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pit.sqlite"
    path.write_bytes(b"not a database, certainly not one of ours" * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        SQLiteStore(path)
    newer = tmp_path / "newer.sqlite"
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("pragma user_version = 9")
    with pytest.raises(StoreError, match="its layout is 9"):
        SQLiteStore(newer)


def test_a_store_has_one_lock_whatever_name_it_is_opened_by(tmp_path: Path) -> None:
    path, link, twin = (tmp_path / name for name in ("pit.sqlite", "link.sqlite", "twin.sqlite"))
    link.symlink_to(path)
    with SQLiteStore(link) as store:
        store.create("T")
        assert path.is_file()
        for name in (path, link):
            with pytest.raises(StoreError, match="another process has this store open"):
                SQLiteStore(name)
        os.link(path, twin)
        # Its log has another name than that of the first: neither is opened while there are two.
        with pytest.raises(StoreError, match="2 names"):
            SQLiteStore(twin)
        store.open("T").append(0, [b"header"])
    with pytest.raises(StoreError, match="2 names"):
        SQLiteStore(path)
    twin.unlink()
    with SQLiteStore(path) as again:
        assert [*again.lines("T")] == [b"header"]


def test_a_log_that_cannot_be_begun_leaves_its_store_closed(tmp_path: Path) -> None:
    path = tmp_path / "pit.sqlite"
    stream = create_stream(path, "T")
    stream.append(0, [HEADER])
    with pytest.raises(PositionError):
        Recorder.begin(stream, new_header(read_rules(PLAIN), "by hand"))
    # An open one would be locked until the stream is collected as garbage.
    open_stream(path, "T").close()


def test_a_record_that_cannot_be_discarded_leaves_its_store_closed(tmp_path: Path) -> None:
    path = tmp_path / "pit.sqlite"
    stream = create_stream(path, "T")
    path.rename(tmp_path / "elsewhere.sqlite")
    with pytest.raises(LostError):
        stream.discard()
    with pytest.raises(StoreError, match="closed"):
        stream.snapshot()


def test_a_lock_whose_file_was_removed_locks_nobody_out_unseen(tmp_path: Path) -> None:
    path = tmp_path / "pit.sqlite"
    with SQLiteStore(path) as first:
        first.create("T")
        Path(f"{path}.lock").unlink()
        # The first one writes nothing beside the second.
        with SQLiteStore(path), pytest.raises(LostError, match="lock"):
            first.open("T").append(0, [b"header"])
