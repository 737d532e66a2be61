"""An HTTP request, and the encoding of responses. A bad request raises ``Problem``."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, TypeVar, overload

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from croupier.acts.roles import LOOKS
from croupier.files.text import check_limits
from croupier.law.usage import Usage, named, use
from croupier.records.codec import given_json
from croupier.records.grants import Grant
from croupier.records.names import has_token
from croupier.records.stores.stream import StoreError
from croupier.server.desks.recorded import RecordedAnswer
from croupier.server.equipment import Equipment
from croupier.server.http.limits import Limits, Rates, Streams
from croupier.server.http.listening import WHOLE
from croupier.server.http.names import whole
from croupier.server.http.problems import MEDIA_TYPE, Problem
from croupier.server.http.queries import Query
from croupier.server.service import Service, Table
from croupier.server.sign_on import BOUND, Identity, SignOn
from croupier.server.views import Viewer
from croupier.server.worker import Lines, Worker

JSON: Final = "application/json"
_MINIMAL: Final = "return=minimal"
_BEARER: Final = "bearer "
T = TypeVar("T")
_COOKIES: Final = {True: "__Host-croupier", False: "croupier"}


class Front:
    """The service's origin, accepted host names with port, and limits."""

    def __init__(  # noqa: PLR0913  (what requests are checked with)
        self,
        service: Service,
        hosts: frozenset[str],
        limits: Limits,
        *,
        secure: bool = False,
        sign_on: SignOn | None = None,
        equipment: Equipment | None = None,
    ) -> None:
        self.service: Final = service
        self.hosts: Final = hosts
        self.limits: Final = limits
        self.secure: Final = secure
        self.sign_on: Final = sign_on
        self.equipment: Final = equipment
        self.rates: Final = Rates(limits)
        self.streams: Final = Streams(limits)

    @property
    def cookie(self) -> str:
        return _COOKIES[self.secure]

    @property
    def origins(self) -> frozenset[str]:
        scheme = "https" if self.secure else "http"
        return frozenset(f"{scheme}://{host}" for host in self.hosts)


