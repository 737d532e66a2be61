"""The index of a long log gives the same rounds, and nobody is misled by one."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.files.streams import FAILS
from croupier.records import index_building, indexing
from croupier.records.entry import seal, unseal
from croupier.records.explanation import LoggedRound, rounds_of
from croupier.records.indexing import numbered
from croupier.records.reader import LogReader, replayed_round
from croupier.table.machine.position import Position
from support.command_line import told_with
from support.project import ROOT

ROYAL = ROOT / "submissions" / "ma-royal-9.toml"


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a log of four shoes with dealer errors."""
    path = tmp_path_factory.mktemp("dealt") / "table.jsonl"
    words = ("--seed", 11, "--shoes", 4, "--patrons", 3, "--dealer-errors", 15, "--quiet")
    told_with(0, "deal", ROYAL, *words, "-o", path)
    return path.read_bytes()


@pytest.fixture
def log(dealt: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a log that counts as long, with a mark at each shoe."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(indexing, "LEAST_BYTES", 1000)
    monkeypatch.setattr(index_building, "APART", 200)
    path = tmp_path / "table.jsonl"
    path.write_bytes(dealt)
    return path


def opened(log: Path, number: int, table: str | None = None) -> LogReader:
    return LogReader(log, table, wanted_rounds=numbered(range(number, number + 1)))


def is_part(reader: LogReader) -> bool:
    """Return whether an index gave the place, so that the rest was not read."""
    return reader.data()["index"] is not None


def explained(reader: LogReader, number: int) -> tuple[Any, ...]:
    return next(
        told(one)
        for part in reader.parts()
        for one in rounds_of((entry.events for _, entry in part.entries()), part.opening.rules)
        if one.number == number
    )


def told(one: LoggedRound) -> tuple[Any, ...]:
    return one.number, one.events, one.rules.sha256


def whole(log: Path) -> list[tuple[Any, ...]]:
    reader = LogReader(log)
    return [*map(told, rounds_of(reader.events(), reader.header.rules))]


def without_shoes_before(position: Position) -> Position:
    house = replace(position.house, earlier=())
    return replace(position, house=house, rules=None)


def place_of(log: Path) -> Path:
    (place,) = log.parent.glob(f"{log.name}*.index")
    return place


def resealed(lines: list[bytes], at: int) -> list[bytes]:
    """Return the lines sealed again from one on, as somebody does who hides a change."""
    head = (unseal(lines[at - 1]) or (b"", ""))[1]
    for number in range(at, len(lines)):
        data = json.loads((unseal(lines[number]) or (b"", ""))[0])
        data["prev"] = head
        lines[number], head = seal(json.dumps(data, separators=(",", ":")).encode())
    return lines


def test_each_round_is_the_same_by_index(log: Path) -> None:
    rounds = whole(log)
    first = opened(log, 1)
    assert not is_part(first)
    assert len(json.loads(json.dumps(first.data()))["head"]["sha256"]) == 64
    for wanted in (*rounds[::23], rounds[-1]):
        reader = opened(log, wanted[0])
        assert is_part(reader)
        assert explained(reader, wanted[0]) == wanted
        assert reader.data()["head"] == first.data()["head"]
    last = rounds[-1][0]
    size = reader.data()["index"]
    assert size is not None
    assert size["last"] - size["first"] < reader.data()["head"]["entry"] / 2
    assert last > 200


def test_positions_and_results_are_the_same_by_index(log: Path) -> None:
    opened(log, 1)
    for number in (1, 77, 150, 200):
        for at, other in zip(
            replayed_round(opened(log, number), number).entries,
            replayed_round(LogReader(log), number).entries,
            strict=True,
        ):
            assert at.events == other.events
            assert without_shoes_before(at.after) == without_shoes_before(other.after)


def test_commands_show_the_same_by_index(log: Path, tmp_path: Path) -> None:
    def seen(*words: object) -> Any:
        data = json.loads(told_with(0, *words, "--format", "json").stdout)
        part = data["record"].pop("index")
        return {name: one for name, one in data.items() if name != "made_at"}, part

    before, part = seen("explain", log, "--round", 150)
    assert part is None
    after, part = seen("explain", log, "--round", 150)
    assert part["first"] > 1
    assert after == before
    some = json.loads(told_with(0, "rounds", log, "--format", "json").stdout)["rounds"][150]
    at = some["began_at"].removesuffix("Z")
    words = ("rounds", log, "--from", at, "--to", at, "--format", "json")
    assert json.loads(told_with(0, *words).stdout)["rounds"] == [some]
    told_with(0, "replay", log, "--round", some["round"], "-o", tmp_path / "one.html")
    told_with(0, "replay", log, "--from", at, "--to", at, "-o", tmp_path / "two.html")
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "NOT verified" in page
    assert "The rest was not read now" in page


def test_an_index_of_another_user_or_a_forged_one_is_made_again(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(log, 1)
    place = place_of(log)
    good = place.read_bytes()
    for forged in (good[:-1], good.replace(b"Patron 1", b"Patron 9"), b"", b"x" * 99, good[:64]):
        place.write_bytes(forged)
        reader = opened(log, 150)
        assert not is_part(reader)
        assert place.read_bytes() != forged
        assert is_part(opened(log, 150))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert not is_part(opened(log, 150))
    assert is_part(opened(log, 150))


def test_an_index_of_another_build_is_made_again(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every build before the first release has the version 0.1.0."""
    opened(log, 1)
    assert is_part(opened(log, 150))
    monkeypatch.setattr(indexing, "program_version", lambda: "0.1.0+another build")
    assert not is_part(opened(log, 150))


def test_a_log_changed_under_its_index_is_read_whole(
    log: Path, dealt: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time and size of the file are forged too; only the lines show it."""
    monkeypatch.setattr(indexing, "state_of", lambda _: [1])
    monkeypatch.setattr(index_building, "state_of", lambda _: [1])
    opened(log, 1)
    reader = opened(log, 150)
    part = reader.data()["index"]
    assert part is not None
    lines = dealt.splitlines(keepends=True)
    at = next(
        number
        for number, line in enumerate(lines)
        if number > part["first"] + 40 and b'"WagerPaid"' in line
    )
    changed = lines[at].replace(b'"cents":', b'"cents":9', 1)
    log.write_bytes(b"".join([*lines[:at], changed, *lines[at + 1 :]]))
    told_with(FAILS, "explain", log, "--round", 150)
    assert opened(log, 150).is_broken
    log.write_bytes(b"".join(resealed([*lines[:at], changed, *lines[at + 1 :]], at)))
    after = opened(log, 150)
    assert not is_part(after)
    assert after.data()["head"] != reader.data()["head"]


def test_a_log_that_grew_is_read_from_its_last_mark(log: Path, dealt: bytes) -> None:
    lines = dealt.splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) * 3 // 4]) + lines[-2][:30])
    reader = opened(log, 1)
    assert (reader.is_open, reader.torn) == (True, len(lines) * 3 // 4 + 1)
    last = reader.index.last_round if reader.index else 0
    log.write_bytes(dealt)
    told_with(2, "explain", log, "--round", 100_000)
    after = opened(log, last + 20)
    assert is_part(after)
    assert explained(after, last + 20) == whole(log)[last + 19]
    assert (after.is_open, after.torn) == (False, None)
    log.write_bytes(b"".join(lines[:-1] + lines[-2:]))
    assert opened(log, 5).is_broken


def test_the_first_round_of_a_shoe_that_is_not_over_is_found(log: Path, dealt: bytes) -> None:
    """No round ends after the last mark, and the round under way has the number after the last."""
    lines = dealt.splitlines(keepends=True)
    loaded = [at for at, line in enumerate(lines) if b'"type":"ShoeLoaded"' in line][-1]
    end = next(at for at in range(loaded, len(lines)) if b'"type":"NoMoreBetsCalled"' in lines[at])
    log.write_bytes(b"".join(lines[: end + 1]))
    number = whole(log)[-1][0] + 1
    for _ in ("made", "kept"):
        entries = [entry for part in opened(log, number).parts() for _, entry in part.entries()]
        assert entries[-1].seq == end


def test_a_shorter_or_another_log_has_no_part(log: Path, dealt: bytes) -> None:
    opened(log, 1)
    lines = dealt.splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:300]))
    reader = opened(log, 5)
    assert not is_part(reader)
    assert reader.data()["head"]["entry"] == 299


