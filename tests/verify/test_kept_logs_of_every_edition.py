"""A log of every submission, dealt with dealer errors by the program of its edition, conforms.

``tests/data/logs/editions`` has some rounds of each, closed early. They are never made anew; a new
edition of a law file gets one more.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

import pytest

from croupier.law.editions import editions
from croupier.law.resolve import instruments
from support.forged_logs import read
from support.project import ROOT, SUBMISSIONS
from support.verified import verify_log

KEPT: Final = sorted((ROOT / "tests" / "data" / "logs" / "editions").glob("*.gz"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_a_kept_log_conforms_under_its_edition(path: Path) -> None:
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.is_clean
    assert not verdict.is_open
    assert verdict.rounds >= 10
    assert f".edition-{verdict.header.edition}." in path.name
    corrections = {one.of[0] for one in verdict.header.rules.law.corrections if one.binds}
    assert all({*one.corrections} <= corrections for one in verdict.differences)


def test_there_is_a_kept_log_of_every_submission() -> None:
    kept = {path.name.partition(".")[0] for path in KEPT}
    assert kept == {path.stem for path in SUBMISSIONS}


def test_there_is_a_kept_log_of_every_edition() -> None:
    complete = {law.key for law in instruments() if not law.partial}
    known = {(one.law, one.edition) for one in editions() if one.law in complete}
    headers = [read(gzip.decompress(path.read_bytes()))[0] for path in KEPT]
    assert {(f"{one['law']}@{_in_force(one)}", one["edition"]) for one in headers} == known


def _in_force(header: dict[str, object]) -> str:
    found = (one for one in instruments() if one.id == header["law"] and not one.partial)
    return str(next(found).in_force_from)


def test_a_reading_that_was_counted_as_binding_is_still_read() -> None:
    """C78 was among what binds a table for some time; both kinds of logs are honest."""
    named = {
        path.name: "C78" in read(gzip.decompress(path.read_bytes()))[0]["readings"]
        for path in KEPT
        if path.name.startswith("ma-house-money.")
    }
    assert named == {
        "ma-house-money.edition-1.jsonl.gz": False,
        "ma-house-money.edition-5.jsonl.gz": True,
    }
