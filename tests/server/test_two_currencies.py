"""Two pits of one service with different currencies: each is read and written in its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.rules import default_submission, table_rules
from croupier.server.http.problems import Problem
from croupier.server.resources.page_calls import PAGES
from croupier.server.service import Opened
from support.own_law import own_law, own_text
from support.pit_service import NOON, Clock, Pit
from support.served import Served, served

YEN = (
    '\n[currency]\ncode = "JPY"\nsign = "\u00a5"\ndecimals = 0\n\n[offices]\ndealer = "croupier"\n'
)
DOLLARS = "us-nj/minibaccarat"
IN_YEN = "xx-test/yen"
SIGNS = {"1": "$", "2": "\u00a5"}


@pytest.fixture(autouse=True)
def _yen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    path = own_law(tmp_path / "laws")
    whole = re.sub(r'"([0-9]+)\.[0-9]{2}"', lambda one: f'"{int(one[1]) or 1}"', own_text(IN_YEN))
    path.write_text(whole.replace("\n[[clause]]", f"{YEN}\n[[clause]]", 1), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "laws"))
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as one:
        made(one, "T-1", DOLLARS, "1")
        made(one, "T-2", IN_YEN, "2")
        for name in ("T-1", "T-2"):
            Pit(one, clock).deals(name, lambda state: state.rounds >= 1)
        yield one


async def _created(house: Served, name: str, law: str, pit: str) -> Any:
    rules = table_rules(default_submission(law, "latest"))
    return await house.service.create(rules, Opened(pit), name, notified=NOON - timedelta(days=60))


def made(house: Served, name: str, law: str, pit: str) -> Any:
    return house.do(_created(house, name, law, pit))


def signs(page: str) -> set[str]:
    return {one for one in SIGNS.values() if re.search(rf"{re.escape(one)}\d", unescape(page))}


def test_requests_of_two_pits_at_once_each_have_their_currency(house: Served) -> None:
    people = {pit: house.person("floorperson", f"Flo {pit}", pit=pit) for pit in SIGNS}

    def page(number: int) -> tuple[str, str]:
        pit = "12"[number % 2]
        path = "/tables" if number % 3 == 0 else f"/tables/T-{pit}"
        answer = people[pit].http.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200, answer.text
        return pit, answer.text

    with ThreadPoolExecutor(8) as threads:
        pages = [*threads.map(page, range(24))]
    for pit, text in pages:
        assert signs(text) == {SIGNS[pit]}
    # A kept connection that serves one person after another leaves nothing of the first.
    shared = people["1"].http
    for pit in ("1", "2", "1"):
        shared.headers["Authorization"] = f"Bearer {people[pit].token}"
        assert signs(shared.get(f"/tables/T-{pit}").text) == {SIGNS[pit]}


def test_a_drill_of_the_service_asks_and_reads_in_the_currency_of_its_table(house: Served) -> None:
    one = house.person("dealer", "Dana", pit="2")
    one.http.cookies.set("croupier", one.token)
    del one.http.headers["Authorization"]
    one.http.headers["Origin"] = house.place
    form = re.search(r'name="form" value="([^"]+)"', one.http.get("/drills").text)
    assert form is not None
    asked = one.http.post(
        "/drills",
        data={"form": form[1], "table": "T-2", "kind": ["payouts"], "seed": "7", "count": "6"},
        follow_redirects=True,
    )
    assert asked.status_code == 200, asked.text
    seen = asked.text
    for number in range(1, 6):
        form = re.search(r'name="form" value="([^"]+)"', asked.text)
        assert form is not None
        data = {"form": form[1], "number": str(number), "answer.amount": "1"}
        marked = one.http.post("/drills/answers", data=data, follow_redirects=True)
        asked = one.http.get("/drills/question", follow_redirects=True)
        seen += marked.text + asked.text
    assert signs(seen) == {"\u00a5"}
    assert "in JPY, such as" in seen
    assert not re.search(r"\bdealers?\b", re.sub(r"<[^>]+>", " ", unescape(seen)))


def test_two_tables_made_at_once_in_one_pit_have_one_currency(house: Served) -> None:
    async def both() -> list[Any]:
        both = (_created(house, "N-1", DOLLARS, "3"), _created(house, "N-2", IN_YEN, "3"))
        return [*await asyncio.gather(*both, return_exceptions=True)]

    outcomes = house.do(both())
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert len(refused) == 1
    assert isinstance(refused[0], Problem)
    assert "another currency" in str(refused[0])
    left = [one.opened.pit for one in house.service.tables.values()]
    assert left.count("3") == 1
    # The refused name is free for a table of the pit's currency.
    lost = "N-1" if "N-2" in house.service.tables else "N-2"
    law = IN_YEN if lost == "N-1" else DOLLARS
    assert made(house, lost, law, "3").opened.pit == "3"
