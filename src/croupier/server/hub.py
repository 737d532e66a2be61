"""Who listens to a table, or to its pit: each line once to each viewer, as that viewer sees it.

A listener that does not keep up is dropped: it comes again and resumes, or loads the table anew.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from croupier.server.metrics import Metrics
from croupier.server.recorded import Recorded
from croupier.server.views import Viewer, seen_entry

__all__ = ["MOST_WAITING", "Hub", "Listener"]

MOST_WAITING: Final = 256
"""Messages that wait for a listener before it is dropped."""
_KEPT: Final = 512
"""Entries kept as viewers see them, so that each is made once for all of an office."""


class Listener:
    """One stream of events: the entries that wait, and how it ends."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[tuple[Hub, Any] | None] = asyncio.Queue(MOST_WAITING)
        self.is_dropped = asyncio.Event()


class Hub:
    """The listeners of one record; ``see`` returns an entry of it as a viewer sees it."""

    def __init__(
        self,
        desk: Recorded[Any, Any],
        metrics: Metrics,
        see: Callable[[Viewer, Any], object] = seen_entry,
    ) -> None:
        self.desk: Final = desk
        self._see: Final = see
        self._metrics: Final = metrics
        self._listeners: set[Listener] = set()
        self._seen: OrderedDict[tuple[int, Viewer], bytes] = OrderedDict()
        desk.listeners.append(self._hear)

    def __len__(self) -> int:
        return len(self._listeners)

    def join(self, listener: Listener) -> None:
        """Have a listener hear every entry from now on."""
        self._listeners.add(listener)
        self._metrics.listeners.inc()

    def leave(self, listener: Listener) -> None:
        """Have a listener hear nothing more."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._metrics.listeners.dec()

    def _hear(self, entries: Sequence[Any]) -> None:
        self._metrics.entries.inc(len(entries))
        if not self._listeners:
            return
        for listener in tuple(self._listeners):
            try:
                for entry in entries:
                    listener.queue.put_nowait((self, entry))
            except asyncio.QueueFull:
                self._metrics.dropped.inc()
                self.leave(listener)
                listener.is_dropped.set()

    def end(self) -> None:
        """Tell every listener that the service shuts down."""
        for listener in tuple(self._listeners):
            try:
                listener.queue.put_nowait(None)
            except asyncio.QueueFull:
                listener.is_dropped.set()

    def seen(self, viewer: Viewer, entry: Any) -> bytes:
        """Return an entry as a viewer sees it, in JSON."""
        place = (entry.after.sequence, viewer)
        found = self._seen.get(place)
        if found is None:
            found = msgspec.json.encode(self._see(viewer, entry))
            self._seen[place] = found
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        return found
