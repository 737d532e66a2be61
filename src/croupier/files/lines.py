"""Lines of a file, read in blocks with bounded memory; gzip is detected."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

from croupier.files.errors import FileError, TornError
from croupier.files.text import BROKEN, KEPT_BYTES, encoding_in, open_bytes

MAX_LINE: Final = 1 << 16
"""The longest line of a round record, in characters; longer lines are truncated."""

MAX_JSON_LINE: Final = 1 << 20
"""The longest line of a table log or a command file, in bytes."""

MAX_RATIO: Final = 100
"""Maximum expansion ratio of a gzip file; records expand some twenty times."""

_FREE: Final = 1 << 24

_BLOCK: Final = 1 << 14
_PIECE: Final = 1 << 18
_MAX_SKIPPED: Final = 1 << 25
"""Skipped characters after which a line is considered endless."""


def blocks_of(path: Path, encoding: str | None = None) -> Iterator[list[str]]:
    """Yield the lines of a file in blocks, without line ends.

    Undecodable bytes are escaped, lines truncated beyond ``MAX_LINE``. Raises ``FileError`` if the
    file is not text, ``TornError`` at a break, after all data before it.
    """
    return LineReader(path, encoding).blocks()


class LineReader:
    def __init__(self, path: Path, encoding: str | None = None) -> None:
        self._path: Final = path
        self._encoding: Final = encoding
        self._source: Final = _bytes_of(path)
        self._decoder: codecs.IncrementalDecoder | None = None
        self._name = ""
        self._rest = ""
        self._skipped = 0

    def blocks(self) -> Iterator[list[str]]:
        for data in self._source:
            if lines := self._lines_of(data):
                yield lines
        yield from self._last()

    def pieces(self) -> Iterator[bytes | list[str]]:
        """Yield whole lines as bytes if they are ASCII without quotation marks, or else a block."""
        torn_error: TornError | None = None
        while torn_error is None:
            blocks: list[bytes] = []
            try:
                for data in islice(self._source, _PIECE // _BLOCK):
                    blocks.append(data)  # noqa: PERF402  (what came before a break is kept)
            except TornError as error:
                torn_error = error
            if not blocks and torn_error is None:
                break
            yield from self._pieces_of(blocks)
        if torn_error is not None:
            raise torn_error
        yield from self._last()

    def _pieces_of(self, blocks: list[bytes]) -> Iterator[bytes | list[str]]:
        text_bytes = self._rest.encode("ascii", "replace") + b"".join(blocks)
        end = text_bytes.rfind(b"\n") + 1
        if not self._is_plain(text_bytes, end):
            for data in blocks:
                if lines := self._lines_of(data):
                    yield lines
            return
        self._rest, self._skipped = text_bytes[end:].decode("ascii"), 0
        if end:
            yield text_bytes[:end]

    def _is_plain(self, text: bytes, end: int) -> bool:
        return (
            self._decoder is not None
            and self._name in {"utf-8", "utf-8-sig"}
            and not self._decoder.getstate()[0]
            and self._rest.isascii()
            and len(text) - end <= MAX_LINE
            and text.isascii()
            and b'"' not in text
            and (
                b"\r" not in text or text.count(b"\r") - text.endswith(b"\r") == text.count(b"\r\n")
            )
        )

    def _lines_of(self, data: bytes) -> list[str]:
        if self._decoder is None:
            self._name = self._encoding or encoding_in(self._path, data)
            self._decoder = codecs.getincrementaldecoder(self._name)(KEPT_BYTES)
            try:
                text = self._decoder.decode(data).removeprefix("\ufeff")
            except UnicodeError as error:  # UTF-16 and UTF-32 need a byte order mark.
                fault = f"the file is not {self._name}: {error}; without a mark it is "
                raise FileError(f"{fault}{self._name}-le or {self._name}-be") from error
        else:
            text = self._rest + self._decoder.decode(data)
        # A line may end in CR, or in CRLF with a block boundary in between.
        carriage = "\r" if text.endswith("\r") else ""
        lines = _lines(text.removesuffix("\r"))
        last_line = lines.pop() + carriage
        if len(last_line) > MAX_LINE:
            self._skipped += len(last_line) - MAX_LINE
            last_line = last_line[: MAX_LINE + 1] + carriage
            if self._skipped > _MAX_SKIPPED:
                raise TornError("the line is not terminated")
        self._rest = last_line
        if lines:
            self._skipped = 0
        return lines

    def _last(self) -> Iterator[list[str]]:
        if self._decoder is not None:
            self._rest += self._decoder.decode(b"", final=True)
        if last_line := self._rest.removesuffix("\r"):
            yield _lines(last_line)


def _lines(text: str) -> list[str]:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(text) > MAX_LINE:
        lines = [line if len(line) <= MAX_LINE else line[: MAX_LINE + 1] for line in lines]
    return lines


def _bytes_of(path: Path, offset: int = 0) -> Iterator[bytes]:
    with open_bytes(path) as raw:
        if offset:
            raw.seek(offset)
        compressed = isinstance(raw, gzip.GzipFile)
        limit = _FREE + path.stat().st_size * MAX_RATIO
        expanded = 0
        while True:
            try:
                data = raw.read1(_BLOCK) if compressed else raw.read(_BLOCK)
            except BROKEN as error:
                raise TornError(f"the file is truncated here: {error}") from error
            if not data:
                return
            expanded += len(data)
            if compressed and expanded > limit:
                raise TornError(f"the file expands to more than {MAX_RATIO} times its size")
            yield data


def line_blocks(path: Path, number: int = 0, offset: int = 0) -> Iterator[tuple[int, list[bytes]]]:
    """Yield stored lines in blocks, each with its first number. Raises ``FileError``."""
    rest_bytes, number = b"", number + 1
    try:
        for data in _bytes_of(path, offset):
            lines = BytesIO(rest_bytes + data).readlines()
            rest_bytes = b"" if lines[-1].endswith(b"\n") else lines.pop()
            sizes = enumerate((*map(len, lines), len(rest_bytes) + 1))
            long_index = next((index for index, size in sizes if size > MAX_JSON_LINE + 1), None)
            if lines[:long_index]:
                yield number, lines[:long_index]
            if long_index is not None:
                place = f"{path}:{number + long_index}"
                raise FileError(f"{place}: the line is longer than {MAX_JSON_LINE:,} bytes")
            number += len(lines)
    except TornError as error:
        raise TornError(f"{path}:{number}: {error}") from error
    if rest_bytes:
        yield number, [rest_bytes]


def check_text_file(path: Path) -> None:
    """Raise ``FileError`` if a file is a workbook, an archive, or UTF-16 or UTF-32."""
    for data in _bytes_of(path):
        name = encoding_in(path, data)
        if name not in {"utf-8", "utf-8-sig"}:
            raise FileError(f"{path}: this file is {name.upper()}; a log is UTF-8")
        return
