"""A record for each gaming day of a served table: ended and begun in one step, and never in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep, tzset
from typing import Final

import httpx
import pytest

from croupier.client import Client
from croupier.law.resolve import resolve
from croupier.records.codec import from_json
from croupier.records.entry import SteppedClock, unseal
from croupier.records.header import header_of
from croupier.records.stores.places import open_store
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.store import Append, Store
from croupier.records.stores.stream import StoreError
from croupier.server.desks.days import Days
from croupier.verify.continues import compare_lines
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines
from support.databases import cluster
from support.pits import NOON
from support.served import Person, Served, listen, problem, served
from support.tables import CLOSE, COUNT, OPEN, a_day, asked, ends, given, make_table, open_table

pytest_plugins = ["support.store_fixtures"]

T = "MB-101"


@pytest.fixture
def house(place: str) -> Iterator[Served]:
    with served(open_store(place), clock=SteppedClock(NOON)) as one:
        yield one


def log(person: Person, day: int | None = None) -> list[bytes]:
    query = {} if day is None else {"day": day}
    answer = person.http.get(f"/v1/tables/{T}/log", params=query)
    assert answer.status_code == 200, answer.text
    return answer.content.splitlines(keepends=True)


def numbers(lines: list[bytes]) -> list[int]:
    return [entry["seq"] for entry in map(from_json, lines) if "seq" in entry]


def test_a_day_ends_and_the_next_one_continues_it(house: Served) -> None:
    make_table(house)
    _, floor = a_day(house)
    before = house.service.tables[T].desk.durable
    told = ends(floor)
    assert (told.status_code, told.json()) == (200, {"seq": 3, "ended": 1, "day": 2})
    watcher = house.person("surveillance")
    days = watcher.sees(f"/v1/tables/{T}/days")["days"]
    assert [(one["day"], one["first"], one["last"], one["ended"]) for one in days] == [
        (1, 1, 3, True),
        (2, 4, 3, False),
    ]
    monday, tuesday = log(watcher, 1), log(watcher)
    assert verify_lines(Path("1"), monday).is_open is False
    assert days[1]["stream"] == house.service.tables[T].desk.stream
    sealed = unseal(tuesday[0])
    assert sealed is not None
    header = header_of("2", sealed[0])
    assert header.continues is not None
    assert header.continues.stream == days[0]["stream"]
    assert header.opening.ledger == before.ledger
    # What was counted at the closing is what the tray is opened with, on the next day, too.
    dealer = house.person("dealer", "Dana")
    opening = {**OPEN, "gaming_date": "2011-02-23", "inventory_cents": 6_000_000}
    wrong = asked(floor, dealer, opening)
    assert "the tray was closed with $50,000.00" in problem(wrong, 409, "differs")["detail"]
    right = given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
    assert right.json()["seq"] == 4
    tuesday = log(watcher, 2)
    assert numbers(monday) + numbers(tuesday) == [1, 2, 3, 4]
    verdict = verify_lines(Path("2"), tuesday)
    compare_lines(verdict, Path("1"), monday)
    assert (verdict.is_clean, verdict.continued) == (True, True)
    # The chips that lay in the tray are not brought a second time.
    balances = house.person("accounting").sees(f"/v1/tables/{T}/ledger")["balances"]
    assert (balances["inventory"], balances["cage"]) == (5_000_000, -5_000_000)


def test_a_day_that_begins_is_proposed_as_today_or_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today is the date where the table stands: it is still the evening of the 27th there."""
    monkeypatch.setenv("TZ", "America/New_York")
    tzset()
    try:
        clock = SteppedClock(datetime(2026, 11, 28, 2, tzinfo=UTC))
        with served(tmp_path / "pit.sqlite", clock=clock) as house:
            make_table(house)
            floor, dealer = house.person("floorperson", "Flo"), house.person("dealer", "Dana")
            assert proposed(floor) == "2026-11-27"
            for opened, following in (("2026-11-20", "2026-11-27"), ("2026-11-27", "2026-11-28")):
                given(floor, dealer, {**OPEN, "gaming_date": opened})
                given(floor, dealer, CLOSE)
                assert proposed(floor) == following
    finally:
        monkeypatch.undo()
        tzset()


