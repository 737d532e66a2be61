"""Pits over HTTP: what tables have in common, notices, changes, and what the pit's record proves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.cli import main
from croupier.client import AsyncClient, Client, ServiceError
from croupier.records.codec import from_json
from croupier.records.stores.places import open_store
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.server.desks.pit_desk import PitDesk
from croupier.table.machine.core import Refusal
from croupier.verify.log import verify_lines
from support.pit_service import BOTH, NEW, NOON, ORDER, T1, T2, Clock, Pit
from support.served import NJ, PUNTO_BANCO, Person, Served, listen, problem, served
from support.tables import OPEN, asked, given, open_table

pytest_plugins = ["support.store_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.fixture
def pit(place: str) -> Iterator[Pit]:
    clock = Clock()
    with served(open_store(place), clock=clock) as house:
        yield Pit(house, clock)


# --- admission ---


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_table_is_admitted_once_those_who_must_have_notice_had_it(pit: Pit) -> None:
    for minutes in (None, 29):
        told = problem(pit.makes(minutes=minutes), 409, "notice")
        assert [one["id"] for one in told["clauses"]] == ["NJ-MINI:7.10(c)3"]
        assert all(one["says"] for one in told["clauses"])
    assert "notified" in told["detail"]
    problem(pit.makes(minutes=-1), 409, "time")
    assert pit.licensee.sees("/v1/tables")["tables"] == []
    assert pit.makes(minutes=30).status_code == 201
    (table,) = pit.seen["tables"]
    assert (table["table"], table["admitted"]) == (T1, True)
    # The next table settles as the first does, of which notice was given.
    assert pit.makes(T2, minutes=None).status_code == 201
    assert pit.verified().is_clean


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_notice_of_the_pits_own_record_admits_a_table_once_its_half_hour_is_over(
    pit: Pit,
) -> None:
    pit.tells({ORDER: "payment-then-vigorish"})
    pit.clock.wait(29)
    problem(pit.makes(minutes=None), 409, "notice")
    pit.clock.wait(1)
    assert pit.makes(minutes=None).status_code == 201
    assert pit.seen["notices"] == []
    assert pit.verified().is_clean


@pytest.mark.clause("NJ-MINI:7.5(b)2.ii")
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_table_that_takes_up_the_reshuffle_is_admitted_after_notice(pit: Pit) -> None:
    again: dict[str, Any] = {"shuffle.reshuffle = false": "shuffle.reshuffle = true"}
    told = problem(pit.makes(minutes=29, **again), 409, "notice")
    assert [one["id"] for one in told["clauses"]] == ["NJ-MINI:7.5(b)2.ii"]
    assert pit.makes(minutes=30, **again).status_code == 201
    assert pit.verified().is_clean


def test_a_table_that_is_refused_leaves_neither_its_record_nor_one_of_its_pit(pit: Pit) -> None:
    problem(pit.makes(minutes=None), 409, "notice")
    store = pit.house.service.store
    assert [*store.names] == []
    assert pit.makes().status_code == 201
    assert [*store.names] == ["pit:1", T1]


def test_a_table_that_the_pit_refuses_at_last_leaves_no_record(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another table was admitted meanwhile, with which this one does not agree."""
    assert pit.makes().status_code == 201
    store = pit.house.service.store
    names, documents = store.names, store.documents("table")
    refusal = Refusal("not_uniform", (), "they must agree")
    monkeypatch.setattr(PitDesk, "do", lambda *_: refusal)
    problem(pit.makes(T2, minutes=None), 409, "not_uniform")
    assert (store.names, store.documents("table")) == (names, documents)
    monkeypatch.undo()
    assert pit.makes(T2, minutes=None).status_code == 201
    assert pit.verified().is_clean


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_table_that_differs_where_tables_must_agree_is_not_made(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    finish: dict[str, Any] = {
        'shuffle.finish = "lace"': 'shuffle.finish = "feather"',
        "shuffle.reshuffle": "# shuffle.reshuffle",
    }
    told = problem(pit.makes(T2, **finish), 409, "not_uniform")
    assert [one["id"] for one in told["clauses"]] == ["NJ-MINI:7.5(c)"]
    assert [one["table"] for one in pit.seen["tables"]] == [T1]
    assert T2 not in pit.house.service.store.names


def test_a_table_that_is_made_in_two_windows_at_once_is_made_once(pit: Pit) -> None:
    with ThreadPoolExecutor(4) as windows:
        told = [*windows.map(lambda _: pit.makes(), range(4))]
    assert sorted(one.status_code for one in told) == [201, 409, 409, 409], told
    assert {one.json()["code"] for one in told if one.status_code == 409} == {"exists"}
    open_table(pit.house)
    assert pit.verified().divergence is None


def test_a_table_that_was_withdrawn_is_not_opened(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    assert pit.does("WithdrawTable", table=T1).status_code == 200
    floor = pit.house.person("floorperson", "Flo")
    dealer = pit.house.person("dealer", "Dana")
    problem(asked(floor, dealer, OPEN, T1), 409, "not_in_pit")
    # It comes back with what it elects, and with notice of it.
    problem(pit.does("AdmitTable", table="MB-999"), 404, "not_found")
    pit.done("AdmitTable", table=T1, notified=pit.ago(45))
    given(floor, dealer, OPEN, T1)
    problem(pit.does("WithdrawTable", table=T1), 409, "table_open")
    assert pit.verified().is_clean


# --- notices and changes ---


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_change_is_one_command_of_the_pit_and_has_its_notices_from_there(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    told = problem(pit.changes(T1), 409, "notice")
    assert [one["id"] for one in told["clauses"]] == ["NJ-MINI:7.10(c)3"]
    pit.tells(NEW)
    assert [one["to"] for one in pit.seen["notices"]] == [*BOTH]
    pit.clock.wait(29.99)
    problem(pit.changes(T1), 409, "notice")
    pit.clock.wait(0.01)
    told = pit.changes(T1).json()
    assert told["seq"] == 4
    assert [one["command"]["type"] for one in told["entries"]] == ["ChangeElections"]
    assert (pit.elected(T1), pit.seen["notices"]) == ("payments-first", [])
    # At the table it is the pit that acts; that Lou had it do so is in the pit's record.
    # The table's own record shows the notices, and from which entry of the pit each order came.
    assert pit.commands(T1) == [
        ("RecordNotice", "pit-2"), ("RecordNotice", "pit-3"), ("AdoptElections", "pit-4"),
    ]  # fmt: skip
    by = [from_json(line)["by"] for line in pit.lines(T1)[1:]]
    assert {one["person"] for several in by for one in several} == {"pit 1"}
    by = [from_json(line)["by"] for line in pit.lines("pit:1")[1:]]
    assert {one["person"] for several in by for one in several} == {"Lou"}
    assert pit.verified().is_clean


def test_what_is_the_pits_is_not_done_at_a_table(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    adopts = {"type": "AdoptElections", "elections": {"wagers.tie.pays": "9:1"}}
    told = problem(pit.licensee.does(T1, adopts), 409, "of_pit")
    assert "ChangeElections" in told["detail"]
    notice = {"type": "RecordNotice", "elections": NEW, "to": "surveillance"}
    told = problem(pit.licensee.does(T1, notice), 409, "of_pit")
    assert "GiveNotice" in told["detail"]
    assert pit.commands(T1) == []


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_change_is_refused_as_a_whole(pit: Pit) -> None:
    for table in (T1, T2):
        assert pit.makes(table).status_code == 201
    finish = {"shuffle.finish": "feather"}
    told = problem(pit.does("ChangeElections", tables=[T1], elections=finish), 409, "not_uniform")
    assert [one["id"] for one in told["clauses"]] == ["NJ-MINI:7.5(c)"]
    pit.done("ChangeElections", tables=[T1, T2], elections=finish)
    assert [pit.commands(one) for one in (T1, T2)] == [[("AdoptElections", "pit-3")]] * 2
    problem(pit.does("ChangeElections", tables=["MB-9"], elections=finish), 409, "no_table")
    assert pit.verified().is_clean


def test_a_change_waits_for_its_moment_over_a_restart_and_is_made_once(place: str) -> None:
    clock = Clock()
    with served(open_store(place), clock=clock) as house:
        pit = Pit(house, clock)
        assert pit.makes().status_code == 201
        pit.tells(NEW)
        clock.wait(31)
        pit.deals(T1, lambda state: state.phase.in_play)
        token = pit.licensee.token
        answer = pit.changes(T1, key="change")
        assert answer.status_code == 200, answer.text
        assert pit.elected(T1) == "payment-then-vigorish"
        assert [(one["table"], one["entry"]) for one in pit.seen["waiting"]] == [(T1, 4)]
        before = pit.commands(T1)
    with served(open_store(place), clock=clock) as house:
        pit.house = house
        pit.licensee = Person(house.place, token)
        # The same request under its key is answered as before, and ordered once.
        again = pit.changes(T1, key="change")
        assert again.headers["idempotent-replay"] == "true"
        assert again.content == answer.content
        assert pit.elected(T1) == "payment-then-vigorish"
        rounds = house.service.tables[T1].desk.durable.state.rounds
        pit.deals(T1, lambda state: not state.phase.in_play and state.rounds >= rounds)
        assert pit.elected(T1) == "payments-first"
        assert pit.seen["waiting"] == []
        pit.licensee.http.close()
    with served(open_store(place), clock=clock) as house:
        pit.house = house
        pit.licensee = Person(house.place, token)
        assert pit.elected(T1) == "payments-first"
        made = pit.commands(T1)[len(before) :]
        assert [key for kind, key in made if kind == "AdoptElections"] == ["pit-4"]
        # The entry that ended the round is the one before.
        assert made[-2][0] in {"ClearLayout", "SettleWagers", "CollectVigorish"}, made
        assert pit.verified().is_clean
        pit.licensee.http.close()


def test_the_pit_and_its_tables_store_a_change_together_or_not_at_all(pit: Pit) -> None:
    """There is no moment between the pit's entry and those of its tables: they are one append."""
    for table in (T1, T2):
        assert pit.makes(table).status_code == 201
    pit.tells(NEW)
    pit.clock.wait(31)
    # Another process takes one of the tables: what rests on it is stored nowhere.
    store = pit.house.service.store
    before = {name: store.count(name) for name in store.names}

    async def fence() -> None:
        await pit.house.service.commits.write(store.take, T2, "another", "", 60.0, free=False)

    pit.house.do(fence())
    answer = pit.changes(T1, T2, key="once")
    assert answer.status_code == 503, answer.text
    assert {name: store.count(name) for name in store.names} == before
    assert [pit.elected(one) for one in (T1, T2)] == ["payment-then-vigorish"] * 2
    assert pit.house.service.pits["1"].ahead is pit.house.service.pits["1"].durable
    # The pit goes on with what does not rest on that table.
    pit.done("AdmitOtherGame", table="PG-1", game="pai-gow", elections={})
    assert verify_lines(Path(T1), pit.lines(T1)).is_clean


def test_what_rests_on_what_failed_fails_with_it(tmp_path: Path) -> None:
    """A command of a pit that waits behind a commit that fails leaves no order at any table."""
    store = _Held(tmp_path / "pit.sqlite")
    clock = Clock()
    with served(store, clock=clock) as house:
        pit = Pit(house, clock)
        for table in (T1, T2):
            assert pit.makes(table).status_code == 201
        dealer, _ = open_table(house, T2)
        answers: list[Any] = []
        store.gate.clear()
        seat = {"type": "SeatPatron", "seat": 1, "patron": "Pat"}
        asks = [
            threading.Thread(target=lambda: answers.append(dealer.does(T2, seat))),
            threading.Thread(
                target=lambda: answers.append(
                    pit.does("GiveNotice", elections=NEW, to="surveillance")
                )
            ),
        ]
        for number, one in enumerate(asks, start=1):
            one.start()
            _until(partial(_under_way, house, number))
        store.fails_next = True
        store.gate.set()
        for one in asks:
            one.join(20)
        assert [one.status_code for one in answers] == [503, 503]
        assert all(pit.commands(T1) == [] for _ in range(2))
        assert house.service.pits["1"].waiting(T1) == []
        assert pit.done("GiveNotice", elections=NEW, to="surveillance")["seq"] == 3
        assert [kind for kind, _ in pit.commands(T2)] == ["OpenTable", "RecordNotice"]
        assert pit.verified().is_clean


class _Held(SQLiteStore):
    """A store whose commits wait, and of which the next one can fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate = threading.Event()
        self.gate.set()
        self.fails_next = False

    def commit(self, appends: Any) -> Any:
        assert self.gate.wait(20)
        if self.fails_next:
            self.fails_next = False
            self.gate.set()
            raise OSError("the disk is gone for a moment")
        return super().commit(appends)


def _under_way(house: Served, number: int) -> bool:
    return house.service.tables[T2].desk.under_way == number


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if holds():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to that")


# --- what tables share ---


def test_a_slip_and_a_set_of_decks_are_used_at_one_table_of_a_pit(pit: Pit) -> None:
    for table in (T1, T2):
        assert pit.makes(table).status_code == 201
    dealer, floor = open_table(pit.house, T1)
    second = pit.house.person("dealer", "Dora")
    given(floor, second, {**OPEN, "dealer": "Dora"}, T2)
    fill = {"type": "RequestFill", "slip": 7, "chips": {"10000": 20}}
    assert floor.does(T1, fill).status_code == 200
    told = problem(floor.does(T2, fill), 409, "slip")
    assert T1 in told["detail"]
    assert floor.does(T2, {**fill, "slip": 8}).status_code == 200
    credit = {"type": "RequestCredit", "slip": 8, "chips": {"10000": 1}}
    problem(floor.does(T1, credit), 409, "slip")
    decks = {"type": "ReceiveCards", "decks": 8, "preshuffled": False, "name": "red A"}
    assert dealer.does(T1, decks).status_code == 200
    told = problem(second.does(T2, decks), 409, "decks_in_use")
    assert T1 in told["detail"]
    assert second.does(T2, {**decks, "name": "red B"}).status_code == 200
    assert pit.verified().is_clean


# --- offices ---

KINDS: Final[dict[str, dict[str, Any]]] = {
    "AdmitTable": {"table": T1},
    "AdmitOtherGame": {"table": "PG-1", "game": "pai-gow", "elections": {}},
    "GiveNotice": {"elections": NEW, "to": "surveillance"},
    "ChangeElections": {"tables": [T1], "elections": NEW},
    "WithdrawTable": {"table": T1},
}


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_the_pit_is_the_licensees_and_its_record_is_for_those_who_may_read_it(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    offices = {str(role) for role in Role} - {
        Role.CURATOR, Role.LICENSEE, Role.OPERATOR, Role.PATRON,
    }  # fmt: skip
    for office in sorted({*offices, "board"}):
        person = pit.house.person(office)
        for kind, fields in KINDS.items():
            answer = person.http.post(
                "/v1/pits/1/commands",
                json={"type": kind, **fields},
                headers={"Idempotency-Key": person.key()},
            )
            problem(answer, 403, "not_allowed")
        is_staff = office not in {Role.MACHINE, "board"}
        assert ("notices" in person.sees("/v1/pits/1")) == is_staff
        reads = 200 if office in {Role.SURVEILLANCE, Role.ACCOUNTING} else 403
        assert person.http.get("/v1/pits/1/log").status_code == reads
        assert person.http.get("/v1/pits/1/verify").status_code == (200 if is_staff else 403)
    elsewhere = pit.house.person("licensee", "Liz", pit="2")
    problem(elsewhere.http.get("/v1/pits/1/log"), 404, "not_found")
    problem(elsewhere.http.get("/v1/pits/2/log"), 404, "not_found")
    assert pit.seen["seq"] == 3, "two exports of the record are entries of it"
    # The pit's commands are none of a table's.
    assert not KINDS.keys() & TERMS.keys()


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_what_cannot_be_read_changes_nothing(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    cases: list[tuple[dict[str, Any], str]] = [
        ({"type": "OpenTable"}, "malformed"),
        ({"type": "GiveNotice", "to": "surveillance"}, "malformed"),
        ({"type": "GiveNotice", "elections": NEW, "to": "x", "at": "noon"}, "malformed"),
        ({"type": "ChangeElections", "tables": [T1], "elections": NEW, "at": NOON.isoformat()},
         "malformed"),
        ({"type": "AdmitTable", "table": T1, "submission": {}}, "malformed"),
        ({"type": "WithdrawTable", "table": T1, "why": "x"}, "malformed"),
    ]  # fmt: skip
    for fields, code in cases:
        told = problem(pit.does(fields.pop("type"), **fields), 422, code)
        assert told["detail"]
    problem(pit.does("AdmitTable", table=T1), 409, "table_known")
    late = (NOON + timedelta(hours=1)).isoformat()
    problem(pit.does("GiveNotice", elections=NEW, to="x", at=late), 409, "time")
    early = (NOON - timedelta(hours=1)).isoformat()
    problem(pit.does("GiveNotice", elections=NEW, to="x", at=early), 409, "backdated")
    answer = pit.licensee.http.post("/v1/pits/1/commands", json={"type": "WithdrawTable"})
    problem(answer, 428, "key_missing")
    pit.does("GiveNotice", "k", elections=NEW, to="x")
    problem(pit.does("GiveNotice", "k", elections=NEW, to="y"), 422, "key_reused")
    stale = pit.licensee.http.post(
        "/v1/pits/1/commands",
        json={"type": "WithdrawTable", "table": T1},
        headers={"Idempotency-Key": "s", "If-Match": '"1"'},
    )
    problem(stale, 412, "stale")
    assert pit.seen["seq"] == 2


# --- listening, clients, and the record ---


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_the_staff_of_a_pit_hear_what_it_decides(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    heard: dict[str, list[Any]] = {}

    def hears(office: str) -> None:
        person = pit.house.person(office)

        def enough(found: list[Any]) -> bool:
            heard[office] = list(found)
            return any(kind == "entry" for _, kind, _ in found)

        listen(person, "/v1/pits/1/events", enough)

    threads = [threading.Thread(target=hears, args=(one,)) for one in ("board", "surveillance")]
    for one in threads:
        one.start()
    _until(lambda: all("resync" in str(heard.get(one)) for one in ("board", "surveillance")))
    pit.done("GiveNotice", elections=NEW, to="surveillance")
    for one in threads:
        one.join(20)
    kinds = {office: [kind for _, kind, _ in found] for office, found in heard.items()}
    assert "pit" not in kinds["board"]
    (told,) = [data for _, kind, data in heard["surveillance"] if kind == "pit"]
    assert (told["seq"], told["by"]) == (2, [{"person": "Lou", "office": "licensee"}])
    assert told["events"][0]["type"] == "NoticeGiven"


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_both_clients_know_the_pit(pit: Pit) -> None:
    with Client(pit.house.place, pit.licensee.token) as client:
        client.create_table(NJ.read_bytes(), notified=pit.ago(45))
        notice = {"type": "GiveNotice", "elections": NEW, "to": "surveillance"}
        assert client.pit_command("1", notice, key="one")["seq"] == 2
        assert client.pit_command("1", notice, key="one")["seq"] == 2
        with pytest.raises(ServiceError, match="stale"):
            client.pit_command("1", notice, expected=1)
        assert client.pit("1")["seq"] == 2
        # The entry of the export comes after what was exported.
        assert client.pit_log("1").splitlines(keepends=True) == pit.lines("pit:1")[:-1]

    async def ask() -> None:
        async with AsyncClient(pit.house.place, pit.licensee.token) as client:
            assert (await client.pit("1"))["seq"] == 3
            notice = {"type": "GiveNotice", "elections": NEW, "to": "Commission"}
            assert (await client.pit_command("1", notice))["seq"] == 4
            assert (await client.pit_log("1")).count(b"\n") == 5

    asyncio.run(ask())


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_the_log_of_a_pit_is_verified_with_those_of_its_tables(pit: Pit, tmp_path: Path) -> None:
    for table, file in ((T1, NJ), ("PB-1", PUNTO_BANCO)):
        there: dict[str, Any] = {} if file is NJ else {'pit = "11"': 'pit = "1"'}
        made = pit.makes(table, file, **there)
        assert made.status_code == 201, made.text
    pit.tells(NEW)
    pit.clock.wait(31)
    assert pit.changes(T1, "PB-1").status_code == 200
    watcher = pit.house.person("surveillance")
    assert watcher.sees("/v1/pits/1/verify") == {
        "clean": True, "entries": 5, "events": 5, "tables": [T1, "PB-1"], "divergence": None,
        "findings": [], "meters": {},
    }  # fmt: skip
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("pit", T1, "PB-1")}
    paths["pit"].write_bytes(watcher.http.get("/v1/pits/1/log").content)
    for name in (T1, "PB-1"):
        paths[name].write_bytes(watcher.http.get(f"/v1/tables/{name}/log").content)
    words = [
        "verify",
        str(paths["pit"]),
        "--beside",
        str(paths[T1]),
        "--beside",
        str(paths["PB-1"]),
    ]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert "PASS" in found.output
    assert f"Checked against it {T1}, PB-1" in " ".join(found.output.split())
    document = from_json(CliRunner().invoke(main, [*words, "--format", "json"]).output)
    assert (document["clean"], document["tables"]) == (True, [T1, "PB-1"])
    # Without the last entry the table has adopted what the pit had not ordered.
    lines = paths["pit"].read_bytes().splitlines(keepends=True)
    paths["pit"].write_bytes(b"".join(lines[:-1]))
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 1
    assert "adopted elections that no entry of the pit ordered" in " ".join(found.output.split())
    # A word changed in a sealed line is found at once.
    assert b"surveillance" in lines[3]
    lines[3] = lines[3].replace(b"surveillance", b"surveillanse")
    paths["pit"].write_bytes(b"".join(lines))
    found = CliRunner().invoke(main, words)
    assert (found.exit_code, "hash does not match" in found.output) == (1, True)
