"""Equipment by client certificates: what each may do, and every certificate that is refused."""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from croupier.server import certificates
from croupier.server.equipment import Equipment, Machine, read_equipment
from croupier.server.run import Address
from support.certificates import Authority, make_certificate
from support.served import Served, problem, served

HOST = "pit.casino.example"
SHOE = "shoe 7"
T = "/v1/tables/MB-101"
ASKED = {"office": "machine", "pit": "1"}
Files = tuple[Path, Path]
CLIENTS: list[httpx.Client] = []


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def house(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Served]:
    monkeypatch.setattr(certificates, "_LOOK", 0.05)
    tls = make_certificate(tmp_path, HOST)
    machines = [Machine(SHOE, ("MB-101",)), Machine("shoe 8", ("MB-102",))]
    equipment = Equipment(authority.file, machines)
    address = Address(port=0, tls=tls, equipment=equipment)
    with served(tmp_path / "pit.sqlite", address=address) as one:
        yield one
        while CLIENTS:
            CLIENTS.pop().close()


def device(house: Served, files: Files | None, token: str = "") -> httpx.Client:
    """Return a client with a certificate, or without one."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if files is not None:
        context.load_cert_chain(*files)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    made = httpx.Client(base_url=house.place, verify=context, headers=headers, timeout=20)
    CLIENTS.append(made)
    return made


def signed_in(house: Served, files: Files) -> str:
    answer = device(house, files).post("/v1/tokens", json=ASKED)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["person"], told["office"], told["tables"]) == (SHOE, "machine", ["MB-101"])
    token: str = told["token"]
    return token


def logged(
    caplog: pytest.LogCaptureFixture, event: str = "refusal", number: int = 1
) -> list[dict[str, Any]]:
    """Return lines of the access log, which are written after an answer."""
    end = monotonic() + 15
    while True:
        found = [vars(one)["fields"] for one in caplog.records if vars(one).get("event") == event]
        if len(found) >= number:
            return found
        assert monotonic() < end
        sleep(0.02)


@pytest.fixture(autouse=True)
def _logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "croupier.server")


def refused_at_handshake(house: Served, files: Files, caplog: pytest.LogCaptureFixture) -> str:
    """Return why the log says that a certificate was refused before any request."""
    caplog.clear()
    with pytest.raises((httpx.TransportError, ssl.SSLError)):
        device(house, files).post("/v1/tokens", json=ASKED)
    (line,) = logged(caplog)
    assert line["code"] == "certificate"
    reason: str = line["reason"]
    return reason


def test_a_certificate_opens_its_office_at_its_table(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    with_licensee(house)
    mine = authority.issue(SHOE)
    http = device(house, mine, signed_in(house, mine))
    assert http.get("/v1/tables/MB-101").status_code == 200
    assert http.get("/v1/tokens/mine").json()["device"] == "certificate"
    assert logged(caplog, "sign_in")[0]["person"] == SHOE
    # At another table, it is as if there were none; so is what is not of its office.
    caplog.clear()
    problem(http.get("/v1/tables/MB-102"), 404, "not_found")
    problem(http.get(f"{T}/log"), 403, "not_allowed")
    problem(http.post("/v1/tokens", json={"office": "dealer", "pit": "1"}), 403, "not_allowed")
    found = logged(caplog, number=3)
    assert [line["code"] for line in found] == ["not_found", "not_allowed", "not_allowed"]
    assert {line.get("person") for line in found[:2]} == {SHOE}


def with_licensee(house: Served) -> None:
    """Make a table: the person's own client speaks no TLS."""
    token = house.token("licensee", "Lou")
    answer = device(house, None, token).post(
        "/v1/tables",
        params={"notified": "2001-01-01T12:00:00Z"},
        content=(Path(__file__).parents[2] / "submissions" / "nj-minibaccarat.toml").read_bytes(),
        headers={"Content-Type": "application/toml"},
    )
    assert answer.status_code == 201, answer.text


def test_its_token_is_of_no_use_without_it(house: Served, authority: Authority) -> None:
    token = signed_in(house, authority.issue(SHOE))
    for files in (None, authority.issue("shoe 8")):
        problem(device(house, files, token).get("/v1/tables"), 401, "no_token")
    # Another certificate of the same machine takes over.
    assert device(house, authority.issue(SHOE), token).get("/v1/tables").status_code == 200


def test_a_certificate_does_not_carry_the_token_of_a_person(
    house: Served, authority: Authority
) -> None:
    token = house.token("dealer", "Dana")
    assert device(house, None, token).get("/v1/tables").status_code == 200
    problem(device(house, authority.issue(SHOE), token).get("/v1/tables"), 401, "no_token")


