"""Logs that continue each other: one gaming day each, and nothing of a table lost in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.records.carried import (
    Carried,
    CarriedWritten,
    carried_data,
    carried_over,
    under_way,
)
from croupier.records.codec import dump
from croupier.records.entry import SteppedClock
from croupier.records.header import LogError, name_of_day, new_header
from croupier.records.log import begin_log, carried_from, ended_log, resume
from croupier.records.reader import LogReader
from croupier.records.recorder import Recorder
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.stream import Stream
from croupier.rules import TableRules, read_submission, table_rules
from croupier.table.house.tray import Tray
from croupier.table.machine.house import House
from croupier.table.machine.position import Position, Proposal
from croupier.table.machine.session import RefusedError, TableSession
from croupier.table.machine.state import Phase
from croupier.table.parts.forms import FormBook
from croupier.table.parts.progressive import Progressive
from croupier.table.settling.unclaimed_amounts import KeptAmounts
from croupier.verify.continues import verify_continued
from croupier.verify.log import Verdict, verify_lines, verify_log
from support.accounts import accounts_of
from support.command_line import croupier, told_with
from support.databases import cluster
from support.days import DAYS, WholeDay
from support.forged_logs import chained, read
from support.logs import followed_log
from support.project import PLAIN
from support.streams import MemoryStream

run = partial(croupier, columns=200)


# --- a record in days is the record in one -------------------------------------------------------


Make = Callable[[int], Stream]
"""Makes a stream for a day, by its number."""


class InDays:
    """Commands of one log given again, with a new log from each opening of the table on."""

    def __init__(self, rules: TableRules, make: Make) -> None:
        self.rules = rules
        self.make = make
        self.logs: list[Stream] = []
        self.begin(None)

    def begin(self, carried: Carried | None) -> None:
        rules = self.rules if carried is None else carried.position.rules
        stream = self.make(len(self.logs))
        self.recorder = Recorder.begin(stream, new_header(rules, "given", continues=carried))
        self.session = TableSession(
            rules,
            record=self.recorder,
            position=None if carried is None else carried.position,
        )
        self.logs.append(stream)

    def end(self) -> Carried:
        self.recorder.finish()
        return carried_from(resume(self.logs[-1]))

    def give(self, entry: Proposal) -> None:
        opens = isinstance(entry.command, acts.OpenTable)
        if opens and self.session.position.house.opened:
            self.begin(self.end())
        assert entry.after.at is not None
        self.session.clock = lambda: entry.after.at
        self.session.execute(entry.command, entry.stamp)


def files_in(folder: Path) -> Iterator[Make]:
    yield lambda number: FileStream.create(folder / f"day-{number}.jsonl")


def memory_in(folder: Path) -> Iterator[Make]:
    del folder
    yield lambda number: MemoryStream(f"day {number}")


def sqlite_in(folder: Path) -> Iterator[Make]:
    with SQLiteStore(folder / "pit.sqlite") as store:
        yield lambda number: store.create(name_of_day("T", number + 1))


def postgres_in(folder: Path) -> Iterator[Make]:
    del folder
    with closing(PostgresStore(cluster().database())) as store:
        yield lambda number: store.create(name_of_day("T", number + 1))


STORES = {"memory": memory_in, "file": files_in, "sqlite": sqlite_in, "postgres": postgres_in}


@pytest.fixture(params=list(STORES))
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    yield from STORES[request.param](tmp_path)


def assert_same(one: Position, other: Position) -> None:
    """Hold two positions to each other, whose rules were resolved one after the other."""
    assert one.rules.sha256 == other.rules.sha256
    assert replace(one, rules=other.rules) == other


@pytest.mark.parametrize("day", DAYS, ids=lambda day: day.name)
def test_a_record_in_days_leads_where_one_record_does(
    tmp_path: Path, make: Make, day: WholeDay
) -> None:
    day.play(tmp_path / "whole.jsonl")
    header, entries = followed_log(tmp_path / "whole.jsonl")
    days = InDays(header.rules, make)
    for entry in entries:
        days.give(entry)
        if entry.after.house.opened and isinstance(entry.command, acts.OpenTable):
            # From the opening on nothing is different at all.
            assert_same(days.session.position, entry.after)
        assert days.session.position.ledger == entry.after.ledger
        assert days.session.position.sequence == entry.after.sequence
    assert len(days.logs) == 2
    assert days.session.state == entry.after.state
    sealed = [[*one.lines()] for one in days.logs]
    for lines in sealed:
        verdict = verify_lines(Path("day"), lines)
        assert verdict.divergence is None
    # What the second day won is what both together have, less the first.
    first, second = (verify_lines(Path("day"), lines) for lines in sealed)
    assert first.table_win_cents + second.table_win_cents == entry.after.ledger.table_win_cents
    for one in days.logs:
        one.close()


@pytest.mark.parametrize("day", DAYS, ids=lambda day: day.name)
def test_a_log_that_continues_goes_on_from_its_lines_and_from_a_snapshot(
    tmp_path: Path, day: WholeDay
) -> None:
    day.play(tmp_path / "whole.jsonl")
    header, entries = followed_log(tmp_path / "whole.jsonl")
    days = InDays(header.rules, *memory_in(tmp_path))
    days.recorder.every = 1
    for entry in entries:
        days.give(entry)
        days.recorder.every = 7
    found = resume(days.logs[-1])
    assert found.snapshot is not None
    assert_same(found.position, days.session.position)
    days.logs[-1].keep(None)
    assert_same(resume(days.logs[-1]).position, days.session.position)
    # The number of its first entry is the one after the last of the log before.
    assert found.header.before == found.header.opening.sequence > 0
    (line,) = [*days.logs[-1].lines(1)][:1]
    assert json.loads(line)["seq"] == found.header.before + 1


# --- what is carried over -----------------------------------------------------------------------


def played(log: Path, *given: acts.Command, continues: Carried | None = None) -> Position:
    """Give commands at a table, and write the last line of its log."""
    rules = dealt_rules() if continues is None else continues.position.rules
    recorder, stream = begin_log(log, rules, shuffle="given", continues=continues)
    position = None if continues is None else continues.position
    session = TableSession(rules, record=recorder, clock=SteppedClock(), position=position)
    for command in given:
        session.execute(command)
    recorder.finish()
    stream.close()
    return session.position


def dealt_rules() -> TableRules:
    return table_rules(read_submission(PLAIN))


MONDAY, TUESDAY = date(2011, 3, 21), date(2011, 3, 22)
OPENED = acts.OpenTable(40_000_00, "Dunja", "Femke", MONDAY)
COUNTED = acts.CountInventory({100_00: 390, 25_00: 40}, closing=True)
"""The tray at the closing: 390 chips of $100 and 40 of $25 are $40,000."""


def test_the_closing_count_is_held_at_the_next_opening(tmp_path: Path) -> None:
    first = tmp_path / "monday.jsonl"
    played(first, OPENED, acts.CloseTable(), COUNTED)
    carried = carried_from(ended_log(first))
    assert carried.position.state[Tray].closing_cents == 40_000_00
    assert carried.position.ledger.balance("inventory") == 40_000_00
    with pytest.raises(RefusedError, match=r"closed with \$40,000.00, and is opened with \$45,000"):
        played(
            tmp_path / "wrong.jsonl",
            acts.OpenTable(45_000_00, "Dunja", "Femke", TUESDAY),
            continues=carried,
        )
    after = played(
        tmp_path / "tuesday.jsonl",
        acts.OpenTable(40_000_00, "Dunja", "Femke", TUESDAY),
        continues=carried,
    )
    # The chips are those that lay there: none came from the cage a second time.
    assert after.ledger.balance("inventory") == 40_000_00
    assert after.ledger.balance("cage") == -40_000_00


def test_a_gaming_day_before_the_last_one_is_refused(tmp_path: Path) -> None:
    played(tmp_path / "monday.jsonl", OPENED, acts.CloseTable())
    carried = carried_from(ended_log(tmp_path / "monday.jsonl"))
    earlier = acts.OpenTable(40_000_00, "Dunja", "Femke", date(2011, 3, 20))
    with pytest.raises(RefusedError, match="2011-03-20 is before 2011-03-21"):
        played(tmp_path / "sunday.jsonl", earlier, continues=carried)


def test_times_go_on_from_those_of_the_log_before(tmp_path: Path) -> None:
    first = played(tmp_path / "monday.jsonl", OPENED, acts.CloseTable())
    carried = carried_from(ended_log(tmp_path / "monday.jsonl"))
    log = tmp_path / "tuesday.jsonl"
    played(log, replace(OPENED, gaming_date=TUESDAY), continues=carried)
    header, (entry,) = followed_log(log)
    assert header.opening.at == first.at
    assert entry.after.at is not None
    assert first.at is not None
    assert entry.after.at >= first.at
    earlier = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert earlier[1]["at"] >= earlier[0]["continues"]["at"]


def test_a_carried_time_is_not_gone_behind(tmp_path: Path) -> None:
    played(tmp_path / "monday.jsonl", OPENED, acts.CloseTable())
    carried = carried_from(ended_log(tmp_path / "monday.jsonl"))
    log = tmp_path / "tuesday.jsonl"
    played(log, replace(OPENED, gaming_date=TUESDAY), continues=carried)
    forged = rewritten(log, 1, at="1999-12-31T12:00:00.000Z")
    verdict = verify_lines(Path("forged"), forged.splitlines(keepends=True))
    assert verdict.divergence is not None
    assert verdict.divergence.kind == "time"


def rewritten(log: Path, line: int, **changes: Any) -> bytes:
    """Return a log with fields of one line replaced, and all of it sealed again."""
    lines = read(log.read_bytes())
    lines[line] |= changes
    return chained([dump(one) for one in lines])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda at: replace(at, house=House()), "has not been opened in this record"),
        (
            lambda at: replace(at, state=replace(at.state, phase=Phase.BETTING)),
            "the table is open for wagers: close it first",
        ),
        (
            lambda at: replace(at, house=replace(at.house, pause="a fire alarm")),
            r"the table is paused \(a fire alarm\)",
        ),
    ],
)
def test_a_day_under_way_is_not_continued(
    tmp_path: Path, change: Callable[[Position], Position], reason: str
) -> None:
    closed = played(tmp_path / "monday.jsonl", OPENED, acts.CloseTable())
    assert under_way(closed) == ""
    found = replace_position(ended_log(tmp_path / "monday.jsonl"), change(closed))
    with pytest.raises(ValueError, match=reason):
        carried_from(found)


def replace_position(found: Any, position: Position) -> Any:
    found.position = position
    return found


def test_forms_that_were_not_forwarded_hold_the_day_open(tmp_path: Path) -> None:
    day = DAYS[0].play(tmp_path / "whole.jsonl")
    told = {
        type(one.command).__name__: under_way(one.after)
        for one in day.entries
        if one.after.sequence
        > next(
            each.after.sequence
            for each in day.entries
            if isinstance(each.command, acts.ReceiveForms)
        )
        and isinstance(one.command, acts.CloseTable | acts.EndGamingDay | acts.CompareForms)
    }
    assert told["CloseTable"] == (
        "Forms of 2011-02-23 were not forwarded: the pit clerk ends that day first"
    )
    assert told["EndGamingDay"] == told["CompareForms"] == ""


def test_forms_are_compared_in_the_log_of_the_next_day(tmp_path: Path) -> None:
    # Form 102 documents $5, and Form 101 is void.
    day = DAYS[0].play(tmp_path / "whole.jsonl")
    ended = next(one.after for one in day.entries if isinstance(one.command, acts.EndGamingDay))
    carried = carried_over("s", "0" * 64, ended)
    assert carried.position.state[FormBook].forwarded == {102: 5_00}
    header = new_header(ended.rules, "given", continues=carried)
    stream = MemoryStream("next")
    recorder = Recorder.begin(stream, header)
    clock = SteppedClock.after(ended.at) if ended.at is not None else SteppedClock()
    session = TableSession(
        ended.rules, record=recorder, clock=clock, position=resume(stream).position
    )
    (compared,) = session.execute(acts.CompareForms((102, 103)))
    assert (compared.matched, compared.without_duplicate) == ((102,), (103,))  # type: ignore[attr-defined]
    recorder.finish()
    assert verify_lines(Path("next"), stream.lines()).is_clean


def test_meters_and_their_commitment_go_on(tmp_path: Path) -> None:
    day = DAYS[1].play(tmp_path / "whole.jsonl")
    ended = day.position
    before = ended.state[Progressive]
    assert before.commitment
    stream = MemoryStream("next")
    carried = carried_over("s", "0" * 64, ended)
    Recorder.begin(stream, new_header(ended.rules, "given", continues=carried))
    assert resume(stream).position.state[Progressive] == before
    assert resume(stream).position.ledger == ended.ledger


def test_a_header_that_lacks_a_newer_field_is_compared_without_it(tmp_path: Path) -> None:
    ended = DAYS[1].play(tmp_path / "whole.jsonl").position
    state = ended.state
    revealed = replace(state[Progressive], spent=("f" * 64,))
    slices = {**state.slices, Progressive: revealed}
    ended = replace(ended, state=replace(state, slices=slices))
    carried = carried_over("s", "0" * 64, ended)
    written = json.loads(dump(carried_data(carried)))
    del written["kept"]["progressive"]["spent"]
    older = msgspec.convert(written, CarriedWritten).carried(ended.rules)
    assert older.unrecorded == {("progressive", "spent")}
    assert carried_data(older) != carried_data(carried)
    assert carried_data(older, older.unrecorded) == carried_data(carried, older.unrecorded)


def test_what_is_kept_for_a_patron_names_the_entry_of_its_own_day() -> None:
    # Numbers go on, so no entry of the next log has the number of one that this one names.
    kept = KeptAmounts().moved(57, 3, "Rosa", 95_00)
    assert kept.cents(57, 3) == 95_00
    rules = dealt_rules()
    closed = replace(TableSession(rules).position, house=House(opened=True), sequence=812)
    state = replace(closed.state, gaming_date=MONDAY, slices={KeptAmounts: kept})
    carried = carried_over("s", "0" * 64, replace(closed, state=state))
    assert carried.position.sequence == 812
    assert carried.position.state[KeptAmounts] == kept


def test_a_snapshot_of_what_was_carried_over_says_the_same(tmp_path: Path) -> None:
    played(tmp_path / "monday.jsonl", OPENED, acts.CloseTable(), COUNTED)
    position = carried_from(ended_log(tmp_path / "monday.jsonl")).position
    found = read_snapshot(snapshot("a", position, "b"), "a", position.rules)
    assert found is not None
    assert found.position == position


def test_accounts_of_a_day_begin_with_what_it_carried_over(tmp_path: Path) -> None:
    day = DAYS[0].play(tmp_path / "whole.jsonl")
    header, entries = followed_log(tmp_path / "whole.jsonl")
    days = InDays(header.rules, *files_in(tmp_path))
    for entry in entries:
        days.give(entry)
    whole = accounts_of(day.events).days
    logs = [tmp_path / f"day-{number}.jsonl" for number in range(2)]
    parts = []
    for log in logs:
        opening = replayed_header(log)
        told = accounts_of((e for events in LogReader(log).events() for e in events), opening)
        parts += told.days
    assert parts == whole
    assert all(one.reconciles for one in parts)


def replayed_header(log: Path) -> Any:
    header, _ = followed_log(log)
    return header.opening.ledger


# --- verified across logs, and tampered with ----------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two days of one table."""
    monday, tuesday = tmp_path / "monday.jsonl", tmp_path / "tuesday.jsonl"
    played(monday, OPENED, acts.CloseTable(), COUNTED)
    played(
        tuesday,
        replace(OPENED, gaming_date=TUESDAY),
        acts.CloseTable(),
        continues=carried_from(ended_log(monday)),
    )
    return monday, tuesday


