"""Exit statuses of the program, and signals as exceptions that end it in good order.

Status 1 says that *what was judged fails* and nothing else: a script can rely on it. A signal ends
a command with 128 plus its number, after everything under way was undone.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

DONE: Final = 0
"""The status when all is done and nothing that was judged fails."""

FAILS: Final = 1
"""The status when what was judged fails: a refusal, a gap, a divergence."""

WRONG_USE: Final = 2
"""The status of wrong use, bad input, or an output that cannot be written."""

DEFECT: Final = 70
"""The status of a defect in the program itself, as ``sysexits.h`` numbers it."""

CLOSED_PIPE: Final = 141
"""The status when the reader of the output went away, as of programs that SIGPIPE ends."""

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class StoppedError(KeyboardInterrupt):
    """A signal that asks the program to end. ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number: Final = number


def of_signal(number: int) -> int:
    """Return the status of a command that a signal ended.

    >>> of_signal(15)
    143
    """
    return 128 + number


@contextmanager
def signals_raised() -> Iterator[None]:
    """Raise ``StoppedError`` on a signal that asks the program to end, within the context.

    Where an exception ends a command, what it was writing is undone; the default of SIGTERM would
    leave it. A signal that is ignored, as by ``nohup``, stays ignored.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        raise StoppedError(number)

    with _handled(stop):
        yield


@contextmanager
def signals_default() -> Iterator[None]:
    """Let a signal end the process at once, within the context: nothing there is to be undone.

    An exception out of a handler is swallowed where the interpreter cannot pass it on, such as in
    the callback of a weak reference: a program that only begins would go on.
    """
    with _handled(signal.SIG_DFL):
        yield


@contextmanager
def signals_noted() -> Iterator[list[int]]:
    """Yield a list that a first signal's number is added to; a second one acts as before.

    For work that can end early and still report what it has done.
    """
    noted: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        noted.append(number)
        restore()

    with _handled(note) as restore:
        yield noted


@contextmanager
def _handled(handler: Any) -> Iterator[Any]:
    """Set a handler for every signal that is not ignored; yield what puts the old ones back."""
    before: dict[int, Any] = {}

    def restore() -> None:
        for number, old in before.items():
            signal.signal(number, old)

    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:
        # Only the main thread may set handlers; elsewhere whoever runs it minds the signals.
        before.clear()
    try:
        yield restore
    finally:
        restore()
