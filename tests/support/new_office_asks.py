"""What the office of ``new_office`` gets from a service: as much as the board, and no act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.law.sight import Sight
from croupier.records.view.sight import Viewer
from croupier.server.http.app import RESOURCES
from croupier.table import new_table
from croupier.table.machine.core import Refusal
from croupier.table.people.offices import Actor, may
from support.new_office import NAME
from support.samples import sample_of
from support.served import Person, Served, served
from support.table import rules_of
from support.tables import MB_101, make_table, open_table

_OWN = re.compile(rf"Ada|{NAME}|board|[A-Za-z0-9_-]{{12,}}")
"""What differs between the pages of two people: names, offices, and tokens."""


def _places() -> Iterator[str]:
    """Yield every address that is asked with GET."""
    for one in RESOURCES:
        if one.method == "GET" and not one.path.endswith(("/events", "/metrics")):
            yield (
                one.path.replace("{table}", MB_101)
                .replace("{pit}", "1")
                .replace("{number:int}", "1")
            )
    yield from ("/tables", "/drills", "/drills/papers", "/pits/1", f"/tables/{MB_101}")


def _sees_what_the_board_sees(ambassador: Person, board: Person) -> None:
    compared = 0
    for place in _places():
        own, boards = ambassador.http.get(place), board.http.get(place)
        assert own.status_code == boards.status_code, (place, own.text)
        if own.status_code == 200 and not place.endswith("mine"):
            assert _OWN.sub("", own.text) == _OWN.sub("", boards.text), place
            compared += 1
    assert compared > 6


def _does_nothing(house: Served, ambassador: Person) -> None:
    refused = 0
    for name in TERMS:
        answer = ambassador.does(MB_101, sample_of(name))
        assert 400 <= answer.status_code < 500, (name, answer.text)
        refused += answer.status_code == 403
    assert refused > 10
    assert ambassador.does(MB_101, {"type": "WriteNote", "text": "x"}).status_code == 403
    for place, body in (
        ("/v1/grants", {"person": "Bo", "office": "dealer"}),
        (f"/v1/tables/{MB_101}/days", None),
        ("/v1/pits/1/commands", {"type": "GiveNotice"}),
    ):
        headers = {"Idempotency-Key": ambassador.key()}
        answer = ambassador.http.post(place, json=body, headers=headers)
        assert answer.status_code in {400, 403, 404, 405, 422}, (place, answer.text)
    assert house.service.tables[MB_101].desk.durable.sequence == 1


def _is_in_no_act() -> None:
    role = Role(NAME)
    for name, terms in TERMS.items():
        assert role not in {*terms.does, *terms.together, *terms.besides}, name
    assert not Viewer.of(NAME).sees(Sight.STAFF)
    assert not Viewer.of(NAME).sees_actors({NAME})
    rules = rules_of()
    for name in ("WriteNote", "AssignOffice", "PauseTable"):
        kind = TERMS[name].command
        values = dict.fromkeys(kind.__struct_fields__, "x")
        refusal = may(new_table(rules), kind(**values), (Actor("Ada", NAME),), rules)
        assert isinstance(refusal, Refusal), name


def main() -> None:
    """Raise ``AssertionError`` if the office may do anything, or sees more than the board."""
    _is_in_no_act()
    with TemporaryDirectory() as folder, served(Path(folder) / "pit.sqlite") as house:
        licensee = make_table(house)
        open_table(house)
        wanted = {"person": "Bea", "office": NAME}
        granted = licensee.http.post("/v1/grants", json=wanted)
        assert granted.status_code == 201, granted.text
        floor = house.person("floorperson", "Fay")
        assert floor.http.post("/v1/grants", json=wanted).status_code == 403
        ambassador = house.person(NAME, "Ada")
        _sees_what_the_board_sees(ambassador, house.person("board"))
        _does_nothing(house, ambassador)


if __name__ == "__main__":
    main()
