"""Every refusal of the service: its status, its code, and that nothing was done."""

from __future__ import annotations

import ast
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.acts.command import TERMS
from croupier.acts.roles import Role, includes
from croupier.rules import TableRules
from croupier.server.http.limits import Limits
from croupier.server.http.problems import CODES
from croupier.server.run import Address
from support.served import NJ, Person, Served, listen, problem, served
from support.tables import NOTIFIED, OPEN, a_day, consented, given, make_table, open_table, opened

T = "/v1/tables/MB-101"
SEAT = {"type": "SeatPatron", "seat": 3, "patron": "Pat"}

TESTED = {"not_trusted",
    "busy",  # in test_long_queries
    "failed",  # in test_long_queries
    "overdraw",  # of a reader's lines, in test_cards
    "not_stored", "disk_full", "not_owner",  # in test_durable
    "no_pdf",  # in test_pages_watch
    "no_store",  # in test_database_gone
    "timeout",  # in test_a_body_that_does_not_come_is_given_up
}  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def test_nobody_is_served_without_a_token_that_stands(house: Served) -> None:
    make_table(house)
    anybody = house.anybody()
    problem(anybody.get(T), 401, "no_token")
    problem(anybody.get(T, headers={"Authorization": "Bearer nonsense"}), 401, "no_token")
    over = house.person("dealer", hours_ms=-1, id="over")
    problem(over.http.get(T), 401, "no_token")
    licensee = house.person("licensee", "Ann", id="ann")
    licensee.sees("/v1/tables/MB-101")
    licensee.http.delete("/v1/grants/ann")
    problem(licensee.http.get(T), 401, "no_token")


def test_a_table_of_others_is_as_none(house: Served) -> None:
    make_table(house)
    other = house.person("dealer", "Otto", pit="2")
    missing = problem(other.http.get(T), 404, "not_found")
    none = problem(other.http.get("/v1/tables/NONE"), 404, "not_found")
    assert missing["detail"] == none["detail"]
    elsewhere = house.person("dealer", "Else", tables=("MB-999",))
    problem(elsewhere.http.get(T), 404, "not_found")
    assert elsewhere.sees("/v1/tables")["tables"] == []
    problem(elsewhere.http.get("/v1/nowhere"), 404, "not_found")
    problem(elsewhere.http.put(T), 405, "method")


