"""Errors in files, with their places."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

MAX_FAULTS: Final = 100
"""Maximum number of errors listed for a file; one with more is likely of another kind."""


class Place(NamedTuple):
    """A place in a file: line and column, if known, each counted from 1."""

    file: str | Path
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(one) for one in self if one is not None)


class PicklableError(Exception):
    """An error that another process can raise, whatever its constructor takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self), *self.args), vars(self)


class ListedError(ValueError):
    """An error for several reasons; ``errors`` lists every one."""

    def __init__(self, *errors: str) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class FileError(ListedError):
    """An unreadable file, with every error in ``errors``, each with its place."""


class TornError(FileError):
    """A truncated or broken file; everything before the break was read."""
