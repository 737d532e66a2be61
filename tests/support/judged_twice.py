"""Files of rounds judged by compiled loops and at length, and what both say of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

from croupier.baccarat.coup import Facts
from croupier.files import lines as lines_of_files
from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.audit import audit_file
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerifiedRound
from croupier.verify.rounds.verifier import RecordVerifier
from support.project import ROOT
from support.volume import volume

compiled = pytest.importorskip("croupier.verify.rounds.compiled")

NJ: Final = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))

some = settings(
    max_examples=volume(15, 3, most=50),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


CELLS: Final = [
    "", "0", "00", "1", "01", "-1", "9", "25", "25.0", "25.00", "25.000", "25.5", "25.555", "-25.0",
    "+25", "$25", ".5", "5.", "-.5", "1e3", "123456789", "1234567.89", "99999999999", " 25", "25 ",
    "P", "p", "player", "Punto", "tie", "T", "B wins", "9h Kd", "9h  Kd", "9h Kd 2c", "9hKd2c",
    "10h Kd", "9H Kd", "9 K", "9h Kd 2c 3d", "-", "- -", "void", "simulated", "a", "x" * 70,
]  # fmt: skip


def judged(
    path: Path, mapping: RoundMapping | None, judge: Callable[[], None], rules: TableRules = NJ
) -> Any:
    """Return all that a file's verdict says, and its report, by one way of judging."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", 0)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        patch.setattr(file, "census_data", counted_alone)
        # Parts of a file meet at many places.
        patch.setattr(lines_of_files, "_BLOCK", 1 << 10)
        patch.setattr(lines_of_files, "_PIECE", 1 << 11)
        judge_by(patch, judge)
        try:
            verdict = verify_file(path, rules, mapping, limit=1_000).as_data()
            return verdict, audit_file(path, rules, None, mapping, shoes=4)
        except FileError as error:
            return str(error)


def counted_alone(
    _rules: TableRules, counted: dict[Facts, int], *_of_cards: object, suited: bool
) -> Any:
    """Return how often each facts came, without the law beside it, which takes long."""
    found: Counter[tuple[Any, ...]] = Counter()
    for facts, number in counted.items():
        found[facts[:6]] += number
    return {"rounds": sorted(found.items()), "runs": None, "wagers": [], "classes": [],
            "chi_square": None, "tests": 0, "warning": str(suited)}  # fmt: skip


def judge_by(patch: pytest.MonkeyPatch, judge: Callable[[], None]) -> None:
    """Have files judged by one way alone."""
    if judge is at_length:
        patch.setattr(CachedVerifier, "takes", lambda *_: False)
    if judge is not by_bytes:
        patch.setattr(compiled, "takes", lambda *_: False)


def by_bytes() -> None:
    """Judge by compiled loops."""


def by_cells() -> None:
    """Judge by what is remembered of cells."""


def at_length() -> None:
    """Judge every round at length."""


def agree(
    path: Path, data: bytes, mapping: RoundMapping | None = None, rules: TableRules = NJ
) -> Any:
    """Judge a file by compiled loops, and hold that to what is found at length."""
    path.write_bytes(data)
    found = judged(path, mapping, by_bytes, rules)
    assert found == judged(path, mapping, at_length, rules)
    return found


def passed_of(path: Path, mapping: RoundMapping | None = None) -> int:
    """Return how many rounds compiled loops pass without the judge."""
    lengthy = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", 0)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        judge = RecordVerifier.verify

        def seen(self: RecordVerifier, item: RoundRecord | Unreadable) -> VerifiedRound | None:
            lengthy.append(item.line)
            return judge(self, item)

        patch.setattr(RecordVerifier, "verify", seen)
        verdict = verify_file(path, NJ, mapping)
    assert verdict.is_clean, verdict.divergences[:2]
    return verdict.rounds - len(lengthy)


def swapped(rows: list[str], chance: random.Random) -> list[str]:
    """Move, drop, repeat and interleave rows."""
    for _ in range(4):
        at, to = chance.randrange(1, len(rows)), chance.randrange(1, len(rows))
        match chance.randrange(4):
            case 0:
                rows.insert(to, rows.pop(at))
            case 1:
                del rows[at]
            case 2:
                rows.insert(to, rows[at])
            case _:
                rows[at:at] = [""] * chance.randrange(3)
    return rows