def proposed(floor: Person) -> str:
    acts = floor.sees(f"/v1/tables/{T}/legal")["acts"]
    (opening,) = [act for act in acts if act["command"] == "OpenTable"]
    (day,) = [field for field in opening["fields"] if field["name"] == "gaming_date"]
    assert day["kind"] == "date"
    return str(day["default"])


def test_a_day_under_way_does_not_end(house: Served) -> None:
    make_table(house)
    floor, dealer = house.person("floorperson", "Flo"), house.person("dealer", "Dana")
    refused = problem(ends(floor), 409, "day_under_way")
    assert "has not been opened" in refused["detail"]
    given(floor, dealer, OPEN)
    assert "close it first" in problem(ends(floor), 409, "day_under_way")["detail"]
    given(floor, dealer, CLOSE)
    problem(ends(dealer), 403, "not_allowed")
    assert ends(floor).status_code == 200
    assert "has not been opened" in problem(ends(floor), 409, "day_under_way")["detail"]


def test_a_refused_end_of_a_day_leaves_nothing_in_the_store(house: Served) -> None:
    make_table(house)
    names = house.service.store.names
    floor = house.person("floorperson", "Flo")
    for _ in range(2):
        problem(ends(floor), 409, "day_under_way")
        assert house.service.store.names == names
    a_day(house)
    # A refusal is answered again under its key, and the day ends under another.
    assert ends(floor, "late").status_code == 200
    assert house.service.store.names == (*names, f"{T}/2")
    problem(ends(floor), 409, "day_under_way")
    assert ends(floor, "late").status_code == 200
    assert house.service.store.names == (*names, f"{T}/2")


@pytest.mark.parametrize("body", ["", "{}", " {}\n"])
@pytest.mark.parametrize("kind", ["", "application/json", "application/toml"])
def test_an_empty_object_is_no_submission(tmp_path: Path, body: str, kind: str) -> None:
    def end(person: Person, key: str) -> httpx.Response:
        headers = {"Idempotency-Key": key, **({"Content-Type": kind} if kind else {})}
        return person.http.post(f"/v1/tables/{T}/days", content=body, headers=headers)

    with served(tmp_path / "pit.sqlite", clock=SteppedClock(NOON)) as house:
        licensee = make_table(house)
        early = house.person("pit boss")
        problem(end(early, "early"), 409, "day_under_way")
        _, floor = a_day(house)
        told = problem(end(licensee, "licensee"), 403, "not_allowed")
        assert told["detail"] == problem(ends(licensee), 403, "not_allowed")["detail"]
        assert end(floor, "end").status_code == 200
        # Both are the same request.
        again = ends(floor, "end")
        assert (again.status_code, again.headers["idempotent-replay"]) == (200, "true")


def test_a_day_that_is_ended_in_two_windows_at_once_ends_once(house: Served) -> None:
    make_table(house)
    dealer, floor = a_day(house)
    with ThreadPoolExecutor(4) as windows:
        told = [*windows.map(lambda key: ends(floor, key), ("a", "b", "c", "a"))]
    codes = sorted(one.status_code for one in told)
    assert codes in ([200, 200, 409, 409], [200, 409, 409, 409]), [one.text for one in told]
    assert len(house.service.tables[T].desk.days.all) == 2
    # The record of the next day has one owner, and goes on.
    assert dealer.does(T, {"type": "WriteNote", "text": "the drop box is empty"}).status_code == 200


