"""Meters that tables of a pit share go on over the end of a table's gaming day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from croupier import acts
from croupier.records.codec import from_json
from croupier.records.stores.places import open_store
from croupier.server.desks.pilot import Dealt
from croupier.server.desks.pit_desk import PitDesk
from croupier.table.machine.state import Phase
from croupier.verify.continues import compare_days
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines
from support.amendment import dated_shelf
from support.games import advance
from support.linked_floor import HITS, LINK, ROYAL_9, Floor
from support.pit_service import T1, T2, Clock
from support.served import answered_here, problem, served

pytest_plugins = ["support.store_fixtures"]
pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# Of each $5 that loses: 3%, 2%, and 2%.
STAR, SPADE, HEART = 10_000_00, 1_000_00, 1_000_00
TOMORROW: Final = date(2026, 11, 23)


@pytest.fixture
def floor(place: str) -> Iterator[Floor]:
    with served(open_store(place), clock=Clock()) as house:
        made = Floor(house, house.service.clock)  # type: ignore[arg-type]
        made.begins()
        yield made


def closes(floor: Floor, table: str) -> None:
    """Have everybody leave a table, and close it."""

    def closed(one: Dealt) -> None:
        for seat in one.state.seats:
            one.execute(acts.LeaveTable(seat))
        one.execute(acts.CloseTable())

    floor.at(table, closed)


def ends_day(floor: Floor, table: str) -> None:
    """Have everybody leave a table, close it, and end its gaming day."""
    closes(floor, table)
    pit_boss = floor.house.person("pit boss", f"Paula of {table}")
    answer = pit_boss.http.post(
        f"/v1/tables/{table}/days", headers={"Idempotency-Key": pit_boss.key()}
    )
    assert answer.status_code == 200, answer.text


def opens_again(floor: Floor, table: str, day: date) -> None:
    def opened(one: Dealt) -> None:
        tray = floor.desk(table).ahead.ledger.balance("inventory")
        one.execute(acts.OpenTable(tray, "Maya", "Miro", day))
        for seat in (1, 2):
            one.execute(acts.SeatPatron(seat, f"Patron {seat}"))
            one.execute(acts.BuyChips(seat, 1_000_00))
        one.execute(acts.ReceiveCards(6))
        advance(one, Phase.BETTING)

    floor.at(table, opened)


def verifies(floor: Floor, names: Sequence[str]) -> None:
    """Verify the records of all days, and that of the pit beside them, with its meters."""
    for name in names:
        verdict = verify_lines(Path(name), floor.lines(name))
        compare_days(verdict, name, floor.house.service.store)
        assert verdict.is_clean, (name, verdict.divergence)
    beside = [(Path(name), floor.lines(name)) for name in names]
    told = verify_pit_lines(Path("pit"), floor.lines("pit:1"), beside)
    assert told.is_clean, (told.divergence, told.findings)
    assert told.meters == {LINK: {"star": STAR, "spade": SPADE + 50, "heart": HEART + 50}}


def test_linked_meters_go_on_over_the_end_of_a_day(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    floor.plays(T2)
    assert floor.shown(T1) == floor.shown(T2) == (STAR + 30, SPADE + 20, HEART + 20)
    ends_day(floor, T1)
    # The table is closed, and what the others put in is shown there all the same.
    floor.plays(T2)
    assert floor.shown(T1) == floor.shown(T2) == (STAR + 45, SPADE + 30, HEART + 30)
    opens_again(floor, T1, TOMORROW)
    assert floor.plays(T1, HITS) == [STAR + 60]
    assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE + 40, HEART + 40)
    assert floor.plays(T2, HITS) == [STAR + 15]
    pit = floor.licensee.sees("/v1/pits/1/verify")
    assert pit["clean"], pit
    # The records of all days, and the pit's, by themselves.
    names = [name for name in floor.house.service.store.names if not name.startswith("pit:")]
    assert sorted(names) == [T1, f"{T1}/2", T2]
    verifies(floor, names)
    moves = [from_json(line)["command"] for line in floor.lines("pit:1")[1:]]
    streams = [one["stream"] for one in moves if one["type"] == "MoveMeters" and one["table"] == T1]
    assert len(set(streams)) == 2  # One of each day.


def test_a_table_joins_and_leaves_a_link_between_two_days(floor: Floor) -> None:
    floor.plays(T1)
    ends_day(floor, T1)
    assert floor.links(T1, T2).status_code == 200
    assert floor.shown(T1) == floor.shown(T2) == (STAR + 15, SPADE + 10, HEART + 10)
    floor.plays(T2)
    assert floor.does("UnlinkMeters", link=LINK, table=T1).status_code == 200
    assert floor.shown(T1) == (STAR, SPADE, HEART)
    opens_again(floor, T1, TOMORROW)
    floor.plays(T1)
    assert floor.shown(T1) == (STAR + 15, SPADE + 10, HEART + 10)
    assert floor.shown(T2) == (STAR + 30, SPADE + 20, HEART + 20)
    assert floor.licensee.sees("/v1/pits/1/verify")["clean"]


def amends(floor: Floor, table: str, key: str) -> Any:
    """End a closed table's gaming day, the next one being under the text of the amendment."""
    text = ROYAL_9.read_text(encoding="utf-8").replace('"MA-301"', f'"{table}"')
    text = text.replace('pit = "3"', 'pit = "1"').replace("on = 2026-11-20", f"on = {TOMORROW}")
    return floor.licensee.http.post(
        f"/v1/tables/{table}/days",
        params={"notified": floor.ago(60)},
        content=text,
        headers={"Content-Type": "application/toml", "Idempotency-Key": key},
    )


