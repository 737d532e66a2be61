"""The page of people, by forms and without scripts: granting, consenting, declining, revoking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, form_of, part_of, rows_of, sent
from support.served import Served, served
from support.tables import make_table


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        yield one


def granted(house: Served, maker: httpx.Client, person: str, office: str) -> tuple[str, str]:
    """Fill in the form for a grant; return its id, and the link that the page shows."""
    form = form_of(maker.get("/people").text, "new-grant")
    answer = sent(house, maker, "/people", {**form, "person": person, "office": office})
    assert answer.status_code == 200, answer.text
    link = re.search(r"/enter\?link=([\w-]+)", answer.text)
    assert link is not None, answer.text
    waits = re.findall(r'id="grant-([\w-]+)"', part_of(answer.text, "people-waiting"))
    return waits[-1], link[1]


def answers(house: Served, who: httpx.Client, grant: str, said: str) -> httpx.Response:
    form = form_of(who.get("/people").text, f"grant-{grant}")
    return sent(house, who, f"/people/{grant}", {**form, "consent": said})


def test_two_persons_admit_a_third_by_forms(house: Served) -> None:
    floor, boss = browser_of(house, "floorperson", "Flo"), browser_of(house, "pit boss", "Bo")
    grant, link = granted(house, floor, "Dora", "dealer")
    own = part_of(floor.get("/people").text, "people-waiting")
    assert "the licensee, the pit boss, or surveillance" in own
    assert "<button" not in own
    assert link not in boss.get("/people").text
    consented = answers(house, boss, grant, "yes")
    code = re.search(r"<code>([0-9A-Z]{4}-[0-9A-Z]{4})</code>", consented.text)
    assert code is not None
    assert code[1] not in boss.get("/people").text + floor.get("/people").text
    dora = house.anybody()
    entered = sent(house, dora, "/enter", {"link": link, "code": code[1]})
    assert entered.status_code == 303
    # A dealer sees what waits for a dealer, and nobody's grants.
    page = dora.get("/people").text
    assert "Dora" in page
    assert "people-grants" not in page
    assert "new-grant" not in page
    rows = rows_of(boss.get("/people").text, "people-grants")
    assert [row[2] for row in rows if row[0].startswith("Dora")] == ["Flo"]
    form = form_of(boss.get("/people").text, f"revoke-{grant}")
    assert sent(house, boss, f"/people/{grant}/revoke", form).status_code == 200
    assert dora.get("/people").status_code == 401


def test_a_form_that_is_refused_says_why(house: Served) -> None:
    floor, boss = browser_of(house, "floorperson", "Flo"), browser_of(house, "pit boss", "Bo")
    form = form_of(floor.get("/people").text, "new-grant")
    taken = sent(house, floor, "/people", {**form, "person": "Bo", "office": "dealer"})
    assert taken.status_code == 409
    assert "nobody holds two offices" in taken.text
    grant, link = granted(house, floor, "Dora", "dealer")
    declined = answers(house, boss, grant, "no")
    assert "declined" in declined.text
    gone = sent(house, house.anybody(), "/enter", {"link": link})
    assert gone.status_code == 410
    assert gone.headers["content-type"].startswith("text/html")
    assert sent(house, floor, "/people", {**form, "form": "0" * 64}).status_code == 403


@pytest.mark.parametrize("office", ["cage", "accounting", "pit clerk", "board"])
def test_nobody_else_has_the_page(house: Served, office: str) -> None:
    browser = browser_of(house, office)
    assert browser.get("/people").status_code == 403
    assert 'href="/people"' not in browser.get("/tables").text
