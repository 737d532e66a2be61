"""What every store in a database does by the same SQL, in which ``?`` stands for a value."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any, Final, Protocol, Self

from croupier.records.stores.store import Answer, Append, Learned, Lease, RefusalKept
from croupier.records.stores.stream import StoreError

LEARNED: Final = """
create table learned (
  pit text not null,
  person text not null,
  law text not null,
  clause text not null,
  box integer not null,
  due text not null,
  primary key (pit, person, law, clause)
)"""
"""Table of learned clauses by pit and person; each store adds its ending."""
FORGOTTEN: Final = "create index if not exists answer_forgotten on answer (at) where not kept"
"""Index of the answers that are removed in time; without it each removal reads all answers.

Every layout with answers may have it: it is made when a service opens a store.
"""
_PAGE: Final = 500
"""Lines read at a time: a long read would block checkpoints of SQLite's write-ahead log."""
_OF_STREAM: Final = ("refusal", "answer", "lease", "snapshot", "line")

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of the tables' columns."""


def add_rows(rows: Rows, append: Append, stream: int, count: int) -> None:
    lines = enumerate(append.lines, count)
    rows["line"] += [(stream, number, append.epoch, line) for number, line in lines]
    rows["answer"] += [(stream, *answer) for answer in append.answers]
    rows["refusal"] += [(stream, *refusal) for refusal in append.refused]


class SqlReader:
    """Reads the records of a store. Raises ``StoreError``."""

    _newest = "rowid"
    """The column by which a later refusal of the same time comes first."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self._ids: dict[str, int] = {}

    def _rows(self, query: str, *values: object) -> list[Any]:
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._ids)

    def _id(self, name: str) -> int:
        if name not in self._ids and name not in self.names:
            held = ", ".join(self._ids) or "none"
            raise StoreError(f"{self.path}: no record is named {name}; it contains {held}")
        return self._ids[name]

    def count(self, name: str) -> int:
        query = "select coalesce(max(number) + 1, 0) from line where stream = ?"
        return int(self._rows(query, self._id(name))[0][0])

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Generator[bytes]:
        stream = self._id(name)
        while last is None or first <= last:
            end = first + _PAGE if last is None else min(last + 1, first + _PAGE)
            found = self._rows(
                "select content from line where stream = ? and number >= ? and number < ?"
                " order by number",
                *(stream, first, end),
            )
            for (line,) in found:
                yield line
            first += len(found)
            if first < end:
                return

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        found = self._rows(
            "select grant_name, key, digest, status, body, at, kept from answer"
            " where stream = ? and grant_name = ? and key = ?",
            *(self._id(name), grant, key),
        )
        return Answer(*found[0]) if found else None

    def refused(self, name: str, most: int = 100) -> tuple[RefusalKept, ...]:
        found = self._rows(
            "select at, grant_name, code, command from refusal where stream = ?"  # noqa: S608  (our names)
            f" order by at desc, {self._newest} desc limit ?",
            *(self._id(name), most),
        )
        return tuple(starmap(RefusalKept, found))

    def snapshot(self, name: str) -> bytes | None:
        found = self._rows("select content from snapshot where stream = ?", self._id(name))
        return found[0][0] if found else None

    def lease(self, name: str) -> Lease | None:
        found = self._rows(
            "select owner, address, epoch, until from lease where stream = ? and epoch > 0",
            self._id(name),
        )
        return Lease(*found[0]) if found else None

    def document(self, kind: str, name: str) -> bytes | None:
        found = self._rows("select content from document where kind = ? and name = ?", kind, name)
        return found[0][0] if found else None

    def documents(self, kind: str) -> Mapping[str, bytes]:
        query = "select name, content from document where kind = ? order by id"
        return dict(self._rows(query, kind))

    def learned(self, pit: str, person: str | None = None) -> tuple[Learned, ...]:
        query = "select pit, person, law, clause, box, due from learned where pit = ?"
        if person is None:
            found = self._rows(query, pit)
        else:
            found = self._rows(f"{query} and person = ?", pit, person)
        return tuple(sorted(starmap(Learned, found)))


class Cursor(Protocol):
    """Executes statements of one transaction."""

    def execute(self, query: str, values: Sequence[object] = (), /) -> Any: ...

    def executemany(self, query: str, rows: Sequence[Sequence[object]], /) -> Any: ...


class SqlWriter(SqlReader):
    """Writes what is not a line, each call in one transaction. Raises ``StoreError``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        raise NotImplementedError

    def _transaction(self) -> AbstractContextManager[Cursor]:
        raise NotImplementedError

    def _announce(self, cursor: Cursor, news: str) -> None:
        """Tell other processes, within the transaction, what was written."""

    def discard(self, name: str) -> None:
        stream = self._id(name)
        with self._transaction() as cursor:
            for table in _OF_STREAM:
                cursor.execute(f"delete from {table} where stream = ?", (stream,))  # noqa: S608  (our names)
            cursor.execute("delete from stream where id = ?", (stream,))
        del self._ids[name]

    def keep(self, name: str, snapshot: bytes | None) -> None:
        with suppress(StoreError):
            stream = self._id(name)
            with self._transaction() as cursor:
                if snapshot is None:
                    cursor.execute("delete from snapshot where stream = ?", (stream,))
                else:
                    cursor.execute(
                        "insert into snapshot values (?, ?) on conflict (stream)"
                        " do update set content = excluded.content",
                        (stream, snapshot),
                    )

    def put(self, kind: str, name: str, content: bytes | None) -> bool:
        with self._transaction() as cursor:
            if content is None:
                query = "delete from document where kind = ? and name = ?"
                was_there = bool(cursor.execute(query, (kind, name)).rowcount)
            else:
                added = cursor.execute(
                    "insert into document (kind, name, content) values (?, ?, ?)"
                    " on conflict (kind, name) do nothing",
                    (kind, name, content),
                ).rowcount
                was_there = not added
                if was_there:
                    query = "update document set content = ? where kind = ? and name = ?"
                    cursor.execute(query, (content, kind, name))
            self._announce(cursor, f"document {kind} {name}")
        return was_there

    def learn(self, rows: Sequence[Learned], *, instead: tuple[str, str] | None = None) -> None:
        with self._transaction() as cursor:
            if instead is not None:
                cursor.execute("delete from learned where pit = ? and person = ?", instead)
            cursor.executemany(
                "insert into learned (pit, person, law, clause, box, due)"
                " values (?, ?, ?, ?, ?, ?) on conflict (pit, person, law, clause)"
                " do update set box = excluded.box, due = excluded.due",
                rows,
            )

    def forget(self, before: int) -> None:
        with self._transaction() as cursor:
            cursor.execute("delete from answer where not kept and at < ?", (before,))
            cursor.execute("delete from refusal where at < ?", (before,))