def test_without_a_place_the_log_is_read_whole(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexing.index_place(log, "").mkdir()
    assert not is_part(opened(log, 5))
    assert explained(opened(log, 5), 5)[0] == 5
    monkeypatch.setenv("XDG_STATE_HOME", str(log))  # No folder for the key either.
    indexing.index_place(log, "").rmdir()
    assert not is_part(opened(log, 5))
    assert not list(tmp_path.glob("*.index"))


def test_compressed_logs_and_stores_have_one(log: Path, dealt: bytes, tmp_path: Path) -> None:
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(dealt))
    store = tmp_path / "pit.sqlite"
    words = ("--shoes", 3, "--patrons", 3, "--quiet", "-o", store)
    told_with(0, "deal", ROYAL, "--seed", 5, *words, "--table", "A/1")
    told_with(0, "deal", ROYAL, "--seed", 6, *words, "--table", "B")
    for path, table in ((packed, None), (store, "A/1"), (store, "B")):
        first = explained(opened(path, 170, table), 170)
        again = opened(path, 170, table)
        assert is_part(again)
        assert explained(again, 170) == first
    assert len(list(tmp_path.glob("pit.sqlite.*.index"))) == 2
    told_with(0, "deal", ROYAL, "--seed", 6, *words, "--table", "C")
    assert explained(opened(store, 170, "B"), 170) == first
    assert not log.with_name(f"{log.name}.index").exists()


def _open_at_once(log: Path) -> int:
    vars(indexing)["LEAST_BYTES"], vars(index_building)["APART"] = 1000, 200
    number: int = explained(opened(log, 150), 150)[0]
    return number


def test_two_processes_make_it_at_once(log: Path) -> None:
    with ProcessPoolExecutor(3, get_context("fork")) as executor:
        assert [*executor.map(_open_at_once, [log] * 6)] == [150] * 6
    assert is_part(opened(log, 150))
    assert len(list(log.parent.glob("*index*"))) == 1


def test_the_key_and_the_index_are_private(log: Path, tmp_path: Path) -> None:
    """The log may be private, and its index has the positions of its table."""
    opened(log, 1)
    for path in (tmp_path / "state" / "croupier" / "index.key", place_of(log)):
        assert path.stat().st_mode & 0o077 == 0


def test_a_short_log_has_none(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "LEAST_BYTES", 1 << 30)
    assert not is_part(opened(log, 5))
    assert not list(tmp_path.glob("*.index"))
