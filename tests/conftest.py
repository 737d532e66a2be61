"""What holds for every test: in the whole check nothing is skipped, and an interrupt interrupts."""

import os
import signal
from collections.abc import Generator

import pytest

pytest_plugins = ["support.under_texts"]


def pytest_configure() -> None:
    """Take interrupts: a shell has what it starts in the background ignore them, and it is inherited."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped where everything must be there: it has proved nothing."""
    report = yield
    if report.skipped and "CROUPIER_CHECK" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"skipped, though CROUPIER_CHECK asks for all tests: {report.longrepr}"
    return report
