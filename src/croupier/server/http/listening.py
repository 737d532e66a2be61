"""Connection limits below the application."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.server.http.limits import Limits
from croupier.server.logs import note

CLOSE_SECONDS: Final = 2.0
"""Time that shutdown waits for the peer of an answered connection."""
WHOLE: Final = "croupier.whole"
"""Scope key of a request whose body arrived before the application was called."""
_STATUS: Final = b"HTTP/1.1 "
_ANSWERED: Final = 100
"""Connections beyond the limit that still get an error response."""
_AT_ONCE: Final = 100
"""Connections accepted in a row before others are served."""


def bounded(limits: Limits) -> type[_Bounded]:
    """Extend uvicorn's protocol with time limits for headers and slow readers."""
    return type("Bounded", (_Bounded,), {"limits": limits, "handshakes": {}})


class _Bounded(H11Protocol):
    """A connection closed if its header is late or its output is not read."""

    limits: ClassVar[Limits]
    handshakes: ClassVar[dict[int, socket.socket]]
    """Accepted connections by file number, until their TLS handshake is done."""
    _head: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if (line := transport.get_extra_info("ssl_object")) is not None:
            self.app_state = {**self.app_state, "tls": line}
            self.handshakes.pop(transport.get_extra_info("socket").fileno(), None)
        self.transport = _Joined(  # type: ignore[assignment]
            transport, self.loop, self.limits.send_seconds
        )
        if len(self.connections) > self.limits.connections + _ANSWERED:
            self._cut("too many connections")
            return
        self._wait_for_head()

    def _should_upgrade(self) -> bool:
        return False  # uvicorn would log two warnings for each header that asks for it.

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # After an early answer, the rest of a body has as long as a header.
        if self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE:
            self._wait_for_head()
        else:
            self._head = _end(self._head)
            if self.conn.their_state is h11.DONE and self.scope is not None:
                self.scope[WHOLE] = True  # type: ignore[typeddict-unknown-key]

    def _wait_for_head(self) -> None:
        if self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(
                self.limits.body_seconds, self._cut, "no request came"
            )

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking = self.loop.call_later(
            self.limits.send_seconds, self._cut, "the answer is not read"
        )

    def resume_writing(self) -> None:
        self._taking = _end(self._taking)
        super().resume_writing()

    def shutdown(self) -> None:
        self.transport.patience = CLOSE_SECONDS  # type: ignore[attr-defined]
        super().shutdown()

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self._cut("the answer is not read")
        super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head, self._taking = _end(self._head), _end(self._taking)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        self._note("refusal", "not HTTP", status=400, code="not_http")
        super().send_400_response(msg)

    def _cut(self, reason: str) -> None:
        self._note("cut", reason)
        # Closing would wait until the pending output is read.
        self.transport.abort()

    def _note(self, event: str, reason: str, **more: object) -> None:
        note(event, reason, {"peer": self.client[0] if self.client else "", **more})


class ListeningSocket(socket.socket):
    """A listening socket that gives up the oldest TLS handshake for one too many."""

    def __init__(self, bound: socket.socket, protocol: type[_Bounded]) -> None:
        super().__init__(fileno=bound.detach())
        self._protocol: Final = protocol
        self._accepted = 0

    def accept(self) -> tuple[socket.socket, Any]:
        self._accepted += 1
        if self._accepted % _AT_ONCE == 0:
            raise BlockingIOError  # What was given up is closed first.
        line, peer = super().accept()
        under_way = self._protocol.handshakes
        under_way.pop(line.fileno(), None)  # A connection with that number was closed.
        under_way[line.fileno()] = line
        if len(under_way) > self._protocol.limits.connections:
            with suppress(OSError):  # It was closed.
                oldest = under_way.pop(next(iter(under_way)))
                note("cut", "too many handshakes", {"peer": oldest.getpeername()[0]})
                oldest.shutdown(socket.SHUT_RDWR)
        return line, peer


class _Joined:
    """A transport that joins header and body; closed, it waits ``patience`` seconds."""

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, patience: float
    ) -> None:
        self.patience = patience
        self._transport: Final = transport
        self._loop: Final = loop
        self._head = b""
        self.is_closing: Final = transport.is_closing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._head:
            data, self._head = self._head + data, b""
        elif data.startswith(_STATUS):
            self._head = data
            self._loop.call_soon(self._flush)
            return
        self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()
        self._loop.call_later(self.patience, self._transport.abort)

    def _flush(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)


def _end(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None
