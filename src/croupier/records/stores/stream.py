"""Streams for the lines of a record, of which line 0 is the header."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol


class StoreError(Exception):
    """A stream that cannot be opened, or lines not made durable."""


class PositionError(StoreError):
    def __init__(self, name: str, expected: int, count: int) -> None:
        super().__init__(
            f"{name}: line {expected} is next, but the record contains {count} lines: another "
            "program has written to it"
        )


class Stream(Protocol):
    @property
    def name(self) -> str:
        """The stream's name for messages."""

    @property
    def count(self) -> int:
        """Durable lines."""

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Store lines after ``expected`` ones, or none. Raises ``StoreError``."""

    def lines(self, start: int = 0) -> Generator[bytes]:
        """Yield lines from number ``start`` on."""

    def snapshot(self) -> bytes | None:
        """Return the last snapshot, if any."""

    def keep(self, snapshot: bytes | None) -> None:
        """Replace or remove the snapshot. Failures are ignored: snapshots are a cache."""

    def discard(self) -> None:
        """Remove an abandoned stream, and close it."""

    def close(self) -> None: ...
