"""Snapshots: a table opens from the last one, and one that does not fit is passed over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from croupier import acts
from croupier.cli import main
from croupier.cli.tables import deal as dealing
from croupier.money.ledger import Ledger
from croupier.records import recorder as recording
from croupier.records.entry import SteppedClock, seal, unseal
from croupier.records.header import LogError, new_header
from croupier.records.log import Resumed, resume, resume_log
from croupier.records.recorder import Recorder
from croupier.records.stores import snapshot as snapshots
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.records.stores.stream import Stream
from croupier.rules import read_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.starts import starts
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Position, Stamp
from croupier.table.machine.session import KeyReusedError, TableSession
from croupier.verify.log import Verdict, verify_log
from support.project import PLAIN, SUBMISSIONS
from support.streams import InFile, InSQLite, MemoryStream
from support.table import open_table
from support.volume import volume

EVERY = 60


# --- what is written is what is read -------------------------------------------------------------


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_start_of_every_submission_comes_back_from_its_snapshot(path: Path) -> None:
    rules = table_rules(read_submission(path))
    moments = SteppedClock()
    for number, (name, start) in enumerate(starts(rules).items(), start=1):
        accounts = Ledger({"cage": -number, f"patron:{number}": number}, 10 * number)
        position = Position(rules, replace(start.stage.state, at=moments()), accounts, number)
        line = snapshot("header", position, f"seal of {name}", {"of": name})
        found = read_snapshot(line, "header", rules)
        assert found == (position, f"seal of {name}", {"of": name}), name


def test_a_snapshot_keeps_an_election_that_was_adopted() -> None:
    table = open_table(table_rules(read_submission(PLAIN)), 1)
    for cents in (100, 200):
        table.execute(acts.BuyChips(1, cents))
    rules = table.rules
    pilot = Autopilot(table, Chance(3), patrons=1)
    pilot.take_over()
    pilot.play_shoe(1)
    table.execute(acts.AdoptElections({"wagers.tie.pays": "9:1"}))
    assert table.rules.sha256 != rules.sha256
    found = read_snapshot(snapshot("header", table.position, "head"), "header", rules)
    assert found is not None
    assert found.position.rules.sha256 == table.rules.sha256
    assert str(found.position.rules.offers["tie"].pays["win"]) == "9:1"


def test_a_snapshot_of_another_build_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another build may decide otherwise, and all of them have the version 0.1.0."""
    table = open_table(table_rules(read_submission(PLAIN)), 1)
    line = snapshot("header", table.position, "head")
    monkeypatch.setattr(snapshots, "program_version", lambda: "0.1.0+another build")
    assert read_snapshot(line, "header", table.rules) is None


# --- a record that goes on -----------------------------------------------------------------------


def deal_into(stream: Stream, rounds: int = 20, *, every: int = EVERY) -> Recorder:
    """Deal some rounds into a new stream, the table left open; return its recorder."""
    rules = table_rules(read_submission(PLAIN))
    recorder = Recorder.begin(stream, new_header(rules, "seed 5"))
    recorder.every = every
    table = TableSession(rules, record=recorder, clock=SteppedClock())
    pilot = Autopilot(table, Chance(5), patrons=2)
    with table.together():
        pilot.open(date(2011, 2, 22))
    pilot.play_shoe(rounds)
    return recorder


class Measured(MemoryStream):
    """A stream that says after how many lines each snapshot was kept, and how long it is."""

    def __init__(self) -> None:
        super().__init__("measured")
        self.kept: list[tuple[int, int]] = []

    def keep(self, snapshot: bytes | None) -> None:
        self.kept.append((self.count, len(snapshot or b"")))
        super().keep(snapshot)


def test_snapshots_take_no_more_room_than_the_record_that_they_are_of() -> None:
    stream = Measured()
    deal_into(stream, 60, every=5)
    longest_round, entry = 45, 512
    assert stream.kept[-1][1] > 20 * entry
    for (line, size), (after, _) in pairwise(stream.kept):
        assert max(5, size / entry) <= after - line <= max(5, size / entry) + longest_round
    last, size = stream.kept[-1]
    assert stream.count - last <= size / entry + longest_round


def followed(lines: list[bytes]) -> Resumed:
    """Return where a record stands by its lines alone."""
    stream = MemoryStream("by its lines")
    stream.append(0, lines)
    found = resume(stream)
    assert found.snapshot is None
    return found


def standing(position: Position) -> tuple[object, ...]:
    """Return what two positions of one table have in common."""
    rules = position.rules.sha256
    return rules, position.state, position.ledger, position.sequence, position.at


