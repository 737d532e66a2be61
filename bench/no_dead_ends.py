"""Lets patrons come, go, delay and refuse, and has the staff close the table all the same.

    .venv/bin/python bench/no_dead_ends.py [--steps 1000000] [--seed 1] [--law ID]... [--verify]

Submissions are drawn at random under every text that a table can be dealt under. At each table
anything is done that it takes, slips of the dealer too; after one step in ten the staff alone
brings a copy of the table to its close. A table that it cannot close ends the run with status 1
and shows what led there. With ``--verify`` each table is recorded, and so does a record that does
not verify.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, seed, settings
from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from croupier.law.resolve import instruments  # noqa: E402  (it lies with the tests)
from croupier.records.entry import SteppedClock  # noqa: E402
from croupier.rules import TableRules, submission_of, table_rules  # noqa: E402
from support.logs import recorded  # noqa: E402
from support.random_submissions import Tables, legal  # noqa: E402
from support.uncooperative import DeadEndError, Walk  # noqa: E402
from support.verified import verify_log  # noqa: E402

STEPS_A_TABLE = 2_500


def one_law(
    law_id: str, steps: int, start: int, uncited: dict[tuple[str, str], str], *, verify: bool
) -> tuple[int, int, int]:
    """Walk under one text; return steps, closings and tables; note what cites nothing."""
    law = next(one for one in instruments() if one.id == law_id and not one.partial)
    taken, closings, tables = 0, 0, 0
    # Raised where the drawing is over: it would show the whole law with it.
    ends: list[DeadEndError] = []

    @seed(start)
    @settings(
        max_examples=max(1, steps // STEPS_A_TABLE),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(elections=legal(law))
    def walk(elections: Tables) -> None:
        nonlocal taken, closings, tables
        if taken >= steps or ends:
            return
        submission = replace(submission_of(elections), limits=None)
        rules = table_rules(submission)
        chance, this_many = random.Random(start + tables), min(STEPS_A_TABLE, steps - taken)
        walking = Walk(rules, chance)
        try:
            if verify:
                walking = _verified(rules, chance, this_many)
            else:
                walking.go(this_many)
        except DeadEndError as error:
            ends.append(error)
        for kind, message in walking.uncited.items():
            uncited.setdefault(kind, f"{law_id}: {message}")
        taken, closings, tables = taken + walking.steps, closings + walking.closings, tables + 1

    while taken < steps:
        walk()
        if ends:
            raise ends[0]
        start += 1
    return taken, closings, tables


def _verified(rules: TableRules, chance: random.Random, steps: int) -> Walk:
    """Walk at a table that is recorded, and verify the record."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        with recorded(path, rules) as writer:
            walking = Walk(rules, chance, SteppedClock(step=timedelta(seconds=40)), writer)
            walking.go(steps)
        verdict = verify_log(path)
    # That an award was withheld is true of a walk that gave up a value which was hit.
    accused = [one for one in verdict.findings if one.fails and one.kind != "withheld"]
    if verdict.divergence or accused:
        raise DeadEndError(f"the record does not verify: {verdict.divergence} {accused}")
    return walking


def main() -> int:
    """Walk under every text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    whole = sorted({one.id for one in instruments() if not one.partial})
    parser.add_argument("--law", action="append", choices=whole)
    parser.add_argument("--verify", action="store_true")
    asked = parser.parse_args()
    laws = asked.law or whole
    total = 0
    uncited: dict[tuple[str, str], str] = {}
    for law_id in laws:
        began = time.perf_counter()
        try:
            taken, closings, tables = one_law(
                law_id, asked.steps // len(laws), asked.seed, uncited, verify=asked.verify
            )
        except DeadEndError as error:
            print(f"{law_id}: a dead end\n{error}", file=sys.stderr)
            return 1
        total += taken
        print(
            f"{law_id}: {taken:,} steps at {tables:,} tables, brought to their close {closings:,}"
            f" times, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    for (code, command), message in sorted(uncited.items()):
        print(f"cites nothing: {code}: {command}: {message}")
    print(f"{total:,} steps, no dead end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
