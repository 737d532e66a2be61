"""Where one stream is kept: made once, opened again at will."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.stream import PositionError, Stream


class InFile:
    """A stream in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "table.jsonl"

    def make(self) -> Stream:
        """Create it."""
        return FileStream.create(self.path)

    def again(self) -> Stream:
        """Open it anew."""
        return FileStream.open(self.path)

    def close(self) -> None:
        """Close nothing: there is no store."""


class InSQLite:
    """A stream beside another in one store."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "pit.sqlite"
        self.store: SQLiteStore | None = None

    def make(self) -> Stream:
        """Create it, after another table's."""
        self.store = SQLiteStore(self.path)
        self.store.create("another table").append(0, [b"its header"])
        return self.store.create("table 3")

    def again(self) -> Stream:
        """Open it anew, from a store that is opened anew."""
        self.close()
        self.store = SQLiteStore(self.path)
        return self.store.open("table 3")

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()
            self.store = None


class MemoryStream:
    """A stream in memory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: list[bytes] = []
        self._snapshot: bytes | None = None

    @property
    def count(self) -> int:
        return len(self._lines)

    def append(self, expected: int, lines: Sequence[bytes]) -> None:
        if expected != len(self._lines):
            raise PositionError(self.name, expected, len(self._lines))
        self._lines.extend(lines)

    def lines(self, first: int = 0) -> Generator[bytes]:
        yield from tuple(self._lines[first:])

    def snapshot(self) -> bytes | None:
        return self._snapshot

    def keep(self, snapshot: bytes | None) -> None:
        self._snapshot = snapshot

    def discard(self) -> None:
        self._lines.clear()

    def close(self) -> None: ...
