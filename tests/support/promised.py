"""What clients of ``/v1`` rely on: operations, answers, and fields, of the service's description.

``tests/data/service_v1.txt`` has a line for each. A line that begins with ``needs`` is what a
request must say, and none may come to those; none of the others may go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from croupier.server.http.app import RESOURCES
from croupier.server.http.openapi import description
from support.project import ROOT

KEPT: Final = ROOT / "tests" / "data" / "service_v1.txt"


def promised() -> str:
    """Return the lines of today's description."""
    return "".join(f"{line}\n" for line in sorted(set(_lines(description(RESOURCES)))))


def broken(kept: str, today: str) -> list[str]:
    """Return what was promised and is so no more."""
    before, now = set(kept.splitlines()), set(today.splitlines())
    gone = [one for one in before - now if not one.startswith("needs ")]
    # A new request may need what it likes.
    old = {one.partition(" ")[2].partition(":")[0] for one in before if one.startswith("of ")}
    more = [
        one for one in now - before
        if one.startswith("needs ") and one.partition(" ")[2].partition(":")[0] in old
    ]  # fmt: skip
    return sorted(gone + more)


def _lines(described: dict[str, Any]) -> Iterator[str]:
    schemas = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            name = f"{method.upper()} {path}"
            yield f"of {name}: {one['operationId']}"
            for field in one["parameters"]:
                yield f"{'needs' if field.get('required') else 'takes'} {name}: {field['name']}"
            for kind in one.get("requestBody", {}).get("content", {}):
                yield f"takes {name}: {kind}"
            for status, answer in one["responses"].items():
                for kind in answer.get("content", {}) if status < "400" else ():
                    yield f"answers {name}: {status} {kind}"
    for name, schema in schemas.items():
        yield f"of {name}: a schema"
        for field in schema.get("properties", {}):
            yield f"has {name}: {field}"
        for field in schema.get("required", ()):
            yield f"needs {name}: {field}" if name in _taken(schemas) else f"always {name}: {field}"


def _taken(schemas: dict[str, Any]) -> set[str]:
    """Return the schemas of what requests say."""
    commands = {one["$ref"].rpartition("/")[2] for one in schemas["Command"]["anyOf"]}
    return commands | {"ConsentGiven", "GrantWanted", "LinkRedeemed", "PitCommandGiven"}
