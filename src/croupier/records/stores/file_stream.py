"""Records in JSON Lines files with one writer, durable at each append."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from croupier.files.write import LockedError, WriteError, check_targets, lock, sync_folder
from croupier.records.stores.stream import PositionError, StoreError

_CREATE: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_OPEN: Final = os.O_RDWR | os.O_APPEND
_CAREFUL: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_BLOCK: Final = 1 << 20
_LONGEST_MARK: Final = 200


class _Mark(NamedTuple):
    line: int
    offset: int


class FileStream:
    """A log in a file. After a failed write that cannot be undone, it refuses all others."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path: Final = path
        self._descriptor: int | None = descriptor
        self._count = 0
        self._size = 0
        self._torn = 0
        self._last = _Mark(0, 0)
        self._kept: tuple[_Mark, bytes] | None = None
        self._broken = ""
        self._replaces = False

    @classmethod
    def create(cls, path: Path, *, reads: Iterable[Path] = (), replace: bool = False) -> Self:
        """Create the file of a new record. Raises ``StoreError``.

        Files in ``reads`` are never replaced, another only with ``replace``, and it is kept until
        the new one has an entry.
        """
        replaces = False
        try:
            _put_back(path)
            check_targets([path], reads=reads, force=replace)
            path.absolute().parent.mkdir(parents=True, exist_ok=True)
            if replace and path.exists():
                with _locked(path):
                    path.rename(_old(path))
                replaces = True
            descriptor = os.open(path, _CREATE | _CAREFUL, 0o666)
            lock(descriptor)
            sync_folder(path.absolute().parent)
        except WriteError as error:
            raise StoreError(str(error)) from error
        except FileExistsError as error:
            raise StoreError(f"{path}: another command is writing a file of that name") from error
        except (OSError, LockedError) as error:
            if replaces:
                with suppress(OSError):
                    _old(path).rename(path)
            raise StoreError(f"{path}: it cannot be written: {_reason(error)}") from error
        stream = cls(path, descriptor)
        stream._replaces = replaces
        return stream

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a record, ignoring a torn last line. Raises ``StoreError``."""
        descriptor: int | None = None
        try:
            _put_back(path)
            if not stat.S_ISREG(path.lstat().st_mode):
                raise StoreError(f"{path}: not a file that can contain a log")
            descriptor = os.open(path, _OPEN | _CAREFUL)
            lock(descriptor)
            stream = cls(path, descriptor)
            stream._measure()
        except (LockedError, OSError, ValueError) as error:  # No path has a zero byte.
            if descriptor is not None:
                os.close(descriptor)
            reason = f"it cannot be opened: {_reason(error)}"
            if isinstance(error, LockedError):
                reason = "another command is writing this log"
            raise StoreError(f"{path}: {reason}") from error
        return stream

    def _measure(self) -> None:
        descriptor = self._descriptor or 0
        self._kept = _kept(self.path, descriptor)
        self._last = _Mark(0, 0) if self._kept is None else self._kept[0]
        lines, length = _whole_lines(descriptor, self._last.offset)
        self._count, self._size = self._last.line + lines, self._last.offset + length
        # It is cut off when a line is stored: a file that is no log is opened too, and refused.
        self._torn = os.fstat(descriptor).st_size - self._size

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def count(self) -> int:
        return self._count

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        if self._broken or self._descriptor is None:
            raise StoreError(f"{self.path}: {self._broken or 'the log is closed'}")
        if expected != self._count:
            raise PositionError(self.name, expected, self._count)
        data = b"".join(lines)
        try:
            if os.fstat(self._descriptor).st_size != self._size + self._torn:
                raise StoreError(f"{self.path}: another program has written to this log")
            if data and self._torn:
                self._torn = 0
                os.ftruncate(self._descriptor, self._size)
            _write_whole(self._descriptor, data)
            os.fsync(self._descriptor)
        except (OSError, KeyboardInterrupt) as error:
            self._take_back()
            if isinstance(error, KeyboardInterrupt):
                raise
            raise StoreError(f"{self.path}: it cannot be written: {_reason(error)}") from error
        if lines:
            offset = self._size + len(data) - len(lines[-1])
            self._last = _Mark(self._count + len(lines) - 1, offset)
        self._size += len(data)
        self._count += len(lines)
        if self._count > 1:
            # The new log is in use, so the replaced one can go.
            self._forget()

    def discard(self) -> None:
        """Remove the file; restore one that it replaced."""
        replaces, self._replaces = self._replaces, False
        self.close()
        if replaces:
            _old(self.path).rename(self.path)
        else:
            self.path.unlink(missing_ok=True)

    def _forget(self) -> None:
        if self._replaces:
            _old(self.path).unlink(missing_ok=True)
            self.keep(None)
            self._replaces = False

    def _take_back(self) -> None:
        if self._descriptor is None:
            return
        try:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = (
                f"a write failed and could not be undone ({_reason(error)}): close the log, "
                "verify it, and resume it"
            )

    def lines(self, start: int = 0) -> Generator[bytes]:
        marks = [_Mark(0, 0)]
        if self._kept is not None and self._kept[0].line <= start:
            marks.append(self._kept[0])
        with self.path.open("rb") as file:
            file.seek(marks[-1].offset)
            for number, line in enumerate(file, start=marks[-1].line):
                if number == self._count:
                    return
                if number >= start:
                    yield line

    def snapshot(self) -> bytes | None:
        return None if self._kept is None else self._kept[1]

    def keep(self, snapshot: bytes | None) -> None:
        """Replace the snapshot, without fsync: a damaged one is ignored."""
        path = _state(self.path)
        new_path = path.with_name(f"{path.name}.new")
        with suppress(OSError):
            if snapshot is None:
                path.unlink(missing_ok=True)
                return
            with self.path.open("rb") as file:
                file.seek(self._last.offset)
                seal = hashlib.sha256(file.readline()).hexdigest()
            mark = json.dumps({**self._last._asdict(), "sha256": seal}).encode()
            descriptor = os.open(new_path, _WRITE | _CAREFUL, 0o666)
            try:
                _write_whole(descriptor, mark + b"\n" + snapshot)
            finally:
                os.close(descriptor)
            new_path.replace(path)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _write_whole(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _old(path: Path) -> Path:
    return path.parent / f".croupier-{path.name}"


def _put_back(path: Path) -> None:
    old_path = _old(path)
    if not os.path.lexists(old_path):
        return
    if not os.path.lexists(path):
        old_path.rename(path)
        return
    with _locked(path) as descriptor:
        if _whole_lines(descriptor)[0] > 1:
            old_path.unlink()
        else:
            old_path.rename(path)


def _state(path: Path) -> Path:
    return path.with_name(f"{path.name}.state")


def _kept(path: Path, descriptor: int) -> tuple[_Mark, bytes] | None:
    try:
        state_file = os.open(_state(path), os.O_RDONLY | _CAREFUL)
        with os.fdopen(state_file, "rb") as file:
            mark_data, snapshot = json.loads(file.readline(_LONGEST_MARK)), file.read(_BLOCK)
        mark, seal = _Mark(int(mark_data["line"]), int(mark_data["offset"])), mark_data["sha256"]
        with os.fdopen(os.dup(descriptor), "rb") as file:
            file.seek(mark.offset)
            line = file.readline()
    except (OSError, ValueError, TypeError, KeyError):
        return None
    is_same = line.endswith(b"\n") and hashlib.sha256(line).hexdigest() == seal
    return (mark, snapshot) if is_same else None


def _whole_lines(descriptor: int, start: int = 0) -> tuple[int, int]:
    count = size = offset = 0
    os.lseek(descriptor, start, os.SEEK_SET)
    while block := os.read(descriptor, _BLOCK):
        count += block.count(b"\n")
        end = block.rfind(b"\n")
        if end >= 0:
            size = offset + end + 1
        offset += len(block)
    return count, size


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    descriptor = os.open(path, _OPEN | _CAREFUL)
    try:
        lock(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
