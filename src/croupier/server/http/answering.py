"""Responses and form parsing shared by all pages."""

from __future__ import annotations

import hmac
import zlib
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache, wraps
from typing import Final
from urllib.parse import parse_qs

from starlette.responses import RedirectResponse, Response

from croupier.reports.tags import Html, join, tag
from croupier.reports.words import say
from croupier.server.http.calls import Call, form_token
from croupier.server.http.openapi import Resource
from croupier.server.http.problems import Problem
from croupier.server.pages.shell import plain_page

_FORM: Final = "application/x-www-form-urlencoded"
_HTML: Final = "text/html; charset=utf-8"

Serves = Callable[[Call], Awaitable[Response]]


@lru_cache(64)
def _gzipped(text: bytes) -> bytes:
    packing = zlib.compressobj(3, wbits=zlib.MAX_WBITS | 16)
    return packing.compress(text) + packing.flush()


def page_shown(call: Call, text: str | bytes, status: int = 200, media: str = _HTML) -> Response:
    # With ``no-referrer``, a form of the page would be sent with a null origin.
    headers = {"Referrer-Policy": "same-origin", "Vary": "Accept-Encoding"}
    if (names := call.service.names) is not None:
        text = names.shown(text.encode() if isinstance(text, str) else text)
    if "gzip" not in call.headers.get("accept-encoding", ""):
        return Response(text, status, headers, media)
    headers["Content-Encoding"] = "gzip"
    plain = text.encode() if isinstance(text, str) else text
    return Response(_gzipped(plain), status, headers, media)


def page_at(method: str, path: str, serves: Serves) -> Resource:
    """Resource of a page, which shows a handler's refusals to people."""

    @wraps(serves)
    async def served(call: Call) -> Response:
        try:
            return await serves(call)
        except Problem as problem:
            call.noted["code"] = problem.code
            if wants_json(call):
                raise
            if problem.code == "no_token" and call.identity is not None:
                return RedirectResponse("/enter", 303)
            text = say("error.no_token") if problem.code == "no_token" else str(problem)
            errors = problem.body.get("errors", ())
            faults = (tag("li", f"{error['where']}: {error['message']}") for error in errors)
            alert = tag("div", tag("p", text), tag("ul", *faults) if errors else None, role="alert")
            page = plain_page(say("error.title"), alert, *_ways_on(call, problem))
            return page_shown(call, page, problem.status)

    return Resource(method, path, served)


def _ways_on(call: Call, problem: Problem) -> Iterable[Html]:
    if problem.code != "no_token":
        # The first page is that of the office: the operator has no tables.
        places = {"tables": "/", "drills": "/drills"}
        links = (
            join(" ", tag("a", say(name), href=place))
            for name, place in places.items()
            if name == "tables" or call.request.url.path.startswith(place)
        )
        yield tag("nav", *links, class_="up", aria_label=say("tables"))


def wants_json(call: Call) -> bool:
    return "application/json" in call.headers.get("accept", "")


async def form_sent(call: Call) -> dict[str, list[str]]:
    """Form from this session's page. Raises ``Problem``."""
    call.same_origin()
    call.media_type(_FORM)
    body = (await call.body()).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=200)
    except ValueError as error:
        raise Problem("malformed", str(error)) from error
    check_form(call, fields.pop("form", [""])[0])
    return fields


def check_form(call: Call, made: str) -> None:
    call.grant  # noqa: B018  (proves the token, which the form is held to)
    if not hmac.compare_digest(made.encode(), form_token(call.token()).encode()):
        raise Problem("wrong_origin", say("error.form"))
