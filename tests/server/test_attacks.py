"""Attacks on a service, each with its refusal, its line in the access log, and nothing changed."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

import pytest

from croupier.server.http.limits import Limits
from croupier.server.logs import logged
from croupier.server.resources.page_calls import PAGES
from support.served import NJ, Person, Served, served
from support.tables import NOTIFIED, OPEN, make_table, open_table

T: Final = "/v1/tables/MB-101"
SECOND: Final = "/v1/tables/MB-102"
DRAW: Final = {"type": "DrawCard", "card": "9h"}
WAGER: Final = {"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10_000}
SEAT: Final = {"type": "SeatPatron", "seat": 4, "patron": "Pam"}
FOREIGN: Final = "http://evil.example"
LIMITS: Final = Limits(
    per_second=1e6, burst=1e6, body_seconds=0.5, send_seconds=0.5, beat_seconds=0.2,
    streams_of_a_grant=0,
)  # fmt: skip


class Attack(NamedTuple):
    """A request of somebody, and the refusal that it meets. ``{names}`` are those of the scene."""

    name: str
    who: str
    method: str
    path: str
    status: int
    code: str
    body: Any = None
    headers: Mapping[str, str] = {}
    keyed: bool = True


def does(name: str, who: str, command: object, status: int, code: str, *, table: str = T) -> Attack:
    return Attack(name, who, "POST", f"{table}/commands", status, code, command)


def looks(name: str, who: str, path: str, status: int = 403, code: str = "not_allowed") -> Attack:
    return Attack(name, who, "GET", path, status, code)


def grants(name: str, who: str, made: str, status: int, code: str) -> Attack:
    person, _, office = made.partition(", ")
    body = {"person": person, "office": office}
    return Attack(name, who, "POST", "/v1/grants", status, code, body)


def signs_in(name: str, who: str, proof: str, status: int, told: str) -> Attack:
    link, _, code = proof.partition(", ")
    body = {"link": link, "code": code} if code else {"link": link}
    return Attack(name, who, "POST", "/v1/tokens", status, told, body)


def headed(name: str, who: str, status: int, code: str, **headers: str) -> Attack:
    stated = {key.replace("_", "-"): value for key, value in headers.items()}
    return Attack(name, who, "POST", f"{T}/commands", status, code, SEAT, stated)


ATTACKS: Final = (
    # Each office against the duties of the others.
    does("the dealer opens a table", "dealer", OPEN, 403, "not_your_office",
         table=SECOND),
    does("a patron draws a card", "patron", DRAW, 403, "not_your_office"),
    does("a patron wagers at the seat of another", "patron", {**WAGER, "seat": 5}, 403,
         "not_your_seat"),
    does("a board places a wager", "board", WAGER, 403, "not_your_office"),
    does("surveillance closes the table", "surveillance", {"type": "CloseTable"}, 403,
         "not_your_office"),
    does("the cage fills the tray", "cage", {"type": "CloseTable"}, 403, "not_your_office"),
    does("a card reader draws without its resource", "machine", DRAW, 403, "not_your_office"),
    Attack("the asker consents to the own act", "floorperson", "POST", f"{SECOND}/consents/{{act}}",
           403, "two_persons", {"consent": True}),
    Attack("a pit clerk declines what the dealer is asked", "pit clerk", "POST",
           f"{SECOND}/consents/{{act}}", 403, "not_your_office", {"consent": False}),
    Attack("the dealer reads cards in for the reader", "dealer", "POST", f"{T}/reader", 403,
           "not_allowed", "1 9h\n", {"Content-Type": "text/plain"}),
    Attack("a reader reads cards in at a table without one", "machine", "POST", f"{T}/reader", 403,
           "not_allowed", "1 9h\n", {"Content-Type": "text/plain"}),
    Attack("a board unlocks the reader", "board", "POST", f"{T}/reader/unlock", 403, "not_allowed"),
    Attack("the cage ends the gaming day", "cage", "POST", f"{T}/days", 403, "not_allowed"),
    Attack("the floorperson ends the day of an open table", "floorperson", "POST", f"{T}/days", 409,
           "day_under_way"),
    Attack("the dealer makes a table", "dealer", "POST", "/v1/tables", 403, "not_allowed",
           NJ.read_text(), {"Content-Type": "application/toml"}),
    Attack("the dealer changes what the pit elects", "dealer", "POST", "/v1/pits/1/commands", 403,
           "not_allowed",
           {"type": "ChangeElections", "tables": ["MB-101"],
            "elections": {"settlement.order": "payments-first"}}),
    Attack("the licensee gives notice before the first year", "licensee", "POST",
           "/v1/pits/1/commands", 409, "time",
           {"type": "GiveNotice", "elections": {"settlement.order": "payments-first"},
            "to": "Commission", "at": "0001-01-01T00:00:00+14:00"}),
    Attack("the licensee makes a table of a time after the last year", "licensee", "POST",
           "/v1/tables?table=MB-109&notified=9999-12-31T23:59:59-14:00", 409, "time",
           NJ.read_text(), {"Content-Type": "application/toml"}),
    looks("the dealer looks up the odds", "dealer", f"{T}/odds"),
    looks("a patron looks up the accounts", "patron", f"{T}/ledger"),
    looks("the dealer reads the refusals", "dealer", f"{T}/refusals"),
    looks("a board verifies the record", "board", f"{T}/verify"),
    looks("a patron reads the forms", "patron", f"{T}/forms"),
    looks("surveillance of another pit looks", "other pit", T, 404, "not_found"),
    looks("surveillance of another pit reads the pit", "other pit", "/v1/pits/1", 404, "not_found"),
    looks("a patron looks at another table", "patron", SECOND, 404, "not_found"),
    # The operator.
    looks("the operator looks at a table", "operator", T, 404, "not_found"),
    looks("the operator follows a table", "operator", f"{T}/events", 404, "not_found"),
    looks("the operator exports a record", "operator", f"{T}/log", 404, "not_found"),
    looks("the operator reads the ledger", "operator", f"{T}/ledger", 404, "not_found"),
    looks("the operator follows the pit", "operator", "/v1/pits/1/events"),
    looks("the operator reads the pit", "operator", "/v1/pits/1"),
    looks("the operator reads the names of patrons", "operator", "/v1/grants"),
    does("the operator closes a table", "operator", {"type": "CloseTable"}, 404, "not_found"),
    grants("the operator grants an office", "operator", "Eve, dealer", 403, "not_allowed"),
    grants("the floorperson makes an operator", "floorperson", "Eve, operator", 403,
           "not_allowed"),
    Attack("the operator consents to a grant", "operator", "POST", "/v1/grants/{made}", 403,
           "two_persons", {"consent": True}),
    Attack("the operator revokes surveillance", "operator", "DELETE", "/v1/grants/{watch}", 404,
           "not_found"),
    looks("the floorperson opens the operator's page", "floorperson", "/operator"),
    looks("a patron opens the operator's page", "patron", "/operator"),
    looks("nobody opens the operator's page", "", "/operator", 401, "no_token"),
    Attack("surveillance copies the store", "surveillance", "POST", "/operator/acts/copy", 403,
           "not_allowed"),
    Attack("the licensee hands the tables over", "licensee", "POST", "/operator/acts/hand-over",
           403, "not_allowed"),
    Attack("a foreign page copies the store", "", "POST", "/operator/acts/copy", 403,
           "wrong_origin", "form=x",
           {"Cookie": "croupier={operator}", "Origin": FOREIGN,
            "Content-Type": "application/x-www-form-urlencoded"}),
    Attack("a form of another session copies the store", "", "POST", "/operator/acts/copy", 403,
           "wrong_origin", "form=x",
           {"Cookie": "croupier={operator}", "Origin": "{place}",
            "Content-Type": "application/x-www-form-urlencoded"}),
    # Grants.
    grants("the dealer grants an office", "dealer", "Dora, dealer", 403, "not_allowed"),
    grants("the floorperson makes a pit boss", "floorperson", "Bo, pit boss", 403, "not_allowed"),
    grants("the floorperson makes a second office", "floorperson", "Sue, dealer", 409,
           "two_offices"),
    grants("a name that reads like another", "floorperson", "D\u0430na, dealer", 409,
           "lookalike"),
    grants("a name in Latin letters of another alphabet", "floorperson", "D\u0251na, dealer", 409,
           "lookalike"),
    grants("a name with a capital I for a small l", "floorperson", "CIe, dealer", 409,
           "lookalike"),
    grants("a name with a zero for an o", "floorperson", "B0b, dealer", 409, "lookalike"),
    grants("a name with a character that nobody sees", "floorperson", "Dana\ufe0f, dealer", 422,
           "malformed"),
    grants("a second grant of the dealer", "floorperson", "Dana, dealer", 409, "exists"),
    Attack("the dealer revokes the floorperson", "dealer", "DELETE", "/v1/grants/{floor}", 404,
           "not_found"),
    Attack("the maker consents to the own grant", "floorperson", "POST", "/v1/grants/{made}", 403,
           "two_persons", {"consent": True}),
    Attack("the dealer consents to a grant", "dealer", "POST", "/v1/grants/{made}", 403,
           "two_persons", {"consent": True}),
    # Tokens.
    looks("nobody looks", "", T, 401, "no_token"),
    looks("a token of no grant", "forged", T, 401, "no_token"),
    looks("a token that was revoked", "revoked", T, 401, "no_token"),
    looks("a token that was given up", "signed out", T, 401, "no_token"),
    looks("a token that is over", "over", T, 401, "no_token"),
    Attack("a revoked token is renewed", "revoked", "POST", "/v1/tokens/mine", 401, "no_token"),
    Attack("a page renews its token", "", "POST", "/v1/tokens/mine", 403, "not_allowed",
           headers={"Cookie": "croupier={dealer}", "Origin": "{place}"}),
    Attack("a foreign page renews a token", "", "POST", "/v1/tokens/mine", 403, "wrong_origin",
           headers={"Cookie": "croupier={dealer}", "Origin": FOREIGN}),
    looks("a token in the address", "", f"{T}?token={{dealer}}", 401, "no_token"),
    Attack("a token as a password", "", "GET", T, 401, "no_token",
           headers={"Authorization": "Basic {dealer}"}),
    Attack("a person named in a header", "", "GET", T, 401, "no_token",
           headers={"X-Forwarded-User": "Sue", "X-Forwarded-Groups": "surveillance"}),
    # Links.
    signs_in("a link that was used", "", "{used}", 410, "gone"),
    signs_in("a link of no grant", "", "no-link", 410, "gone"),
    signs_in("a link without consent", "", "{unconsented}", 403, "not_consented"),
    signs_in("a link without its code", "", "{link}", 403, "not_consented"),
    signs_in("a link with a wrong code", "", "{link}, AAAAAAAA", 403, "not_consented"),
    signs_in("its maker redeems a link", "floorperson", "{link}, {code}", 403, "two_persons"),
    # Cookies and origins.
    headed("a cookie from nowhere", "", 403, "wrong_origin", Cookie="croupier={dealer}"),
    headed("a cookie from a foreign page", "", 403, "wrong_origin", Cookie="croupier={dealer}",
           Origin=FOREIGN),
    headed("a cookie of a sandbox", "", 403, "wrong_origin", Cookie="croupier={dealer}",
           Origin="null"),
    Attack("a foreign page looks", "", "GET", T, 403, "wrong_origin",
           headers={"Cookie": "croupier={dealer}", "Sec-Fetch-Site": "cross-site"}),
    Attack("a form of another session", "", "POST", "/leave", 403, "wrong_origin", "form=x",
           {"Cookie": "croupier={dealer}", "Origin": "{place}",
            "Content-Type": "application/x-www-form-urlencoded"}),
    Attack("a sign-in from a foreign page", "", "POST", "/enter", 403, "wrong_origin", "link=x",
           {"Origin": FOREIGN, "Content-Type": "application/x-www-form-urlencoded"}),
    # Hosts.
    headed("a foreign host", "dealer", 421, "wrong_host", Host="evil.example"),
    headed("a name that is bound anew", "dealer", 421, "wrong_host", Host="127.0.0.1:1"),
    headed("a host that begins like the own", "dealer", 421, "wrong_host",
           Host="{host}.evil.example"),
    # Sizes and forms of requests.
    does("a body of 70,000 bytes", "dealer", {"type": "x" * 70_000}, 413, "too_large"),
    Attack("a body of unknown size", "dealer", "POST", f"{T}/commands", 413, "too_large",
           [b"x" * 7_000] * 10, {"Content-Type": "application/json"}),
    does("a body that is nested", "dealer", "[" * 40 + "]" * 40, 422, "malformed"),
    Attack("65 commands at once", "dealer", "POST", f"{T}/commands", 422, "malformed",
           (json.dumps(SEAT) + "\n") * 65, {"Content-Type": "application/x-ndjson"}),
    does("a field given twice", "dealer", '{"type": "SeatPatron", "seat": 2, "seat": 3, "patron": "Pat"}',
         422, "malformed"),
    headed("an empty key", "dealer", 422, "malformed", Idempotency_Key=""),
    headed("a key of 61 characters", "dealer", 422, "malformed", Idempotency_Key="k" * 61),
    Attack("no key", "dealer", "POST", f"{T}/commands", 428, "key_missing", SEAT, {}, keyed=False),
    headed("a key that was used", "dealer", 422, "key_reused", Idempotency_Key="used"),
    headed("an entry that is past", "dealer", 412, "stale", If_Match='"0"'),
    headed("another media type", "dealer", 415, "media_type", Content_Type="text/html"),
    Attack("a method of its own", "dealer", "PUT", T, 405, "method"),
    looks("a path with dots", "surveillance", f"{T}/log/%2e%2e/%2e%2e/grants", 404, "not_found"),
    does("a name that runs backwards", "dealer", {**SEAT, "patron": "Pat\u202e"}, 422, "malformed"),
    # Streams.
    looks("one stream too many", "dealer", f"{T}/events", 429, "too_many"),
    looks("a stream of a foreign table", "other pit", f"{T}/events", 404, "not_found"),
    looks("a stream of a foreign pit", "other pit", "/v1/pits/1/events", 404, "not_found"),
    Attack("a stream from an invented entry", "dealer", "GET", f"{T}/events", 422, "malformed",
           headers={"Last-Event-ID": "x"}),
    looks("a stream of nobody", "", f"{T}/events", 401, "no_token"),
    # Exports.
    looks("the dealer exports the record", "dealer", f"{T}/log"),
    looks("a pit clerk exports the record of the pit", "pit clerk", "/v1/pits/1/log"),
    looks("a day that never was", "surveillance", f"{T}/log?day=9", 404, "not_found"),
    looks("a round that is not over", "surveillance", f"{T}/rounds/1", 404, "not_found"),
)  # fmt: skip


class Scene:
    """A pit with an open table, one whose opening waits, people, and their tokens and links."""

    def __init__(self, house: Served, log: Path) -> None:
        self.house, self.log = house, log
        make_table(house)
        self._second()
        dealer, floor = open_table(house)
        people = {"dealer": dealer, "floorperson": floor}
        people["surveillance"] = house.person("surveillance", "Sue")
        people["operator"] = house.person("operator", "Oz")
        people["licensee"] = house.person("licensee", "Lou")
        people["pit clerk"] = house.person("pit clerk", "Cle")
        people["cage"] = house.person("cage", "Cay")
        people["board"] = house.person("board")
        people["machine"] = house.person("machine", "reader 1")
        people["patron"] = house.person("patron", "Pat", seat=3, tables=("MB-101",))
        people["other pit"] = house.person("surveillance", "Sol", pit="2")
        people["signed out"] = house.person("dealer", "Oda")
        people["revoked"] = house.person("dealer", "Ruth")
        self.people: Final[Mapping[str, Person]] = people
        self.person: Final = {
            who: one.sees("/v1/tokens/mine")["person"] for who, one in people.items()
        }
        people["over"] = house.person("dealer", "Ola", hours_ms=1)
        people["signed out"].http.delete("/v1/tokens/mine")
        revoked = people["revoked"].sees("/v1/tokens/mine")["id"]
        floor.http.delete(f"/v1/grants/{revoked}")
        dealer.does("MB-101", {**SEAT, "seat": 3, "patron": "Pat"}, key="used")
        used = house.link("pit boss", "Bob")
        house.anybody().post("/v1/tokens", json={"link": used})
        made, asked = self._grant("Dora"), self._grant("Doris")
        consent = people["surveillance"].http.post(
            f"/v1/grants/{made['id']}", json={"consent": True}
        )
        waits = floor.does("MB-102", {**OPEN, "dealer": "Dana"})
        self.names: Final[Mapping[str, str]] = {
            "act": waits.json()["consent"]["id"],
            "code": consent.json()["code"],
            "dealer": dealer.token,
            "floor": floor.sees("/v1/tokens/mine")["id"],
            "host": house.place.removeprefix("http://"),
            "link": made["link"],
            "made": asked["id"],
            "operator": people["operator"].token,
            "place": house.place,
            "unconsented": asked["link"],
            "used": used,
            "watch": people["surveillance"].sees("/v1/tokens/mine")["id"],
        }
        self.secrets: Final = (*(one.token for one in people.values()), made["link"], used,
                               asked["link"], self.names["code"])  # fmt: skip

    def _second(self) -> None:
        text = NJ.read_text().replace("MB-101", "MB-102")
        answer = self.house.person("licensee").http.post(
            "/v1/tables", params={"notified": NOTIFIED}, content=text,
            headers={"Content-Type": "application/toml"},
        )  # fmt: skip
        assert answer.status_code == 201, answer.text

    def _grant(self, person: str) -> Any:
        wanted = {"person": person, "office": "dealer"}
        return self.people["floorperson"].http.post("/v1/grants", json=wanted).json()

    def state(self) -> Any:
        """Return what no attack may change."""
        service = self.house.service
        return (
            {name: one.desk.durable.sequence for name, one in service.tables.items()},
            {name: one.durable.sequence for name, one in service.pits.items()},
            service.store.documents("grant"), service.store.documents("token"),
            service.store.documents("link"),
        )  # fmt: skip

    def filled(self, text: str) -> str:
        """Put the names of the scene in a text."""
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def line(self, begun: int = 0, **of: Any) -> dict[str, Any]:
        """Return the last line of the log with these fields, once it is written."""
        end = monotonic() + 10
        while monotonic() < end:
            every = map(json.loads, self.log.read_text(encoding="utf-8").splitlines()[begun:])
            found: list[dict[str, Any]] = [one for one in every if of.items() <= one.items()]
            if found:
                return found[-1]
            sleep(0.02)
        raise AssertionError(of)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("attacks")
    log = folder / "access.jsonl"
    with logged(str(log)), served(folder / "pit.sqlite", LIMITS, more=PAGES) as house:
        yield Scene(house, log)


def refused(scene: Scene, attack: Attack, answer: Any) -> None:
    """Check an answer and its line in the log."""
    assert (answer.status_code, answer.headers["content-type"]) == (
        attack.status, "application/problem+json"
    ), answer.text  # fmt: skip
    assert answer.json()["code"] == attack.code
    line = scene.line(request=answer.headers["x-request-id"])
    assert line == {
        **line, "event": "refusal", "status": attack.status, "code": attack.code,
        "method": attack.method, "peer": "127.0.0.1",
    }  # fmt: skip
    knows = attack.status not in {401, 421} and attack.code != "wrong_origin"
    if attack.who in scene.person and knows and line["route"] != "other" and attack.method != "PUT":
        assert scene.person[attack.who] in {line.get("person"), line.get("by")}, line


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name.replace(" ", "-"))
def test_an_attack_is_refused_and_logged_and_changes_nothing(scene: Scene, attack: Attack) -> None:
    before = scene.state()
    person = scene.people.get(attack.who)
    http_ = scene.house.anybody() if person is None else person.http
    headers = {name: scene.filled(value) for name, value in attack.headers.items()}
    headers = {"Accept": "application/json", **headers}
    if attack.keyed:
        headers = {"Idempotency-Key": secrets.token_hex(8), **headers}
    if attack.who == "forged":
        headers["Authorization"] = f"Bearer {scene.names['dealer'][::-1]}"
    body = attack.body
    if isinstance(body, dict):
        body = scene.filled(json.dumps(body))
    headers = {"Content-Type": "application/json", **headers} if body is not None else headers
    answer = http_.request(
        attack.method, scene.filled(attack.path), headers=headers,
        content=iter(body) if isinstance(body, list) else body,
    )  # fmt: skip
    refused(scene, attack, answer)
    assert scene.state() == before
    text = scene.log.read_text(encoding="utf-8")
    assert not any(secret in text for secret in scene.secrets)


class Line(NamedTuple):
    """Bytes sent over a connection, how it goes on, and the end that it meets with."""

    name: str
    sent: str
    then: str
    answer: bytes
    line: Mapping[str, Any]


HEAD: Final = "POST {T}/commands HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {dealer}\r\n"
BODY: Final = HEAD + "Idempotency-Key: line\r\nContent-Length: 90\r\n\r\n{"
LOOK: Final = "GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n"
NOT_HTTP: Final = {"event": "refusal", "status": 400, "code": "not_http"}
NO_REQUEST: Final = {"event": "cut", "message": "no request came"}

LINES: Final = (
    Line("a connection that says nothing", "", "drip", b"", NO_REQUEST),
    Line("a head a byte at a time", "GET / HTTP/1.1\r\nX: ", "drip", b"", NO_REQUEST),
    Line("a body that does not come", BODY, "wait", b" 408 ",
         {"event": "refusal", "status": 408, "code": "timeout", "person": "Dana"}),
    Line("a body that goes on after its refusal", "POST /v1/tables HTTP/1.1\r\nHost: {host}\r\n"
         "Content-Length: 60000\r\n\r\n", "drip", b" 401 ", NO_REQUEST),
    Line("a line that is half closed", BODY, "shut", b"",
         {"event": "refusal", "status": 408, "code": "timeout", "person": "Dana"}),
    Line("answers that nobody reads", LOOK * 300, "deaf", b"",
         {"event": "cut", "message": "the answer is not read"}),
    Line("no HTTP", "\x16\x03\x01\x02\0", "wait", b" 400 ", NOT_HTTP),
    Line("a head of 200,000 bytes", "GET / HTTP/1.1\r\nX: " + "x" * 200_000, "wait", b" 400 ",
         NOT_HTTP),
    Line("two lengths", HEAD + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n{}", "wait", b" 400 ",
         NOT_HTTP),
    Line("a length and chunks", HEAD + "Idempotency-Key: s\r\nContent-Length: 3\r\n"
         "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET {T} HTTP/1.1\r\n\r\n", "wait", b" 422 ",
         {"event": "refusal", "status": 422, "code": "malformed", "method": "POST"}),
    Line("two hosts", "GET {T} HTTP/1.1\r\nHost: {host}\r\nHost: evil\r\n\r\n", "wait", b" 400 ",
         NOT_HTTP),
    Line("no host", "GET {T} HTTP/1.0\r\n\r\n", "wait", b" 421 ",
         {"event": "refusal", "status": 421, "code": "wrong_host"}),
    Line("an upgrade to a socket", "GET {T}/events HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n",
         "wait", b" 401 ", {"event": "refusal", "status": 401, "code": "no_token"}),
)  # fmt: skip


@pytest.mark.parametrize("attack", LINES, ids=lambda one: one.name.replace(" ", "-"))
def test_a_connection_that_is_misused_is_ended_and_logged(scene: Scene, attack: Line) -> None:
    before, begun = scene.state(), len(scene.log.read_text().splitlines())
    host, _, port = scene.names["host"].partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        if attack.then == "deaf":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(scene.filled(attack.sent).replace("{T}", T).encode("latin-1"))
        if attack.then == "shut":
            line.shutdown(socket.SHUT_WR)
        heard = b"" if attack.then == "deaf" else _heard(line, drips=attack.then == "drip")
        if attack.answer in {b" 400 ", b" 422 "}:
            # What follows is not read as another request.
            assert line.recv(1) == b""
        found = scene.line(begun, **attack.line)
    assert attack.answer in heard.split(b"\r\n")[0]
    assert found["peer"] == "127.0.0.1"
    assert scene.state() == before
    assert scene.house.anybody().get("/healthz").status_code == 200


def _heard(line: socket.socket, *, drips: bool) -> bytes:
    """Return what comes up to the end of the connection, or of an answer."""
    heard, end = b"", monotonic() + 8
    line.settimeout(0.1)
    while monotonic() < end:
        with suppress(TimeoutError):
            try:
                if drips:
                    line.sendall(b"x")
                more = line.recv(65_536)
            except ConnectionError:
                return heard
            heard += more
            if not more or (b"}" in heard and not drips):
                return heard
    raise AssertionError(heard)


def test_a_card_that_is_not_due_is_a_refusal_in_the_log(tmp_path: Path) -> None:
    log = tmp_path / "access.jsonl"
    with logged(str(log)), served(tmp_path / "pit.sqlite") as house:
        make_table(house, cards="reader")
        open_table(house)
        reader = house.person("machine", "reader 1")
        for sent, code in (("9h", "malformed"), ("1 9h", "overdraw"), ("1 9h", "overdraw")):
            answer = reader.http.post(
                f"{T}/reader", content=sent, headers={"Content-Type": "text/plain"}
            )
            assert answer.status_code == 200
            assert answer.text.split(" ")[2] == code
            end = monotonic() + 10
            while answer.headers["x-request-id"] not in log.read_text() and monotonic() < end:
                sleep(0.02)
            line = json.loads(log.read_text().splitlines()[-1])
            assert (line["event"], line["code"]) == ("refusal", code)
            assert "9h" not in json.dumps(line)


def test_there_are_more_than_forty_attacks_of_every_kind() -> None:
    assert len(ATTACKS) >= 90
    assert len({one.name for one in ATTACKS}) == len(ATTACKS)
