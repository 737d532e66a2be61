"""What holds for every test: nothing is skipped in the whole check, interrupts interrupt, no disk is waited for."""

import gc
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, settings

from slow import TESTS, listed
from support.volume import WHOLE

if TYPE_CHECKING:
    from _typeshed import HasFileno

pytest_plugins = ["support.under_texts"]

# No clock decides whether a test passes: other work may have the machine meanwhile.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

_MEMORY: Final = Path("/dev/shm")  # noqa: S108  (it is no folder of everybody)
_ROOM: Final = 4 << 30
"""Bytes that must be free in memory: the folders of the whole check take a third of them."""

COUNTED: Final = pytest.StashKey[int]()
_SLOW = listed()
_CASES = Counter[str]()


def pytest_configure() -> None:
    """Prepare this process.

    It takes interrupts, which a shell has all that it starts in the background ignore; and it waits
    for no disk. A round is written to the disk before it counts, a thousand times in a long test, and
    here no machine loses its power: that the call is made is seen where it is made to fail.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    _keep_folders_in_memory()
    if os.environ.get("CROUPIER_SHELF") == "amended":
        from support.amendment import hold_the_amendment  # noqa: PLC0415  (rarely asked for)

        hold_the_amendment()
    # Documents are shown at this width; without it tables in a pipe are as wide as they need.
    os.environ.setdefault("COLUMNS", "80")
    os.fsync = _only_looked_at


def _keep_folders_in_memory() -> None:
    """Have the folders of tests in memory where it has room, and lets programs be run in them.

    What SQLite and the processes that are started write is waited for on a disk: 5 ms for each round.
    """
    if not (_MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)):
        return
    there = os.statvfs(_MEMORY)
    (available,) = re.findall(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text("utf-8"))
    free = min(there.f_bavail * there.f_frsize, int(available) * 1024)
    if free > _ROOM and not there.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a module unread that has slow tests alone, where none is asked for.

    What they need takes longest to import: compiled kernels, pictures, clusters, notebooks.
    """
    return True if _is_quick(config) and _name(collection_path) in _SLOW else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Have three processes share two cores: servers, browsers, and clusters are waited for.

    Quick tests wait for nothing, and each process collects them all.
    """
    cores = os.cpu_count() or 1
    return cores if _is_quick(config) else max(1, cores * 3 // 2)


def _is_quick(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the modules with slow tests first: at the end no process has one that all wait for.

    The whole check has the order of the files, so that the suite is known to pass in two orders.
    """
    if WHOLE:
        return
    slow = {test.partition("::")[0] for test in _SLOW}
    items.sort(key=lambda item: _name(item.path) not in slow)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test that ``slow.txt`` lists."""
    module = _name(item.path)
    case = f"{module}::{item.nodeid.partition('::')[2]}"
    test = case.partition("[")[0]
    if module in _SLOW or case in _SLOW or (test in _SLOW and not _is_among_some(test)):
        item.add_marker(pytest.mark.slow)


def _is_among_some(test: str) -> bool:
    """Return whether the next case of a slow test is one of those that are quick."""
    _CASES[test] += 1
    every = _SLOW[test]
    return every > 0 and _CASES[test] % every == 1 % every


@cache
def _name(path: Path) -> str:
    """Return the name of a module as ``slow.txt`` has it."""
    return path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else path.as_posix()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage among the tests: they stay to the end, and there are twenty thousand."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take note of how many censuses of hands were made by then: see ``test_volume.py``."""
    chances = sys.modules.get("croupier.odds.chances")
    made = 0 if chances is None else chances._known_census.cache_info().misses  # noqa: SLF001
    session.config.stash[COUNTED] = made


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Say what to do where quick tests were asked for, and there are only slow ones."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.getoption("markexpr"):
        terminalreporter.write_line(
            f'no test was run: -m "{config.getoption("markexpr")}" leaves out what'
            " tests/slow.txt lists; run these files without -m"
        )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is said of the shipped texts alone where another text is held beside them."""
    if "CROUPIER_SHELF" in os.environ and item.get_closest_marker("shipped") is not None:
        pytest.skip("the shelf holds more than what is shipped")


def _only_looked_at(fd: "int | HasFileno") -> None:
    """Stand for ``os.fsync``: raise ``OSError`` for what is no open file, and wait for nothing."""
    os.fstat(fd if isinstance(fd, int) else fd.fileno())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped where everything must be there: it has proved nothing."""
    report = yield
    if report.skipped and "CROUPIER_CHECK" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"skipped, though CROUPIER_CHECK asks for all tests: {report.longrepr}"
    return report
