"""No command that reads a table log ignores a broken chain of seals, whatever was done to the log.

What was sealed again throughout fits its chain: only the commands that derive every event again
can find it, and the table of changes says which these are.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from click.testing import Result
from jsonschema_rs import Draft202012Validator

from croupier.api.records import verify_log
from croupier.cli.common.schema import SCHEMAS
from croupier.records.entry import SteppedClock
from croupier.records.header import LogError
from croupier.records.log import begin_log
from croupier.records.reader import LogReader
from croupier.rules import read_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from support.changed_logs import CHANGES, Found
from support.command_line import croupier
from support.forged_logs import play
from support.project import PLAIN, ROOT

TEXT: Final = (("explain", "LOG", "--round", "1"), ("ledger", "LOG"))
JSON: Final = (
    ("explain", "LOG", "--round", "1", "--format", "json"),
    ("ledger", "LOG", "--format", "json"),
)
FILES: Final = (
    ("explain", "LOG", "--round", "1", "--report", "OUT.json", "--force"),
    ("ledger", "LOG", "--format", "csv"),
    ("explain", "LOG", "--time", "12:00", "--format", "json"),
)
GOING_ON: Final = (
    ("deal", PLAIN, "--resume", "LOG", "--seed", "1", "--quiet"),
    ("run", PLAIN, "-", "--resume", "LOG"),
    ("deal", PLAIN, "--continues", "LOG", "--log", "NEW", "--seed", "1", "--quiet", "--force"),
    ("run", PLAIN, "-", "--continues", "LOG", "--log", "NEW"),
    ("table", PLAIN, "--log", "LOG", "--as", "A (dealer)"),
    ("odds", "--log", "LOG"),
)
JUDGING: Final = (
    ("verify", "LOG"),
    ("verify", "LOG", "--format", "json"),
    ("audit", "LOG", "-o", "OUT.json", "--force"),
    ("replay", "LOG", "-o", "OUT.html", "--force", "--round", "1"),
)
CONTINUES: Final = GOING_ON[2:4]
SHAPES: Final = {
    name: Draft202012Validator(SCHEMAS[name]()) for name in ("round", "ledger", "draws")
}


def named(*kinds: Found) -> list[str]:
    return [name for name, one in CHANGES.items() if one.found in kinds]


@cache
def whole() -> bytes:
    """Return a log of two rounds, closed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        play(path, rounds=2)
        return path.read_bytes()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def changed(log: Path, name: str) -> bytes:
    """Write the log with a change, and return its bytes."""
    data = CHANGES[name].change(whole())
    assert data != whole()
    log.write_bytes(data)
    return data


def results(log: Path, *commands: tuple[object, ...]) -> Iterator[tuple[str, Result]]:
    """Run commands on a log. Whatever it is, none may break down, nor change it."""
    data = log.read_bytes()
    places = {
        "LOG": log, "NEW": log.with_name("new.jsonl"),
        "OUT.json": log.with_name("out.json"), "OUT.html": log.with_name("out.html"),
        "OUT.csv": log.with_name("out.csv"),
    }  # fmt: skip
    for words in commands:
        result = croupier(*(places.get(str(word), word) for word in words), text="")
        yield f"{' '.join(map(str, words))}: {result.output}", result
        assert log.read_bytes() == data or "--resume" in words


@pytest.mark.parametrize("name", named(Found.CHAIN))
def test_a_broken_chain_is_reported_before_anything_is_shown(name: str, log: Path) -> None:
    changed(log, name)
    line = CHANGES[name].line or LogReader(log).data()["faults"][0]["line"]
    first = f"WARNING: line {line}: this record was changed: "
    came = [*results(log, *TEXT, *JSON, *FILES)]
    for told, result in came:
        assert result.exit_code in {1, 2}, told
        assert result.stderr.startswith(first), told
        # A part that cannot be read is named, too.
        assert result.exit_code == 1 or f"{log}" in result.stderr, told
    for told, result in came[: len(TEXT)]:
        assert result.stdout.startswith(first), told
    printed = came[len(TEXT) : len(TEXT) + len(JSON)]
    for (told, result), schema in zip(printed, ("round", "ledger"), strict=True):
        if result.exit_code == 1:
            document = json.loads(result.stdout)
            SHAPES[schema].validate(document)
            record = document["record"]
            assert (record["chain"], record["faults"][0]["line"]) == ("broken", line), told


