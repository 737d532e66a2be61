"""Exclusive file locks on every system."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class LockedError(Exception):
    def __init__(self) -> None:
        super().__init__("another command is writing it")


def lock(descriptor: int) -> None:
    """Lock a file until it is closed. Raises ``LockedError``."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  (of that system alone)

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  (of the other systems)

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise LockedError from error


def locked(path: Path) -> int:
    """Open and lock an existing file. Raises ``LockedError`` if locked or removed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock(descriptor)
        _check_named(descriptor, path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_named(descriptor: int, path: Path) -> None:
    if not os.path.samestat(os.fstat(descriptor), path.stat()):
        raise LockedError
