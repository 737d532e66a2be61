"""Told means committed: nothing is answered, shown, or built upon before it is on disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, FullError
from croupier.records.stores.stream import StoreError
from croupier.verify.log import verify_lines
from support.served import NJ, Person, Served, problem, served
from support.tables import OPEN, opened

Act = Callable[..., httpx.Response]


class Held(SQLiteStore):
    """A store whose next commits wait, or fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()
        self.fails: Callable[[Sequence[Append]], Exception | None] = lambda _: None

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        self.waiting.set()
        assert self.gate.wait(20)
        if error := self.fails(appends):
            raise error
        return super().commit(appends)


class House:
    """A service on a store that can be held, with an open table, and hands to send with."""

    def __init__(self, one: Served, store: Held) -> None:
        self.one = one
        self.store = store
        self.dealer, self.floor = opened(one)
        self._hands = ThreadPoolExecutor(8)

    def send(self, act: Act, *args: object, **more: object) -> Future[httpx.Response]:
        return self._hands.submit(act, *args, **more)

    def hold(self) -> None:
        """Have the next commit wait."""
        self.store.gate.clear()
        self.store.waiting.clear()

    def held(self) -> None:
        """Wait until a commit waits."""
        assert self.store.waiting.wait(10)

    def queued(self, number: int) -> None:
        """Wait until so many requests of the table are under way."""
        desk = self.one.service.tables["MB-101"].desk
        end = monotonic() + 10
        while desk.under_way < number:
            assert monotonic() < end, desk.under_way
            sleep(0.005)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(Held(tmp_path / "pit.sqlite")) as one:
        store = one.service.store
        assert isinstance(store, Held)
        yield House(one, store)
        store.gate.set()


def taken(person: Person) -> list[int]:
    """Return the seats in which somebody sits."""
    seats = person.sees("/v1/tables/MB-101")["seen"]["seats"]
    return [one["seat"] for one in seats if one["taken"]]


def seat(number: int) -> dict[str, object]:
    return {"type": "SeatPatron", "seat": number, "patron": f"Pat {number}"}


def test_nothing_is_told_before_it_is_committed(house: House) -> None:
    house.hold()
    asked = house.send(house.dealer.does, "MB-101", seat(3))
    house.held()
    watcher = house.one.person("surveillance") if house.store.gate.is_set() else house.floor
    assert watcher.sees("/v1/tables/MB-101")["seq"] == 1
    assert taken(watcher) == []
    assert not asked.done()
    house.store.gate.set()
    assert asked.result(10).json()["seq"] == 2
    assert watcher.sees("/v1/tables/MB-101")["seq"] == 2


def test_a_second_request_under_a_key_waits_for_the_first(house: House) -> None:
    house.hold()
    asked = [house.send(house.dealer.does, "MB-101", seat(3), key="one") for _ in range(3)]
    house.held()
    house.store.gate.set()
    answers = [one.result(10) for one in asked]
    assert {one.content for one in answers} == {answers[0].content}
    assert sorted("idempotent-replay" in one.headers for one in answers) == [False, True, True]
    assert house.dealer.sees("/v1/tables/MB-101")["seq"] == 2


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (StoreError("broken"), 503, "not_stored"),
        (FullError("full"), 507, "disk_full"),
        (ZeroDivisionError("a fault of the program"), 503, "no_store"),
    ],
)
def test_what_cannot_be_stored_was_not_done_and_can_be_asked_again(
    house: House, error: Exception, status: int, code: str
) -> None:
    house.store.fails = lambda _: error
    problem(house.dealer.does("MB-101", seat(3), key="one"), status, code)
    assert taken(house.dealer) == []
    house.store.fails = lambda _: None
    again = house.dealer.does("MB-101", seat(3), key="one")
    assert (again.status_code, again.json()["seq"]) == (200, 2)
    assert "idempotent-replay" not in again.headers
    assert verify_lines(Path("log"), house.store.lines("MB-101")).is_clean


