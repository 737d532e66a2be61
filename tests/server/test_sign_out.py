"""Signing in and out: a stream ends with its token, and nobody uses up the tries of others."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from croupier.records.codec import from_json
from croupier.records.entry import system_clock
from croupier.records.stores.store import FullError
from croupier.server.grants import HOURS_12, Grants, digest_of
from croupier.server.http.calls import form_token
from croupier.server.http.limits import Limits
from croupier.server.http.problems import Problem
from croupier.server.resources.page_calls import PAGES
from support.served import Served, listen, problem, served
from support.tables import make_table, open_table

T = "/v1/tables/MB-101"
FEW = Limits(per_second=0.1, burst=10, beat_seconds=0.2)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        yield one


def browser(house: Served, office: str, person: str) -> httpx.Client:
    http = house.anybody()
    http.headers["Origin"] = house.place
    http.post("/enter", data={"link": house.link(office, person)})
    assert http.cookies
    return http


def test_every_page_signs_out(house: Served) -> None:
    http = browser(house, "floorperson", "Flo")
    pages = ["/tables", "/tables/MB-101", "/people", "/drills", "/pits/1"]
    operator = browser(house, "operator", "Oz")
    assert 'action="/leave"' in operator.get("/operator").text
    for page in pages:
        text = http.get(page, follow_redirects=True).text
        assert re.search(r'action="/leave"', text), page
        assert "Sign out" in text
    form = re.search(r'name="form" value="([^"]+)"', text)
    assert form is not None
    token = http.cookies["croupier"]
    problem(
        http.post("/leave", data={"form": "x"}, headers={"Accept": "application/json"}),
        403, "wrong_origin",
    )  # fmt: skip
    left = http.post("/leave", data={"form": form[1]})
    assert (left.status_code, "You are signed out" in left.text) == (200, True)
    assert "croupier" not in http.cookies
    with httpx.Client(base_url=house.place, headers={"Authorization": f"Bearer {token}"}) as again:
        problem(again.get(T), 401, "no_token")
    http.close()


def test_a_token_is_ended_without_a_page(house: Served) -> None:
    dealer, other = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    assert dealer.http.delete("/v1/tokens/mine").status_code == 204
    problem(dealer.http.delete("/v1/tokens/mine"), 401, "no_token")
    assert other.http.get(T).status_code == 200


def test_a_stream_ends_with_its_token(house: Served) -> None:
    dealer = house.person("dealer", "Dana")
    ended = threading.Event()

    def follow() -> None:
        listen(dealer, f"{T}/events", lambda _: False)
        ended.set()

    thread = threading.Thread(target=follow)
    thread.start()
    end = monotonic() + 10
    while not len(house.service.tables["MB-101"].hub):
        assert monotonic() < end
    with httpx.Client(base_url=house.place, headers=dealer.http.headers) as same:
        assert same.delete("/v1/tokens/mine").status_code == 204
    assert ended.wait(10)
    thread.join(10)


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_that_comes_after_its_token_has_ended_does_nothing(house: Served, kind: str) -> None:
    dealer, _ = open_table(house)
    before = house.service.tables["MB-101"].desk.durable.sequence
    host = house.place.removeprefix("http://")
    name, _, port = host.partition(":")
    if kind == "application/json":
        path, body = f"{T}/commands", b'{"type":"WriteNote","text":"late"}'
        proof = f"authorization: Bearer {dealer.token}\r\nidempotency-key: late\r\n"
    else:
        path, form = f"{PAGE}/acts", {"command": "WriteNote", "text.text": "late", "key": "late"}
        body = urlencode(form | {"form": form_token(dealer.token)}).encode()
        proof = f"cookie: croupier={dealer.token}\r\norigin: {house.place}\r\n"
    with socket.create_connection((name, int(port))) as line:
        line.sendall(
            f"POST {path} HTTP/1.1\r\nhost: {host}\r\n{proof}content-type: {kind}\r\n"
            f"content-length: {len(body)}\r\n\r\n".encode()
            + body[:5]
        )
        sleep(0.3)
        house.do(house.service.grants.sign_out(dealer.token))
        line.sendall(body[5:])
        assert line.recv(4096).startswith(b"HTTP/1.1 401")
    assert house.service.tables["MB-101"].desk.durable.sequence == before


def test_wrong_links_of_one_sender_keep_nobody_out(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", limits=FEW) as house:
        link, http = house.link("dealer", "Dana"), house.anybody()
        codes = [http.post("/v1/tokens", json={"link": f"no{one}"}).status_code for one in range(6)]
        assert codes[-1] == 429
        assert http.post("/v1/tokens", json={"link": link}).status_code == 201


def test_guesses_at_the_code_of_a_link_are_few(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", limits=FEW) as house:
        floor, boss = house.person("floorperson", "Flo"), house.person("pit boss", "Bo")
        made = floor.http.post("/v1/grants", json={"person": "Dora", "office": "dealer"}).json()
        code = boss.http.post(f"/v1/grants/{made['id']}", json={"consent": True}).json()["code"]
        http = house.anybody()
        asked = [
            http.post("/v1/tokens", json={"link": made["link"], "code": guess}).status_code
            for guess in ("22222222", "33333333", "44444444", code)
        ]
        assert asked == [403, 403, 429, 429]


def test_the_token_of_equipment_lasts_as_long_as_its_grant(house: Served) -> None:
    now = house.service.now()
    year = 365 * 2 * HOURS_12
    later = now + HOURS_12 + 60_000
    of_token = house.service.grants.of_token
    for office, lasts in (("machine", True), ("board", True), ("dealer", False)):
        token = house.token(office, f"{office} 1", hours_ms=year)
        assert (of_token(token, later) is not None) is lasts, office
        assert of_token(token, now + year + 60_000) is None


def test_a_token_is_renewed_up_to_the_end_of_its_grant(tmp_path: Path) -> None:
    begun, ahead = system_clock(), [0.0]
    with served(tmp_path / "pit.sqlite", clock=lambda: begun + timedelta(hours=ahead[0])) as house:
        make_table(house)
        http = house.person("dealer", "Dana", hours_ms=2 * HOURS_12 - 3_600_000).http
        mine = "/v1/tokens/mine"

        def renewed() -> str:
            answer = http.post(mine)
            assert answer.status_code == 201, answer.text
            return str(answer.json()["token"])

        first, second = renewed(), renewed()
        # An answer that was lost is asked for again by the old token, for a minute.
        assert first != second
        ahead[0] = 1 / 30
        assert http.get(mine).status_code == 401
        assert http.post(mine).status_code == 401
        http.headers["Authorization"] = f"Bearer {second}"
        ahead[0] = 11
        assert http.get(mine).json()["person"] == "Dana"
        http.headers["Authorization"] = f"Bearer {renewed()}"
        ahead[0] = 22.9
        assert http.get(mine).status_code == 200
        http.headers["Authorization"] = f"Bearer {renewed()}"
        # The grant was for 23 hours.
        ahead[0] = 23.1
        assert http.get(mine).status_code == 401
        ahead[0] = 22.95
        grant = http.get(mine).json()["id"]
        assert house.person("licensee", "Lou").http.delete(f"/v1/grants/{grant}").is_success
        assert http.post(mine).status_code == 401


def test_the_renewed_token_of_equipment_lasts_a_minute_more(house: Served) -> None:
    board = house.person("board")
    assert board.http.post("/v1/tokens/mine").status_code == 201
    token = board.token
    now, of_token = house.service.now(), house.service.grants.of_token
    assert of_token(token, now + 30_000) is not None
    assert of_token(token, now + 70_000) is None


def test_a_token_has_one_successor(house: Served) -> None:
    dealer, mine = house.person("dealer", "Dana"), "/v1/tokens/mine"
    lost, came = (dealer.http.post(mine).json()["token"] for _ in range(2))
    now, of_token = house.service.now(), house.service.grants.of_token
    # Whoever has a copy of the old token cannot make any number of others of it.
    assert of_token(lost, now) is None
    assert of_token(came, now) is of_token(dealer.token, now) is not None


@pytest.mark.parametrize("first", ["ends", "renewed"])
def test_a_token_that_ends_while_it_is_renewed_has_no_successor(house: Served, first: str) -> None:
    dealer, grants = house.person("dealer", "Dana"), house.service.grants
    now = house.service.now()
    grant = grants.of_token(dealer.token, now)
    assert grant is not None

    async def both() -> list[object]:
        ends, renewed = grants.sign_out(dealer.token), grants.renewed(dealer.token, grant, now)
        asked = (ends, renewed) if first == "ends" else (renewed, ends)
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = house.do(both())
    refused = answers[1] if first == "ends" else None
    assert refused is None or (isinstance(refused, Problem) and refused.code == "no_token")
    assert grant.id not in {one.grant for one in grants._proofs["token"].values()}  # noqa: SLF001


def test_a_renewed_token_is_no_sign_in(house: Served) -> None:
    dealer, grants = house.person("dealer", "Dana"), house.service.grants
    now = house.service.now()
    grant = grants.of_token(dealer.token, now)
    assert grant is not None
    (since,) = grants.sessions(grant.id, now)
    house.do(grants.renewed(dealer.token, grant, now + HOURS_12 // 2))
    assert {*grants.sessions(grant.id, now)} == {since}


def test_the_session_of_a_page_is_prolonged_by_who_uses_it(tmp_path: Path) -> None:
    begun, ahead = system_clock(), [0.0]
    with served(
        tmp_path / "pit.sqlite", clock=lambda: begun + timedelta(hours=ahead[0]), more=PAGES
    ) as house:
        make_table(house)
        more: dict[str, Any] = {"person": "Dana", "hours_ms": 4 * HOURS_12 // 3}
        person = house.person("dealer", **more)
        http = house.anybody()
        http.headers["Origin"] = house.place
        http.cookies.set("croupier", person.token)

        def goes(hours: float, **headers: str) -> int:
            ahead[0] = hours
            stated = {name.replace("_", "-"): value for name, value in headers.items()}
            answer = http.get("/tables", headers=stated)
            set_again = "croupier=" in answer.headers.get("set-cookie", "")
            assert not set_again or "HttpOnly" in answer.headers["set-cookie"]
            return answer.status_code * (-1 if set_again else 1)

        # Neither early, nor by what an open page asks for, nor by a script with a bearer token.
        assert goes(5, sec_fetch_mode="navigate") == 200
        assert goes(7) == goes(7, sec_fetch_mode="cors", accept="text/html") == 200
        ahead[0] = 7
        assert person.http.post("/v1/tables/MB-101/commands", json={}).status_code == 428
        form = note_form(http)
        # Forms of the page that is open go on, and so do streams: the token is the same.
        assert goes(11, sec_fetch_mode="navigate") == -200
        assert goes(12.5) == 200
        assert note_form(http)["form"] == form["form"]
        # The grant is for 16 hours.
        assert goes(15.9, sec_fetch_mode="navigate") == 200
        assert goes(16.1, sec_fetch_mode="navigate") == 401


def test_what_was_done_is_answered_as_done_if_the_session_cannot_be_prolonged(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealer, _ = open_table(house)
    http = house.anybody()
    http.headers["Origin"] = house.place
    http.cookies.set("croupier", dealer.token)

    async def full(*_: object) -> None:
        raise FullError("full")

    monkeypatch.setattr(house.service.grants, "prolong", full)
    command = {"type": "WriteNote", "text": "seen"}
    path, headers = f"{T}/commands", {"Idempotency-Key": "note"}
    answer = http.post(path, json=command, headers=headers)
    assert (answer.status_code, answer.json()["seq"]) == (200, 2)


def test_a_session_that_is_over_or_signed_out_is_not_prolonged(house: Served) -> None:
    dealer, grants = house.person("dealer", "Dana", hours_ms=2 * HOURS_12), house.service.grants
    now = house.service.now()
    grant = grants.of_token(dealer.token, now)
    assert grant is not None
    late = now + HOURS_12 - 1000
    assert house.do(grants.prolong(dealer.token, grant, now + HOURS_12)) is None
    assert house.do(grants.prolong("another", grant, late)) is None
    renewed, _ = house.do(grants.renewed(dealer.token, grant, late))
    # The old token of a renewed one ends in a minute.
    assert house.do(grants.prolong(dealer.token, grant, late)) is None
    house.do(grants.sign_out(renewed))
    assert house.do(grants.prolong(renewed, grant, late)) is None


def test_a_session_that_ends_while_it_is_prolonged_stays_ended(house: Served) -> None:
    dealer, grants = house.person("dealer", "Dana", hours_ms=2 * HOURS_12), house.service.grants
    grant = grants.of_token(dealer.token, house.service.now())
    assert grant is not None
    late = house.service.now() + HOURS_12 - 1000

    async def both() -> None:
        ends = asyncio.ensure_future(grants.sign_out(dealer.token))
        await asyncio.sleep(0)
        await asyncio.gather(ends, grants.prolong(dealer.token, grant, late))

    house.do(both())
    assert grants.of_token(dealer.token, house.service.now()) is None
    assert digest_of(dealer.token) not in house.service.store.documents("token")


def test_a_session_that_was_signed_out_at_another_process_stays_ended(house: Served) -> None:
    dealer, grants = house.person("dealer", "Dana", hours_ms=2 * HOURS_12), house.service.grants
    grant = grants.of_token(dealer.token, house.service.now())
    assert grant is not None
    late = house.service.now() + HOURS_12 - 1000
    others = house.service.store.documents("token").keys() - {digest_of(dealer.token)}
    # What another process has read, and not heard of since.
    first, second = (Grants(house.service.store, house.service.commits) for _ in range(2))
    house.do(grants.sign_out(dealer.token))
    assert house.do(first.prolong(dealer.token, grant, late)) is None
    with pytest.raises(Problem):
        house.do(second.renewed(dealer.token, grant, late))
    assert house.service.store.documents("token").keys() == others


# --- two persons at one desk ---

PAGE = "/tables/MB-101"


def change(http: httpx.Client, link: str, **more: str) -> httpx.Response:
    """Sign in at a window in which somebody else is signed in."""
    return http.post("/enter", data={"link": link, "to": PAGE, **more})


def note_form(http: httpx.Client) -> dict[str, str]:
    """Return the form by which the page writes a note, as it is."""
    form = re.search(r'name="form" value="([^"]+)"', http.get(PAGE).text)
    assert form is not None
    return {
        "form": form[1],
        "key": secrets.token_hex(4),
        "command": "WriteNote",
        "text.text": "seen",
    }


def notes(house: Served) -> list[str]:
    lines = [from_json(line) for line in [*house.service.store.lines("MB-101")][1:]]
    return [one["by"][0]["person"] for one in lines if one["command"]["type"] == "WriteNote"]


@pytest.mark.parametrize("whole", [True, False], ids=["address", "code"])
def test_a_second_person_goes_on_at_the_same_page_in_their_own_name(
    house: Served, *, whole: bool
) -> None:
    open_table(house)
    http = browser(house, "floorperson", "Flo")
    first, sent = http.cookies["croupier"], note_form(http)
    assert http.post(f"{PAGE}/acts", data={**sent, "key": "a"}).status_code == 303
    link = house.link("dealer", "Dana")
    answer = change(http, f"{house.place}/enter?link={link}" if whole else link)
    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert "Dana" in http.get(PAGE).text
    # A form of the first person's page does nothing in the name of the second.
    stale = http.post(f"{PAGE}/acts", data={**sent, "key": "b"})
    assert stale.status_code == 403
    assert notes(house) == ["Flo"]
    assert http.post(f"{PAGE}/acts", data=note_form(http)).status_code == 303
    assert notes(house) == ["Flo", "Dana"]
    with httpx.Client(base_url=house.place, headers={"Authorization": f"Bearer {first}"}) as old:
        problem(old.get(T), 401, "no_token")


def test_the_page_of_who_signs_out_takes_the_next_person_to_where_it_was(house: Served) -> None:
    http = browser(house, "floorperson", "Flo")
    page = http.get(PAGE).text
    hidden = dict(re.findall(r'type="hidden" name="(form|to)" value="([^"]*)"', page))
    left = http.post("/leave", data=hidden)
    assert re.search(r'name="link"[^>]*required', left.text)
    back = re.search(r'type="hidden" name="to" value="([^"]*)"', left.text)
    assert back is not None
    answer = http.post("/enter", data={"link": house.link("dealer", "Dana"), "to": back[1]})
    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert "Dana" in http.get(PAGE).text


def test_a_refused_sign_in_leaves_the_first_person_signed_in(house: Served) -> None:
    http = browser(house, "surveillance", "Sue")
    assert change(http, "nonsense").status_code == 410
    assert "Sue" in http.get(PAGE).text


def test_who_made_a_grant_does_not_change_to_it(house: Served) -> None:
    """Somebody who had a part in a grant could otherwise become the other person at once."""
    http = browser(house, "floorperson", "Flo")
    made = http.post(
        "/v1/grants", json={"person": "Dora", "office": "dealer"}, headers={"Origin": house.place}
    ).json()
    boss = house.person("pit boss", "Bo")
    code = boss.http.post(f"/v1/grants/{made['id']}", json={"consent": True}).json()["code"]
    refused = change(http, made["link"], code=code)
    assert (refused.status_code, "had a part in the grant" in refused.text) == (403, True)
    assert "Flo" in http.get(PAGE).text


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example/", "/\\evil.example", "/a//b", "/a?b", "", "x"]
)
def test_the_way_back_is_a_page_of_the_service(house: Served, to: str) -> None:
    http = browser(house, "surveillance", "Sue")
    answer = http.post("/enter", data={"link": house.link("licensee", "Lou"), "to": to})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_another_origin_changes_nobody(house: Served) -> None:
    http = browser(house, "surveillance", "Sue")
    data = {"link": house.link("licensee", "Lou"), "to": PAGE}
    headers = {"Origin": "https://evil.example", "Accept": "application/json"}
    problem(http.post("/enter", data=data, headers=headers), 403, "wrong_origin")
    assert "Sue" in http.get(PAGE).text
