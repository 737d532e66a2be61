"""Bloom filters of answered idempotency keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final, TypeAlias

_BYTES: Final = 1 << 15

_MOST_STREAMS: Final = 1024
"""Maximum number of streams cached (32 MiB). A table gets a new stream each gaming day."""

Key: TypeAlias = tuple[str, str]
"""A grant and an idempotency key."""


class AnsweredKeys:
    """Answered keys per stream, with false positives but no false negatives.

    Each stream takes 32 KiB; with 20,000 keys, 1 in 13 new keys is a false positive.
    """

    def __init__(self, look_up: Callable[[int], Iterable[Key]]) -> None:
        self._look_up: Final = look_up
        self._streams: Final[dict[int, bytearray]] = {}
        self._adding: Final = Lock()

    def add(self, keys: Iterable[tuple[int, Key]]) -> None:
        """Add durable keys: a concurrent ``look_up`` does not see them."""
        with self._adding:
            for stream, key in keys:
                if (bits := self._streams.get(stream)) is not None:
                    _add(bits, key)

    def may_have(self, stream: int, key: Key) -> bool:
        bits = self._streams.get(stream)
        if bits is None:
            with self._adding:
                bits = bytearray(_BYTES)
                for one in self._look_up(stream):
                    _add(bits, one)
                if len(self._streams) >= _MOST_STREAMS:
                    # The next use of the stream looks it up again.
                    del self._streams[next(iter(self._streams))]
                self._streams[stream] = bits
        at = hash(key)
        return bool(bits[(at >> 3) % _BYTES] & 1 << (at & 7))


def _add(bits: bytearray, key: Key) -> None:
    at = hash(key)
    bits[(at >> 3) % _BYTES] |= 1 << (at & 7)