@pytest.fixture(scope="module", params=[InFile, InSQLite])
def dealt(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path], InFile | InSQLite]:
    """Return what lays a record of some rounds, dealt once and closed, into a folder."""
    made = request.param(folder := tmp_path_factory.mktemp("dealt"))
    deal_into(made.make()).close()
    made.close()

    def laid(into: Path) -> InFile | InSQLite:
        copytree(folder, into, dirs_exist_ok=True)
        copy: InFile | InSQLite = request.param(into)
        return copy

    return laid


@pytest.fixture(params=[InFile, InSQLite])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[InFile | InSQLite]:
    made = request.param(tmp_path)
    yield made
    made.close()


def test_a_record_opens_from_its_last_snapshot_and_reads_only_what_follows(
    place: InFile | InSQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = deal_into(place.make())
    lines = list(recorder.stream.lines())
    snapped = recorder.snapped
    assert EVERY <= snapped < recorder.sequence < snapped + EVERY
    recorder.stream.close()
    stream = place.again()
    assert stream.count == len(lines)
    asked: list[int] = []
    true = stream.lines

    def spied(first: int = 0) -> Iterator[bytes]:
        for line in true(first):
            asked.append(len(line))
            yield line

    monkeypatch.setattr(stream, "lines", spied)
    found = resume(stream)
    assert found.snapshot is not None
    assert found.snapshot.position.sequence == snapped
    # The header, the entry that the snapshot follows, and those after it.
    assert asked == [len(lines[0]), len(lines[snapped]), *map(len, lines[snapped + 1 :])]
    by_lines = followed(lines)
    assert standing(found.position) == standing(by_lines.position)
    assert found.head == by_lines.head
    # The table goes on, and the whole conforms.
    again = found.recorder(stream)
    table = found.session(again, SteppedClock.after(found.position.at or pytest.fail("no time")))
    pilot = Autopilot(table, Chance(9), patrons=2)
    pilot.take_over()
    pilot.play_shoe(2)
    monkeypatch.undo()
    copy = place.path.with_name("copy.jsonl")
    copy.write_bytes(b"".join(stream.lines()))
    verdict = verify_log(copy)
    assert (verdict.divergence, verdict.entries) == (None, again.sequence)


def test_a_record_that_is_long_enough_has_a_snapshot_of_its_end(place: InFile | InSQLite) -> None:
    recorder = deal_into(place.make())
    recorder.close()
    found = resume(place.again())
    assert found.snapshot is not None
    assert found.snapshot.position.sequence == recorder.sequence


def test_a_short_record_and_a_closed_one_have_none(place: InFile | InSQLite) -> None:
    recorder = deal_into(place.make(), 1, every=1000)
    recorder.close()
    stream = place.again()
    assert stream.snapshot() is None
    again = resume(stream).recorder(stream)
    stream.keep(b"old")
    again.finish()
    assert stream.snapshot() is None or isinstance(place, InFile)
    stream.close()
    assert not (place.path.parent / "table.jsonl.state").exists()


# --- what does not fit is passed over ------------------------------------------------------------


def resealed(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """Return what changes a snapshot and seals it again."""

    def changed(line: bytes) -> bytes:
        sealed = unseal(line)
        assert sealed is not None
        data = json.loads(sealed[0])
        change(data)
        return seal(json.dumps(data, separators=(",", ":")).encode())[0]

    return changed


MISFITS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "torn": lambda line: line[:-20],
    "one bit": lambda line: line.replace(b'"rounds":20', b'"rounds":21'),
    "no json": lambda _: seal(b"{nothing}")[0],
    "another format": resealed(lambda one: one.update(format="croupier-table-state/2")),
    "another version": resealed(lambda one: one.update(version="0.0.1")),
    "another header": resealed(lambda one: one.update(header="0" * 64)),
    "another head": resealed(lambda one: one.update(head="0" * 64)),
    "an earlier entry": resealed(lambda one: one.update(entry=one["entry"] - 1)),
    "a later entry": resealed(lambda one: one.update(entry=one["entry"] + 1)),
    "an entry beyond": resealed(lambda one: one.update(entry=10**6)),
    "other rules": resealed(lambda one: one.update(rules_sha256="0" * 64)),
    "no rules": resealed(lambda one: one.update(rules_sha256="0" * 64, elections={"decks": 5})),
    "a field too many": resealed(lambda one: one["state"].update(colour="red")),
    "a field too few": resealed(lambda one: one["state"].pop("shoe")),
    "no such phase": resealed(lambda one: one["state"].update(phase="NAPPING")),
    "no such part": resealed(lambda one: one["state"].update(slices={"choir": {}})),
    "no time": resealed(lambda one: one["state"].update(at="soon")),
    "of another kind": resealed(lambda one: one["state"].update(rounds="20")),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_snapshot_that_does_not_fit_is_passed_over(
    dealt: Callable[[Path], InFile | InSQLite], tmp_path: Path, name: str
) -> None:
    place = dealt(tmp_path)
    stream = place.again()
    kept = stream.snapshot()
    assert kept is not None
    lines = list(stream.lines())
    # A file keeps it with the place of the last line, which it knows after an append.
    wrong = MISFITS[name](kept)
    assert wrong != kept
    if isinstance(place, InFile):
        stream.close()
        state = place.path.with_name("table.jsonl.state")
        mark = state.read_bytes().partition(b"\n")[0]
        state.write_bytes(mark + b"\n" + wrong)
        stream = place.again()
    else:
        stream.keep(wrong)
    found = resume(stream)
    assert found.snapshot is None
    assert standing(found.position) == standing(followed(lines).position)
    stream.close()
    place.close()


@pytest.mark.parametrize(
    "mark",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"no",
        b'{"line":3,"offset":-4,"sha256":""}',
        b'{"line":3,"offset":10,"sha256":"00"}',
        b'{"line":3,"offset":1000000000000,"sha256":"00"}',
        b'{"line":"three","offset":10,"sha256":"00"}',
    ],
)
@pytest.mark.parametrize("dealt", [InFile], indirect=True)
def test_a_file_whose_mark_is_none_is_read_from_its_start(
    dealt: Callable[[Path], InFile], tmp_path: Path, mark: bytes
) -> None:
    place = dealt(tmp_path)
    with FileStream.open(place.path) as stream:
        count = stream.count
    state = tmp_path / "table.jsonl.state"
    snapshot_alone = state.read_bytes().partition(b"\n")[2]
    state.write_bytes(mark + b"\n" + snapshot_alone)
    with FileStream.open(place.path) as stream:
        assert stream.count == count
        assert stream.snapshot() is None
        assert resume(stream).position.sequence == count - 1


def test_a_log_that_was_cut_before_its_snapshot_goes_on_from_where_it_stands(
    tmp_path: Path,
) -> None:
    place = InFile(tmp_path)
    deal_into(place.make()).close()
    lines = place.path.read_bytes().splitlines(keepends=True)
    place.path.write_bytes(b"".join(lines[:50]) + lines[50][:7])
    found, stream = resume_log(place.path)
    assert (found.snapshot, found.position.sequence, stream.count) == (None, 49, 50)
    stream.close()


def test_a_snapshot_is_no_symlink(tmp_path: Path) -> None:
    place = InFile(tmp_path)
    recorder = deal_into(place.make())
    victim, state = tmp_path / "victim", tmp_path / "table.jsonl.state"
    victim.write_bytes(b"precious")
    for path in (state, tmp_path / "table.jsonl.state.new"):
        path.unlink(missing_ok=True)
        path.symlink_to(victim)
    recorder.close()
    assert victim.read_bytes() == b"precious"
    with FileStream.open(place.path) as stream:
        assert stream.snapshot() is None


def test_what_is_checked_when_a_log_is_opened_from_its_snapshot(tmp_path: Path) -> None:
    place = InFile(tmp_path)
    recorder = deal_into(place.make())
    snapped = recorder.snapped
    recorder.stream.close()
    whole = place.path.read_bytes()
    lines = whole.splitlines(keepends=True)

    def spoiled(number: int) -> bytes:
        line = lines[number].replace(b'"at":"2000', b'"at":"2001')
        return b"".join([*lines[:number], line, *lines[number + 1 :]])

    # What comes before the snapshot is for verify to find.
    place.path.write_bytes(spoiled(snapped - 5))
    found, stream = resume_log(place.path)
    stream.close()
    assert found.position.sequence == recorder.sequence
    assert verify_log(place.path).divergence is not None
    # The entry that it follows, and every one after it, are checked.
    for number in (snapped, snapped + 1, len(lines) - 1):
        place.path.write_bytes(spoiled(number))
        with pytest.raises(LogError, match="the line's hash does not match its content"):
            resume_log(place.path)
    header = lines[0].replace(b'"shuffle":"seed 5"', b'"shuffle":"seed 6"')
    place.path.write_bytes(b"".join([header, *lines[1:]]))
    with pytest.raises(LogError, match=":1: the line's hash"):
        resume_log(place.path)


def test_a_snapshot_that_cannot_be_written_is_not_kept_and_stops_nothing(
    tmp_path: Path,
) -> None:
    place = InFile(tmp_path)
    stream = place.make()
    # Nothing can take the name of a folder.
    (tmp_path / "table.jsonl.state").mkdir()
    recorder = deal_into(stream)
    assert recorder.sequence > EVERY
    recorder.close()
    assert verify_log(place.path).entries == recorder.sequence


# --- idempotency keys ----------------------------------------------------------------------------


def test_a_key_from_before_the_snapshot_is_answered_as_it_was(place: InFile | InSQLite) -> None:
    stream = place.make()
    rules = table_rules(read_submission(PLAIN))
    recorder = Recorder.begin(stream, new_header(rules, "by hand"))
    recorder.every = 4
    table = TableSession(rules, record=recorder, clock=SteppedClock())
    opening = acts.OpenTable(7_310_000, "Theo", "Noor", date(2011, 2, 22))
    first = table.execute(opening, Stamp(key="open-1"))
    for seat in (2, 4, 5, 6):
        table.execute(acts.SeatPatron(seat, f"Ines {seat}"), Stamp(key=f"seat-{seat}"))
    table.execute(acts.BuyChips(2, 5_000))
    recorder.close()
    stream = place.again()
    found = resume(stream)
    assert found.snapshot is not None
    again = found.recorder(stream)
    table = found.session(again, SteppedClock())
    assert table.execute(opening, Stamp(key="open-1")) == first
    assert again.sequence == 6
    with pytest.raises(KeyReusedError, match="seat-4 was used before"):
        table.execute(acts.SeatPatron(4, "Somebody"), Stamp(key="seat-4"))
    table.execute(acts.SeatPatron(1, "Somebody"), Stamp(key="seat-1"))
    assert again.sequence == 7


# --- a seeded dealer -----------------------------------------------------------------------------


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(one) for one in arguments], env={"COLUMNS": "160"})
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have snapshots written often; return what says how often a dealer went on from one."""
    recalled: list[int] = []
    true = Autopilot.recall

    def recall(self: Autopilot, memory: Any) -> None:
        true(self, memory)
        recalled.append(self.session.position.sequence)

    monkeypatch.setattr(recording, "SNAPSHOT_EVERY", EVERY)
    monkeypatch.setattr(Autopilot, "recall", recall)
    return recalled


@pytest.fixture
def _judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a log verified once, however often its very bytes are dealt."""
    verdicts: dict[bytes, Verdict] = {}

    def judged(path: Path, **how: Any) -> Verdict:
        whole = path.read_bytes()
        return verdicts.get(whole) or verdicts.setdefault(whole, verify_log(path, **how))

    monkeypatch.setattr(dealing, "verify_log", judged)


