"""A long log is judged by several processes, with the verdict of one.

The tamperings of the other modules here are verified in pieces too: ``support.verified``.
"""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.records.header import LogError
from croupier.table.machine.position import Position, advanced
from croupier.verify import log, pieces
from croupier.verify.pieces import Piece, judged_in_order
from support.forged_logs import event_of, forged, has, play, read, where
from support.project import PLAIN, SUBMISSIONS
from support.verified import Inline, in_pieces, verify_log
from support.volume import spread


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return what says of each verification whether it was done in pieces to its end."""
    found: list[bool] = []
    true = log._judged_in_pieces  # noqa: SLF001  (the way that is watched)

    def watched(*arguments: Any) -> bool:
        found.append(False)
        found[-1] = true(*arguments)
        return found[-1]

    monkeypatch.setattr(log, "_judged_in_pieces", watched)
    return found


@pytest.mark.parametrize("submission", spread(SUBMISSIONS, 6), ids=lambda path: path.stem)
def test_the_pieces_of_every_submission_fit(
    tmp_path: Path, ways: list[bool], submission: Path
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, submission, rounds=12, patrons=2, dealer_errors=40)
    verdict = verify_log(path)
    assert verdict.is_clean
    assert verdict.entries > 20 * pieces.PIECE_LINES // 2000
    assert ways == [True]


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_processes_give_the_verdict_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[bool], processes: int
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, PLAIN, rounds=10)
    monkeypatch.setattr(pieces, "PIECE_LINES", 40)
    whole, parted = log.verify_log(path), log.verify_log(path, processes=processes)
    parted.header = whole.header
    assert parted == whole
    lines = read(path.read_bytes())
    for kind in ("WagersPlaced", "ResultAnnounced"):
        at_line = max(at for at, line in enumerate(lines[:-1]) if at and has(kind)(line))
        event_of(lines[at_line], kind)["clauses"] = []
        path.write_bytes(forged(lines))
        parted = log.verify_log(path, processes=processes)
        whole = log.verify_log(path)
        parted.header = whole.header
        assert parted == whole
        assert whole.divergence is not None
    assert ways == ([] if processes == 1 else [True, False, False])


def test_a_short_log_is_judged_without_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, PLAIN, rounds=1)
    monkeypatch.setattr(log, "pool", lambda _: pytest.fail("a process for a few lines"))
    assert log.verify_log(path, processes=4).is_clean


def test_what_follows_the_record_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[bool]
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, PLAIN, rounds=6)

    def wrong(position: Position, *more: Any) -> Position:
        after = advanced(position, *more)
        return Position(after.rules, after.state, after.ledger.opened(1), after.sequence)

    monkeypatch.setattr("croupier.verify.pieces.advanced", wrong)
    assert verify_log(path).is_clean
    assert ways == [False]


def test_an_error_of_reading_waits_for_the_lines_before_it(tmp_path: Path) -> None:
    path, packed = tmp_path / "table.jsonl", tmp_path / "table.jsonl.gz"
    play(path, PLAIN, rounds=6)
    whole = gzip.compress(path.read_bytes(), mtime=0)
    packed.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(LogError):
        verify_log(packed)
    lines = read(path.read_bytes())
    event_of(lines[where(lines, has("ChipsBought"))], "ChipsBought")["cents"] += 1
    whole = gzip.compress(forged(lines), mtime=0)
    packed.write_bytes(whole[: len(whole) // 2])
    assert verify_log(packed).divergence is not None


def dies(piece: Piece) -> None:
    """In place of the judge of a piece: the process is killed."""
    del piece
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_costs_time_and_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[bool]
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, PLAIN, rounds=6)
    monkeypatch.setattr(pieces, "PIECE_LINES", 60)
    monkeypatch.setattr(log, "_judge_piece", dies)
    assert log.verify_log(path, processes=2).is_clean
    assert ways == [False]


def test_a_process_of_a_pool_ends_by_no_handler_of_the_command() -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with pieces.pool(1) as executor:
            held = [
                executor.submit(signal.getsignal, number).result()
                for number in (signal.SIGTERM, signal.SIGINT)
            ]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert held == [signal.SIG_DFL, signal.SIG_IGN]


def test_few_pieces_are_in_memory_at_once() -> None:
    cut_so_far = [0]

    def endless() -> Iterator[Piece]:
        for _ in range(100):
            cut_so_far[0] += 1
            yield Piece(Path("table.jsonl"), b"", "", frozenset())

    judged = judged_in_order(lambda _: None, endless(), Inline(), 3)
    for number, _ in enumerate(judged, start=1):
        assert cut_so_far[0] - number <= 6


def test_a_log_of_one_line_too_many_says_so(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    play(path, PLAIN, rounds=4)
    whole = path.read_bytes()
    count = len(whole.splitlines())
    path.write_bytes(whole + whole.splitlines(keepends=True)[3])
    for lines in (5, count // 2, count - 2, count - 1, count):
        with pytest.raises(
            LogError, match=rf":{count + 1}: there are lines after the one that closes"
        ):
            in_pieces(path, lines=lines)
