"""Standard streams for any encoding, a closed pipe, and a full disk; signals; exit statuses."""

from __future__ import annotations

import atexit
import codecs
import errno
import gc
import io
import os
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

from croupier.files.write import WriteError

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
def signals_exit() -> Iterator[None]:
    """Exit at once with a signal's status, where a raised one would be reported by others."""
    with _handled(lambda number, _frame: os._exit(of_signal(number))):
        yield


@contextmanager
def signals_noted() -> Iterator[list[int]]:
    """Yield a list that receives a first signal's number; a second signal acts as before."""
    numbers: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        numbers.append(number)
        restore()

    with _handled(note) as restore:
        yield numbers


@contextmanager
def _handled(handler: Any) -> Iterator[Any]:
    old_handlers: dict[int, Any] = {}

    def restore() -> None:
        for number, old_handler in old_handlers.items():
            signal.signal(number, old_handler)

    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                old_handlers[number] = signal.signal(number, handler)
    except ValueError:
        # Only the main thread may set handlers.
        old_handlers.clear()
    try:
        yield restore
    finally:
        restore()


_ESCAPED: Final = "croupier-escaped"
_TEXT: Final = "croupier-text"


class StreamError(Exception):
    """Standard output cannot be written. ``number`` is the system's error number."""

    def __init__(self, number: int | None) -> None:
        super().__init__(f"standard output cannot be written: {os.strerror(number or errno.EIO)}")
        self.number: Final = number


def _escape(text: str) -> str:
    lone_units = text.encode("utf-16-be", "surrogatepass")
    units = (lone_units[index : index + 2].hex() for index in range(0, len(lone_units), 2))
    return "".join(f"\\u{unit}" for unit in units)


def _escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _escape(error.object[error.start : error.end]), error.end


_FORMS: Final = {"…": "...", **dict(zip("“”‘’·−–—→←›‹×•└", "\"\"''----><><x*`", strict=True))}


def _formed(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write a sign in ASCII: in its form, a letter without its accent, and all else escaped."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return _FORMS.get(sign) or bare or _escape(sign), error.start + 1


codecs.register_error(_ESCAPED, _escaped)
codecs.register_error(_TEXT, _formed)


def print_in_ascii() -> None:
    """Have all text of this call in ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="ascii", errors=_TEXT)


def echo_data(content: str) -> None:
    """Print data: a sign that cannot be printed is escaped, as in JSON, and never another one."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(content.encode(encoding, _ESCAPED).decode(encoding))


class _Raw(io.RawIOBase):
    """After the first error all are ignored: the interpreter must not fail again at exit."""

    def __init__(self, descriptor: int, *, is_silent: bool) -> None:
        self._descriptor = descriptor
        self._silent = is_silent
        self.broken = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        with suppress(OSError):
            return os.isatty(self._descriptor)
        return False

    def write(self, data: Any, /) -> int:
        if not self.broken:
            try:
                return os.write(self._descriptor, data)
            except OSError as error:
                self.broken = True
                if not self._silent:
                    raise StreamError(error.errno) from error
        return len(data)


def _raw_of(stream: Any) -> object:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _wrapped(stream: Any, descriptor: int, *, is_silent: bool) -> Any:
    if stream is None:
        # The descriptor was closed at the start. A file opened later would get its number, and
        # would receive printed output.
        null = os.open(os.devnull, os.O_RDONLY)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)
        encoding, is_unbuffered = "utf-8", False
    elif isinstance(_raw_of(stream), io.FileIO):
        stream.flush()
        # An unbuffered stream is flushed at each line.
        encoding, is_unbuffered = stream.encoding, stream.line_buffering or stream.write_through
    else:
        # A Windows console or a test's stream.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_TEXT)
        return stream
    raw = _Raw(descriptor, is_silent=is_silent)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors=_TEXT, line_buffering=is_unbuffered
    )


@contextmanager
def _streams() -> Iterator[None]:
    streams = sys.stdout, sys.stderr
    sys.stdout = _wrapped(sys.stdout, 1, is_silent=False)
    sys.stderr = _wrapped(sys.stderr, 2, is_silent=True)
    try:
        yield
    finally:
        if isinstance(raw := _raw_of(sys.stdout), _Raw):
            # Buffered data could not be written, or a signal ended the program, which must not wait
            # for a reader.
            raw.broken = True
        sys.stdout, sys.stderr = streams


def visible(text: str) -> str:
    """Escape control characters, so that a file cannot control a terminal."""
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in text
    )


def note(text: str) -> None:
    print(visible(text), file=sys.stderr, flush=True)  # noqa: T201  (the one place)


def say(message: str) -> None:
    note(f"croupier: {message}")


def echo(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")


def is_typed() -> bool:
    """Whether standard input, which may be closed, is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def typed_line(prompt: str) -> str:
    """Return the next line of standard input, empty at its end. What a pipe answers is printed."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not is_typed():
        sys.stdout.write(line)
    if not line.endswith("\n"):
        sys.stdout.write("\n")
    return line


def run(program: Callable[[], int | None]) -> NoReturn:
    """Run a program, and exit with its status. A closed pipe ends quietly."""
    # Garbage is collected less often, and never at exit: it took a sixth of a short command's time.
    gc.set_threshold(20_000, 20, 20)
    atexit.register(gc.freeze)
    with _streams(), signals_raised():
        try:
            status = _status(program)
        except StoppedError as stopped_error:
            # A second signal, during the handling of the first.
            status = of_signal(stopped_error.number)
        sys.exit(status)


def _status(program: Callable[[], int | None]) -> int:
    try:
        status = _outcome(program)
        sys.stdout.flush()
    except StreamError as error:
        if error.number == errno.EPIPE:
            return CLOSED_PIPE
        say(str(error))
        return WRONG_USE
    except StoppedError as stopped_error:
        return of_signal(stopped_error.number)
    except KeyboardInterrupt:
        return of_signal(2)
    return status


def _outcome(program: Callable[[], int | None]) -> int:
    try:
        return program() or 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except StreamError:
        raise
    except WriteError as error:
        say(str(error))
    except OSError as error:
        place = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        say(f"{place}{error.strerror or error}")
    except MemoryError:
        say("there is not enough memory for this")
    except Exception:  # noqa: BLE001  (a defect must not have the status of a verdict)
        sys.excepthook(*sys.exc_info())
        return DEFECT
    return WRONG_USE
