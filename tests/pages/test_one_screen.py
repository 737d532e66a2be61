"""Pages, the terminal, and the JSON of a table say the same in the same order, at every moment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.acts.roles import LOOKS, OfficePage, Role
from croupier.cli.tables.sitting import pieces
from croupier.cli.tables.sitting.served import served_table
from croupier.cli.tables.sitting.sitting import TerminalSitting
from croupier.reports.screen import OfficeView, Screen, face, screen
from croupier.server.resources.page_calls import PAGES
from support.moments import moments
from support.page_forms import browser_of
from support.served import Served, served
from support.tables import make_table

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "MB-101"
OFFICES: Final = tuple(role for role in LOOKS if role not in {Role.MACHINE, Role.SUPERVISOR})
GRANTS: Final[Mapping[str, dict[str, Any]]] = {
    Role.PATRON: {"person": "Patron 1", "seat": 1, "tables": (T,)}
}


def read(html: str) -> str:
    """Return what a person reads of markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


class Faces:
    """A table as its page, a terminal, and the JSON have it for one office."""

    def __init__(self, house: Served, office: Role) -> None:
        grant = GRANTS.get(office, {})
        self.office = office
        self.page: str = browser_of(house, office, **grant).get(f"/tables/{T}").text
        person = house.person(office, **grant)
        looked = person.sees(f"/v1/tables/{T}/look")
        named = (looked[one] for one in ("seen", "acts", "roads", "due", "consents", "then"))
        self.json: Screen = screen(OfficeView(office, *named))
        with served_table(house.place, person.token) as door:
            self.sitting = TerminalSitting(door)
        self.heading = pieces.heading(self.sitting)
        self.table = pieces.table_lines(self.sitting.view, 80)

    def every(self, pattern: str) -> list[str]:
        """Return the texts of a page that match a pattern, in their order."""
        return [read(one) for one in re.findall(pattern, self.page, re.DOTALL)]


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Faces]]:
    """Every office at every moment."""
    folder: Path = tmp_path_factory.mktemp("faces")
    with served(folder / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        return {one: [Faces(house, office) for office in OFFICES] for one in moments(house)}


def all_of(faces: Mapping[str, list[Faces]]) -> Iterator[tuple[str, Faces]]:
    return ((f"{moment}, {one.office}", one) for moment, found in faces.items() for one in found)


def test_hands_are_the_same_from_the_same_side(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        hands = [shown.hand["hand"].capitalize() for shown in one.json.hands]
        results = [shown.result for shown in one.json.hands if shown.result]
        assert [line.split()[0] for line in one.table[:2]] == hands, where
        for line, shown in zip(one.table, one.json.hands, strict=False):
            assert all(face(card) in line for card in shown.hand["cards"]), where
            assert line.endswith(shown.result), where
        if Role(one.office).office.page is not OfficePage.BOOKS:
            drawn = one.every(r'<div class="hand [^"]*"><h3>(.*?)</h3>')
            assert [said.split()[0] for said in drawn] == hands, where
            if one.office != Role.BOARD:
                assert one.every(r'<span class="won[^"]*">(.*?)</span>') == results, where


def test_seats_stand_as_the_office_sees_them(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        order = [str(seat["seat"]) for seat in one.json.seats]
        assert order == [*"1234567"][:: 1 if one.json.side == "patrons" else -1], where
        for head in re.findall(r"Seats and stakes</caption><thead>(.*?)</thead>", one.page):
            assert re.findall(r"<th[^>]*>(\d)", head) == order, where
        listed = [line.split()[0] for line in one.table if re.match(r" \d ", line)]
        assert listed == [seat for seat in order if seat in listed], where


def test_the_state_of_the_table_is_said_once(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        assert f" · {one.json.status} · " in one.heading, where
        if Role(one.office).office.page is not OfficePage.SEAT:
            assert one.json.status in read(one.page), where
