"""Detection of jumps of the machine's clock, which the times of entries come from."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

_LOOK: Final = 0.5
_JUMP: Final = 1.0
"""Seconds that count as a jump; time servers slew by less than a millisecond between looks."""


def offset() -> float:
    return time.time() - time.monotonic()


async def jumps() -> AsyncIterator[float]:
    """Yield every jump of the wall clock, in seconds: positive if it went forward."""
    last = offset()
    while True:
        await asyncio.sleep(_LOOK)
        current = offset()
        jump, last = current - last, current
        if abs(jump) >= _JUMP:
            yield jump
