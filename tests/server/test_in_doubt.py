"""Commits whose outcome is not known: no answer says that nothing was done, or that it was, wrongly."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import NoneType
from typing import Any

import psycopg
import pytest

from croupier.records.stores.postgres_connection import WatchedConnection
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Answer, Append, Store, UnreachableError
from croupier.records.stores.stream import StoreError
from croupier.server.desks.commits import _committed
from support.databases import cluster

ANSWER = Answer("g1", "a", b"digest", 200, b"{}", 1_000)


def sqlite_error(code: int) -> Callable[[], Exception]:
    def made() -> Exception:
        error = sqlite3.OperationalError("it failed")
        error.sqlite_errorcode = code
        return error

    return made


Error = Callable[[], Exception]
CASES: Mapping[str, Sequence[tuple[Error, Sequence[bool]]]] = {
    "sqlite": [
        (sqlite_error(sqlite3.SQLITE_IOERR), (False, True)),
        (sqlite3.InterfaceError, (False, True)),
        (OSError, (False, True)),
    ],
    # What the database itself says ended the transaction: it cannot come after the commit.
    "postgres": [
        (psycopg.errors.QueryCanceled, (False,)),
        (psycopg.OperationalError, (False, True)),
        (OSError, (False, True)),
    ],
}
"""Errors by store, and whether they come after the step that they are raised at, or before it."""


class Breaks:
    """Raises an error at a step of the next commit, before it is done or after."""

    def __init__(self) -> None:
        self.left, self.after = -1, False
        self.error: Error = RuntimeError

    def set(self, step: int, error: Callable[[], Exception], *, after: bool) -> None:
        self.left, self.error, self.after = step, error, after

    def around(self, act: Callable[[], Any]) -> Any:
        self.left -= 1
        if self.left == -1 and not self.after:
            raise self.error()
        done = act()
        if self.left == -1:
            raise self.error()
        return done


class BreakingConnection:
    def __init__(self, connection: sqlite3.Connection, breaks: Breaks) -> None:
        self._connection, self._breaks = connection, breaks

    def execute(self, query: str, values: Any = ()) -> Any:
        return self._breaks.around(lambda: self._connection.execute(query, values))

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, Breaks]]:
    breaks = Breaks()
    one: Store
    if request.param == "sqlite":
        one = SQLiteStore(tmp_path / "pit.sqlite")
        one.connection = BreakingConnection(one.connection, breaks)  # type: ignore[assignment]
    else:
        wait = WatchedConnection.wait

        def broken(self: WatchedConnection, gen: Generator[Any, Any, Any], *words: Any) -> Any:
            if breaks.left < 0:
                return wait(self, gen, *words)
            return breaks.around(lambda: wait(self, gen, *words))

        monkeypatch.setattr(WatchedConnection, "wait", broken)
        one = PostgresStore(cluster().database())
    with closing(one):
        one.create("T")
        yield one, breaks


def test_an_answer_about_a_commit_in_doubt_is_no_guess(store: tuple[Store, Breaks]) -> None:
    one, breaks = store
    said, number = set(), 0
    errors = CASES["postgres" if one.is_shared else "sqlite"]
    for error, after in [(error, after) for error, moments in errors for after in moments]:
        step, was_broken = 0, True
        while was_broken:
            number += 1
            before, line, key = one.count("T"), b"entry %d" % number, f"k{number}"
            breaks.set(step, error, after=after)
            failed = _committed(one, [Append("T", before, [line], 0, [ANSWER._replace(key=key)])])
            was_broken, step = breaks.left < 0, step + 1
            breaks.left = -1
            is_there = [*one.lines("T", before)] == [line]
            assert is_there is (one.answer("T", "g1", key) is not None)
            # A refusal of another kind says that nothing was done.
            if not isinstance(found := failed.get("T"), UnreachableError):
                assert is_there is (found is None), (error, after, step, found)
            said.add((is_there, type(found)))
            # The store goes on after what is there.
            assert _committed(one, [Append("T", before + is_there, [b"next"])]) == {}
        assert step >= 5
    assert {(True, NoneType), (False, StoreError)} <= said
