"""Startup and shutdown in one event loop with uvicorn."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from msgspec import Struct
from starlette.types import ASGIApp

from croupier.server.desks.pilot import deal_on
from croupier.server.http.app import Application, Resource
from croupier.server.http.calls import Front
from croupier.server.http.limits import USUAL, Limits
from croupier.server.http.listening import bounded
from croupier.server.service import Service, Table

_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


class Address(Struct, frozen=True):
    """The service's address and host names.

    ``tls`` are the certificate chain and key files; ``origin`` is that of a TLS proxy in front.
    """

    host: str = "127.0.0.1"
    port: int = 8750
    tls: tuple[Path, Path] | None = None
    origin: str = ""


class Server(uvicorn.Server):
    """A server that ends event streams before it waits for its connections."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service: Final = service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM without re-raising: the store is closed afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {one: signal.signal(one, self.handle_exit) for one in _ENDING}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down streams, then connections, then the store."""
        self._service.say_bye()
        await super().shutdown(sockets)


def spare_collecting() -> None:
    """Exempt long-lived objects from garbage collection, and collect less often.

    Collection took a quarter of a command's time. Do not call this in a process that does other
    work.
    """
    if threading.current_thread() is threading.main_thread():
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)


def listening(
    application: ASGIApp, limits: Limits, tls: tuple[Path, Path] | None = None
) -> uvicorn.Config:
    """Return the uvicorn configuration, without a server header."""
    chain, key = tls or (None, None)
    return uvicorn.Config(
        application,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        ws="none",
        http=bounded(limits),
        limit_concurrency=limits.connections,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
        ssl_certfile=None if chain is None else os.fspath(chain),
        ssl_keyfile=None if key is None else os.fspath(key),
        proxy_headers=False,
    )


async def serve(  # noqa: PLR0913  (what a service is run with)
    service: Service,
    address: Address,
    *,
    limits: Limits = USUAL,
    pace: float = 1.0,
    more: Sequence[Resource] = (),
    begin: Callable[[Service, str], Awaitable[None]] | None = None,
    started: Callable[[Server, str], object] = lambda _, __: None,
) -> None:
    """Serve until the process is asked to stop.

    ``begin`` runs before the first request, then ``started`` with the server and its address.
    """
    bound = socket.create_server((address.host, address.port), reuse_port=False)
    # Inherited by connections; otherwise the end of a short response waits for an acknowledgment.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    port = bound.getsockname()[1]
    secure = address.tls is not None or bool(address.origin)
    names = {address.host, "localhost"} if address.host == "127.0.0.1" else {address.host}
    hosts = {f"{name}:{port}" for name in names} | ({address.origin} if address.origin else set())
    front = Front(service, frozenset(hosts), limits, secure=secure)
    tasks: dict[str, asyncio.Task[None]] = {}

    def deal(table: Table) -> None:
        name = table.desk.name
        # A table taken up again may still have a running task.
        if table.opened.cards == "autopilot" and (name not in tasks or tasks[name].done()):
            tasks[name] = asyncio.get_running_loop().create_task(deal_on(table, pace))
        watch, seconds = f"{name} watched", limits.judge_seconds
        if seconds and (watch not in tasks or tasks[watch].done()):
            watching = table.alarm.watch(seconds, service.judging)
            tasks[watch] = asyncio.get_running_loop().create_task(watching)

    service.on_table = deal
    server = Server(listening(Application(front, more), limits, address.tls), service)
    scheme = "https" if secure else "http"
    place = service.address = f"{scheme}://{address.origin or f'{address.host}:{port}'}"
    try:
        await service.start()
    except BaseException:
        bound.close()
        service.store.close()
        raise
    try:
        if begin is not None:
            await begin(service, place)
        started(server, place)
        spare_collecting()
        await server.serve([bound])
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await service.stop()
        bound.close()
