"""Startup and shutdown in one event loop with uvicorn."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from msgspec import Struct
from starlette.types import ASGIApp

from croupier.server.certificates import Certificates
from croupier.server.control import Answers, controlled
from croupier.server.desks.pilot import deal_on
from croupier.server.equipment import Equipment
from croupier.server.http.app import Application
from croupier.server.http.calls import Front
from croupier.server.http.limits import USUAL, Limits
from croupier.server.http.listening import ListeningSocket, bounded
from croupier.server.http.openapi import Resource
from croupier.server.http.probes import Probes, ServiceFigures
from croupier.server.logs import note
from croupier.server.operations import Operations
from croupier.server.resources.operator_calls import OperatorPages
from croupier.server.service import Service, Table
from croupier.server.sign_on import SignOn

LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_OTHER_FILES: Final = 1000
_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


class Address(Struct, frozen=True):
    """The service's address and host names.

    ``tls`` are the certificate chain and key files, ``origin`` is that of a TLS proxy in front, and
    ``aliases`` are further names of the host.
    """

    host: str = "127.0.0.1"
    port: int = 8750
    tls: tuple[Path, Path] | None = None
    origin: str = ""
    names: tuple[str, ...] = ()
    """Host names under which clients ask for it, with the port of the request or without."""
    sign_on: SignOn | None = None
    equipment: Equipment | None = None
    metrics: tuple[str, int] | None = None
    """Address of probes and metrics, instead of the service's own."""
    aliases: frozenset[str] = frozenset()


class Server(uvicorn.Server):
    """A server that ends event streams before it waits for its connections."""

    def __init__(self, config: uvicorn.Config, service: Service, seconds: float) -> None:
        super().__init__(config)
        self._service: Final = service
        self._seconds: Final = seconds

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM without re-raising: the store is closed afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {one: signal.signal(one, self.handle_exit) for one in _ENDING}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen as uvicorn does, with limits for TLS handshakes and the time of their end."""
        config, seconds = self.config, None if self.config.ssl is None else self._seconds
        protocol: Any = config.http_protocol_class
        protocol_ = partial(protocol, config, self.server_state, self.lifespan.state)
        self.servers = [
            await asyncio.get_running_loop().create_server(
                protocol_, sock=ListeningSocket(bound, protocol) if config.ssl else bound,
                ssl=config.ssl, backlog=config.backlog,
                ssl_handshake_timeout=seconds, ssl_shutdown_timeout=seconds,
            )
            for bound in sockets or ()
        ]  # fmt: skip
        self.started = True

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


def _allow_files(connections: int) -> None:
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * connections + _OTHER_FILES
    if soft_limit != resource.RLIM_INFINITY and soft_limit < needed:
        allowed = needed if hard_limit == resource.RLIM_INFINITY else min(needed, hard_limit)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard_limit))


def listening(
    application: ASGIApp, limits: Limits, tls: tuple[Path, Path] | None = None
) -> uvicorn.Config:
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


class _Probed(uvicorn.Server):
    """A server of probes; the service's own server handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.create_server((host, port), family=family, reuse_port=False)
    # Inherited by connections; otherwise the end of a short response waits for an acknowledgment.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _tell_ready() -> None:
    place = os.environ.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
    if place:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.sendto(b"READY=1", place)


def _hosts(address: Address, port: int) -> frozenset[str]:
    names = {address.host, "localhost"} if address.host in LOOPBACK else {address.host}
    found = {f"{_in_url(name)}:{port}" for name in names | address.aliases}
    if address.origin:
        found.add(address.origin)
    # A default port is not in the header, also where a firewall forwards it to another one.
    for name in address.names:
        found |= {f"{name}:{port}", name}
    return frozenset(map(str.lower, found))


@asynccontextmanager
async def _probes(service: Service, address: Address, limits: Limits) -> AsyncIterator[None]:
    if address.metrics is None:
        yield
        return
    with closing(bind(*address.metrics)) as bound:
        server = _Probed(listening(Probes(service), limits))
        port = bound.getsockname()[1]
        note("probes", f"at http://{_in_url(address.metrics[0])}:{port}", {"port": port})
        serving = asyncio.get_running_loop().create_task(server.serve([bound]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


class _Tasks:
    """Tasks that run next to the server: dealing, verifying, and renewing certificates."""

    def __init__(self, service: Service, pace: float, judge_seconds: float) -> None:
        self._service: Final = service
        self._pace: Final = pace
        self._seconds: Final = judge_seconds
        self._tasks: Final[dict[str, asyncio.Task[None]]] = {}

    def begin(self, name: str, act: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start a task, unless it is still running for a table taken up again."""
        if name not in self._tasks or self._tasks[name].done():
            self._tasks[name] = asyncio.get_running_loop().create_task(act())

    def of_table(self, table: Table) -> None:
        name = table.desk.name
        if table.opened.cards == "autopilot":
            self.begin(name, lambda: deal_on(table, self._pace))
        if self._seconds:
            self.begin(
                f"{name} watched",
                lambda: table.alarm.watch(self._seconds, self._service.judging),
            )

    async def end(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


async def serve(  # noqa: PLR0913  (what a service is run with)
    service: Service,
    address: Address,
    *,
    limits: Limits = USUAL,
    pace: float = 1.0,
    more: Sequence[Resource] = (),
    begin: Callable[[Service, str], Awaitable[None]] | None = None,
    started: Callable[[Server, str], object] = lambda _, __: None,
    control: tuple[Path | None, Answers] | None = None,
    copies: tuple[str, Path | None] = ("", None),
) -> None:
    """Serve until the process is asked to stop.

    ``begin`` runs before the first request, then ``started`` with the server and its address.
    ``copies`` are the place of the store and the folder for its copies.
    """
    tasks = _Tasks(service, pace, limits.judge_seconds)
    service.on_table = tasks.of_table
    async with AsyncExitStack() as ends:
        ends.callback(service.store.close)
        bound = ends.enter_context(closing(bind(address.host, address.port)))
        port = bound.getsockname()[1]
        secure = address.tls is not None or bool(address.origin)
        front = Front(
            service,
            _hosts(address, port),
            limits,
            secure=secure,
            sign_on=address.sign_on,
            equipment=address.equipment,
        )
        tls = address.tls
        certificates = None if tls is None else Certificates(tls, address.equipment)
        figures = ServiceFigures(service, certificates)
        service.metrics.also(figures)
        operations = Operations(service, figures, certificates, *copies)
        resources = (*more, *OperatorPages(operations).resources)
        application = Application(front, resources, probed=address.metrics is None)
        server = Server(listening(application, limits, address.tls), service, limits.body_seconds)
        address_text = f"{address.names[0] if address.names else _in_url(address.host)}:{port}"
        scheme = "https" if secure else "http"
        place = service.address = f"{scheme}://{address.origin or address_text}"
        server.config.load()
        if (context := server.config.ssl) is not None and certificates is not None:
            certificates.use(context)
        await ends.enter_async_context(_probes(service, address, limits))
        await service.start()
        ends.push_async_callback(service.stop)
        ends.push_async_callback(tasks.end)
        ends.push_async_callback(operations.end)
        if certificates is not None:
            tasks.begin("certificate", certificates.renew)
        if begin is not None:
            await begin(service, place)
        if control is not None:
            await ends.enter_async_context(controlled(*control))
        started(server, place)
        spare_collecting()
        _allow_files(limits.connections)
        _tell_ready()
        await server.serve([bound])
