"""Streams of events: slow readers are dropped, revoked ones end, and each limit holds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from croupier import acts
from croupier.server.desks.hub import MOST_WAITING
from croupier.server.http.calls import Call, Front
from croupier.server.http.limits import Limits
from croupier.server.resources.event_calls import events
from croupier.server.resources.page_calls import PAGES
from croupier.table.machine.position import NO_STAMP
from support.served import FREELY, NJ, Served, listen, problem, served
from support.tables import NOTIFIED, make_table, opened

T = "/v1/tables/MB-101"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(
        tmp_path / "pit.sqlite", Limits(per_second=1e6, burst=1e6, beat_seconds=0.2)
    ) as one:
        yield one


async def stalled(
    house: Served, token: str, entries: int, send_seconds: float = 60
) -> tuple[int, int]:
    """Open a stream that takes nothing after its beginning; return what it got, and listeners."""
    service = house.service
    table = service.tables["MB-101"]
    front = Front(service, frozenset({"h"}), Limits(send_seconds=send_seconds))
    headers = [(b"authorization", b"Bearer " + token.encode())]
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": f"{T}/events", "query_string": b"",
        "headers": headers, "path_params": {"table": "MB-101"},
    }  # fmt: skip
    got = 0
    never = asyncio.Event()

    async def send(message: Any) -> None:
        nonlocal got
        if message["type"] == "http.response.body":
            got += 1
            if got > 1:
                await never.wait()

    async def receive() -> Any:
        await never.wait()

    stream = await events(Call(front, Request(scope)))
    running = asyncio.ensure_future(stream(scope, receive, send))
    await asyncio.sleep(0.05)
    assert len(table.hub) == 1
    for _ in range(entries):
        table.desk.enter(acts.BuyChips(1, 100), NO_STAMP)
    assert await table.desk.settled()
    await asyncio.wait_for(running, 10)
    return got, len(table.hub)


def test_a_reader_that_takes_nothing_is_dropped_and_holds_up_nobody(house: Served) -> None:
    dealer, _ = opened(house)
    dealer.does("MB-101", {"type": "SeatPatron", "seat": 1, "patron": "Pat"})
    token = house.token("board")
    got, listeners = house.do(stalled(house, token, MOST_WAITING + 20))
    assert (got, listeners) == (2, 0)
    assert dealer.sees(T)["seq"] == 2 + MOST_WAITING + 20
    assert "croupier_listeners 0.0" in house.anybody().get("/metrics").text
    assert "croupier_listeners_dropped_total 1.0" in house.anybody().get("/metrics").text


def test_a_reader_that_takes_nothing_is_let_go_in_time_however_little_waits(house: Served) -> None:
    dealer, _ = opened(house)
    dealer.does("MB-101", {"type": "SeatPatron", "seat": 1, "patron": "Pat"})
    # Longer than this takes nobody, though of one entry no queue is full.
    assert house.do(stalled(house, house.token("board"), 1, send_seconds=0.3)) == (2, 0)


def test_a_stream_that_is_quiet_says_so_and_one_that_is_not_says_nothing(house: Served) -> None:
    dealer, _ = opened(house)
    dealer.does("MB-101", {"type": "SeatPatron", "seat": 1, "patron": "Pat"})
    board, lines = house.person("board"), []
    with board.http.stream("GET", f"{T}/events", timeout=10) as stream:
        for line in stream.iter_lines():
            lines += [line] if line else []
            if lines.count(": beat") == 2:
                break
    assert lines[1:] == [": beat"] * 2


def test_a_stream_ends_when_its_grant_is_revoked(house: Served) -> None:
    licensee = make_table(house)
    board = house.person("board", id="to-be-revoked")

    def revoked(heard: list[Any]) -> bool:
        if not revoked_once:
            revoked_once.append(licensee.http.delete("/v1/grants/to-be-revoked").status_code)
        return bool(heard)

    revoked_once: list[int] = []
    assert listen(board, f"{T}/events", revoked) == []
    assert revoked_once == [204]


def test_several_listeners_of_an_office_and_of_others_hear_the_same_entries(house: Served) -> None:
    dealer, _ = opened(house)
    for seat in (1, 2, 3):
        dealer.does("MB-101", {"type": "SeatPatron", "seat": seat, "patron": f"Pat {seat}"})
    watcher, board = house.person("surveillance"), house.person("board")
    full = listen(watcher, f"{T}/events?after=0", lambda heard: len(heard) == 4)
    public = listen(board, f"{T}/events?after=0", lambda heard: len(heard) == 4)
    assert [one[:2] for one in full] == [one[:2] for one in public]
    assert "Pat 3" in str(full)
    assert "Pat" not in str(public).replace("Patron", "")


@pytest.mark.parametrize("ticks", range(6))
def test_a_stream_ends_for_whoever_leaves_just_as_an_entry_comes(house: Served, ticks: int) -> None:
    opened(house)
    token = house.token("surveillance")
    assert house.do(left_after(house, token, ticks)) == (True, 0)


async def left_after(house: Served, token: str, ticks: int) -> tuple[bool, int]:
    """Leave a stream some turns of the loop before it hears of an entry; return how it ended."""
    table = house.service.tables["MB-101"]
    front = Front(house.service, frozenset({"h"}), Limits())
    headers = [(b"authorization", b"Bearer " + token.encode())]
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": f"{T}/events", "query_string": b"",
        "headers": headers, "path_params": {"table": "MB-101"},
    }  # fmt: skip
    leaves = asyncio.Event()

    async def send(message: Any) -> None:
        del message

    async def receive() -> Any:
        await leaves.wait()
        return {"type": "http.disconnect"}

    (entry,) = await table.past.entries(1, 1)
    stream = await events(Call(front, Request(scope)))
    running = asyncio.ensure_future(stream(scope, receive, send))
    await asyncio.sleep(0.05)
    leaves.set()
    for _ in range(ticks):
        await asyncio.sleep(0)
    for listener in tuple(table.hub._listeners):  # noqa: SLF001  (it hears of an entry again)
        listener.queue.put_nowait((table.hub, entry))
    await asyncio.wait({running}, timeout=2)
    return running.done(), len(table.hub)


def test_a_stream_that_is_refused_takes_no_place(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", Limits(streams_of_a_grant=1)) as house:
        operator = house.person("operator", "Oz")
        for _ in range(3):
            problem(operator.http.get("/v1/pits/1/events"), 403, "not_allowed")


def test_a_stream_of_a_pit_begins_anew_with_each_new_table(house: Served) -> None:
    make_table(house)
    board, licensee = house.person("board"), house.person("licensee", "Lou")
    with board.http.stream("GET", "/v1/pits/1/events") as stream:
        lines = stream.iter_lines()
        assert 'data: {"tables":{"MB-101":0}}' in lines
        made = licensee.http.post(
            "/v1/tables", params={"notified": NOTIFIED},
            content=NJ.read_text().replace("MB-101", "MB-102"),
            headers={"Content-Type": "application/toml"},
        )  # fmt: skip
        assert made.status_code == 201
        assert len([*islice(lines, 100)]) < 100  # It goes on with beats otherwise.
    begun = listen(board, "/v1/pits/1/events", lambda found: len(found) == 1)
    assert begun == [("", "resync", {"tables": {"MB-101": 0, "MB-102": 0}})]


@pytest.mark.parametrize("path", [f"{T}/events", "/v1/pits/1/events", "/tables/MB-101/renewals"])
def test_the_header_of_a_stream_is_all_that_head_asks_for(tmp_path: Path, path: str) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        dealer = house.person("dealer", "Dana")
        # Neither the connection nor a place among the streams of the grant stays taken.
        for _ in range(2 * FREELY.streams_of_a_grant):
            answer = dealer.http.head(path, timeout=5)
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
