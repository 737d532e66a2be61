"""A record in a file of JSON Lines: created exclusively, written by one, durable at each append."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from croupier.files.lock import LockedError, lock
from croupier.files.write import WriteError, check_targets, sync_folder
from croupier.records.stream import PositionError, StoreError

__all__ = ["FileStream"]

_CREATE: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_OPEN: Final = os.O_RDWR | os.O_APPEND
_CAREFUL: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_BLOCK: Final = 1 << 20


class FileStream:
    """The record of one table in one file, which is a log from its first line on.

    Make it with ``create`` or ``open``. A second writer of the same file is refused. A write that
    fails, or an fsync, is taken back; if that fails too the stream refuses every further append.
    """

    def __init__(self, path: Path, descriptor: int, count: int, size: int) -> None:
        self.path: Final = path
        self._descriptor: int | None = descriptor
        self._count = count
        self._size = size
        self._broken = ""
        self._replaced: Path | None = None

    @classmethod
    def create(cls, path: Path, *, reads: Iterable[Path] = (), replace: bool = False) -> Self:
        """Create the file of a new record. Raises ``StoreError`` if it must not or cannot be.

        ``reads`` are files that it never replaces; another is replaced only with ``replace``, and
        is kept until the new one has an entry.
        """
        try:
            check_targets([path], reads=reads, force=replace)
        except WriteError as error:
            raise StoreError(str(error)) from error
        old: Path | None = None
        try:
            path.absolute().parent.mkdir(parents=True, exist_ok=True)
            if replace and path.exists():
                _refuse_locked(path)
                old = path.with_name(f".croupier-{os.urandom(8).hex()}")
                path.rename(old)
            descriptor = os.open(path, _CREATE | _CAREFUL, 0o666)
            lock(descriptor)
            sync_folder(path.absolute().parent)
        except FileExistsError as error:
            raise StoreError(f"{path}: another command is writing a file of that name") from error
        except (OSError, LockedError) as error:
            if old is not None:
                with suppress(OSError):
                    old.rename(path)
            raise StoreError(f"{path}: it cannot be written: {_reason(error)}") from error
        stream = cls(path, descriptor, 0, 0)
        stream._replaced = old
        return stream

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file of a record that goes on. A torn last line is taken away.

        Raises ``StoreError`` if it cannot be opened, or another writer has it.
        """
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                raise StoreError(f"{path}: that is not a file that a log could be in")
            descriptor = os.open(path, _OPEN | _CAREFUL)
        except OSError as error:
            raise StoreError(f"{path}: it cannot be opened: {_reason(error)}") from error
        try:
            lock(descriptor)
            count, size = _whole_lines(descriptor)
            if size != os.fstat(descriptor).st_size:
                os.ftruncate(descriptor, size)
                os.fsync(descriptor)
        except LockedError as error:
            os.close(descriptor)
            raise StoreError(f"{path}: another command is writing this log") from error
        except OSError as error:
            os.close(descriptor)
            raise StoreError(f"{path}: it cannot be opened: {_reason(error)}") from error
        return cls(path, descriptor, count, size)

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self.path)

    @property
    def count(self) -> int:
        """How many lines are durable."""
        return self._count

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Write lines and bring them to disk, all or none. Raises ``StoreError``."""
        if self._broken or self._descriptor is None:
            raise StoreError(f"{self.path}: {self._broken or 'the log is closed'}")
        if expected != self._count:
            raise PositionError(self.name, expected, self._count)
        data = b"".join(lines)
        try:
            if os.fstat(self._descriptor).st_size != self._size:
                raise StoreError(f"{self.path}: somebody else has written to this log")
            _write_whole(self._descriptor, data)
            os.fsync(self._descriptor)
        except OSError as error:
            self._take_back()
            raise StoreError(f"{self.path}: it cannot be written: {_reason(error)}") from error
        self._size += len(data)
        self._count += len(lines)
        if self._count > 1:
            # A table plays on the new log: what it replaces is not wanted any more.
            self._forget()

    def discard(self) -> None:
        """Close the file and remove it; what it was to replace is there again."""
        replaced, self._replaced = self._replaced, None
        self.close()
        self.path.unlink(missing_ok=True)
        if replaced is not None:
            replaced.rename(self.path)

    def _forget(self) -> None:
        if self._replaced is not None:
            self._replaced.unlink(missing_ok=True)
            self._replaced = None

    def _take_back(self) -> None:
        """Take away what an append that failed has written."""
        if self._descriptor is None:
            return
        try:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = (
                f"a write failed and could not be taken back ({_reason(error)}): close the log,"
                " verify it, and resume it"
            )

    def lines(self) -> Iterator[bytes]:
        """Yield every durable line, in order."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if number == self._count:
                    return
                yield line

    def close(self) -> None:
        """Let go of the file; it can be opened again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _write_whole(descriptor: int, data: bytes) -> None:
    """Write all of it: the system may take a part at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _whole_lines(descriptor: int) -> tuple[int, int]:
    """Return how many whole lines a file holds, and how many bytes those are."""
    count = size = offset = 0
    os.lseek(descriptor, 0, os.SEEK_SET)
    while block := os.read(descriptor, _BLOCK):
        count += block.count(b"\n")
        last = block.rfind(b"\n")
        if last >= 0:
            size = offset + last + 1
        offset += len(block)
    return count, size


def _refuse_locked(path: Path) -> None:
    """Raise ``LockedError`` if another command is writing the file."""
    descriptor = os.open(path, _OPEN | _CAREFUL)
    try:
        lock(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
