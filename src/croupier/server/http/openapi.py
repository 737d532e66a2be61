"""Generation of the OpenAPI 3.1 description."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from msgspec.structs import fields

from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.files.version import __version__
from croupier.records.codec import COMMANDS, from_json
from croupier.records.documents import any_command
from croupier.records.json_schema import schema_of
from croupier.server import documents
from croupier.server.desks.shoe import NEXT
from croupier.server.http.calls import JSON
from croupier.server.http.problems import CODES, MEDIA_TYPE
from croupier.server.http.queries import Query


class Resource(NamedTuple):
    method: str
    path: str
    serves: Callable[..., Any]
    queries: tuple[Query, ...] = ()
    answer: str = ""
    """The schema of the JSON answer; of one of several, with bars between."""
    status: int = 200
    takes: Mapping[str, str] = {}
    """The schema of a request by its media type; empty for plain text or any object."""
    example: object = None
    codes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Other media types of the answer."""
    needs_body: bool = True
    """Whether a request that takes a body must have one."""

    @property
    def documents(self) -> set[str]:
        """Names of its requests' and answers' types in ``server.documents``."""
        return {*self.answer.split("|"), *self.takes.values()} - _MADE


_PROBLEM: Final = "ProblemTold"
_MADE: Final = {"", "Command", "Description"}
"""Schemas without a type in ``server.documents``."""
_BODY: Final = ("malformed", "too_large", "media_type", "timeout")
"""Refusals of each request with a body."""
_OPEN: Final = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/enter", "/v1/tokens")


def description(resources: Sequence[Resource]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for resource in resources:
        path = resource.path.replace(":int", "")
        paths.setdefault(path, {})[resource.method.lower()] = _operation(path, resource)
    names = {_PROBLEM}.union(*(resource.documents for resource in resources))
    kinds = [getattr(documents, name) for name in sorted(names)]
    schemas = schema_of(reduce(or_, kinds), "service")["$defs"]
    command = any_command()
    schemas |= command.pop("$defs") | {"Command": {"anyOf": command["anyOf"]}}
    for kind in COMMANDS.values():
        _as_given(kind, schemas[kind.__name__])
    schemas["Description"] = {"type": "object", "description": "An OpenAPI 3.1 document."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier, the live table",
            "version": __version__,
            "description": "Every refusal is a problem with a code; see croupier help service.",
        },
        "paths": paths,
        "components": {
            "schemas": from_json(json.dumps(schemas).replace("#/$defs/", "#/components/schemas/")),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _as_given(kind: type[Command], schema: dict[str, Any]) -> None:
    terms = TERMS[kind.__name__]
    required = {field.name for field in fields(kind) if field.required} - terms.names.keys()
    schema["required"] = [one for one in schema["required"] if one == "type" or one in required]
    if terms.draws:
        card = schema["properties"]["card"]
        schema["properties"]["card"] = {"anyOf": [card, {"const": NEXT}]}


def _operation(path: str, resource: Resource) -> dict[str, Any]:
    name = resource.serves.__name__
    found: dict[str, Any] = {
        "operationId": name,
        "summary": (resource.serves.__doc__ or name).partition("\n")[0],
        "parameters": _parameters(path, resource),
        "responses": _responses(resource, is_open=path in _OPEN),
    }
    if path in _OPEN:
        found["security"] = []
    if resource.takes:
        content = {
            kind: _content(kind, schema, resource.example)
            for kind, schema in resource.takes.items()
        }
        found["requestBody"] = {"required": resource.needs_body, "content": content}
    return found


def _content(kind: str, schema: str, example: object) -> dict[str, Any]:
    plain = {"type": "object" if kind == JSON else "string"}
    content: dict[str, Any] = {"schema": _ref(schema) if schema else plain}
    if example is not None and kind in {JSON, "text/plain"}:
        content["example"] = example
    return content


def _parameters(path: str, operation: Resource) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]
    if "key_missing" in operation.codes:
        pattern = {"pattern": "^[A-Za-z0-9_-]{1,60}$"}
        found.append(_header("Idempotency-Key", pattern, required=True, example="7f3a"))
    if operation.answer.startswith("CarriedOutAt"):
        text = "Leave the entries out of the answer."
        found.append(_header("Prefer", {}, example="return=minimal", description=text))
    if "stale" in operation.codes:
        found.append(_header("If-Match", {}))
    return [*found, *(query.described for query in operation.queries)]


def _header(name: str, keywords: Mapping[str, str], **others: object) -> dict[str, Any]:
    return {"name": name, "in": "header", **others, "schema": {"type": "string", **keywords}}


def _responses(operation: Resource, *, is_open: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": "Done."}
    content: dict[str, Any] = {kind: {"schema": {"type": "string"}} for kind in operation.texts}
    if operation.answer:
        first, *others = map(_ref, operation.answer.split("|"))
        content[JSON] = {"schema": {"anyOf": [first, *others]} if others else first}
    if content:
        answer["content"] = content
    found = {str(operation.status): answer}
    if operation.answer == "ReadyShown":
        found["503"] = answer
    if operation.answer.startswith("CarriedOutAt"):
        found["202"] = {**answer, "description": "Another person must consent."}
    codes: dict[str, list[str]] = {}
    general = () if is_open else ("no_token", "not_allowed", "not_found")
    body = _BODY if operation.takes else ("malformed",) if operation.queries else ()
    common = ("too_many", "closing", "no_store", "wrong_host", "wrong_origin", "failed")
    for code in dict.fromkeys((*general, *operation.codes, *body, *common)):
        codes.setdefault(str(CODES[code][0]), []).append(code)
    if "stale" in operation.codes:
        codes.setdefault("409", []).append("what the table refuses")
    for status, names in sorted(codes.items()):
        problem = {MEDIA_TYPE: {"schema": _ref(_PROBLEM)}}
        media = found.get(status, {}).get("content", {})
        found[status] = {"description": ", ".join(names), "content": media | problem}
    return found


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
