"""Calls about people: grants of an office, the tokens that prove them, and one-time links."""

from __future__ import annotations

import secrets
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from starlette.responses import RedirectResponse, Response

from croupier.acts.roles import Access, Role, admits, with_access
from croupier.server.calls import Call, json_answer
from croupier.server.grants import HOURS_12, Grant
from croupier.server.names import checked_name
from croupier.server.problems import Problem
from croupier.server.queries import LINK

_ADMITTING: Final = tuple(role for role in Role if role.office.admits)
"""Offices that make grants."""
_DEVICES: Final = ("page", "reader", "code", "machine")
_MOST_HOURS: Final = 24 * 366
_FORM: Final = "application/x-www-form-urlencoded"


class _Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """A grant that is asked for; ``hours`` is how long it stands."""

    person: str
    office: str
    tables: list[str] = []
    seat: int | None = None
    device: str = "page"
    hours: float = 12.0


def _shown(grant: Grant, **more: object) -> dict[str, Any]:
    return {**msgspec.structs.asdict(grant), **more}


async def whoami(call: Call) -> Response:
    """Return the grant that the token proves."""
    return json_answer(_shown(call.grant))


async def grants(call: Call) -> Response:
    """Return the grants of the caller's pit that stand."""
    own = call.allow(*with_access(Access.PEOPLE))
    found = call.service.grants.standing(call.service.now())
    return json_answer({"grants": [_shown(one) for one in found if one.pit == own.pit]})


async def make_grant(call: Call) -> Response:
    """Grant an office to a person; the token, or the code of a link, is shown once."""
    data = await call.json()
    as_link = data.pop("link", False)
    grant = await granted(call, data)
    registry, now = call.service.grants, call.service.now()
    if as_link:
        told: dict[str, Any] = {"link": await registry.link(grant, now)}
    else:
        token, until = await registry.token(grant, now)
        told = {"token": token, "token_until": until}
    return json_answer(_shown(grant, **told), 201, {"Location": f"/v1/grants/{grant.id}"})


async def granted(call: Call, data: dict[str, Any]) -> Grant:
    """Keep a new grant that the caller may make. Raises ``Problem`` for any other."""
    own = call.allow(*_ADMITTING)
    try:
        wanted = msgspec.convert(data, _Wanted)
    except msgspec.ValidationError as error:
        raise Problem("malformed", str(error)) from error
    if not admits(own.office, wanted.office):
        known = ", ".join(Role(own.office).office.admits)
        raise Problem("not_allowed", f"the {own.office} grants {known}, not {wanted.office}")
    tables = tuple(checked_name("tables", one) for one in wanted.tables)
    for name in tables:
        call.service.seen(own, name)
    if (
        wanted.device not in {"page", "reader", "code", "machine"}
        or not 0 < wanted.hours <= 24 * 366
    ):
        raise Problem("malformed", "device: page, reader, code or machine; hours: up to a year")
    now = call.service.now()
    grant = Grant(
        secrets.token_urlsafe(9),
        checked_name("person", wanted.person),
        wanted.office,
        own.pit,
        tables or own.tables,
        wanted.seat,
        wanted.device,
        now + int(wanted.hours * HOURS_12 / 12),
        made_by=own.id,
    )
    return await call.service.grants.make(grant, now)


async def revoke(call: Call) -> Response:
    """End a grant, with every token and link of it."""
    own = call.grant
    name = call.request.path_params["grant"]
    found = call.service.grants.get(name)
    may = found is not None and (
        own.id in {name, found.made_by} or (own.office == Role.LICENSEE and found.pit == own.pit)
    )
    if not may:
        raise Problem("not_found", "there is no such grant, or it is none of yours")
    await call.service.grants.revoke(name, call.service.now())
    return Response(status_code=204)


async def make_token(call: Call) -> Response:
    """Exchange the code of a one-time link for a token."""
    call.front.rates.take(f"link {_peer(call)}", 5)
    data = await call.json()
    code = data.get("link")
    if not isinstance(code, str) or len(data) != 1:
        raise Problem("malformed", 'send {"link": the code of the link}')
    grant, token, until = await call.service.grants.redeem(code, call.service.now())
    return json_answer(_shown(grant, token=token, token_until=until), 201)


def _peer(call: Call) -> str:
    client = call.request.client
    return "" if client is None else client.host


# --- by a browser ---

_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Croupier</title>
<h1>Croupier</h1><form method="post" action="/enter">
<input type="hidden" name="link" value="{code}"><button>Enter</button></form></html>
"""


async def show_enter(call: Call) -> Response:
    """Return a page with a button: what merely looks at a link does not use it up."""
    code = call.stated(LINK, "")
    return Response(_PAGE.format(code=escape(code)), media_type="text/html")


async def enter(call: Call) -> Response:
    """Exchange the code of a one-time link for a cookie, and go on to the first page."""
    call.same_origin()
    call.front.rates.take(f"link {_peer(call)}", 5)
    call.media_type(_FORM)
    try:
        fields = parse_qs((await call.body()).decode("utf-8", "replace"), max_num_fields=4)
    except ValueError as error:
        raise Problem("malformed", "send the form of this page, which has one field") from error
    code = fields.get("link", [""])[0]
    grant, token, until = await call.service.grants.redeem(code, call.service.now())
    del grant
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        call.front.cookie,
        token,
        max_age=max(0, (until - call.service.now()) // 1000),
        path="/",
        secure=call.front.secure,
        httponly=True,
        samesite="strict",
    )
    return answer
