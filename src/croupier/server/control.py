"""A local socket next to the store, by which the user who runs the service makes links."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.files.write import short_name
from croupier.records.stores.stream import StoreError
from croupier.server.http.problems import Problem

_SUFFIX: Final = ".control"
_MOST: Final = 1 << 16
_SECONDS: Final = 10.0

Answers = Callable[[bytes], Awaitable[object]]


def control_of(store: Path) -> Path:
    return store.with_name(f"{store.name}{_SUFFIX}")


@asynccontextmanager
async def controlled(path: Path | None, answers: Answers) -> AsyncIterator[None]:
    """Answer requests at a socket that only this user reaches. Raises ``OSError``."""
    if path is None:
        yield
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(OSError, TimeoutError, ValueError):
            async with asyncio.timeout(_SECONDS):
                writer.write(msgspec.json.encode(await _answered(answers, await reader.readline())))
                await writer.drain()

    with _bound(path) as bound:
        server = await asyncio.start_unix_server(answer, sock=bound, limit=_MOST)
        try:
            yield
        finally:
            server.close()


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    if path.is_socket():
        try:
            _connected(path).close()
        except ConnectionRefusedError:
            path.unlink()  # A killed service has left it.
    with socket.socket(socket.AF_UNIX) as bound:
        with short_name(path) as name:
            bound.bind(name)
        path.chmod(0o600)
        try:
            yield bound
        finally:
            path.unlink(missing_ok=True)


async def _answered(answers: Answers, request: bytes) -> object:
    try:
        return await answers(request)
    except (Problem, StoreError, msgspec.MsgspecError) as error:
        return {"error": str(error)}


def _connected(path: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(_SECONDS)
    try:
        with short_name(path) as name:
            line.connect(name)
    except OSError:
        line.close()
        raise
    return line


def ask(path: Path, request: object) -> dict[str, Any]:
    """Ask the service at a socket and return its answer. Raises ``OSError``."""
    with _connected(path) as line:
        line.sendall(msgspec.json.encode(request) + b"\n")
        found = b""
        while part := line.recv(_MOST):
            found += part
    try:
        return msgspec.json.decode(found, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise OSError("it gave no answer") from error
