"""What a page has little room for: the first clauses, a range of limits, and a call in one line."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from re import findall, search

import pytest

from croupier.server.resources.page_calls import PAGES
from support.page_forms import browser_of, part_of
from support.project import ROOT
from support.served import served
from support.tables import make_table
from support.windows import dealt, prepared, ready


@pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")
def test_the_first_clauses_and_short_limits_are_shown_at_once(tmp_path: Path) -> None:
    midi = (ROOT / "submissions" / "ny-midi.toml").read_text()
    file = tmp_path / "midi.toml"
    file.write_text(
        midi.replace('pit = "6"', 'pit = "1"').replace(
            "player = [100, 20000]", "player = [100, 1234567]"
        )
    )
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house, file)
        house.do(prepared(house, "MD-601", 1, day=date(2024, 11, 2)))
        dealer = house.person("dealer")
        for command in (
            {"type": "PlaceWagers", "seat": 1, "stakes": {"player": 10_000}},
            {"type": "CallNoMoreBets"},
        ):
            assert dealer.does("MD-601", command).status_code == 200
        due = part_of(browser_of(house, "dealer").get("/tables/MD-601").text, "next")
        clauses = findall(r"<dt>NY-MINIMIDI:(.*?)</dt>", due)
        assert len(clauses) > 3
        summary = search(r"<summary>(.*?)</summary>", due)
        assert summary is not None
        assert summary[1] == f"{', '.join(clauses[:2])}, and {len(clauses) - 2} more"
        patron = browser_of(house, "patron", "Patron 1", seat=1, tables=("MD-601",))
        shown = findall(r'placeholder="(.*?)"', part_of(patron.get("/tables/MD-601").text, "bet"))
        assert shown == ["from $100", "$100–$20,000", "$25–$2,000"]


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_call_leaves_out_what_its_office_is_not_shown(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        dealt(house, "9h 2c Ts 3d", {(1, "tie"): 500, (2, "banker"): 2_500}, upto="ClearLayout")
        said = {
            office: search(r'id="calls"[^>]*>(.*?)</p>', browser_of(house, office).get(PLACE).text)
            for office in ("dealer", "cage")
        }
        assert [found and found[1] for found in said.values()] == [
            "Losing stakes collected: seat 2  Banker $25; seat 1  Tie $5",
            "Losing stakes collected",
        ]


PLACE = "/tables/MB-101"