@pytest.mark.usefixtures("_judged_once")
@pytest.mark.parametrize(
    ("submission", "errors"),
    [
        ("nj-minibaccarat", 15),
        ("nj-minibaccarat-continuous", 15),
        ("ma-royal-9", 15),
        ("nj-punto-banco", 0),
    ],
)
def test_a_seeded_log_goes_on_from_its_snapshot_to_the_very_bytes(
    tmp_path: Path, often: list[int], submission: str, errors: int
) -> None:
    path = PLAIN.with_stem(submission)
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    options = (path, "--seed", 23, "--patrons", 3, "--dealer-errors", errors, "--quiet")
    kept = whole.with_name("whole.jsonl.state")
    # A dealer of the same options that is killed somewhere: its log, and its last snapshot.
    states: dict[int, bytes] = {}
    true = FileStream.keep

    def keep(self: FileStream, snapshot: bytes | None) -> None:
        true(self, snapshot)
        if snapshot is not None:
            states[self.count - 1] = kept.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileStream, "keep", keep)
        run("deal", *options, "--shoes", 2, "--log", whole)
    assert not kept.exists()
    assert len(states) > 10
    lines = whole.read_bytes().splitlines(keepends=True)
    for number in list(states)[:: len(states) // volume(2, 2, most=4)]:
        more = min(number + 40, len(lines) - 2)
        cut.write_bytes(b"".join(lines[: more + 1]))
        cut.with_name("cut.jsonl.state").write_bytes(states[number])
        often.clear()
        run("deal", *options, "--shoes", 2, "--resume", cut)
        assert often == [number]
        assert cut.read_bytes() == b"".join(lines)


@pytest.mark.usefixtures("often")
def test_a_seeded_log_goes_on_from_a_snapshot_only_with_its_own_options(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    deal = ("deal", PLAIN, "--seed", 23, "--quiet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Autopilot, "close", lambda _: (_ for _ in ()).throw(LogError("killed")))
        CliRunner().invoke(main, [str(one) for one in (*deal, "--patrons", 2, "--log", log)])
    assert log.with_name("log.jsonl.state").exists()
    before = log.read_bytes()
    for more in (("--patrons", 3), ("--patrons", 2, "--dealer-errors", 5)):
        refused = CliRunner().invoke(main, [str(one) for one in (*deal, *more, "--resume", log)])
        assert refused.exit_code == 2
        assert "the options are not those that the log was begun with" in refused.output
        assert log.read_bytes() == before
    run(*deal, "--patrons", 2, "--resume", log)
    assert not log.with_name("log.jsonl.state").exists()
