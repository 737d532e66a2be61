"""What an open page is sent after an entry: the parts that changed, drawn once for an office."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from croupier.server import renewals
from croupier.server.looking import looked
from croupier.server.resources.page_calls import PAGES
from support.served import Person, Served, served
from support.tables import make_table
from support.windows import prepared

TABLE = "/tables/MB-101"
PLACE = {"type": "PlaceWager", "seat": 1, "wager": "player", "cents": 2_500}
SECTION = re.compile(r'<section id="([^"]+)".*?</section>', re.DOTALL)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(prepared(one, "MB-101", 2))
        yield one


def correction(house: Served) -> dict[str, Any]:
    """Have a wager placed, and return its correction, to which the dealer consents."""
    assert house.person("dealer").does("MB-101", PLACE).status_code == 200
    entry = house.service.tables["MB-101"].desk.durable.sequence
    stake = {"seat": 1, "wager": "player", "cents": 7_500}
    return {"type": "CorrectWager", "of": entry, **stake, "reason": "a chip too few"}


def patron(house: Served, seat: int) -> Person:
    return house.person("patron", f"Patron {seat}", seat=seat, tables=("MB-101",))


def told(person: Person, have: str = "") -> dict[str, Any]:
    found: dict[str, Any] = person.sees(f"{TABLE}/parts", have=have)
    return found


def put_in(html: str, parts: dict[str, str]) -> str:
    """Return the parts of a page with those that came in the place of the earlier ones."""
    return SECTION.sub(lambda part: parts.get(part[1], part[0]), html)


@pytest.mark.parametrize("office", ["dealer", "board", "floorperson", "surveillance"])
def test_a_window_is_sent_the_parts_that_changed_and_shows_what_a_new_one_does(
    house: Served, office: str
) -> None:
    dealer, person = house.person("dealer"), house.person(office)
    whole = told(person)
    same = told(person, whole["have"])
    assert (same["parts"], same["from"], same["have"]) == ({}, whole["have"], whole["have"])
    assert dealer.does("MB-101", PLACE).status_code == 200
    changed, anew = told(person, whole["have"]), told(person)
    assert changed["seq"] == anew["seq"] == whole["seq"] + 1
    assert changed["have"] == anew["have"] != whole["have"]
    assert "html" not in changed
    assert put_in(whole["html"], changed["parts"]) == anew["html"]
    # Roads and limits are as they were before the wager.
    assert not {"roads", "limits"} & changed["parts"].keys()
    assert ("seats" in changed["parts"]) is (office != "board")


def test_a_table_that_looks_as_it_did_before_has_gone_on_all_the_same(house: Served) -> None:
    person, board = patron(house, 1), house.person("board")
    back = {"type": "WithdrawWager", "seat": 1, "wager": "player"}
    shown = told(board)
    for number, command in enumerate([PLACE, back, PLACE, back, PLACE], start=1):
        assert person.does("MB-101", command).status_code == 200
        before, shown = shown, told(board, shown["have"])
        assert shown["from"] == before["have"]
        assert shown["seq"] == before["seq"] + 1, number


def test_an_office_is_drawn_once_for_all_of_its_windows(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    async def counted(call: Any, *more: Any, **besides: Any) -> Any:
        drawn.append((call.grant.office, call.grant.seat))
        return await looked(call, *more, **besides)

    monkeypatch.setattr(renewals, "looked", counted)
    monkeypatch.setattr(renewals, "_FRESH_SECONDS", 60)
    people = [house.person("dealer"), house.person("dealer")]
    people += [patron(house, 1), patron(house, 2), patron(house, 1)]
    found = [told(one)["html"] for one in people]
    assert drawn == [("dealer", None), ("patron", 1), ("patron", 2)]
    assert found[0] == found[1] != found[2] != found[3] != found[4] == found[2]
    assert people[2].does("MB-101", PLACE).status_code == 200
    assert len({told(one)["html"] for one in people}) == 3
    assert len(drawn) == 6


def test_a_drawing_has_nothing_of_a_session_and_a_page_has_its_own(house: Served) -> None:
    one, other = house.person("dealer"), house.person("dealer")
    pages = [person.http.get(TABLE).text for person in (one, other)]
    forms = [set(re.findall(r'name="form" value="([^"]*)"', page)) for page in pages]
    assert [len(found) for found in forms] == [1, 1]
    assert forms[0] != forms[1]
    assert all(form in page.split("<main")[0] for (form,), page in zip(forms, pages, strict=True))
    keys = re.findall(r'name="key" value="([^"]*)"', pages[0])
    assert len({*keys}) == len(keys)
    html = told(one)["html"]
    assert set(re.findall(r'name="form" value="([^"]*)"', html)) == {""}
    assert "blank" not in html + pages[0]
    # A part within a part would be sent with the one around it, and end too early.
    assert html.count("<section") == len(SECTION.findall(html)) == html.count("</section>")
    assert all(part[0].count("<section") == 1 for part in SECTION.finditer(html))


def test_an_act_that_waits_is_shown_to_whom_it_concerns_alone(house: Served) -> None:
    people = [house.person("floorperson", name) for name in ("floorperson", "Fay")]
    assigned = {"type": "AssignOffice", "person": "Fay", "office": "floorperson"}
    assert people[0].does("MB-101", assigned).status_code == 200
    corrects = correction(house)
    before = [told(one) for one in people]
    parts = [{one[1]: one[0] for one in SECTION.finditer(was["html"])} for was in before]
    # The forms of each have their own name; what waits is the same for both.
    assert parts[0]["consents"] == parts[1]["consents"]
    # No entry comes of it yet.
    asked = people[0].does("MB-101", corrects)
    assert asked.status_code == 202, asked.text
    mine, others = (told(one, was["have"]) for one, was in zip(people, before, strict=True))
    assert mine["parts"].keys() == {"consents", "next"}
    assert "waits for the consent of the dealer" in mine["parts"]["consents"]
    # Nobody else of the office gave it, and none of them is asked.
    assert others["parts"] == {}


def test_an_act_that_waits_or_is_withdrawn_is_sent_at_once(house: Served) -> None:
    dealer, floor = house.person("dealer"), house.person("floorperson")
    corrects = correction(house)
    with dealer.http.stream("GET", f"{TABLE}/renewals", timeout=10) as stream:
        # A beat of the quiet stream is two lines.
        said = islice(stream.iter_lines(), 40)
        lines = (line for line in said if line.startswith("data: "))
        next(lines)
        waits = floor.does("MB-101", corrects).json()["consent"]
        assert f"consent-{waits['id']}" in next(lines)
        answer = floor.http.post(
            f"/v1/tables/MB-101/consents/{waits['id']}",
            json={"consent": False},
            headers={"Idempotency-Key": floor.key()},
        )
        assert answer.json() == {"declined": waits["id"]}
        assert "Nothing waits for consent." in next(lines)


@pytest.mark.parametrize("office", ["board", "patron", "cage"])
def test_an_act_that_waits_is_not_told_to_whom_it_does_not_concern(
    house: Served, office: str
) -> None:
    more: dict[str, Any] = {"seat": 1, "tables": ("MB-101",)} if office == "patron" else {}
    person = house.person(office, **more)
    floor = house.person("floorperson")
    corrects = correction(house)
    with person.http.stream("GET", f"{TABLE}/renewals", timeout=10) as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: "))
        before = json.loads(next(lines)[6:])["seq"]
        assert floor.does("MB-101", corrects).status_code == 202
        note = {"type": "WriteNote", "text": "the next line is of this entry"}
        assert floor.does("MB-101", note).status_code == 200
        assert json.loads(next(lines)[6:])["seq"] > before


def test_a_second_act_that_waits_is_sent_as_soon_as_the_first(house: Served) -> None:
    dealer, floor = house.person("dealer"), house.person("floorperson")
    corrects = correction(house)
    with dealer.http.stream("GET", f"{TABLE}/renewals", timeout=10) as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: "))
        next(lines)
        for _ in range(2):
            waits = floor.does("MB-101", corrects).json()["consent"]
            assert f"consent-{waits['id']}" in next(lines)


def test_a_stream_sends_all_and_then_what_each_entry_changed(house: Served) -> None:
    dealer, board = house.person("dealer"), house.person("board")
    with board.http.stream("GET", f"{TABLE}/renewals", timeout=10) as stream:
        lines = stream.iter_lines()

        def following() -> dict[str, Any]:
            data = next(line for line in lines if line.startswith("data: "))
            found: dict[str, Any] = json.loads(data.removeprefix("data: "))
            return found

        whole = following()
        assert whole["html"] == told(board)["html"]
        assert dealer.does("MB-101", PLACE).status_code == 200
        assert dealer.does("MB-101", {"type": "CallNoMoreBets"}).status_code == 200
        assert dealer.does("MB-101", {"type": "DrawCard", "card": "9h"}).status_code == 200
        shown, last = whole["html"], whole
        while last["seq"] < whole["seq"] + 3:
            (was, last) = last, following()
            assert last["from"] == was["have"]
            shown = put_in(shown, last["parts"])
        assert shown == told(board)["html"] != whole["html"]
