"""The layout of a PostgreSQL store, reads from it, and notifications of writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, LifoQueue
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from croupier.records.stores.store import (
    LEARNED,
    Answer,
    Lease,
    LostError,
    SqlReader,
    UnreachableError,
)
from croupier.records.stores.stream import StoreError

if TYPE_CHECKING:
    from croupier.records.stores.postgres_connection import WatchedConnection

# Triggers refuse changes and deletions of entries.
_SERVICE: Final = """
create table layout (version integer not null);
create table stream (
  id bigint generated always as identity primary key,
  name text not null unique
);
create table line (
  stream bigint not null references stream (id),
  number bigint not null check (number >= 0),
  epoch bigint not null,
  content bytea not null,
  constraint line_place unique (stream, number)
);
create function entry_stays() returns trigger language plpgsql as $$
  begin raise exception 'an entry is never changed or deleted' using errcode = '23514'; end; $$;
create trigger line_stays before delete on line for each row when (old.number > 0)
  execute function entry_stays();
create trigger line_stands before update on line for each row execute function entry_stays();
create trigger lines_stay before truncate on line execute function entry_stays();
create table answer (
  stream bigint not null references stream (id),
  grant_name text not null,
  key text not null,
  digest bytea not null,
  status integer not null,
  body bytea not null,
  at bigint not null,
  kept boolean not null,
  constraint answer_place unique (stream, grant_name, key)
);
create table refusal (
  id bigint generated always as identity primary key,
  stream bigint not null references stream (id),
  at bigint not null,
  grant_name text not null,
  code text not null,
  command text not null
);
create index refusal_at on refusal (stream, at);
create table snapshot (
  stream bigint primary key references stream (id),
  content bytea not null
);
create table lease (
  stream bigint primary key references stream (id),
  owner text not null default '',
  address text not null default '',
  epoch bigint not null default 0,
  until bigint not null default 0
);
create table document (
  id bigint generated always as identity primary key,
  kind text not null,
  name text not null,
  content bytea not null,
  unique (kind, name)
);
"""

STEPS: Final[Sequence[str]] = (_SERVICE, f"{LEARNED};")
"""Statements that each layout adds to the one before."""
VERSION: Final = len(STEPS)


PATIENCE: Final = 5.0
"""Seconds to wait for the database to come back."""
_RETRY: Final = 0.1
"""Seconds between attempts to connect to a database that is away: each costs it a process."""
_READERS: Final = 4
"""Connections that read at a time."""
_OPTIONS: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "tcp_user_timeout": "5000",
    # An acknowledged write is committed, whatever the database's setting for others.
    "options": "-c synchronous_commit=on -c statement_timeout=10s -c timezone=UTC",
}
NOW: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
IDENTITY: Final = (
    "select oid::bigint, to_regclass('stream')::oid::bigint, to_regclass('line')::oid::bigint,"
    " to_regclass('document')::oid::bigint from pg_database where datname = current_database()"
)
"""Query of the identity of a database and its tables; a recreated one has another."""


class PostgresReader(SqlReader):
    is_shared = True
    _newest = "id"
    _steps = STEPS
    _columns = """
select attname::text from pg_attribute
where attrelid = to_regclass(?) and attnum > 0 and not attisdropped order by attnum
"""
    _lacking = """
select 'trigger ' || name
from (values ('line_stays', 'DELETE ON %%line FOR EACH ROW WHEN ((old.number > 0)) EXECUTE'),
  ('line_stands', 'UPDATE ON %%line FOR EACH ROW EXECUTE'),
  ('lines_stay', 'TRUNCATE ON %%line FOR EACH STATEMENT EXECUTE')) guard (name, event)
where not exists (select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
  where tgrelid = to_regclass('line') and tgname = name and tgenabled in ('O', 'A')
    and pg_get_triggerdef(pg_trigger.oid) like '%%BEFORE ' || event || '%%'
    and btrim(prosrc, E' \\n') like 'begin raise exception%%')
