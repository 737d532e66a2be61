"""What is wrong with a file, and where in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

MAX_FAULTS: Final = 100
"""Errors of one file that are listed; a file with more of them is of another kind."""


class Place(NamedTuple):
    """A place in a file: its line and column, each counted from 1, as far as they are known.

    >>> str(Place("table.toml", 12, 3))
    'table.toml:12:3'
    """

    file: str | Path
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(one) for one in self if one is not None)


class FileError(ValueError):
    """A file that cannot be read as what it should be; ``errors`` lists everything wrong with it.

    Each fault is a sentence that begins with its place, as far as it is known.
    """

    def __init__(self, *errors: str) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class TornError(FileError):
    """A file that ends or breaks in the middle; everything before the break was read."""
