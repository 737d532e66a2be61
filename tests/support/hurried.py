"""A listener of HTTP that ends at once: several hundred services are begun and ended."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn.server


class _Hurried:
    """``asyncio``, but for naps, which are short."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


def hurry() -> None:
    """Have the listener nap less before it looks whether it shall end, and as it does."""
    vars(uvicorn.server)["asyncio"] = _Hurried()