def test_a_key_that_was_taken_meanwhile_is_not_said_to_have_done_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert house.dealer.does("MB-101", seat(3), key="one").status_code == 200
    with monkeypatch.context() as late:
        # The store was asked for the answer before the first request was stored.
        late.setattr(house.store, "answer", lambda *_: None)
        said = problem(house.dealer.does("MB-101", seat(3), key="two"), 409, "seat_taken")
        said = problem(house.dealer.does("MB-101", seat(4), key="one"), 503, "no_store")
    assert "nothing was done" not in json.dumps(said)
    again = house.dealer.does("MB-101", seat(3), key="one")
    assert (again.json()["seq"], again.headers["idempotent-replay"]) == (2, "true")


def test_a_request_of_several_writes_is_not_said_to_have_done_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = house.store.put

    def full(kind: str, name: str, content: bytes | None) -> bool:
        if kind == "grant":
            raise FullError("full")
        return put(kind, name, content)

    monkeypatch.setattr(house.store, "put", full)
    before, new = house.store.count("pit:1"), {"person": "Pat", "office": "dealer"}
    said = problem(house.floor.http.post("/v1/grants", json=new), 507, "disk_full")
    # The pit's record has it.
    assert house.store.count("pit:1") == before + 1
    assert "nothing" not in json.dumps(said)


def test_a_refusal_that_rests_on_what_failed_is_not_told(house: House) -> None:
    house.hold()
    first = house.send(house.dealer.does, "MB-101", {"type": "ReceiveCards", "decks": 8})
    house.held()
    # Refused because of the seat taken by the request before it, which will never be.
    second = house.send(house.floor.does, "MB-101", seat(3))
    house.queued(2)
    third = house.send(house.floor.does, "MB-101", seat(3))
    house.queued(3)
    house.store.fails = lambda _: StoreError("broken")
    house.store.gate.set()
    for asked in (first, second, third):
        problem(asked.result(10), 503, "not_stored")
    house.store.fails = lambda _: None
    assert house.floor.does("MB-101", seat(3)).status_code == 200
    problem(house.floor.does("MB-101", seat(3)), 409, "seat_taken")


def test_a_table_that_fails_lets_the_others_go_on(house: House) -> None:
    licensee = house.one.person("licensee")
    made = licensee.http.post(
        "/v1/tables?table=MB-102",
        content=NJ.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )
    assert made.status_code == 201
    house.hold()
    first = house.send(house.floor.does, "MB-101", seat(3))
    house.held()
    asked = house.send(house.dealer.does, "MB-101", seat(4))
    other = house.send(house.floor.does, "MB-102", OPEN)
    house.queued(2)
    end = monotonic() + 10
    while not house.one.service.tables["MB-102"].desk.under_way:
        assert monotonic() < end
        sleep(0.005)
    house.store.fails = lambda appends: (
        StoreError("broken") if ("MB-101" in {one.name for one in appends} and len(appends) > 1)
        or appends[0].expected == 3 else None
    )  # fmt: skip
    house.store.gate.set()
    assert first.result(10).status_code == 200
    problem(asked.result(10), 503, "not_stored")
    assert other.result(10).status_code == 202
    assert house.dealer.does("MB-101", seat(5)).status_code == 503
    house.store.fails = lambda _: None
    assert house.dealer.does("MB-101", seat(5)).json()["seq"] == 3
    assert verify_lines(Path("log"), house.store.lines("MB-101")).entries == 3


def test_an_owner_that_was_relieved_of_a_table_writes_nothing_and_says_so(house: House) -> None:
    house.store.take("MB-101", "another", "", 0, free=False)
    problem(house.dealer.does("MB-101", seat(3)), 503, "not_owner")
    problem(house.dealer.does("MB-101", seat(4)), 503, "not_owner")
    assert house.store.count("MB-101") == 2


def test_a_snapshot_is_kept_at_the_end_and_gone_on_from(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as one:
        dealer, _ = opened(one)
        dealer.does("MB-101", seat(3))
        token = dealer.token
    with SQLiteStore(tmp_path / "pit.sqlite") as store:
        assert b'"entry":2' in (store.snapshot("MB-101") or b"")
    with served(tmp_path / "pit.sqlite") as one:
        dealer = Person(one.place, token)
        assert dealer.does("MB-101", seat(4)).json()["seq"] == 3
        dealer.http.close()
