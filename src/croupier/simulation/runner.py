"""The runner: plays blocks on threads and returns them in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import closing
from itertools import count
from typing import Final, Protocol, TypeVar

from croupier.odds.threads import in_turn
from croupier.simulation.tallies import WHOLE, Engine, TallyResult

Blocks = Callable[[Engine], Generator[TallyResult]]
"""A function that plays the blocks of an engine, whole, in order, and without end."""


class BlockResult(Protocol):
    @property
    def rounds(self) -> int: ...


_FEW: Final = 50_000
"""Up to this number, rounds are first sought in the first block alone."""

Result = TypeVar("Result", bound=BlockResult)


def on_threads(threads: int | None = None) -> Blocks:

    def blocks(engine: Engine) -> Generator[TallyResult]:
        return in_order(engine.play, threads)

    return blocks


def in_order(play: Callable[[int, int], Result], threads: int | None) -> Generator[Result]:
    number = (os.cpu_count() or 1) if threads is None else threads
    return in_turn(lambda block: play(block, WHOLE), count(), number)


def run(engine: Engine, blocks: Blocks, rounds: int) -> Generator[TallyResult]:
    return exactly(blocks(engine), engine.play, rounds)


def exactly(
    blocks: Generator[Result], play: Callable[[int, int], Result], rounds: int
) -> Generator[Result]:
    """Yield blocks up to a number of rounds; the last is played again, up to it."""
    left = rounds
    # Closing the generator ends its threads.
    with closing(blocks) as stream:
        if rounds <= _FEW:
            # The beginning of one block is enough: play no whole block, and start no thread.
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
