"""A cluster plays the very blocks that threads play, also where a worker is lost on the way.

Schedulers and workers are real ones, processes on this machine. The engine leaves a mark wherever
it begins and ends a block, so that a test can see who played what, and whom to kill.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer
from typing import Final

import numpy as np
import pytest
from distributed import CancelledError
from distributed.comm.core import CommClosedError

from croupier.rules import default_submission, table_rules
from croupier.simulation import cluster
from croupier.simulation.cluster import ClusterError, _Crew, on_cluster
from croupier.simulation.engines import on_threads, run
from croupier.simulation.plan import Plan, TallyResult, plan_of
from croupier.simulation.scalar import ScalarEngine
from support.texts import NJ_MINI

PLAN: Final = plan_of(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)))
ROUNDS: Final = 2_000_000
PATIENCE_SECONDS: Final = 600
"""How long a test waits for what must come: no test hangs for ever, and none lives on time."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a scheduler may take its time to answer, and a worker to come."""
    for limit in ("_CONNECT_SECONDS", "_WORKERLESS_SECONDS", "_START_SECONDS"):
        monkeypatch.setattr(cluster, limit, PATIENCE_SECONDS)


class Deadly(ScalarEngine):
    """Kills whoever plays its second block."""

    def play(self, block: int, most: int) -> TallyResult:
        if block:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(block, most)


class Marking(ScalarEngine):
    """Leaves a mark for each block, as it begins and as it ends, with who plays it.

    A block that a test holds does not end until the test lets it go.
    """

    def __init__(self, plan: Plan, seed: int, folder: Path) -> None:
        super().__init__(plan, seed)
        self.folder = folder

    def hold(self, block: int) -> Path:
        """Keep a block from ending, as long as the file is there."""
        held = self.folder / f"held-{block}"
        held.touch()
        return held

    def play(self, block: int, most: int) -> TallyResult:
        mark = f"{block}-{os.getpid()}-{time.monotonic_ns()}"
        (self.folder / f"begun-{mark}").touch()
        while (self.folder / f"held-{block}").exists():
            time.sleep(0.01)
        played = super().play(block, most)
        (self.folder / f"ended-{mark}").touch()
        return played

    def marks(self, word: str) -> set[tuple[int, int, int]]:
        """Return block, process and time of all marks of one sort."""
        parts = [path.name.split("-") for path in self.folder.glob(f"{word}-*")]
        return {(int(block), int(process), int(time)) for _, block, process, time in parts}


def total_of(stream: Iterator[TallyResult]) -> TallyResult:
    played = next(stream)
    for one in stream:
        played = played.plus(one)
    return played


def assert_equal(one: TallyResult, other: TallyResult) -> None:
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

    # One of the first blocks that are sent, before the second is counted.
    held = engine.hold(1)
    with closing(run(engine, on_cluster("local", 2), ROUNDS)) as stream:
        played = next(stream)
        killed = kill_who_plays(engine, 1)
        held.unlink()
        for one in stream:
            played = played.plus(one)

    assert_equal(played, alone)
    assert played.rounds == ROUNDS
    enders = {process for ended, process, _ in engine.marks("ended") if ended == 1}
    assert enders, "the block that was lost was played again"
    assert killed not in enders
    processes = {process for _, process, _ in engine.marks("begun")} - {os.getpid()}
    assert len(processes) >= 2
    for process in processes:
        wait_until_gone(process)


