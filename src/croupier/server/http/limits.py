"""Limits on bytes, requests per second, and concurrent streams."""

from __future__ import annotations

from collections import Counter, OrderedDict
from math import ceil
from time import monotonic
from typing import Final

from msgspec import Struct

from croupier.server.http.problems import Problem

_MOST_KNOWN: Final = 10_000


class Limits(Struct, frozen=True):
    """A service's limits; ``per_second`` and ``burst`` are per token.

    Entries are verified ``judge_seconds`` after they are recorded; never if that is 0. Patrons see
    a countdown of ``wager_seconds`` between rounds, none if that is 0; it refuses nothing. A stream
    of a caller whom a proxy or a certificate names ends after ``stream_seconds``.
    """

    body_bytes: int = 64 << 10
    body_seconds: float = 10.0
    json_depth: int = 16
    commands: int = 64
    per_second: float = 20.0
    burst: float = 60.0
    streams_of_a_grant: int = 5
    streams_of_a_table: int = 500
    stream_seconds: float = 300.0
    replayed: int = 5_000
    connections: int = 2_000
    beat_seconds: float = 15.0
    send_seconds: float = 10.0
    judge_seconds: float = 5.0
    wager_seconds: int = 0


USUAL: Final = Limits()


class Rates:
    """Token buckets for request rates, one per caller."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, cost: float = 1.0) -> None:
        now = monotonic()
        limits = self._limits
        tokens, at = self._left.pop(who, (limits.burst, now))
        tokens = min(limits.burst, tokens + (now - at) * limits.per_second)
        allowed = tokens >= cost
        self._left[who] = (tokens - cost if allowed else tokens, now)
        if len(self._left) > _MOST_KNOWN:
            self._left.popitem(last=False)
        if not allowed:
            wait = max(1, ceil((cost - tokens) / limits.per_second))
            message = f"at most {limits.per_second:g} requests a second: wait {wait} s"
            raise Problem("too_many", message, retry=wait)


class Streams:
    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._open: Counter[tuple[str, str]] = Counter()

    def take(self, grant: str, table: str) -> None:
        limits = {("grant", grant): self._limits.streams_of_a_grant}
        limits["table", table] = self._limits.streams_of_a_table
        for place, limit in limits.items():
            if self._open[place] >= limit:
                message = f"at most {limit} streams of one {place[0]}: close another one"
                raise Problem("too_many", message, retry=5)
        self._open.update(limits.keys())

    def release(self, grant: str, table: str) -> None:
        for place in (("grant", grant), ("table", table)):
            self._open[place] -= 1
            if not self._open[place]:
                del self._open[place]
