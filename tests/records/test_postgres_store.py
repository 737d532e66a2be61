"""What is of PostgreSQL alone: who writes beside the store, and a connection that is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import LiteralString

import psycopg
import pytest

from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.store import Answer, Append, InDoubtError, KeyTakenError
from croupier.records.stores.stream import PositionError, StoreError
from support.databases import cluster


@pytest.fixture
def address() -> str:
    return cluster().database()


class Cut(PostgresStore):
    """A store whose connection is lost by the next commit: after it, or before it."""

    cut = ""

    def _together(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        cut, self.cut = self.cut, ""
        failed = {} if cut == "before" else super()._together(appends)
        if cut:
            assert self._writer is not None
            self._writer.close()
            raise InDoubtError("the connection was lost")
        return failed


@pytest.fixture
def store(address: str) -> Iterator[Cut]:
    with closing(Cut(address)) as one:
        one.create("T").append(0, [b"header"])
        yield one


ANSWER = Answer("g1", "a", b"digest", 200, b"{}", 1_000)


def test_a_commit_whose_connection_is_lost_after_it_is_a_commit(store: Cut) -> None:
    store.cut = "after"
    assert store.commit([Append("T", 1, [b"entry"], 0, [ANSWER])]) == {}
    assert [*store.lines("T")] == [b"header", b"entry"]
    # A refusal has an answer and no line.
    store.cut = "after"
    assert store.commit([Append("T", 2, [], 0, [ANSWER._replace(key="b")])]) == {}


@pytest.mark.parametrize("cut", ["after", "before"])
def test_a_commit_is_settled_by_a_database_that_ends_again_meanwhile(
    store: Cut, cut: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It takes a connection, and ends before it has said which database it is.
    connect, broken = store._connect, [True, True]  # noqa: SLF001  (where it connects)

    def connect_in_vain() -> psycopg.Connection[tuple[object, ...]]:
        connection = connect()
        if broken:
            broken.pop()
            connection.close()
        return connection

    monkeypatch.setattr(store, "_connect", connect_in_vain)
    store.cut = cut
    failed = store.commit([Append("T", 1, [b"entry"], 0, [ANSWER])])
    assert ([*failed], broken) == ([] if cut == "after" else ["T"], [])
    assert [*store.lines("T")] == [b"header", *([b"entry"] if cut == "after" else [])]


def test_a_commit_whose_connection_is_lost_before_it_is_none(store: Cut) -> None:
    store.cut = "before"
    failed = store.commit([Append("T", 1, [b"entry"], 0, [ANSWER])])
    assert (list(failed), type(failed["T"])) == (["T"], StoreError)
    assert store.commit([Append("T", 1, [b"entry"], 0, [ANSWER])]) == {}
    store.cut = "before"
    refused = store.commit([Append("T", 2, [], 0, [ANSWER._replace(key="b")])])
    assert list(refused) == ["T"]
    # The lines of somebody else at that place are not this commit.
    store.cut = "before"
    assert list(store.commit([Append("T", 1, [b"other"])])) == ["T"]


def test_of_two_who_write_at_once_one_is_told(address: str) -> None:
    with PostgresStore(address) as one, PostgresStore(address) as other:
        one.create("T").append(0, [b"header"])
        assert other.commit([Append("T", 1, [b"theirs"], 0, [ANSWER])]) == {}
        failed = one.commit([Append("T", 1, [b"ours"])])
        assert isinstance(failed["T"], PositionError)
        failed = one.commit([Append("T", 2, [b"ours"], 0, [ANSWER])])
        assert isinstance(failed["T"], KeyTakenError)
        assert [*one.lines("T")] == [b"header", b"theirs"]
        assert (one.names, other.count("T")) == (("T",), 2)


def test_a_unit_that_fails_after_another_was_stored_says_nothing_of_it(
    store: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create("U")
    assert store.commit([Append("T", 1, [b"entry"], 0, [ANSWER])]) == {}

    def gone(*_: object) -> StoreError:
        raise InDoubtError("the connection was lost")

    monkeypatch.setattr(store, "_violated", gone)
    both = [Append("U", 0, [b"header"]), Append("T", 2, [b"again"], 0, [ANSWER])]
    failed = store.commit(both)
    assert (list(failed), [*store.lines("U")]) == (["T"], [b"header"])


def test_what_another_process_writes_is_heard(address: str) -> None:
    with PostgresStore(address) as one, PostgresStore(address) as other:
        assert one.heard(0.0) == {"all"}
        other.create("T")
        other.commit([Append("T", 0, [b"header"])])
        other.take("T", "other", "http://other", 10, free=True)
        other.put("grant", "g1", b"{}")
        told: set[str] = set()
        while len(told) < 3:
            heard = one.heard(5.0)
            assert heard
            told |= heard
        assert told == {"line T", "lease T", "document grant g1"}
        assert one.counts() == {"T": 1}
        assert one.leases()["T"][:3] == ("other", "http://other", 1)


@pytest.mark.parametrize(
    "forged",
    ["update line set content = ''", "delete from line where number > 0", "truncate line"],
)
def test_an_entry_is_neither_changed_nor_deleted(store: Cut, forged: LiteralString) -> None:
    assert store.commit([Append("T", 1, [b"entry"])]) == {}
    with (
        psycopg.connect(store._address) as other,  # noqa: SLF001  (where it is)
        pytest.raises(psycopg.errors.CheckViolation, match="an entry is never"),
    ):
        other.execute(forged)
    assert [*store.lines("T")] == [b"header", b"entry"]


def test_a_service_needs_no_right_to_change_or_delete_an_entry(address: str) -> None:
    PostgresStore(address).close()
    with psycopg.connect(address) as owner:
        owner.execute("drop role if exists pit_service")
        owner.execute("create role pit_service login")
        owner.execute(
            "grant select, insert, update, delete on all tables in schema public to pit_service"
        )
        owner.execute("revoke update, delete, truncate on line from pit_service")
    theirs = address.replace("postgres@", "pit_service@")
    with PostgresStore(theirs) as store:
        store.create("T")
        epoch = store.take("T", "one", "", 10, free=True)
        assert store.commit([Append("T", 0, [b"header"], epoch, [ANSWER])]) == {}
        assert store.renew("one", 0) == {"T": epoch}
    with (
        psycopg.connect(theirs) as other,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        other.execute("delete from line")
    with psycopg.connect(address) as owner:
        owner.execute("drop owned by pit_service")
        owner.execute("drop role pit_service")


def test_a_database_of_another_layout_is_refused(address: str) -> None:
    PostgresStore(address).close()
    with psycopg.connect(address) as other:
        other.execute("update layout set version = 99")
    with pytest.raises(StoreError, match="its layout is 99, but this program reads 2"):
        PostgresStore(address)


def test_no_message_names_the_password() -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore("postgresql://u:hush@127.0.0.1:1/pit")
    assert "hush" not in str(caught.value)
    assert "postgresql://127.0.0.1/pit" in str(caught.value)
