"""Connections that are closed if the database keeps them open without answering."""

from __future__ import annotations

from collections.abc import Generator
from math import inf
from time import monotonic
from typing import Any

from psycopg import Connection
from psycopg.errors import ConnectionTimeout

PATIENCE = 11.0
"""Seconds for an answer: longer than ``statement_timeout``, which a stopped server never ends."""


class WatchedConnection(Connection[Any]):
    is_limited = True
    """Whether statements have a limit; that of the server is ``statement_timeout``."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
        return super().wait(self._watched(gen), *args, **options)

    def _watched(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        end = monotonic() + (PATIENCE if self.is_limited else inf)
        try:
            state = next(gen)
            while True:
                # Without news of the database, it goes on after 0.1 seconds.
                readiness = yield state
                if not readiness and monotonic() > end:
                    self.close()
                    raise ConnectionTimeout(f"no answer within {PATIENCE:g} seconds")
                state = gen.send(readiness)
        except StopIteration as completion:
            return completion.value
