"""Streams of events: each entry once, in order, from where the caller was."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Scope, Send

from croupier.server.calls import Call
from croupier.server.hub import Hub, Listener
from croupier.server.problems import Problem
from croupier.server.service import Table
from croupier.server.views import Viewer

__all__ = ["EventStream", "events"]

_PAGE: Final = 200
_BYE: Final = b"event: bye\ndata: {}\n\n"
_BEAT: Final = b": beat\n\n"


async def events(call: Call) -> EventStream:
    """Return the events of a table from an entry on, and then each as it comes."""
    table = call.table()
    last = table.desk.durable.sequence
    stated = call.request.headers.get("last-event-id")
    if stated is None:
        after = call.number("after", last, 10**12)
    elif stated.isascii() and stated.isdigit() and len(stated) < 16:
        after = int(stated)
    else:
        raise Problem("malformed", "Last-Event-ID: write the number of an entry")
    # Given back when the stream ends.
    call.front.streams.take(call.grant.id, table.desk.name)
    return EventStream(call, table, after)


class EventStream:
    """The answer that a stream of events is."""

    def __init__(self, call: Call, table: Table, after: int) -> None:
        self._call: Final = call
        self._table: Final = table
        self._after: Final = after
        self._viewer: Final[Viewer] = call.viewer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is until the caller leaves, is too slow, or the service ends."""
        del scope
        streams, grant = self._call.front.streams, self._call.grant.id
        hub, name = self._table.hub, self._table.desk.name
        listener = hub.join(self._viewer)
        sending = asyncio.ensure_future(self._send(send, listener))
        ends = [
            asyncio.ensure_future(_left(receive)),
            asyncio.ensure_future(listener.is_dropped.wait()),
        ]
        try:
            await asyncio.wait({sending, *ends}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hub.leave(listener)
            streams.release(grant, name)
            for task in (sending, *ends):
                task.cancel()
            for task in (sending, *ends):
                with suppress(asyncio.CancelledError, TimeoutError, OSError):
                    await task

    async def _send(self, send: Send, listener: Listener) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with asyncio.timeout(None) as bound:
            async for message in self._messages(listener):
                # A reader that takes nothing more is let go.
                loop = asyncio.get_running_loop()
                bound.reschedule(loop.time() + self._call.front.limits.send_seconds)
                await send({"type": "http.response.body", "body": message, "more_body": True})
                bound.reschedule(None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _messages(self, listener: Listener) -> AsyncIterator[bytes]:
        limits, hub = self._call.front.limits, self._table.hub
        # Listeners that were dropped together do not all come back at once.
        yield b"retry: %d\n\n" % random.randint(1000, 3000)  # noqa: S311  (no secret)
        if hub.is_ended:
            yield _BYE
            return
        sent, last = self._after, self._table.desk.durable.sequence
        if sent > last or last - sent > limits.replayed:
            yield b'event: resync\ndata: {"seq":%d}\n\n' % last
            sent = last
        async for message in self._replayed(hub, sent + 1, last):
            yield message
        sent = last
        while True:
            try:
                found = await asyncio.wait_for(listener.queue.get(), limits.beat_seconds)
            except TimeoutError:
                yield _BEAT
                continue
            if found is None:
                yield _BYE
                return
            at, line = found
            if at > sent:
                sent = at
                yield hub.message(self._viewer, at, line)

    async def _replayed(self, hub: Hub, first: int, last: int) -> AsyncIterator[bytes]:
        service, name = self._call.service, self._table.desk.name
        for begin in range(first, last + 1, _PAGE):
            end = min(begin + _PAGE - 1, last)
            lines = await service.lines(name, begin, end)
            for at, line in enumerate(lines, start=begin):
                yield hub.message(self._viewer, at, line)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