union all select 'constraint line_place' where not exists (select from pg_constraint
  where conrelid = to_regclass('line') and conname = 'line_place' and contype = 'u')
union all select 'table line' where not exists (select from pg_class
  where oid = to_regclass('line') and relkind = 'r' and not relrowsecurity)
union all select 'rows of table layout' where (select count(*) from layout) <> 1
"""

    def __init__(self, address: str) -> None:
        import psycopg  # noqa: PLC0415  (an extra)

        from croupier.records.stores import postgres_connection  # noqa: PLC0415

        self._pg: Final = psycopg
        try:
            settings = psycopg.conninfo.conninfo_to_dict(address)
        except psycopg.Error as error:
            raise StoreError("no address of a database: write postgresql://HOST/NAME") from error
        # Messages never contain the password.
        super().__init__(f"postgresql://{settings.get('host', '')}/{settings.get('dbname', '')}")
        self._connection: Final = postgres_connection.WatchedConnection
        self._identity: tuple[Any, ...] | None = None
        self.lost = ""
        """Why the store is lost; set until it is opened again."""
        self._listener: WatchedConnection | None = None
        self._address: Final = psycopg.conninfo.make_conninfo(address, **_OPTIONS)
        self._readers: Final[LifoQueue[WatchedConnection | None]] = LifoQueue()
        for _ in range(_READERS):
            self._readers.put(None)
        self._connecting: Final = Lock()
        self._failure: tuple[float, Exception] | None = None
        """When the last attempt to connect failed, and why."""

    def _opened(self) -> WatchedConnection:
        with self._connecting:
            if self._failure is not None and monotonic() < self._failure[0] + _RETRY:
                raise self._failure[1].with_traceback(None)
            try:
                return self._connection.connect(self._address, autocommit=True)
            except self._pg.Error as error:
                self._failure = monotonic(), error
                raise

    def _connect(self) -> WatchedConnection:
        try:
            return self._opened()
        except self._pg.Error as error:
            message = f"{self.path}: it cannot be reached: {first_line(error)}"
            raise UnreachableError(message) from error

    def _layout(self, connection: WatchedConnection) -> int:
        run = connection.execute
        if run("select to_regclass('layout')").fetchone() == (None,):
            return 0
        row = run("select version from layout").fetchone()
        if row is None or row[0] > VERSION:
            kept = None if row is None else row[0]
            raise StoreError(f"{self.path}: its layout is {kept}, but this program reads {VERSION}")
        return int(row[0])

    def check(self) -> None:
        try:
            rows = self._rows(IDENTITY)
        except StoreError as error:
            raise UnreachableError(str(error)) from error
        self._identified(rows[0])

    def _identified(self, identity: tuple[Any, ...] | None) -> None:
        if self._identity is None:
            self._identity = identity
        elif identity != self._identity:
            self._lose()
        self._check_lost()

    def _lose(self) -> None:
        self.lost = (
            f"{self.path}: its tables were removed or replaced: nothing more is stored until the"
            " service is started again"
        )

    def _check_lost(self) -> None:
        if self.lost:
            raise LostError(self.lost)

    def _rows(self, query: str, *values: object) -> list[Any]:
        connection_errors = (self._pg.OperationalError, self._pg.InterfaceError)
        end = monotonic() + PATIENCE / 2
        while True:
            try:
                with self._reader() as connection:
                    return connection.execute(marked(query), values, binary=True).fetchall()
            except self._pg.Error as error:
                is_silent = isinstance(error, self._pg.errors.ConnectionTimeout)
                if is_silent or not isinstance(error, connection_errors) or monotonic() > end:
                    raise self._unreadable(error) from error
            sleep(_RETRY)

    @contextmanager
    def _reader(self) -> Iterator[WatchedConnection]:
        try:
            connection = self._readers.get(timeout=PATIENCE / 2)
        except Empty as error:
            message = f"no connection was free within {PATIENCE / 2:g} seconds"
            raise self._pg.errors.ConnectionTimeout(message) from error
        try:
            if connection is None or connection.closed:
                connection = self._opened()
            yield connection
        finally:
            self._readers.put(connection)

    def _unreadable(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: it cannot be read: {first_line(error)}")

    @property
    def names(self) -> tuple[str, ...]:
        rows = self._rows("select name, id from stream order by id")
        self._ids = dict(rows)
        return tuple(name for name, _ in rows)

    def size(self) -> int:
        return int(self._rows("select pg_database_size(current_database())")[0][0])

    def counts(self) -> Mapping[str, int]:
        rows = self._rows(
            "select name, id, (select coalesce(max(number) + 1, 0) from line"
            " where line.stream = stream.id) from stream order by id"
        )
        self._ids = {name: stream for name, stream, _ in rows}
        return {name: count for name, _, count in rows}

    def leases(self) -> Mapping[str, Lease]:
        """Return all leases; epoch 0 is of a stream that never had an owner."""
        rows = self._rows(
            "select name, owner, address, epoch, until from lease"
            " join stream on stream.id = lease.stream"
        )
        return {name: Lease(*fields) for name, *fields in rows}

    def now(self) -> int:
        return int(self._rows(f"select {NOW}")[0][0])

    def answer(self, name: str, grant: str, key: str) -> Answer | None:
        # A repeated answer acknowledges again, so the store must still be the same.
        self._check_lost()
        return super().answer(name, grant, key)

    @contextmanager
    def at_one_instant(self) -> Iterator[Callable[[str], Iterator[tuple[Any, ...]]]]:
        try:
            with self._reader() as connection, connection.transaction():
                connection.execute("set transaction isolation level repeatable read, read only")
                connection.execute("set local statement_timeout = 0")
                connection.is_limited = False

                def rows(query: str) -> Iterator[tuple[Any, ...]]:
                    with connection.cursor("copied", binary=True) as cursor:
                        cursor.itersize = 1000
                        yield from cursor.execute(query)

                try:
                    yield rows
                finally:
                    connection.is_limited = True
        except self._pg.Error as error:
            raise self._unreadable(error) from error

    # --- what others write ---

    def heard(self, seconds: float) -> frozenset[str]:
        """Wait at most ``seconds`` for other processes' writes, and return what they wrote.

        ``line NAME``, ``lease NAME``, ``document KIND NAME``; ``all`` after a gap in listening.
        Call it from one thread at a time.
        """
        try:
            if self._listener is None or self._listener.closed:
                self._listener = self._opened()
                self._listener.execute("listen croupier")
                return frozenset({"all"})
            news = {one.payload for one in self._listener.notifies(timeout=seconds, stop_after=1)}
            if news:
                news |= {notice.payload for notice in self._listener.notifies(timeout=0)}
            return frozenset(news)
        except self._pg.Error as error:
            raise self._unreadable(error) from error

    def open_to_read(self) -> None:
        """Connect to a store in use, whose layout stays. Raises ``StoreError``."""
        with closing(self._connect()) as connection:
            if not self._layout(connection):
                raise StoreError(f"{self.path}: there is no store in this database")

    @contextmanager
    def writing_views(self) -> Iterator[WatchedConnection]:
        """Connect for derived data, one process at a time."""
        try:
            with closing(self._connect()) as connection:
                connection.execute("set statement_timeout = 0")
                connection.is_limited = False
                if connection.execute("select pg_try_advisory_lock(710214)").fetchone() != (True,):
                    raise StoreError(f"{self.path}: another command refreshes the views")
                yield connection
        except self._pg.Error as error:
            raise StoreError(f"{self.path}: the views: {first_line(error)}") from error

    def close(self) -> None:
        with suppress(Empty):
            for _ in range(_READERS):
                connection = self._readers.get(timeout=PATIENCE / 2)
                if connection is not None:
                    connection.close()
        if self._listener is not None:
            self._listener.close()


def first_line(error: Exception) -> str:
    """Return a database error without its later lines, which quote the query."""
    return str(error).partition("\n")[0]


def marked(query: str) -> str:
    return query.replace("?", "%s")
