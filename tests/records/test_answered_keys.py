"""A key that was answered is never taken for a new one, whatever is committed meanwhile."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

from croupier.records.stores.sqlite_store import AnsweredKeys, Key, SQLiteStore
from croupier.records.stores.store import Answer, Append


def test_no_key_that_was_answered_is_denied_and_few_others_are_not() -> None:
    answered = [("g1", f"k{number}") for number in range(20_000)]
    keys = AnsweredKeys(lambda _: answered[:10_000])
    assert keys.may_have(1, answered[0])
    keys.add((1, key) for key in answered[10_000:])
    assert all(keys.may_have(1, key) for key in answered)
    # Of 262,144 bits 20,000 are set at most: 7.6%.
    wrong = sum(keys.may_have(1, ("g2", f"k{number}")) for number in range(10_000))
    assert wrong < 10_000 * 0.09


def test_keys_of_another_stream_are_not_its_own() -> None:
    keys = AnsweredKeys(lambda _: ())
    assert not keys.may_have(1, ("g", "k"))
    keys.add([(2, ("g", "k"))])
    assert not keys.may_have(1, ("g", "k"))


def test_a_stream_that_was_forgotten_for_others_is_looked_up_again() -> None:
    durable: dict[int, list[Key]] = {stream: [("g", f"k{stream}")] for stream in range(1025)}
    looked_up: list[int] = []

    def look_up(stream: int) -> list[Key]:
        looked_up.append(stream)
        return durable[stream]

    keys = AnsweredKeys(look_up)
    assert all(keys.may_have(stream, ("g", f"k{stream}")) for stream in range(1025))
    assert looked_up == list(range(1025))
    # The first gave way to the last, and has been answered once more meanwhile.
    durable[0].append(("g", "later"))
    keys.add([(0, ("g", "later"))])
    assert keys.may_have(0, ("g", "later"))
    assert looked_up[1025:] == [0]
    assert keys.may_have(1024, ("g", "k1024"))
    assert looked_up[1025:] == [0]


def test_a_key_that_becomes_durable_while_all_are_looked_up_is_known() -> None:
    key, looking = ("g", "k"), Event()

    def write() -> None:
        looking.wait(5)
        keys.add([(1, key)])

    writer = Thread(target=write)

    def look_up(_: int) -> list[Key]:
        # What is durable by now is without the key, which is committed and added meanwhile.
        looking.set()
        writer.join(0.2)
        return []

    keys = AnsweredKeys(look_up)
    writer.start()
    keys.may_have(1, ("g", "another"))
    writer.join(5)
    assert keys.may_have(1, key)


def test_a_store_that_is_opened_again_knows_what_it_answered(tmp_path: Path) -> None:
    answer = Answer("g", "k", b"d", 200, b"body", 1)
    with SQLiteStore(tmp_path / "pit.sqlite") as store:
        store.create("T1")
        assert store.answer("T1", "g", "k") is None
        assert store.commit([Append("T1", 0, [b"header"], answers=[answer])]) == {}
        assert store.answer("T1", "g", "k") == answer
    with SQLiteStore(tmp_path / "pit.sqlite") as store:
        assert store.answer("T1", "g", "k") == answer
        assert store.answer("T1", "g", "k2") is None