def test_people_need_no_certificate_and_open_no_office_of_equipment(house: Served) -> None:
    assert device(house, None).get("/healthz").status_code == 200
    problem(device(house, None).post("/v1/tokens", json=ASKED), 422, "malformed")


def test_one_of_an_unknown_subject_is_refused(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("shoe 9", "SHOE 7", f"{SHOE} ", "licensee"):
        caplog.clear()
        http = device(house, authority.issue(name))
        problem(http.post("/v1/tokens", json=ASKED), 403, "not_trusted")
        assert [line["code"] for line in logged(caplog)] == ["not_trusted"]


def test_one_of_another_authority_is_refused(
    house: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "other").mkdir()
    # Even if it bears the same name.
    other = Authority(tmp_path / "other")
    assert refused_at_handshake(house, other.issue(SHOE), caplog)


def test_one_that_has_expired_is_refused(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    old = authority.issue(SHOE, timedelta(minutes=-1))
    assert "expired" in refused_at_handshake(house, old, caplog)


def test_one_that_expires_during_a_connection_is_refused(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    files = authority.issue(SHOE, timedelta(seconds=4))
    token = signed_in(house, files)
    http = device(house, files, token)
    assert http.get("/v1/tables").status_code == 200
    sleep(4.5)
    caplog.clear()
    problem(http.get("/v1/tables"), 403, "not_trusted")
    assert [line["code"] for line in logged(caplog)] == ["not_trusted"]


def test_one_that_is_revoked_is_refused_without_a_restart(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    good = authority.issue(SHOE)
    lost = authority.issue(SHOE)
    token = signed_in(house, lost)
    open_line = device(house, lost, token)
    assert open_line.get("/v1/tables").status_code == 200
    caplog.clear()
    authority.revoke_last()
    logged(caplog, "certificate")
    # A connection from before must be made anew, and is refused then.
    problem(open_line.get("/v1/tables"), 403, "not_trusted")
    assert logged(caplog)[0]["code"] == "not_trusted"
    assert "revoked" in refused_at_handshake(house, lost, caplog)
    assert device(house, good, token).get("/v1/tables").status_code == 200


def test_a_stream_ends_with_the_certificate_of_its_connection(
    house: Served, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    with_licensee(house)
    lost = authority.issue(SHOE)
    http, heard = device(house, lost, signed_in(house, lost)), list[str]()
    with http.stream("GET", f"{T}/events", timeout=5) as answer:
        lines = answer.iter_lines()
        assert next(lines).startswith("retry")
        caplog.clear()
        authority.revoke_last()
        logged(caplog, "certificate")
        end = monotonic() + 10
        for line in lines:
            heard.append(line)
            assert monotonic() < end, heard


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_session_is_not_resumed_past_a_revocation(
    house: Served,
    authority: Authority,
    version: ssl.TLSVersion,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A resumed session would not be verified again."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = version
    context.load_cert_chain(*authority.issue(SHOE))
    host, port = house.place.removeprefix("https://").split(":")
    asks = f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    # The first connection stays open: the session of one that breaks off is forgotten.
    with socket.create_connection((host, int(port))) as line, context.wrap_socket(line) as first:
        first.sendall(asks)
        assert first.recv(4096).startswith(b"HTTP/1.1 200")
        caplog.clear()
        authority.revoke_last()
        logged(caplog, "certificate")
        caplog.clear()
        answer = b""
        with (
            suppress(OSError),
            socket.create_connection((host, int(port))) as other,
            context.wrap_socket(other, session=first.session) as again,
        ):
            again.sendall(asks)
            answer = again.recv(4096)
        assert answer == b""
        assert logged(caplog)[0]["code"] == "certificate"


def test_faults_of_the_settings_are_named_all_at_once(authority: Authority, tmp_path: Path) -> None:
    tables = [
        {"name": SHOE, "tables": ["MB-101"]},
        {"name": SHOE, "tables": []},
        {"name": " ", "tables": ["MB-101"]},
        {"name": "Dana", "tables": ["MB-101"], "office": "dealer"},
        {"tables": ["MB-101"]},
    ]
    _, faults = read_equipment(authority.file, tables, tls=False)
    named = sorted(one.partition(":")[0] for one in faults)
    tables_named = [f"serve.equipment[{number}]" for number in (1, 2, 2, 3, 4, 5)]
    assert named == ["--client-ca", *tables_named]
    bare = tmp_path / "bare.pem"
    text = authority.file.read_text(encoding="utf-8")
    bare.write_text(text.partition("-----BEGIN X509 CRL")[0], encoding="utf-8")
    assert "revocation list" in read_equipment(bare, tables[:1], tls=True)[1][0]
    assert read_equipment(None, tables[:1], tls=True)[1]
    assert read_equipment(authority.file, None, tls=True)[1]
    assert read_equipment(authority.file, tables[:1], tls=True)[1] == []