class Call:
    def __init__(self, front: Front, request: Request) -> None:
        self.front: Final = front
        self.service: Final = front.service
        self.request: Final = request
        self._grant: Grant | None = None
        self.identity: Identity | None = None
        """Who was authenticated by a trusted proxy, once it is checked."""
        self.noted: Final[dict[str, object]] = {}
        """What the access log adds to the request: an event, a command, or a refusal's code."""
        self.headers: Final[Mapping[str, str]] = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(request.scope["headers"])
        }
        """Headers by lower-case name; the first one if a header is repeated."""
        self.minimal = _MINIMAL in _preferences(self.headers.get("prefer", ""))
        """Whether the caller prefers a minimal response without the entries."""

    # --- caller ---

    def token(self) -> str:
        header = self.headers.get("authorization", "")
        if header[: len(_BEARER)].lower() == _BEARER:
            return header[len(_BEARER) :].strip()
        cookie = self.request.cookies.get(self.front.cookie, "")
        if cookie and self.request.method not in {"GET", "HEAD"}:
            self.same_origin()
        return cookie

    def set_session(self, answer: Response, token: str, until: int) -> None:
        answer.set_cookie(
            self.front.cookie,
            token,
            max_age=max(0, (until - self.service.now()) // 1000),
            path="/",
            secure=self.front.secure,
            httponly=True,
            samesite="strict",
        )

    async def prolonged(self, answer: ASGIApp) -> ASGIApp:
        """Extend the session of a person who opens a page or sends a form of it.

        Automatic requests of an open page do not count: nobody may be using it.
        """
        grant, headers = self._grant, self.headers
        navigates = headers.get("sec-fetch-mode") == "navigate" or self.request.method == "POST"
        if grant is None or not navigates or "authorization" in headers:
            return answer
        if isinstance(answer, Response):
            # A completed request is answered even if a failing store ends the session sooner.
            with suppress(StoreError):
                token = self.token()
                until = await self.service.grants.prolong(token, grant, self.service.now())
                if until is not None:
                    self.set_session(answer, token, until)
        return answer

    def same_origin(self) -> None:
        origin = self.headers.get("origin")
        if origin not in self.front.origins:
            raise Problem(
                "wrong_origin", "a request with a cookie comes from a page of this service alone"
            )

    @property
    def grant(self) -> Grant:
        if self._grant is None:
            token = self.token()
            grants = self.service.grants
            found = grants.of_token(token, self.service.now()) if token else None
            self._grant = found if found is not None and self._is_of(found) else None
            if self._grant is None:
                raise _no_token()
            self.front.rates.take(self._grant.id)
            pit = self.service.pits.get(self._grant.pit)
            use(Usage() if pit is None else pit.usage)
        return self._grant

    @property
    def still_proven(self) -> bool:
        """Whether the token of a request that goes on is valid, and its connection trusted."""
        with suppress(Problem):
            self.identify()
            found = self.service.grants.of_token(self.token(), self.service.now())
            return found is not None and self._is_of(found)
        return False

    def check_open(self) -> None:
        """Raise ``Problem`` once the service shuts down."""
        if self.service.closes.is_set():
            raise Problem("closing", "the service is shutting down", retry=5)

    def check_again(self) -> None:
        """Raise ``Problem`` if the token has ended while a request was under way."""
        if self._grant is not None and not self.still_proven:
            raise _no_token()

    @property
    def known(self) -> Grant | None:
        """The request's grant, if it was determined."""
        return self._grant

    @property
    def peer(self) -> str:
        """The address of the peer, or of the client that a trusted proxy names."""
        client, sign_on = self.request.client, self.front.sign_on
        peer = "" if client is None else client.host
        return peer if sign_on is None else sign_on.forwarded(peer, self.request.scope["headers"])

    def identify(self) -> None:
        """Identify the caller by certificate or proxy. Raises ``Problem`` for an untrusted peer."""
        client, sign_on = self.request.client, self.front.sign_on
        line, equipment = self.request.scope.get("state", {}).get("tls"), self.front.equipment
        if line is not None and equipment is not None:
            self.identity = equipment.identity(line)
        if sign_on is not None and self.identity is None:
            peer = "" if client is None else client.host
            self.identity = sign_on.identity(peer, self.request.scope["headers"])

    def _is_of(self, grant: Grant) -> bool:
        identity = self.identity
        if identity is None:
            return grant.device not in BOUND
        is_open = identity.offices.get((grant.office, grant.pit)) == grant.tables
        return self.service.named(grant.person) == identity.person and (
            grant.device not in BOUND or (is_open and grant.device == identity.device)
        )

    def count_refusal(self, code: str) -> None:
        self.service.metrics.refusals.labels(code).inc()
        self.noted["code"] = code

    @property
    def viewer(self) -> Viewer:
        """The caller as a viewer. Raises ``Problem`` for an office that sees no table."""
        self.allow(*LOOKS)
        return Viewer.of(self.grant.office, self.grant.seat)

    def allow(self, *offices: str) -> Grant:
        if self.grant.office not in offices:
            office = self.grant.office
            message = f"this is for the {' or '.join(offices)}, not for the {office}"
            raise Problem("not_allowed", named(message))
        return self.grant

    def table(self) -> Table:
        return self.service.seen(self.grant, self.request.path_params["table"])

    async def asked(
        self, worker: Worker, act: Callable[..., T], *args: object, records: Iterable[Lines] = ()
    ) -> T:
        """Answer of a worker; a disconnected caller frees the place. Raises ``Problem``."""
        query = asyncio.ensure_future(worker.run(self.grant.person, act, *args, records=records))
        ends = [asyncio.ensure_future(one) for one in (self._gone(), self.service.closes.wait())]
        try:
            await asyncio.wait((query, *ends), return_when=asyncio.FIRST_COMPLETED)
            if not query.done():
                self.check_open()
                raise Problem("timeout", "the caller did not wait for the answer")
            self.check_again()
            return query.result()
        finally:
            for task in (query, *ends):
                task.cancel()
            await asyncio.gather(query, *ends, return_exceptions=True)

    async def _gone(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass

    # --- content ---

    async def body(self) -> bytes:
        limit = self.front.limits.body_bytes
        length = self.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > limit:
            raise Problem("too_large", f"a body has at most {limit:,} bytes")
        content: bytes | None = None
        if WHOLE in self.request.scope:
            # The body is here, so it is not late, and the token is still valid.
            content = await self._read(limit)
        else:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.front.limits.body_seconds):
                    content = await self._read(limit)
                self.check_again()
        if content is None:
            message = f"the body did not come within {self.front.limits.body_seconds:g} s"
            raise Problem("timeout", message)
        self.refuse_tokens(content)
        return content

    async def _read(self, most: int) -> bytes | None:
        content = bytearray()
        while (part := await self.request.receive())["type"] == "http.request":
            content += part.get("body", b"")
            if len(content) > most:
                raise Problem("too_large", f"a body has at most {most:,} bytes")
            if not part.get("more_body", False):
                return bytes(content)
        return None

    def refuse_tokens(self, sent: bytes | bytearray) -> None:
        """Raise ``Problem`` if a part of the request would be shown as the name of a patron."""
        if self.service.names is not None and has_token(bytes(sent)):
            raise Problem("malformed", "write the name of a patron, not its token")

    def media_type(self, *known: str) -> str:
        content_type = self.headers.get("content-type", known[0])
        found = content_type.partition(";")[0].strip().lower()
        if found not in known:
            raise Problem("media_type", f"send {' or '.join(known)}, not {found!r}")
        return found

    async def json(self) -> dict[str, Any]:
        self.media_type(JSON)
        data = parsed(await self.body(), self.front.limits.json_depth)
        if not isinstance(data, dict):
            raise Problem("malformed", "the body is not a JSON object")
        return data

    @overload
    def stated(self, query: Query) -> str | None: ...
    @overload
    def stated(self, query: Query, default: str) -> str: ...
    def stated(self, query: Query, default: str | None = None) -> str | None:
        if not self.request.scope["query_string"]:
            return default
        return self.request.query_params.get(query.name, default)

    def number(self, query: Query, default: int) -> int:
        text, maximum = self.stated(query), query.most or 0
        found = default if text is None else whole(text)
        if found is None or (text is not None and found > maximum):
            raise Problem("malformed", f"{query.name}: write a whole number from 0 to {maximum:,}")
        return found


def _no_token() -> Problem:
    return Problem(
        "no_token",
        "send Authorization: Bearer with a token that is neither over nor revoked",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _preferences(header: str) -> set[str]:
    """Return a ``Prefer`` header's preferences, without parameters (RFC 7240).

    >>> sorted(_preferences("respond-async, Return = minimal; foo"))
    ['respond-async', 'return=minimal']
    """
    return {part.partition(";")[0].replace(" ", "").lower() for part in header.split(",")}


def parsed(body: bytes, depth: int) -> Any:
    """Parse JSON nested at most ``depth`` deep. Raises ``Problem``."""
    try:
        check_limits(body.decode(), depth)
        return given_json(body)
    except ValueError as error:
        raise Problem("malformed", f"the body: {error}") from error


def json_answer(
    data: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(msgspec.json.encode(data), status, headers, JSON)


def recorded_answer(call: Call, answer: RecordedAnswer, *, minimal: bool = False) -> Response:
    """Answer of a record; the access log has a refusal's code also when it is repeated."""
    headers = {"ETag": f'"{answer.sequence}"'}
    if answer.again:
        headers["Idempotent-Replay"] = "true"
    elif minimal:
        headers["Preference-Applied"] = _MINIMAL
    if answer.status < HTTPStatus.BAD_REQUEST:
        return Response(answer.body, answer.status, headers, JSON)
    call.noted["code"] = msgspec.json.decode(answer.body)["code"]
    return Response(answer.body, answer.status, headers, MEDIA_TYPE)


def problem_answer(problem: Problem, trace: str) -> Response:
    body = msgspec.json.encode({**problem.body, "trace": trace})
    return Response(body, problem.status, problem.headers, MEDIA_TYPE)


def form_token(token: str) -> str:
    """Proof that a page of the session made a form."""
    return hmac.new(token.encode(), b"croupier form", sha256).hexdigest()
