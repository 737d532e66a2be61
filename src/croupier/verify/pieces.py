"""Splitting of a log into pieces that are verified in parallel.

Starting positions come from unverified events, so each piece's verified end must equal the next
one's start.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from croupier.acts import AdoptElections, CloseTable
from croupier.records.codec import read_command, read_events
from croupier.records.entry import entry_head, stamp_of, unseal
from croupier.records.header import LogError
from croupier.records.stores.snapshot import snapshot
from croupier.table.machine.position import Position, advanced, at_moment

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

PIECE_LINES: Final = 2000
"""Lines per piece: about a megabyte, and 0.2 seconds of verification."""

_AHEAD: Final = 2
"""Pieces per process that are prepared in advance; bounds memory use."""

_ADOPTS: Final = AdoptElections.__name__.encode()
_ANY: Final = CloseTable()
"""Placeholder for commands that have no effect besides their events."""

Outcome = TypeVar("Outcome")


class DeadProcessError(Exception):
    """A worker process died."""


class Piece(NamedTuple):
    """Lines of a log, with a snapshot ``begin`` of the position before them."""

    path: Path
    header: bytes
    seal: str
    heads: frozenset[str]
    begin: bytes = b""
    lines: tuple[bytes, ...] = ()


class HeldError:
    """Log lines whose reading error is deferred until the lines before it are verified."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines: Final = lines
        self.error: LogError | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines
        except LogError as error:
            self.error = error

    def release(self) -> None:
        if self.error is not None:
            raise self.error


class cut:  # noqa: N801  (an iterator that is asked afterwards how it went)
    """Iterator over the pieces of a log; ``is_whole`` unless a line could not be applied."""

    def __init__(self, start: Piece, position: Position, lines: Iterator[bytes]) -> None:
        self._begin: Final = start
        self._position = position
        self._head = start.seal
        self._lines: Final = lines
        self.is_whole = True

    def __iter__(self) -> Iterator[Piece]:
        goes_on = True
        while lines := tuple(islice(self._lines, PIECE_LINES)):
            if not goes_on:
                self.is_whole = False
                return
            start = snapshot(self._begin.seal, self._position, self._head)
            goes_on = self._follow(lines)
            yield self._begin._replace(begin=start, lines=lines)

    def _follow(self, lines: Iterable[bytes]) -> bool:
        try:
            return all(map(self._follow_line, lines))
        except Exception:  # noqa: BLE001  (whatever is wrong with a line is for its judge to say)
            return False

    def _follow_line(self, line: bytes) -> bool:
        unsealed = unseal(line)
        head = None if unsealed is None else entry_head(unsealed[0])
        if unsealed is None or head is None:
            return False
        # Only adopting elections, and commands of a known person, change more than their events do.
        is_needed = bool(head.by) or _ADOPTS in bytes(head.command)
        command = read_command(head.command) if is_needed else None
        now = at_moment(self._position, datetime.fromisoformat(head.at))
        self._position = advanced(now, command or _ANY, read_events(head.events), stamp_of(head).by)
        self._head = unsealed[1]
        return True


def first_lines(lines: Iterator[bytes]) -> tuple[list[bytes], bool]:
    head = list(islice(lines, PIECE_LINES + 1))
    return head, len(head) <= PIECE_LINES


def pool(processes: int) -> Executor:
    """Worker processes that ignore interrupts and end at once on SIGTERM.

    They are forked if possible: then they have the options of the command, and the law files that
    it has read.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  (of long logs alone)
    from multiprocessing import get_context  # noqa: PLC0415

    context = get_context("fork" if hasattr(os, "fork") else None)
    return ProcessPoolExecutor(processes, context, _begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def judged_in_order(
    judge: Callable[[Piece], Outcome], pieces: Iterable[Piece], executor: Executor, processes: int
) -> Iterator[tuple[Piece, Outcome]]:
    """Yield each piece with its outcome, in order. Raises ``DeadProcessError``."""
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415  (as above)

    queue: deque[tuple[Piece, Future[Outcome]]] = deque()
    try:
        for piece in pieces:
            queue.append((piece, executor.submit(judge, piece)))
            if len(queue) > _AHEAD * processes:
                first_piece, outcome = queue.popleft()
                yield first_piece, outcome.result()
        for first_piece, outcome in queue:
            yield first_piece, outcome.result()
    except BrokenExecutor as error:
        raise DeadProcessError from error