def across(log: Path, *before: Path) -> Verdict:
    verdict = verify_log(log)
    assert verdict.divergence is None
    verify_continued(verdict, before)
    return verdict


def test_logs_that_follow_each_other_are_verified_together(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    verdict = across(tuesday, monday)
    assert (verdict.is_clean, verdict.continued, verdict.is_open) == (True, True, False)
    assert (verdict.entries, verdict.last) == (2, 5)
    assert not across(tuesday).continued


def kind_and_message(verdict: Verdict) -> tuple[str, str]:
    assert verdict.divergence is not None
    assert not verdict.continued
    return verdict.divergence.kind, verdict.divergence.message


def test_another_log_is_not_the_one_before(two: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    played(other, OPENED, acts.CloseTable(), COUNTED)
    kind, message = kind_and_message(across(two[1], other))
    assert kind == "continues"
    assert "continues another log than" in message


def test_a_truncated_log_is_not_continued(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    whole = monday.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(whole)):
        monday.write_bytes(b"".join(whole[:kept]))
        kind, message = kind_and_message(across(tuesday, monday))
        assert kind == "continues"
        assert "still open, or was truncated" in message


def test_a_log_truncated_and_closed_again_is_told_by_its_seal(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    lines = read(monday.read_bytes())
    # Without the closing count: sealed as if it had never been made.
    shorter = [*lines[:-2], {"entries": 2, "prev": "0" * 64}]
    monday.write_bytes(chained([dump(one) for one in shorter]))
    assert verify_log(monday).is_clean
    kind, message = kind_and_message(across(tuesday, monday))
    assert (kind, "ends with another seal" in message) == ("continues", True)


def test_a_log_before_that_diverges_is_told(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    monday.write_bytes(monday.read_bytes().replace(b'"dealer":"Dunja"', b'"dealer":"Danja"', 1))
    kind, message = kind_and_message(across(tuesday, monday))
    assert kind == "continues"
    assert "which it continues, diverges at line 2" in message


def carried_changes(carried: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield, for each thing that is carried over, that thing made another."""
    kept = json.loads(json.dumps(carried["kept"]))
    kept["tray"]["closing_cents"] = None
    yield "kept", {"kept": kept}
    balances = carried["balances"] | {
        "inventory": carried["balances"]["inventory"] + 5_00,
        "cage": carried["balances"]["cage"] - 5_00,
    }
    yield "balances", {"balances": balances}
    yield "opened_with_cents", {"opened_with_cents": carried["opened_with_cents"] + 1}
    yield "gaming_date", {"gaming_date": "2011-03-20"}
    yield "at", {"at": "2000-01-01T00:00:00.000Z"}


def test_each_thing_carried_over_is_compared(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    carried = read(tuesday.read_bytes())[0]["continues"]
    told = []
    for name, change in carried_changes(carried):
        forged = tuesday.with_name(f"{name}.jsonl")
        forged.write_bytes(rewritten(tuesday, 0, continues=carried | change))
        kind, message = kind_and_message(across(forged, monday))
        assert kind == "continues"
        assert message == f"{name} carried over is not what {monday} ended with"
        shown = told_with(1, "verify", forged, "--continues", monday).stdout
        assert message in " ".join(shown.split())
        data = told_with(1, "verify", forged, "--continues", monday, "--format", "json").stdout
        found = json.loads(data)["divergence"]
        assert (found["found"], found["expected"]) == (change, {name: carried[name]})
        told.append(name)
    assert {*told, "stream", "sha256", "entry"} == set(carried)


def test_a_number_that_does_not_go_on_is_compared(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    carried = read(tuesday.read_bytes())[0]["continues"]
    forged = rewritten(tuesday, 0, continues=carried | {"entry": 7})
    tuesday.write_bytes(forged)
    verdict = verify_log(tuesday)
    # Its own entries are numbered from the fourth on, and not from the eighth.
    assert verdict.divergence is not None
    assert verdict.divergence.kind == "sequence"
    verify_continued(verdict, [monday])
    assert verdict.divergence.kind == "sequence"


def test_a_first_log_continues_none(two: tuple[Path, Path]) -> None:
    monday, tuesday = two
    kind, message = kind_and_message(across(monday, tuesday))
    assert (kind, "its header continues no log" in message) == ("continues", True)


def test_a_third_day_is_held_to_both_before(two: tuple[Path, Path], tmp_path: Path) -> None:
    monday, tuesday = two
    third = tmp_path / "wednesday.jsonl"
    wednesday = date(2011, 3, 23)
    carried = carried_from(ended_log(tuesday))
    played(third, replace(OPENED, gaming_date=wednesday), acts.CloseTable(), continues=carried)
    assert across(third, tuesday, monday).continued
    kind, message = kind_and_message(across(third, tuesday, third))
    assert (kind, "continues another log than" in message) == ("continues", True)


@pytest.mark.parametrize(
    "change",
    [
        {"kept": {"no part": {}}},
        {"kept": {"tray": {"closing_cents": "a lot"}}},
        {"kept": {"forms": {"next_serial": 1, "last_serial": 10**7}}},
        {"entry": 0},
        {"at": "2011-03-22T20:15:00"},
        {"balances": {"inventory": "x"}},
        {"more": 1},
    ],
)
def test_a_header_that_carries_nonsense_is_none(
    two: tuple[Path, Path], change: dict[str, Any]
) -> None:
    carried = read(two[1].read_bytes())[0]["continues"]
    two[1].write_bytes(rewritten(two[1], 0, continues=carried | change))
    with pytest.raises(LogError, match="not a table log header"):
        verify_log(two[1])


def test_accounts_out_of_balance_are_told_without_the_log_before(two: tuple[Path, Path]) -> None:
    carried = read(two[1].read_bytes())[0]["continues"]
    balances = dict(sorted((carried["balances"] | {"drop": 100}).items()))
    two[1].write_bytes(rewritten(two[1], 0, continues=carried | {"balances": balances}))
    verdict = verify_log(two[1])
    assert verdict.divergence is not None
    assert verdict.divergence.kind == "ledger"


# --- the commands -------------------------------------------------------------------------------


def commands(path: Path, *given: str) -> Path:
    path.write_text("".join(f"{one}\n" for one in given))
    return path


OPEN = (
    '{{"type": "OpenTable", "inventory_cents": 4000000, "dealer": "Dunja", "floorperson": "Femke",'
    ' "gaming_date": "2011-03-{}"}}'
)
CLOSE = '{"type": "CloseTable"}'


@pytest.mark.parametrize("names", [("a.jsonl", "b.jsonl"), ("pit.sqlite", "pit.sqlite")])
def test_run_begins_the_log_of_the_next_day(tmp_path: Path, names: Sequence[str]) -> None:
    first, second = (tmp_path / name for name in names)
    monday = commands(tmp_path / "monday.jsonl", OPEN.format(21), CLOSE)
    tuesday = commands(tmp_path / "tuesday.jsonl", OPEN.format(22), CLOSE)
    assert run("run", PLAIN, monday, "-o", first).exit_code == 0
    ran = run("run", PLAIN, tuesday, "-o", second, "--continues", first, "--format", "json")
    assert ran.exit_code == 0, ran.output
    table = ("--table", "1/2") if second.suffix == ".sqlite" else ()
    if table:
        with closing(SQLiteStore(second)) as store:
            table = ("--table", store.names[1])
            assert store.names[1] == f"{store.names[0]}/2"
    judged = run("verify", second, *table, "--continues", first)
    assert judged.exit_code == 0, judged.output
    assert "What it carries over is what the log before it ended with." in judged.output
    data = json.loads(run("verify", second, *table, "--format", "json").output)
    assert data["continues"]["entry"] == 2
    assert not data["continues"]["compared"]
    assert data["head"]["entry"] == 4
    assert data["entries"] == 2


def test_a_log_that_only_looks_back_stays_open(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    note = '{"type": "WriteNote", "text": "the drop was counted late"}'
    assert (
        run("run", PLAIN, commands(tmp_path / "1", OPEN.format(21), CLOSE), "-o", first).exit_code
        == 0
    )
    looked = run("run", PLAIN, commands(tmp_path / "2", note), "-o", second, "--continues", first)
    assert looked.exit_code == 0, looked.output
    assert verify_log(second).is_open
    went = run("run", PLAIN, commands(tmp_path / "3", OPEN.format(22), CLOSE), "--resume", second)
    assert went.exit_code == 0, went.output
    verdict = across(second, first)
    assert (verdict.entries, verdict.is_open, verdict.continued) == (3, False, True)


def test_a_log_that_is_open_or_of_other_rules_is_not_continued(tmp_path: Path) -> None:
    first = tmp_path / "a.jsonl"
    assert run("run", PLAIN, commands(tmp_path / "1", OPEN.format(21)), "-o", first).exit_code == 0
    given = ("-o", tmp_path / "b.jsonl", "--continues", first)
    refused = run("run", PLAIN, commands(tmp_path / "2", OPEN.format(22)), *given)
    assert (refused.exit_code, "the log is still open" in refused.output) == (2, True)
    assert not (tmp_path / "b.jsonl").exists()
    assert run("run", PLAIN, commands(tmp_path / "3", CLOSE), "--resume", first).exit_code == 0
    other = tmp_path / "other.toml"
    text = PLAIN.read_text(encoding="utf-8")
    assert "seats = 7" in text
    other.write_text(text.replace("seats = 7", "seats = 6"), encoding="utf-8")
    refused = run("run", other, tmp_path / "2", *given)
    assert (refused.exit_code, "ended under different rules" in refused.output) == (2, True)
    refused = run("run", PLAIN, tmp_path / "2", "--resume", first, "--continues", first)
    assert (refused.exit_code, "is of a log that begins" in refused.output) == (2, True)
    replaced = run("run", PLAIN, tmp_path / "2", "-o", first, "--continues", first, "--force")
    assert replaced.exit_code == 2
    assert verify_log(first).is_clean


def test_a_dealt_day_continues_another_and_goes_on_to_the_very_bytes(tmp_path: Path) -> None:
    first, second, cut = (tmp_path / f"{name}.jsonl" for name in ("first", "second", "cut"))
    assert run("deal", PLAIN, "--seed", 3, "--quiet", "-o", first, "--patrons", 2).exit_code == 0
    options = (PLAIN, "--seed", 4, "--quiet", "--patrons", 2)
    dealt = run("deal", *options, "-o", second, "--continues", first)
    assert dealt.exit_code == 0, dealt.output
    assert across(second, first).continued
    lines = second.read_bytes().splitlines(keepends=True)
    for kept in (2, 40, 400):
        cut.write_bytes(b"".join(lines[:kept]))
        went = run("deal", *options, "--resume", cut)
        assert went.exit_code == 0, went.output
        assert cut.read_bytes() == second.read_bytes()
