"""Blocks played by the workers of Dask distributed, with the same results as on threads."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.simulation.engines import Blocks
from croupier.simulation.plan import WHOLE, Engine, SimulationError, TallyBuffers, TallyResult

# Dask distributed is an extra, is slow to import, and has few type annotations.
Client: TypeAlias = Any
Future: TypeAlias = Any

LOCAL: Final = "local"
"""Address that starts worker processes on this machine."""

_ADDRESS: Final = re.compile(r"tcp://(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}")

_CONNECT_SECONDS: Final = 5
_WORKERLESS_SECONDS: Final = 10

_START_SECONDS: Final = 60
_CLOSE_SECONDS: Final = 5

_TASK_SECONDS: Final = 0.25
"""Target duration of a task; sending one costs a millisecond or two."""

_GROWTH: Final = 8
"""Maximum growth of the number of blocks from one task to the next."""

_AHEAD: Final = 3
"""Maximum number of tasks in progress per worker thread."""


class ClusterError(SimulationError):
    """The cluster cannot be reached or cannot play the request."""


def on_cluster(address: str, workers: int | None = None) -> Blocks:
    """Return a function that plays blocks on a cluster.

    ``address`` is that of a scheduler, or ``local``, which starts ``workers`` processes. It raises
    ``ClusterError``, as do the blocks without a scheduler or workers, or with other versions.
    """
    local = address == LOCAL
    errors = []
    if not local and _ADDRESS.fullmatch(address) is None:
        errors.append(
            f"{address!r} is not a cluster address: write {LOCAL}, or a scheduler's address such "
            "as tcp://10.0.0.7:8786"
        )
    if not local and workers is not None:
        errors.append(f"a number of workers requires {LOCAL}: {address} has its own")
    if workers is not None and workers < 1:
        errors.append(f"{workers} workers: the minimum is 1")
    if errors:
        raise ClusterError(*errors)
    _distributed()

    def blocks(engine: Engine) -> Generator[TallyResult]:
        with _client_of(address, workers) as client:
            yield from _played(client, engine, address)

    return blocks


def _distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"a cluster requires {error.name}, which is in the extra croupier[cluster]: pip "
            "install 'croupier[cluster]'"
        ) from error
    return distributed


@contextmanager
def _client_of(address: str, workers: int | None) -> Iterator[Client]:
    distributed = _distributed()
    with ExitStack() as stack:
        # Losses are reported by our own error instead of tracebacks from its threads.
        stack.enter_context(distributed.utils.silence_logging_cmgr(logging.CRITICAL))
        if address == LOCAL:
            address = stack.enter_context(_local_scheduler(workers or os.cpu_count() or 1))
        try:
            client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except OSError as error:
            raise ClusterError(
                f"{address}: no scheduler answers there. Start one with: dask scheduler"
            ) from error
        yield stack.enter_context(client)


@contextmanager
def _local_scheduler(workers: int) -> Iterator[str]:
    with ExitStack() as stack:
        cluster = stack.enter_context(
            _distributed().LocalCluster(
                n_workers=0,
                processes=False,
                protocol="tcp://",
                host="127.0.0.1",
                # A free port, without a dashboard.
                scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
            )
        )
        address: str = cluster.scheduler_address
        process = stack.enter_context(_local_workers(address, workers))
        deadline = time.monotonic() + _START_SECONDS
        while not cluster.scheduler.workers:
            if process.poll() is not None or time.monotonic() > deadline:
                raise ClusterError(
                    f"{LOCAL}: the workers have not started; to see the error, run: dask worker "
                    f"{address}"
                )
            time.sleep(0.02)
        yield address


@contextmanager
def _local_workers(address: str, workers: int) -> Iterator[Popen[bytes]]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        options = {
            "--nworkers": workers,
            "--nthreads": 1,
            "--host": "127.0.0.1",
            "--local-directory": folder,
            # They end by themselves if this process is killed.
            "--death-timeout": 10,
        }
        command += ["--no-dashboard", *(str(word) for pair in options.items() for word in pair)]
        # They have the same import path, and ignore interrupts from the terminal.
        path = os.pathsep.join(filter(None, sys.path))
        with Popen(  # noqa: S603  (the words are ours)
            command,
            env={**os.environ, "PYTHONPATH": path},
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(_CLOSE_SECONDS)
                except TimeoutExpired:
                    process.kill()


def _played(client: Client, engine: Engine, address: str) -> Generator[TallyResult]:
    crew = _Crew(client, address)
    crew.refuse_others()
    expected = _versions()
    futures: deque[Future] = deque()
    first_block, size = 0, 1
    try:
        while True:
            while len(futures) < _AHEAD * crew.threads:
                futures.append(crew.submit(_play, engine, first_block, size, expected))
                first_block += size
            batch = crew.result(futures.popleft())
            yield from batch.blocks()
            # The first task also compiles; later ones correct its timing.
            blocks = round(_TASK_SECONDS / max(batch.seconds_per_block, 1e-9))
            size = max(1, min(blocks, _GROWTH * batch.size))
    finally:
        if client.status == "running":
            client.cancel(list(futures))


class _Crew:
    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self._asked = -1.0
        self._threads = 1

    @property
    def threads(self) -> int:
        if time.monotonic() - self._asked > 1:
            with self._scheduler():
                self._threads = max(1, sum(self._client.nthreads().values()))
            self._asked = time.monotonic()
        return self._threads

    def refuse_others(self) -> None:
        self._wait_for_a_worker()
        with self._scheduler():
            answers = self._client.run(_teller(), on_error="ignore")
        errors = [
            detail
            for worker, found in answers.items()
            for detail in _differences(f"the worker at {worker}", found, _versions())
        ]
        if errors:
            raise ClusterError(*errors)

    def submit(self, function: Callable[..., _Batch], *arguments: Any) -> Future:
        with self._scheduler():
            return self._client.submit(function, *arguments, pure=False)

    def result(self, future: Future) -> _Batch:
        distributed = _distributed()
        while True:
            try:
                batch: _Batch = future.result(timeout=_WORKERLESS_SECONDS)
            except distributed.KilledWorker as error:
                raise ClusterError(
                    f"{self._address}: several workers were lost with the same blocks; see the "
                    "workers' logs"
                ) from error
            except (OSError, distributed.CancelledError) as error:
                # Errors of the task itself are passed on; others occurred in transit.
                if future.status == "error":
                    raise
                if not isinstance(error, TimeoutError):
                    raise self._gone() from error
                self._wait_for_a_worker()
            else:
                return batch

    def _wait_for_a_worker(self) -> None:
        try:
            with self._scheduler():
                self._client.wait_for_workers(1, timeout=_WORKERLESS_SECONDS)
        except TimeoutError:
            advice = "" if self._address == LOCAL else f" Start one: dask worker {self._address}"
            raise ClusterError(
                f"{self._address}: the scheduler has no worker, and none connected within "
                f"{_WORKERLESS_SECONDS} seconds.{advice}"
            ) from None

    @contextmanager
    def _scheduler(self) -> Iterator[None]:
        distributed = _distributed()
        try:
            yield
        except TimeoutError:
            raise
        except (OSError, distributed.CancelledError, distributed.client.ClosedClientError) as error:
            raise self._gone() from error

    def _gone(self) -> ClusterError:
        return ClusterError(f"{self._address}: the scheduler is gone")


class _Batch(Struct, frozen=True):
    seconds: float
    shoes: tuple[int, ...]
    cells: npt.NDArray[Any]
    royals: npt.NDArray[Any]
    lengths: npt.NDArray[Any]
    hits: npt.NDArray[Any]

    @property
    def size(self) -> int:
        return len(self.shoes)

    @property
    def seconds_per_block(self) -> float:
        return self.seconds / self.size

    def blocks(self) -> Iterator[TallyResult]:
        rows = zip(self.shoes, self.cells, self.royals, self.lengths, self.hits, strict=True)
        for shoes, *counts in rows:
            yield TallyResult(shoes, *(row.astype(np.int64) for row in counts))


def _play(engine: Engine, first_block: int, size: int, expected: Mapping[str, str]) -> _Batch:
    if errors := _differences("this worker", _versions(), expected):
        raise ClusterError(*errors)
    begin = time.perf_counter()
    blocks = [engine.play(block, WHOLE) for block in range(first_block, first_block + size)]
    seconds = time.perf_counter() - begin
    return _Batch(
        seconds,
        tuple(result.shoes for result in blocks),
        *(_packed([getattr(one, name) for one in blocks]) for name in TallyBuffers._fields),
    )


def _packed(rows: list[npt.NDArray[np.int64]]) -> npt.NDArray[Any]:
    stacked = np.stack(rows)
    return stacked.astype(np.min_scalar_type(int(stacked.max(initial=0))))


# --- versions ------------------------------------------------------------------------------------


@cache
def _versions() -> Mapping[str, str]:
    return _teller()()


def _teller() -> Callable[[], Mapping[str, str]]:
    """Return a function that reports the versions on a worker, even without Croupier.

    A function without an importable name is sent as code.
    """

    def tell() -> Mapping[str, str]:
        import importlib  # noqa: PLC0415  (where it is called)
        import platform  # noqa: PLC0415

        found = {"Python": ".".join(platform.python_version_tuple()[:2])}
        for name in ("croupier", "numba", "numpy"):
            try:
                found[name] = importlib.import_module(name).__version__
            except ImportError:
                continue
        return found

    return tell


def _differences(worker: str, found: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    return [
        f"{worker} has {name} {found[name]}, but here it is {version}"
        if name in found
        else f"{worker} has no {name}, but here it is {version}"
        for name, version in expected.items()
        if found.get(name) != version
    ]
