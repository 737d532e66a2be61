"""A table under a regulation from outside the package is served like any other, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of
from support.pit_service import Clock, Pit
from support.project import ROOT
from support.served import served

LAWS = ROOT / "examples" / "laws"
OFFICES = ("dealer", "floorperson", "pit boss", "surveillance", "licensee", "cage", "board")


@pytest.fixture(autouse=True)
def _foreign_laws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, str(LAWS))
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    "table", sorted(LAWS.glob("*/table.toml")), ids=lambda one: one.parent.name
)
def test_every_office_sees_its_page_while_rounds_are_dealt(tmp_path: Path, table: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        pit = Pit(house, clock)
        made = pit.makes("T-1", table, minutes=60 * 24 * 60)
        assert made.status_code == 201, made.text
        pit.deals("T-1", lambda state: state.rounds >= 3)
        for office in OFFICES:
            page = browser_of(house, office, f"A {office}").get("/tables/T-1")
            assert page.status_code == 200, (office, page.text[:300])
        assert pit.verified().is_clean
        assert house.person("surveillance", "Sue").sees("/v1/tables/T-1")
