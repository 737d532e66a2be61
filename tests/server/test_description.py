"""Each answer of the service has a schema in its description, and conforms to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis

from croupier.acts.roles import LOOKS
from croupier.records.pit_log import PIT_COMMANDS
from croupier.server.resources.pit_calls import GIVEN, MADE_HERE
from support.crew import Crew
from support.described import Described
from support.promised import KEPT, broken, promised
from support.served import NJ, Person, Served, served
from support.tables import CLOSE, COUNT, NOTIFIED, ends, given
from support.volume import spread

T = "/v1/tables/MB-101"
LOOKED = (
    T, f"{T}/look", f"{T}/legal", f"{T}/consents", f"{T}/shoes", f"{T}/log", f"{T}/log?day=9",
    f"{T}/days", f"{T}/rounds/1", f"{T}/rounds/99", f"{T}/roads", f"{T}/ledger", f"{T}/meters",
    f"{T}/forms", f"{T}/odds", f"{T}/verify", f"{T}/verify?day=x", f"{T}/refusals",
    "/v1/tables", "/v1/pits", "/v1/pits/1", "/v1/pits/9", "/v1/pits/1/log", "/v1/pits/1/verify",
    "/v1/grants", "/v1/tokens/mine", "/enter", "/openapi.json", "/healthz", "/readyz", "/metrics",
)  # fmt: skip


def everyone(house: Served, described: Described) -> list[Person]:
    people = []
    for office in LOOKS:
        tables = {"tables": ("MB-101",)} if office in {"patron", "board", "machine"} else {}
        seat: Any = {"seat": 3} if office == "patron" else {}
        people.append(house.person(office, f"the {office}", **tables, **seat))
    described.watch(*people)
    return people


def look(people: list[Person]) -> None:
    for one in people:
        for path in LOOKED:
            one.http.get(path)
        for path in (f"{T}/events?after=0", "/v1/pits/1/events"):
            with one.http.stream("GET", path) as answer:
                next(answer.iter_raw(), b"")


def granted(people: list[Person], anybody: httpx.Client) -> None:
    """Make a grant, consent to another, decline a third, redeem the link, and sign out."""
    floor, watch = (next(one for one in people if one.sees("/v1/tokens/mine")["office"] == office)
                    for office in ("floorperson", "surveillance"))  # fmt: skip
    made = [
        floor.http.post("/v1/grants", json={"person": name, "office": "dealer"}).json()
        for name in ("Dora", "Doris")
    ]
    floor.http.post("/v1/grants", json={"person": 1})
    code = watch.http.post(f"/v1/grants/{made[0]['id']}", json={"consent": True}).json()["code"]
    watch.http.post(f"/v1/grants/{made[1]['id']}", json={"consent": False})
    proof = {"link": made[0]["link"], "code": code}
    anybody.post("/v1/tokens", json={"link": "none"})
    token = anybody.post("/v1/tokens", json=proof).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    token = anybody.post("/v1/tokens/mine", headers=bearer).json()["token"]
    anybody.post("/v1/tokens", json=proof)
    anybody.delete("/v1/tokens/mine", headers={"Authorization": f"Bearer {token}"})
    floor.http.delete(f"/v1/grants/{made[0]['id']}")
    floor.http.delete("/v1/grants/none")


def test_the_description_is_valid(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        description = Described(house).description
    schemathesis.openapi.from_dict(description).validate()
    operations = [one for path in description["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert [one["operationId"] for one in operations if not one["summary"].endswith(".")] == []
    # The licensee ends a day with a submission, others without one.
    without = [
        one["operationId"]
        for one in operations
        if not one.get("requestBody", {}).get("required", True)
    ]
    assert without == ["end_day"]
    given_to_pits = description["components"]["schemas"]["PitCommandGiven"]["properties"]
    assert given_to_pits["type"]["enum"] == [*GIVEN]
    fields = {name for one in GIVEN for name in PIT_COMMANDS[one].__struct_fields__}
    assert fields - {*MADE_HERE} <= given_to_pits.keys()
    for one in operations:
        assert any(
            "content" in answer or status in {"204", "303"}
            for status, answer in one["responses"].items()
            if status < "400"
        ), one["operationId"]


@pytest.mark.parametrize("cards", spread(["sealed", "dealer"], 1))
def test_each_answer_is_as_described(tmp_path: Path, cards: str) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        described = Described(house)
        crew = Crew(house, cards)
        licensee = house.person("licensee", "Lee")
        described.watch(crew.dealer, crew.floor, licensee)
        people = everyone(house, described)
        look(people)
        card = iter(["7h", "As", "2s", "3d", "4c", "9h", "9d", "8c", "Td", "Th"] * 2)

        def draw() -> None:
            crew.do("DrawCard", card="next" if cards == "sealed" else next(card))

        crew.until_drawing()
        look(people)
        while (act := crew.must()) and act["command"] == "DrawCard":
            draw()
        crew.do("BuyChips", seat=3, cents=100_000)
        crew.round(draw)
        look(people)
        batch = crew.dealer.http.post(
            f"{T}/commands", content='{"type":"WriteNote","text":"a"}\n{"type":"SettleWagers"}\n',
            headers={"Idempotency-Key": "b", "Content-Type": "application/x-ndjson"},
        )  # fmt: skip
        assert batch.status_code == 409
        crew.dealer.does("MB-101", {"type": "PlaceWager"})
        crew.dealer.does("MB-101", {"type": "CloseTable"}, if_match='"0"')
        crew.dealer.does("MB-101", {"type": "CloseTable"}, prefer="return=minimal")
        ends(crew.floor)
        crew.dealer.does("MB-101", {"type": "CollectVigorish", "seat": 3})
        crew.do("LeaveTable", seat=3)
        waits = crew.floor.does("MB-101", CLOSE)
        look(people)
        crew.dealer.http.post(
            f"{T}/consents/{waits.json()['consent']['id']}", json={"consent": False},
            headers={"Idempotency-Key": "no"},
        )  # fmt: skip
        anybody = house.anybody()
        described.watch(anybody)
        granted(people, anybody)
        for text, kind in (
            ("x", "application/toml"), (NJ.read_text(), "application/toml"), ("{}", "text/html"),
            (NJ.read_text().replace("MB-101", "MB-102"), "application/toml"),
        ):  # fmt: skip
            licensee.http.post(
                "/v1/tables", params={"notified": NOTIFIED}, content=text,
                headers={"Content-Type": kind},
            )  # fmt: skip
        change = {
            "type": "ChangeElections", "tables": ["MB-101"],
            "elections": {"settlement.order": "payments-first"},
        }  # fmt: skip
        notice = {"type": "GiveNotice", "to": "surveillance", "elections": change["elections"]}
        for command in (notice, change, {**change, "tables": ["none"]}, {"type": "x"}):
            licensee.http.post(
                "/v1/pits/1/commands", json=command, headers={"Idempotency-Key": licensee.key()}
            )
        reader = next(one for one in people if one.sees("/v1/tokens/mine")["office"] == "machine")
        reader.http.post(f"{T}/reader", content="1 9h", headers={"Content-Type": "text/plain"})
        crew.dealer.http.post(f"{T}/reader/unlock")
        given(crew.floor, crew.dealer, CLOSE)
        tray = house.service.tables["MB-101"].desk.durable.ledger.balance("inventory")
        given(crew.dealer, crew.floor, {**COUNT, "chips": {"100": tray // 100}})
        ends(crew.floor)
        look(people)
        assert sorted(set(described.wrong)) == []
        answered = {(method, path) for method, path, status in described.seen if status < 400}
        every = {
            (method.upper(), path)
            for path, methods in described.description["paths"].items()
            for method in methods
        }
        # A page signs in by a form; a reader is read in another test.
        assert every - answered <= {
            ("POST", "/enter"), ("POST", "/v1/tables/{table}/reader"),
            *([("GET", "/v1/tables/{table}/shoes")] if cards == "dealer" else []),
        }  # fmt: skip


def test_what_v1_promises_is_kept() -> None:
    kept = KEPT.read_text(encoding="utf-8")
    assert broken(kept, promised()) == []
    assert kept == promised(), "the description has more: run tests/regolden.py"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("has ServedTable: seq\n", ""),
        ("of PlaceWager: a schema\n", "of PlaceWager: a schema\nneeds PlaceWager: hand\n"),
        ("always TokenMade: until\n", "has TokenMade: until\n"),
        ("answers GET /v1/tables: 200 application/json\n", ""),
        ("takes POST /v1/grants: application/json\n", ""),
    ],
)
def test_a_broken_promise_is_found(before: str, now: str) -> None:
    assert broken(before, now) != []
    assert broken(before, f"{before}of X: a schema\nneeds X: seat\nhas ServedTable: more\n") == []
