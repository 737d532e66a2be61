"""What nobody of good manners sends: no answer is a failure of the service, and nothing hangs."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from starlette.responses import Response
from starlette.types import Scope

from croupier.acts.roles import LOOKS
from croupier.server.desks import shoe
from croupier.server.http.app import Application, Serves
from croupier.server.http.calls import Call, json_answer
from croupier.server.http.limits import Limits
from support.described_fuzz import DescribedFuzz
from support.fuzzing import Fuzzer, tokens_of
from support.served import FREELY, Served, served
from support.tables import opened
from support.volume import spread, volume

T = "/v1/tables/MB-101"
TABLE = "/v1/tables/{table}"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


@pytest.mark.parametrize("seed", spread([1, 2], 1))
def test_fuzzed_requests_are_refused_and_never_a_failure(house: Served, seed: int) -> None:
    fuzzer = Fuzzer(house, tokens_of(house), seed)
    fuzzer.run(volume(1_500, 1_000, most=5_000))
    fuzzer.close()
    assert fuzzer.wrong == []
    # Some of it is right, and is done: what is asked goes deeper than the first check.
    assert min(fuzzer.count[one] for one in ("200", "201", "403", "409", "422")) > 0
    assert house.anybody().get("/healthz").status_code == 200


@pytest.mark.parametrize("office", spread([*LOOKS], 3))
def test_requests_made_of_the_description_are_answered_as_it_says(
    house: Served, office: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = DescribedFuzz(house, monkeypatch)
    # Other requests are made for each office.
    made.run(office, volume(2, 2, most=8), [str(one) for one in LOOKS].index(office))
    assert sorted(set(made.wrong)) == []
    assert made.described.seen.total() > 60
    assert made.compared > 20
    assert house.anybody().get("/healthz").status_code == 200


def test_a_card_that_leaves_is_found_by_made_requests(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = DescribedFuzz(house, monkeypatch)

    async def betrayed(call: Call) -> Response:
        table = call.table()
        assert table.shoes is not None
        # One card is in both orders the same in one run of sixty.
        cards = shoe.order_of(table.shoes.check(table.desk.durable), 8)
        return json_answer({"code": " ".join(card.notation for card in cards)}, 409)

    real = Application._found  # noqa: SLF001  (a fault is put in)

    def found(application: Application, scope: Scope) -> Serves:
        serves = real(application, scope)
        return betrayed if scope["croupier.route"] == f"{TABLE}/legal" else serves

    monkeypatch.setattr(Application, "_found", found)
    made.run("dealer", 1)
    assert any("undealt" in one for one in made.wrong)


# --- the listener ---

QUICK = Limits(
    per_second=1e6, burst=1e6, body_seconds=0.5, send_seconds=0.5, connections=20, beat_seconds=0.2
)


def connected(house: Served) -> socket.socket:
    host, _, port = house.place.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def closed_after(line: socket.socket, drip: bytes) -> float:
    """Send a byte now and then until the line is closed; return how long that took."""
    begun = time.monotonic()
    line.settimeout(0.05)
    while time.monotonic() - begun < 8:
        try:
            line.sendall(drip)
            if line.recv(4096) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - begun


def go_on(line: socket.socket, data: bytes) -> None:
    for _ in range(100):
        line.sendall(data)
        time.sleep(0.05)


def test_a_head_that_comes_a_byte_at_a_time_is_cut(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", QUICK) as house:
        with connected(house) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nX: ")
            assert 0.3 < closed_after(line, b"a") < 4
        with connected(house) as line:
            # A second request on a line is no other case.
            host = house.place.removeprefix("http://").encode()
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
            assert b" 200 " in line.recv(4096)
            line.sendall(b"GET /healthz HTTP/1.1\r\nX: ")
            assert 0.3 < closed_after(line, b"a") < 4
        with connected(house) as line:
            # Nor is one that says nothing at all.
            assert 0.3 < closed_after(line, b"") < 4
        assert house.anybody().get("/healthz").status_code == 200


def test_a_request_that_takes_long_to_answer_is_not_cut(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", QUICK) as house:
        opened(house)
        token = house.token("board")
        with connected(house) as line:
            host = house.place.removeprefix("http://")
            line.sendall(
                f"GET {T}/events HTTP/1.1\r\nHost: {host}\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            begun, heard = time.monotonic(), b""
            while time.monotonic() - begun < 1.5:
                heard += line.recv(4096)
        assert heard.count(b": beat") >= 3


def answers(anybody: httpx.Client) -> bool:
    try:
        return anybody.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_a_flood_of_connections_holds_up_nobody_for_long(tmp_path: Path) -> None:
    patient = replace(QUICK, body_seconds=4)
    with served(tmp_path / "pit.sqlite", patient) as house, ExitStack() as flood:
        for _ in range(150):
            flood.enter_context(connected(house))
        time.sleep(0.1)
        # Beyond all bounds a line is cut at once, long before one that says nothing.
        with connected(house) as line:
            assert closed_after(line, b"") < 3
        # The flood is cut in its turn, and then others have their answers.
        anybody, ends = house.anybody(), time.monotonic() + 6
        while not answers(anybody):
            assert time.monotonic() < ends
            time.sleep(0.1)


def test_a_reader_that_takes_nothing_of_a_long_answer_is_cut(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", QUICK) as house:
        host = house.place.removeprefix("http://").encode()
        with connected(house) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            ask = b"GET /openapi.json HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
            line.sendall(ask * 200)
            time.sleep(2)
            # Nothing was read, and the line is cut while answers wait to be sent.
            with pytest.raises(OSError, match=r"reset|pipe"):
                go_on(line, ask)
        assert house.anybody().get("/healthz").status_code == 200


def test_the_usual_limits_are_bounded() -> None:
    usual = Limits()
    assert usual.body_seconds <= 10
    assert usual.send_seconds <= 10
    assert FREELY.connections == usual.connections
