"""A process for expensive queries, with a bounded queue, so that commands stay fast."""

from __future__ import annotations

import asyncio
import os
import pickle
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any, Final, TypeVar

from croupier.server.http.problems import Problem
from croupier.server.logs import LOG

PLACES: Final = 8
"""Queries that run or wait in one queue."""
PLACES_OF_ONE: Final = 2
"""Places of one caller, who could otherwise keep everybody else out."""
_SECONDS: Final = 300.0
_MEMORY: Final = 1 << 30
_NICE: Final = 5
_LENGTH: Final = 8
"""Bytes that give the length of a message."""

Lines = AsyncIterator[list[bytes]]
T = TypeVar("T")


class Worker:
    """A process that answers one query after the other, started by the first one."""

    def __init__(self) -> None:
        self._turn: Final = asyncio.Lock()
        self._askers: Counter[str] = Counter()
        self._process: Process | None = None

    @property
    def queries(self) -> int:
        return self._askers.total()

    async def run(
        self, asker: str, act: Callable[..., T], *args: object, records: Iterable[Lines] = ()
    ) -> T:
        """Return the result of ``act(*args, *records)``, with the lines of each record.

        Cancel it to free its place. Raises ``Problem`` if the queue is full or the process ends,
        and what the function raises.
        """
        if self.queries >= PLACES or self._askers[asker] >= PLACES_OF_ONE:
            raise Problem("busy", "other long queries come first: ask again later", retry=5)
        self._askers[asker] += 1
        try:
            async with self._turn, asyncio.timeout(_SECONDS):
                is_error, result = await self._answer((act, args), [*records])
        except (OSError, EOFError) as error:
            LOG.error("the process for long queries: %s", error or "no answer in time")
            message = "the process that worked on it ended: ask again"
            raise Problem("failed", message) from error
        finally:
            self._askers -= Counter((asker,))
        if is_error:
            raise result
        return result  # type: ignore[no-any-return]

    async def _answer(self, query: tuple[object, ...], records: list[Lines]) -> tuple[bool, Any]:
        process = self._process
        if process is None or process.returncode is not None:
            # Its own process group: a terminal's SIGINT is for the service.
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", __name__, stdin=PIPE, stdout=PIPE,
                start_new_session=True,
            )  # fmt: skip
        source: Any = process.stdin
        target: Any = process.stdout
        try:
            await _send(source, (*query, len(records)))
            while isinstance(answer := await _next(target), int):
                await _send(source, await anext(records[answer], []))
        except BaseException:
            # It may be in the middle of this query, so the next one starts another process.
            await self.end()
            raise
        if isinstance(answer[1], MemoryError):
            # The page that did not fit into memory is still in the pipe.
            await self.end()
        return answer  # type: ignore[no-any-return]

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _send(target: asyncio.StreamWriter, message: object) -> None:
    content = pickle.dumps(message)
    target.write(len(content).to_bytes(_LENGTH) + content)
    await target.drain()


async def _next(source: asyncio.StreamReader) -> Any:
    length = int.from_bytes(await source.readexactly(_LENGTH))
    return pickle.loads(await source.readexactly(length))  # noqa: S301  (of our own process)


# --- in the process ---


class _Service:
    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._source: Final = source
        self._target: Final = target

    def send(self, message: object) -> None:
        content = pickle.dumps(message)
        self._target.write(len(content).to_bytes(_LENGTH) + content)
        self._target.flush()

    def next(self) -> Any:
        head = self._source.read(_LENGTH)
        if len(head) < _LENGTH:
            raise SystemExit  # The service has ended.
        return pickle.loads(self._source.read(int.from_bytes(head)))  # noqa: S301  (of our own service)

    def record(self, number: int) -> Iterator[bytes]:
        """Yield the lines of a record, requested by page."""
        while True:
            self.send(number)
            if not (page := self.next()):
                return
            yield from page


def _answer(service: _Service) -> None:
    act, args, number = service.next()
    try:
        answer = False, act(*args, *map(service.record, range(number)))
    except Exception as error:  # noqa: BLE001  (the service raises it)
        answer = True, error
    service.send(answer)


def _main() -> None:
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    service = _Service(sys.stdin.buffer, sys.stdout.buffer)
    # Output of a library must not enter an answer.
    sys.stdout = sys.stderr
    with suppress(BrokenPipeError):
        while True:
            _answer(service)


if __name__ == "__main__":
    _main()
