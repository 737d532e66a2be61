"""TLS by name: hosts, strict transport, and certificates that are renewed while it serves."""

from __future__ import annotations

import logging
import re
import socket
import ssl
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

from croupier.server import certificates
from croupier.server.http.limits import Limits
from croupier.server.run import Address
from support.certificates import make_certificate
from support.served import Served, served

HOST = "pit.casino.example"


def asks(house: Served, trusted: Path, host: str, path: str = "/healthz") -> tuple[str, str]:
    """Return head and body of an answer, asked for by name over TLS that is verified."""
    context = ssl.create_default_context(cafile=trusted)
    port = int(house.place.rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as line,
        context.wrap_socket(line, server_hostname=HOST) as secure,
    ):
        text = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        secure.sendall(text.encode())
        found = b""
        while part := secure.recv(65536):
            found += part
    head, _, body = found.decode().partition("\r\n\r\n")
    return head, body


def lasts(house: Served, trusted: Path) -> float:
    """Return how many seconds the certificate lasts by the metrics."""
    _, text = asks(house, trusted, HOST, "/metrics")
    found = re.search(r"^croupier_certificate_seconds (.+)$", text, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_it_is_asked_for_by_name_and_says_that_tls_stays(tmp_path: Path) -> None:
    tls = make_certificate(tmp_path, HOST)
    address = Address(port=0, tls=tls, names=(HOST,))
    with served(tmp_path / "pit.sqlite", address=address) as house:
        port = house.place.rpartition(":")[2]
        assert house.place == f"https://{HOST}:{port}"
        for host in (HOST, f"{HOST}:{port}", HOST.upper()):
            head, body = asks(house, tls[0], host)
            assert head.startswith("HTTP/1.1 200"), head
            assert "strict-transport-security: max-age=31536000" in head
            assert '"alive":true' in body
        for host in ("evil.example", f"{HOST}:1", "10.1.2.3"):
            assert asks(house, tls[0], host)[0].startswith("HTTP/1.1 421"), host


def test_plain_http_promises_no_tls(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        assert "strict-transport-security" not in house.anybody().get("/healthz").headers


def test_a_renewed_certificate_is_used_without_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "_LOOK", 0.05)
    tls = make_certificate(tmp_path, HOST)
    old = tmp_path / "old.pem"
    old.write_bytes(tls[0].read_bytes())
    new = make_certificate(tmp_path, HOST, "new", days=9)
    address = Address(port=0, tls=tls, names=(HOST,))
    with served(tmp_path / "pit.sqlite", address=address) as house:
        assert asks(house, old, HOST)[0].startswith("HTTP/1.1 200")
        # The new chain without its key: nothing changes, and the old pair goes on.
        tls[0].write_bytes(new[0].read_bytes())
        sleep(0.5)
        assert asks(house, old, HOST)[0].startswith("HTTP/1.1 200")
        # Nor does the metric that warns of its end speak of a certificate that is not used.
        assert 86_400 < lasts(house, old) < 3 * 86_400
        tls[1].write_bytes(new[1].read_bytes())
        end = monotonic() + 10
        while True:
            try:
                assert asks(house, new[0], HOST)[0].startswith("HTTP/1.1 200")
                break
            except ssl.SSLCertVerificationError:
                assert monotonic() < end
                sleep(0.1)
        with pytest.raises(ssl.SSLCertVerificationError):
            asks(house, old, HOST)
        assert lasts(house, new[0]) > 8 * 86_400


def test_a_certificate_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    chain, _ = make_certificate(tmp_path, HOST)
    _, other = make_certificate(tmp_path, HOST, "other")
    address = Address(port=0, tls=(chain, other), names=(HOST,))
    with pytest.raises(ssl.SSLError), served(tmp_path / "pit.sqlite", address=address):
        pass


def test_a_handshake_that_does_not_come_is_waited_for_like_a_request(tmp_path: Path) -> None:
    tls = make_certificate(tmp_path, HOST)
    address = Address(port=0, tls=tls, names=(HOST,))
    limits = Limits(body_seconds=0.5)
    with served(tmp_path / "pit.sqlite", limits, address=address) as house:
        port = int(house.place.rpartition(":")[2])
        for sent in (b"", b"\x16\x03\x01"):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                line.sendall(sent)
                assert line.recv(1) == b""


def test_the_oldest_handshake_is_given_up_for_one_too_many(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "croupier.server")
    tls = make_certificate(tmp_path, HOST)
    context = ssl.create_default_context(cafile=tls[0])
    address = Address(port=0, tls=tls, names=(HOST,))
    most, number = 150, 2_000
    limits = Limits(connections=most, body_seconds=600)
    with served(tmp_path / "pit.sqlite", limits, address=address) as house, ExitStack() as ends:
        place = "127.0.0.1", int(house.place.rpartition(":")[2])
        made = ends.enter_context(socket.create_connection(place, timeout=10))
        before = ends.enter_context(context.wrap_socket(made, server_hostname=HOST))
        files = Path("/proc/self/fd")
        known = len([*files.iterdir()])
        lines = [
            ends.enter_context(socket.create_connection(place, timeout=10)) for _ in range(number)
        ]
        for line in lines[: number - most]:
            assert line.recv(1) == b""
        # Those of the client are open; the service has no more than it may.
        end = monotonic() + 10
        while len([*files.iterdir()]) > known + number + most + 20:
            assert monotonic() < end
            sleep(0.02)
        assert asks(house, tls[0], HOST)[0].startswith("HTTP/1.1 200")
        before.sendall(f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        assert before.recv(4096).startswith(b"HTTP/1.1 200")
        lines[-1].settimeout(0)
        with pytest.raises(BlockingIOError):
            lines[-1].recv(1)
    cuts = [vars(one)["fields"] for one in caplog.records if vars(one).get("event") == "cut"]
    assert {one["peer"] for one in cuts} == {"127.0.0.1"}
    assert len(cuts) >= number - most
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


def test_a_peer_that_does_not_close_holds_up_no_end(tmp_path: Path) -> None:
    tls = make_certificate(tmp_path, HOST)
    context = ssl.create_default_context(cafile=tls[0])
    address = Address(port=0, tls=tls, names=(HOST,))
    lines: list[socket.socket] = []
    with served(tmp_path / "pit.sqlite", address=address) as house:
        port = int(house.place.rpartition(":")[2])
        token = house.token("surveillance", "Sue")
        head = f"Host: {HOST}\r\nAuthorization: Bearer {token}\r\n\r\n"
        # One that had its answer, one in the middle of a request, and the stream of a pit that has
        # no table yet.
        answered, begun, stream = (
            context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname=HOST)
            for _ in range(3)
        )
        lines += [answered, begun, stream, socket.create_connection(("127.0.0.1", port))]
        answered.sendall(f"GET /healthz HTTP/1.1\r\n{head}".encode())
        begun.sendall(b"GET / HTT")
        stream.sendall(f"GET /v1/pits/1/events HTTP/1.1\r\n{head}".encode())
        assert b" 200 " in answered.recv(4096)
        assert b" 200 " in stream.recv(4096)
        begins = monotonic()
    assert monotonic() - begins < 6
    for line in lines:
        line.close()
