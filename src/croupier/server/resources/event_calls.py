"""A table's whole view at one entry, and its events: each once, in order, resumable."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.records.roads import road_data, roads_of
from croupier.records.view.projection import projection
from croupier.records.view.seen import due_answer, foreseen
from croupier.server.desks.days import Past
from croupier.server.desks.desk import Desk
from croupier.server.desks.hub import Hub, Listener
from croupier.server.http.calls import Call, json_answer
from croupier.server.http.limits import Limits
from croupier.server.http.names import whole
from croupier.server.http.problems import Problem, clauses_in_words
from croupier.server.http.queries import AFTER
from croupier.server.resources.read_calls import board_of
from croupier.server.resources.table_calls import acts_that_wait, goes_on
from croupier.server.service import Table
from croupier.server.views import (
    SEEN,
    Viewer,
    play_waits,
    seen_acts,
    seen_pit_entry,
    sees_pit,
)
from croupier.table.people.offices import is_on_duty


async def look(call: Call) -> Response:
    """Return a table's view, acts, due result, consents, and roads."""
    table = call.table()
    board = await board_of(call, table)
    position = call.service.shown(table)
    seen = projection(position, call.viewer)
    acts = seen_acts(call.viewer, position, call.grant.actor, call.service.today)
    answer = due_answer(position)
    due = foreseen(call.viewer, answer)
    # What waits unseen shows only in the acts of the person who would go on.
    goes = due is not None and any(act["must"] and act["gives"] for act in acts)
    next_act = goes_on(call, table, answer) if goes else None
    prompt = seen["prompt"]
    clauses = [clause for act in acts for clause in act["clauses"]]
    clauses += prompt["clauses"] if prompt else []
    clauses += [clause for line in (due["narration"] if due else ()) for clause in line["clauses"]]
    document: dict[str, Any] = {
        "seq": position.sequence,
        "table": table.desk.name,
        "cards": table.opened.cards,
        "seen": seen,
        "acts": acts,
        "due": due,
        "then": next_act,
        "on_duty": is_on_duty(position.state, call.grant.actor),
        "waits": play_waits(call.viewer, position, call.service.today),
        "roads": road_data(roads_of(board.results)),
        "consents": _waiting(call, table),
        "clauses": clauses_in_words(position.rules.law, dict.fromkeys(clauses)),
    }
    return json_answer(document, headers={"ETag": f'"{position.sequence}"'})


def _waiting(call: Call, table: Table) -> list[Mapping[str, Any]]:
    try:
        return [*acts_that_wait(call, table)]
    except Problem as problem:
        if problem.body["code"] == "not_owner":
            return []
        raise


_PAGE: Final = 200
_BYE: Final = b"event: bye\ndata: {}\n\n"
_BEAT: Final = b": beat\n\n"


async def events(call: Call) -> EventStream:
    """Return a table's events after an entry, then new ones."""
    table = call.table()
    last = table.desk.durable.sequence
    last_id = call.headers.get("last-event-id")
    after = call.number(AFTER, last) if last_id is None else whole(last_id)
    if after is None:
        raise Problem("malformed", "Last-Event-ID: write the number of an entry")
    # Released when the stream ends.
    call.front.streams.take(call.grant.id, table.desk.name)
    return EventStream(call, (table.hub,), (after, table.past))


async def pit_events(call: Call) -> EventStream:
    """Return new events of a pit and its tables."""
    name = call.request.path_params["pit"]
    if name != call.grant.pit:
        raise Problem("not_found", "there is no such pit, or it is none of yours")
    viewer = call.viewer
    hubs = [table.hub for table in call.service.tables_of(call.grant).values()]
    if name in call.service.pit_hubs and sees_pit(viewer):
        hubs.append(call.service.pit_hubs[name])
    call.front.streams.take(call.grant.id, f"pit {name}")
    return EventStream(call, hubs)


