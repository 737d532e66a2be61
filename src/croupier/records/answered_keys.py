"""Which idempotency keys of a stream may have been answered: one that was not costs nothing.

Most requests come under a new key, and looking each up took a tenth of what a command takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final, TypeAlias

_BYTES: Final = 1 << 15

_MOST_STREAMS: Final = 1024
"""How many streams are kept at once: 32 MiB. A table has another one each gaming day."""

Key: TypeAlias = tuple[str, str]
"""A grant, and a key of it."""


class AnsweredKeys:
    """The keys of each stream: it never says of one that was answered that it was not.

    A stream takes 32 KiB however many it has: with 20,000 it takes one of 13 new ones for known.
    ``look_up`` returns those that are durable, and is asked when a stream is first asked for.

    >>> keys = AnsweredKeys(lambda stream: [("g1", "k1")])
    >>> keys.may_have(7, ("g1", "k1")), keys.may_have(7, ("g1", "k2"))
    (True, False)
    >>> keys.add([(7, ("g1", "k2"))])
    >>> keys.may_have(7, ("g1", "k2"))
    True
    """

    def __init__(self, look_up: Callable[[int], Iterable[Key]]) -> None:
        self._look_up: Final = look_up
        self._streams: Final[dict[int, bytearray]] = {}
        self._adding: Final = Lock()

    def add(self, keys: Iterable[tuple[int, Key]]) -> None:
        """Add keys that have become durable, each with its stream.

        Add them after that: whoever looked up all that were durable before has not seen them.
        """
        with self._adding:
            for stream, key in keys:
                if (bits := self._streams.get(stream)) is not None:
                    _add(bits, key)

    def may_have(self, stream: int, key: Key) -> bool:
        """Return whether a key of a stream may have been answered."""
        bits = self._streams.get(stream)
        if bits is None:
            with self._adding:
                bits = bytearray(_BYTES)
                for one in self._look_up(stream):
                    _add(bits, one)
                if len(self._streams) >= _MOST_STREAMS:
                    # Whoever asks for it again has it looked up again.
                    del self._streams[next(iter(self._streams))]
                self._streams[stream] = bits
        at = hash(key)
        return bool(bits[(at >> 3) % _BYTES] & 1 << (at & 7))


def _add(bits: bytearray, key: Key) -> None:
    at = hash(key)
    bits[(at >> 3) % _BYTES] |= 1 << (at & 7)
