"""Non-overlapping streams of xoshiro128++ (Blackman and Vigna), 2^64 numbers apart."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Integers
from croupier.rules.documents import MOST_SEED

States: TypeAlias = npt.NDArray[np.uint64]
"""Four 32-bit words for each stream, a row each."""

Number: TypeAlias = Any
"""A 32-bit number, or an array with one for each stream."""
Words: TypeAlias = tuple[Number, Number, Number, Number]
"""The four words of a stream, or of many in parallel."""


_CHARACTERISTIC: Final = 0x100FC65A2006254B11B489DB6DE18FC01
"""Characteristic polynomial of the generator's step, as bits."""

_Packed: TypeAlias = npt.NDArray[np.uint32]
"""States as bytes, lowest first, a row each."""
_WORD: Final = np.dtype("<u4")

_BITS: Final = 128
_BYTES: Final = _BITS // 8
_JUMP: Final = 64
"""Binary logarithm of the distance between two streams."""

# The compiler treats these as constants.
S7, S9, S11, S21, S25 = (np.uint32(shift) for shift in (7, 9, 11, 21, 25))


def stepped(state: Words) -> tuple[Number, Words]:
    zero, one, two, three = state
    summed = np.uint32(zero + three)
    number = np.uint32(np.uint32(np.uint32(summed << S7) | np.uint32(summed >> S25)) + zero)
    third, fourth = two ^ zero, three ^ one
    rotated = np.uint32(np.uint32(fourth << S11) | np.uint32(fourth >> S21))
    return number, (
        np.uint32(zero ^ fourth),
        np.uint32(one ^ third),
        np.uint32(third ^ np.uint32(one << S9)),
        rotated,
    )


def next_numbers(streams: npt.NDArray[np.uint32], rows: Any) -> Integers:
    """Return the next number of some streams, given by their words, and advance them."""
    zero, one, two, three = streams[:, rows]
    numbers, streams[:, rows] = stepped((zero, one, two, three))
    found: Integers = numbers.astype(np.int64)
    return found


@cache
def jump(exponent: int) -> int:
    """Polynomial that advances a stream by ``2**exponent`` numbers.

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
    """Return the initial states of streams of a seed, from 0 to ``MOST_SEED``.

    >>> stream_states(7, 0, 3)[2].tolist() == stream_states(7, 2, 1)[0].tolist()
    True
    """
    states = _seeded(seed)
    for bit in range(first.bit_length()):
        if first >> bit & 1:
            states = _moved(states, _images(bit))
    # Jumping a run of consecutive streams by its length doubles it.
    for bit in range((streams - 1).bit_length()):
        states = np.concatenate([states, _moved(states, _images(bit))])
    return states[:streams].astype(np.uint64)


def _seeded(seed: int) -> _Packed:
    words = []
    for number in (1, 2):
        word = (seed + number * 0x9E3779B97F4A7C15) & MOST_SEED
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MOST_SEED
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MOST_SEED
        word ^= word >> 31
        words += [word & 0xFFFFFFFF, word >> 32]
    return np.array([words], dtype=_WORD)


@cache
def _images(bit: int) -> _Packed:
    basis = np.zeros((_BITS, _BITS // 32), dtype=_WORD)
    basis[np.arange(_BITS), np.arange(_BITS) // 32] = 1 << np.arange(_BITS) % 32
    moved = (
        _jumped(basis) if bit == 0 else _moved(_moved(basis, _images(bit - 1)), _images(bit - 1))
    )
    images = np.zeros((_BYTES, 256, _BITS // 32), dtype=_WORD)
    for place, image in enumerate(moved.reshape(_BYTES, 8, -1).swapaxes(0, 1)):
        images[:, 1 << place : 2 << place] = images[:, : 1 << place] ^ image[:, None]
    return images


def _moved(states: _Packed, images: _Packed) -> _Packed:
    byte_images = images[np.arange(_BYTES), states.view(np.uint8)]
    found: _Packed = np.bitwise_xor.reduce(byte_images, axis=1)
    return found


def _jumped(states: _Packed) -> _Packed:
    found, polynomial = np.zeros_like(states), jump(_JUMP)
    words: Words = tuple(states.T)
    for bit in range(_BITS):
        if polynomial >> bit & 1:
            found ^= np.stack(words, axis=1)
        _, words = stepped(words)
    return found
