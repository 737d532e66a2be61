"""Grants, leases, answers, and tables of a store, against what its records prove."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

import psycopg
import pytest

from croupier.cli.tables import store as store_command
from croupier.records.codec import dump
from croupier.records.heads import ContradictedError
from croupier.records.stores.places import is_database, open_store
from croupier.server.opening import office_links
from support.command_line import told_with
from support.databases import cluster
from support.served import NJ, Person, Served, served
from support.tables import NOTIFIED, OPEN, ends, given

Written = dict[str, Any]
"""A grant as it is stored."""


def signs_in(house: Served, link: str, code: str = "") -> Person:
    answer = house.anybody().post("/v1/tokens", json={"link": link, "code": code})
    assert answer.status_code == 201, answer.text
    return Person(house.place, answer.json()["token"])


def admits(house: Served, maker: Person, second: Person, person: str, **more: Any) -> Person:
    """Have one person grant an office, and a second consent."""
    made = maker.http.post("/v1/grants", json={"person": person, "office": "dealer", **more})
    answer = second.http.post(f"/v1/grants/{made.json()['id']}", json={"consent": True})
    return signs_in(house, made.json()["link"], answer.json()["code"])


def grant_of(person: Person) -> str:
    name: str = person.sees("/v1/tokens/mine")["id"]
    return name


def works_a_day(house: Served) -> None:
    """Have a pit open, and its people relieved and revoked."""
    people = {office: office for office in ("licensee", "pit boss", "floorperson", "dealer")}
    pit_1 = house.do(office_links(house.service, people))
    links = {office: code for _, office, _, code in pit_1}
    licensee, boss, floor, dealer = (signs_in(house, links[office]) for office in people)
    made = licensee.http.post(
        "/v1/tables", params={"notified": NOTIFIED}, content=NJ.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )  # fmt: skip
    assert made.status_code == 201, made.text
    house.do(house.service.pit("2"))
    given(floor, dealer, {**OPEN, "dealer": "dealer", "floorperson": "floorperson"})
    house.do(office_links(house.service, {"pit boss": "Bea", "cage": "Gia"}))
    board = {"person": "board 1", "office": "board", "tables": ["MB-101"]}
    signs_in(house, floor.http.post("/v1/grants", json=board).json()["link"])
    dora = admits(house, floor, boss, "Dora", tables=["MB-101"])
    given(floor, dora, {"type": "RelieveDealer", "dealer": "Dora"})
    assert floor.http.delete(f"/v1/grants/{grant_of(dealer)}").status_code == 204
    declined = floor.http.post("/v1/grants", json={"person": "Dee", "office": "dealer"}).json()
    boss.http.post(f"/v1/grants/{declined['id']}", json={"consent": False})
    # One waits for its consent, and one is consented to, and its link is not used yet.
    for name in ("Dan", "Don"):
        waits = floor.http.post("/v1/grants", json={"person": name, "office": "dealer"}).json()
    boss.http.post(f"/v1/grants/{waits['id']}", json={"consent": True})
    assert dora.does("MB-101", {"type": "SeatPatron", "seat": 3, "patron": "Pat"}).is_success
    batch = [{"type": "SeatPatron", "seat": seat, "patron": f"P{seat}"} for seat in (4, 5)]
    headers = {"Idempotency-Key": dora.key(), "Content-Type": "application/x-ndjson"}
    several = dora.http.post(
        "/v1/tables/MB-101/commands",
        content=b"".join(dump(one) + b"\n" for one in batch),
        headers=headers,
    )
    assert several.is_success, several.text
    for person in (licensee, boss, floor, dealer, dora):
        person.http.close()


def seats(house: Served, seat: int) -> None:
    dora = house.person("dealer", "Dora")
    answer = dora.does("MB-101", {"type": "SeatPatron", "seat": seat, "patron": f"P{seat}"})
    assert answer.is_success, answer.text


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the place of a new store."""
    return str(tmp_path / "pit.sqlite") if request.param == "file" else cluster().database()


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return the place of a file, or of a database, that a pit has worked with."""
    file = tmp_path_factory.mktemp("worked") / "pit.sqlite"

    @cache
    def place_of(kind: str) -> str:
        place = str(file) if kind == "file" else cluster().database()
        with served(open_store(place)) as house:
            works_a_day(house)
        return place

    return place_of


@pytest.fixture(params=["file", "database"])
def kept(request: pytest.FixtureRequest, worked: Callable[[str], str], tmp_path: Path) -> str:
    """Return the place of a store that a pit has worked with, to be changed."""
    place = worked(request.param)
    if is_database(place):
        return cluster().database(place)
    return str(shutil.copy(place, tmp_path / "pit.sqlite"))


@contextmanager
def written(place: str) -> Iterator[Any]:
    """Write into a store as whoever keeps it can."""
    with closing((psycopg if is_database(place) else sqlite3).connect(place)) as connection:
        yield connection
        connection.commit()


def kept_grants(place: str) -> list[Written]:
    with open_store(place) as store:
        return [json.loads(content) for content in store.documents("grant").values()]


def keeps(place: str, content: Written, name: str = "") -> None:
    with open_store(place) as store:
        store.put("grant", name or content["id"], dump(content))


def found_in(place: str, status: int = 1) -> list[str]:
    checked = told_with(status, "store", "check", place, "--format", "json")
    wrong: list[str] = json.loads(checked.stdout)["wrong"]
    return wrong


def one_of(place: str, person: str) -> Written:
    return next(one for one in kept_grants(place) if one["person"] == person)


# --- what nobody has changed ---


def test_what_a_pit_did_is_not_accused(place: str, tmp_path: Path) -> None:
    with served(open_store(place)) as house:
        works_a_day(house)
        # While it is in use, too.
        assert found_in(place, 0) == []
    with served(open_store(place)) as house:
        house.do(office_links(house.service, {"pit boss": "Bea", "floorperson": "Fay"}))
    assert found_in(place, 0) == []
    copy, other = tmp_path / "copy.sqlite", tmp_path / "other.sqlite"
    told_with(0, "store", "backup", place, copy)
    told_with(0, "store", "restore", copy, other)
    for one in (str(copy), str(other)):
        assert found_in(one, 0) == []
    with served(other) as house:
        house.do(office_links(house.service, {"pit boss": "Bea"}))
    assert found_in(str(other), 0) == []


def test_a_day_that_ended_and_a_pit_beside_are_not_accused(place: str) -> None:
    with served(open_store(place)) as house:
        works_a_day(house)
        floor = house.person("floorperson", "Fay")
        for seat in (3, 4, 5):
            floor.does("MB-101", {"type": "LeaveTable", "seat": seat})
        ends(floor)
    with served(open_store(place)):
        pass
    assert found_in(place, 0) == []


def test_a_grant_whose_act_waits_for_the_owner_of_its_pit_is_not_accused() -> None:
    place = cluster().database()
    with served(open_store(place)) as house:
        links = house.do(office_links(house.service, {"licensee": "Lou"}))
        with served(open_store(place)) as beside:
            signs_in(house, links[0][3])
            made = beside.do(office_links(beside.service, {"pit boss": "Bo"}))
            assert found_in(place, 0) == []
            signs_in(beside, made[0][3])
            assert found_in(place, 0) == []


# --- what somebody has changed ---


@pytest.mark.parametrize(("person", "change", "message"), [
    ("Dora", {"office": "surveillance"}, "has office dealer, the store surveillance"),
    ("Dora", {"person": "Mallory"}, "has person Dora, the store Mallory"),
    ("Dora", {"tables": []}, "has tables MB-101, the store none"),
    ("Dora", {"seat": 3}, "has seat None, the store 3"),
    ("Dora", {"device": "reader"}, "has device page, the store reader"),
    ("Dora", {"made_by": ""}, ", the store "),
    ("Dora", {"consented_by": "nobody"}, "no act of a pit has the consent under grant nobody"),
    ("Dan", {"consented_by": "nobody"}, "no act of a pit has the consent under grant nobody"),
    ("Dora", {"pit": "2"}, "has pit 1, the store 2"),
    ("pit boss", {"until": 4_102_444_800_000}, ", the store 2100-01-01T00:00:00.000Z"),
    ("pit boss", {"until": "never"}, "it cannot be read: "),
], ids=lambda one: next(iter(one), "") if isinstance(one, dict) else "")  # fmt: skip
def test_a_changed_grant_is_found_and_not_served(
    kept: str, person: str, change: Written, message: str
) -> None:
    grant = one_of(kept, person) | change
    keeps(kept, grant)
    (fault,) = found_in(kept)
    assert fault.startswith(f"grant {grant['id']}: ")
    assert message in fault
    if "cannot be read" in message:
        return
    with (
        pytest.raises(ContradictedError, match=rf"grant {grant['id']}: .*\n.* are void$"),
        served(open_store(kept)),
    ):
        pass


def test_a_grant_that_no_act_gave_is_found_and_void_from_the_start(kept: str) -> None:
    keeps(kept, one_of(kept, "pit boss") | {"id": "new", "person": "Mallory"})
    assert found_in(kept) == ["grant new: no act of a pit makes Mallory pit boss"]
    with served(open_store(kept)) as house:
        standing = house.service.grants.standing(house.service.now())
        assert "Mallory" not in {grant.person for grant in standing}
    assert one_of(kept, "Mallory")["revoked"] is not None
    assert found_in(kept, 0) == []


@pytest.mark.parametrize("content", [
    b"", b"\xff", b"[]", b"1", b"{}", b'{"pit": "1"}', b'{"pit": "1", "command": {}}',
    b'{"pit": "1", "command": {"type": "GrantOffice", "grant": 5}}',
    b'{"pit": [], "command": {"type": "RevokeGrants", "grants": 1}}',
], ids=str)  # fmt: skip
def test_a_note_that_cannot_be_read_is_found(kept: str, content: bytes) -> None:
    with open_store(kept) as store:
        store.put("note", "0-x", content)
    assert found_in(kept) == ["grant note 0-x: it cannot be read"]


def test_a_grant_under_another_name_is_found(kept: str) -> None:
    grant = one_of(kept, "Dora")
    keeps(kept, grant, "copied")
    assert found_in(kept) == [f"grant copied: it is stored as grant {grant['id']}"]


@pytest.mark.parametrize(("person", "act"), [("dealer", "RevokeGrants"), ("Dee", "DeclineConsent")])
def test_a_grant_that_its_pit_ended_is_found_and_ends_at_the_start(
    kept: str, person: str, act: str
) -> None:
    ended = one_of(kept, person)
    assert ended["revoked"] is not None
    keeps(kept, ended | {"revoked": None})
    with open_store(kept) as store:
        lines = [json.loads(line) for line in store.lines("pit:1")][1:]
    (number,) = [line["seq"] for line in lines if line["command"]["type"] == act]
    assert found_in(kept) == [f"grant {ended['id']}: entry {number} of pit 1 ended it"]
    with served(open_store(kept)):
        pass
    assert one_of(kept, person)["revoked"] is not None
    assert found_in(kept, 0) == []


def test_a_grant_that_ends_while_it_is_checked_is_not_accused(
    kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_command, "_PAUSE", 0.5)
    ended = one_of(kept, "dealer")
    keeps(kept, ended | {"revoked": None})
    timer = Timer(0.3, keeps, (kept, ended))
    timer.start()
    assert found_in(kept, 0) == []
    timer.join()


def test_a_store_with_a_changed_grant_is_gone_on_with_as_a_copy(kept: str, tmp_path: Path) -> None:
    keeps(kept, one_of(kept, "Dora") | {"office": "surveillance"})
    copy, other = tmp_path / "copy.sqlite", tmp_path / "other.sqlite"
    told_with(0, "store", "backup", kept, copy)
    told_with(0, "store", "restore", copy, other)
    with served(other) as house:
        assert house.service.grants.standing(house.service.now()) == ()
    assert found_in(str(other), 0) == []


# --- leases, answers, and tables ---


def test_a_lease_that_was_set_back_is_found(kept: str) -> None:
    with served(open_store(kept)) as house:
        seats(house, 6)
    with written(kept) as connection:
        connection.execute(
            "update lease set epoch = epoch - 1"
            " where stream = (select id from stream where name = 'MB-101')"
        )
    (fault,) = found_in(kept)
    assert fault.startswith("MB-101: its lease was set back to epoch ")


def test_a_line_of_a_relieved_process_is_found(kept: str) -> None:
    with written(kept) as connection:
        connection.execute("update lease set epoch = 9")
    with served(open_store(kept)) as house:
        seats(house, 6)
    with written(kept) as connection:
        connection.execute("update lease set epoch = 4")
    with served(open_store(kept)) as house:
        seats(house, 7)
    assert [one for one in found_in(kept) if "is of epoch 5, after one of epoch 10" in one]


def test_an_answer_that_was_deleted_is_found(kept: str) -> None:
    with written(kept) as connection:
        connection.execute(
            "delete from answer where kept and"
            " stream = (select id from stream where name = 'MB-101')"
        )
    (fault,) = found_in(kept)
    assert fault.endswith(" answers are missing: repeated requests are done again")
    assert fault.startswith("MB-101: ")


@pytest.mark.parametrize("table", ["line", "document", "answer", "lease"])
def test_an_added_column_is_found(kept: str, table: str) -> None:
    with written(kept) as connection:
        connection.execute(f"alter table {table} add column more text")
    (fault,) = found_in(kept)
    assert fault.startswith(f"columns of table {table}: ")


def test_a_second_row_of_the_layout_is_found() -> None:
    place = cluster().database()
    with served(open_store(place)) as house:
        works_a_day(house)
    with written(place) as connection:
        connection.execute("insert into layout select * from layout")
    (fault,) = found_in(place)
    assert fault.startswith("rows of table layout: ")