@pytest.mark.parametrize("name", named(Found.CHAIN))
def test_who_judges_a_log_finds_every_broken_chain(name: str, log: Path) -> None:
    changed(log, name)
    for told, result in results(log, *JUDGING):
        assert result.exit_code in {1, 2}, told
    assert not judged_clean(log)


def judged_clean(log: Path) -> bool:
    try:
        return verify_log(log).is_clean
    except LogError:
        return False


@pytest.mark.parametrize("name", named(Found.CHAIN, Found.REFUSED))
def test_nothing_goes_on_from_a_broken_chain(name: str, log: Path) -> None:
    changed(log, name)
    for told, result in results(log, *GOING_ON):
        assert result.exit_code in {1, 2}, told
        assert "line " in result.stderr or f"{log}" in result.stderr, told
        assert not log.with_name("new.jsonl").exists(), told


@pytest.mark.parametrize("name", named(Found.REFUSED))
def test_what_is_no_log_is_refused(name: str, log: Path) -> None:
    changed(log, name)
    for told, result in results(log, *TEXT, *JSON, *FILES, *JUDGING):
        assert result.exit_code == 2, told
        assert f"{log}" in result.stderr, told


@pytest.mark.parametrize("name", named(Found.RULES))
def test_what_was_sealed_again_is_found_by_deriving_it_again(name: str, log: Path) -> None:
    """The other readers cannot see it: what they show is what a forger sealed."""
    changed(log, name)
    for told, result in results(log, *JUDGING, *CONTINUES):
        assert result.exit_code == 1, told
    assert not LogReader(log).is_broken
    for told, result in results(log, *TEXT, *JSON, *FILES, GOING_ON[-1]):
        assert result.exit_code in {0, 1, 2}, told
        assert "WARNING" not in result.stderr, told
        assert result.exit_code != 2 or f"{log}" in result.stderr, told


@pytest.mark.parametrize("name", named(Found.NOBODY))
def test_what_only_a_head_can_tell_breaks_no_reader(name: str, log: Path) -> None:
    changed(log, name)
    assert not LogReader(log).is_broken
    of_law = 0
    for told, result in results(log, *TEXT, *JSON, *FILES, *JUDGING, *GOING_ON[-1:]):
        assert result.exit_code in {0, 1, 2}, told
        warnings = result.stderr.split("WARNING: ")[1:]
        assert all("was recorded under another law file" in one for one in warnings), told
        of_law += len(warnings)
    assert (of_law > 0) == (name in {"another edition", "another law hash"})


@pytest.mark.parametrize("name", named(Found.WHOLE))
def test_an_open_log_is_not_a_broken_one(name: str, log: Path) -> None:
    changed(log, name)
    is_open = not name.startswith("compressed")
    for told, result in results(log, ("verify", "LOG"), ("audit", "LOG"), *TEXT[1:], *JSON[1:]):
        assert result.exit_code == 0, told
        assert not result.stderr, told
    (_, text), (_, document) = results(log, *TEXT[1:], *JSON[1:])
    record = json.loads(document.stdout)["record"]
    assert (record["chain"], record["open"]) == ("intact", is_open)
    assert (record["torn_line"] is not None) == (name == "cut in a line")
    assert ("still open" in " ".join(text.stdout.split())) == is_open


def test_the_program_as_it_wrote_its_logs_finds_no_fault_in_them() -> None:
    """Older versions wrote fewer fields, and other versions of events."""
    for path in sorted((ROOT / "tests/data/logs").glob("*.gz")):
        assert not LogReader(path).is_broken, path


def test_a_log_is_not_resumed_if_a_line_before_its_snapshot_was_changed(log: Path) -> None:
    """A snapshot spares reading what comes before it: that must not spare the check."""
    rules = table_rules(read_submission(PLAIN))
    recorder, _ = begin_log(log, rules, shuffle="by hand")
    recorder.every = 10
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    Autopilot(session, Chance(1), patrons=2).open(rules.submission.on)
    recorder.close()
    assert log.with_name(f"{log.name}.state").exists()
    words = ("run", PLAIN, "-", "--resume", "LOG")
    ((told, result),) = results(log, words)
    assert result.exit_code == 0, told
    lines = log.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"seq":3,', b'"seq":4,')
    log.write_bytes(b"".join(lines))
    ((told, result),) = results(log, words)
    assert result.exit_code == 1, told
    assert result.stderr.startswith("WARNING: line 4: this record was changed: "), told
    assert log.read_bytes() == b"".join(lines)


