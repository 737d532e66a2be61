"""What the query of each resource may say: as it is described, so it is read, and nothing else."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import croupier.server
from croupier.server.http.app import RESOURCES
from croupier.server.http.calls import Call
from croupier.server.http.queries import Query
from support.served import NJ, served
from support.tables import opened

PATHS = {
    "{table}": "MB-101", "{pit}": "1", "{number}": "1", "{consent}": "none", "{grant}": "none",
}  # fmt: skip
BODIES: dict[str, tuple[str, bytes]] = {"/v1/tables": ("application/toml", NJ.read_bytes())}
OFFICES = ("licensee", "surveillance", "dealer", "floorperson")
OF_PAGES = {"drill_calls.py", "looking.py", "looking_back.py", "page_calls.py", "renewals.py"}
"""Pages are not described; a link of theirs goes on with the query that it came by."""


def sent(http: Any, method: str, path: str, queries: dict[str, Any]) -> None:
    """Send a request with the examples of its description, and read no stream to its end."""
    kind, body = BODIES.get(path, ("application/json", b'{"type":"CallNoMoreBets"}'))
    for name, value in PATHS.items():
        path = path.replace(name, value)
    headers = {"Idempotency-Key": "a", "Content-Type": kind}
    content = body if method == "POST" else None
    with http.stream(method, path, params=queries, headers=headers, content=content):
        pass


def test_each_parameter_is_read_where_it_is_described_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: dict[tuple[str, str], set[str]] = defaultdict(set)
    before = Call.stated

    def noted(call: Call, query: Query, *default: Any) -> Any:
        route = call.request.scope["croupier.route"].replace(":int", "")
        read[call.request.method, route].add(query.name)
        return before(call, query, *default)

    with served(tmp_path / "pit.sqlite") as house:
        opened(house)
        described = house.anybody().get("/openapi.json").json()["paths"]
        stated = {
            (method.upper(), path): {
                one["name"]: one["example"]
                for one in operation["parameters"]
                if one["in"] == "query"
            }
            for path, methods in described.items()
            for method, operation in methods.items()
        }
        assert stated.keys() == {
            (method, path.replace(":int", "")) for method, path, *_ in RESOURCES
        }
        monkeypatch.setattr(Call, "stated", noted)
        people = [house.person(office, f"{office} of queries") for office in OFFICES]
        for (method, path), queries in stated.items():
            for person in people:
                sent(person.http, method, path, queries)
    assert read == {place: set(queries) for place, queries in stated.items() if queries}
    assert read["GET", "/v1/tables/{table}/log"] == {"day"}


def test_a_query_is_read_in_one_place() -> None:
    folder = Path(croupier.server.__file__).parent
    reads = {one.name for one in folder.rglob("*.py") if "query_params" in one.read_text()}
    assert reads == {"calls.py", *OF_PAGES}
    # A handler has its parameters from the list of them, by name.
    for one in folder.rglob("*.py"):
        for name in re.findall(r"call\.(?:number|stated)\((\w+)", one.read_text()):
            assert name.isupper(), (one.name, name)


def test_an_example_is_what_is_taken(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        opened(house)
        licensee = house.person("licensee", "Ann")
        described = house.anybody().get("/openapi.json").json()["paths"]
        assert licensee.http.get("/v1/tables/MB-101/log", params={"day": 1}).status_code == 200
        for path in ("/v1/tables/{table}/log", "/v1/tables/{table}/verify"):
            (day,) = [one for one in described[path]["get"]["parameters"] if one["in"] == "query"]
            assert (day["name"], day["example"]) == ("day", 1)
            beyond = {"day": day["schema"]["maximum"] + 1}
            at = path.replace("{table}", "MB-101")
            assert licensee.http.get(at, params=beyond).status_code == 422
