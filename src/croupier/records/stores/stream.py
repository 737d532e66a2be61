"""Streams for the lines of a record: the interface, and an implementation in memory.

Line 0 is the header. An append states the expected number of lines and returns once its lines are
durable. A failed append changes nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol


class StoreError(Exception):
    """Lines that could not be made durable, or a stream that cannot be opened."""


class PositionError(StoreError):
    """An append that expects another number of lines, because of another writer."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        super().__init__(
            f"{name}: line {expected} is next, but the record contains {found} lines: another "
            "program has written to it"
        )


class Stream(Protocol):
    """The record of one table."""

    @property
    def name(self) -> str:
        """The stream's name for messages."""

    @property
    def count(self) -> int:
        """Number of durable lines."""

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Make lines durable, all or none. Raises ``StoreError``."""

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every durable line from number ``first`` on."""

    def snapshot(self) -> bytes | None:
        """Return the last snapshot, if any."""

    def keep(self, snapshot: bytes | None) -> None:
        """Replace the snapshot of the table after the last line; ``None`` removes it.

        Failures are ignored: snapshots are a cache.
        """

    def discard(self) -> None:
        """Remove an abandoned stream, and close it."""

    def close(self) -> None:
        """Close the stream; it can be opened again."""


class MemoryStream:
    """A record in memory, for tests and temporary tables.

    >>> stream = MemoryStream("table 4")
    >>> stream.append(0, [b"header"])
    >>> stream.count, list(stream.lines())
    (1, [b'header'])
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: list[bytes] = []
        self._snapshot: bytes | None = None

    @property
    def count(self) -> int:
        """Number of lines."""
        return len(self._lines)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Add lines after those expected. Raises ``PositionError`` if the count differs."""
        if expected != len(self._lines):
            raise PositionError(self.name, expected, len(self._lines))
        self._lines.extend(lines)

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every line from number ``first`` on."""
        yield from tuple(self._lines[first:])

    def snapshot(self) -> bytes | None:
        """Return the last snapshot, if any."""
        return self._snapshot

    def keep(self, snapshot: bytes | None) -> None:
        """Replace the snapshot; ``None`` removes it."""
        self._snapshot = snapshot

    def discard(self) -> None:
        """Remove every line."""
        self._lines.clear()

    def close(self) -> None:
        """Do nothing: there is no resource to release."""
