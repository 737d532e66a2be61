"""How fast logs are exported, next to verifying the same logs.

    .venv/bin/python bench/export.py [--tables 64] [--entries 47000] [--processes 1 2] [--log LOG]

Deals a log of so many entries, unless one is given, and exports it once for each table of a day, as
Parquet. Prints the seconds of processor for each entry, as multiples of verifying; the seconds on
the clock by so many processes; the most memory that any process took; and the seconds in which
DuckDB answers each question of docs/questions-in-sql.md over the export.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import tempfile
import time
from pathlib import Path

import duckdb

from croupier.records.export.tables import TABLES
from croupier.records.export.writing import ExportJob, export_to_files, files, read_rows
from croupier.verify import verify_log
from log import deal
from yardstick import print_yardstick

QUESTIONS = Path(__file__).parents[1] / "docs" / "questions-in-sql.md"


def export(path: Path, tables: int, processes: int, folder: Path) -> tuple[float, float, int]:
    """Export a log so many times; return seconds on the clock, of processor, and entries."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    job = ExportJob([(path, None)] * tables, tuple(TABLES), "parquet")
    with export_to_files(files(folder, job.tables, job.form), job.form) as written:
        for _, rows in read_rows(job, processes, folder):
            written.add(rows)
    seconds = time.perf_counter() - start
    return seconds, sum(os.times()[:4]) - before, written.counts["entries"]


def questions(folder: Path) -> None:
    """Print how long DuckDB takes for each question."""
    text = QUESTIONS.read_text(encoding="utf-8")
    views, *queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    database = duckdb.connect()
    database.execute(views.replace("build/audit", str(folder)))
    for title, query in zip(re.findall(r"^## (.*)$", text, re.MULTILINE), queries, strict=True):
        start = time.perf_counter()
        database.execute(query).fetchall()
        print(f"  {time.perf_counter() - start:6.2f} s  {title}")


def measure(path: Path, tables: int, counts: list[int], folder: Path) -> None:
    """Verify and export, and print both."""
    start = time.process_time()
    verdict = verify_log(path)
    each = (time.process_time() - start) / verdict.entries
    print(f"verified by 1: {1e6 * each:.0f} us of processor for each entry")
    for processes in counts:
        seconds, processor, entries = export(path, tables, processes, folder)
        memory = sum(
            resource.getrusage(whose).ru_maxrss // 1024
            for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)[: 1 + (processes > 1)]
        )
        print(
            f"exported by {processes}: {entries:,} entries in {seconds:.1f} s,"
            f" {each * entries / seconds:.1f} times as fast as verifying by 1;"
            f" {1e6 * processor / entries:.0f} us of processor for each,"
            f" {each * entries / processor:.1f} times as fast as verifying; {memory} MB"
        )
    print("DuckDB:")
    questions(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--entries", type=int, default=47_000)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--log", type=Path)
    asked = parser.parse_args()
    print_yardstick()
    with tempfile.TemporaryDirectory() as name:
        path = asked.log or Path(name) / "table.jsonl"
        if asked.log is None:
            deal(path, asked.entries)
        measure(path, asked.tables, asked.processes, Path(name))
