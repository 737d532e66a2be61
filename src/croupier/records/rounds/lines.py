"""The lines of a file that nobody vouches for: in blocks, in bounded memory, gzip or not."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

__all__ = ["BROKEN", "LONGEST_LINE", "RoundsError", "TornError", "blocks_of", "opened"]

LONGEST_LINE: Final = 1 << 16
"""What is longer is cut off here, and is no record of a round."""

_BLOCK: Final = 1 << 14
_MOST_SKIPPED: Final = 1 << 26
"""A line of which so much was passed over goes on for ever."""

_MOST_UNPACKED: Final = 100
"""Rounds that are packed come to some twenty times their size; no record comes to so much."""

_FREE: Final = 1 << 24
"""So much may a small file unpack to all the same."""

BROKEN: Final = (OSError, EOFError, zlib.error)
"""What reading a file raises that is broken, or badly packed."""

_GZIP: Final = b"\x1f\x8b"
_BOMS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class RoundsError(ValueError):
    """A file that cannot be read as a record of rounds; ``errors`` lists why."""

    def __init__(self, *errors: str) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class TornError(RoundsError):
    """A file that breaks off: what stands before the break was read."""


def opened(path: Path) -> BinaryIO | gzip.GzipFile:
    """Open a file for its bytes, those that gzip has packed. Raises ``RoundsError``."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
        return gzip.GzipFile(path) if packed else path.open("rb")
    except OSError as error:
        raise RoundsError(f"{path}: it cannot be read: {error.strerror or error}") from error


def blocks_of(path: Path, encoding: str | None = None) -> Iterator[list[str]]:
    r"""Yield the lines of a file, block by block, without what ends them.

    A byte that the encoding does not know stands there as ``\xff``; a line longer than
    ``LONGEST_LINE`` is cut off one character beyond it. Raises ``TornError`` where the file breaks
    off, after all that stands before the break.
    """
    decoder: codecs.IncrementalDecoder | None = None
    rest, skipped = "", 0
    for data in _bytes_of(path):
        if decoder is None:
            bom = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8-sig")
            decoder = codecs.getincrementaldecoder(encoding or bom)("backslashreplace")
        text = rest + decoder.decode(data)
        # A line may end in CR alone, or in CR and LF, and a block between the two.
        held = "\r" if text.endswith("\r") else ""
        lines = _lines(text.removesuffix("\r"))
        rest = lines.pop() + held
        if len(rest) > LONGEST_LINE:
            skipped += len(rest) - LONGEST_LINE
            rest = rest[: LONGEST_LINE + 1] + held
            if skipped > _MOST_SKIPPED:
                raise TornError("a line goes on for ever")
        if lines:
            skipped = 0
            yield lines
    if decoder is not None:
        rest += decoder.decode(b"", final=True)
    if rest := rest.removesuffix("\r"):
        yield _lines(rest)


def _lines(text: str) -> list[str]:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(text) > LONGEST_LINE:
        lines = [line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE + 1] for line in lines]
    return lines


def _bytes_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks. Raises ``TornError`` where it cannot be read on."""
    with opened(path) as raw:
        packed = isinstance(raw, gzip.GzipFile)
        size = path.stat().st_size
        unpacked = 0
        while True:
            try:
                data = raw.read1(_BLOCK) if isinstance(raw, gzip.GzipFile) else raw.read(_BLOCK)
            except BROKEN as error:
                raise TornError(f"the file breaks off here: {error}") from error
            if not data:
                return
            unpacked += len(data)
            if packed and unpacked > _FREE + size * _MOST_UNPACKED:
                raise TornError("the file unpacks to more than any record of rounds does")
            yield data
