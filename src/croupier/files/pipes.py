"""Pipes and standard input as temporary files."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from croupier.files.errors import FileError

if sys.platform == "win32":
    from pathlib import WindowsPath as _NativePath
else:
    from pathlib import PosixPath as _NativePath

MAX_PIPE_BYTES: Final = 8 << 30
"""Maximum bytes read from a pipe; a larger record must be given as a file."""

STANDARD_INPUT: Final = "-"

_INPUT_NAME: Final = "standard input"
_BLOCK: Final = 1 << 20


class PipedFile(_NativePath):
    """A temporary copy of a pipe. Its ``str`` is the name of the pipe."""

    _source: str | None = None

    @classmethod
    def of(cls, file: str, source: str) -> PipedFile:
        """Name a temporary file ``source`` in messages."""
        path = cls(file)
        path._source = source
        return path

    @property
    def is_standard_input(self) -> bool:
        return self._source == _INPUT_NAME

    def __str__(self) -> str:
        return self._source or super().__str__()

    def __fspath__(self) -> str:
        return super().__str__()

    def __reduce__(self) -> tuple[Callable[..., Path], tuple[str, ...]]:
        # Messages of worker processes contain the name too.
        return (PipedFile.of, (os.fspath(self), str(self)))


def shown_name(path: Path) -> str:
    """Return a name for a reader: of a pipe's copy, that of the pipe."""
    return str(path) if isinstance(path, PipedFile) else path.name


def is_pipe(path: str | Path) -> bool:
    """Whether a path can be read only once."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def pipe_id(name: str) -> tuple[int, int] | str:
    """Return an identity shared by all names of one pipe."""
    try:
        status = os.fstat(sys.stdin.fileno()) if name == STANDARD_INPUT else Path(name).stat()
    except (OSError, AttributeError):  # Standard input may be closed, or replaced in a test.
        return name
    is_file = stat.S_ISREG(status.st_mode)
    return name if is_file else (status.st_dev, status.st_ino)


@contextmanager
def spooled(
    name: str, most: int = MAX_PIPE_BYTES, file: IO[Any] | None = None
) -> Iterator[PipedFile]:
    """Copy a pipe or an open file to a temporary one. Raises ``FileError`` above ``most`` bytes."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (few files come from a pipe)

    from_input = name == STANDARD_INPUT
    source = _INPUT_NAME if from_input else name
    with TemporaryDirectory(prefix="croupier-") as folder:
        # The copy keeps the file name: its suffix may decide the format.
        target = Path(folder, "standard-input" if from_input else Path(name).name)
        try:
            if file is not None:
                _copy(file, target, source, most)
            elif not from_input:
                with Path(name).open("rb") as pipe:
                    _copy(pipe, target, source, most)
            elif sys.stdin is None:
                raise FileError(f"{source}: it is closed; redirect a file or a pipe into it")
            else:
                _copy(sys.stdin.buffer, target, source, most)
        except OSError as error:
            raise FileError(f"{source}: {error.strerror or error}") from error
        yield PipedFile.of(str(target), source)


@contextmanager
def reopenable(path: Path) -> Iterator[Path]:
    """Yield a path that can be reopened. Raises ``FileError``."""
    if is_pipe(path):
        with spooled(str(path)) as copy:
            yield copy
    else:
        yield path


def _copy(pipe: IO[Any], target: Path, source: str, most: int) -> None:
    byte_count = 0
    # Only the user may read it: it may be a key.
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as target_file:
        while block := pipe.read(min(_BLOCK, most + 1 - byte_count)):
            byte_count += len(block)
            if byte_count > most:
                raise FileError(
                    f"{source}: larger than {most:,} bytes, the limit for such a file from a pipe"
                )
            target_file.write(block.encode() if isinstance(block, str) else block)
