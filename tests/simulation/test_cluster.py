"""A cluster plays the very blocks that threads play, also where a worker is lost on the way.

Schedulers and workers are real ones, processes on this machine. The engine leaves a mark wherever
it begins and ends a block, so that a test can see who played what, and whom to kill.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from croupier.rules import plain_submission, table_rules
from croupier.simulation import cluster
from croupier.simulation.cluster import ClusterError, on_cluster
from croupier.simulation.plan import Plan, plan_of
from croupier.simulation.played import Played
from croupier.simulation.runner import on_threads, run
from croupier.simulation.scalar import ScalarEngine

PLAN: Final = plan_of(table_rules(plain_submission("us-nj/minibaccarat")))
ROUNDS: Final = 2_000_000
PATIENCE_SECONDS: Final = 60


class Deadly(ScalarEngine):
    """Kills whoever plays its second block."""

    def play(self, block: int, most: int) -> Played:
        if block:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(block, most)


class Marking(ScalarEngine):
    """Deals as ever, not too fast, and leaves a mark for each block: who plays it, and that he did."""

    def __init__(self, plan: Plan, seed: int, folder: Path) -> None:
        super().__init__(plan, seed)
        self.folder = folder

    def play(self, block: int, most: int) -> Played:
        mark = f"{block}-{os.getpid()}-{time.monotonic_ns()}"
        (self.folder / f"begun-{mark}").touch()
        time.sleep(0.02)
        played = super().play(block, most)
        (self.folder / f"ended-{mark}").touch()
        return played

    def marks(self, word: str) -> set[tuple[int, int, int]]:
        """Return block, process and time of all marks of one sort."""
        parts = [path.name.split("-") for path in self.folder.glob(f"{word}-*")]
        return {(int(block), int(process), int(time)) for _, block, process, time in parts}


def total_of(stream: Iterator[Played]) -> Played:
    played = next(stream)
    for one in stream:
        played = played.plus(one)
    return played


def assert_equal(one: Played, other: Played) -> None:
    assert one.shoes == other.shoes
    for name in ("cells", "royals", "lengths"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def wait_until_gone(process: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {process} is still there")


# --- here ----------------------------------------------------------------------------------------


def test_a_worker_killed_in_the_middle_changes_no_count(tmp_path: Path) -> None:
    engine = Marking(PLAN, 7, tmp_path)
    alone = total_of(run(ScalarEngine(PLAN, 7), on_threads(2), ROUNDS))

    stream = run(engine, on_cluster("local", 2), ROUNDS)
    played = next(stream)
    block, killed = kill_one_that_plays(engine)
    for one in stream:
        played = played.plus(one)

    assert_equal(played, alone)
    assert played.rounds == ROUNDS
    enders = {process for ended, process, _ in engine.marks("ended") if ended == block}
    assert enders, "the block that was lost was played again"
    assert killed not in enders
    processes = {process for _, process, _ in engine.marks("begun")} - {os.getpid()}
    assert len(processes) >= 2
    for process in processes:
        wait_until_gone(process)


def kill_one_that_plays(engine: Marking) -> tuple[int, int]:
    """Kill a worker while it plays a block, and return which block and process it was."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        for mark in sorted(engine.marks("begun") - engine.marks("ended")):
            block, process, _ = mark
            assert process != os.getpid()
            # Stopped, it cannot end the block between the last look and the kill.
            os.kill(process, signal.SIGSTOP)
            if mark not in engine.marks("ended"):
                os.kill(process, signal.SIGKILL)
                return block, process
            os.kill(process, signal.SIGCONT)
        time.sleep(0.001)
    raise AssertionError("nobody plays")


def test_a_script_without_a_guard_may_play_on_a_cluster_and_its_workers_end(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from test_cluster import *\n"
        f"engine = Marking(PLAN, 7, Path({str(tmp_path)!r}))\n"
        "stream = run(engine, on_cluster('local', 1), 10**9)\n"
        "print(next(stream).rounds, next(stream).rounds)\n"
        "stream.close()\n"
        "print([process for _, process, _ in engine.marks('begun')][0])\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(  # noqa: S603  (the words are ours)
        [sys.executable, "-W", "error", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
        env=environment,
    )
    first = run(ScalarEngine(PLAN, 7), on_threads(1), 10**9)
    rounds = f"{next(first).rounds} {next(first).rounds}"
    first.close()
    printed, process = done.stdout.splitlines()
    assert (printed, done.stderr, done.returncode) == (rounds, "", 0)
    wait_until_gone(int(process))


# --- elsewhere -----------------------------------------------------------------------------------


@pytest.fixture
def scheduler(tmp_path: Path, request: pytest.FixtureRequest) -> Generator[tuple[str, int]]:
    """A scheduler of its own process: where it listens, and the process.

    Its parameter is with how many lost workers it keeps to the same blocks, all of them if not told.
    """
    told = tmp_path / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)]
    with dask("scheduler", *words, losses=getattr(request, "param", 100)) as process:
        end = time.monotonic() + PATIENCE_SECONDS
        while not told.exists() or not told.read_text():
            assert time.monotonic() < end
            time.sleep(0.02)
        yield json.loads(told.read_text())["address"], process.pid
        process.kill()


