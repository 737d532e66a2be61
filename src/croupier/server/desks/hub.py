"""Listeners of a table or pit; a slow one is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from croupier.server.desks.recorded import Recorded
from croupier.server.http.metrics import Metrics

Heard: TypeAlias = "tuple[Hub, Any] | Literal['quiet'] | None"
"""A stream item: an entry with its record, a quiet period, or the end."""
MOST_WAITING: Final = 256
"""Queued messages at which a listener is dropped."""


class Listener:
    def __init__(self) -> None:
        self.queue: asyncio.Queue[Heard] = asyncio.Queue(MOST_WAITING)
        self.is_dropped = asyncio.Event()

    def forget(self) -> None:
        """Drop the queued entries, but not the end."""
        ends = False
        while not self.queue.empty():
            ends = self.queue.get_nowait() is None or ends
        if ends:
            self.queue.put_nowait(None)


class Hub:
    def __init__(self, desk: Recorded[Any, Any], metrics: Metrics) -> None:
        self.desk: Final = desk
        self._metrics: Final = metrics
        self._listeners: set[Listener] = set()
        desk.listeners.append(self._receive)

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def lag(self) -> int:
        return max((listener.queue.qsize() for listener in self._listeners), default=0)

    def join(self, listener: Listener) -> None:
        self._listeners.add(listener)
        self._metrics.listeners.inc()

    def leave(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._metrics.listeners.dec()

    def _receive(self, entries: Sequence[Any]) -> None:
        self._metrics.entries.inc(len(entries))
        self._notify(entries)

    def nudge(self) -> None:
        """Renew pages after a change without an entry, such as a new pending act."""
        self._notify([None])

    def _notify(self, entries: Sequence[Any]) -> None:
        for listener in tuple(self._listeners):
            try:
                for entry in entries:
                    listener.queue.put_nowait((self, entry))
            except asyncio.QueueFull:
                self._metrics.dropped.inc()
                self.leave(listener)
                listener.is_dropped.set()

    def end(self) -> None:
        for listener in tuple(self._listeners):
            try:
                listener.queue.put_nowait(None)
            except asyncio.QueueFull:
                listener.is_dropped.set()
