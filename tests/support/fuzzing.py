"""Requests that no client of good manners sends, from a seed."""

from __future__ import annotations

import http.client
import json
import random
import socket
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple

from croupier.records.codec import COMMANDS
from support.samples import sample_of
from support.served import NJ, Served
from support.tables import OPEN, opened

SLOW_S: Final = 10.0
"""What takes longer hangs."""
T: Final = "/v1/tables/MB-101"

TEXTS: Final[Sequence[str]] = (
    "", " ", "\u202eab", "a\u200bb", "\x00", "a\nb", "\x1b[31m", "e\u0301", "\U000e0041", "\ufffe",
    "x" * 41, "y" * 501, "'; drop table line; --", "<script>", "../../etc", "%s%n", "None", "As",
    "٣", "²", "ﷺ", "Pat", "dealer", "99999999999999999999", "1e999", "2026-13-40T99:99:99Z",
)  # fmt: skip
NUMBERS: Final[Sequence[Any]] = (
    0, -1, 1, 14, 2**31, 2**63, 2**64, 10**12, -(10**12), 10**30, 1.5, 1e308, -0.0, True, False,
)  # fmt: skip
OTHER: Final[Sequence[Any]] = (
    None, [], {}, [[]], {"a": {"b": {}}}, [None] * 50, {"type": "PlaceWager"}, {"1": "banker"},
    {"": 0}, {"x" * 300: 1}, [1, "banker", None], {"3": 10**40},
)  # fmt: skip
RAW: Final[Sequence[bytes]] = (
    b"", b"{", b"null", b"[" * 40 + b"]" * 40, b'{"a":' * 17 + b"1" + b"}" * 17, b"\xff\xfe\x00",
    b'{"type":"\xed\xa0\x80"}', b'{"type":"\\ud800"}', b'{"type":"SeatPatron","seat":1e400}',
    b"[" * 60_000, b'{"type":' + b"9" * 5_000 + b"}", b" " * 70_000, b"\x00" * 100, b"NaN",
    b'{"type":"CallNoMoreBets"}\n' * 65, b'\xef\xbb\xbf{"type":"CallNoMoreBets"}',
)  # fmt: skip
PATHS: Final[Sequence[str]] = (
    T, f"{T}/legal", f"{T}/consents", f"{T}/log", f"{T}/rounds/1", f"{T}/roads", f"{T}/ledger",
    f"{T}/meters", f"{T}/forms", f"{T}/odds", f"{T}/refusals", f"{T}/shoes", "/v1/pits",
    "/v1/pits/1", "/v1/grants", "/v1/tokens/mine", "/enter", "/openapi.json", "/healthz", "/metrics",
)  # fmt: skip
HEADERS: Final[Mapping[str, Sequence[bytes]]] = {
    "Idempotency-Key": (b"", b" ", b"a" * 61, b"\xff", b"a b", b"a,b", b"k"),
    "If-Match": (b'"x"', b"*", b'W/"1"', b"9" * 5_000, b'"1"', "\u00b2".encode(), b"-1"),
    "Last-Event-ID": (b"x", b"-1", b"9" * 400, b"\xff"),
    "Content-Type": (b"", b"text/html", b"application/json; charset=utf-16", b"\xff/\xfe", b";"),
    "Authorization": (b"Bearer", b"Basic eDp5", b"Bearer \xff", b"bearer " + b"x" * 4_000),
    "Cookie": (b"croupier=x", b"croupier=" + b"\xff" * 30, b"=;=;=", b"a=" + b"b" * 3_000),
    "Content-Length": (b"-1", b"1e3", b"9" * 30, b"9" * 5_000, b"0x10", b"3, 3"),
    "Transfer-Encoding": (b"chunked, chunked", b"identity", b"gzip"),
    "Host": (b"", b"evil.example", b"127.0.0.1:1@x", b"\xff"),
    "Origin": (b"null", b"http://evil.example", b"\xff"),
    "Expect": (b"100-continue", b"x"),
    "Upgrade": (b"websocket", b"h2c"),
    "Accept": (b"image/svg+xml", b"*/*;q=x", b"\xff"),
    "X-Forwarded-For": (b"1.2.3.4", b"\xff"),
    "Prefer": (b"return=minimal", b"return=\xff", b";;;"),
}
QUERIES: Final[Sequence[str]] = (
    "", "?after=-1", "?after=99999999999999999999", "?after=%b2", "?corrects=x", "?corrects=0",
    "?corrects=1&corrects=2", "?table=%00", "?table=a%2fb", "?cards=x", "?patrons=99", "?%ff=%ff",
    "?link=%3Cscript%3E", "?" + "a=1&" * 1_000, "?link=" + "%ff" * 500, "?table=T9&cards=reader",
)  # fmt: skip


