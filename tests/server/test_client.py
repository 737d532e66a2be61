"""The client, sync and async: it sends again what was not answered, and resumes its streams."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from pathlib import Path

import httpx
import pytest

from croupier import acts
from croupier.client import AsyncClient, Client, ServiceError
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append
from croupier.records.stores.stream import StoreError
from croupier.server.run import Address
from croupier.verify.log import verify_lines
from support.blocks import blocks_of
from support.project import ROOT
from support.served import NJ, Served, served
from support.tables import NOTIFIED, opened


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def test_a_client_makes_a_table_opens_it_and_reads_its_record(house: Served) -> None:
    with (
        Client(house.place, house.token("licensee")) as licensee,
        Client(house.place, house.token("floorperson", "Flo")) as floor,
        Client(house.place, house.token("surveillance")) as watcher,
    ):
        made = licensee.create_table(NJ.read_bytes(), notified=NOTIFIED)
        assert (made["table"], [one["table"] for one in floor.tables()]) == ("MB-101", ["MB-101"])
        granted = licensee.grant("Dana", "dealer", tables=["MB-101"])
        with Client(house.place, house.token("pit boss", "Bo")) as boss:
            code = boss.consent_to_grant(granted["id"])["code"]
        with Client(house.place, "") as dealer:
            dealer.redeem(f"{house.place}/enter?link={granted['link']}", code)
            told = floor.command(
                "MB-101", acts.OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, 22))
            )
            assert dealer.consent("MB-101", told["consent"]["id"])["seq"] == 1
            both = (acts.SeatPatron(1, "Ann"), {"type": "SeatPatron", "seat": 2, "patron": "Bob"})
            assert dealer.command("MB-101", *both)["seq"] == 3
            with pytest.raises(ServiceError) as refused:
                dealer.command("MB-101", acts.CallNoMoreBets())
            assert (refused.value.status, refused.value.code) == (409, "not_now")
            assert refused.value.legal
            with pytest.raises(ServiceError, match="malformed: Idempotency-Key"):
                dealer.command("MB-101", acts.CallNoMoreBets(), key="")
            licensee.revoke(granted["id"])
            with pytest.raises(ServiceError, match="no_token"):
                dealer.tables()
        assert (
            verify_lines(Path("log"), watcher.log("MB-101").splitlines(keepends=True)).entries == 3
        )
        heard = [*islice(watcher.events("MB-101", after=1), 2)]
        assert [(one.kind, one.sequence) for one in heard] == [("entry", 2), ("entry", 3)]


def test_the_program_of_the_documentation_follows_a_table(house: Served) -> None:
    opened(house)
    token = house.token("dealer", "Dana", id="follows")
    (block,) = (
        one for one in blocks_of(ROOT / "docs" / "programs.md") if one.info == "python service"
    )
    namespace: dict[str, object] = {"place": house.place, "token": token}
    exec(compile(block.text, str(block), "exec"), namespace)  # noqa: S102
    assert namespace["seen"] == ["PatronSeated"]


class FailsOnce(SQLiteStore):
    """A store whose next commit fails."""

    fails = False

    def commit(self, appends: Sequence[Append]) -> Mapping[str, StoreError]:
        if self.fails:
            self.fails = False
            raise StoreError("once")
        return super().commit(appends)


def test_what_was_not_stored_is_sent_again_under_its_key(tmp_path: Path) -> None:
    store = FailsOnce(tmp_path / "pit.sqlite")
    with served(store) as house:
        opened(house)
        with Client(house.place, house.token("dealer", "Dana", id="again")) as dealer:
            store.fails = True
            assert dealer.command("MB-101", acts.SeatPatron(1, "Ann"))["seq"] == 2


def test_an_event_loop_has_the_same_client(house: Served) -> None:
    opened(house)
    token = house.token("dealer", "Dana", id="other")

    async def play() -> list[int | None]:
        async with AsyncClient(house.place, token) as dealer:
            heard: list[int | None] = []

            async def listen() -> None:
                async for event in dealer.events("MB-101", after=1):
                    heard.append(event.sequence)
                    if len(heard) == 2:
                        return

            listening = asyncio.ensure_future(listen())
            for seat in (1, 2):
                await dealer.command("MB-101", acts.SeatPatron(seat, f"Pat {seat}"))
            await asyncio.wait_for(listening, 10)
            return heard

    assert asyncio.run(play()) == [2, 3]


def test_a_stream_is_resumed_by_itself_after_a_restart(tmp_path: Path) -> None:
    heard: list[int | None] = []
    with served(tmp_path / "pit.sqlite") as house:
        opened(house)
        token = house.token("surveillance")
        port = int(house.place.rpartition(":")[2])

    def listen() -> None:
        with Client(f"http://127.0.0.1:{port}", token, tries=8) as watcher:
            heard.extend(one.sequence for one in islice(watcher.events("MB-101", after=0), 2))

    listening = threading.Thread(target=listen)
    listening.start()
    with served(tmp_path / "pit.sqlite", address=Address(port=port)) as house:
        with Client(house.place, house.token("floorperson", "Flo", id="f2")) as floor:
            floor.command("MB-101", acts.SeatPatron(1, "Ann"))
        listening.join(20)
    assert heard == [1, 2]


def test_a_minimal_answer_says_where_the_table_stands_and_no_more(house: Served) -> None:
    dealer, _ = opened(house)
    with Client(house.place, dealer.token) as client:
        brief = client.command("MB-101", acts.SeatPatron(1, "Ann"), minimal=True, key="one")
        assert brief == {"seq": 2}
        # What came first is what is answered, whatever is preferred now.
        assert client.command("MB-101", acts.SeatPatron(1, "Ann"), key="one") == {"seq": 2}
        whole = client.command("MB-101", acts.SeatPatron(2, "Bob"), key="two")
        assert [one["seq"] for one in whole["entries"]] == [3]
        again = client.command("MB-101", acts.SeatPatron(2, "Bob"), key="two", minimal=True)
        assert again == whole
        with pytest.raises(ServiceError) as refused:
            client.command("MB-101", acts.CallNoMoreBets(), minimal=True)
        assert (refused.value.code, bool(refused.value.legal)) == ("not_now", True)
        assert [one.sequence for one in islice(client.events("MB-101", after=1), 2)] == [2, 3]
    leave = {"type": "LeaveTable", "seat": 1}
    answer = dealer.does("MB-101", leave, Prefer="respond-async, return=minimal; wait=1")
    assert (answer.json(), answer.headers["Preference-Applied"]) == ({"seq": 4}, "return=minimal")
    assert "Preference-Applied" not in dealer.does("MB-101", {**leave, "seat": 2}).headers


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Return the place of a server that gives an answer to each request."""

    class Answers(BaseHTTPRequestHandler):
        do_GET = do_POST = answer  # noqa: N815  (names of the base class)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_what_a_proxy_answers_while_the_service_starts_again_is_sent_again() -> None:
    """A table's name is quoted, and a refusal of the service itself is final."""
    answers = iter([(502, b"<html>"), (503, b""), (200, b'{"seq": 5}'), (503, b'{"code": "busy"}')])
    asked: list[tuple[str, str | None]] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        asked.append((request.path, request.headers["Idempotency-Key"]))
        request.rfile.read(int(request.headers["Content-Length"]))
        status, body = next(answers)
        request.send_response(status)
        request.end_headers()
        request.wfile.write(body)

    with answering(answer) as place, Client(place) as client:
        assert client.command("M/B ?1", acts.CallNoMoreBets(), key="k") == {"seq": 5}
        assert asked == 3 * [("/v1/tables/M%2FB%20%3F1/commands", "k")]
        with pytest.raises(ServiceError, match="busy"):
            client.command("MB-101", acts.CallNoMoreBets())
    assert len(asked) == 4


