"""Tables of a service as tests begin with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx

from support.served import NJ, Person, Served

OPEN: Final[dict[str, Any]] = {
    "type": "OpenTable",
    "inventory_cents": 5_000_000,
    "dealer": "Dana",
    "floorperson": "Flo",
    "gaming_date": "2011-02-22",
}


NOTIFIED: Final = "2001-01-01T12:00:00Z"
"""When those whom a regulation names had notice of what a table elects."""


def make_table(house: Served, file: Path = NJ, **query: str) -> Person:
    """Make a table, and return the licensee who did."""
    licensee = house.person("licensee")
    answer = licensee.http.post(
        "/v1/tables",
        params={"notified": NOTIFIED, **query},
        content=file.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )
    assert answer.status_code == 201, answer.text
    return licensee


MB_101: Final = "MB-101"


def consented(person: Person, answer: httpx.Response, table: str = MB_101) -> httpx.Response:
    """Have somebody consent to what waits for it by an answer."""
    waits = answer.json()["consent"]
    return person.http.post(
        f"/v1/tables/{table}/consents/{waits['id']}",
        json={"consent": True},
        headers={"Idempotency-Key": person.key()},
    )


def open_table(house: Served, table: str = "MB-101") -> tuple[Person, Person]:
    """Open a table by two persons, and return its dealer and its floorperson."""
    dealer, floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    waits = floor.does(table, OPEN)
    assert waits.status_code == 202, waits.text
    assert waits.json()["consent"]["needs"] == ["dealer"]
    answer = consented(dealer, waits, table)
    assert (answer.status_code, answer.json()["seq"]) == (200, 1)
    return dealer, floor


def opened(house: Served) -> tuple[Person, Person]:
    """Make a table and open it; return its dealer and its floorperson."""
    make_table(house)
    return open_table(house)


def given(
    giver: Person, other: Person, command: Mapping[str, Any], table: str = MB_101
) -> httpx.Response:
    """Have a command carried out, with the consent of another person where that takes one."""
    answer = asked(giver, other, command, table)
    assert answer.status_code == 200, answer.text
    return answer


def asked(
    giver: Person, other: Person, command: Mapping[str, Any], table: str = MB_101
) -> httpx.Response:
    """Ask for a command, with the consent of another person where that takes one."""
    answer = giver.does(table, command)
    return consented(other, answer, table) if answer.status_code == 202 else answer


def ends(person: Person, key: str = "", table: str = MB_101) -> httpx.Response:
    headers = {"Idempotency-Key": key or person.key()}
    return person.http.post(f"/v1/tables/{table}/days", headers=headers)


CLOSE = {"type": "CloseTable"}
COUNT = {"type": "CountInventory", "chips": {"10000": 500}, "closing": True}
"""500 chips of $100: the $50,000 with which the table was opened."""


def a_day(house: Served, date: str = "2011-02-22", table: str = MB_101) -> tuple[Person, Person]:
    """Open the table, close it, and count the tray: three entries."""
    dealer, floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    given(floor, dealer, {**OPEN, "gaming_date": date}, table)
    given(floor, dealer, CLOSE, table)
    given(dealer, floor, COUNT, table)
    return dealer, floor
