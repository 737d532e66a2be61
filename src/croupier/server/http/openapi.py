"""Generation of the OpenAPI 3.1 description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
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
from croupier.server.http.problems import CODES, MEDIA_TYPE
from croupier.server.http.queries import Query

_JSON: Final = "application/json"


class _Operation(NamedTuple):
    answer: str = ""
    """The schema of the JSON answer; of one of several, with bars between."""
    status: int = 200
    takes: Mapping[str, str] = {}
    example: object = None
    codes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Other media types of the answer."""

    @property
    def documents(self) -> set[str]:
        """The names of its requests' and answers' types in ``server.documents``."""
        return {*self.answer.split("|"), *self.takes.values()} - _MADE


_PROBLEM: Final = "ProblemTold"
_MADE: Final = {"", "Command", "Description"}
"""Schemas that are of no type there."""
_LINES: Final = "application/x-ndjson"
_EVENTS: Final = "text/event-stream"
_TEXT: Final = "text/plain"
_ANY: Final = _Operation()
_BODY: Final = ("malformed", "too_large", "media_type", "timeout")
"""Refusals of each request with a body."""
_KEYED: Final = ("key_missing", "key_reused", "malformed", "not_stored", "not_owner", "disk_full")
_OPERATIONS: Final[Mapping[tuple[str, str], _Operation]] = {
    ("POST", "/v1/tables/{table}/commands"): _Operation(
        "CarriedOutAt",
        takes={_JSON: "Command", _LINES: ""},
        example={"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10_000},
        codes=(*_KEYED, "stale"),
    ),
    ("POST", "/v1/tables/{table}/consents/{consent}"): _Operation(
        "CarriedOutAt|ActDeclined", takes={_JSON: "ConsentGiven"}, example={"consent": True},
        codes=(*_KEYED, "gone"),
    ),
    ("GET", "/v1/tables/{table}/consents"): _Operation("ConsentsShown"),
    ("GET", "/v1/tables/{table}/days"): _Operation("DaysShown"),
    ("POST", "/v1/tables/{table}/days"): _Operation(
        "DayEndedAt", takes={"application/toml": "", _JSON: ""},
        codes=(*_KEYED, "day_under_way", "no_amendment", "refused_submission"),
    ),
    ("GET", "/v1/tables/{table}/legal"): _Operation("ActsShown"),
    ("GET", "/v1/tables/{table}"): _Operation("ServedTable"),
    ("GET", "/v1/tables/{table}/look"): _Operation("TableLooked"),
    ("GET", "/v1/tables"): _Operation("ServedTables"),
    ("POST", "/v1/tables"): _Operation(
        "ServedTable", 201, {"application/toml": "", _JSON: ""},
        codes=("refused_submission", "exists"),
    ),
    ("GET", "/v1/pits"): _Operation("PitsShown"),
    ("GET", "/v1/pits/{pit}"): _Operation("PitShown"),
    ("POST", "/v1/pits/{pit}/commands"): _Operation(
        "PitCarriedOut", takes={_JSON: "PitCommandGiven"},
        example={
            "type": "ChangeElections", "tables": ["MB-101"],
            "elections": {"settlement.order": "payments-first"},
        },
        codes=(*_KEYED, "stale"),
    ),
    ("GET", "/v1/pits/{pit}/verify"): _Operation("PitVerified", codes=("busy",)),
    ("POST", "/v1/tables/{table}/reader"): _Operation(
        takes={_TEXT: ""}, example="17 9h\n", texts=(_TEXT,)
    ),
    ("POST", "/enter"): _Operation(
        status=303, codes=("wrong_origin", "gone", "malformed", "not_consented")
    ),
    ("POST", "/v1/tables/{table}/reader/unlock"): _Operation(status=204),
    ("GET", "/v1/tables/{table}/shoes"): _Operation("ShoesShown", codes=("no_shoe",)),
    ("GET", "/v1/tables/{table}/events"): _Operation(texts=(_EVENTS,)),
    ("GET", "/v1/tables/{table}/log"): _Operation(texts=(_LINES,)),
    ("GET", "/v1/tables/{table}/rounds/{number}"): _Operation("RoundShown"),
    ("GET", "/v1/tables/{table}/roads"): _Operation("RoadsOfShoe", texts=("image/svg+xml",)),
    ("GET", "/v1/tables/{table}/ledger"): _Operation("LedgerShown"),
    ("GET", "/v1/tables/{table}/meters"): _Operation("MetersShown"),
    ("GET", "/v1/tables/{table}/forms"): _Operation("FormsShown"),
    ("GET", "/v1/tables/{table}/odds"): _Operation("OddsShown", codes=("no_odds", "busy")),
    ("GET", "/v1/tables/{table}/verify"): _Operation("RecordVerified", codes=("busy",)),
    ("GET", "/v1/tables/{table}/refusals"): _Operation("RefusalsShown"),
    ("GET", "/v1/pits/{pit}/events"): _Operation(texts=(_EVENTS,)),
    ("GET", "/v1/pits/{pit}/log"): _Operation(texts=(_LINES,)),
    ("GET", "/enter"): _Operation(texts=("text/html",)),
    ("GET", "/openapi.json"): _Operation("Description"),
    ("GET", "/healthz"): _Operation("Alive"),
    ("GET", "/readyz"): _Operation("ReadyShown"),
    ("GET", "/metrics"): _Operation(texts=(_TEXT,)),
    ("GET", "/v1/grants"): _Operation("GrantsShown"),
    ("POST", "/v1/grants"): _Operation(
        "GrantMade", 201, {_JSON: "GrantWanted"},
        {"person": "Dana", "office": "dealer", "tables": ["MB-101"]},
        ("two_offices", "lookalike", "exists", "not_stored"),
    ),
    ("POST", "/v1/grants/{grant}"): _Operation(
        "GrantConsent", takes={_JSON: "ConsentGiven"}, example={"consent": True},
        codes=("gone", "not_stored"),
    ),
    ("DELETE", "/v1/grants/{grant}"): _Operation(status=204, codes=("not_stored",)),
    ("POST", "/v1/tokens"): _Operation(
        "TokenMade", 201, {_JSON: "LinkRedeemed"}, {"link": "the link", "code": "K7QM2XVB"},
        ("gone", "not_consented", "not_stored"),
    ),
    ("POST", "/v1/tokens/mine"): _Operation("TokenMade", 201, codes=("not_stored",)),
    ("DELETE", "/v1/tokens/mine"): _Operation(status=204),
    ("GET", "/v1/tokens/mine"): _Operation("GrantSeen"),
}  # fmt: skip
_OPEN: Final = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/enter", "/v1/tokens")


def description(resources: Iterable[tuple[str, str, Any, Sequence[Query]]]) -> dict[str, Any]:
    """Return the description of (method, path, handler, query parameters)."""
    paths: dict[str, dict[str, Any]] = {}
    for method, path, serves, queries in resources:
        shown = path.replace(":int", "")
        paths.setdefault(shown, {})[method.lower()] = _operation(method, shown, serves, queries)
    named = {_PROBLEM}.union(*(operation.documents for operation in _OPERATIONS.values()))
    kinds = [getattr(documents, name) for name in sorted(named)]
    made = schema_of(reduce(or_, kinds), "service")["$defs"]
    command = any_command()
    made |= command.pop("$defs") | {"Command": {"anyOf": command["anyOf"]}}
    for kind in COMMANDS.values():
        _as_given(kind, made[kind.__name__])
    made["Description"] = {"type": "object", "description": "An OpenAPI 3.1 document."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier, the live table",
            "version": __version__,
            "description": "Every refusal is a problem with a code; see croupier help service.",
        },
        "paths": paths,
        "components": {
            "schemas": from_json(json.dumps(made).replace("#/$defs/", "#/components/schemas/")),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _as_given(kind: type[Command], schema: dict[str, Any]) -> None:
    """Leave out of a command's required fields what has a default, or follows from the grant."""
    terms = TERMS[kind.__name__]
    needed = {field.name for field in fields(kind) if field.required} - terms.names.keys()
    schema["required"] = [one for one in schema["required"] if one == "type" or one in needed]
    if terms.draws:
        card = schema["properties"]["card"]
        schema["properties"]["card"] = {"anyOf": [card, {"const": NEXT}]}


def _operation(method: str, path: str, serves: Any, queries: Sequence[Query]) -> dict[str, Any]:
    operation = _OPERATIONS.get((method, path), _ANY)
    name = serves.__name__
    found: dict[str, Any] = {
        "operationId": name,
        "summary": (serves.__doc__ or name).partition("\n")[0],
        "parameters": [*_parameters(path, operation), *(query.described for query in queries)],
        "responses": _responses(operation, reads=bool(queries), is_open=path in _OPEN),
    }
    if path in _OPEN:
        found["security"] = []
    if operation.takes:
        content = {
            kind: _content(kind, schema, operation) for kind, schema in operation.takes.items()
        }
        found["requestBody"] = {"required": True, "content": content}
    return found


def _content(kind: str, schema: str, operation: _Operation) -> dict[str, Any]:
    plain = {"type": "object" if kind == _JSON else "string"}
    written: dict[str, Any] = {"schema": _ref(schema) if schema else plain}
    if operation.example is not None and kind in {_JSON, "text/plain"}:
        written["example"] = operation.example
    return written


def _parameters(path: str, operation: _Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]
    if "key_missing" in operation.codes:
        found.append(
            {
                "name": "Idempotency-Key", "in": "header", "required": True, "example": "7f3a",
                "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,60}$"},
            }
        )  # fmt: skip
    if operation.answer.startswith("CarriedOutAt"):
        found.append(
            {
                "name": "Prefer", "in": "header", "example": "return=minimal",
                "description": "Leave the entries out of the answer.",
                "schema": {"type": "string"},
            }
        )  # fmt: skip
    if "stale" in operation.codes:
        found.append({"name": "If-Match", "in": "header", "schema": {"type": "string"}})
    return found


def _responses(operation: _Operation, *, reads: bool, is_open: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": "Done."}
    content: dict[str, Any] = {kind: {"schema": {"type": "string"}} for kind in operation.texts}
    if operation.answer:
        one, *others = map(_ref, operation.answer.split("|"))
        content[_JSON] = {"schema": {"anyOf": [one, *others]} if others else one}
    if content:
        answer["content"] = content
    found = {str(operation.status): answer}
    if operation.answer == "ReadyShown":
        found["503"] = answer
    if operation.answer.startswith("CarriedOutAt"):
        found["202"] = {**answer, "description": "Another person must consent."}
    codes: dict[str, list[str]] = {}
    general = () if is_open else ("no_token", "not_allowed", "not_found")
    body = _BODY if operation.takes else ("malformed",) if reads else ()
    common = ("too_many", "closing", "no_store", "wrong_host", "wrong_origin", "failed")
    for code in dict.fromkeys((*general, *operation.codes, *body, *common)):
        codes.setdefault(str(CODES[code][0]), []).append(code)
    if "stale" in operation.codes:
        codes.setdefault("409", []).append("what the table refuses")
    for status, named in sorted(codes.items()):
        refused = {MEDIA_TYPE: {"schema": _ref(_PROBLEM)}}
        also = found.get(status, {}).get("content", {})
        found[status] = {"description": ", ".join(named), "content": also | refused}
    return found


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
