"""The journal of a log: accounting programs read it and agree with the ledger."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import told_with
from support.project import ROOT

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
