"""An event names a line that the table's rules treat separately, and a win is else a win."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.verify.log import verify_log
from support.forged_logs import Line, event_of, forged, has, play, read, where
from support.games import advance
from support.logs import recorded
from support.project import ROOT, SUBMISSIONS
from support.table import deal, only, open_table, rules_of, wager

OLDER: Final = ROOT / "tests" / "data" / "logs" / "nj-minibaccarat.format-2.jsonl.gz"
PAID_OTHERWISE: Final = {
    "ny-mini-six-pays-half.toml": {("win_with_six", "1:2"), ("win", "1:1")},
    "ny-mini-ez.toml": {("dragon_7", ""), ("win", "1:1")},
    "ny-mini.toml": {("win", "1:1")},
}
CORRECTED: Final = "SettlementCorrected"


def banker_lines(lines: list[Line]) -> Iterator[tuple[str, str]]:
    """Yield the line and odds of each Banker wager paid, and each line of those returned."""
    for event in (event for line in lines for event in line.get("events", ())):
        if event["type"] == "WagerPaid" and event["wager"] == "banker":
            yield event["line"], event["odds"]
        for stake in event["stakes"] if event["type"] == "StakesReleased" else ():
            if stake["wager"] == "banker" and stake["line"] not in {"push", "win"}:
                yield stake["line"], "1:2" if stake["outcome"] == "win" else ""


@pytest.mark.parametrize("submission", PAID_OTHERWISE)
def test_events_name_the_lines_that_the_table_treats_separately(
    tmp_path: Path, submission: str
) -> None:
    path = tmp_path / "table.jsonl"
    (told,) = (one for one in SUBMISSIONS if one.name == submission)
    for seed in range(1, 4):
        play(path, told, seed=seed, patrons=6)
        found = set(banker_lines(read(path.read_bytes())))
        assert found <= PAID_OTHERWISE[submission]
        if found == PAID_OTHERWISE[submission]:
            return
    pytest.fail(f"no shoe had every line: {found}")


def changed(tmp_path: Path, kind: str, line: str, to: str, *, version: int) -> str:
    """Change the line of a Banker wager in an older log; return the kind of the divergence."""
    lines = read(gzip.decompress(OLDER.read_bytes()))
    entry = lines[where(lines, has("WagerPaid", wager="banker", line=line))]
    paid = [one for one in entry["events"] if one.get("line") == line and one["wager"] == "banker"]
    released = event_of(entry, "StakesReleased")
    stakes = [one for one in released["stakes"] if one["wager"] == "banker"]
    for one in paid if kind == "WagerPaid" else stakes:
        one["line"] = to
    for one in paid if kind == "WagerPaid" else [released]:
        one["v"] = version
    path = tmp_path / "table.jsonl"
    path.write_bytes(forged(lines))
    divergence = verify_log(path).divergence
    return "" if divergence is None else divergence.kind


@pytest.mark.parametrize("kind", ["WagerPaid", "StakesReleased"])
@pytest.mark.parametrize("line", ["dragon_7", "win_with_six", "win"])
def test_an_older_event_names_the_very_line(tmp_path: Path, kind: str, line: str) -> None:
    others = {"dragon_7", "win_with_six", "win"} - {line}
    assert not changed(tmp_path, kind, line, line, version=1)
    for other in others:
        assert changed(tmp_path, kind, line, other, version=1) == "event"


def test_a_correction_names_the_line_likewise(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with recorded(path, rules_of()) as writer:
        session = open_table(rules_of(), 3, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (3, "banker", 100_00))
        deal(session, "2h 7c 3d Ks Kh")
        session.execute(acts.SettleWagers())
        of = session.position.sequence
        session.execute(acts.ClearLayout())
        six = acts.CorrectSettlement(
            of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("6d")
        )
        (amount,) = only(session.execute(six), acts.SettlementCorrected).amounts
        session.execute(acts.LeaveTable(3))
        session.execute(acts.CloseTable())
    assert (amount.line, amount.cents, amount.vigorish_cents) == ("win", 0, 0)
    lines = [*read(path.read_bytes())]
    correction = event_of(lines[where(lines, has(CORRECTED))], CORRECTED)
    assert correction["v"] == 3
    for version, line, honest in (
        (3, "win", True), (2, "win_with_six", True),
        (3, "win_with_six", False), (2, "win", False), (2, "dragon_7", False),
    ):  # fmt: skip
        correction["v"] = version
        correction["amounts"][0]["line"] = line
        path.write_bytes(forged([*lines]))
        assert (verify_log(path).divergence is None) == honest, (version, line)


def test_no_event_of_today_names_a_line_that_is_paid_like_the_others(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    play(path, seed=1)
    lines = read(path.read_bytes())
    paid = event_of(lines[where(lines, has("WagerPaid", wager="banker"))], "WagerPaid")
    assert (paid["v"], paid["line"]) == (2, "win")
    paid["line"] = "win_with_six"
    path.write_bytes(forged(lines))
    divergence = verify_log(path).divergence
    assert divergence is not None
    assert "WagerPaid: line is 'win_with_six' but should be 'win'" in divergence.message