def test_a_key_ends_a_day_once_and_is_known_on_the_next(house: Served) -> None:
    make_table(house)
    dealer, floor = a_day(house)
    note = {"type": "WriteNote", "text": "the drop box is full"}
    first = floor.does(T, note, key="note-1")
    assert first.status_code == 200
    ended = ends(floor, "end-1")
    again = ends(floor, "end-1")
    assert (again.status_code, again.content) == (200, ended.content)
    assert again.headers["idempotent-replay"] == "true"
    # A command that is sent again after the day has ended is not done on the next one.
    repeated = floor.does(T, note, key="note-1")
    assert repeated.content == first.content
    assert repeated.headers["idempotent-replay"] == "true"
    problem(floor.does(T, {**note, "text": "other"}, key="note-1"), 422, "key_reused")
    assert len(house.person("surveillance").sees(f"/v1/tables/{T}/days")["days"]) == 2
    assert given(floor, dealer, {**note, "text": "emptied"}).json()["seq"] == 5


def test_streams_and_the_past_go_on_over_the_days(house: Served) -> None:
    make_table(house)
    dealer, floor = a_day(house)
    assert ends(floor).status_code == 200
    given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
    heard = listen(floor, f"/v1/tables/{T}/events?after=1", lambda one: len(one) >= 3)
    assert [(number, kind) for number, kind, _ in heard] == [
        ("2", "entry"), ("3", "entry"), ("4", "entry"),
    ]  # fmt: skip
    watcher = house.person("surveillance")
    assert watcher.sees(f"/v1/tables/{T}/verify")["clean"]
    assert watcher.sees(f"/v1/tables/{T}/verify", day=1) == {
        "clean": True, "entries": 3, "events": 3, "rounds": 0, "open": False, "day": 1,
        "divergence": None, "findings": [], "differences": [],
        "edition": resolve("us-nj/minibaccarat", on=date(2011, 2, 22)).edition,
    }  # fmt: skip
    problem(watcher.http.get(f"/v1/tables/{T}/log?day=3"), 404, "not_found")
    looked = floor.sees(f"/v1/tables/{T}/look")
    assert looked["seen"]["seq"] == 4


@contextmanager
def twice(place: str, first: Callable[[Served], None]) -> Iterator[Served]:
    with served(open_store(place)) as one:
        first(one)
    with served(open_store(place)) as one:
        yield one


def test_a_restart_takes_up_the_last_day(place: str) -> None:
    def first(house: Served) -> None:
        make_table(house)
        _, floor = a_day(house)
        assert ends(floor, "end-1").status_code == 200

    with twice(place, first) as house:
        assert house.service.tables.keys() == {T}
        dealer, floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
        given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
        given(floor, dealer, CLOSE)
        assert ends(floor, "end-2").json() == {"seq": 5, "ended": 2, "day": 3}
        watcher = house.person("surveillance")
        days = [log(watcher, day) for day in (1, 2, 3)]
        assert [numbers(one) for one in days] == [[1, 2, 3], [4, 5], []]
        for number, (before, after) in enumerate(pairwise(days), start=1):
            verdict = verify_lines(Path(f"{number + 1}"), after)
            compare_lines(verdict, Path(f"{number}"), before)
            assert verdict.continued
        pit = watcher.sees("/v1/pits/1/verify")
        assert (pit["clean"], pit["tables"]) == (True, [T])


