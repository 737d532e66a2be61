"""One token is one person: grants, links, consents, and revocations, and the record of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from croupier.acts.roles import LOOKS
from croupier.records.codec import from_json
from croupier.records.entry import system_clock
from croupier.records.grants import Grant
from croupier.records.pit_log import resume_pit
from croupier.server.grants import Grants
from croupier.server.opening import PEOPLE, office_links
from croupier.server.views import Viewer, seen_pit_entry
from croupier.table.machine.core import Refusal
from croupier.table.pit import (
    ConsentToGrant,
    MakeLink,
    SignIn,
    decide_pit,
    evolve_pit,
    may_in_pit,
)
from croupier.verify.pit_log import verify_pit_lines
from support.pit_service import Clock
from support.served import NJ, Person, Served, problem, served
from support.tables import NOTIFIED, OPEN, given, make_table, opened

T = "/v1/tables/MB-101"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


def signs_in(house: Served, link: str, code: str = "", by: Person | None = None) -> httpx.Response:
    client = house.anybody() if by is None else by.http
    return client.post("/v1/tokens", json={"link": link, "code": code} if code else {"link": link})


def grants(maker: Person, person: str, office: str, **more: Any) -> dict[str, Any]:
    answer = maker.http.post("/v1/grants", json={"person": person, "office": office, **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def consents(who: Person, grant: str, *, agreed: bool = True) -> httpx.Response:
    return who.http.post(f"/v1/grants/{grant}", json={"consent": agreed})


def admitted(house: Served, maker: Person, second: Person, *of: str, **more: Any) -> Person:
    """Return somebody whom one person has granted an office, and a second has consented to."""
    made = grants(maker, *of, **more)
    code = consents(second, made["id"]).json()["code"]
    answer = signs_in(house, made["link"], code)
    assert answer.status_code == 201, answer.text
    return Person(house.place, answer.json()["token"])


def entries(house: Served) -> list[dict[str, Any]]:
    return [from_json(line) for line in [*house.service.store.lines("pit:1")][1:]]


def acts(house: Served) -> list[str]:
    return [one["command"]["type"] for one in entries(house)]


def is_clean(house: Served) -> bool:
    lines = house.service.store.lines("pit:1")
    tables = [(Path("MB-101"), house.service.store.lines("MB-101"))]
    return verify_pit_lines(Path("pit"), lines, tables).is_clean


# --- a pit opens ---


def test_a_pit_opens_and_a_dealer_is_relieved(house: Served) -> None:
    links = {office: code for _, office, _, code in house.do(office_links(house.service, PEOPLE))}
    staff = {
        office: Person(house.place, signs_in(house, links[office]).json()["token"])
        for office in ("licensee", "pit boss", "floorperson", "dealer")
    }
    licensee, boss, floor, dealer = staff.values()
    made = licensee.http.post(
        "/v1/tables", params={"notified": NOTIFIED}, content=NJ.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )  # fmt: skip
    assert made.status_code == 201, made.text
    given(floor, dealer, {**OPEN, "dealer": "dealer", "floorperson": "floorperson"})

    # The whole address may be sent, as it is printed.
    link = grants(floor, "board 1", "board", tables=["MB-101"])["link"]
    board = signs_in(house, f"https://pit.example:8750/enter?link={link}")
    assert board.status_code == 201
    dora = admitted(house, floor, boss, "Dora", "dealer", tables=["MB-101"])
    given(floor, dora, {"type": "RelieveDealer", "dealer": "Dora"})
    old = next(
        one for one in floor.sees("/v1/grants")["grants"] if one["person"] == "dealer"
    )  # fmt: skip
    assert floor.http.delete(f"/v1/grants/{old['id']}").status_code == 204
    problem(dealer.http.get(T), 401, "no_token")

    assert (
        dora.does("MB-101", {"type": "SeatPatron", "seat": 3, "patron": "Pat"}).status_code == 200
    )
    # The dealer, who sees the patron, consents to the patron's link.
    pat = admitted(house, floor, dora, "Pat", "patron", tables=["MB-101"], seat=3)
    assert pat.sees("/v1/tokens/mine")["seat"] == 3

    count = {kind: acts(house).count(kind) for kind in set(acts(house))}
    assert count == {
        "GrantOffice": len(PEOPLE) + 3, "SignIn": 4 + 3, "AdmitTable": 1, "ConsentToGrant": 2,
        "RevokeGrants": 1,
    }  # fmt: skip
    by = {one["command"]["type"]: one["by"][0]["person"] for one in entries(house)}
    assert (by["ConsentToGrant"], by["RevokeGrants"], by["SignIn"]) == (
        "Dora",
        "floorperson",
        "Pat",
    )
    assert is_clean(house)
    for one in (dora, pat):
        one.http.close()
    for one in staff.values():
        one.http.close()


def test_no_token_and_no_code_is_in_the_record(house: Served) -> None:
    make_table(house)
    floor, boss = house.person("floorperson", "Flo"), house.person("pit boss", "Bo")
    made = grants(floor, "Dora", "dealer")
    code = consents(boss, made["id"]).json()["code"]
    token = signs_in(house, made["link"], code).json()["token"]
    record = b"".join(house.service.store.lines("pit:1"))
    for secret in (made["link"], code, token, floor.token):
        assert secret.encode() not in record


def test_the_command_line_makes_another_link_to_a_grant(house: Served) -> None:
    make_table(house)
    licensee, boss = house.person("licensee", "Lou"), house.person("pit boss", "Bo")
    dora = admitted(house, licensee, boss, "Dora", "dealer")
    people = {"dealer": "Dora", "cage": "Gia"}
    for number in (1, 2):
        links = {one: code for _, one, _, code in house.do(office_links(house.service, people))}
        answer = signs_in(house, links["dealer"]).json()
        assert answer["id"] == dora.sees("/v1/tokens/mine")["id"]
        assert acts(house).count("GrantOffice") == 2
        assert acts(house).count("MakeLink") == 2 * number - 1
    assert is_clean(house)
    dora.http.close()


# --- neither the maker nor the second person can sign in alone ---


def test_a_link_takes_its_maker_and_a_second_person(house: Served) -> None:
    make_table(house)
    floor, boss = house.person("floorperson", "Flo"), house.person("pit boss", "Bo")
    dealer = house.person("dealer", "Dana")
    made = grants(floor, "Dora", "dealer")
    assert "token" not in made
    assert made["needs"] == ["licensee", "pit boss", "surveillance"]
    link, name = made["link"], made["id"]
    problem(signs_in(house, link), 403, "not_consented")
    for nobody in (floor, dealer, house.person("floorperson", "Fay"), house.person("cage")):
        problem(consents(nobody, name), 403, "two_persons")
    other = house.person("pit boss", "Bea", pit="2")
    problem(consents(other, name), 410, "gone")
    assert link not in boss.http.get("/v1/grants").text
    code = consents(boss, name).json()["code"]
    problem(consents(boss, name), 410, "gone")
    for wrong in ("", "2222-2222", link):
        problem(signs_in(house, link, wrong), 403, "not_consented")
    for part in (floor, boss):
        problem(signs_in(house, link, code, part), 403, "two_persons")
    assert signs_in(house, link, f"{code[:4]}-{code[4:].lower()}").status_code == 201
    problem(signs_in(house, link, code), 410, "gone")
    assert acts(house).count("SignIn") == 1


def test_a_grant_that_is_declined_is_none(house: Served) -> None:
    make_table(house)
    floor, boss = house.person("floorperson", "Flo"), house.person("pit boss", "Bo")
    made = grants(floor, "Dora", "dealer")
    assert consents(boss, made["id"], agreed=False).json() == {"declined": made["id"]}
    problem(consents(boss, made["id"]), 410, "gone")
    problem(signs_in(house, made["link"]), 410, "gone")
    last = entries(house)[-1]
    assert last["command"]["type"] == "DeclineConsent"
    assert (last["by"][0]["person"], last["command"]["asked_by"]) == ("Bo", ["Flo"])
    assert is_clean(house)


def test_a_person_has_one_grant(house: Served) -> None:
    make_table(house)
    licensee, boss = house.person("licensee", "Lou"), house.person("pit boss", "Bo")
    dana = house.person("dealer", "Dana", id="dana")
    for maker, person, office, code in (
        (licensee, "Dana", "dealer", "exists"),
        (licensee, "Dana", "cage", "two_offices"),
        (licensee, "Lou", "licensee", "exists"),
        (boss, "Bo", "dealer", "two_offices"),
        (boss, "DANA", "dealer", "lookalike"),
    ):
        answer = maker.http.post("/v1/grants", json={"person": person, "office": office})
        problem(answer, 409, code)
    # Two grants that wait, of which one is consented to.
    first, second = (grants(licensee, "Dora", office) for office in ("dealer", "cage"))
    assert consents(boss, first["id"]).status_code == 200
    problem(consents(boss, second["id"]), 409, "two_offices")
    assert licensee.http.delete("/v1/grants/dana").status_code == 204
    problem(dana.http.get(T), 401, "no_token")
    grants(licensee, "Dana", "cage")


# --- how a grant ends ---


def test_a_grant_ends_with_that_of_its_maker(tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", clock=clock) as house:
        make_table(house)
        hour = timedelta(hours=1) // timedelta(milliseconds=1)
        boss = house.person("pit boss", "Bo")
        floor = house.person("floorperson", "Flo", hours_ms=hour)
        made = grants(floor, "Dora", "dealer", hours=8000)
        assert made["until"] == house.service.now() + hour
        code = consents(boss, made["id"]).json()["code"]
        dora = Person(house.place, signs_in(house, made["link"], code).json()["token"])
        dora.sees("/v1/tokens/mine")
        clock.wait(59)
        dora.sees("/v1/tokens/mine")
        clock.wait(2)
        problem(dora.http.get(T), 401, "no_token")
        dora.http.close()


def test_revoking_a_grant_revokes_those_made_with_it(house: Served) -> None:
    make_table(house)
    licensee = house.person("licensee", "Lou")
    boss = house.person("pit boss", "Bo", id="bo")
    flo = admitted(house, boss, licensee, "Flo", "floorperson")
    dora = admitted(house, flo, licensee, "Dora", "dealer")
    board = signs_in(house, grants(flo, "board", "board")["link"]).json()
    ids = [one.sees("/v1/tokens/mine")["id"] for one in (flo, dora)]
    waits = grants(flo, "Dean", "dealer")
    assert boss.http.delete(f"/v1/grants/{ids[0]}").status_code == 204
    for token in (flo.token, dora.token, board["token"]):
        answer = house.anybody().get(T, headers={"Authorization": f"Bearer {token}"})
        problem(answer, 401, "no_token")
    problem(consents(licensee, waits["id"]), 410, "gone")
    ended = entries(house)[-1]
    assert ended["command"]["type"] == "RevokeGrants"
    assert set(ended["command"]["grants"]) == {*ids, board["id"], waits["id"]}
    assert is_clean(house)
    problem(boss.http.delete(f"/v1/grants/{ids[0]}"), 404, "not_found")
    flo.http.close()
    dora.http.close()


def test_an_act_on_grants_that_waited_behind_the_end_of_its_own_does_nothing(
    house: Served,
) -> None:
    make_table(house)
    boss, flo = house.person("pit boss", "Bo"), house.person("floorperson", "Flo", id="flo")
    house.token("dealer", "Dan", id="dan", tables=("MB-101",))
    made, registry = grants(boss, "Dora", "dealer"), house.service.grants
    asked: tuple[Callable[[], httpx.Response], ...] = (
        lambda: consents(flo, made["id"]),
        lambda: flo.http.post("/v1/grants", json={"person": "Eve", "office": "dealer"}),
        lambda: flo.http.delete("/v1/grants/dan"),
    )

    async def released() -> None:
        registry.changing.release()

    before = acts(house)
    house.do(registry.changing.acquire())
    with ThreadPoolExecutor(len(asked)) as several:
        answers = [several.submit(one) for one in asked]
        sleep(0.2)
        house.do(registry.revoke(("flo",), house.service.now()))
        house.do(released())
    for answer in answers:
        problem(answer.result(), 401, "no_token")
    assert acts(house) == before


@pytest.mark.parametrize(
    ("office", "below"),
    [
        ("licensee", {*LOOKS}),
        ("pit boss", {"dealer", "floorperson", "pit clerk", "patron", "machine", "board"}),
        ("floorperson", {"dealer", "patron", "machine", "board"}),
        ("surveillance", set()),
        ("dealer", set()),
        ("cage", set()),
    ],
)
def test_an_office_revokes_those_below(house: Served, office: str, below: set[str]) -> None:
    make_table(house)
    who = house.person(office, "Who")
    for number, other in enumerate(LOOKS):
        seat = {"seat": 3, "tables": ("MB-101",)} if other == "patron" else {}
        house.token(other, f"Person {number}", id=f"g{number}", **seat)
        status = who.http.delete(f"/v1/grants/g{number}").status_code
        assert status == (204 if other in below else 404), other
    house.token("dealer", "Elsewhere", id="elsewhere", pit="2")
    assert who.http.delete("/v1/grants/elsewhere").status_code == 404


@pytest.mark.parametrize(
    ("made_by", "consented_by", "status"),
    [("g", "second", 200), ("g", "", 401), ("over", "second", 401), ("none", "second", 401)],
)
def test_a_grant_in_the_store_is_in_force_with_its_maker_and_a_consent(
    house: Served, made_by: str, consented_by: str, status: int
) -> None:
    """One that a single person made, in an older store, is not; nor one that outlives its maker."""
    make_table(house)
    now = house.service.now()
    house.token("floorperson", "Flo", id="g")
    house.token("floorperson", "Fay", id="over", hours_ms=-1)
    kept = Grant("old", "Dora", "dealer", "1", until=now + 10**6, made_by=made_by)
    written = {**msgspec.to_builtins(kept), "consented_by": consented_by}
    if not consented_by:
        del written["consented_by"]
    house.service.store.put("grant", "old", msgspec.json.encode(written))
    house.do(house.service.grants.read_again())
    token, _ = house.do(house.service.grants.token(kept, now))
    answer = house.anybody().get(T, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status


@pytest.mark.parametrize("heard", [("grant", "new"), ()])
def test_a_grant_revoked_as_another_process_consents_to_it_stays_revoked(
    house: Served, heard: tuple[str, ...]
) -> None:
    make_table(house)
    now, grants = house.service.now(), house.service.grants
    house.token("floorperson", "Flo", id="g")
    house.token("surveillance", "Sue", id="second")
    second = grants.get("second")
    assert second is not None
    new = Grant("new", "Dora", "dealer", "1", until=now + 10**6, made_by="g")
    house.do(grants.make(new, now))
    there = Grants(house.service.store, house.service.commits)
    house.do(grants.revoke(("new",), now))
    house.do(there.consent("new", second, now))
    house.do(grants.read_again(*heard))
    house.do(there.read_again("grant", "new"))
    for one in (grants, there):
        found = one.get("new")
        assert found is not None
        assert (found.revoked, one.is_in_force(found, now)) == (now, False)


def test_what_ended_long_ago_is_removed_while_the_service_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.service._FORGET_SECONDS", 0.05)
    begun, ahead = system_clock(), [0]
    with served(tmp_path / "pit.sqlite", clock=lambda: begun + timedelta(days=ahead[0])) as house:
        store = house.service.store
        house.token("dealer", "Dana", id="short")
        house.token("cage", "Kit", id="long", hours_ms=60 * 24 * 3600 * 1000)
        revoked = house.token("floorperson", "Flo", id="revoked", hours_ms=10**10)
        house.do(house.service.grants.revoke(("revoked",), house.service.now()))

        def kept(days: int) -> tuple[set[str], int]:
            ahead[0] = days
            sleep(0.5)
            return {*store.documents("grant")}, len(store.documents("token"))

        every = {"short", "long", "revoked"}
        assert kept(1) == (every, 2)
        assert kept(2) == (every, 0)
        assert kept(31) == ({"long"}, 0)
        assert house.service.grants.get("short") is None
        answer = house.anybody().get("/v1/tables", headers={"Authorization": f"Bearer {revoked}"})
        assert answer.status_code == 401


# --- consents that are refused ---


def test_who_is_asked_declines_who_asked_withdraws_and_nobody_else_does(house: Served) -> None:
    make_table(house)
    floor, clerk = house.person("floorperson", "Flo"), house.person("pit clerk", "Cleo")
    dealer = house.person("dealer", "Dana")
    waits = floor.does("MB-101", OPEN).json()["consent"]["id"]

    def declines(who: Person) -> httpx.Response:
        return who.http.post(
            f"{T}/consents/{waits}", json={"consent": False},
            headers={"Idempotency-Key": who.key()},
        )  # fmt: skip

    before = len(acts(house))
    for nobody in (clerk, house.person("board"), house.person("surveillance")):
        problem(declines(nobody), 403, "not_your_office")
    assert len(acts(house)) == before
    assert declines(dealer).status_code == 200
    problem(declines(dealer), 410, "gone")
    last = entries(house)[-1]
    assert last["command"] == {
        "type": "DeclineConsent", "act": "OpenTable", "asked_by": ["Flo"], "table": "MB-101",
        "grant": "",
    }  # fmt: skip
    assert last["by"][0]["person"] == "Dana"
    waits = floor.does("MB-101", OPEN).json()["consent"]["id"]
    assert declines(floor).status_code == 200
    problem(declines(dealer), 410, "gone")
    last = entries(house)[-1]
    assert (last["command"]["type"], last["by"][0]["person"]) == ("DeclineConsent", "Flo")
    assert is_clean(house)


# --- what leaves ---


def test_an_export_is_an_entry(house: Served) -> None:
    dealer, floor = opened(house)
    watch = house.person("surveillance", "Sue")
    begin = len(acts(house))
    for path in (f"{T}/log", f"{T}/ledger", f"{T}/odds", "/v1/pits/1/log"):
        watch.http.get(path)
    dealer.sees(f"{T}/ledger")  # the tray alone
    problem(floor.http.get(f"{T}/log"), 403, "not_allowed")
    new = entries(house)[begin:]
    assert [one["by"][0]["person"] for one in new] == ["Sue"] * len(new)
    whats = [one["command"]["what"] for one in new]
    assert whats == ["record of a day", "ledger", "record of the pit"]
    assert is_clean(house)


def test_access_is_shown_to_those_who_watch_it(house: Served) -> None:
    make_table(house)
    house.do(office_links(house.service, {"cage": "Gia"}))
    entry = _steps(house)[-1]
    for office in LOOKS:
        seat = 3 if office == "patron" else None
        viewer = Viewer.of(office, seat)
        shown = str(seen_pit_entry(viewer, entry))
        watches = office in {"licensee", "pit boss", "floorperson", "surveillance"}
        assert ("Gia" in shown) == watches, office


def _steps(house: Served) -> list[Any]:
    return resume_pit("pit", house.service.store.lines("pit:1"))[1]


def test_nobody_writes_entries_about_access(house: Served) -> None:
    licensee = make_table(house)
    before = len(acts(house))
    for kind in ("GrantOffice", "ConsentToGrant", "SignIn", "RevokeGrants", "MakeLink",
                 "DeclineConsent", "NoteExport", "MoveMeters"):  # fmt: skip
        answer = licensee.http.post(
            "/v1/pits/1/commands", json={"type": kind, "grant": "x"},
            headers={"Idempotency-Key": licensee.key()},
        )  # fmt: skip
        problem(answer, 422, "malformed")
    assert len(acts(house)) == before


def test_a_record_with_a_sign_in_that_nobody_consented_to_is_refused(house: Served) -> None:
    make_table(house)
    floor = house.person("floorperson", "Flo")
    made = grants(floor, "Dora", "dealer")
    state = _steps(house)[-1].after.state
    signs = SignIn(made["id"])
    # Neither of them says that it came from elsewhere than it did.
    flo = _steps(house)[-1].stamp.by
    alone = replace(_steps(house)[-1].command, grant="other", made_by="", maker="")
    for claim in (alone, signs, MakeLink(made["id"]), ConsentToGrant(made["id"], "other", "Bo")):
        misstated = may_in_pit(claim, flo)
        assert misstated is not None, claim
        assert misstated.code == "not_your_office"
    refused = decide_pit(state, signs)
    assert isinstance(refused, Refusal)
    assert refused.code == "not_consented"
    for consenter in ("Flo", "Dora"):
        refused = decide_pit(state, ConsentToGrant(made["id"], "other", consenter))
        assert isinstance(refused, Refusal)
        assert refused.code == "two_persons"
    agreed = decide_pit(state, ConsentToGrant(made["id"], "other", "Bo"))
    assert not isinstance(agreed, Refusal)
    for event in agreed:
        state = evolve_pit(state, event)
    assert not isinstance(decide_pit(state, signs), Refusal)
