"""Meters that tables of a pit share go on over the end of a table's gaming day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from croupier import acts
from croupier.records.codec import from_json
from croupier.records.stores.places import open_store
from croupier.server.desks.pilot import Dealt
from croupier.table.machine.state import Phase
from croupier.verify.continues import compare_days
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines
from support.amendment import dated_shelf
from support.databases import cluster
from support.games import advance
from support.linked_floor import HITS, LINK, ROYAL_9, Floor
from support.pit_service import T1, T2, Clock
from support.served import answered_here, problem, served

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# Of each $5 that loses: 3%, 2%, and 2%.
STAR, SPADE, HEART = 10_000_00, 1_000_00, 1_000_00
TOMORROW: Final = date(2026, 11, 23)


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Floor]:
    kind = request.param
    place = cluster().database() if kind == "postgres" else str(tmp_path / "pit.sqlite")
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
    store = floor.house.service.store
    names = [name for name in store.names if not name.startswith("pit:")]
    assert sorted(names) == [T1, f"{T1}/2", T2]
    for name in names:
        verdict = verify_lines(Path(name), floor.lines(name))
        compare_days(verdict, name, store)
        assert verdict.is_clean, (name, verdict.divergence)
    beside = [(Path(name), floor.lines(name)) for name in names]
    told = verify_pit_lines(Path("pit"), floor.lines("pit:1"), beside)
    assert told.is_clean, (told.divergence, told.findings)
    assert told.meters == {LINK: {"star": STAR, "spade": SPADE + 50, "heart": HEART + 50}}
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


def test_meters_unlinked_for_an_amendment_and_linked_again_lose_no_cent(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered_here(monkeypatch)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with dated_shelf(shelf, monkeypatch, "us-ma/minibaccarat", TOMORROW):
        floor.links(T1, T2)
        floor.plays(T1)
        floor.plays(T2)
        pool = (STAR + 30, SPADE + 20, HEART + 20)
        for table in (T1, T2):
            closes(floor, table)
        # While the meters are shared, the day does not end under another text.
        stored = [floor.lines(name) for name in (T1, "pit:1")]
        refused = amends(floor, T1, "linked")
        problem(refused, 409, "linked")
        assert f"linked in {LINK}: unlink them first" in refused.json()["detail"]
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
        assert floor.plays(T2, HITS) == [STAR + 45]
        assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE + 30, HEART + 30)
        assert floor.licensee.sees("/v1/pits/1/verify")["clean"]