def test_a_client_waits_five_seconds_at_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with (
        Client("http://127.0.0.1:1", tries=9) as client,
        pytest.raises(httpx.TransportError),
    ):
        client.tables()
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]
    with Client("127.0.0.1:8750") as client, pytest.raises(httpx.UnsupportedProtocol):
        client.tables()
    assert len(waits) == 8


def test_a_client_that_is_not_open_says_so() -> None:
    with pytest.raises(
        RuntimeError, match=r"not open: write with Client\(place, token\) as client"
    ):
        Client("http://127.0.0.1:1").tables()
    with pytest.raises(RuntimeError, match="not open"):
        asyncio.run(AsyncClient("http://127.0.0.1:1").tables())


def test_a_stream_of_a_quiet_table_is_resumed_however_often_it_breaks() -> None:
    """A proxy may cut it each hour, and the table may be closed for a day."""
    bodies = iter(2 * [*(3 * [b": beat\n\n"]), b"event: bye\ndata: {}\n\n"])

    def cut(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(next(bodies))

    async def kinds(place: str) -> list[str]:
        async with AsyncClient(place, tries=2) as client:
            return [event.kind async for event in client.events("MB-101")]

    with answering(cut) as place:
        with Client(place, tries=2) as client:
            assert [event.kind for event in client.events("MB-101")] == ["bye"]
        assert asyncio.run(kinds(place)) == ["bye"]
