"""Input that can be read only once, such as a pipe, kept in a file so that it can be read again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO, Final

from croupier.files.errors import FileError

MAX_PIPE_BYTES: Final = 8 << 30
"""What is read from a pipe at most; a larger record is given as a file."""

STANDARD_INPUT: Final = Path("-")

_BLOCK: Final = 1 << 20


def is_pipe(path: Path) -> bool:
    """Return whether a path is standard input (``-``) or a named pipe."""
    return path == STANDARD_INPUT or path.is_fifo()


def kept(path: Path, folder: Path) -> Path:
    """Copy standard input or a pipe into a folder; return the file.

    Raises ``FileError`` if there is more than ``MAX_PIPE_BYTES``, or if it cannot be read.
    """
    target = folder / "standard-input"
    try:
        if path == STANDARD_INPUT:
            _copy(sys.stdin.buffer, target)
        else:
            with path.open("rb") as source:
                _copy(source, target)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    return target


def _copy(source: BinaryIO, target: Path) -> None:
    copied = 0
    with target.open("xb") as out:
        while block := source.read(_BLOCK):
            copied += len(block)
            if copied > MAX_PIPE_BYTES:
                raise FileError(
                    f"more than {MAX_PIPE_BYTES >> 30} GiB from a pipe: give the record as a file"
                )
            out.write(block)
