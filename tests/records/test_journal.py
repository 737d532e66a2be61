"""The journal of a log: accounting programs read it and agree with the ledger."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from croupier import acts
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.rules import TableLayout, TableRules, read_submission, table_rules
from croupier.table.machine.session import TableSession
from support.command_line import told_with
from support.project import PLAIN, ROOT
from support.table import rules_of

LOGS = sorted((ROOT / "tests" / "data" / "logs").glob("*.gz"))


def _checker(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, check=False, text=True)  # noqa: S603


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_beancount_accepts_every_posting_and_the_closing_balances(
    log: Path, tmp_path: Path
) -> None:
    checker, path = _checker("bean-check"), tmp_path / "table.beancount"
    told_with(0, "ledger", log, "--format", "beancount", "-o", path)
    assert _run(checker, path).returncode == 0
    text = path.read_text()
    assert text.count(" balance ") >= 4
    # One cent less anywhere is found.
    line = next(one for one in text.splitlines() if one.endswith("5000.00 USD"))
    path.write_text(text.replace(line, line.replace("5000.00", "4999.99"), 1))
    assert _run(checker, path).returncode != 0


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_accounts_are_opened_in_one_order_in_every_process(log: Path, tmp_path: Path) -> None:
    books = set()
    for seed in "0123":
        path = tmp_path / f"{seed}.beancount"
        words = (sys.executable, "-m", "croupier", "ledger", log, "--format", "beancount")
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*words, "-o", path], env=environment, check=True)  # noqa: S603
        books.add(path.read_bytes())
    assert len(books) == 1


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_hledger_accepts_it_too(log: Path, tmp_path: Path) -> None:
    checker, path = _checker("hledger"), tmp_path / "table.journal"
    told_with(0, "ledger", log, "--format", "hledger", "-o", path)
    done = _run(checker, "-f", path, "check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_the_rows_of_each_entry_sum_to_zero_and_end_in_the_balances_of_the_ledger(
    log: Path,
) -> None:
    rows = [
        *csv.DictReader(told_with(0, "ledger", log, "--format", "journal-csv").stdout.splitlines())
    ]
    by_event: dict[tuple[str, str], int] = {}
    balances: dict[str, int] = {}
    for row in rows:
        key, cents = (row["entry"], row["event"]), int(row["cents"])
        by_event[key] = by_event.get(key, 0) + cents
        balances[row["account"]] = balances.get(row["account"], 0) + cents
    assert not any(by_event.values())
    told = json.loads(told_with(0, "ledger", log, "--format", "json").stdout)
    assert {one: cents for one, cents in balances.items() if cents} == {
        one: cents for one, cents in told["balances"].items() if cents
    }


def test_a_log_that_continues_another_begins_with_its_balances(tmp_path: Path) -> None:
    submission = ROOT / "submissions" / "ma-royal-9.toml"
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    told_with(0, "deal", submission, "--seed", 5, "-o", first, "--quiet")
    told_with(0, "deal", submission, "--seed", 6, "--continues", first, "-o", second, "--quiet")
    out = told_with(0, "ledger", second, "--format", "journal-csv").stdout
    assert out.splitlines()[1].split(",")[3] == "Opening balances"
    path = tmp_path / "second.beancount"
    told_with(0, "ledger", second, "--format", "beancount", "-o", path)
    assert _run(_checker("bean-check"), path).returncode == 0


def _day(log: Path, rules: TableRules, *boxes: str) -> None:
    """Record a gaming day on which each drop box but the last is removed and counted."""
    recorder, _ = begin_log(log, rules, shuffle="by hand")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    session.execute(acts.OpenTable(70_000_00, "Noor", "Piet", date(2011, 2, 22)))
    session.execute(acts.SeatPatron(6, "Marta"))
    for box, following in pairwise(boxes):
        session.execute(acts.BuyChips(6, 100_00))
        session.execute(acts.RemoveDrop(box, following))
    session.execute(acts.LeaveTable(6))
    session.execute(acts.CloseTable())
    closing = session.ledger.balance("inventory")
    session.execute(acts.CountInventory({1_00: closing // 100}, closing=True))
    recorder.finish()


@pytest.mark.parametrize(("checker", "words"), [("bean-check", ()), ("hledger", ("check", "-f"))])
def test_any_text_is_the_number_of_a_drop_box_and_the_name_of_a_table(
    checker: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    log, path = tmp_path / "log.jsonl", tmp_path / "journal"
    boxes = ("b 1", "B-1", "b  1", "é", "(b)", "17:2", "17:", "-", "a;1", "a\n2011-01-01 x", "8")
    _day(log, rules_of(TableLayout(table='T "1"\n2011-01-01 x')), *boxes)
    form = "beancount" if checker == "bean-check" else checker
    told_with(0, "ledger", log, "--format", form, "-o", path)
    done = _run(_checker(checker), *words, path)
    assert done.returncode == 0, done.stderr
    names = set(re.findall(r"\S*Table:Drop.Box:[^$\n]*?(?= {2})", path.read_text()))
    assert len(names) == len(boxes) - 1


def test_balances_carried_over_are_of_the_day_before_whatever_the_clock_says(
    tmp_path: Path,
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    _day(first, table_rules(read_submission(PLAIN)), "7", "8")
    opened = {"type": "OpenTable", "inventory_cents": 69_900_00, "dealer": "Noor"}
    commands = tmp_path / "commands.jsonl"
    commands.write_text(json.dumps(opened | {"floorperson": "Piet", "gaming_date": "2011-02-23"}))
    told_with(0, "run", PLAIN, commands, "--continues", first, "--log", second, "--quiet")
    path = tmp_path / "second.beancount"
    told_with(0, "ledger", second, "--format", "beancount", "-o", path)
    assert '2011-02-22 * "Opening balances"' in path.read_text()
    assert _run(_checker("bean-check"), path).returncode == 0
