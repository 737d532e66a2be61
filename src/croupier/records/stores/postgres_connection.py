"""Connections that are closed if the database keeps them open without answering."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any, TypeVar

from psycopg import Connection, OperationalError

T = TypeVar("T")

PATIENCE = 11.0
"""Seconds for an answer: longer than ``statement_timeout``, which a stopped server never ends."""


class SilentError(OperationalError):
    """The database does not answer."""


class WatchedConnection(Connection[Any]):
    """A connection for one thread at a time."""

    is_limited = True

    @contextmanager
    def unlimited(self) -> Iterator[None]:
        """Let statements of a transaction take any time."""
        self.execute("set local statement_timeout = 0")
        self.is_limited = False
        try:
            yield
        finally:
            self.is_limited = True

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **more: Any) -> T:
        """Wait for the database, which is asked again about every 0.1 seconds."""
        return super().wait(self._watched(gen), *args, **more)

    def _watched(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        end = monotonic() + (PATIENCE if self.is_limited else inf)
        try:
            state = next(gen)
            while True:
                ready = yield state
                if not ready and monotonic() > end:
                    self.close()
                    raise SilentError(f"no answer within {PATIENCE:g} seconds")
                state = gen.send(ready)
        except StopIteration as done:
            answer: T = done.value
            return answer