class EventStream:
    """Event stream of one table after an entry, or of several."""

    def __init__(
        self, call: Call, hubs: Sequence[Hub], after: tuple[int, Past] | None = None
    ) -> None:
        self._call: Final = call
        self._hubs: Final = hubs
        self._after: Final = after
        self._name: Final = f"pit {call.grant.pit}" if after is None else hubs[0].desk.name
        self._viewer: Final[Viewer] = call.viewer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until disconnected, too slow, or stopped."""
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
        if self._call.request.method == "HEAD":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        pace = _Pace(listener, self._call.front.limits)
        names = self._call.service.names
        try:
            async for message in self._messages(listener):
                pace.begin()
                event = message if names is None else names.shown(message)
                await send({"type": "http.response.body", "body": event, "more_body": True})
                pace.done()
        finally:
            pace.end()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _messages(self, listener: Listener) -> AsyncIterator[bytes]:
        # Spread the reconnections of listeners dropped together.
        yield b"retry: %d\n\n" % random.randint(1000, 3000)  # noqa: S311  (no secret)
        if self._call.service.closes.is_set():
            yield _BYE
            return
        positions = {hub.desk.name: hub.desk.durable.sequence for hub in self._hubs}
        async for message in self._begun(positions):
            yield message
        tables = len(self._call.service.tables)
        ends = monotonic() + self._call.front.limits.stream_seconds
        last = max(positions.values(), default=0)
        while self._hubs:
            found = await listener.queue.get()
            if found is None:
                yield _BYE
                return
            # A stream outlives most requests, so its token is checked again.
            if not self._call.still_proven:
                return
            if self._after is None and len(self._call.service.tables) != tables:
                return  # A stream of a pit that begins anew has the new table, too.
            text = _BEAT if found == "quiet" else await self._of(found, listener, positions)
            if text is not None:
                yield text
            if found != "quiet" and found[1] is not None:
                last = max(last, found[1].after.sequence)
            if self._call.identity is not None and monotonic() > ends:
                # The proxy or the certificate answers for the caller once per request: resume now.
                yield b"retry: 1\n\n" if self._after is None else _resumed(last)
                return

    async def _of(
        self, found: tuple[Hub, Any], listener: Listener, positions: Mapping[str, int]
    ) -> bytes | None:
        del listener
        hub, entry = found
        is_new = entry is not None and entry.after.sequence > positions[hub.desk.name]
        return self._message(hub, entry) if is_new else None

    async def _begun(self, sent: Mapping[str, int]) -> AsyncIterator[bytes]:
        if self._after is None:
            tables = {hub.desk.name: sent[hub.desk.name] for hub in self._hubs if _is_table(hub)}
            yield b"event: resync\ndata: %b\n\n" % msgspec.json.encode({"tables": tables})
            return
        (hub,) = self._hubs
        after, past = self._after
        last_entry = sent[hub.desk.name]
        if after > last_entry or last_entry - after > self._call.front.limits.replayed:
            yield b'event: resync\ndata: {"seq":%d}\n\n' % last_entry
            return
        for begin in range(after + 1, last_entry + 1, _PAGE):
            end = min(begin + _PAGE - 1, last_entry)
            for entry in await past.entries(begin, end):
                yield self._message(hub, entry)

    def _message(self, hub: Hub, entry: Any) -> bytes:
        if not _is_table(hub):
            encoded = msgspec.json.encode(seen_pit_entry(self._viewer, entry))
            return b"event: pit\ndata: %b\n\n" % encoded
        data = SEEN.encoded(self._viewer, entry)
        if self._after is not None:
            return b"id: %d\nevent: entry\ndata: %b\n\n" % (entry.after.sequence, data)
        table = msgspec.json.encode(hub.desk.name)
        return b'event: entry\ndata: {"table":%b,"entry":%b}\n\n' % (table, data)


class _Pace:
    """Two repeating timers cost less than two timers per message."""

    def __init__(self, listener: Listener, limits: Limits) -> None:
        self._listener: Final = listener
        self._limits: Final = limits
        self._sending: Final = asyncio.current_task()
        loop = asyncio.get_running_loop()
        self._now: Final = loop.time
        self._at: Final = loop.call_at
        self._last = self._now()
        self._is_sending = False
        self._timers = [
            self._at(self._last + limits.beat_seconds, self._beat),
            self._at(self._last + limits.send_seconds, self._bound),
        ]

    def begin(self) -> None:
        self._last, self._is_sending = self._now(), True

    def done(self) -> None:
        self._is_sending = False

    def end(self) -> None:
        for timer in self._timers:
            timer.cancel()

    def _beat(self) -> None:
        now, limit = self._now(), self._limits.beat_seconds
        is_due = self._last + limit <= now
        if is_due and not self._is_sending and self._listener.queue.empty():
            self._listener.queue.put_nowait("quiet")
        self._timers[0] = self._at((now if is_due else self._last) + limit, self._beat)

    def _bound(self) -> None:
        now, limit = self._now(), self._limits.send_seconds
        begin = self._last if self._is_sending else now
        if begin + limit <= now and self._sending is not None:
            self._sending.cancel()
            return
        self._timers[1] = self._at(begin + limit, self._bound)


def _resumed(last: int) -> bytes:
    """End of a stream to be resumed without a gap, also if no entry with a number was heard."""
    return b'id: %d\nretry: 1\nevent: resync\ndata: {"seq":%d}\n\n' % (last, last)


def _is_table(hub: Hub) -> bool:
    return isinstance(hub.desk, Desk)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