class Fails:
    """A store of which a commit fails, once, if it begins a record of a later day."""

    def __init__(self, store: Store) -> None:
        self.commit: Final = store.commit
        self.left = 0
        vars(store)["commit"] = self.fail

    def fail(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        if self.left and any(one.name.endswith("/2") and one.lines for one in appends):
            self.left -= 1
            raise StoreError("the disk is gone")
        return self.commit(appends)


def test_a_day_that_cannot_be_stored_goes_on(place: str) -> None:
    store = open_store(place)
    fails = Fails(store)
    with served(store) as house:
        make_table(house)
        dealer, floor = a_day(house)
        fails.left = 1
        problem(ends(floor, "end-1"), 503, "not_stored")
        # Nothing was ended: the table goes on with the record that it has.
        given(floor, dealer, {"type": "WriteNote", "text": "the store failed"})
        assert ends(floor, "end-1").json() == {"seq": 4, "ended": 1, "day": 2}
        watcher = house.person("surveillance")
        assert verify_lines(Path("1"), log(watcher, 1)).is_clean


def test_a_client_ends_a_day(house: Served) -> None:
    make_table(house)
    a_day(house)
    token = house.token("floorperson", "Flo", id="client")
    with Client(house.place, token) as client:
        assert client.end_day(T)["day"] == 2
        assert len(client.get(f"/v1/tables/{T}/days")["days"]) == 2
    with Client(house.place, house.token("surveillance", "Sue", id="logs")) as client:
        assert verify_lines(Path("1"), client.log(T, 1).splitlines(keepends=True)).is_clean
        assert len(client.log(T).splitlines()) == 1


def test_an_excerpt_is_of_one_day(house: Served) -> None:
    make_table(house)
    dealer, floor = a_day(house)
    assert ends(floor).status_code == 200
    given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
    days: Days = house.service.tables[T].desk.days
    assert [days.of(number) for number in (1, 3, 4)] == [1, 1, 2]
    assert numbers([*days.lines(2, 4)]) == [2, 3, 4]


def test_two_processes_turn_to_the_next_day_together() -> None:
    address = cluster().database()
    with served(PostgresStore(address)) as owner, served(PostgresStore(address)) as other:
        make_table(owner)
        dealer, floor = open_table(owner)
        given(floor, dealer, CLOSE)
        given(dealer, floor, COUNT)
        watcher = Person(other.place, owner.token("surveillance", "Sue", id="both"))
        waits_for(lambda: other.service.tables.get(T) is not None)
        assert ends(floor).json()["day"] == 2
        given(floor, dealer, {**OPEN, "gaming_date": "2011-02-23"})
        waits_for(lambda: other.service.tables[T].desk.durable.sequence == 4)
        follower = other.service.tables[T].desk
        assert follower.stream == owner.service.tables[T].desk.stream
        assert follower.durable.ledger == owner.service.tables[T].desk.durable.ledger
        assert numbers(log(watcher, 1)) == [1, 2, 3]
        assert numbers(log(watcher)) == [4]
        watcher.http.close()
        owner.stop()
        # The owner is gone: the other process has the table on the day at which it stands.
        waits_for(lambda: not follower.lost)
        there = other.person("floorperson", "Flo", id="there")
        given(there, there, {"type": "WriteNote", "text": "taken over"})
        assert follower.record == f"{T}/2"
        lines = [*other.service.store.lines(f"{T}/2")]
        assert verify_lines(Path("2"), lines).is_clean
        pits = [*other.service.store.lines("pit:1")]
        tables = [(Path(name), other.service.store.lines(name)) for name in (T, f"{T}/2")]
        assert verify_pit_lines(Path("pit"), pits, tables).findings == []


def test_a_pit_is_of_whoever_begins_it_though_another_process_looks_meanwhile() -> None:
    address = cluster().database()
    with served(PostgresStore(address)) as owner, served(PostgresStore(address)) as other:
        write, leases = owner.service.store.commit, other.service.leases
        assert leases is not None

        def slowly(appends: Sequence[Append]) -> Mapping[str, StoreError]:
            done = write(appends)
            if (appends[0].name, appends[0].expected) == ("pit:1", 0):
                other.do(leases._look())  # noqa: SLF001
            return done

        owner.service.store.commit = slowly  # type: ignore[method-assign]
        make_table(owner)
        assert other.service.pits["1"].lost
        assert not owner.service.pits["1"].lost


def waits_for(holds: Callable[[], bool], seconds: float = 15.0) -> None:
    until = monotonic() + seconds
    while not holds():
        assert monotonic() < until, "it did not come about"
        sleep(0.05)
