"""The access log: who did what, as JSON lines, and nothing that opens a door or shows a card."""

from __future__ import annotations

import json
import logging
import re
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from croupier.records.codec import from_json
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.server import clocks, logs
from croupier.server.logs import JsonLines, logged
from support.served import Served, served
from support.tables import make_table

T = "/v1/tables/MB-101"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "access.jsonl"
    with logged(str(place)):
        yield place


@pytest.fixture
def house(log: Path, tmp_path: Path) -> Iterator[Served]:
    del log
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def lines(log: Path, number: int = 1, **of: Any) -> list[dict[str, Any]]:
    """Return the lines with these fields; a line is written shortly after its answer."""
    end = monotonic() + 10
    while True:
        every = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        found = [one for one in every if of.items() <= one.items()]
        if len(found) >= number or monotonic() > end:
            return found
        sleep(0.02)


def test_a_sign_in_a_request_an_export_and_a_refusal_name_person_and_request(
    house: Served, log: Path
) -> None:
    make_table(house)
    link = house.link("surveillance", "Sue")
    http = house.anybody()
    answer = http.post("/v1/tokens", json={"link": link})
    (line,) = lines(log, event="sign_in")
    assert (line["person"], line["office"], line["status"]) == ("Sue", "surveillance", 201)
    assert line["request"] == answer.headers["x-request-id"]

    http.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    seen = http.get(T)
    (line,) = lines(log, request=seen.headers["x-request-id"])
    assert (line["event"], line["person"], line["table"]) == ("request", "Sue", "MB-101")
    assert (line["method"], line["route"], line["peer"]) == (
        "GET",
        "/v1/tables/{table}",
        "127.0.0.1",
    )

    ledger = http.get(f"{T}/ledger")
    (line,) = lines(log, request=ledger.headers["x-request-id"])
    assert (line["event"], line["export"], line["person"]) == ("export", "ledger", "Sue")

    dealer = house.person("dealer", "Dana")
    refused = dealer.does("MB-101", {"type": "CallNoMoreBets"})
    (line,) = lines(log, request=refused.headers["x-request-id"])
    assert (line["event"], line["person"], line["code"]) == (
        "refusal", "Dana", refused.json()["code"]
    )  # fmt: skip
    assert line["command"] == "CallNoMoreBets"

    stranger = httpx.get(f"{house.place}/v1/tables")
    (line,) = lines(log, request=stranger.headers["x-request-id"])
    assert (line["event"], line["status"], line["code"]) == ("refusal", 401, "no_token")
    assert "person" not in line


def test_no_token_link_or_code_is_in_it(house: Served, log: Path) -> None:
    make_table(house)
    link, token = house.link("surveillance", "Sue"), house.token("dealer", "Dana")
    http = house.anybody()
    bearer = {"Authorization": f"Bearer {token}"}
    for path in (f"/enter?link={link}", f"/{link}", f"/v1/tables/{token}", f"/{token}?{token}"):
        http.get(path, headers=bearer)
    http.request(token.replace("_", "-"), "/", headers=bearer)
    http.get("/", headers={"Host": token, "User-Agent": link, "Referer": f"http://x/{link}"})
    http.post("/v1/tokens", json={"link": f"{link}x"})
    answer = http.post("/v1/tokens", json={"link": link})
    made = answer.json()["token"]
    last = http.get("/healthz")
    assert lines(log, request=last.headers["x-request-id"])
    text = log.read_text(encoding="utf-8")
    assert len(text.splitlines()) >= 9
    for secret in (link, token, made, token.replace("_", "-")):
        assert secret.lower() not in text.lower()


def test_a_header_that_asks_for_another_protocol_is_one_line(
    house: Served, log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    http = house.anybody()
    for protocol in ("websocket", "h2c"):
        answer = http.get("/healthz", headers={"Connection": "Upgrade", "Upgrade": protocol})
        assert answer.status_code == 200
        assert lines(log, request=answer.headers["x-request-id"])
    assert not [one for one in caplog.records if one.name.startswith("uvicorn")]


def test_an_exception_shows_its_kind_and_place_but_not_its_words() -> None:
    def fail() -> None:
        raise ValueError("the next card is Kc")

    try:
        fail()
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "request %s failed", ("a1",), None)
        record.exc_info = sys.exc_info()
    told = json.loads(JsonLines().format(record))
    assert (told["message"], told["exception"]) == ("request a1 failed", "ValueError")
    assert told["frames"][-1].startswith("fail ")
    assert "Kc" not in json.dumps(told)


def test_start_stop_and_recovery_are_in_it(tmp_path: Path) -> None:
    log, store = tmp_path / "access.jsonl", tmp_path / "pit.sqlite"
    with logged(str(log)):
        with served(store) as house:
            make_table(house)
            running = house.service.store.documents("service")
        assert [*running] == ["running"]
        with SQLiteStore(store) as kept:
            assert not kept.documents("service")
            # As a process that is killed leaves its store.
            kept.put("service", "running", b"")
        with served(store):
            pass
    found = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = {"started", "stopping", "stopped", "recovered"}
    whole = ["started", "stopping", "stopped"]
    assert [one["event"] for one in found if one["event"] in kinds] == [*whole, "recovered", *whole]
    (recovered,) = [one for one in found if one["event"] == "recovered"]
    assert (recovered["tables"], recovered["entries"]) == (1, 0)


def test_a_jump_of_the_clock_is_logged_counted_and_recorded(
    house: Served, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_table(house)
    real = clocks.offset
    monkeypatch.setattr(clocks, "offset", lambda: real() + 3600)
    (line,) = lines(log, event="clock_jump")
    assert (line["level"], line["seconds"]) == ("warning", 3600.0)
    end = monotonic() + 5
    while monotonic() < end:
        last = from_json([*house.service.store.lines("pit:1")][-1])
        if last["command"]["type"] == "NoteClockJump":
            break
        sleep(0.05)
    assert last["command"] == {"type": "NoteClockJump", "seconds": 3600}
    text = house.anybody().get("/metrics").text
    assert "croupier_clock_jumps_total 1.0" in text
    assert re.search(r"^croupier_clock_jump_age_seconds [0-9]\.", text, re.MULTILINE)
    # A server of time that slews is no jump.
    monkeypatch.setattr(clocks, "offset", lambda: real() + 3600.4)
    sleep(1.2)
    assert len(lines(log, event="clock_jump")) == 1


def test_a_folder_that_is_missing_is_created(tmp_path: Path) -> None:
    place = tmp_path / "logs" / "of" / "access.jsonl"
    with logged(str(place)), served(tmp_path / "pit.sqlite"):
        pass
    assert '"event": "started"' in place.read_text(encoding="utf-8")


def test_syslog_has_the_lines_too(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "log"))
        heard.settimeout(10)
        with logged(f"syslog:{tmp_path / 'log'}"), served(tmp_path / "pit.sqlite"):
            text = heard.recv(65536).decode()
    assert "croupier: {" in text
    assert json.loads(text[text.index("{") :].rstrip("\0"))["event"] == "started"


def test_a_stalled_place_does_not_hold_up_the_service(tmp_path: Path) -> None:
    begun = threading.Event()

    class Stalled(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            del record
            begun.set()
            sleep(2)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logs, "_written_to", lambda _: Stalled())
        with logged("x"), served(tmp_path / "pit.sqlite") as house:
            assert begun.wait(5)
            before = monotonic()
            assert house.anybody().get("/healthz").status_code == 200
            assert monotonic() - before < 1
