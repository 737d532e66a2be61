"""One contract of what keeps the records of many tables, held by every store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import (
    Answer,
    Append,
    FencedError,
    KeyTakenError,
    Learned,
    RefusalKept,
    Store,
)
from croupier.records.stores.stream import PositionError, StoreError
from support.databases import cluster

Opens = Callable[[], Store]
"""Opens the same store, as often as it is called; it is closed before it is opened again."""


def sqlite_in(folder: Path) -> Opens:
    return lambda: SQLiteStore(folder / "pit.sqlite")


def postgres_in(folder: Path) -> Opens:
    del folder
    address = cluster().database()
    return lambda: PostgresStore(address)


STORES = {"sqlite": sqlite_in, "postgres": postgres_in}
"""How the stores are opened, by name: another one is added here."""


@pytest.fixture(params=list(STORES))
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Opens:
    return STORES[request.param](tmp_path)


@pytest.fixture
def store(opens: Opens) -> Iterator[Store]:
    with closing(opens()) as one:
        yield one


def answer(key: str = "a", **more: object) -> Answer:
    return Answer("g1", key, b"digest", 200, b"{}", 1_000)._replace(**more)  # type: ignore[arg-type]


def append(store: Store, name: str, *lines: bytes, **more: object) -> None:
    made = Append(name, store.count(name), lines)._replace(**more)  # type: ignore[arg-type]
    failed = store.commit([made])
    if failed:
        raise failed[name]


def test_lines_are_read_from_a_number_to_a_number(store: Store) -> None:
    store.create("T")
    append(store, "T", *(b"%d" % at for at in range(1200)))
    assert [*store.lines("T", 498, 502)] == [b"498", b"499", b"500", b"501", b"502"]
    assert [*store.lines("T", 1198)] == [b"1198", b"1199"]
    assert [*store.lines("T", 1198, 9999)] == [b"1198", b"1199"]
    assert [*store.lines("T", 1200)] == []


def test_an_answer_is_kept_with_its_lines(opens: Opens) -> None:
    with closing(opens()) as store:
        store.create("T")
        append(store, "T", b"header", b"entry", answers=[answer()])
        assert store.answer("T", "g1", "a") == answer()
        assert store.answer("T", "g2", "a") is None
        assert store.answer("T", "g1", "b") is None
    with closing(opens()) as store:
        assert store.answer("T", "g1", "a") == answer()
        assert store.count("T") == 2


def test_a_key_of_a_grant_is_taken_once_and_its_lines_are_not_kept(store: Store) -> None:
    store.create("T")
    append(store, "T", b"header", answers=[answer()])
    with pytest.raises(KeyTakenError):
        append(store, "T", b"entry", answers=[answer(status=409)])
    assert [*store.lines("T")] == [b"header"]
    assert store.answer("T", "g1", "a") == answer()
    append(store, "T", b"entry", answers=[answer(grant="g2")])
    assert store.count("T") == 2


def test_a_table_that_fails_takes_nothing_of_another_with_it(store: Store) -> None:
    store.create("T")
    store.create("U")
    failed = store.commit(
        [
            Append("T", 0, [b"t"], answers=[answer()]),
            Append("U", 7, [b"u"], answers=[answer("b")]),
        ]
    )
    assert {name: type(error) for name, error in failed.items()} == {"U": PositionError}
    assert ([*store.lines("T")], [*store.lines("U")]) == ([b"t"], [])
    assert store.answer("T", "g1", "a") is not None
    assert store.answer("U", "g1", "b") is None


def test_what_comes_after_what_failed_fails_with_it(store: Store) -> None:
    store.create("T")
    failed = store.commit([Append("T", 7, [b"x"]), Append("T", 0, [b"y"])])
    assert (list(failed), store.count("T")) == (["T"], 0)


def written_to(store: Store) -> list[int]:
    return [store.count(name) for name in ("P", "T", "U")]


@pytest.mark.parametrize("fault", ["position", "key", "owner"])
def test_a_unit_is_durable_together_or_not_at_all(store: Store, fault: str) -> None:
    for name in ("P", "T", "U"):
        store.create(name)
    first = store.take("T", "one", "", 100, free=False)
    append(store, "T", b"header", epoch=first, answers=[answer()])
    if fault == "owner":
        store.take("T", "two", "", 100, free=False)
    wrong = Append(
        "T",
        7 if fault == "position" else 1,
        [b"t"],
        epoch=first,
        answers=[answer("a" if fault == "key" else "b")],
        unit=1,
    )
    failed = store.commit(
        [
            Append("P", 0, [b"p"], answers=[answer("p")], unit=1),
            wrong,
            Append("U", 0, [b"u"], answers=[answer("u")]),
        ]
    )
    kinds = {"position": PositionError, "key": KeyTakenError, "owner": FencedError}
    assert isinstance(failed["T"], kinds[fault])
    # Nobody has taken the other record: its owner is not told so.
    assert not isinstance(failed["P"], PositionError | FencedError)
    assert (set(failed), written_to(store)) == ({"P", "T"}, [0, 1, 1])
    assert store.answer("P", "g1", "p") is None
    again = [one._replace(epoch=0, expected=store.count(one.name)) for one in (
        Append("P", 0, [b"p"], answers=[answer("p")], unit=1),
        wrong._replace(answers=[answer("c")]),
    )]  # fmt: skip
    assert store.commit(again) == {}
    assert written_to(store) == [1, 2, 1]
    assert store.answer("P", "g1", "p") is not None


def test_an_owner_that_was_relieved_writes_nothing(opens: Opens) -> None:
    with closing(opens()) as store:
        store.create("T")
        assert store.lease("T") is None
        first = store.take("T", "one", "http://one", 100, free=False)
        append(store, "T", b"header", epoch=first)
        second = store.take("T", "two", "http://two", 200, free=False)
        assert second == first + 1
        with pytest.raises(FencedError):
            append(store, "T", b"late", epoch=first, answers=[answer()])
        append(store, "T", b"entry", epoch=second)
        assert [*store.lines("T")] == [b"header", b"entry"]
        assert store.answer("T", "g1", "a") is None
    with closing(opens()) as store:
        held = store.lease("T")
        assert held is not None
        assert held[:3] == ("two", "http://two", second)
        assert 190_000 < held.until - store.now() <= 200_000
        assert store.take("T", "three", "", 0, free=False) == second + 1


def test_a_lease_is_free_once_it_is_over_and_prolonged_by_its_owner_alone(store: Store) -> None:
    store.create("T")
    store.create("U")
    assert store.take("T", "one", "http://one", 100, free=True) == 1
    assert store.take("T", "two", "http://two", 100, free=True) == 0
    assert store.take("U", "two", "http://two", 0, free=True) == 1
    assert dict(store.renew("one", 200)) == {"T": 1}
    held = store.lease("T")
    assert held is not None
    assert held.until - store.now() > 190_000
    # Over, by the clock of the store: anybody may have it, and then the one before has it no more.
    assert store.take("U", "one", "http://one", 100, free=True) == 2
    assert dict(store.renew("two", 100)) == {}
    assert dict(store.renew("one", 0)) == {"T": 1, "U": 2}
    assert store.take("T", "two", "http://two", 100, free=True) == 2
    assert dict(store.renew("one", 100)) == {"U": 2}


def test_refusals_are_kept_apart_from_the_record_and_forgotten(store: Store) -> None:
    store.create("T")
    kept, old = RefusalKept(2_000, "g1", "not_now", "DrawCard"), RefusalKept(10, "g1", "x", "Y")
    append(
        store, "T", b"header", refused=[old, kept],
        answers=[answer("old", at=10, kept=False), answer("entry", at=10), answer("new", kept=False)],
    )  # fmt: skip
    assert store.refused("T") == (kept, old)
    assert store.refused("T", 1) == (kept,)
    store.forget(1_000)
    assert store.refused("T") == (kept,)
    # What came of an entry is answered again for as long as the entry stands.
    assert [store.answer("T", "g1", key) is None for key in ("old", "entry", "new")] == [
        True,
        False,
        False,
    ]


def test_what_is_forgotten_is_found_without_reading_every_answer(store: Store) -> None:
    query = "explain delete from answer where not kept and at < 5"
    if isinstance(store, SQLiteStore):
        plan = store.connection.execute(query.replace("explain", "explain query plan")).fetchall()
    else:
        assert isinstance(store, PostgresStore)
        # The planner reads a table that is empty.
        with store.writing_views() as database:
            database.execute("set enable_seqscan = off")
            plan = database.execute(query).fetchall()
    assert "answer_forgotten" in str(plan)


def test_what_a_person_knows_is_kept_by_clause(opens: Opens) -> None:
    first = Learned("1", "Dana", "law", "7.5(a)", 0, "2026-11-23")
    other = first._replace(clause="7.10(a)", box=3)
    elsewhere = first._replace(pit="2")
    dora = first._replace(person="Dora")
    with closing(opens()) as store:
        store.learn([first, other, elsewhere, dora])
        store.learn([first._replace(box=1, due="2026-11-25")])
    with closing(opens()) as store:
        moved = first._replace(box=1, due="2026-11-25")
        assert store.learned("1", "Dana") == (other, moved)
        assert store.learned("1") == (other, moved, dora)
        assert store.learned("2") == (elsewhere,)
        assert store.learned("3", "Dana") == ()
        store.learn([other], instead=("1", "Dana"))
        assert store.learned("1") == (other, dora)
        assert store.learned("2") == (elsewhere,)


def test_documents_are_kept_by_kind_and_name(opens: Opens) -> None:
    with closing(opens()) as store:
        assert not store.put("grant", "b", b"1")
        assert not store.put("grant", "a", b"2")
        assert not store.put("token", "a", b"3")
        assert store.put("grant", "b", b"4")
        assert list(store.documents("grant").items()) == [("b", b"4"), ("a", b"2")]
        assert store.put("grant", "a", None)
        # Who removes it first has it: of two processes only one is told that it was there.
        assert not store.put("grant", "a", None)
    with closing(opens()) as store:
        assert dict(store.documents("grant")) == {"b": b"4"}
        assert store.document("token", "a") == b"3"
        assert store.document("grant", "a") is None


def test_a_snapshot_takes_the_place_of_the_one_before(store: Store) -> None:
    store.create("T")
    store.keep("T", b"1")
    store.keep("T", b"2")
    assert store.snapshot("T") == b"2"
    store.keep("T", None)
    assert store.snapshot("T") is None


def test_a_name_is_of_one_stream(store: Store) -> None:
    store.create("T")
    with pytest.raises(StoreError):
        store.create("T")
    with pytest.raises(StoreError):
        store.open("U")
    assert store.names == ("T",)


@pytest.mark.parametrize(
    "forged", ["update line set content = x'00'", "delete from line where number > 0"]
)
def test_an_entry_is_neither_changed_nor_deleted(tmp_path: Path, forged: str) -> None:
    with SQLiteStore(tmp_path / "pit.sqlite") as store:
        store.create("T").append(0, [b"header", b"entry"])
        with pytest.raises(sqlite3.IntegrityError, match="an entry is never"):
            store.connection.execute(forged)
        assert [*store.lines("T")] == [b"header", b"entry"]
