"""Checks each answer of a service against the description that the service gives of itself."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Final

import httpx
from jsonschema_rs import Draft202012Validator

from support.served import Person, Served

JSON: Final = ("application/json", "application/problem+json")


class Described:
    """The description of a service, what was answered, and what it does not describe."""

    def __init__(self, house: Served) -> None:
        self.description: Final[dict[str, Any]] = house.anybody().get("/openapi.json").json()
        schemas = {"$defs": self.description["components"]["schemas"]}
        self._schemas: Final = json.loads(
            json.dumps(schemas).replace("#/components/schemas/", "#/$defs/")
        )
        self._validators: dict[str, Draft202012Validator] = {}
        self._paths: Final = [
            (re.compile(re.sub(r"{\w+}", "[^/]+", path)), path)
            for path in self.description["paths"]
        ]
        self.seen: Counter[tuple[str, str, int]] = Counter()
        """How often each operation was answered with each status."""
        self.wrong: list[str] = []

    def watch(self, *people: Person | httpx.Client) -> None:
        """Check all answers to somebody from now on."""
        for one in people:
            http = one.http if isinstance(one, Person) else one
            http.event_hooks["response"] = [self.check]

    def check(self, answer: httpx.Response) -> None:
        """Check one answer, unless nothing is described at its path."""
        request = answer.request
        path = next((path for like, path in self._paths if like.fullmatch(request.url.path)), "")
        if request.method.lower() in self.description["paths"].get(path, {}):
            kind = answer.headers.get("content-type", "")
            body = answer.read() if kind.startswith(JSON) else b""
            self.check_answer((request.method, path, answer.status_code), kind, body)

    def check_answer(self, of: tuple[str, str, int], kind: str, body: bytes) -> None:
        """Check an answer to a method at a described path."""
        method, path, status = of
        self.seen[of] += 1
        named = f"{method} {path} {status}"
        described = self.description["paths"][path][method.lower()]["responses"].get(str(status))
        if described is None:
            self.wrong.append(f"{named}: not described")
            return
        kind = kind.partition(";")[0]
        contents = described.get("content", {})
        if not kind and not contents:
            return
        if kind not in contents:
            self.wrong.append(f"{named}: {kind or 'no media type'}, not {', '.join(contents)}")
        elif kind in JSON:
            self._valid(named, json.dumps(contents[kind]["schema"]), json.loads(body))

    def _valid(self, named: str, schema: str, data: Any) -> None:
        if schema not in self._validators:
            own = json.loads(schema.replace("#/components/schemas/", "#/$defs/"))
            self._validators[schema] = Draft202012Validator({**self._schemas, **own})
        for error in self._validators[schema].iter_errors(data):
            self.wrong.append(f"{named}: {error.instance_path}: {error.message[:300]}")
