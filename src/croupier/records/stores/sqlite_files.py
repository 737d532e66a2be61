"""Checks of an open store's files: writes to a removed one would be lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from croupier.files.write import LockedError, locked
from croupier.records.stores.store import LostError
from croupier.records.stores.stream import StoreError

_ENDS: Final = ("", "-wal", "-shm", ".lock")
_GROWS: Final = 2
"""Number of leading files that only grow while open; SQLite does not truncate them."""


def lock_store(path: Path) -> int:
    """Lock a store, which must have one name: SQLite names its log by it."""
    if path.is_dir():
        raise StoreError(f"{path}: it is a directory, not the file of a store")
    try:
        if path.exists() and (names := path.stat().st_nlink) > 1:
            raise StoreError(
                f"{path}: the file has {names} names (hard links), and its log belongs to one of"
                " them: remove the others, or copy it with croupier store backup"
            )
        return locked(Path(f"{path}.lock"))
    except LockedError as error:
        raise StoreError(f"{path}: another process has this store open") from error


class OpenFiles:
    def __init__(self, path: Path) -> None:
        self._names: Final = tuple(Path(f"{path}{end}") for end in _ENDS)
        self.lost = ""
        self._seen = tuple(map(Path.stat, self._names))

    def check(self, *, by_writer: bool = True) -> None:
        """Raise ``LostError`` if a file was removed, replaced, truncated, or written by others.

        Only the writing thread can distinguish its own writes.
        """
        status = self._look()
        if by_writer:
            if status[0].st_mtime_ns != self._seen[0].st_mtime_ns:
                self._lose(f"{self._names[0]}: another program has written into it")
            self._seen = status

    def checkpointed(self) -> None:
        """Note a write to the first file. Raises ``LostError``."""
        self._seen = self._look()

    def _look(self) -> tuple[os.stat_result, ...]:
        if self.lost:
            raise LostError(self.lost)
        statuses = []
        for index, (name, previous) in enumerate(zip(self._names, self._seen, strict=True)):
            try:
                now = name.stat()
            except OSError as error:
                self._lose(f"{name}: it was removed: {error.strerror}", error)
            if now.st_ino != previous.st_ino or now.st_dev != previous.st_dev:
                self._lose(f"{name}: another file has taken its place")
            if index < _GROWS and now.st_size < previous.st_size:
                self._lose(f"{name}: it was truncated from {previous.st_size:,} to {now.st_size:,}")
            statuses.append(now)
        if statuses[1].st_size and not _begins(self._names[1]):
            self._lose(f"{self._names[1]}: its beginning was truncated")
        return tuple(statuses)

    def _lose(self, reason: str, error: OSError | None = None) -> None:
        self.lost = f"{reason}: nothing more is stored until the service is started again"
        raise LostError(self.lost) from error


def _begins(log: Path) -> bool:
    """Check the header: the size of a truncated log is soon as before."""
    try:
        with log.open("rb", buffering=0) as file:
            return any(file.read(4))
    except OSError:
        return False
