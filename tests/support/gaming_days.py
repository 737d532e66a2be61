"""A gaming day of a served table, as short as a day can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from support.served import Person, Served
from support.tables import OPEN

__all__ = ["CLOSE", "COUNT", "a_day", "ends", "given"]

T = "MB-101"


def given(
    giver: Person, other: Person, command: Mapping[str, Any], table: str = T
) -> httpx.Response:
    """Have a command carried out, with the consent of another person where that takes one."""
    answer = giver.does(table, command)
    if answer.status_code == 202:
        waits = answer.json()["consent"]
        answer = other.http.post(
            f"/v1/tables/{table}/consents/{waits['id']}",
            json={"consent": True},
            headers={"Idempotency-Key": other.key()},
        )
    assert answer.status_code == 200, answer.text
    return answer


def ends(person: Person, key: str = "", table: str = T) -> httpx.Response:
    headers = {"Idempotency-Key": key or person.key()}
    return person.http.post(f"/v1/tables/{table}/days", headers=headers)


CLOSE = {"type": "CloseTable"}
COUNT = {"type": "CountInventory", "chips": {"10000": 500}, "closing": True}
"""500 chips of $100: the $50,000 with which the table was opened."""


def a_day(house: Served, date: str = "2011-02-22", table: str = T) -> tuple[Person, Person]:
    """Open the table, close it, and count the tray: three entries."""
    dealer, floor = house.person("dealer", "Dana"), house.person("floorperson", "Flo")
    given(floor, dealer, {**OPEN, "gaming_date": date}, table)
    given(floor, dealer, CLOSE, table)
    given(dealer, floor, COUNT, table)
    return dealer, floor
