"""Exit statuses, and signals as exceptions for an orderly exit."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

DONE: Final = 0
"""The status of success, with every check passed."""

FAILS: Final = 1
"""The status of a failed check: a refusal, a gap, a divergence."""

WRONG_USE: Final = 2
"""The status of a usage error, invalid input, or unwritable output."""

DEFECT: Final = 70
"""The status of an internal error, as in ``sysexits.h``."""

CLOSED_PIPE: Final = 141
"""The status after the reader of the output closed it, as for SIGPIPE."""

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class StoppedError(KeyboardInterrupt):
    """A termination signal with its ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number: Final = number


def of_signal(number: int) -> int:
    return 128 + number


@contextmanager
def signals_raised() -> Iterator[None]:
    """Raise ``StoppedError`` on termination signals; ignored ones, as under ``nohup``, stay so."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise StoppedError(number)

    with _handled(stop):
        yield


@contextmanager
def signals_default() -> Iterator[None]:
    """End the process at once on a signal: the interpreter swallows some handlers' exceptions."""
    with _handled(signal.SIG_DFL):
        yield


@contextmanager
def signals_noted() -> Iterator[list[int]]:
    """Yield a list that receives a first signal's number; a second signal acts as before."""
    noted: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        noted.append(number)
        restore()

    with _handled(note) as restore:
        yield noted


@contextmanager
def _handled(handler: Any) -> Iterator[Any]:
    before: dict[int, Any] = {}

    def restore() -> None:
        for number, old in before.items():
            signal.signal(number, old)

    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:
        # Only the main thread may set handlers.
        before.clear()
    try:
        yield restore
    finally:
        restore()
