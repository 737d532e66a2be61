"""Exports: DuckDB, pandas, and Polars read them, and they agree with the log they come from."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
from collections import Counter
from collections.abc import Generator
from contextlib import closing, suppress
from multiprocessing import active_children
from pathlib import Path
from time import sleep
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.records.entry import LoggedEntry
from croupier.records.explanation import rounds_of
from croupier.records.export import writing
from croupier.records.export.tables import FORMAT, TABLES, LogTables
from croupier.records.export.writing import (
    ExportInProgress,
    ExportJob,
    export_to_database,
    export_to_files,
    files,
    read_rows,
)
from croupier.records.header import new_header
from croupier.records.reader import ChangedLogError
from support.command_line import told_with
from support.databases import cluster
from support.project import ROOT
from support.table import ready, wager

ROYAL = ROOT / "submissions" / "ma-royal-9.toml"
HOUSE = ROOT / "submissions" / "nj-minibaccarat.toml"
EDITION = ROOT / "tests" / "data" / "logs" / "editions" / "ma-ez.edition-2.jsonl.gz"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return logs with dealer errors, progressive meters, and deferred vigorish."""
    folder = tmp_path_factory.mktemp("logs")
    found = []
    for seed, submission in ((4, ROYAL), (9, HOUSE)):
        log = folder / f"{submission.stem}.jsonl"
        words = ("--seed", seed, "--patrons", 4, "--dealer-errors", 12, "--quiet", "-o", log)
        told_with(0, "deal", submission, *words)
        found.append(log)
    return found


@pytest.fixture(scope="module")
def parquet(logs: list[Path]) -> Path:
    """Return a folder of Parquet files of both logs."""
    folder = logs[0].parent / "parquet"
    told_with(0, "export", *logs, "-o", folder)
    return folder


