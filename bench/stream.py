"""Writes the numbers of the simulation's streams to standard output, for a battery of tests.

    python bench/stream.py --seed 7 | RNG_test stdin32
    python bench/stream.py --seed 7 --interleave 64 | dieharder -a -g 200

Numbers of 32 bits, lowest byte first, without end: it stops when its reader does. With
``--interleave N`` one number of each of N neighbouring streams follows after the other, round and
round, so that a battery sees what the streams have in common. See docs/generator.md.
"""

from __future__ import annotations

import argparse
import sys
from itertools import count
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.compiled import compiled
from croupier.rules.documents import MOST_SEED
from croupier.simulation.generator import next_number
from croupier.simulation.streams import States, stream_states

Numbers: TypeAlias = npt.NDArray[np.uint32]

_ROOM: Final = 2**18
"""Numbers that are written at a time, at most, where that is a turn or more of the streams."""


def main() -> None:
    """Write, until nobody reads any more or as many numbers as were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=_whole(0, MOST_SEED), default=7, metavar="SEED")
    parser.add_argument("--first", type=_whole(0, 2**63), default=0, metavar="STREAM")
    parser.add_argument("--interleave", type=_whole(1, 2**16), default=1, metavar="STREAMS")
    parser.add_argument("--numbers", type=_whole(1, 2**63), metavar="N", help="stop after so many")
    asked = parser.parse_args()
    if sys.stdout.isatty():
        parser.error("these are bytes, and no text: lead them into a file or a program")
    states = stream_states(asked.seed, asked.first, asked.interleave)
    numbers: Numbers = np.empty((max(1, _ROOM // asked.interleave), asked.interleave), np.uint32)
    left = asked.numbers
    for _ in count():
        _fill(states, numbers)
        written = numbers.astype("<u4", copy=False).reshape(-1)[:left]
        try:
            sys.stdout.buffer.write(written.tobytes())
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader has seen enough. What stands in the buffer must not be tried once more.
            sys.stdout = None
            return
        if left is not None:
            left -= len(written)
            if not left:
                return


class _whole:  # noqa: N801  (it stands for a type, and argparse tells its name)
    """Reads whole numbers within bounds."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def __call__(self, text: str) -> int:
        number = int(text)
        if not self.least <= number <= self.most:
            raise argparse.ArgumentTypeError(f"{text}: from {self.least} to {self.most}")
        return number


@compiled
def _fill(states: States, numbers: Numbers) -> None:
    """Fill rows with a number of each stream."""
    for row in range(len(numbers)):
        for stream in range(len(states)):
            numbers[row, stream] = next_number(states[stream])


if __name__ == "__main__":
    main()
