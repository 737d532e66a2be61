"""The page of a pit: notices, changes, and admissions by forms, without scripts; and who may ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from croupier.server.resources.page_calls import PAGES
from croupier.table.pit import PitState, pit_acts
from support.page_forms import browser_of, form_of, part_of, rows_of, sent
from support.pit_service import BOTH, ORDER, T1, T2, Clock, Pit
from support.served import served

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

P: Final = "/pits/1"
ACTS: Final = "/pits/1/acts"
NEW: Final = {f"json.elections.{ORDER}": '"payments-first"'}


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        yield Pit(house, clock)


def asks(pit: Pit, licensee: httpx.Client, kind: str, **fields: str | list[str]) -> httpx.Response:
    """Fill in a form of the page of the pit, and send it."""
    form = form_of(licensee.get(P).text, f"act-pit-{kind}")
    return sent(pit.house, licensee, ACTS, {**form, **fields})


def answer_of(answer: httpx.Response) -> str:
    found = re.search(r'<div id="answer".*?</div>', answer.text, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_a_licensee_gives_notice_and_changes_elections_by_forms(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    refused = asks(pit, licensee, "ChangeElections", **NEW, **{"each.tables": [T1]})
    assert refused.status_code == 409
    said = answer_of(refused)
    # The refusal has its clause in words, who was not told, and what to do instead.
    assert "NJ-MINI:7.10(c)3: " in said
    assert all(to in said for to in BOTH)
    assert "What you may do instead: give notice to each of them" in said
    for to in BOTH:
        told = asks(pit, licensee, "GiveNotice", **NEW, **{"json.to": f'"{to}"'})
        assert (told.status_code, told.headers["location"]) == (303, P)
    rows = rows_of(licensee.get(P).text, "pit")[1:]
    assert [row[:3] for row in rows] == [[ORDER, "payments-first", to] for to in BOTH]
    pit.clock.wait(31)
    done = asks(pit, licensee, "ChangeElections", **NEW, **{"each.tables": [T1]})
    assert done.status_code == 303, answer_of(done)
    assert pit.elected(T1) == "payments-first"
    assert pit.verified().is_clean


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_tables_that_must_agree_are_changed_together(pit: Pit) -> None:
    for table in (T1, T2):
        assert pit.makes(table).status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    finish = {"json.elections.shuffle.finish": '"feather"'}
    alone = asks(pit, licensee, "ChangeElections", **finish, **{"each.tables": [T1]})
    said = answer_of(alone)
    assert alone.status_code == 409
    assert "NJ-MINI:7.5(c): " in said
    assert "name every table that must agree" in said
    both = asks(pit, licensee, "ChangeElections", **finish, **{"each.tables": [T1, T2]})
    assert both.status_code == 303
    # The page says what each table has now.
    text = part_of(licensee.get(P).text, "pit-acts")
    assert re.search(rf"\(shuffle\.finish\): feather \({T1}, {T2}\)", text)


def test_a_table_is_withdrawn_and_admitted_again(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    pit.deals(T1, lambda state: state.phase.name != "CLOSED")
    open_ = asks(pit, licensee, "WithdrawTable", **{"json.table": f'"{T1}"'})
    assert open_.status_code == 409
    assert "have the table closed, and withdraw it then" in answer_of(open_)
    assert pit.makes(T2).status_code == 201
    assert asks(pit, licensee, "WithdrawTable", **{"json.table": f'"{T2}"'}).status_code == 303
    assert rows_of(licensee.get(P).text, "pit-tables")[1:] == [[T1, "Yes"], [T2, "No"]]
    again = asks(pit, licensee, "AdmitTable", **{"json.table": f'"{T2}"'})
    assert again.status_code == 303, answer_of(again)
    other = {"text.table": "BJ-1", "text.game": "blackjack", "lines.elections": "decks = 6"}
    assert asks(pit, licensee, "AdmitOtherGame", **other).status_code == 303
    rows = rows_of(licensee.get(P).text, "pit-tables")[1:]
    assert rows == [[T1, "Yes"], [T2, "Yes"], ["BJ-1 (blackjack)", "Yes"]]
    (seen,) = pit.seen["others"]
    assert seen["elections"] == {"decks": 6}


def test_what_a_form_leaves_out_is_refused_in_words(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    before = len(pit.lines("pit:1"))
    nothing = asks(pit, licensee, "GiveNotice", **{"json.to": '"surveillance"'})
    assert nothing.status_code == 409
    assert "no election is named" in answer_of(nothing)
    nowhere = asks(pit, licensee, "ChangeElections", **NEW)
    assert nowhere.status_code == 409
    assert "mark the tables" in answer_of(nowhere)
    later = asks(pit, licensee, "GiveNotice", **NEW, **{"time.at": "2026-11-22T13:00:00Z"})
    assert later.status_code == 409
    assert "leave the time empty" in answer_of(later)
    wrong = asks(pit, licensee, "ChangeElections", **{"lines.limits": "player 5"})
    assert wrong.status_code == 422
    assert "table: wager = minimum to maximum" in answer_of(wrong)
    never = asks(pit, licensee, "GiveNotice", **NEW, **{"time.at": "soon"})
    assert never.status_code == 422
    assert len(pit.lines("pit:1")) == before


def test_a_form_of_the_pit_is_done_once(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    form = {**form_of(licensee.get(P).text, "act-pit-GiveNotice"), **NEW, "json.to": '"Commission"'}
    for _ in range(2):
        assert sent(pit.house, licensee, ACTS, form).status_code == 303
    assert [one["to"] for one in pit.seen["notices"]] == ["Commission"]


def test_the_licensee_alone_is_offered_what_is_the_pits(pit: Pit) -> None:
    assert pit.makes().status_code == 201
    licensee = browser_of(pit.house, "licensee", "Lou")
    form = form_of(licensee.get(P).text, "act-pit-GiveNotice")
    # At a table of the pit the acts that its pit keeps are offered to nobody.
    text = licensee.get(f"/tables/{T1}").text
    assert "AdoptElections" not in text
    assert "RecordNotice" not in text
    for office in ("pit boss", "floorperson", "surveillance"):
        one = browser_of(pit.house, office)
        page = one.get(P)
        assert page.status_code == 200
        assert "<form" not in part_of(page.text, "pit-acts")
        assert "given by the licensee" in page.text
        found = re.search(r'name="form" value="(\w+)"', one.get("/drills").text)
        assert found is not None
        assert sent(pit.house, one, ACTS, {**form, **NEW, "form": found[1]}).status_code == 403
    assert browser_of(pit.house, "board").get(P).status_code == 403
    assert licensee.get("/pits/2").status_code == 404


def test_a_pit_without_tables_admits_those_that_it_is_given() -> None:
    assert [one.command.__name__ for one in pit_acts(PitState())] == ["AdmitOtherGame"]
    waiting = pit_acts(PitState(), ["MB-1"])
    assert [one.command.__name__ for one in waiting] == ["AdmitTable", "AdmitOtherGame"]
