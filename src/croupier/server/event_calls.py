"""Streams of events: each entry once, in order, from where the caller was."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from starlette.types import Receive, Scope, Send

from croupier.server.calls import Call
from croupier.server.desk import Desk
from croupier.server.hub import Hub, Listener
from croupier.server.past import Past
from croupier.server.problems import Problem
from croupier.server.queries import AFTER
from croupier.server.views import Viewer, seen_pit_entry, sees_pit

__all__ = ["EventStream", "events", "pit_events"]

_PAGE: Final = 200
_BYE: Final = b"event: bye\ndata: {}\n\n"
_BEAT: Final = b": beat\n\n"


async def events(call: Call) -> EventStream:
    """Return the events of a table from an entry on, and then each as it comes."""
    table = call.table()
    last = table.desk.durable.sequence
    stated = call.headers.get("last-event-id")
    if stated is None:
        after = call.number(AFTER, last)
    elif stated.isascii() and stated.isdigit() and len(stated) < 16:
        after = int(stated)
    else:
        raise Problem("malformed", "Last-Event-ID: write the number of an entry")
    # Given back when the stream ends.
    call.front.streams.take(call.grant.id, table.desk.name)
    return EventStream(call, (table.hub,), (after, table.past))


async def pit_events(call: Call) -> EventStream:
    """Return the events of a pit and its tables from now on; whoever comes again begins anew."""
    name = call.request.path_params["pit"]
    if name != call.grant.pit:
        raise Problem("not_found", "there is no such pit, or it is none of yours")
    hubs = [table.hub for table in call.service.tables_of(call.grant).values()]
    if name in call.service.pit_hubs and sees_pit(call.viewer):
        hubs.append(call.service.pit_hubs[name])
    call.front.streams.take(call.grant.id, f"pit {name}")
    return EventStream(call, hubs)


class EventStream:
    """The answer that a stream of events is: of one table after an entry, or of several."""

    def __init__(
        self, call: Call, hubs: Sequence[Hub], after: tuple[int, Past] | None = None
    ) -> None:
        self._call: Final = call
        self._hubs: Final = hubs
        self._after: Final = after
        self._name: Final = f"pit {call.grant.pit}" if after is None else hubs[0].desk.name
        self._viewer: Final[Viewer] = call.viewer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is until the caller leaves, is too slow, or the service ends."""
        del scope
        streams, grant = self._call.front.streams, self._call.grant.id
        listener = Listener()
        for hub in self._hubs:
            hub.join(listener)
        sending = asyncio.ensure_future(self._send(send, listener))
        ends = [
            asyncio.ensure_future(_left(receive)),
            asyncio.ensure_future(listener.is_dropped.wait()),
        ]
        try:
            await asyncio.wait({sending, *ends}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for hub in self._hubs:
                hub.leave(listener)
            streams.release(grant, self._name)
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
        # Listeners that were dropped together do not all come back at once.
        yield b"retry: %d\n\n" % random.randint(1000, 3000)  # noqa: S311  (no secret)
        if self._call.service.is_closing:
            yield _BYE
            return
        sent = {hub.desk.name: hub.desk.durable.sequence for hub in self._hubs}
        async for message in self._begun(sent):
            yield message
        while True:
            try:
                # ``wait_for`` would make a task for each wait; and in Python 3.11 it goes on if it
                # is canceled just as an entry comes, so that a stream that was left never ends.
                async with asyncio.timeout(self._call.front.limits.beat_seconds):
                    found = await listener.queue.get()
            except TimeoutError:
                if not self._stands:
                    return
                yield _BEAT
                continue
            if found is None:
                yield _BYE
                return
            if not self._stands:
                return
            async for message in self._of(found, listener, sent):
                yield message

    async def _of(
        self, found: tuple[Hub, Any], listener: Listener, sent: Mapping[str, int]
    ) -> AsyncIterator[bytes]:
        """Yield what an entry is to the caller."""
        del listener
        hub, entry = found
        if entry.after.sequence > sent[hub.desk.name]:
            yield self._message(hub, entry)

    async def _begun(self, sent: Mapping[str, int]) -> AsyncIterator[bytes]:
        """Yield what the caller has missed of a table, or that it must be loaded anew."""
        if self._after is None:
            tables = {hub.desk.name: sent[hub.desk.name] for hub in self._hubs if _is_table(hub)}
            yield b"event: resync\ndata: %b\n\n" % msgspec.json.encode({"tables": tables})
            return
        (hub,) = self._hubs
        after, past = self._after
        last = sent[hub.desk.name]
        if after > last or last - after > self._call.front.limits.replayed:
            yield b'event: resync\ndata: {"seq":%d}\n\n' % last
            return
        for begin in range(after + 1, last + 1, _PAGE):
            end = min(begin + _PAGE - 1, last)
            for entry in await past.entries(begin, end):
                yield self._message(hub, entry)

    def _message(self, hub: Hub, entry: Any) -> bytes:
        if not _is_table(hub):
            shown = msgspec.json.encode(seen_pit_entry(self._viewer, entry))
            return b"event: pit\ndata: %b\n\n" % shown
        data = hub.seen.encoded(self._viewer, entry)
        if self._after is not None:
            return b"id: %d\nevent: entry\ndata: %b\n\n" % (entry.after.sequence, data)
        table = msgspec.json.encode(hub.desk.name)
        return b'event: entry\ndata: {"table":%b,"entry":%b}\n\n' % (table, data)

    @property
    def _stands(self) -> bool:
        """Whether the grant that the stream was asked for under has neither ended nor been revoked.

        A stream is older than most answers are.
        """
        service = self._call.service
        grant = service.grants.get(self._call.grant.id)
        return grant is not None and grant.stands(service.now())


def _is_table(hub: Hub) -> bool:
    return isinstance(hub.desk, Desk)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
