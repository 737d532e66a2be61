"""Where the lines of a record are kept: one contract, and the plainest store that keeps it.

A stream is the record of one table, line by line; the header is line 0. An append names the number
of lines that it expects, and returns once they are durable. Whatever it raises, the stream holds
what it held before, and can be appended to again.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol


class StoreError(Exception):
    """Lines that could not be made durable, or a stream that cannot be opened."""


class PositionError(StoreError):
    """An append that expects another number of lines than the stream holds: somebody else wrote."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        super().__init__(
            f"{name}: line {expected} is next, but the record contains {found} lines: another "
            "program has written to it"
        )


class Stream(Protocol):
    """The record of one table."""

    @property
    def name(self) -> str:
        """The stream's name, as messages show it."""

    @property
    def count(self) -> int:
        """How many lines are durable."""

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Make lines durable, all or none. Raises ``StoreError``."""

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every durable line from number ``first`` on, in order."""

    def snapshot(self) -> bytes | None:
        """Return the snapshot kept last, if there is one."""

    def keep(self, snapshot: bytes | None) -> None:
        """Keep a snapshot of the table after the last line in place of the one before; or none.

        It is a cache: one that cannot be kept is not, and nothing is raised.
        """

    def discard(self) -> None:
        """Remove a stream of which nothing came, and let go of it."""

    def close(self) -> None:
        """Let go of the stream; it can be opened again."""


class MemoryStream:
    """A record in memory, for tests and for tables that nobody needs to remember.

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
        """How many lines there are."""
        return len(self._lines)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        """Add lines after those expected. Raises ``PositionError`` if there are others."""
        if expected != len(self._lines):
            raise PositionError(self.name, expected, len(self._lines))
        self._lines.extend(lines)

    def lines(self, first: int = 0) -> Generator[bytes]:
        """Yield every line from number ``first`` on, in order."""
        yield from tuple(self._lines[first:])

    def snapshot(self) -> bytes | None:
        """Return the snapshot kept last, if there is one."""
        return self._snapshot

    def keep(self, snapshot: bytes | None) -> None:
        """Keep a snapshot in place of the one before; or none."""
        self._snapshot = snapshot

    def discard(self) -> None:
        """Forget every line."""
        self._lines.clear()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
