"""Records in a shared PostgreSQL database: appends check the epoch of their owner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from croupier.records.stores import store
from croupier.records.stores.postgres_reading import (
    IDENTITY,
    NOW,
    PATIENCE,
    STEPS,
    VERSION,
    PostgresReader,
    first_line,
    marked,
)
from croupier.records.stores.stream import PositionError, StoreError

if TYPE_CHECKING:
    from croupier.records.stores.postgres_connection import WatchedConnection

_HELD: Final = """
select stream.name, stream.id, lease.epoch,
  (select coalesce(max(number) + 1, 0) from line where line.stream = stream.id)
from stream join lease on lease.stream = stream.id
where stream.name = any(%s) order by stream.id for share of lease
"""
_INSERTS: Final = {
    "line": """
insert into line select * from unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::bytea[])
""",
    "answer": """
insert into answer select * from unnest(%b::bigint[], %b::text[], %b::text[], %b::bytea[],
  %b::integer[], %b::bytea[], %b::bigint[], %b::boolean[])
""",
    "refusal": """
insert into refusal (stream, at, grant_name, code, command)
select * from unnest(%b::bigint[], %b::bigint[], %b::text[], %b::text[], %b::text[])
""",
}
_TELL: Final = "select pg_notify('croupier', 'line ' || name) from unnest(%s::text[]) name"


class _MarkedCursor:
    def __init__(self, connection: WatchedConnection) -> None:
        self._cursor: Final[Any] = connection.cursor()

    def execute(self, query: str, values: Sequence[object] = (), /) -> Any:
        return self._cursor.execute(marked(query), values)

    def executemany(self, query: str, rows: Sequence[Sequence[object]], /) -> None:
        self._cursor.executemany(marked(query), rows)


class PostgresStore(PostgresReader, store.Store):
    """Records in one database; needs psycopg. Raises ``StoreError``."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._writer: WatchedConnection | None = None
        try:
            with self._writing() as connection:
                self._lay_out(connection)
            self.check()
        except BaseException:
            self.close()
            raise

    def _lay_out(self, connection: WatchedConnection) -> None:
        run = connection.execute
        run("select pg_advisory_xact_lock(710213)")
        version = self._layout(connection)
        for step in STEPS[version:]:
            run(step)
        if not version:
            run("insert into layout values (%s)", (VERSION,))
        elif version < VERSION:
            run("update layout set version = %s", (VERSION,))
        if run("select to_regclass('answer_forgotten')").fetchone() == (None,):
            # Once, for all answers that an older version kept.
            run("set local statement_timeout = 0")
            connection.is_limited = False
            run(store.FORGOTTEN)
            connection.is_limited = True

    # --- connections ---

    @contextmanager
    def _writing(self) -> Iterator[WatchedConnection]:
        connection, is_sent = self._connected(), False
        try:
            with connection.transaction():
                yield connection
                is_sent = True
        except StoreError:
            raise
        except Exception as error:
            if not connection.closed and isinstance(error, self._pg.errors.UniqueViolation):
                raise
            # Only an error of the database itself says that nothing was committed.
            is_lost = connection.closed or getattr(error, "sqlstate", None) is None
            # A transaction that psycopg counts as open would contain the next one.
            connection.close()
            if not is_sent and not isinstance(error, self._pg.Error):
                raise
            raise self._unwritable(error, is_lost=is_lost) from error

    @contextmanager
    def _transaction(self) -> Iterator[store.Cursor]:
        with self._writing() as connection:
            yield _MarkedCursor(connection)

    def _announce(self, cursor: store.Cursor, news: str) -> None:
        cursor.execute("select pg_notify('croupier', ?)", (news,))

    def _connected(self) -> WatchedConnection:
        self._check_lost()
        if self._writer is None or self._writer.closed:
            self._writer = self._connect()
            if self._identity is not None:
                # A database of that name may have been recreated, or end again meanwhile.
                try:
                    identity = self._writer.execute(IDENTITY).fetchone()
                except self._pg.Error as error:
                    message = f"{self.path}: it cannot be reached: {first_line(error)}"
                    raise store.UnreachableError(message) from error
                self._identified(identity)
        return self._writer

    def _unwritable(self, error: Exception, *, is_lost: bool) -> StoreError:
        if isinstance(error, self._pg.errors.UndefinedTable):
            self._lose()
            return store.LostError(self.lost)
        # A database that has no room for its own log ends, and may have committed before it did.
        is_full = isinstance(error, self._pg.errors.DiskFull)
        kind = store.InDoubtError if is_lost else store.FullError if is_full else StoreError
        return kind(f"{self.path}: it cannot be written: {first_line(error)}")

    # --- streams ---

    def create(self, name: str) -> store.StoredStream:
        try:
            with self._writing() as connection:
                row = connection.execute(
                    "with made as (insert into stream (name) values (%s) returning id)"
                    " insert into lease (stream) select id from made returning stream",
                    (name,),
                ).fetchone()
        except self._pg.errors.UniqueViolation as error:
            if error.diag.constraint_name != "stream_name_key":
                raise self._unwritable(error, is_lost=False) from error
            raise StoreError(f"{self.path}: a record with that name exists: {name}") from error
        if row is not None:
            self._ids[name] = row[0]
        return store.StoredStream(self, name)

    # --- writing ---

    def commit(self, appends: Sequence[store.Append]) -> Mapping[str, StoreError]:
        try:
            return self._together(appends)
        except store.InDoubtError as error:
            return self._settled(appends, error)
        except self._pg.errors.UniqueViolation as error:
            if len(store.units_of(appends)) == 1:
                return {append.name: self._violated(append, error) for append in appends}
        return self._one_by_one(appends)

    def _together(self, appends: Sequence[store.Append]) -> Mapping[str, StoreError]:
        with self._writing() as connection:
            run = connection.execute
            names = list({item.name for item in appends})
            streams = {name: fields for name, *fields in run(_HELD, (names,))}
            rows, errors = self._gathered(appends, streams)
            for table, table_rows in rows.items():
                if table_rows:
                    run(_INSERTS[table], [*map(list, zip(*table_rows, strict=True))])
            if written_names := {item.name for item in appends if item.lines} - errors.keys():
                run(_TELL, ([*written_names],))
        return errors

    def _violated(self, item: store.Append, error: Exception) -> StoreError:
        constraint = getattr(getattr(error, "diag", None), "constraint_name", "")
        if constraint == "answer_place":
            return store.KeyTakenError(f"{item.name}: a key was used before")
        return PositionError(f"{self.path}, {item.name}", item.expected, self.count(item.name))

    def _settled(
        self, appends: Sequence[store.Append], error: store.InDoubtError
    ) -> Mapping[str, StoreError]:
        """Find a lost commit's outcome: wait for the leases that its backend locks."""
        end = monotonic() + PATIENCE
        while True:
            try:
                with self._writing() as connection:
                    names = [append.name for append in appends]
                    connection.execute(
                        "select 1 from lease join stream on stream.id = lease.stream"
                        " where name = any(%s) order by stream.id for update of lease",
                        (names,),
                    )
                    stored = [append for append in appends if self._is_there(connection, append)]
                loss = StoreError(str(error))
                return {append.name: loss for append in appends if append not in stored}
            except StoreError as new_error:
                if monotonic() > end:
                    raise error from new_error
                sleep(0.1)

    def _is_there(self, connection: WatchedConnection, append: store.Append) -> bool:
        stream = self._ids.get(append.name)
        rows = connection.execute(
            "select content from line where stream = %s and number >= %s and number < %s"
            " order by number",
            (stream, append.expected, append.expected + len(append.lines)),
        ).fetchall()
        answers = {
            (grant, key): digest
            for grant, key, digest in connection.execute(
                "select grant_name, key, digest from answer where stream = %s and key = any(%s)",
                (stream, [answer.key for answer in append.answers]),
            )
        }
        return [line for (line,) in rows] == [*append.lines] and all(
            answers.get((answer.grant, answer.key)) == answer.digest for answer in append.answers
        )

    def take(self, name: str, owner: str, address: str, seconds: float, *, free: bool) -> int:
        stream = self._id(name)
        with self._writing() as connection:
            row = connection.execute(
                f"update lease set owner = %s, address = %s, epoch = epoch + 1,"  # noqa: S608  (our own words)
                f" until = {NOW} + %s where stream = %s"
                f" and (not %s or until <= {NOW} or owner = %s) returning epoch",
                (owner, address, int(seconds * 1000), stream, free, owner),
            ).fetchone()
            if row is not None:
                connection.execute("select pg_notify('croupier', %s)", (f"lease {name}",))
        return 0 if row is None else int(row[0])

    def renew(self, owner: str, seconds: float) -> Mapping[str, int]:
        with self._writing() as connection:
            rows = connection.execute(
                "update lease set until = "  # noqa: S608  (our own words)
                f"{NOW} + %s from (select lease.stream, name from lease join stream"
                " on stream.id = lease.stream where owner = %s order by lease.stream"
                " for no key update of lease) mine"
                " where mine.stream = lease.stream returning name, epoch",
                (int(seconds * 1000), owner),
            ).fetchall()
            if not seconds:
                connection.execute("select pg_notify('croupier', 'lease')")
        return dict(rows)

    # --- copies ---

    def fill(self, tables: Mapping[str, tuple[str, Iterable[tuple[Any, ...]]]]) -> None:
        """Write rows into an empty database, all or none."""
        with self._writing() as connection, connection.cursor() as cursor:
            cursor.execute("set local statement_timeout = 0")
            connection.is_limited = False
            for table, (columns, rows) in tables.items():
                with cursor.copy(f"copy {table} ({columns}) from stdin") as copy:
                    for row in rows:
                        copy.write_row(row)
                if columns.startswith("id,"):
                    cursor.execute(
                        f"select setval(pg_get_serial_sequence('{table}', 'id'),"  # noqa: S608  (our own names)
                        f" (select coalesce(max(id), 0) + 1 from {table}), false)"
                    )
            # Restored streams have no owner. Every stream has a lease here, in a file only some.
            cursor.execute("update lease set until = 0")
            cursor.execute(
                "insert into lease (stream) select id from stream on conflict do nothing"
            )

    def close(self) -> None:
        super().close()
        if self._writer is not None:
            self._writer.close()
