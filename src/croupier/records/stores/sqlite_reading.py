"""The layout of a SQLite store, and reads of one in use, without locks or checkpoints."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from croupier.files.errors import by_caller
from croupier.files.write import LockedError, locked
from croupier.records.stores.store import LEARNED, LostError, SqlReader
from croupier.records.stores.stream import StoreError

_ENDS: Final = ("", "-wal", "-shm", ".lock")
_GROWS: Final = 2
"""Number of leading files that only grow while open; SQLite does not truncate them."""


def lock_store(path: Path) -> int:
    """Lock a store, which must have one name: SQLite names its log by it."""
    if path.is_dir():
        raise StoreError(f"{path}: it is a directory, not the file of a store")
    try:
        if path.exists() and (names := path.stat().st_nlink) > 1:
            raise StoreError(
                f"{path}: the file has {names} names (hard links), and its log belongs to one of"
                " them: remove the others, or copy it with croupier store backup"
            )
        return locked(Path(f"{path}.lock"))
    except LockedError as error:
        raise StoreError(f"{path}: another process has this store open") from error


class OpenFiles:
    def __init__(self, path: Path) -> None:
        self._names: Final = tuple(Path(f"{path}{end}") for end in _ENDS)
        self.lost = ""
        self._seen = tuple(map(Path.stat, self._names))

    def check(self, *, by_writer: bool = True) -> None:
        """Raise ``LostError`` if a file was removed, replaced, truncated, or written by others.

        Only the writing thread can distinguish its own writes.
        """
        status = self._look()
        if by_writer:
            if status[0].st_mtime_ns != self._seen[0].st_mtime_ns:
                self._lose(f"{self._names[0]}: another program has written into it")
            self._seen = status

    def checkpointed(self) -> None:
        """Note a write to the first file. Raises ``LostError``."""
        self._seen = self._look()

    def _look(self) -> tuple[os.stat_result, ...]:
        if self.lost:
            raise LostError(self.lost)
        statuses = []
        for index, (name, previous) in enumerate(zip(self._names, self._seen, strict=True)):
            try:
                now = name.stat()
            except OSError as error:
                self._lose(f"{name}: it was removed: {error.strerror}", error)
            if now.st_ino != previous.st_ino or now.st_dev != previous.st_dev:
                self._lose(f"{name}: another file has taken its place")
            if index < _GROWS and now.st_size < previous.st_size:
                self._lose(f"{name}: it was truncated from {previous.st_size:,} to {now.st_size:,}")
            statuses.append(now)
        if statuses[1].st_size and not _begins(self._names[1]):
            self._lose(f"{self._names[1]}: its beginning was truncated")
        return tuple(statuses)

    def _lose(self, reason: str, error: OSError | None = None) -> None:
        self.lost = f"{reason}: nothing more is stored until the service is started again"
        raise LostError(self.lost) from error


def _begins(log: Path) -> bool:
    """Check the header: the size of a truncated log is soon as before."""
    try:
        with log.open("rb", buffering=0) as file:
            return any(file.read(4))
    except OSError:
        return False


_RECORDS: Final = """
create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null,
  content blob not null,
  primary key (stream, number)
) strict, without rowid;
"""
_SNAPSHOTS: Final = """
create table snapshot (
  stream integer primary key references stream (id),
  content blob not null
) strict;
"""
# A table with rowids and a separate index, because lines are too long for index pages.
_SERVICE: Final = """
alter table line rename to line_before;
create table line (
  stream integer not null references stream (id),
  number integer not null check (number >= 0),
  epoch integer not null,
  content blob not null,
  unique (stream, number)
) strict;
insert into line select stream, number, 0, content from line_before order by stream, number;
drop table line_before;
create trigger line_stays before delete on line when old.number > 0
  begin select raise(abort, 'an entry is never deleted'); end;
create trigger line_stands before update on line
  begin select raise(abort, 'an entry is never changed'); end;
