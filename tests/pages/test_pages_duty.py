"""What a page offers: the acts of a person who stands at the table, and nobody else's."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from time import sleep
from typing import Any, Final

import pytest

from croupier import acts as commands
from croupier.acts.command import TERMS
from croupier.rules import default_submission, table_rules
from croupier.server.resources.page_calls import PAGES
from croupier.table import new_table
from croupier.table.machine.position import Actor
from croupier.table.machine.state import with_slice
from croupier.table.people.duty import Duty
from croupier.table.people.offices import is_open_to
from croupier.verify.log import LogDivergence
from support.page_forms import browser_of, part_of
from support.served import Person, Served, served
from support.tables import make_table
from support.windows import dealt

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
NO_ACTS: Final = "You are not assigned to this table"


def acts(one: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = one.sees("/v1/tables/MB-101/legal")["acts"]
    return found


def test_a_dealer_who_is_not_on_duty_is_offered_nothing(house: Served) -> None:
    on, off = house.person("dealer"), house.person("dealer", "Vera")
    assert {"CallNoMoreBets", "PlaceWager"} <= {one["command"] for one in acts(on)}
    assert acts(off) == []
    # What was offered to nobody is refused to whoever sends it all the same.
    refused = off.does("MB-101", {"type": "CallNoMoreBets"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_on_duty")
    assert refused.json()["legal"] == []
    text = browser_of(house, "dealer", "Vera").get(T).text
    assert "<form" not in part_of(text, "next") + part_of(text, "acts")
    assert NO_ACTS in part_of(text, "next")
    assert NO_ACTS not in browser_of(house, "dealer").get(T).text


def test_whoever_takes_over_is_offered_what_the_other_one_was(house: Served) -> None:
    before = {one["command"] for one in acts(house.person("dealer"))}
    relief = {"type": "RelieveDealer", "dealer": "Vera"}
    assert house.person("floorperson").does("MB-101", relief).status_code == 200
    assert {one["command"] for one in acts(house.person("dealer", "Vera"))} == before
    assert acts(house.person("dealer")) == []
    # Both have a page of the office open, and each has their own.
    assert NO_ACTS in browser_of(house, "dealer").get(T).text
    assert NO_ACTS not in browser_of(house, "dealer", "Vera").get(T).text


def test_a_patron_is_offered_the_acts_of_the_seat_they_sit_in(house: Served) -> None:
    more: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)}
    assert {one["seat"] for one in acts(house.person("patron", "Patron 1", **more))} == {1}
    assert acts(house.person("patron", "Somebody", **more)) == []


def test_nobody_consents_who_does_not_stand_there(house: Served) -> None:
    asked = {"type": "CountInventory", "chips": {"2500": 1}, "closing": False}
    assert house.person("dealer").does("MB-101", asked).status_code == 202
    there = house.person("floorperson").sees("/v1/tables/MB-101/consents")["consents"]
    assert [one["command"] for one in there] == ["CountInventory"]
    other = house.person("floorperson", "Flora")
    assert other.sees("/v1/tables/MB-101/consents")["consents"] == []
    assert "Acts that wait for consent" not in browser_of(house, "floorperson").get(T).text


def test_an_act_that_names_a_supervisor_waits_for_that_one_and_ends_with_their_relief(
    house: Served,
) -> None:
    dealer, boss = house.person("dealer"), house.person("pit boss")
    verbal = {
        "type": "PlaceVerbalWager", "seat": 1, "wager": "player", "cents": 5_000,
        "supervisor": "floorperson", "dealer_confirms": True,
    }  # fmt: skip
    assert dealer.does("MB-101", verbal).status_code == 202
    path = "/v1/tables/MB-101/consents"
    (waits,) = house.person("floorperson").sees(path)["consents"]
    # A pit boss is a supervisor too, and is not the one whom it names.
    assert boss.sees(path)["consents"] == []
    relief = {"type": "RelieveFloorperson", "floorperson": "Hedda"}
    assert boss.does("MB-101", relief).status_code == 200
    successor = house.person("floorperson", "Hedda")
    (ended,) = dealer.sees(path)["consents"]
    assert ended["ended"].startswith("floorperson, named as supervisor, is not on duty here")
    for one in (successor, boss, house.person("floorperson")):
        assert one.sees(path)["consents"] == []
        key = {"Idempotency-Key": one.key()}
        address = f"{path}/{waits['id']}"
        answer = one.http.post(address, json={"consent": True}, headers=key)
        assert (answer.status_code, answer.json()["code"]) == (410, "gone")
    # Asked for again, it waits for whoever is there now.
    assert dealer.does("MB-101", verbal | {"supervisor": "Hedda"}).status_code == 202
    (waits,) = successor.sees(path)["consents"]
    key = {"Idempotency-Key": successor.key()}
    answer = successor.http.post(f"{path}/{waits['id']}", json={"consent": True}, headers=key)
    assert answer.status_code == 200, answer.text


def test_a_command_names_whoever_gives_it(house: Served) -> None:
    floor = house.person("floorperson")
    added = {"type": "AssignOffice", "person": "Flora", "office": "floorperson"}
    assert floor.does("MB-101", added).status_code == 200
    for name in ("floorperson", "Flora"):
        one = house.person("floorperson", name, id=f"x-{name}")
        named = {
            field["name"]: field["default"]
            for act in acts(one)
            for field in act["fields"]
            if field["name"] in {"floorperson", "supervisor"}
            and act["gives"]
            and act["command"] != "RelieveFloorperson"
        }
        assert set(named.values()) == {name}, named
        # The page of each has the own name in its forms.
        text = browser_of(house, "floorperson", name).get(T).text
        other = {"floorperson", "Flora"} - {name}
        names = re.findall(r'name="text\.(?:floorperson|supervisor)" value="([^"]*)"', text)
        assert not other.intersection(names)


def test_before_anybody_is_assigned_the_first_is_and_the_table_is_opened(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        # Who assigns the first is outside of the record: the floor, the pit boss, or the licensee.
        for office, command in (
            ("licensee", "AssignOffice"), ("pit boss", "AssignOffice"), ("floorperson", "OpenTable"),
            ("dealer", "OpenTable"),
        ):  # fmt: skip
            assert command in {one["command"] for one in acts(house.person(office))}, office
        for office in ("cage", "accounting", "surveillance", "pit clerk"):
            assert acts(house.person(office)) == [], office
        one = next(
            one
            for one in acts(house.person("floorperson", "Flora"))
            if one["command"] == "OpenTable"
        )
        told = {field["name"]: field["default"] for field in one["fields"]}
        assert told["floorperson"] == "Flora"


def test_once_the_floor_is_assigned_the_licensee_assigns_nobody(house: Served) -> None:
    assert acts(house.person("licensee")) == []


def test_whoever_did_what_another_must_verify_is_not_offered_it() -> None:
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    table = new_table(rules)
    did = table[Duty].with_person("pit clerk", "Cleo").having_done("RemoveDrop", "7", ("Cleo",))
    apart = next(kind for kind, row in TERMS.items() if "RemoveDrop" in row.apart)
    office = TERMS[apart].does[0]
    duty = did.with_person(office, "Ada").with_person(office, "Bea")
    duty = duty.having_done("RemoveDrop", "7", ("Ada",))
    state = with_slice(table, duty)
    kind = getattr(commands, apart)
    assert not is_open_to(state, kind, Actor("Ada", office))
    assert is_open_to(state, kind, Actor("Bea", office))


EXPORTS: Final = ("clip-log", "clip-pdf", "flag-entry")


def test_who_may_note_nothing_is_offered_no_export_and_no_flag(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    browser = browser_of(house, "surveillance", "Sue")
    last = house.service.tables["MB-101"].desk.durable.sequence

    def offered(query: str) -> set[str]:
        text = browser.get(f"{T}{query}").text
        return {one for one in EXPORTS if f'id="{one}"' in text}

    asked = ("", f"?at={last - 4}", "?at=1")
    assert [offered(one) for one in asked] == [set(), set(), set()]
    assert "Surveillance that is assigned" in part_of(browser.get(T).text, "clips")
    # Nobody stood there at the first entry, but whoever does now may say something of it.
    assigned = {"type": "AssignOffice", "person": "Sue", "office": "surveillance"}
    assert house.person("floorperson").does("MB-101", assigned).status_code == 200
    assert [offered(one) for one in asked] == [{*EXPORTS}, {*EXPORTS}, {"clip-log", "flag-entry"}]


def test_the_floor_alone_is_led_to_the_entry_that_differs(house: Served) -> None:
    table = house.service.tables["MB-101"]
    # Verification of what is recorded so far would take the difference away again.
    while table.alarm.lag or house.service.judging.locked():
        sleep(0.01)
    table.alarm.divergence, table.alarm.entry = LogDivergence(6, 1, "event", (), "it differs"), 5
    for office, is_led in (("licensee", False), ("floorperson", True), ("surveillance", True)):
        text = part_of(browser_of(house, office).get(T).text, "alarm")
        assert "entry 5" in text
        assert ("?at=4" in text) is is_led