def test_an_abandoned_export_ends_readers_that_lose_its_signal(
    logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has read two logs ahead, and waits until they are taken, which nobody does any more."""

    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(writing, "_ENTRIES", 20)
    job = ExportJob([(log, None) for log in logs] * 3, tuple(TABLES), "csv")
    unheeded = signal.signal(signal.SIGTERM, lambda *_: None)
    rows = read_rows(job, 2, tmp_path)
    assert isinstance(rows, Generator)
    try:
        alarm = signal.signal(signal.SIGALRM, late)
        signal.alarm(20)
        next(rows)
        while {"rows-0-1", "rows-1-1"} - {one.name for one in tmp_path.iterdir()}:
            sleep(0.01)
        assert not [*tmp_path.glob("rows-?-2")]
        rows.close()
    finally:
        signal.alarm(0)
        for reader in active_children():
            reader.kill()
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGTERM, unheeded)


def _events(log: Path) -> list[dict[str, Any]]:
    lines = log.read_text().splitlines()[1:]
    return [one for line in lines for one in json.loads(line).get("events", ())]


def test_the_tables_have_the_documented_columns_and_types(parquet: Path) -> None:
    for name, columns in TABLES.items():
        frame = pl.read_parquet(parquet / f"{name}.parquet")
        assert frame.columns == [one.name for one in columns]
        wanted = {"text": pl.String, "integer": pl.Int64, "flag": pl.Boolean, "date": pl.Date}
        for one in columns:
            kind = frame.schema[one.name]
            assert kind == wanted.get(one.unit, pl.Datetime("ms", "UTC")), one
    text = (ROOT / "docs" / "exports.md").read_text()
    for name, columns in TABLES.items():
        assert all(f"| `{one.name}` | {one.unit} | {one.says} |" in text for one in columns), name


def test_rounds_and_wagers_are_those_of_the_events(logs: list[Path], parquet: Path) -> None:
    events = [one for log in logs for one in _events(log)]
    counts = Counter(one["type"] for one in events)
    rounds = pd.read_parquet(parquet / "rounds.parquet")
    assert len(rounds[~rounds["simulated"]]) == counts["NoMoreBetsCalled"]
    announced = [one for one in events if one["type"] == "ResultAnnounced"]
    decided = rounds["winner"].dropna()
    assert len(decided) <= len(announced)
    wagers = pd.read_parquet(parquet / "wagers.parquet")
    settled = wagers[wagers["outcome"] != "correction"]
    paid = sum(
        one["cents"] for one in events if one["type"] in {"WagerPaid", "AwardPaid", "HandPayDue"}
    )
    assert settled["paid_cents"].sum() == paid
    vigorish = sum(
        one["cents"]
        for one in events
        if one["type"] == "VigorishMarked"
        or (one["type"] == "VigorishCollected" and not one["deferred"])
    )
    assert settled["vigorish_cents"].sum() == vigorish
    lost = sum(
        stake["cents"]
        for one in events
        if one["type"] in {"LosingWagersCollected", "StakesKept"}
        for stake in one["stakes"]
    )
    assert settled["net_cents"].sum() == paid - vigorish - lost


def test_duckdb_answers_from_parquet_and_from_its_own_file(logs: list[Path], parquet: Path) -> None:
    query = (
        "select r.winner, count(*) from {wagers} w join {rounds} r using (stream, round) "
        "where w.wager = 'tie' and w.outcome = 'win' and not r.simulated group by all"
    )
    named = {name: f"'{parquet / f'{name}.parquet'}'" for name in TABLES}
    from_parquet = duckdb.execute(query.format(**named)).fetchall()
    assert [winner for winner, _ in from_parquet] == ["tie"]
    file = parquet.parent / "table.duckdb"
    told_with(0, "export", *logs, "-o", file)
    with duckdb.connect(str(file), read_only=True) as database:
        assert database.execute(query.format(**{one: one for one in TABLES})).fetchall() == (
            from_parquet
        )


def test_every_format_has_the_same_rows(logs: list[Path], parquet: Path) -> None:
    folder, file = parquet.parent / "csv", parquet.parent / "table.sqlite"
    told_with(0, "export", *logs, "-o", folder, "--format", "csv")
    told_with(0, "export", *logs, "-o", file)
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("select format from export").fetchall() == [(FORMAT,)]
        for name in TABLES:
            frame = pl.read_parquet(parquet / f"{name}.parquet")
            rows = [*csv.reader((folder / f"{name}.csv").read_text().splitlines())]
            (count,) = database.execute(f"select count(*) from {name}").fetchone()  # noqa: S608
            assert len(rows) - 1 == count == frame.height


@pytest.mark.parametrize("form", ["parquet", "csv", "sqlite", "duckdb"])
def test_an_export_that_breaks_off_closes_its_files(form: str, tmp_path: Path) -> None:
    if form in {"parquet", "csv"}:
        opened = export_to_files(files(tmp_path, [*TABLES], form), form)
    else:
        opened = export_to_database(tmp_path / f"tables.{form}", [*TABLES], form)
    written: list[ExportInProgress] = []

    def break_off() -> None:
        with opened as export:
            written.append(export)
            assert open_in(tmp_path)
            raise ChangedLogError

    with pytest.raises(ChangedLogError):
        break_off()
    assert (written[0].counts.keys(), open_in(tmp_path)) == (TABLES.keys(), [])


def open_in(folder: Path) -> list[Path]:
    """Return the files in a folder that this process has open."""
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(descriptor.readlink())
    return [one for one in found if folder in one.parents]


def test_the_postings_sum_to_zero_by_entry_and_to_the_ledger_by_account(
    logs: list[Path], parquet: Path
) -> None:
    postings = pl.read_parquet(parquet / "postings.parquet")
    sums = postings.group_by("stream", "entry", "event").agg(pl.col("cents").sum())
    assert sums["cents"].abs().sum() == 0
    for log, (stream,) in zip(
        logs, postings.select("stream").unique(maintain_order=True).rows(), strict=True
    ):
        balances = json.loads(told_with(0, "ledger", log, "--format", "json").stdout)["balances"]
        own = (
            postings.filter(pl.col("stream") == stream)
            .group_by("account")
            .agg(pl.col("cents").sum())
        )
        assert {one: cents for one, cents in own.rows() if cents} == {
            one: cents for one, cents in balances.items() if cents
        }


def test_an_irregularity_is_found_with_its_card_and_clauses(parquet: Path) -> None:
    found = pl.read_parquet(parquet / "irregularities.parquet")
    held = found.filter(pl.col("event").is_in(["CardDrawnInError", "CardHeld"]))
    assert held.height > 0
    assert held["card"].null_count() == 0
    assert all(held["clauses"].to_list())
    assert json.loads(held["fields"][0])["card"] == held["card"][0]


def test_one_table_fits_into_one_file(logs: list[Path], tmp_path: Path) -> None:
    told_with(2, "export", *logs, "-o", tmp_path / "x.parquet")
    told_with(0, "export", *logs, "-o", tmp_path / "x.parquet", "--tables", "rounds")
    told_with(2, "export", *logs, "-o", tmp_path / "x.parquet", "--tables", "rounds")
    told_with(0, "export", *logs, "-o", tmp_path / "x.parquet", "--tables", "rounds", "--force")
    told_with(2, "export", *logs, "-o", tmp_path / "y", "--tables", "round")


def test_a_changed_log_is_exported_nowhere(logs: list[Path], tmp_path: Path) -> None:
    lines = logs[0].read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"".join([*lines[:50], *lines[51:]]))
    done = told_with(1, "export", changed, "-o", tmp_path / "out")
    assert f"{changed}:51:" in done.output
    assert [one.name for one in tmp_path.iterdir()] == ["changed.jsonl"]


def test_every_table_of_a_store_is_exported(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    for name, seed in (("A", 1), ("B", 2)):
        told_with(0, "deal", HOUSE, "--seed", seed, "-o", store, "--table", name, "--quiet")
    told_with(0, "export", store, "-o", tmp_path / "out")
    assert pl.read_parquet(tmp_path / "out" / "rounds.parquet")["stream"].n_unique() == 2


def test_the_number_of_processes_changes_no_byte(logs: list[Path], tmp_path: Path) -> None:
    several = [*logs, *sorted((ROOT / "tests" / "data" / "logs").glob("nj-*.gz")), EDITION]
    for form in ("parquet", "csv"):
        for threads in (1, 2, 4):
            told_with(0, "export", *several, "-o", tmp_path / f"{form}-{threads}",
                      "--format", form, "--threads", threads)  # fmt: skip
        for name in TABLES:
            one, two, four = (
                (tmp_path / f"{form}-{threads}" / f"{name}.{form}").read_bytes()
                for threads in (1, 2, 4)
            )
            assert one == two == four, name


def test_a_changed_log_ends_an_export_by_several_processes(
    logs: list[Path], tmp_path: Path
) -> None:
    lines = logs[0].read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"".join([*lines[:50], *lines[51:]]))
    words = ("export", EDITION, logs[1], changed, "-o", tmp_path / "out", "--threads", 3)
    assert f"{changed}:51:" in told_with(1, *words).output
    assert [one.name for one in tmp_path.iterdir()] == ["changed.jsonl"]
    missing = tmp_path / "empty.jsonl"
    missing.write_bytes(b"")
    told_with(2, "export", *logs, missing, "-o", tmp_path / "out", "--threads", 3)


def test_a_copy_of_a_database_is_exported_as_its_records_are(tmp_path: Path) -> None:
    store, copy = tmp_path / "pit.sqlite", tmp_path / "copy.sqlite"
    for name, seed in (("A", 1), ("B", 2)):
        told_with(0, "deal", HOUSE, "--seed", seed, "-o", store, "--table", name, "--quiet")
    database = cluster().database()
    told_with(0, "store", "restore", store, database)
    told_with(0, "store", "backup", database, copy)
    told_with(0, "export", store, "-o", tmp_path / "one")
    told_with(0, "export", copy, "-o", tmp_path / "two")
    for name in TABLES:
        assert pl.read_parquet(tmp_path / "one" / f"{name}.parquet").equals(
            pl.read_parquet(tmp_path / "two" / f"{name}.parquet")
        )


def entry_of(seq: int, command: acts.Command, events: tuple[acts.Event, ...]) -> LoggedEntry:
    at = "2011-02-22T12:00:00.000Z"
    return LoggedEntry(seq, "0" * 64, at, [], None, None, command, events)


def test_a_void_simulated_round_is_no_round_with_wagers() -> None:
    """It has no number, and is not the round before it again."""
    session = ready(1, irregularity__disclosed_card="simulated-round")
    shoe = replace(session.state.shoe, remaining=1, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    tables = LogTables(new_header(session.rules, "given"))
    round_before = (
        acts.NoMoreBetsCalled(7, "No More Bets", ()),
        acts.LayoutCleared(7, (), (), simulated=False, counted=True, clauses=()),
    )
    played: list[tuple[acts.Event, ...]] = []
    for seq, command in enumerate((
        acts.DrawCardInError(Card.of("8h"), disclosed=True),
        acts.BeginSimulatedRound(),
        acts.VoidRound(),
    ), start=8):  # fmt: skip
        events = tuple(session.execute(command))
        played.append(events)
        tables.follow(entry_of(seq, command, events))
    (row,) = zip(*tables.take()["rounds"], strict=True)
    found = dict(zip((one.name for one in TABLES["rounds"]), row, strict=True))
    assert (found["simulated"], found["void"], found["first_entry"]) == (True, True, 9)
    assert [one.number for one in rounds_of([round_before, *played], session.rules)] == [7]


def test_a_stake_returned_before_the_call_is_no_wager_of_the_round_after() -> None:
    session = ready(1)
    wager(session, (1, "player", 5000))
    command = acts.FindWrongCard("damaged", "Flo")
    events = tuple(session.execute(command))
    assert any(isinstance(one, acts.StakesReleased) for one in events)
    called = acts.NoMoreBetsCalled(1, "No More Bets", ())
    cleared = acts.LayoutCleared(1, (), (), simulated=False, counted=True, clauses=())
    tables = LogTables(new_header(session.rules, "given"))
    tables.follow(entry_of(8, command, events))
    tables.follow(entry_of(9, acts.CallNoMoreBets(), (called,)))
    tables.follow(entry_of(10, acts.ClearLayout(), (cleared,)))
    assert not any(tables.take()["wagers"])


def test_an_irregularity_has_the_dealer_of_its_moment() -> None:
    """What a later event of the same entry changes is not yet so."""
    tables = LogTables(new_header(ready(1).rules, "given"))
    tables.follow(entry_of(8, acts.CallNoMoreBets(), (
        acts.OfficeAssigned("dealer", "Dana", ()),
        acts.CardHeld(Card.of("8h"), ()),
        acts.OfficeAssigned("dealer", "Flo", ()),
    )))  # fmt: skip
    (row,) = zip(*tables.take()["irregularities"], strict=True)
    found = dict(zip((one.name for one in TABLES["irregularities"]), row, strict=True))
    assert (found["event"], found["dealer"]) == ("CardHeld", "Dana")