def test_what_a_regulation_does_not_answer_is_no_failure_of_the_service(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unanswered(rules: TableRules) -> tuple[str, ...]:
        return (str(rules.value("wagers.royal_9.stake", int)),)

    monkeypatch.setattr(TableRules, "missing", property(unanswered))
    answer = house.person("licensee").http.post(
        "/v1/tables",
        params={"notified": NOTIFIED},
        content=NJ.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )
    said = problem(answer, 422, "refused_submission")
    assert said["detail"] == "us-nj/minibaccarat has no int value for 'wagers.royal_9.stake'"


def test_a_command_that_cannot_be_read_changes_nothing(house: Served) -> None:
    dealer, _ = opened(house)
    post = dealer.http.post

    def send(content: bytes, kind: str = "application/json", key: str = "x") -> Any:
        headers = {"Content-Type": kind, "Idempotency-Key": key}
        return post(f"{T}/commands", content=content, headers=headers)

    problem(send(b"{"), 422, "malformed")
    problem(send(b"[]"), 422, "malformed")
    problem(send(b'{"type":"None"}'), 422, "malformed")
    problem(send(b'{"type":"DrawCard","card":"1x"}'), 422, "malformed")
    problem(send(b'{"type":"SeatPatron","seat":true,"patron":"x"}'), 422, "malformed")
    problem(send(b'{"type":"BuyChips","seat":3,"cents":1000000000000}'), 422, "malformed")
    problem(send(json.dumps({**SEAT, "patron": "a\u202eb"}).encode()), 422, "malformed")
    problem(send(b"\xff\xfe"), 422, "malformed")
    problem(send(b"[" * 20 + b"]" * 20), 422, "malformed")
    problem(send(b'{"type":"CallNoMoreBets"}\n' * 65, "application/x-ndjson"), 422, "malformed")
    problem(send(b"", "application/x-ndjson"), 422, "malformed")
    problem(send(b"{}", "text/html"), 415, "media_type")
    problem(send(b" " * 70_000), 413, "too_large")
    problem(send(json.dumps(SEAT).encode(), key=""), 422, "malformed")
    problem(post(f"{T}/commands", json=SEAT), 428, "key_missing")
    problem(dealer.does("MB-101", SEAT, If_Match="x"), 422, "malformed")
    problem(dealer.does("MB-101", SEAT, If_Match='"7"'), 412, "stale")
    assert dealer.sees(T)["seq"] == 1
    assert dealer.does("MB-101", SEAT, If_Match='"1"', key="x").json()["seq"] == 2
    problem(send(json.dumps({**SEAT, "seat": 4}).encode()), 422, "key_reused")


def test_several_commands_end_at_the_first_that_is_refused(house: Served) -> None:
    dealer, _ = opened(house)
    lines = [SEAT, {"type": "CallNoMoreBets"}, {**SEAT, "seat": 4}]
    answer = dealer.http.post(
        f"{T}/commands",
        content="\n".join(map(json.dumps, lines)),
        headers={"Content-Type": "application/x-ndjson", "Idempotency-Key": "batch"},
    )
    said = problem(answer, 409, "not_now")
    assert [one["command"]["type"] for one in said["entries"]] == ["SeatPatron"]
    assert (said["seq"], dealer.sees(T)["seq"]) == (2, 2)


def test_who_may_not_do_it_is_told_who_may(house: Served) -> None:
    dealer, floor = opened(house)
    problem(
        dealer.does("MB-101", {"type": "VerifyCards", "floorperson": "Flo"}), 403, "not_your_office"
    )
    other = house.person("dealer", "Dora")
    problem(other.does("MB-101", SEAT), 403, "not_on_duty")
    dealer.does("MB-101", SEAT)
    patron = house.person("patron", "Pat", seat=3, tables=("MB-101",))
    wager = {"type": "PlaceWager", "seat": 4, "wager": "banker", "cents": 10_000}
    problem(patron.does("MB-101", wager), 403, "not_your_seat")
    # The dealer may enter it for whoever sits there.
    empty = problem(dealer.does("MB-101", wager), 403, "not_your_office")
    assert empty["detail"].endswith("not for the dealer: nobody sits at seat 4")
    taken = dealer.does("MB-101", {**wager, "seat": 3}).json()
    assert taken["code"] != "not_your_office"
    problem(floor.http.get(f"{T}/log"), 403, "not_allowed")
    problem(patron.http.get(f"{T}/ledger"), 403, "not_allowed")
    problem(
        dealer.http.post("/v1/grants", json={"person": "x", "office": "dealer"}), 403, "not_allowed"
    )


def test_nobody_is_asked_to_consent_to_what_the_table_would_refuse(house: Served) -> None:
    make_table(house)
    floor, dealer = house.person("floorperson", "Flo"), house.person("dealer", "Dana")
    # Whether it can be done is decided again at the consent: the first opening rules out the other.
    first, second = floor.does("MB-101", OPEN), floor.does("MB-101", OPEN)
    assert consented(dealer, first).status_code == 200
    problem(consented(dealer, second), 409, "not_now")
    destroyed = {"type": "DestroyDecks", "removed": 1, "envelope": "7"}
    refused = problem(floor.does("MB-101", destroyed), 409, "no_set")
    assert [clause["id"] for clause in refused["clauses"]] == ["C220"]
    counter = house.person("accounting", "Ann")
    for person in ("Ann", "Ben"):
        given(floor, dealer, {"type": "AssignOffice", "office": "accounting", "person": person})
    given(counter, dealer, {"type": "RemoveDrop", "box": "A", "next_box": "B"})
    count = {"type": "CountDrop", "box": "A", "cash_cents": 0}
    problem(counter.does("MB-101", count), 403, "two_persons")
    other = house.person("accounting", "Ben")
    problem(other.does("MB-101", {**count, "box": "B"}), 409, "box")
    (counts,) = (act for act in other.sees(f"{T}/legal")["acts"] if act["command"] == "CountDrop")
    assert (counts["fields"][0]["default"], len(counts["fields"][0]["choices"])) == ("A", 1)
    for one in (dealer, counter):
        waiting = one.sees(f"{T}/consents")["consents"]
        assert {act["command"] for act in waiting} <= {"OpenTable"}
    assert other.does("MB-101", count).status_code == 202


def test_an_office_that_never_gives_an_act_is_told_so_before_what_it_lacks(house: Served) -> None:
    dealer, _ = opened(house)
    told = problem(dealer.does("MB-101", {"type": "VerifyCards"}), 403, "not_your_office")
    assert told["detail"] == "VerifyCards is for the floorperson, not for the dealer"
    assert told["clauses"]
    assert told["legal"]
    # A field that it may not have is told after that, too.
    for wrong in ({"more": 1}, {"floorperson": 7}, {"card": "next"}):
        answer = dealer.does("MB-101", {"type": "VerifyCards", **wrong})
        assert problem(answer, 403, "not_your_office") == {**told, "trace": answer.json()["trace"]}
    offices = ("dealer", "floorperson", "pit clerk", "accounting", "machine", "patron")
    for office in offices:
        seat: dict[str, Any] = {"seat": 3, "tables": ("MB-101",)} if office == "patron" else {}
        person = house.person(office, f"the {office}", **seat)
        for name, terms in TERMS.items():
            # What a dealer enters for a patron, or a patron with the shoe deals, depends on seats.
            by_seat = {"dealer": Role.PATRON, "patron": Role.CURATOR}.get(office) in terms.does
            gives = by_seat or any(includes(office, one) for one in terms.does)
            answer = person.does("MB-101", {"type": name, "none": 0})
            if gives:
                problem(answer, 422, "malformed")
            else:
                problem(answer, 403, "not_your_office")


def test_a_name_that_follows_from_a_grant_may_be_left_out(house: Served) -> None:
    dealer, floor = opened(house)
    misread = {"type": "CorrectMisreadCard", "recorded": "7h", "actual": "8h", "ordinal": 1}
    boss = house.person("pit boss", "Bo")
    given(floor, boss, {"type": "AssignOffice", "office": "pit boss", "person": "Bo"})
    for supervisor, name in ((floor, "Flo"), (boss, "Bo")):
        said = problem(supervisor.does("MB-101", misread), 409, "not_now")
        stated = supervisor.does("MB-101", {**misread, "supervisor": name})
        assert said == problem(stated, 409, "not_now")
    # Whom a dealer names does not follow from the dealer's own grant.
    told = problem(dealer.does("MB-101", misread), 422, "malformed")
    assert "supervisor" in told["detail"]
    # Of two persons in one office, the one follows once the other is named.
    shift = {"type": "ChangeShift", "shift": "night", "chips": {}, "dealer": "Dana"}
    both: tuple[tuple[dict[str, str], str], ...] = (
        ({}, "leaving"), ({"leaving": "Flo"}, "floorperson"),
    )  # fmt: skip
    for names, lacks in both:
        told = problem(floor.does("MB-101", {**shift, **names}), 422, "malformed")
        assert lacks in told["detail"]
    waits = floor.does("MB-101", {**shift, "floorperson": "Fay"}).json()["consent"]
    assert waits["fields"]["leaving"] == "Flo"


def test_nobody_consents_to_an_act_of_their_own(house: Served) -> None:
    make_table(house)
    floor = house.person("floorperson", "Flo")
    waits = floor.does("MB-101", OPEN).json()["consent"]
    headers = {"Idempotency-Key": "mine"}
    answer = floor.http.post(f"{T}/consents/{waits['id']}", json={"consent": True}, headers=headers)
    problem(answer, 403, "two_persons")
    dealer = house.person("dealer", "Dana")
    (shown,) = dealer.sees(f"{T}/consents")["consents"]
    assert (shown["id"], shown["fields"]["dealer"]) == (waits["id"], "Dana")
    declined = dealer.http.post(
        f"{T}/consents/{waits['id']}", json={"consent": False}, headers={"Idempotency-Key": "no"}
    )
    assert declined.json() == {"declined": waits["id"]}
    gone = dealer.http.post(
        f"{T}/consents/{waits['id']}", json={"consent": True}, headers={"Idempotency-Key": "yes"}
    )
    problem(gone, 410, "gone")
    assert dealer.sees(T)["seq"] == 0


def test_nobody_holds_two_offices_or_a_name_like_another(house: Served) -> None:
    licensee = make_table(house)
    grant = {"person": "Dana", "office": "dealer"}
    post = licensee.http.post
    made = post("/v1/grants", json=grant)
    assert (made.status_code, len(made.json()["link"])) == (201, 43)
    boss = house.person("pit boss", "Bo")
    consented = boss.http.post(f"/v1/grants/{made.json()['id']}", json={"consent": True})
    assert (consented.status_code, len(consented.json()["code"])) == (200, 8)
    problem(post("/v1/grants", json=grant), 409, "exists")
    problem(post("/v1/grants", json={**grant, "office": "cage"}), 409, "two_offices")
    problem(post("/v1/grants", json={**grant, "person": "DANA"}), 409, "lookalike")
    problem(post("/v1/grants", json={**grant, "office": "king"}), 422, "malformed")
    problem(post("/v1/grants", json={**grant, "person": "a\u200bb"}), 422, "malformed")
    problem(post("/v1/grants", json={**grant, "more": 1}), 422, "malformed")
    problem(post("/v1/grants", json={"person": "Pat", "office": "patron"}), 422, "malformed")
    assert licensee.http.delete(f"/v1/grants/{made.json()['id']}").status_code == 204
    assert post("/v1/grants", json={**grant, "office": "cage"}).status_code == 201


def test_a_submission_is_refused_with_every_error(house: Served) -> None:
    licensee = make_table(house)
    post, kind = licensee.http.post, {"Content-Type": "application/toml"}
    text = NJ.read_text(encoding="utf-8")
    broken = text.replace("seats = 7", "seats = 70").replace('law = "us-nj', 'law = "us-xx')
    assert broken != text
    said = problem(post("/v1/tables", content=broken, headers=kind), 422, "refused_submission")
    assert len(said["errors"]) >= 2
    assert all(one["line"] for one in said["errors"])
    listed = text.replace('numbering = "counterclockwise"', "numbering = []")
    said = problem(post("/v1/tables", content=listed, headers=kind), 422, "refused_submission")
    assert [one["where"] for one in said["errors"]] == ["table.numbering"]
    problem(post("/v1/tables", content="[", headers=kind), 422, "malformed")
    problem(licensee.http.get(f"{T}/rounds/{'9' * 5000}"), 404, "not_found")
    own = {"Origin": house.place, "Content-Type": "application/x-www-form-urlencoded"}
    problem(house.anybody().post("/enter", content="a=1&" * 9, headers=own), 422, "malformed")
    problem(post("/v1/tables", content=text, headers=kind), 409, "exists")
    problem(post("/v1/tables?table=a/b", content=text, headers=kind), 422, "malformed")
    problem(post("/v1/tables?table=T2&cards=marked", content=text, headers=kind), 422, "malformed")
    dealer = house.person("dealer", "Dana")
    problem(dealer.http.post("/v1/tables", content=text, headers=kind), 403, "not_allowed")
    problem(licensee.http.get(f"{T}/shoes"), 409, "no_shoe")


def test_a_link_is_good_once(house: Served) -> None:
    licensee = make_table(house)
    made = {"link": house.link("dealer", "Dana")}
    anybody = house.anybody()
    token = anybody.post("/v1/tokens", json={"link": made["link"]})
    assert token.status_code == 201
    dealer = Person(house.place, token.json()["token"])
    assert dealer.sees("/v1/tokens/mine")["person"] == "Dana"
    dealer.http.close()
    problem(anybody.post("/v1/tokens", json={"link": made["link"]}), 410, "gone")
    waits = licensee.http.post("/v1/grants", json={"person": "Dora", "office": "dealer"}).json()
    problem(anybody.post("/v1/tokens", json={"link": waits["link"]}), 403, "not_consented")


def test_a_page_has_its_token_in_a_cookie_and_is_asked_from_its_own_origin_alone(
    house: Served,
) -> None:
    make_table(house)
    made = {"link": house.link("dealer", "Dana")}
    page = house.anybody()
    shown = page.get("/enter", params={"link": made["link"]})
    assert made["link"] in shown.text
    assert "script" not in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "unsafe" not in shown.headers["content-security-policy"]
    form = {"link": made["link"]}
    problem(page.post("/enter", data=form), 403, "wrong_origin")
    problem(page.post("/enter", data=form, headers={"Origin": "http://evil"}), 403, "wrong_origin")
    own = {"Origin": house.place}
    entered = page.post("/enter", data=form, headers=own)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert page.get("/v1/tokens/mine").json()["person"] == "Dana"
    key = {"Idempotency-Key": "a"}
    problem(page.post(f"{T}/commands", json=SEAT, headers=key), 403, "wrong_origin")
    answer = page.post(f"{T}/commands", json=SEAT, headers={**key, **own})
    assert answer.json()["code"] != "wrong_origin"
    problem(page.get(T, headers={"Sec-Fetch-Site": "cross-site"}), 403, "wrong_origin")
    answer = page.get("/healthz")
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_another_host_is_not_served(house: Served) -> None:
    problem(house.anybody().get("/healthz", headers={"Host": "evil.example"}), 421, "wrong_host")


def test_names_of_hosts_have_no_case(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    address = Address(port=port, origin="Pit.Example", names=("Other.example",))
    with served(tmp_path / "pit.sqlite", address=address):
        for host in ("pit.example", "PIT.example", "other.Example"):
            url = f"http://127.0.0.1:{port}/healthz"
            assert httpx.get(url, headers={"Host": host}).status_code == 200, host


def test_whoever_asks_too_much_is_told_when_to_come_again(tmp_path: Path) -> None:
    limits = Limits(per_second=1, burst=6, streams_of_a_grant=1)
    with served(tmp_path / "pit.sqlite", limits) as house:
        make_table(house)
        board = house.person("board")
        answers = [board.http.get(T) for _ in range(8)]
        assert [one.status_code for one in answers[:6]] == [200] * 6
        assert int(answers[-1].headers["retry-after"]) >= 1
        problem(answers[-1], 429, "too_many")
        other = house.person("board", "other", id="other")
        with other.http.stream("GET", f"{T}/events") as answer:
            assert answer.status_code == 200
            second = other.http.get(f"{T}/events")
            problem(second, 429, "too_many")


def test_a_body_that_does_not_come_is_given_up(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", Limits(body_seconds=0.2)) as house:
        make_table(house)
        token = house.token("dealer", "Dana")
        host, port = house.place.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as slow:
            slow.sendall(
                f"POST {T}/commands HTTP/1.1\r\nHost: {host}:{port}\r\nIdempotency-Key: a\r\n"
                f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                "Content-Length: 100\r\n\r\n{".encode()
            )
            answer = b""
            while b'"trace"' not in answer and (more := slow.recv(65536)):
                answer += more
    assert b" 408 " in answer.split(b"\r\n")[0]
    assert b'"code":"timeout"' in answer


def test_a_service_that_ends_takes_nothing_more(house: Served) -> None:
    dealer, _ = opened(house)
    house.service.closes.set()
    problem(dealer.does("MB-101", SEAT), 503, "closing")
    assert house.anybody().get("/readyz").status_code == 503


def test_a_stream_that_missed_too_much_is_told_to_load_the_table(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", Limits(replayed=2, beat_seconds=0.2)) as house:
        dealer, _ = opened(house)
        for seat in (1, 2, 3):
            dealer.does("MB-101", {**SEAT, "seat": seat, "patron": f"Pat {seat}"})
        for after in (0, 99):
            heard = listen(dealer, f"{T}/events?after={after}", bool)
            assert heard == [("", "resync", {"seq": 4})]
        problem(dealer.http.get(f"{T}/events", headers={"Last-Event-ID": "x"}), 422, "malformed")


def test_a_day_is_not_ended_under_the_rules_that_the_table_has(house: Served) -> None:
    licensee = make_table(house)
    a_day(house)
    head = {"Idempotency-Key": "ends", "Content-Type": "application/toml"}
    problem(
        licensee.http.post(f"{T}/days", headers=head, content=NJ.read_bytes()), 409, "no_amendment"
    )


def test_a_day_under_way_is_not_ended_and_cards_that_never_came_have_no_odds(house: Served) -> None:
    make_table(house)
    _, floor = open_table(house)
    key = {"Idempotency-Key": "ends"}
    problem(floor.http.post(f"{T}/days", headers=key), 409, "day_under_way")
    problem(house.person("surveillance").http.get(f"{T}/odds"), 409, "no_odds")


def test_every_code_is_brought_about() -> None:
    """Each code of the service is expected by a test of this file, or named above."""
    calls = [node for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
             if isinstance(node, ast.Call) and ast.unparse(node.func) == "problem"]  # fmt: skip
    expected = {ast.literal_eval(call.args[2]) for call in calls}
    assert CODES.keys() - expected - TESTED == set()
