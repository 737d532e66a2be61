"""Streams of random numbers: one seed names them all, and no two of them overlap.

The generator is xoshiro128++ of Blackman and Vigna: 128 bits of state, a period of 2^128 - 1.
Stream ``n`` of a seed begins ``n`` jumps of 2^64 numbers after the first, so that there is room for
2^64 streams of 2^64 numbers. A jump is a polynomial over bits, found by squaring in the ring that
the generator's own characteristic polynomial makes.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.documents import MOST_SEED
from croupier.odds.compiled import compiled

__all__ = [
    "State",
    "States",
    "jump",
    "next_number",
    "step",
    "stream_states",
    "words_of",
]

States: TypeAlias = npt.NDArray[np.uint64]
"""Four words of 32 bits for each stream, a row each."""

State: TypeAlias = tuple[np.uint32, np.uint32, np.uint32, np.uint32]
"""The four words of one stream, as numbers."""


_CHARACTERISTIC: Final = 0x100FC65A2006254B11B489DB6DE18FC01
"""What the generator's step is a root of, as the bits of a polynomial."""

_BITS: Final = 128
_JUMP: Final = 64
"""Binary logarithm of the numbers between the beginnings of two streams."""

# The compiler takes these for constants.
S7, S9, S11, S21, S25 = (np.uint32(shift) for shift in (7, 9, 11, 21, 25))


@compiled
def step(state: State) -> tuple[np.uint32, State]:
    """Return the next number of 32 bits of a stream, and its four words thereafter."""
    zero, one, two, three = state
    mixed = np.uint32(zero + three)
    number = np.uint32(np.uint32(np.uint32(mixed << S7) | np.uint32(mixed >> S25)) + zero)
    two ^= zero
    three ^= one
    kept = np.uint32(one << S9)
    turned = np.uint32(np.uint32(three << S11) | np.uint32(three >> S21))
    return number, (
        np.uint32(zero ^ three),
        np.uint32(one ^ two),
        np.uint32(two ^ kept),
        turned,
    )


@compiled
def words_of(state: States) -> State:
    """Return the four words of a stream, as ``step`` takes them."""
    return np.uint32(state[0]), np.uint32(state[1]), np.uint32(state[2]), np.uint32(state[3])


@compiled
def next_number(state: States) -> np.uint32:
    """Return the next number of 32 bits of a stream, its four words, and move it on."""
    number, (state[0], state[1], state[2], state[3]) = step(words_of(state))
    return number


@cache
def jump(exponent: int) -> int:
    """Return the polynomial that moves a stream on by two to that power of numbers.

    Bit ``i`` says whether the state after ``i`` numbers belongs to the sum.

    >>> f"{jump(64):032x}"
    '77f2db5b6fa035c3f542d2d38764000b'
    """
    if exponent == 0:
        return 2
    square = sum(1 << 2 * bit for bit in range(_BITS) if jump(exponent - 1) >> bit & 1)
    while square.bit_length() > _BITS:
        square ^= _CHARACTERISTIC << square.bit_length() - _CHARACTERISTIC.bit_length()
    return square


def stream_states(seed: int, first: int, streams: int) -> States:
    """Return the states in which some streams of a seed begin, from stream ``first`` on.

    ``seed`` is a whole number from 0 to ``MOST_SEED``. Two rounds of SplitMix64 make the 128 bits
    of stream 0 from it.

    >>> stream_states(7, 0, 3)[2].tolist() == stream_states(7, 2, 1)[0].tolist()
    True
    """
    state = _seeded(seed)
    for bit in range(first.bit_length()):
        if first >> bit & 1:
            _jump(state, _words(jump(_JUMP + bit)))
    states: States = np.empty((streams, 4), dtype=np.uint64)
    _spread(state, _words(jump(_JUMP)), states)
    return states


def _seeded(seed: int) -> States:
    words = []
    for number in (1, 2):
        mixed = (seed + number * 0x9E3779B97F4A7C15) & MOST_SEED
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & MOST_SEED
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & MOST_SEED
        mixed ^= mixed >> 31
        words += [mixed & 0xFFFFFFFF, mixed >> 32]
    return np.array(words, dtype=np.uint64)


def _words(polynomial: int) -> States:
    return np.array([polynomial >> shift & MOST_SEED for shift in (0, 64)], dtype=np.uint64)


@compiled
def _jump(state: States, polynomial: States) -> None:
    """Move a stream on by a jump."""
    zero = one = two = three = np.uint64(0)
    for word in range(2):
        for bit in range(64):
            if polynomial[word] >> np.uint64(bit) & np.uint64(1):
                zero ^= state[0]
                one ^= state[1]
                two ^= state[2]
                three ^= state[3]
            next_number(state)
    state[0], state[1], state[2], state[3] = zero, one, two, three


@compiled
def _spread(state: States, polynomial: States, states: States) -> None:
    """Fill in the beginnings of streams that follow one another."""
    for stream in range(len(states)):
        states[stream] = state
        _jump(state, polynomial)