class Request(NamedTuple):
    """What is sent: a head of headers by name, and a body that is as long as it is."""

    method: str
    target: str
    headers: Mapping[str, bytes]
    body: bytes

    def bytes(self, host: str) -> bytes:
        """Return the request as it goes over the line."""
        stated = {"Host": host.encode(), "Content-Length": b"%d" % len(self.body), **self.headers}
        if self.method == "GET" and "Content-Length" not in self.headers:
            del stated["Content-Length"]
        head = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in stated.items())
        body = b"" if self.method == "GET" else self.body
        return f"{self.method} {self.target} HTTP/1.1\r\n".encode() + head + b"\r\n" + body


def send(line: socket.socket, data: bytes) -> http.client.HTTPResponse:
    """Send bytes, and return the answer to them; its body is not read yet."""
    line.sendall(data)
    answer = http.client.HTTPResponse(line)
    answer.begin()
    return answer


def tokens_of(house: Served) -> Mapping[str, str]:
    """Open a table, and return a token for each of several offices."""
    opened(house)
    named = {"dealer": "Dana", "floorperson": "Flo"}
    offices = (*named, "licensee", "machine", "board", "surveillance")
    return {one: house.token(one, named.get(one, f"{one} 2")) for one in offices}


class Fuzzer:
    """Sends what a seed makes up, and keeps what should never come."""

    def __init__(self, house: Served, tokens: Mapping[str, str], seed: int) -> None:
        self._random: Final = random.Random(seed)
        self._tokens: Final = tokens
        self.host: Final = house.place.removeprefix("http://")
        host, _, port = self.host.partition(":")
        self._address: Final = (host, int(port))
        self._line: socket.socket | None = None
        self._submission: Final = NJ.read_bytes()
        self.count: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.slowest = 0.0
        self._kinds: Final[Sequence[Callable[[], Request]]] = (
            *[self._command] * 8, self._submitted, self._granted, self._consented, self._read,
            self._entered, self._looked,
        )  # fmt: skip

    def run(self, number: int) -> None:
        """Send so many requests."""
        for _ in range(number):
            request = self._hostile(self._random.choice(self._kinds)())
            begun = perf_counter()
            try:
                told = self._ask(request)
            except (TimeoutError, OSError, http.client.HTTPException) as error:
                told = f"{type(error).__name__}"
                self.close()
            self.count[told] += 1
            took = perf_counter() - begun
            # A body that does not come is waited for that long, and then answered with 408.
            least = SLOW_S + 1.0 if told == "408" else SLOW_S
            if told != "408":
                self.slowest = max(self.slowest, took)
            if told in {"TimeoutError", "500"} or told.startswith("unsaid") or took > least:
                self.wrong.append(f"{told} after {took:.1f} s: {request!r:.600}")

    def close(self) -> None:
        """End the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _ask(self, request: Request) -> str:
        data = request.bytes(self.host)
        if self._line is None:
            self._line = socket.create_connection(self._address, timeout=SLOW_S)
        try:
            answer = send(self._line, data)
        except (http.client.BadStatusLine, ConnectionError):
            # It was closed after the answer before.
            self.close()
            self._line = socket.create_connection(self._address, timeout=SLOW_S)
            answer = send(self._line, data)
        kind = answer.headers.get("content-type", "")
        if kind.startswith("text/event-stream"):
            self.close()
            return "stream"
        body = answer.read()
        if answer.will_close or answer.headers.get("connection") == "close":
            self.close()
        if answer.status >= 400 and kind == "application/problem+json":
            return str(answer.status) if json.loads(body).get("code") else f"unsaid {answer.status}"
        # What is no HTTP the listener itself refuses, in words.
        return str(answer.status) if answer.status in {200, 201, 202, 204, 303, 400} else (
            f"unsaid {answer.status}"
        )  # fmt: skip

    # --- what is made up ---

    def _value(self) -> Any:
        return self._random.choice(self._random.choice((TEXTS, NUMBERS, OTHER)))

    def _mutated(self, data: dict[str, Any]) -> dict[str, Any]:
        pick, data = self._random, dict(data)
        for _ in range(pick.randint(0, 2)):
            name = pick.choice(list(data) or ["type"])
            match pick.randrange(5):
                case 0:
                    data.pop(name, None)
                case 1:
                    data[pick.choice(TEXTS)] = self._value()
                case 2:
                    data[name] = {name: self._value()}
                case _:
                    data[name] = self._value()
        return data

    def _spoiled(self, body: bytes) -> bytes:
        pick = self._random
        if pick.random() < 0.08:
            return pick.choice(RAW)
        if pick.random() < 0.85 or not body:
            return body
        at = pick.randrange(len(body))
        match pick.randrange(3):
            case 0:
                return body[:at]
            case 1:
                return body[:at] + bytes([pick.randrange(256)]) + body[at + 1 :]
            case _:
                return body[:at] + pick.choice(RAW[:12]) + body[at:]

    def _hostile(self, request: Request) -> Request:
        pick, headers = self._random, dict(request.headers)
        if pick.random() < 0.1:
            name = pick.choice(list(HEADERS))
            headers[name] = pick.choice(HEADERS[name])
        target = request.target
        if pick.random() < 0.05:
            target += pick.choice(QUERIES)
        if pick.random() < 0.02:
            target = pick.choice(("/", "//", "*", "/v1/%00", "/%ff%fe", "/v1/tables/" + "x" * 9_000,
                                  f"{T}/rounds/{'9' * 6_000}", "http://evil/", f"{T}/../../"))  # fmt: skip
        method = pick.choice(("PUT", "PATCH", "BREW")) if pick.random() < 0.01 else request.method
        return Request(method, target, headers, request.body)

    def _post(
        self, office: str, target: str, body: bytes, kind: str = "application/json"
    ) -> Request:
        headers = {
            "Authorization": b"Bearer " + self._tokens[office].encode(),
            "Content-Type": kind.encode(),
            "Idempotency-Key": b"f%d" % self._random.getrandbits(60),
        }
        return Request("POST", target, headers, self._spoiled(body))

    def _command(self) -> Request:
        pick = self._random
        name = pick.choice(list(COMMANDS))
        data = OPEN if name == "OpenTable" else sample_of(name)
        lines = [json.dumps(self._mutated(data)).encode() for _ in range(pick.choice((1, 1, 1, 3)))]
        kind = "application/json" if len(lines) == 1 else "application/x-ndjson"
        return self._post(pick.choice(list(self._tokens)), f"{T}/commands", b"\n".join(lines), kind)

    def _submitted(self) -> Request:
        pick, lines = self._random, self._submission.split(b"\n")
        for _ in range(pick.randint(1, 3)):
            at = pick.randrange(len(lines))
            name = lines[at].partition(b"=")[0]
            lines[at] = name + b"= " + json.dumps(self._value()).encode()
        target = f"/v1/tables?table=T{pick.randrange(9)}&notified=2026-01-01T12:00Z"
        return self._post("licensee", target, b"\n".join(lines), "application/toml")

    def _granted(self) -> Request:
        data = {"person": "Dana", "office": "dealer", "tables": ["MB-101"], "seat": None,
                "device": "page", "hours": 1, "link": True}  # fmt: skip
        return self._post("licensee", "/v1/grants", json.dumps(self._mutated(data)).encode())

    def _consented(self) -> Request:
        target = f"{T}/consents/{self._random.choice(('x', '%00', '..'))}"
        return self._post("dealer", target, json.dumps(self._mutated({"consent": True})).encode())

    def _read(self) -> Request:
        text = " ".join(self._random.choices((*TEXTS, "17", "9h"), k=3))
        return self._post("machine", f"{T}/reader", text.encode(), "text/plain")

    def _entered(self) -> Request:
        target = self._random.choice(("/enter", "/v1/tokens"))
        if target == "/enter":
            body = (
                "link=" + self._random.choice(TEXTS) + "&a=1" * self._random.randrange(6)
            ).encode()
            request = self._post("board", target, body, "application/x-www-form-urlencoded")
            return request._replace(
                headers={**request.headers, "Origin": b"http://" + self.host.encode()}
            )
        return self._post("board", target, json.dumps(self._mutated({"link": "x"})).encode())

    def _looked(self) -> Request:
        pick = self._random
        headers = {
            "Authorization": b"Bearer " + self._tokens[pick.choice(list(self._tokens))].encode()
        }
        return Request("GET", pick.choice(PATHS) + pick.choice(QUERIES), headers, b"")
