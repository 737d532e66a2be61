"""Cuts a log into pieces that are judged at the same time, each from where the one before ends.

What is recorded is followed without judging it, which takes a third of the time of judging it, and
so gives the position at which each piece begins. Nothing is believed for that: a piece proves the
position that it ends with, and the next one counts only if it began with the same. So the whole is
proven from the first line to the last, piece by piece.
"""

from __future__ import annotations

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
from croupier.records.snapshot import snapshot
from croupier.table.machine.position import Position, advanced, at_moment

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

PIECE_LINES: Final = 2000
"""Lines of a piece: about a megabyte, and a fifth of a second of judging."""

_AHEAD: Final = 2
"""Pieces for each process that are cut before they are judged: so much is in memory at once."""

_ADOPTS: Final = AdoptElections.__name__.encode()
_ANY: Final = CloseTable()
"""In place of every command that does nothing but bring about its events."""

Outcome = TypeVar("Outcome")


class DeadProcessError(Exception):
    """A process that judged a piece is gone, and its verdict with it."""


class Piece(NamedTuple):
    """Lines of a log after its header, with the position at which they begin, as a snapshot.

    ``path`` names the log in messages, ``header`` is its first line, ``seal`` the seal of that, and
    ``heads`` are the seals that it is held to.
    """

    path: Path
    header: bytes
    seal: str
    heads: frozenset[str]
    begin: bytes = b""
    lines: tuple[bytes, ...] = ()


class HeldError:
    """The lines of a log; an error of reading them is held until all before it are judged."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines: Final = lines
        self.error: LogError | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines
        except LogError as error:
            self.error = error

    def release(self) -> None:
        """Raise the error if there was one."""
        if self.error is not None:
            raise self.error


class cut:  # noqa: N801  (an iterator that is asked afterwards how it went)
    """Iterates over the pieces of a log from a position on.

    ``is_whole`` is unset if a line could not be followed and others come after the piece that holds
    it: then these are in no piece.
    """

    def __init__(self, begin: Piece, position: Position, lines: Iterator[bytes]) -> None:
        self._begin: Final = begin
        self._position = position
        self._head = begin.seal
        self._lines: Final = lines
        self.is_whole = True

    def __iter__(self) -> Iterator[Piece]:
        follows = True
        while lines := tuple(islice(self._lines, PIECE_LINES)):
            if not follows:
                self.is_whole = False
                return
            begin = snapshot(self._begin.seal, self._position, self._head)
            follows = self._follow(lines)
            yield self._begin._replace(begin=begin, lines=lines)

    def _follow(self, lines: Iterable[bytes]) -> bool:
        """Move on by what lines record; return whether each could be followed."""
        try:
            return all(map(self._follow_line, lines))
        except Exception:  # noqa: BLE001  (whatever is wrong with a line is for its judge to say)
            return False

    def _follow_line(self, line: bytes) -> bool:
        sealed = unseal(line)
        head = None if sealed is None else entry_head(sealed[0])
        if sealed is None or head is None:
            return False
        # Only a command that adopts elections, and one of a known person, change anything beside
        # their events.
        read = bool(head.by) or _ADOPTS in bytes(head.command)
        command = read_command(head.command) if read else None
        now = at_moment(self._position, datetime.fromisoformat(head.at))
        self._position = advanced(now, command or _ANY, read_events(head.events), stamp_of(head).by)
        self._head = sealed[1]
        return True


def first_lines(lines: Iterator[bytes]) -> tuple[list[bytes], bool]:
    """Return the first lines, and whether these are all: too few to be worth a process."""
    first = list(islice(lines, PIECE_LINES + 1))
    return first, len(first) <= PIECE_LINES


def pool(processes: int) -> Executor:
    """Return so many processes; an interrupt is for the one that started them."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  (of long logs alone)

    return ProcessPoolExecutor(
        processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )


def judged_in_order(
    judge: Callable[[Piece], Outcome], pieces: Iterable[Piece], executor: Executor, processes: int
) -> Iterator[tuple[Piece, Outcome]]:
    """Yield each piece with what its judge says, in order; some pieces ahead are at work.

    Raises ``DeadProcessError`` if a process was killed.
    """
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415  (as above)

    waiting: deque[tuple[Piece, Future[Outcome]]] = deque()
    try:
        for piece in pieces:
            waiting.append((piece, executor.submit(judge, piece)))
            if len(waiting) > _AHEAD * processes:
                done, outcome = waiting.popleft()
                yield done, outcome.result()
        for done, outcome in waiting:
            yield done, outcome.result()
    except BrokenExecutor as error:
        raise DeadProcessError from error
