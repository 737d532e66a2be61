"""The page of people and its forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.responses import Response

from croupier.acts.roles import Role, admitted
from croupier.records.grants import Grant
from croupier.reports.tags import Html, tag
from croupier.reports.words import say
from croupier.server.http.answering import form_sent, page_at, page_shown
from croupier.server.http.calls import Call
from croupier.server.http.names import whole
from croupier.server.http.openapi import Resource
from croupier.server.http.problems import Problem
from croupier.server.looking import session_of
from croupier.server.pages.people import GrantSeen, People, link_shown, people_page
from croupier.server.pages.shell import answer_region
from croupier.server.resources.people_calls import answered_grant, granted, grants_seen, revoked


def link_region(call: Call, grant: Grant, link: str, message: str) -> Html:
    scheme = "https" if call.front.secure else "http"
    address = f"{scheme}://{call.headers['host']}/enter?link={link}"
    needs = call.service.grants.consenting(grant)
    return answer_region(message, more=link_shown(address, needs))


def _shown(call: Call, answer: Html | None = None, status: int = 200) -> Response:
    own, registry, found = call.grant, call.service.grants, grants_seen(call)
    people = People(
        [grant_seen(call, one, may=registry.may_revoke(own, one)) for one in found["grants"]],
        [grant_seen(call, one, may=registry.may_consent(own, one)) for one in found["waiting"]],
        sorted(admitted(own.office)),
        [*call.service.tables_of(own)],
    )
    return page_shown(call, people_page(session_of(call), people, answer), status)


def grant_seen(call: Call, grant: Grant, *, may: bool) -> GrantSeen:
    registry = call.service.grants
    maker = registry.get(grant.made_by)
    return GrantSeen(
        grant.id, grant.person, grant.office, grant.tables, grant.seat, grant.until,
        "" if maker is None else maker.person, registry.consenting(grant), may,
    )  # fmt: skip


async def people(call: Call) -> Response:
    return _shown(call)


async def grant_by_form(call: Call) -> Response:
    fields = await form_sent(call)
    person, office, table, seat = (
        fields.get(name, [""])[0] for name in ("person", "office", "table", "seat")
    )
    request = {
        "person": person,
        "office": office,
        "tables": [table] if table else [],
        "seat": whole(seat, 3) if office == Role.PATRON else None,
    }
    try:
        grant, link = await granted(call, request)
    except Problem as problem:
        return _refused(call, problem)
    message = say("people.made", person=grant.person, office=grant.office)
    return _shown(call, link_region(call, grant, link, message))


async def consent_by_form(call: Call) -> Response:
    fields = await form_sent(call)
    name = call.request.path_params["grant"]
    found = call.service.grants.get(name)
    try:
        code = await answered_grant(call, name, agreed=fields.get("consent") == ["yes"])
    except Problem as problem:
        return _refused(call, problem)
    if code is None or found is None:
        return _shown(call, answer_region(say("people.declined")))
    code_shown = tag("p", tag("code", f"{code[:4]}-{code[4:]}"))
    return _shown(call, answer_region(say("people.code", person=found.person), more=code_shown))


async def revoke_by_form(call: Call) -> Response:
    """End a grant and every grant made under it."""
    await form_sent(call)
    await revoked(call, call.request.path_params["grant"])
    return _shown(call, answer_region(say("people.revoked")))


def _refused(call: Call, problem: Problem) -> Response:
    text = say("refused", why=str(problem))
    return _shown(call, answer_region(text, refused=True), problem.status)


PEOPLE_PAGES: Final[Sequence[Resource]] = (
    page_at("GET", "/people", people),
    page_at("POST", "/people", grant_by_form),
    page_at("POST", "/people/{grant}", consent_by_form),
    page_at("POST", "/people/{grant}/revoke", revoke_by_form),
)