@pytest.fixture
def amended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a text of the law that changes nothing but its date take effect tomorrow."""
    answered_here(monkeypatch)
    (shelf := tmp_path / "shelf").mkdir()
    with dated_shelf(shelf, monkeypatch, "us-ma/minibaccarat", TOMORROW):
        yield


@pytest.mark.usefixtures("amended")
def test_linked_meters_go_on_over_an_amendment(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    floor.plays(T2)
    closes(floor, T1)
    answer = amends(floor, T1, "amended-1")
    assert answer.status_code == 200, answer.text
    # What the other table puts in under the text of today is shown at the amended one, too.
    floor.plays(T2)
    assert floor.shown(T1) == floor.shown(T2) == (STAR + 45, SPADE + 30, HEART + 30)
    opens_again(floor, T1, TOMORROW)
    assert floor.plays(T1, HITS) == [STAR + 60]
    assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE + 40, HEART + 40)
    closes(floor, T2)
    assert amends(floor, T2, "amended-2").status_code == 200
    opens_again(floor, T2, TOMORROW)
    assert floor.plays(T2, HITS) == [STAR + 15]
    assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE + 50, HEART + 50)
    pit = floor.licensee.sees("/v1/pits/1/verify")
    assert pit["clean"], pit
    # The record that ends and that of the pit name the text that takes effect.
    names = [name for name in floor.house.service.store.names if not name.startswith("pit:")]
    assert sorted(names) == [T1, f"{T1}/2", T2, f"{T2}/2"]
    for table in (T1, T2):
        notes = [from_json(line)["command"] for line in floor.lines(table)[1:-1]]
        (note,) = [one["text"] for one in notes if one["type"] == "WriteNote"]
        assert f"the law is us-ma/minibaccarat@{TOMORROW} instead of" in note
    entries = [from_json(line)["command"] for line in floor.lines("pit:1")[1:]]
    admitted = [one for one in entries if one["type"] == "AdmitTable"]
    assert [one["submission"]["on"] for one in admitted[2:]] == [str(TOMORROW)] * 2
    assert "WithdrawTable" not in {one["type"] for one in entries}
    verifies(floor, names)


@pytest.mark.usefixtures("amended")
def test_an_amendment_waits_for_the_orders_of_the_pit_at_a_linked_table(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An order given under the text of today would be carried out under the amended one.
    floor.links(T1, T2)
    floor.plays(T1)
    closes(floor, T1)
    stored = [floor.lines(name) for name in (T1, "pit:1")]
    with monkeypatch.context() as patch:
        patch.setattr(PitDesk, "waiting", lambda _, name: [name] if name == T1 else [])
        problem(amends(floor, T1, "waiting"), 409, "waiting")
    assert [floor.lines(name) for name in (T1, "pit:1")] == stored
    assert amends(floor, T1, "carried-out").status_code == 200


def test_meters_unlinked_for_an_amendment_and_linked_again_lose_no_cent(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered_here(monkeypatch)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    stake = 'cites = ["MA-MINI:12(i)#4"]\nvalue = "{}.00"'
    change = stake.format(5), stake.format(10)
    with dated_shelf(shelf, monkeypatch, "us-ma/minibaccarat", TOMORROW, change):
        floor.links(T1, T2)
        floor.plays(T1)
        floor.plays(T2)
        pool = (STAR + 30, SPADE + 20, HEART + 20)
        for table in (T1, T2):
            closes(floor, table)
        # While the meters are shared, the day does not end under a text that feeds them otherwise.
        stored = [floor.lines(name) for name in (T1, "pit:1")]
        refused = amends(floor, T1, "linked")
        problem(refused, 409, "not_alike")
        said = (
            f"table {T1}: under the amended text its meters of royal_9 differ from those of {LINK}"
        )
        assert said in refused.json()["detail"]
        assert [floor.lines(name) for name in (T1, "pit:1")] == stored
        assert floor.shown(T1) == floor.shown(T2) == pool
        # The last table of the link keeps what its meters show, under the amended text, too.
        for table in (T1, T2):
            assert floor.does("UnlinkMeters", link=LINK, table=table).status_code == 200
            answer = amends(floor, table, f"amended-{table}")
            assert answer.status_code == 200, answer.text
        assert floor.shown(T1) == (STAR, SPADE, HEART)
        assert floor.shown(T2) == pool
        assert floor.links(T1, T2).status_code == 200
        assert floor.shown(T1) == floor.shown(T2) == pool
        for table in (T1, T2):
            opens_again(floor, table, TOMORROW)
        assert floor.plays(T2, HITS, stake=("royal_9", 10_00)) == [STAR + 60]
        assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE + 40, HEART + 40)
        assert floor.licensee.sees("/v1/pits/1/verify")["clean"]
