"""Requests made of the service's own description, as an office, while a sealed shoe is in use.

No answer may be a failure, late, other than described, or depend on a card still in the shoe.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from functools import cache
from time import perf_counter
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings

from croupier.server.desks import shoe
from support.crew import Crew
from support.described import JSON, Described
from support.fuzzing import SLOW_S
from support.served import Served
from support.two_orders import TwoOrders, plain

_KNOWN: Final[Mapping[str, str]] = {"table": "MB-101", "pit": "1", "number": "1"}
_CHANGING: Final = {
    "/metrics",
    "/v1/pits/{pit}",
    "/v1/pits/{pit}/verify",
    "/v1/tables/{table}/refusals",
}
"""What changes by being asked, since the pit records exports and the store refusals."""


@cache
def _operations(description: str) -> list[tuple[Any, Any]]:
    """Return each operation with what makes its requests: to prepare that takes longest."""
    schema = schemathesis.openapi.from_dict(json.loads(description))
    found: list[Any] = [one.ok() for one in schema.get_all_operations()]  # type: ignore[union-attr]
    return [(one, one.as_strategy()) for one in found if not one.path.endswith("/events")]


class DescribedFuzz:
    """Sends made requests, and keeps what should never come."""

    def __init__(self, house: Served, patch: pytest.MonkeyPatch) -> None:
        self._house: Final = house
        crew = Crew(house, "sealed")
        crew.until_drawing()
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        crew.do("BuyChips", seat=3, cents=100_000)
        self._orders: Final = TwoOrders(house)
        patch.setattr(shoe, "order_of", self._orders.order)
        self.described: Final = Described(house)
        self.wrong: Final = self.described.wrong
        self.compared = 0
        """Answers that were asked for again with the rest of the shoe in another order."""
        self.slowest = 0.0
        self.sent = 0

    def run(self, office: str, examples: int, number: int = 0) -> None:
        """Send so many requests to each operation, made with a seed."""
        own: dict[str, Any] = {"tables": ("MB-101",)} if office in {"board", "machine"} else {}
        if office == "patron":
            own = {"tables": ("MB-101",), "seat": 3}
        people = {"dealer": "Dana", "floorperson": "Flo", "patron": "Pat"}
        person = people.get(office, f"the {office}")
        for operation, made in _operations(json.dumps(self.described.description)):
            # A request may give its token up, or revoke its grant.
            token = self._house.token(office, person, **own)
            self._ask_all(operation, made, token, (examples, number))

    def _ask_all(self, operation: Any, made: Any, token: str, how: tuple[int, int]) -> None:
        examples, number = how

        @seed(number)
        @given(case=made)
        @settings(
            max_examples=examples, deadline=None, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def ask(case: Any) -> None:
            known = {name: _KNOWN.get(name, one) for name, one in case.path_parameters.items()}
            case.path_parameters = known
            status, text = self._sent(case, token)
            if status < 400 and case.method != "GET":
                return
            self._orders.others = True
            try:
                again = self._sent(case, token)
            finally:
                self._orders.others = False
            # A file of records has a line for each export.
            if operation.path in _CHANGING or operation.path.endswith("/log"):
                return
            self.compared += 1
            if (again[0], plain(again[1])) != (status, plain(text)):
                self.wrong.append(
                    f"{operation.label} {status}, {again[0]}: it depends on an undealt card:"
                    f" {text[:200]} {again[1][:200]}"
                )

        ask()

    def _sent(self, case: Any, token: str) -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {token}"}
        if "Idempotency-Key" in (case.headers or {}):
            headers["Idempotency-Key"] = secrets.token_hex(8)
        begun = perf_counter()
        self.sent += 1
        answer = case.call(base_url=self._house.place, headers=headers, timeout=SLOW_S)
        self.slowest = max(self.slowest, perf_counter() - begun)
        kind = (answer.headers.get("content-type") or [""])[0]
        if answer.status_code == 500:
            self.wrong.append(f"{case.operation.label} 500: {case.as_curl_command()}")
        body = answer.content if kind.startswith(JSON) else b""
        # What is not HTTP, or has no form at all, is refused everywhere.
        if answer.status_code not in {400, 415, 422}:
            of = (case.method, case.operation.path, answer.status_code)
            self.described.check_answer(of, kind, body)
        return answer.status_code, answer.text
