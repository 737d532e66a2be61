"""Pits beside one another: what binds the tables of a licensee everywhere."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.records.codec import from_json
from croupier.server.resources.page_calls import PAGES
from croupier.verify.pit_log import verify_pit_lines
from support.page_forms import browser_of, form_of
from support.pit_service import Clock, Pit
from support.served import NJ, problem, served
from support.tables import NOTIFIED

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_what_binds_a_licensee_everywhere_binds_the_tables_of_other_pits(tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", clock=clock) as house:
        _both_pits(Pit(house, clock))


def _both_pits(pit: Pit) -> None:
    ny, other = (NJ.with_name(f"{one}.toml") for one in ("ny-mini", "ny-mini-4-percent"))

    def makes(table: str, file: Path, number: str) -> Any:
        (stated,) = re.findall(r'pit = ".*"', file.read_text(encoding="utf-8"))
        there: dict[str, Any] = {stated: f'pit = "{number}"'}
        return pit.makes(table, file, **there)

    assert makes("NY-1", ny, "1").status_code == 201
    elsewhere = pit.house.person("licensee", "Lou", id="second", pit="2")
    pit.licensee, here = elsewhere, pit.licensee
    told = problem(makes("NY-2", other, "2"), 409, "not_uniform")
    assert [one["id"] for one in told["clauses"]] == ["NY-MINIMIDI:(c)(5)#2"]
    assert makes("NY-2", ny, "2").status_code == 201
    # The record says what the tables of the other pit had elected then.
    (admitted,) = [from_json(line)["command"] for line in pit.lines("pit:2")[1:]]
    assert [(one["table"], one["pit"]) for one in admitted["beside"]] == [("NY-1", "1")]
    assert verify_pit_lines(Path("pit"), pit.lines("pit:2")).is_clean
    # So a change in one pit waits until the other can follow.
    pit.licensee = here
    scheme = {"vigorish.scheme": "4%"}
    answer = pit.does("ChangeElections", tables=["NY-1"], elections=scheme)
    told = problem(answer, 409, "not_uniform")
    assert "NY-2" in told["detail"]


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_of_two_tables_made_at_once_in_two_pits_the_second_must_agree(tmp_path: Path) -> None:
    files = {"1": "ny-mini", "2": "ny-mini-4-percent"}
    with served(tmp_path / "pit.sqlite") as house:
        people = {pit: house.person("licensee", f"Lou {pit}", id=pit, pit=pit) for pit in files}

        def makes(pit: str) -> httpx.Response:
            text = NJ.with_name(f"{files[pit]}.toml").read_text(encoding="utf-8")
            return people[pit].http.post(
                "/v1/tables",
                params={"table": f"NY-{pit}", "notified": NOTIFIED},
                content=re.sub(r'pit = ".*"', f'pit = "{pit}"', text),
                headers={"Content-Type": "application/toml"},
            )

        for pit in files:
            house.do(house.service.pit(pit))
        with ThreadPoolExecutor(2) as windows:
            told = sorted(windows.map(makes, files), key=lambda one: one.status_code)
        assert told[0].status_code == 201
        problem(told[1], 409, "not_uniform")


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_one_act_changes_every_pit_of_the_licensee_or_none(tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        _facility(Pit(house, clock))


def _facility(pit: Pit) -> None:
    ny = NJ.with_name("ny-mini.toml")
    (stated,) = re.findall(r'pit = ".*"', ny.read_text(encoding="utf-8"))
    here, scheme = pit.licensee, {"vigorish.scheme": "tie-25%"}
    notice: dict[str, Any] = {"elections": scheme, "to": "commission", "pits": ["2"]}
    first: dict[str, Any] = {stated: 'pit = "1"'}
    assert pit.makes("NY-1", ny, **first).status_code == 201
    pit.licensee = pit.house.person("licensee", "Ana", id="other", pit="2")
    second: dict[str, Any] = {stated: 'pit = "2"'}
    assert pit.makes("NY-2", ny, **second).status_code == 201
    pit.licensee = here
    problem(pit.does("GiveNotice", **notice), 403, "not_allowed")
    change: dict[str, Any] = {"tables": ["NY-1", "NY-2"], "elections": scheme}
    told = problem(pit.does("ChangeElections", **change), 403, "not_allowed")
    assert "pit 2" in told["detail"]
    # The same person holds the office in both pits.
    pit.house.person("licensee", "Lou", id="second", pit="2")
    page = browser_of(pit.house, "licensee", "Lou").get("/pits/1").text
    forms = [form_of(page, f"act-pit-{one}") for one in ("ChangeElections", "GiveNotice")]
    assert "each.tables" in forms[0]
    assert re.search(r'name="each.tables"[^>]*value="NY-2"', page)
    assert re.search(r'name="each.pits"[^>]*value="2"', page)
    problem(pit.does("ChangeElections", **change), 409, "notice")
    for to in ("patrons", "commission"):
        pit.done("GiveNotice", **notice | {"to": to})
    pit.clock.wait(1)
    sizes = [len(pit.lines(f"pit:{one}")) for one in "12"]
    # One of several tables is unknown, or one pit refuses: nothing is recorded anywhere.
    strange = change | {"tables": ["NY-1", "NY-2", "NY-9"]}
    assert "NY-9" in problem(pit.does("ChangeElections", **strange), 409, "no_table")["detail"]
    unfit = change | {"companions": {"NY-2": {"decks": 99}}}
    assert "NY-2" in problem(pit.does("ChangeElections", **unfit), 409, "elections")["detail"]
    assert [len(pit.lines(f"pit:{one}")) for one in "12"] == sizes
    answer = pit.does("ChangeElections", "once", **change)
    assert answer.status_code == 200, answer.text
    assert pit.does("ChangeElections", "once", **change).headers["Idempotent-Replay"] == "true"
    for number, other in ("1", "NY-2"), ("2", "NY-1"):
        lines = pit.lines(f"pit:{number}")
        changed = from_json(lines[-1])["command"]
        assert changed["elections"] == scheme
        (beside,) = changed["beside"]
        assert (beside["table"], beside["elections"]["vigorish.scheme"]) == (other, "tie-25%")
        assert verify_pit_lines(Path("pit"), lines).is_clean
    rules = [pit.house.service.tables[f"NY-{one}"].desk.durable.rules for one in "12"]
    assert [one.settled["vigorish.scheme"] for one in rules] == ["tie-25%", "tie-25%"]
