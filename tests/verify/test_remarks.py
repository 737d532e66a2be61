"""What every event derives from, but cannot be right: days, times, and corrections of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from croupier.records.codec import dump, from_json
from croupier.verify.log import verify_log
from croupier.verify.verdict import Verdict
from support.command_line import told_with
from support.forged_logs import Line, does, forged, play, read, where
from support.texts import NJ_MINI


@pytest.fixture
def lines(tmp_path: Path) -> list[Line]:
    path = tmp_path / "dealt.jsonl"
    play(path, rounds=2)
    return read(path.read_bytes())


def judged(tmp_path: Path, lines: list[Line]) -> Verdict:
    path = tmp_path / "log.jsonl"
    path.write_bytes(forged(lines))
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.is_clean
    shown = told_with(0, "verify", path).stdout
    for one in verdict.findings:
        assert one.message[:30] in " ".join(shown.split())
    return verdict


def remarks(verdict: Verdict, kind: str) -> list[str]:
    return [one.message for one in verdict.findings if one.kind == kind]


def on_day(lines: list[Line], day: date) -> None:
    (was,) = {
        one["gaming_date"]
        for line in lines[1:]
        for one in line.get("events", ())
        if "gaming_date" in one
    }
    lines[1:] = from_json(dump(lines[1:]).replace(was.encode(), day.isoformat().encode()))


@pytest.mark.parametrize("days", [0, 366, 367, 5_754])
def test_a_gaming_day_long_after_the_last_known_day_of_the_text_is_remarked(
    tmp_path: Path, lines: list[Line], days: int
) -> None:
    """5,754 days after February 22, 2011 is November 24, 2026."""
    day = NJ_MINI + timedelta(days=days)
    on_day(lines, day)
    lines[0]["shuffle"] = "seed 5"
    found = remarks(judged(tmp_path, lines), "date")
    assert len(found) == (days > 366)
    assert all(f"the gaming day {day} is long after 2011-02-22" in one for one in found)


def moved(lines: list[Line], begin: str, when: Callable[[int], bool]) -> None:
    for at, line in enumerate(lines[1:-1]):
        if when(at):
            line["at"] = begin + line["at"][10:]


def test_times_far_from_the_gaming_day_are_remarked_unless_a_seed_dealt(
    tmp_path: Path, lines: list[Line]
) -> None:
    on_day(lines, NJ_MINI)
    lines[0]["shuffle"] = "given"
    for begin, is_near in (
        ("2011-02-22", True), ("2011-02-24", True), ("2011-02-25", False), ("2026-11-24", False),
        ("2000-01-01", False),
    ):  # fmt: skip
        moved(lines, begin, lambda _: True)
        found = remarks(judged(tmp_path, lines), "date")
        assert bool(found) != is_near, begin
        assert all("times do not lie near the gaming day 2011-02-22" in one for one in found)
    lines[0]["shuffle"] = "seed 5"
    assert remarks(judged(tmp_path, lines), "date") == []


def test_a_part_of_the_times_that_was_moved_is_remarked(tmp_path: Path, lines: list[Line]) -> None:
    on_day(lines, NJ_MINI)
    lines[0]["shuffle"] = "given"
    moved(lines, "2011-02-22", lambda _: True)
    moved(lines, "2009-02-22", lambda at: at < 20)
    (begun,) = remarks(judged(tmp_path, lines), "date")
    assert "2009-02-22" in begun
    moved(lines, "2011-02-22", lambda at: at < 20)
    moved(lines, "2012-02-22", lambda at: at > 20)
    (ended,) = remarks(judged(tmp_path, lines), "date")
    assert "2012-02-22" in ended


def test_what_corrects_an_entry_of_another_kind_is_remarked(
    tmp_path: Path, lines: list[Line]
) -> None:
    draws = [at for at, line in enumerate(lines) if "command" in line and does("DrawCard")(line)]
    first, last = draws[0], draws[-1]
    opening = where(lines, does("OpenTable"))
    lines[last]["corrects"] = first
    assert remarks(judged(tmp_path, lines), "corrects") == []
    lines[last]["corrects"] = opening
    expected = f"entry {last}, DrawCard, says that it corrects entry {opening}, which is OpenTable"
    assert remarks(judged(tmp_path, lines), "corrects") == [expected]
    path = tmp_path / "log.jsonl"
    assert remarks(verify_log(path, processes=2), "corrects") == [expected]


@pytest.mark.parametrize(
    "at", ["9999-12-31T23:59:59.000-12:00", "2011-02-22T12:00:00.000", "0001-01-01T00:00:00+10:00"]
)
def test_a_time_that_no_clock_can_show_in_utc_is_a_divergence(
    tmp_path: Path, lines: list[Line], at: str
) -> None:
    lines[5]["at"] = at
    path = tmp_path / "log.jsonl"
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (6, "time")