def dask(part: str, *words: str, losses: int = 0) -> "subprocess.Popen[bytes]":
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(losses),
    }
    return subprocess.Popen(  # noqa: S603  (the words are ours)
        [sys.executable, "-m", f"distributed.cli.dask_{part}", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


@contextmanager
def worker_at(address: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker of its own process, whom nobody starts anew."""
    words = ["--no-nanny", "--nthreads", "2", "--no-dashboard", "--host", "127.0.0.1"]
    with dask("worker", address, *words) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_cluster_elsewhere_gives_the_same_counts_and_a_lost_scheduler_is_told(
    scheduler: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, process = scheduler
    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", 0.5)
    engine = Marking(PLAN, 11, tmp_path)
    with pytest.raises(ClusterError, match=r"no worker, .* Start one: dask worker tcp://127"):
        next(run(engine, on_cluster(address), ROUNDS))

    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", PATIENCE_SECONDS)
    with worker_at(address):
        played = total_of(run(engine, on_cluster(address), 300_000))
        alone = total_of(run(ScalarEngine(PLAN, 11), on_threads(2), 300_000))
        assert_equal(played, alone)

        here = {"Python": "3.0", "numba": "0.1", "numpy": "1.0", "croupier": "0.0"}
        with monkeypatch.context() as other:
            other.setattr(cluster, "_versions", lambda: here)
            with pytest.raises(ClusterError) as refused:
                next(run(engine, on_cluster(address), ROUNDS))
        assert [fault.split(" has ")[1].split()[0] for fault in refused.value.faults] == [*here]

        stream = run(engine, on_cluster(address), 10**9)
        next(stream)
        os.kill(process, signal.SIGKILL)
        begun = time.monotonic()
        with pytest.raises(ClusterError, match="the scheduler is gone"):
            total_of(stream)
        assert time.monotonic() - begun < PATIENCE_SECONDS


# Blocks with which a single worker was lost are given up; four would take their time to start.
@pytest.mark.parametrize("scheduler", [0], indirect=True)
def test_blocks_that_no_worker_survives_are_given_up(
    scheduler: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", PATIENCE_SECONDS)
    with worker_at(address) as worker:
        with pytest.raises(ClusterError, match="one worker after another was lost"):
            total_of(run(Deadly(PLAN, 7), on_cluster(address), ROUNDS))
        assert worker.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def test_a_cluster_that_loses_all_its_workers_says_so(
    scheduler: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", PATIENCE_SECONDS)
    with worker_at(address) as worker:
        stream = run(Marking(PLAN, 7, tmp_path), on_cluster(address), 10**9)
        next(stream)
        monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", 0.5)
        # Its blocks are not given up but wait for another.
        worker.terminate()
        with pytest.raises(ClusterError, match="no worker, nor did one come within"):
            total_of(stream)


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"{address}: no scheduler answers there"):
            next(run(ScalarEngine(PLAN, 7), on_cluster(address), ROUNDS))


# --- wrong use -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "workers", "faults"),
    [
        ("10.0.0.7:8786", None, ["'10.0.0.7:8786' is no address of a cluster"]),
        ("tcp://10.0.0.7", None, ["'tcp://10.0.0.7' is no address of a cluster"]),
        ("", 0, ["'' is no address", "a number of workers goes with local", "0 workers"]),
        ("tcp://h:1", 2, ["a number of workers goes with local: tcp://h:1 has its own"]),
        ("local", 0, ["0 workers: there must be one at least"]),
    ],
)
def test_what_makes_no_sense_is_refused_whole_and_at_once(
    address: str, workers: int | None, faults: list[str]
) -> None:
    with pytest.raises(ClusterError) as refused:
        on_cluster(address, workers)
    assert len(refused.value.faults) == len(faults)
    assert all(map(str.startswith, refused.value.faults, faults))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'croupier\[cluster\]'"):
        on_cluster("local")