def kill_who_plays(engine: Marking, block: int) -> int:
    """Kill the worker that plays a block that is held, and return which process it was."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        for begun, process, _ in engine.marks("begun"):
            if begun == block:
                assert process != os.getpid()
                os.kill(process, signal.SIGKILL)
                return process
        time.sleep(0.01)
    raise AssertionError(f"nobody plays block {block}")


def test_a_script_without_a_guard_may_play_on_a_cluster_and_its_workers_end(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from test_cluster import *\n"
        "cluster._CONNECT_SECONDS = cluster._START_SECONDS = PATIENCE_SECONDS\n"
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


def test_a_cluster_elsewhere_gives_the_same_counts(
    scheduler: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    engine = Marking(PLAN, 11, tmp_path)
    with monkeypatch.context() as hasty:
        hasty.setattr(cluster, "_WORKERLESS_SECONDS", 0.5)
        with pytest.raises(ClusterError, match=r"no worker, .* Start one: dask worker tcp://127"):
            next(run(engine, on_cluster(address), ROUNDS))

    with worker_at(address):
        played = total_of(run(engine, on_cluster(address), 300_000))
        alone = total_of(run(ScalarEngine(PLAN, 11), on_threads(2), 300_000))
        assert_equal(played, alone)

        here = {"Python": "3.0", "numba": "0.1", "numpy": "1.0", "croupier": "0.0"}
        monkeypatch.setattr(cluster, "_versions", lambda: here)
        with pytest.raises(ClusterError) as refused:
            next(run(engine, on_cluster(address), ROUNDS))
        assert [detail.split(" has ")[1].split()[0] for detail in refused.value.errors] == [*here]


@pytest.mark.parametrize(
    "stopped", [False, True], ids=["at once", "while it is asked for a result"]
)
def test_a_lost_scheduler_is_told(
    scheduler: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, stopped: bool
) -> None:
    address, process = scheduler
    engine = Marking(PLAN, 11, tmp_path)
    with worker_at(address), closing(run(engine, on_cluster(address), 10**9)) as stream:
        next(stream)
        if stopped:
            # Blocks are played, and what came of them is fetched from a scheduler that does not answer.
            wait_until_played(engine)
            monkeypatch.setattr(_Crew, "threads", 2)
            os.kill(process, signal.SIGSTOP)
            Timer(0.3, os.kill, (process, signal.SIGKILL)).start()
        else:
            os.kill(process, signal.SIGKILL)
        with pytest.raises(ClusterError, match=f"{address}: the scheduler is gone"):
            total_of(stream)


def wait_until_played(engine: Marking) -> None:
    """Wait until all the blocks that have been sent are played."""
    end = time.monotonic() + PATIENCE_SECONDS
    before = None
    while time.monotonic() < end:
        marks = engine.marks("begun"), engine.marks("ended")
        if marks == before and marks[0] == marks[1]:
            return
        before = marks
        time.sleep(0.2)
    raise AssertionError("the blocks do not end")


class Lost:
    """A result that does not come, for some reason."""

    def __init__(self, status: str, error: Exception) -> None:
        self.status = status
        self.error = error

    def result(self, timeout: float) -> None:
        del timeout
        raise self.error


def test_what_breaks_on_the_way_from_the_scheduler_is_told_and_what_a_block_raises_is_passed_on() -> (
    None
):
    crew = _Crew(None, "tcp://h:1")
    for error in (CommClosedError("in <TCP>: Stream is closed"), CancelledError("x"), OSError("x")):
        with pytest.raises(ClusterError, match=r"^tcp://h:1: the scheduler is gone$"):
            crew.result(Lost("finished", error))
    for error in (OSError("a disk is full"), TimeoutError("a lock")):
        with pytest.raises(type(error), match=re.escape(str(error))):
            crew.result(Lost("error", error))


# Blocks with which a single worker was lost are given up; four would take their time to start.
@pytest.mark.parametrize("scheduler", [0], indirect=True)
def test_blocks_that_no_worker_survives_are_given_up(scheduler: tuple[str, int]) -> None:
    address, _ = scheduler
    with worker_at(address) as worker:
        with pytest.raises(ClusterError, match="several workers were lost"):
            total_of(run(Deadly(PLAN, 7), on_cluster(address), ROUNDS))
        assert worker.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def test_a_cluster_that_loses_all_its_workers_says_so(
    scheduler: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    engine = Marking(PLAN, 7, tmp_path)
    with worker_at(address) as worker, closing(run(engine, on_cluster(address), 10**9)) as stream:
        next(stream)
        monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", 0.5)
        # Its blocks are not given up but wait for another.
        worker.terminate()
        with pytest.raises(ClusterError, match="no worker, and none connected within"):
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
    ("address", "workers", "errors"),
    [
        ("10.0.0.7:8786", None, ["'10.0.0.7:8786' is not a cluster address"]),
        ("tcp://10.0.0.7", None, ["'tcp://10.0.0.7' is not a cluster address"]),
        ("", 0, ["'' is not a cluster address", "a number of workers requires local", "0 workers"]),
        ("tcp://h:1", 2, ["a number of workers requires local: tcp://h:1 has its own"]),
        ("local", 0, ["0 workers: the minimum is 1"]),
    ],
)
def test_what_makes_no_sense_is_refused_whole_and_at_once(
    address: str, workers: int | None, errors: list[str]
) -> None:
    with pytest.raises(ClusterError) as refused:
        on_cluster(address, workers)
    assert len(refused.value.errors) == len(errors)
    assert all(map(str.startswith, refused.value.errors, errors))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'croupier\[cluster\]'"):
        on_cluster("local")