create table answer (
  stream integer not null references stream (id),
  grant_name text not null,
  key text not null,
  digest blob not null,
  status integer not null,
  body blob not null,
  at integer not null,
  kept integer not null,
  unique (stream, grant_name, key)
) strict;
create table refusal (
  stream integer not null references stream (id),
  at integer not null,
  grant_name text not null,
  code text not null,
  command text not null
) strict;
create index refusal_at on refusal (stream, at);
create table lease (
  stream integer primary key references stream (id),
  owner text not null,
  address text not null,
  epoch integer not null,
  until integer not null
) strict;
create table document (
  id integer primary key,
  kind text not null,
  name text not null,
  content blob not null,
  unique (kind, name)
) strict;
"""

STEPS: Final[Sequence[str]] = (_RECORDS, _SNAPSHOTS, _SERVICE, f"{LEARNED} strict;")
"""Statements that each layout adds to the one before."""
VERSION: Final = len(STEPS)
_SERVED: Final = 3
"""The first layout with what a service adds."""


class FileReader(SqlReader):
    """Reads by a connection; in a transaction, the records of one instant."""

    _columns = "select name from pragma_table_xinfo(?)"
    # Stores of the first two layouts have no trigger.
    _lacking = """
select 'trigger ' || column1
from (values ('line_stays', 'delete on line when old.number > 0'),
  ('line_stands', 'update on line'))
where (select user_version from pragma_user_version) > 2 and not exists (select 1 from sqlite_master
  where type = 'trigger' and name = column1
    and sql like '%before ' || column2 || '%begin select raise(abort, %')
union all select 'table line' where not exists (select 1 from pragma_index_list('line')
  where "unique" and (select group_concat(name) from pragma_index_info(pragma_index_list.name))
    = 'stream,number')
"""

    def __init__(self, path: Path, source: sqlite3.Connection) -> None:
        super().__init__(path)
        self._source: Final = source
        layout = check_layout(path, source)
        self.has_service, self._steps = layout >= _SERVED, STEPS[:layout]
        self._ids = dict(source.execute("select name, id from stream order by id"))

    def look_again(self) -> None:
        self._source.execute("commit")
        self._source.execute("begin")
        self._ids = dict(self._rows("select name, id from stream order by id"))

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._source.execute(query, values).fetchall()


@contextmanager
def reading(path: Path, *, is_idle: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a store in use, or ``is_idle`` without new files. Raises ``StoreError``."""
    if not path.is_file() or not path.stat().st_size:
        raise StoreError(f"{path}: there is no store of that name")
    place = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        # Checkpoints are for the process that owns the store.
        connection = sqlite3.connect(
            f"file:{place}?mode=ro&immutable={is_idle:d}", uri=True, isolation_level=None
        )
        with closing(connection):
            connection.execute("pragma busy_timeout = 5000")
            yield connection
    except sqlite3.Error as error:
        raise StoreError(f"{path}: it cannot be read: {error}") from error


def check_layout(path: Path, source: sqlite3.Connection) -> int:
    """Return a store's layout. Raises ``StoreError``."""
    version: int = source.execute("pragma user_version").fetchone()[0]
    if not 0 < version <= VERSION:
        raise StoreError(f"{path}: its layout is {version}, but this program reads {VERSION}")
    return version


def names_in(path: Path) -> tuple[str, ...]:
    with reading(path) as source:
        return FileReader(path, source).names


def record_named(path: Path | str, names: tuple[str, ...], table: str | None) -> str:
    """Return the named record, or the only one. Raises ``StoreError``."""
    if table in names or (table is None and len(names) == 1):
        return table or names[0]
    problem = f"no record is named {table}"
    if table is None:
        problem = f"name one of its records with {by_caller('--table', 'table=NAME')}"
    raise StoreError(f"{path}: {problem}; it holds {', '.join(names) or 'none'}")


def record_lines(path: Path, table: str | None, start: int = 0) -> Generator[bytes]:
    """Yield lines from number ``start`` on. Raises ``StoreError``."""
    with reading(path) as source:
        records = FileReader(path, source)
        name = record_named(path, records.names, table)
        yield from records.lines(name, start, records.count(name) - 1)