def test_a_changed_line_of_a_store_is_reported(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    words = ("deal", PLAIN, "--seed", "3", "--patrons", "1", "--log", store, "--quiet")
    assert croupier(*words).exit_code == 0
    with closing(sqlite3.connect(store)) as inside:
        for (name,) in inside.execute("select name from sqlite_master where type = 'trigger'"):
            inside.execute(f'drop trigger "{name}"')
        (line,) = inside.execute("select content from line where number = 20").fetchone()
        changed_line = line.replace(b'"seq":20,', b'"seq":21,')
        assert changed_line != line
        inside.execute("update line set content = ? where number = 20", (changed_line,))
        inside.commit()
    for told, result in results(store, *TEXT):
        assert result.exit_code == 1, told
        assert result.stderr.startswith("WARNING: line 21: this record was changed: "), told
    result = croupier("store", "check", store)
    assert (result.exit_code, "line 21" in result.output) == (1, True)


def test_draws_are_not_proven_from_a_changed_log(log: Path) -> None:
    kept = gzip.decompress((ROOT / "tests/data/logs/ma-royal-9.format-2.jsonl.gz").read_bytes())
    lines = kept.splitlines(keepends=True)
    log.write_bytes(b"".join((*lines[:50], *lines[51:])))
    for words in (("draw", "verify", "LOG"), ("draw", "verify", "LOG", "--format", "json")):
        ((told, result),) = results(log, words)
        assert result.exit_code == 1, told
        assert result.stderr.startswith("WARNING: line 51: this record was changed: "), told
    document = json.loads(result.stdout)
    SHAPES["draws"].validate(document)
    assert document["record"]["chain"] == "broken"


def test_a_table_is_not_compared_with_a_changed_log(log: Path) -> None:
    log.write_bytes(whole())
    other = log.with_name("other.jsonl")
    other.write_bytes(CHANGES["a line dropped"].change(whole()))
    ((told, result),) = results(log, ("verify", "LOG", "--beside", other))
    assert result.exit_code == 2, told
    assert f"{other}:41: this record was changed: " in result.stderr, told


def test_all_changed_lines_are_in_the_document_and_ten_are_shown(log: Path) -> None:
    lines = whole().splitlines(keepends=True)
    middle = [line.replace(b'"corrects":null', b'"corrects":1') for line in lines[1:31]]
    log.write_bytes(b"".join((lines[0], *middle, *lines[31:])))
    ((told, result),) = results(log, JSON[1])
    faults = json.loads(result.stdout)["record"]["faults"]
    assert [one["line"] for one in faults] == [*range(2, 32)], told
    warnings = result.stderr.splitlines()
    assert len(warnings) == 11
    assert warnings[-1] == "WARNING: 20 more lines of this record were changed"


@pytest.mark.parametrize("name", ["a negative amount", "an amount of 400 nines"])
def test_amounts_that_cannot_be_booked_are_named_by_their_line(name: str, log: Path) -> None:
    changed(log, name)
    line = next(
        number
        for number, one in enumerate(log.read_bytes().splitlines(), start=1)
        if b'"type":"ChipsBought"' in one
    )
    journals = (("ledger", "LOG", "--format", form) for form in ("beancount", "hledger"))
    exports = [("export", "LOG", "-o", "OUT.csv", "--tables", "postings", "--force")]
    exports *= name == "a negative amount"
    for told, result in results(log, TEXT[1], JSON[1], FILES[1], *journals, *exports):
        assert result.exit_code == 2, told
        assert f"{log}:{line}: the amounts of this entry cannot be booked" in result.stderr, told


def test_the_audit_of_a_day_before_the_law_is_written(log: Path) -> None:
    changed(log, "a gaming date before the law")
    ((told, result),) = results(log, JUDGING[2])
    assert result.exit_code == 1, told
    (found,) = json.loads(log.with_name("out.json").read_text(encoding="utf-8"))["divergences"]
    assert (found["line"], found["found"]["gaming_date"]) == (2, "1900-01-01")
