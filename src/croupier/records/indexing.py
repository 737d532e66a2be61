"""Index of a long log: a cache of one user, ignored without the code of this user's key."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from croupier.files.errors import FileError
from croupier.files.pipes import is_pipe
from croupier.files.text import open_bytes, read_bytes
from croupier.files.version import program_version
from croupier.files.write import WriteError, write_file, write_private
from croupier.records.chain import Link
from croupier.records.export.tables import TablesState
from croupier.records.header import LogError, LogHeader
from croupier.records.log import LogLines
from croupier.records.stores.places import is_store
from croupier.records.stores.snapshot import read_snapshot
from croupier.table.machine.position import Position

LEAST_BYTES: Final = 1 << 23
"""Shorter logs are read whole in a second; gzip counts ten times."""

_FORMAT: Final = "croupier-index/1"
_CODE: Final = 64
_LARGEST: Final = 1 << 30
_BLOCK: Final = 1 << 20

Wanted = Callable[[int, str, str], bool]
"""Whether a round is wanted, by its number, and the times at which the one before and it ended."""


def numbered(numbers: range) -> Wanted:
    return lambda number, _began, _ended: number in numbers


class Mark(Struct, array_like=True):
    """A place in a log, and the rounds that end, or are in question, before the next mark."""

    line: int
    offset: int
    sequence: int
    seal: str
    at: str
    position: bytes
    results: list[Any]
    tables: TablesState
    numbers: list[int] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    in_question: list[int] = field(default_factory=list)

    @property
    def link(self) -> Link:
        return Link(self.sequence, self.seal, self.at)

    def opening(self, header: str, start: LogHeader) -> Position:
        """Return the position without rounds of shoes before. Raises ``LogError``."""
        if not self.position:
            return start.opening
        snapshot = read_snapshot(self.position, header, start.rules)
        if snapshot is None:
            raise LogError(f"entry {self.sequence}: the index has no position there; remove it")
        return snapshot.position


class LogIndex(Struct):
    """The marks of an unbroken log and its end; ``prefix`` hashes its bytes to the last mark."""

    header: str
    state: list[int]
    made_at: str = ""
    marks: list[Mark] = field(default_factory=list)
    prefix: str = ""
    end: Link = field(default_factory=lambda: Link(0, ""))
    torn: int | None = None
    format: str = _FORMAT
    version: str = field(default_factory=program_version)

    def spans(self, is_wanted: Wanted) -> Iterator[tuple[Mark, Mark | None]]:
        """Yield the marks around wanted rounds, disputes of them, and what follows the last."""
        start, wanted = "", set[int]()
        for mark, next_mark in zip_longest(self.marks, self.marks[1:]):
            rounds = [*zip(mark.numbers, mark.ends, strict=True)]
            if next_mark is None:
                rounds.append((self.last_round + 1, self.end.at))
            is_any = False
            for number, end in rounds:
                if is_wanted(number, start or end, end):
                    is_any = True
                    wanted.add(number)
                start = end
            if is_any or not wanted.isdisjoint(mark.in_question):
                yield mark, next_mark

    @property
    def last_round(self) -> int:
        return next((mark.numbers[-1] for mark in reversed(self.marks) if mark.numbers), 0)


def is_long(path: Path) -> bool:
    if is_pipe(path):
        return False
    with suppress(OSError):
        return path.stat().st_size * (10 if path.suffix == ".gz" else 1) >= LEAST_BYTES
    return False


def index_place(path: Path, header: str) -> Path:
    """Return the file of an index; in a store's folder, it names the header."""
    return path.with_name(
        f"{path.name}.{header[:16]}.index" if is_store(path) else f"{path.name}.index"
    )


def kept_index(path: Path, table: str | None, header: str) -> tuple[LogIndex, Any] | None:
    """Return the index of a log, if it is this user's and fits.

    If the log was written to since, its bytes up to the last mark must be the same; their hash is
    returned, and the rest is to be read.
    """
    key = _key(make=False)
    try:
        raw_data = read_bytes(index_place(path, header), _LARGEST)
        code, data = raw_data[:_CODE], raw_data[_CODE:]
        if key is None or not hmac.compare_digest(code, _code(key, data)):
            return None
        index = msgspec.msgpack.decode(data, type=LogIndex)
    except (FileError, msgspec.DecodeError):
        return None
    if (index.format, index.version, index.header) != (_FORMAT, program_version(), header):
        return None
    if index.state == state_of(path):
        return index, None
    digest = _prefix(path, table, index.marks[-1].offset)
    return (index, digest) if index.prefix == digest.hexdigest() else None


def keep_index(path: Path, index: LogIndex) -> None:
    key = _key(make=True)
    data = msgspec.msgpack.encode(index)
    if key is None:
        return
    place = index_place(path, index.header)
    with suppress(WriteError, OSError):
        # A file that is replaced keeps its mode.
        with suppress(FileExistsError):
            write_private(place, "")
        write_file(place, _code(key, data) + data, force=True)


def _code(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).hexdigest().encode()


def _key(*, make: bool) -> bytes | None:
    home = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser()
    place = home / "croupier" / "index.key"
    with suppress(OSError):
        if make and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with suppress(FileExistsError):
                write_private(place, os.urandom(32).hex())
    with suppress(FileError):
        key = read_bytes(place)
        return key if len(key) == _CODE else None
    return None


def state_of(path: Path) -> list[int]:
    state: list[int] = []
    for file in (path, path.with_name(f"{path.name}-wal")) if is_store(path) else (path,):
        with suppress(FileNotFoundError):
            status = file.stat()
            state += (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return state


def _prefix(path: Path, table: str | None, count: int) -> Any:
    digest = hashlib.sha256()
    if is_store(path):
        for line in LogLines(path, table):
            if count <= 0:
                break
            digest.update(line)
            count -= len(line)
    else:
        with open_bytes(path) as file:
            while count and (block := file.read(min(count, _BLOCK))):
                digest.update(block)
                count -= len(block)
    return digest
