"""Cryptographic, unbiased randomness for a table, repeatable only with a seed."""

from __future__ import annotations

import hashlib
import secrets
import struct
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from operator import length_hint
from typing import Final, TypeVar

from croupier.law.cite import cites

Item = TypeVar("Item")

# Bytes are fetched in bulk: a call to the system's generator costs more than its bytes.
_BLOCK: Final = 4096
_DIGEST: Final = 32
_MOST: Final = _BLOCK // _DIGEST
"""Maximum digests made at a time; most callers draw few numbers."""


class Chance:
    """A source of unbiased choices.

    >>> Chance(seed=7).below(6) == Chance(seed=7).below(6)
    True
    >>> Chance().described
    'cryptographic'
    """

    def __init__(self, seed: int | None = None) -> None:
        self.described = "cryptographic" if seed is None else f"seed {seed}"
        self._seeded = None if seed is None else _Seeded(seed)
        self._fetch: Callable[[], bytes] = self._seeded or (lambda: secrets.token_bytes(_BLOCK))
        self._words: Iterator[int] = iter(())

    def below(self, number: int) -> int:
        """Return a number from 0 to ``number`` - 1, at most 2**32 values, each equally likely."""
        if not 0 < number <= 1 << 32:
            raise ValueError(f"{number} is not a valid bound for a 32-bit number")
        fair = (1 << 32) - (1 << 32) % number
        while True:
            for word in self._words:
                if word < fair:
                    return word % number
            self._words = iter(_unpacked(self._fetch()))

    @property
    def drawn(self) -> int:
        """Count of the 32-bit numbers drawn from a seed so far, for ``go_on_after``."""
        fetched = 0 if self._seeded is None else self._seeded.blocks * (_DIGEST // 4)
        return fetched - length_hint(self._words)

    def go_on_after(self, drawn: int) -> None:
        """Advance to the state after ``drawn`` numbers of the same seed."""
        if self._seeded is None or drawn < 0:
            raise ValueError("only a seed gives the same numbers again")
        self._seeded.blocks, offset = divmod(drawn, _DIGEST // 4)
        self._words = iter(_unpacked(self._fetch())[offset:] if offset else ())

    def secret(self) -> str:
        """Return 64 random hexadecimal digits."""
        return "".join(f"{self.below(1 << 32):08x}" for _ in range(8))

    def choose(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    @cites("shuffle.mix")
    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Shuffle in place, each order equally likely (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _unpacked(fetched: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(fetched) // 4}I", fetched)


class _Seeded:
    """SHA-256 of the seed and a counter: the same bytes for the same seed on every machine."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.blocks = 0

    def __call__(self) -> bytes:
        chunks = []
        for _ in range(min(_MOST, max(2, self.blocks))):
            text = f"croupier shuffle {self._seed} {self.blocks}"
            chunks.append(hashlib.sha256(text.encode()).digest())
            self.blocks += 1
        return b"".join(chunks)
