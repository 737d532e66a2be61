"""The ASGI application: routing behind one access check."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from starlette.convertors import Convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.law.faults import LawError
from croupier.records.stores.stream import StoreError
from croupier.server.http.calls import JSON, Call, Front, problem_answer
from croupier.server.http.openapi import Resource, description
from croupier.server.http.problems import MEDIA_TYPE, Problem, no_store
from croupier.server.http.queries import (
    AFTER,
    CARDS_FROM,
    CORRECTS,
    DAY,
    LINK,
    NOTIFIED,
    PATRONS,
    REFUSED,
    TABLE,
)
from croupier.server.logs import LOG, note
from croupier.server.resources import (
    day_calls,
    event_calls,
    people_calls,
    pit_calls,
    read_calls,
    reader_calls,
    table_calls,
)

Serves = Callable[[Call], Awaitable[ASGIApp]]


async def described(_: Call) -> Response:
    """Return this description."""
    return Response(_description(), media_type="application/json")


@cache
def _description() -> bytes:
    return json.dumps(description(RESOURCES)).encode()


_T: Final = "/v1/tables/{table}"
_P: Final = "/v1/pits/{pit}"
_KEYED: Final = ("key_missing", "key_reused", "malformed", "not_stored", "not_owner", "disk_full")
_TOML: Final = {"application/toml": "", JSON: ""}
_LINES: Final = "application/x-ndjson"
_EVENTS: Final = ("text/event-stream",)
_TEXT: Final = "text/plain"
_CONSENT: Final = {JSON: "ConsentGiven"}

# The two most frequent requests come first.
RESOURCES: Final[Sequence[Resource]] = (
    Resource(
        "POST", f"{_T}/commands", table_calls.command, (CORRECTS,), "CarriedOutAt",
        takes={JSON: "Command", _LINES: ""},
        example={"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10_000},
        codes=(*_KEYED, "stale"),
    ),
    Resource("GET", f"{_T}/events", event_calls.events, (AFTER,), texts=_EVENTS),
    Resource("GET", f"{_T}/legal", table_calls.legal, answer="ActsShown"),
    Resource("GET", _T, table_calls.table, answer="ServedTable"),
    Resource("GET", f"{_T}/look", event_calls.look, answer="TableLooked"),
    Resource("GET", "/v1/tables", table_calls.list_tables, answer="ServedTables"),
    Resource(
        "POST", "/v1/tables", table_calls.create, (TABLE, CARDS_FROM, PATRONS, NOTIFIED),
        "ServedTable", 201, _TOML, codes=("refused_submission", "exists"),
    ),
    Resource("GET", f"{_T}/consents", table_calls.consents, answer="ConsentsShown"),
    Resource(
        "POST", f"{_T}/consents/{{consent}}", table_calls.consent,
        answer="CarriedOutAt|ActDeclined", takes=_CONSENT, example={"consent": True},
        codes=(*_KEYED, "gone"),
    ),
    Resource(
        "POST", f"{_T}/reader", reader_calls.read, takes={_TEXT: ""}, example="17 9h\n",
        texts=(_TEXT,),
    ),
    Resource("POST", f"{_T}/reader/unlock", reader_calls.unlock, status=204),
    Resource("GET", f"{_T}/shoes", read_calls.shoes, answer="ShoesShown", codes=("no_shoe",)),
    Resource("GET", f"{_T}/log", read_calls.log, (DAY,), texts=(_LINES,)),
    Resource("GET", f"{_T}/days", day_calls.days, answer="DaysShown"),
    Resource(
        "POST", f"{_T}/days", day_calls.end_day, (NOTIFIED,), "DayEndedAt", takes=_TOML,
        codes=(*_KEYED, "day_under_way", "no_amendment", "refused_submission"), needs_body=False,
    ),
    Resource("GET", f"{_T}/rounds/{{number:int}}", read_calls.one_round, answer="RoundShown"),
    Resource(
        "GET", f"{_T}/roads", read_calls.roads, answer="RoadsOfShoe", texts=("image/svg+xml",)
    ),
    Resource("GET", f"{_T}/ledger", read_calls.ledger, answer="LedgerShown"),
    Resource("GET", f"{_T}/meters", read_calls.meters, answer="MetersShown"),
    Resource("GET", f"{_T}/forms", read_calls.forms, answer="FormsShown"),
    Resource("GET", f"{_T}/odds", read_calls.odds, answer="OddsShown", codes=("no_odds", "busy")),
    Resource(
        "GET", f"{_T}/verify", read_calls.verify, (DAY,), "RecordVerified", codes=("busy",)
    ),
    Resource("GET", f"{_T}/refusals", read_calls.refusals, (REFUSED,), "RefusalsShown"),
    Resource("GET", "/v1/pits", pit_calls.pits, answer="PitsShown"),
    Resource("GET", f"{_P}/events", event_calls.pit_events, texts=_EVENTS),
    Resource("GET", _P, pit_calls.pit, answer="PitShown"),
    Resource(
        "POST", f"{_P}/commands", pit_calls.pit_command, answer="PitCarriedOut",
        takes={JSON: "PitCommandGiven"},
        example={
            "type": "ChangeElections", "tables": ["MB-101"],
            "elections": {"settlement.order": "payments-first"},
        },
        codes=(*_KEYED, "stale"),
    ),
    Resource("GET", f"{_P}/log", pit_calls.pit_log, texts=(_LINES,)),
    Resource("GET", f"{_P}/verify", pit_calls.verify_pit, answer="PitVerified", codes=("busy",)),
    Resource("GET", "/v1/grants", people_calls.grants, answer="GrantsShown"),
    Resource(
        "POST", "/v1/grants", people_calls.make_grant, (), "GrantMade", 201,
        {JSON: "GrantWanted"}, {"person": "Dana", "office": "dealer", "tables": ["MB-101"]},
        ("two_offices", "lookalike", "exists", "not_stored"),
    ),
    Resource(
        "POST", "/v1/grants/{grant}", people_calls.consent_to_grant, answer="GrantConsent",
        takes=_CONSENT, example={"consent": True}, codes=("gone", "not_stored"),
    ),
    Resource(
        "DELETE", "/v1/grants/{grant}", people_calls.revoke, status=204, codes=("not_stored",)
    ),
    Resource(
        "POST", "/v1/tokens", people_calls.make_token, (), "TokenMade", 201,
        {JSON: "LinkRedeemed"}, {"link": "the link", "code": "K7QM2XVB"},
        ("gone", "not_consented", "not_stored"),
    ),
    Resource("GET", "/v1/tokens/mine", people_calls.whoami, answer="GrantSeen"),
    Resource(
        "POST", "/v1/tokens/mine", people_calls.renew, (), "TokenMade", 201,
        codes=("not_stored",),
    ),
    Resource("DELETE", "/v1/tokens/mine", people_calls.sign_out, status=204),
    Resource("GET", "/enter", people_calls.show_enter, (LINK,), texts=("text/html",)),
    Resource(
        "POST", "/enter", people_calls.enter, status=303,
        codes=("wrong_origin", "gone", "malformed", "not_consented"),
    ),
    Resource("GET", "/openapi.json", described, answer="Description"),
    Resource("GET", "/healthz", read_calls.healthz, answer="Alive"),
    Resource("GET", "/readyz", read_calls.readyz, answer="ReadyShown"),
    Resource("GET", "/metrics", read_calls.metrics, texts=(_TEXT,)),
)  # fmt: skip

_HEADERS: Final[tuple[tuple[bytes, bytes], ...]] = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            b" connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

_HSTS: Final = ((b"strict-transport-security", b"max-age=31536000"),)
_MONITORING: Final = frozenset({"/readyz", "/metrics"})
_READS: Final = frozenset({"GET", "HEAD"})
_METHODS: Final = _READS | {"POST", "DELETE", "PUT", "PATCH", "OPTIONS"}
_REFUSED: Final = 400
_DOCUMENTS: Final = frozenset({JSON, MEDIA_TYPE})
_TRACES: Final = Random()  # noqa: S311  (as said where it is used)
_OWN: Final = frozenset(name for name, _ in _HEADERS)


class _Place(NamedTuple):
    path: str
    like: re.Pattern[str]
    converters: Mapping[str, Convertor[Any]]
    methods: dict[str, Serves]


class Application:
    """The service as an ASGI application; ``more`` are further resources."""

    def __init__(self, front: Front, more: Sequence[Resource] = (), *, probed: bool = True) -> None:
        """Serve all resources; those of monitoring only if ``probed``."""
        self._front: Final = front
        self._places: dict[str, _Place] = {}
        for resource in (*RESOURCES, *more):
            path = resource.path
            if path in _MONITORING and not probed:
                continue
            if path not in self._places:
                pattern, _, converters = compile_path(path)
                self._places[path] = _Place(path, pattern, converters, {})
            self._places[path].methods[resource.method] = resource.serves

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        if scope["type"] != "http":
            return
        answered = _Answered(scope, send, _HSTS if self._front.secure else ())
        trace, call, begin = answered.trace, Call(self._front, Request(scope, receive)), monotonic()
        try:
            answer = self._named(await self._answer(call, trace))
            if isinstance(answer, event_calls.EventStream):
                call.noted.setdefault("event", "stream")
            await answer(scope, receive, answered)
        except Exception:  # noqa: BLE001  (whatever it is, the caller and the log get it)
            LOG.exception("request %s failed", trace)
            call.noted["code"] = "failed"
            if not answered.status:
                detail = f"quote {trace} to whoever runs the service; ask again under the same key"
                await problem_answer(Problem("failed", detail), trace)(scope, receive, answered)
        finally:
            _noted(call, answered, monotonic() - begin)

    async def _answer(self, call: Call, trace: str) -> ASGIApp:
        try:
            self._check(call)
            return await call.prolonged(await self._found(call.request.scope)(call))
        except Problem as problem:
            refusal = problem
        except LawError as error:
            # Not a failure of the service: the regulation does not cover the case.
            LOG.warning("request %s: %s", trace, error)
            refusal = Problem("refused_submission", str(error))
        except StoreError as error:
            LOG.warning("request %s: %s", trace, error)
            refusal = no_store(error)
        call.noted["code"] = refusal.code
        return problem_answer(refusal, trace)

    def _named(self, answer: ASGIApp) -> ASGIApp:
        """Put the names of patrons into JSON; pages have them, and exports have tokens."""
        names = self._front.service.names
        if names is not None and isinstance(answer, Response) and answer.media_type in _DOCUMENTS:
            answer.body = names.shown(bytes(answer.body))
            answer.headers["content-length"] = str(len(answer.body))
        return answer

    def _found(self, scope: Scope) -> Serves:
        for place in self._places.values():
            found = place.like.match(scope["path"])
            if found is None:
                continue
            scope["croupier.route"] = place.path
            try:
                scope["path_params"] = {
                    name: place.converters[name].convert(value)
                    for name, value in found.groupdict().items()
                }
            except ValueError:
                # A number with more digits than Python parses names nothing.
                break
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            if method in place.methods:
                return place.methods[method]
            methods = ", ".join(place.methods)
            raise Problem("method", f"send one of {methods}", headers={"Allow": methods})
        raise Problem("not_found", "there is no such resource")

    def _check(self, call: Call) -> None:
        headers, service, scope = call.headers, call.service, call.request.scope
        if service.names is not None:
            stated = [one for pair in scope["headers"] for one in pair]
            call.refuse_tokens(b" ".join((scope["path"].encode(), scope["query_string"], *stated)))
        if headers.get("host", "").lower() not in self._front.hosts:
            raise Problem("wrong_host", "this service answers to its own host alone")
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy may use the other header, and see a second request in the body.
            close = {"Connection": "close"}
            raise Problem("malformed", "the body is of two lengths: send one", headers=close)
        call.identify()
        if headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
            navigates = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
            if not navigates:
                raise Problem("wrong_origin", "a page of another origin sent the request")
        if not service.is_ready and scope["path"] not in {"/healthz", "/readyz"}:
            raise Problem("closing", "the service is not ready", retry=2)
        if scope["method"] not in _READS and (lost := service.lost) is not None:
            raise no_store(lost)


def _noted(call: Call, answered: _Answered, seconds: float) -> None:
    """Count a request, and log it. The line contains no free text."""
    scope, service = call.request.scope, call.service
    route = str(scope.get("croupier.route", "other"))
    event = str(call.noted.pop("event", "refusal" if answered.status >= _REFUSED else "request"))
    command = call.noted.get("command")
    timed = None if event == "stream" else seconds
    service.metrics.answered(route, answered.status, timed, command)
    if not LOG.isEnabledFor(logging.INFO):
        return
    fields: dict[str, object] = {
        "request": answered.trace,
        "peer": call.peer,
        "method": scope["method"] if scope["method"] in _METHODS else "other",
        "route": route,
        "status": answered.status,
        "ms": round(seconds * 1000, 1),
    }
    if (grant := call.known) is not None:
        fields |= {"person": grant.person, "office": grant.office, "grant": grant.id}
    table = scope.get("path_params", {}).get("table")
    if table in service.tables:
        fields["table"] = table
    note(event, f"{fields['method']} {route} {answered.status}", fields | call.noted)


class _Answered:
    def __init__(self, scope: Scope, send: Send, more: Sequence[tuple[bytes, bytes]]) -> None:
        self._more: Final = more
        # Not a secret, and the system's random source would release the GIL.
        self.trace: Final = f"{_TRACES.getrandbits(64):016x}"
        self.status = 0
        self._send: Final = send
        self._no_body: Final = scope["method"] == "HEAD"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = dict(message["headers"])
            added = _HEADERS
            if not headers.keys().isdisjoint(_OWN):
                added = tuple(header for header in _HEADERS if header[0] not in headers)
            trace = (b"x-request-id", self.trace.encode())
            message["headers"] = [*message["headers"], *added, *self._more, trace]
        elif self._no_body:
            message = {**message, "body": b""}
        await self._send(message)
