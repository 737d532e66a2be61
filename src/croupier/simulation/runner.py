"""The runner: blocks are played on threads, come back in their own order, and are added up.

A block has its own streams, so that it comes out the same whoever plays it; and blocks are counted
in order, so that the result is the same however many play. The last block is played again only as
far as the rounds that were asked for.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import count
from typing import Final, Protocol, TypeVar

from croupier.simulation.tallies import WHOLE, Engine, TallyResult

Blocks = Callable[[Engine], Generator[TallyResult]]
"""What plays the blocks of an engine from the first on, without end, each whole and in order."""


class BlockResult(Protocol):
    """What came of a block, of whatever game."""

    @property
    def rounds(self) -> int:
        """How many rounds there were."""


_FEW: Final = 50_000
"""Rounds that are looked for in the first block alone, before any is played whole."""

Result = TypeVar("Result", bound=BlockResult)


def on_threads(threads: int | None = None) -> Blocks:
    """Return what plays blocks on so many threads of this machine, on all its cores if not told.

    Never more than a few blocks are played and not yet counted, so that memory stays as it is.
    """

    def blocks(engine: Engine) -> Generator[TallyResult]:
        return in_order(engine.play, threads)

    return blocks


def in_order(play: Callable[[int, int], Result], threads: int | None) -> Generator[Result]:
    """Play blocks on threads, without end, and yield what came of them in their own order."""
    number = (os.cpu_count() or 1) if threads is None else threads
    pool = ThreadPoolExecutor(number)
    waiting: deque[Future[Result]] = deque()
    try:
        for block in count():
            waiting.append(pool.submit(play, block, WHOLE))
            if len(waiting) > 2 * number:
                yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def run(engine: Engine, blocks: Blocks, rounds: int) -> Generator[TallyResult]:
    """Play exactly so many rounds, and yield what came of each block, in order.

    Whoever has seen enough may stop asking: what was yielded stands for itself.
    """
    return exactly(blocks(engine), engine.play, rounds)


def exactly(
    blocks: Generator[Result], play: Callable[[int, int], Result], rounds: int
) -> Generator[Result]:
    """Take blocks as far as so many rounds; the last of them is played anew, and only so far."""
    left = rounds
    # A generator that nobody asks any more is closed, and with it the threads behind it.
    with closing(blocks) as stream:
        if rounds <= _FEW:
            # None is dealt whole, and no thread is started, for what one block begins with.
            first = play(0, rounds)
            if first.rounds == rounds:
                yield first
                return
        for block, played in enumerate(stream):
            if played.rounds > left:
                played = play(block, left)  # noqa: PLW2901  (as far as asked for)
            left -= played.rounds
            yield played
            if not left:
                return
